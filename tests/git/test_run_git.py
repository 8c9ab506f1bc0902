"""Honest repositories of every shape are read, and what cannot be read says why.

Of `kg/git/committed_files.py`, `kg/git/linked_objects.py` and `kg/git/plain_files.py`, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kg.git import NoHistory, open_git, reason_for_no_history, state_files
from kg.git import run_git as running
from kg.git.committed_files import NoRevision, list_regular_files, resolve_commit
from kg.git.note_history import find_history
from kg.git.plain_files import read_settings
from kg.history.revision import load_revision
from tests.git.three_commits import CLAIM, commit, git, make

pytestmark = pytest.mark.integration


def subjects(notes: Path, path: str = "new.md") -> list[str]:
    return [change.subject for change in find_history(notes).of(path)]


@pytest.mark.parametrize("notes", [".", "notes", "a/b c/*[é]/:(x)", ".hidden/notes"])
def test_notes_may_lie_anywhere_in_a_repository(tmp_path: Path, notes: str) -> None:
    folder = make(tmp_path / "top", notes)
    if notes != ".":
        (tmp_path / "top" / "other.md").write_text("no note", "utf-8")
        commit(tmp_path / "top", "outside")
    assert subjects(folder) == ["three", "two", "one"]
    assert list(load_revision(folder, "main~1" if notes != "." else "main").statements) == ["new"]
    assert "old" in load_revision(folder, "main^{/two}").statements


def test_a_worktree_has_a_head_and_a_log_of_its_own(tmp_path: Path) -> None:
    make(tmp_path / "top")
    git(tmp_path / "top", "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"), "HEAD~1")
    side = tmp_path / "side" / "notes"
    assert subjects(side, "old.md") == ["two", "one"]
    (side / "old.md").write_text(CLAIM.format("Side"), "utf-8")
    commit(tmp_path / "side", "aside")
    assert subjects(side, "old.md") == ["aside", "two", "one"]
    assert load_revision(side, "HEAD").statements["old"].title == "Side"
    assert load_revision(side, "HEAD@{1}").statements["old"].title == "Two"
    commit(tmp_path / "side", "aside again")
    assert load_revision(side, "HEAD@{1}").statements["old"].title == "Side"
    assert load_revision(side, "main@{2}").statements["old"].title == "One"
    assert load_revision(tmp_path / "top" / "notes", "HEAD@{1}").statements["old"].title == "Two"
    assert "new" in load_revision(side, "main").statements
    shutil.rmtree(tmp_path / "top/.git/worktrees/side/logs")
    assert load_revision(side, "HEAD~1").statements["old"].title == "Side"
    shutil.rmtree(tmp_path / "top/.git/logs")
    assert "new" in load_revision(tmp_path / "top" / "notes", "HEAD").statements
    assert str(tmp_path / "top/.git/refs/heads/side") in state_files(side)


def test_a_submodule_is_a_repository(tmp_path: Path) -> None:
    make(tmp_path / "inner")
    make(tmp_path / "outer", "other")
    git(tmp_path / "outer", "submodule", "add", "-q", str(tmp_path / "inner"), "sub")
    assert subjects(tmp_path / "outer" / "sub" / "notes") == ["three", "two", "one"]


def test_packed_references_and_objects_are_read(tmp_path: Path) -> None:
    notes = make(tmp_path / "top")
    git(tmp_path / "top", "tag", "-a", "-m", "t", "tagged", "HEAD~2")
    git(tmp_path / "top", "gc", "-q", "--aggressive")
    git(tmp_path / "top", "commit-graph", "write", "--reachable")
    assert subjects(notes) == ["three", "two", "one"]
    assert load_revision(notes, "tagged").statements["old"].title == "One"


def test_objects_named_by_sha256_are_read(tmp_path: Path) -> None:
    notes = make(tmp_path / "top", "notes", "--object-format=sha256")
    assert subjects(notes) == ["three", "two", "one"]
    assert load_revision(notes, "HEAD~1").statements["old"].title == "Two"


def test_references_in_a_reftable_are_read(tmp_path: Path) -> None:
    try:
        notes = make(tmp_path / "top", "notes", "--ref-format=reftable")
    except subprocess.CalledProcessError:
        pytest.skip("this git knows no reftables: git 2.45 or newer does")
    assert subjects(notes) == ["three", "two", "one"]
    assert load_revision(notes, "main~1").statements["old"].title == "Two"


def test_a_format_that_is_not_known_is_named(tmp_path: Path) -> None:
    notes = make(tmp_path / "top")
    with (tmp_path / "top/.git/config").open("a") as file:
        file.write('[Extensions] objectFormat = "sha3" ; new\n')
    with pytest.raises(NoHistory, match=r"extensions\.objectformat is 'sha3', which is not known"):
        open_git(notes).__enter__()
    assert not find_history(notes).known


def test_a_repository_made_elsewhere_is_read_where_it_knows_the_folder(tmp_path: Path) -> None:
    notes = make(tmp_path / "top")
    shutil.move(tmp_path / "top/.git", tmp_path / "elsewhere")
    (tmp_path / "top/.git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    assert "which does not know of" in reason_for_no_history(notes)
    git(tmp_path / "elsewhere", "config", "core.worktree", str(tmp_path / "top"))
    assert reason_for_no_history(notes) == ""
    assert subjects(notes) == ["three", "two", "one"]


def test_without_git_the_message_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = make(tmp_path / "top")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoRevision, match="needs git, which is not installed"):
        load_revision(notes, "HEAD")
    assert not find_history(notes).known


def test_an_answer_has_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = make(tmp_path / "top")
    monkeypatch.setattr(running, "MAX_OUTPUT_BYTES", 100)
    with open_git(notes) as repository, pytest.raises(NoHistory, match="git log printed more than"):
        repository.run("log")


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("exit 3", "^git log failed$"),
        ("echo 'no such thing' >&2; exit 1", "^no such thing$"),
        ("while :; do :; done", "^git log took longer than 1 seconds$"),
        ("while :; do echo more; done", "^git log printed more than 0 MiB$"),
    ],
)
def test_a_git_that_fails_says_how(
    script: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MAX_OUTPUT_BYTES", 10)
    if "longer" in message:
        monkeypatch.setattr(running, "COMMAND_TIMEOUT_SECONDS", 0.6)
    with pytest.raises(NoHistory, match=message):
        ask_a_git_that(script, tmp_path, monkeypatch)


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
def test_output_of_exactly_the_largest_size_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "MAX_OUTPUT_BYTES", 10)
    assert ask_a_git_that("printf 0123456789", tmp_path, monkeypatch) == b"0123456789"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere shells count memory otherwise")
def test_git_gets_two_gibibytes_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ask_a_git_that("ulimit -d", tmp_path, monkeypatch) == b"2097152\n"


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
def test_a_git_that_came_with_the_settings_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the repository is that of the notes alone; elsewhere it is the reader's own."""
    assert ask_a_git_that("echo mine", tmp_path, monkeypatch, notes=".") == b"mine\n"
    (tmp_path / "kg.toml").touch()
    with (
        pytest.raises(NoHistory, match="needs git, which is not installed"),
        open_git(tmp_path / "top"),
    ):
        pass


