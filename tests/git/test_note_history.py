"""When notes were added and changed: renames, clones that hold a part, and no git at all."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.git.note_history import find_history, parse_log
from kg.git.run_git import open_git

HOSTILE = "<script>alert(1)</script> \" ' & \x1b[31m M"


def git(folder: Path, *arguments: str) -> None:
    name = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(folder), *name, *arguments], check=True, capture_output=True)


def commit(folder: Path, subject: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", subject)


def notes_in_git(top: Path) -> Path:
    """A note added, changed, then renamed, beside one that was added once."""
    git_folder, notes = top / "project", top / "project" / "notes"
    notes.mkdir(parents=True)
    git(top, "init", "-q", "-b", "main", str(git_folder))
    text = "\n".join(f"line {number}" for number in range(40))
    (notes / "old.md").write_text(text)
    commit(git_folder, "add the note")
    (notes / "old.md").write_text(text + "\nmore")
    (notes / "other.md").write_text("other")
    commit(git_folder, HOSTILE)
    (notes / "old.md").rename(notes / "new.md")
    commit(git_folder, "rename it")
    (git_folder / "outside.md").write_text("no note")
    commit(git_folder, "something else")
    return notes


def subjects(notes: Path, path: str) -> list[str]:
    return [change.subject for change in find_history(notes).of(path)]


@pytest.mark.integration
def test_changes_are_listed_the_latest_first_and_follow_a_rename(tmp_path: Path):
    notes = notes_in_git(tmp_path)
    assert subjects(notes, "new.md") == ["rename it", HOSTILE, "add the note"]
    assert subjects(notes, "other.md") == [HOSTILE]


@pytest.mark.integration
def test_history_is_read_again_after_a_commit_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    notes = notes_in_git(tmp_path)
    read = []
    monkeypatch.setattr(
        "kg.git.note_history.open_git", lambda folder: read.append(folder) or open_git(folder)
    )
    assert subjects(notes, "other.md") == subjects(notes, "other.md") == [HOSTILE]
    assert len(read) == 1
    (notes / "other.md").write_text("another")
    commit(notes, "change it")
    assert subjects(notes, "other.md") == ["change it", HOSTILE]
    assert len(read) == 2


@pytest.mark.integration
def test_a_file_outside_the_notes_and_one_never_committed_have_no_history(tmp_path: Path):
    notes = notes_in_git(tmp_path)
    (notes / "draft.md").write_text("draft")
    history = find_history(notes)
    assert history.known
    assert not history.shallow
    assert history.of("draft.md") == history.of("../outside.md") == history.of("outside.md") == ()


@pytest.mark.integration
def test_a_shallow_clone_does_not_take_its_first_commit_for_the_addition(tmp_path: Path):
    notes = notes_in_git(tmp_path)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "2", notes.parent.as_uri(), str(clone))
    history = find_history(clone / "notes")
    assert history.shallow
    assert history.of("new.md") == history.of("other.md") == ()


@pytest.mark.integration
def test_without_a_repository_or_a_folder_nothing_is_known(tmp_path: Path):
    assert not find_history(tmp_path).known
    assert not find_history(None).known


@pytest.mark.integration
def test_a_repository_without_a_commit_has_no_history(tmp_path: Path):
    git(tmp_path, "init", "-q")
    assert find_history(tmp_path).changes == {}


words = st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]))
paths = words.filter(bool)
commits = st.lists(
    st.tuples(st.text("0123456789abcdef", min_size=40, max_size=40), words, st.lists(paths)),
    max_size=5,
)


@given(commits)
def test_whatever_subjects_and_paths_hold_each_change_is_found(log):
    text = "".join(
        f"{digits}\0\x002026-11-20\0{subject}\0"
        + ("\n" + "".join(f"M\0{path}\0" for path in touched) if touched else "\0")
        for digits, subject, touched in log
    )
    changes = parse_log(text).changes
    assert [(c.short_hash, c.subject) for path in changes for c in changes[path]] == [
        (digits[:10], subject)
        for path in dict.fromkeys(path for *_, touched in log for path in touched)
        for digits, subject, touched in log
        for touched_path in touched
        if touched_path == path
    ]


def test_of_a_shallow_clone_each_commit_without_parents_is_left_out_and_no_other():
    log = [("a" * 40, "b" * 40), ("c" * 40, ""), ("b" * 40, "d" * 40)]
    text = "".join(f"{own}\0{of}\x002026-11-20\0so\0\nM\0x.md\0" for own, of in log)
    expected_paths = {False: ["a", "c", "b"], True: ["a", "b"]}
    for shallow, firsts in expected_paths.items():
        history = parse_log(text, shallow)
        assert [each.short_hash[0] for each in history.log] == firsts
        assert [each.short_hash[0] for each in history.of("x.md")] == firsts


def test_a_path_that_was_renamed_twice_keeps_its_first_commit():
    log = [("c", "R090\0b.md\0c.md"), ("b", "R100\0a.md\0b.md"), ("a", "A\0a.md")]
    text = "".join(f"{own * 40}\0\x002026-11-20\0so\0\n{change}\0" for own, change in log)
    changes = parse_log(text).changes
    assert {
        path: [each.short_hash[0] for each in of_path] for path, of_path in changes.items()
    } == {"c.md": ["c", "b", "a"]}
