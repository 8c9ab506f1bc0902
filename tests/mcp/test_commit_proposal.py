"""A branch that is made beside the work tree."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from kg.files.folder_tree import open_folder_tree
from kg.git import NoHistory
from kg.mcp.commit_proposal import ProposalRefused, _make_branch, propose_files
from tests.support.repository import commit, git

pytestmark = pytest.mark.integration


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "top" / "notes"
    commit(folder, "2026-01-01", a="A\n")
    return folder


def test_a_proposal_holds_what_it_was_given(notes: Path) -> None:
    proposal = propose_files(
        notes, {"new/b.md": b"B\r\n", "a.md": b"AA\n"}, {"a.md": b"A\n"}, "b", "Why"
    )
    top = notes.parent
    assert proposal.branch == "proposal/b"
    assert git(top, "rev-parse", "proposal/b") == proposal.commit
    assert git(top, "ls-tree", "-r", "--name-only", proposal.commit).split() == [
        "notes/a.md",
        "notes/new/b.md",
    ]
    assert git(top, "cat-file", "-s", "proposal/b:notes/new/b.md") == "3"
    assert git(top, "log", "-1", "--format=%an", "proposal/b") == "kg proposal"
    assert git(top, "status", "--porcelain") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="a hook there needs a shell")
def test_no_hook_runs_and_no_lock_of_the_index_is_in_the_way(notes: Path) -> None:
    hooks, ran = notes.parent / ".git" / "hooks", notes.parent / "ran"
    hooks.mkdir(exist_ok=True)
    for name in ("reference-transaction", "post-commit", "pre-commit", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n", "utf-8")
        (hooks / name).chmod(0o755)
    (notes.parent / ".git" / "index.lock").write_bytes(b"")
    propose_files(notes, {"b.md": b"B\n"}, {}, "b", "Why")
    assert not ran.exists()
    git(notes.parent, "branch", "seen")
    assert ran.exists()


def test_a_branch_that_is_there_stays(notes: Path) -> None:
    top = notes.parent
    git(top, "branch", "proposal/b")
    git(top, "pack-refs", "--all")
    git(top, "branch", "proposal/b-2")
    before = git(top, "for-each-ref")
    proposal = propose_files(notes, {"b.md": b"B\n"}, {}, "b", "Why")
    assert proposal.branch == "proposal/b-3"
    assert before in git(top, "for-each-ref")
    git(top, "branch", "proposal/Case")
    proposal = propose_files(notes, {"c.md": b"C\n"}, {}, "case", "Why")
    assert proposal.branch == "proposal/case-2"  # a disk may not tell them apart


@pytest.mark.parametrize("name", ["b", "c"])
def test_what_is_proposed_on_one_of_several_branches_is_not_proposed_again(
    notes: Path, name: str
) -> None:
    for each in ("b", "c"):
        propose_files(notes, {f"{each}.md": b"B\n"}, {}, each, "Why")
    with pytest.raises(ProposalRefused, match=f"proposal/{name} already has exactly this"):
        propose_files(notes, {f"{name}.md": b"B\n"}, {}, name, "Why")


def test_a_branch_that_was_created_in_the_meantime_is_left_without_a_lock(notes: Path) -> None:
    git(notes.parent, "branch", "proposal/b")
    with open_folder_tree(notes.parent / ".git") as tree:
        with pytest.raises(ProposalRefused, match="in the meantime"):
            _make_branch(tree, "proposal/b", "0" * 40)
        assert tree.stat("refs/heads/proposal/b.lock") is None


def test_an_unchanged_or_uncommitted_file_or_a_locked_branch_is_not_proposed(notes: Path) -> None:
    top = notes.parent
    with pytest.raises(ProposalRefused, match="is in the last commit"):
        propose_files(notes, {"a.md": b"B\n"}, {}, "a", "Why")
    with pytest.raises(ProposalRefused, match="changes that are not committed"):
        propose_files(notes, {"a.md": b"B\n"}, {"a.md": b"other\n"}, "a", "Why")
    with pytest.raises(ProposalRefused, match="not committed yet"):
        propose_files(notes, {"c.md": b"B\n"}, {"c.md": b"other\n"}, "c", "Why")
    lock = top / ".git" / "refs" / "heads" / "proposal" / "b.lock"
    lock.parent.mkdir()
    lock.write_bytes(b"")
    with pytest.raises(ProposalRefused, match="is being written"):
        propose_files(notes, {"b.md": b"B\n"}, {}, "b", "Why")
    lock.unlink()
    lock.parent.rmdir()
    git(top, "branch", "proposal")
    with pytest.raises(ProposalRefused, match="there is a branch `proposal`"):
        propose_files(notes, {"b.md": b"B\n"}, {}, "b", "Why")


def test_without_a_commit_or_a_repository_nothing_is_proposed(tmp_path: Path) -> None:
    with pytest.raises(NoHistory):
        propose_files(tmp_path, {"b.md": b"B\n"}, {}, "b", "Why")


def test_a_work_tree_of_its_own_proposes_too(notes: Path, tmp_path: Path) -> None:
    git(notes.parent, "worktree", "add", "-q", str(tmp_path / "other"))
    proposal = propose_files(tmp_path / "other" / "notes", {"b.md": b"B\n"}, {}, "b", "Why")
    assert git(notes.parent, "rev-parse", "proposal/b") == proposal.commit
    assert not os.path.lexists(tmp_path / "other" / "notes" / "b.md")
