"""Repositories that somebody sent: they show nothing of another repository."""

from __future__ import annotations

import shutil

import pytest

from tests.git.sent import SECRET, Sent, git, needs_a_shell, private_repository

pytestmark = [pytest.mark.integration, needs_a_shell]


def assert_unread(sent: Sent, why: str) -> None:
    assert not sent.history().known
    result = sent.show("HEAD")
    assert result.returncode
    assert why in result.stderr
    assert SECRET not in result.stdout + result.stderr


def test_objects_of_another_repository_are_not_read(sent: Sent) -> None:
    private = private_repository(sent)
    commit = git(private, "rev-parse", "HEAD")
    (sent.top / ".git/objects/info/alternates").write_text(f"{private}/objects\n")
    (sent.top / ".git/refs/heads/main").write_text(f"{commit}\n")
    assert_unread(sent, "borrows objects from another")


@pytest.mark.parametrize("part", ["objects", "objects/pack", "refs", "HEAD", "."])
def test_links_into_another_repository_are_not_followed(sent: Sent, part: str) -> None:
    private = private_repository(sent)
    place = sent.top / ".git" / part
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    place.symlink_to(private / part)
    assert_unread(sent, "is not followed")


def test_a_reference_that_is_a_link_is_not_followed(sent: Sent) -> None:
    private = private_repository(sent)
    place = sent.top / ".git/refs/heads/other"
    place.symlink_to(private / "refs/heads/main")
    assert_unread(sent, "is a link, and is not followed")


def test_a_repository_elsewhere_that_does_not_know_the_folder_is_not_read(sent: Sent) -> None:
    private = private_repository(sent)
    shutil.rmtree(sent.top / ".git")
    (sent.top / ".git").write_text(f"gitdir: {private}\n")
    assert_unread(sent, "which does not know of")


def test_a_worktree_of_another_repository_is_not_read(sent: Sent) -> None:
    private = private_repository(sent)
    git(private.parent, "worktree", "add", "-q", str(sent.place / "wt"))
    shutil.rmtree(sent.top / ".git")
    (sent.top / ".git").write_text(f"gitdir: {private}/worktrees/wt\n")
    assert_unread(sent, "which does not know of")


@pytest.mark.parametrize("name", ["forged", "worktrees/forged"])
def test_a_forged_worktree_shows_no_other_repository(sent: Sent, name: str) -> None:
    private = private_repository(sent)
    shutil.rmtree(sent.top / ".git")
    forged = sent.top / name
    forged.mkdir(parents=True)
    (forged / "HEAD").write_text("ref: refs/heads/main\n")
    (forged / "commondir").write_text(f"{private}\n")
    (forged / "gitdir").write_text(f"{sent.top / '.git'}\n")
    (sent.top / ".git").write_text(f"gitdir: {name}\n")
    assert_unread(sent, "which does not know of")


def test_a_submodule_with_hostile_settings_runs_nothing(sent: Sent) -> None:
    inner = sent.notes
    shutil.move(sent.top / ".git", sent.place / "moved")
    outer = sent.place / "outer"
    (outer / ".git/modules").mkdir(parents=True)
    shutil.move(sent.place / "moved", outer / ".git/modules/sub")
    shutil.move(sent.top, outer / "sub")
    sent.top, sent.notes = outer / "sub", outer / "sub/notes"
    (sent.top / ".git").write_text("gitdir: ../.git/modules/sub\n")
    settings = outer / ".git/modules/sub"
    for name, value in (
        ("core.worktree", "../../../sub"),
        ("core.fsmonitor", str(sent.script)),
        ("remote.origin.uploadpack", str(sent.script)),
    ):
        git(settings, "config", name, value)
    assert not inner.exists()
    assert len(sent.history().of("a.md")) == 2
    assert sent.show().returncode == 0
    git(settings, "config", "core.worktree", "../../../../sent")
    assert_unread(sent, "which does not know of")


def test_replaced_and_grafted_objects_show_what_was_committed(sent: Sent) -> None:
    first, last = git(sent.top, "rev-list", "--reverse", "HEAD").split()
    git(sent.top, "replace", last, first)
    (sent.top / ".git/info/grafts").write_text(f"{last}\n")
    assert [change.subject for change in sent.history().log] == ["A 1", "A 0"]
    assert "A 0" in sent.show("HEAD~1").stdout
