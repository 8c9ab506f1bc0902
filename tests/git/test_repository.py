from __future__ import annotations

import os
from pathlib import Path

import pytest

from kg.git.plain_files import NoHistory
from kg.git.repository import (
    NoRepository,
    get_readable_repository,
    get_repository,
    head_digest,
    reason_for_no_history,
    state_files,
)

# folders and files are all that this module reads, so that git itself is not needed here


def make_repository(top: Path, own_folder: str = ".git") -> Path:
    """The least that a repository has; its own folder."""
    folder = top / own_folder
    for name in ("refs/heads", "objects/info"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


def make_worktree(place: Path) -> tuple[Path, Path]:
    """A worktree beside the repository `main`; the folder of its files, and its own folder."""
    own_folder = make_repository(place / "main") / "worktrees" / "side"
    own_folder.mkdir(parents=True)
    files = place / "side"
    files.mkdir()
    (files / ".git").write_text(f"gitdir: {own_folder}\n")
    (own_folder / "commondir").write_text("../..\n")
    (own_folder / "gitdir").write_text(f"{files / '.git'}\n")
    (own_folder / "HEAD").write_text("ref: refs/heads/side\n")
    return files, own_folder


def test_the_nearest_repository_at_or_above_a_folder_is_found(tmp_path: Path) -> None:
    outer = make_repository(tmp_path)
    inner = make_repository(tmp_path / "a")
    (tmp_path / "a" / "b").mkdir()
    (tmp_path / "c").mkdir()
    assert get_repository(tmp_path / "a" / "b") == (tmp_path / "a", inner, inner)
    assert get_repository(tmp_path / "c") == (tmp_path, outer, outer)


def test_a_folder_named_git_that_is_a_link_is_refused(tmp_path: Path) -> None:
    make_repository(tmp_path / "private")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / ".git").symlink_to(tmp_path / "private" / ".git")
    with pytest.raises(NoHistory):
        get_repository(tmp_path / "notes")


def test_a_worktree_has_its_own_head_and_the_objects_of_the_repository(tmp_path: Path) -> None:
    files, own_folder = make_worktree(tmp_path)
    common = tmp_path / "main" / ".git"
    assert get_repository(files) == (files, own_folder, common)
    assert {str(own_folder / "HEAD"), str(common / "refs/heads/side")} <= {*state_files(files)}


@pytest.mark.parametrize("name", ["commondir", "gitdir"])
def test_a_worktree_of_which_the_repository_does_not_know_is_refused(
    name: str, tmp_path: Path
) -> None:
    files, own_folder = make_worktree(tmp_path)
    (own_folder / name).write_text(f"{tmp_path / 'elsewhere'}\n")
    with pytest.raises(NoHistory, match="which does not know of"):
        get_repository(files)


def test_a_worktree_must_lie_in_the_folder_of_worktrees(tmp_path: Path) -> None:
    files, own_folder = make_worktree(tmp_path)
    moved = own_folder.parent.parent / "others" / "side"
    moved.parent.mkdir()
    own_folder.rename(moved)
    (files / ".git").write_text(f"gitdir: {moved}\n")
    with pytest.raises(NoHistory, match="which does not know of"):
        get_repository(files)


def test_a_submodule_is_read_where_its_settings_name_the_folder(tmp_path: Path) -> None:
    own_folder = make_repository(tmp_path / "outer" / ".git" / "modules", "sub")
    files = tmp_path / "outer" / "sub"
    files.mkdir()
    (files / ".git").write_text("gitdir: ../.git/modules/sub\n")
    (own_folder / "config").write_text("[core]\n\tworktree = ../../../sub\n")
    assert get_repository(files) == (files, own_folder, own_folder)
    (own_folder / "config").write_text("[core]\n\tworktree = ../../../other\n")
    assert "which does not know of" in reason_for_no_history(files)
    (own_folder / "config").write_text("[core]\n")
    assert "which does not know of" in reason_for_no_history(files)


def test_a_file_named_git_that_names_no_repository_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nothing\n")
    with pytest.raises(NoHistory, match="names no repository"):
        get_repository(tmp_path)


def test_without_a_repository_there_is_nothing_to_say(tmp_path: Path) -> None:
    with pytest.raises(NoRepository, match="is not in a git repository"):
        get_repository(tmp_path)
    assert reason_for_no_history(tmp_path) == ""
    assert state_files(tmp_path) == []
    assert head_digest(tmp_path) == b""


def test_a_repository_is_readable_once_it_has_head_refs_and_objects(tmp_path: Path) -> None:
    folder = tmp_path / ".git"
    folder.mkdir()
    assert "it has no HEAD" in reason_for_no_history(tmp_path)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    assert "is not a repository that kg can read" in reason_for_no_history(tmp_path)
    (folder / "refs").mkdir()
    assert get_readable_repository(tmp_path).common == folder
    assert "its objects cannot be read" in reason_for_no_history(tmp_path)
    (folder / "objects").mkdir()
    assert reason_for_no_history(tmp_path) == ""


def test_the_files_that_show_a_new_commit_include_that_of_the_branch(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    branch = str(folder / "refs/heads/main")
    assert branch in state_files(tmp_path)
    for head in ("ref: ../../secret", "ref: refs/../../secret", "ref: refs/a\0b", "0" * 40):
        (folder / "HEAD").write_text(head)
        files = state_files(tmp_path)
        assert len(files) == 5, head
        assert all(os.path.normpath(file).startswith(str(folder)) for file in files)


def test_the_digest_changes_with_each_file_that_a_commit_changes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    digests = [head_digest(tmp_path)]
    for name in ("refs/heads/main", "packed-refs", "shallow", "objects/info/alternates"):
        (folder / name).write_text("0" * 40)
        digests.append(head_digest(tmp_path))
    (folder / "refs/heads/main").write_text("1" * 40)
    digests.append(head_digest(tmp_path))
    assert len({*digests}) == len(digests)
    assert head_digest(tmp_path) == digests[-1]


def test_there_is_no_digest_where_a_file_of_the_repository_is_a_link(tmp_path: Path) -> None:
    folder = make_repository(tmp_path)
    (folder / "packed-refs").symlink_to(tmp_path / "secret")
    assert head_digest(tmp_path) == b""