def ask_a_git_that(
    does: str, place: Path, monkeypatch: pytest.MonkeyPatch, notes: str = "notes"
) -> bytes:
    folder = make(place / "top", notes)
    program = place / "programs" / "git"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{does}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    with open_git(folder) as repository:
        return repository.run("log", "--all")


@pytest.mark.skipif(os.name == "nt", reason="the program has another name there")
def test_the_folder_that_we_stand_in_is_no_place_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, here = make(tmp_path / "top"), tmp_path / "here"
    here.mkdir()
    (here / "git").write_text("#!/bin/sh\ntouch ran\n")
    (here / "git").chmod(0o755)
    monkeypatch.chdir(here)
    monkeypatch.setenv("PATH", os.pathsep.join((".", str(here), f"{here}/../here")))
    with pytest.raises(NoHistory, match="not installed"), open_git(folder):
        pass
    assert not (here / "ran").exists()


def test_an_answer_that_does_not_come_is_not_waited_for(tmp_path: Path) -> None:
    """`cat-file --batch` with a pipe for its questions would wait for the next one for ever."""
    notes = make(tmp_path / "top")
    receive, send = os.pipe()
    with open_git(notes) as repository, os.fdopen(receive, "rb") as never:
        command = [*repository._command, "cat-file", "--batch"]
        process = subprocess.Popen(
            command,
            env=repository._environment,
            stdin=never,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        with process:
            run = running._finish_within(process, 0.2)
    os.close(send)
    assert (run.output, run.is_late) == (b"", True)
    assert run.status


def test_a_commit_of_an_impossible_year_does_not_end_the_build(tmp_path: Path) -> None:
    notes = make(tmp_path / "top")
    parent = git(tmp_path / "top", "rev-parse", "HEAD")
    (notes / "new.md").write_text(CLAIM.format("Three"), "utf-8")
    git(tmp_path / "top", "add", "-A")
    tree = git(tmp_path / "top", "write-tree")
    raw = f"tree {tree}\nparent {parent}\nauthor A <a> 99999999999999 +0000\n"
    raw += "committer A <a> 99999999999999 +0000\n\nfuture\n"
    result = subprocess.run(
        ["git", "-C", str(tmp_path / "top"), "hash-object", "-t", "commit", "-w", "--stdin"],
        input=raw.encode(),
        check=True,
        capture_output=True,
    )
    git(tmp_path / "top", "update-ref", "refs/heads/main", result.stdout.decode().strip())
    (first, *_) = find_history(notes).of("new.md")
    assert (first.subject, first.day.isoformat()) == ("future", "1970-01-01")


@pytest.mark.parametrize(("limit", "maximum"), [("MAX_REFS", 2), ("MAX_LIST_BYTES", 100)])
def test_too_many_references_are_named(
    limit: str, maximum: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = make(tmp_path / "top")
    monkeypatch.setattr(f"kg.git.copy_refs.{limit}", maximum)
    for number in range(3):
        git(tmp_path / "top", "tag", f"t{number}")
    with pytest.raises(NoRevision, match="has too much to read"):
        load_revision(notes, "HEAD")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("a = b", "b"),
        ("A=b c # d", "b c"),
        ('a = "b # c" ; d', "b # c"),
        ('a = "b"', "b"),
        ("a = ", ""),
        ("a =; b", ""),
        ("a", None),
        ('a = b"c"', None),
        ('a = "b" c', None),
        ('a = "b', None),
        ("a = b\\", None),
        ("a = b\0", None),
        ("1 a = b", None),
        ("a = " + "b" * 9000, None),
    ],
)
def test_settings_are_read_where_they_are_plain(
    line: str, value: str | None, tmp_path: Path
) -> None:
    text = f"[ S.1 ] x = y\n\t{line}\r\n" + '[t "u"]\na = 1\n[!]\na = 2\n'
    (tmp_path / "config").write_text(text, newline="")
    settings = read_settings(tmp_path / "config")
    assert settings.pop("s.1.x") == "y"
    assert settings == ({} if value is None else {"s.1.a": value})


def test_a_link_that_was_committed_is_no_file(tmp_path: Path) -> None:
    folder = make(tmp_path / "top")
    (folder / "link.md").symlink_to("new.md")
    (folder / "run.md").write_text(CLAIM.format("Run"), "utf-8")
    (folder / "run.md").chmod(0o755)
    commit(tmp_path / "top", "a link")
    with open_git(folder) as repository:
        listed = list_regular_files(repository, resolve_commit(repository, "HEAD"), [], "HEAD")
    assert [path for path, _ in listed] == ["notes/new.md", "notes/run.md"]
