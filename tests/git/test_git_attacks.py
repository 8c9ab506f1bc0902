"""Repositories that somebody sent: whatever they hold, nothing of theirs runs, and nothing hangs.

Each test makes one that would create a file, the canary, if git did what it says.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kg.git import NoHistory, open_git
from kg.git import run as running
from kg.git.objects import HANDLES, IS_TOLD, Objects, read_settings
from kg.queries.history.revision import History, find_history
from tests.support import command
from tests.support.command import LONGEST, Ended

CLAIM = "---\ntype: claim\ncamp: optimist\n---\n\n# {0}\n"
SECRET = "what the reader keeps to himself"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs that must not run are shell")


def git(folder: Path, *arguments: str, given: bytes = b"") -> str:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    own = ("-c", "protocol.file.allow=always")
    words = ["git", "-C", str(folder), *name, *own, *arguments]
    done = subprocess.run(words, input=given, check=True, capture_output=True, timeout=LONGEST)
    return done.stdout.decode().strip()


def make(top: Path, title: str = "A") -> Path:
    """A repository with two commits of notes; its folder of notes."""
    shutil.copytree(made(title), top, dirs_exist_ok=True)
    for place in top.rglob("*"):
        os.utime(place)  # as young as if it were made here
    return top / "notes"


@cache
def made(title: str) -> Path:
    """That repository, made once."""
    top = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    notes = top / "notes"
    notes.mkdir(parents=True)
    git(top, "init", "-q", "-b", "main")
    (top / "kg.toml").write_text('name = "Sent"\n')
    for number in range(2):
        (notes / "a.md").write_text(CLAIM.format(f"{title} {number}"), "utf-8")
        git(top, "add", "-A")
        git(top, "commit", "-q", "-m", f"{title} {number}")
    return top


class Sent:
    """A folder that somebody sent, and the file that appears if it gets anything to run."""

    def __init__(self, place: Path) -> None:
        self.canary = place / "canary"
        self.place = place
        self.notes = make(place / "sent")
        self.top = self.notes.parent
        self.script = place / "script"
        self.script.write_text(f"#!/bin/sh\ntouch '{self.canary}'\n")
        self.script.chmod(0o755)

    def says(self, *settings: tuple[str, str]) -> None:
        for name, value in settings:
            git(self.top, "config", "--add", name, value)

    def make_partial(self) -> None:
        """The same notes as a clone without contents, which git would fetch when asked."""
        git(self.top, "config", "uploadpack.allowFilter", "true")
        shutil.move(self.top, self.place / "origin")
        origin = (self.place / "origin").as_uri()
        git(self.place, "clone", "-q", "--no-checkout", "--filter=blob:none", origin, str(self.top))
        self.notes.mkdir()
        (self.notes / "a.md").write_text(CLAIM.format("A 1"), "utf-8")
        (self.top / "kg.toml").write_text('name = "Sent"\n')
        self.says(("remote.origin.promisor", "true"))

    def kg(self, first: str, *arguments: str, **environment: str) -> Ended:
        words = (first, "--notes", str(self.notes), *arguments)
        return command.kg(self.top, *words, **environment)

    def show(self, *revisions: str, **environment: str) -> Ended:
        """Compare with a revision; that ends well or with one message, and runs nothing."""
        done = self.kg("diff", *(revisions or ("HEAD~1",)), **environment)
        assert done.returncode == 0 or done.stderr.count("error: ") == 1, done.stderr
        assert not self.canary.exists()
        return done

    def history(self) -> History:
        found = find_history(self.notes)
        assert not self.canary.exists()
        return found


@pytest.fixture
def sent(tmp_path: Path) -> Sent:
    return Sent(tmp_path)


@pytest.fixture(autouse=True)
def every_file_is_closed_again() -> Iterator[None]:
    before = _open_files()
    yield
    assert _open_files() <= before  # others of this process may close some meanwhile


def _open_files() -> int:
    gc.collect()
    return len(os.listdir(HANDLES)) if IS_TOLD else 0


def test_an_honest_repository_is_read(sent: Sent) -> None:
    assert [change.subject for change in sent.history().of("a.md")] == ["A 1", "A 0"]
    assert sent.show().returncode == 0


@pytest.mark.parametrize(
    "settings",
    [
        (("remote.origin.url", "{place}/origin"), ("remote.origin.uploadpack", "{script}; false")),
        (("remote.origin.url", "ssh://h/x"), ("core.sshCommand", "{script}")),
        (("remote.origin.url", "ext::{script}"), ("protocol.ext.allow", "always")),
        (("remote.origin.url", "ssh://h/x"), ("core.alternateRefsCommand", "{script}"),
         ("core.sshCommand", "{script}")),
    ],
    ids=["uploadpack", "sshCommand", "ext", "alternateRefsCommand"],
)  # fmt: skip
def test_a_partial_clone_fetches_nothing(sent: Sent, settings: tuple[tuple[str, str], ...]) -> None:
    sent.make_partial()
    git(sent.top, "config", "--unset-all", "remote.origin.url")
    sent.says(*((k, v.format(place=sent.place, script=sent.script)) for k, v in settings))
    assert len(sent.history().of("a.md")) == 2
    done = sent.show()
    assert done.returncode
    assert "this clone is partial" in done.stderr


def test_a_renamed_note_in_a_partial_clone_fetches_nothing(sent: Sent) -> None:
    """To find renames by likeness, git compares contents."""
    git(sent.top, "mv", "notes/a.md", "notes/b.md")
    (sent.notes / "b.md").write_text(CLAIM.format("B") + "\nmore\n", "utf-8")
    git(sent.top, "commit", "-qam", "rename and change")
    sent.make_partial()
    sent.says(("remote.origin.uploadpack", f"{sent.script}; false"))
    assert sent.history().known


def test_a_bare_repository_in_the_notes_is_not_one(sent: Sent) -> None:
    """A plain clone can bring this: to git, these are files like any others."""
    sent.make_partial()
    sent.says(
        ("core.worktree", ".."),
        ("remote.origin.uploadpack", f"{sent.script}; false"),
    )
    for item in list((sent.top / ".git").iterdir()):
        shutil.move(item, sent.notes / item.name)
    (sent.top / ".git").rmdir()
    assert not sent.history().known
    assert "no history to compare with" in sent.show().stderr


@pytest.mark.parametrize(
    "settings",
    [
        (("core.fsmonitor", "{script}"),),
        (("core.pager", "{script}"), ("pager.log", "true")),
        (("diff.external", "{script}"), ("diff.x.textconv", "{script}"),
         ("diff.x.command", "{script}")),
        (("gpg.program", "{script}"), ("log.showSignature", "true")),
        (("include.path", "../included"),),
        (("core.hooksPath", "../hooks"),),
        (("credential.helper", "!{script}"), ("core.editor", "{script}"),
         ("alias.log", "!{script}")),
    ],
    ids=["fsmonitor", "pager", "diff", "gpg", "include", "hooks", "helpers"],
)  # fmt: skip
def test_programs_that_the_settings_name_do_not_run(
    sent: Sent, settings: tuple[tuple[str, str], ...]
) -> None:
    sent.says(*((name, value.format(script=sent.script)) for name, value in settings))
    (sent.top / "included").write_text(
        f"[core]\n\tfsmonitor = {sent.script}\n\tpager = {sent.script}\n"
    )
    (sent.top / "hooks").mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "fsmonitor"):
        (sent.top / "hooks" / name).symlink_to(sent.script)
    (sent.top / ".gitattributes").write_text("* diff=x filter=x merge=x\n")
    (sent.top / ".git" / "info" / "attributes").write_text("* diff=x filter=x\n")
    assert len(sent.history().of("a.md")) == 2
    assert sent.show().returncode == 0


def test_what_the_caller_tells_git_does_not_count(sent: Sent) -> None:
    private = make(sent.place / "private", SECRET).parent
    done = sent.show(
        "HEAD~1",
        GIT_DIR=str(private / ".git"),
        GIT_WORK_TREE=str(private),
        GIT_EXTERNAL_DIFF=str(sent.script),
        GIT_PAGER=str(sent.script),
        GIT_SSH_COMMAND=str(sent.script),
        GIT_CONFIG_COUNT="1",
        GIT_CONFIG_KEY_0="core.fsmonitor",
        GIT_CONFIG_VALUE_0=str(sent.script),
        GIT_TRACE=str(sent.canary),
        GIT_TRACE2=str(sent.canary),
        GIT_EXEC_PATH=str(sent.place),
    )
    assert done.returncode == 0
    assert SECRET not in done.stdout


@pytest.mark.parametrize("path", ["", ".", "{top}", "{notes}", "bin"])
def test_a_git_that_lies_in_the_folder_is_not_run(sent: Sent, path: str) -> None:
    for folder in (sent.top, sent.notes, sent.top / "bin"):
        folder.mkdir(exist_ok=True)
        shutil.copy(sent.script, folder / "git")
    first = path.format(top=sent.top, notes=sent.notes)
    done = sent.show("HEAD~1", PATH=f"{first}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0


def test_a_git_beside_the_corpus_in_its_repository_is_not_run(sent: Sent) -> None:
    """Also where the settings stand deeper than the folder of programs that PATH names."""
    (sent.notes / "kg.toml").write_text('name = "Sent"\n')
    (sent.top / "tools").mkdir()
    shutil.copy(sent.script, sent.top / "tools" / "git")
    done = sent.show("HEAD~1", PATH=f"{sent.top / 'tools'}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0


# -- what a repository may refer to ----------------------------------------------------------


def private_repository(sent: Sent) -> Path:
    """A repository of the reader's own, which no folder that was sent may show."""
    return make(sent.place / "private", SECRET).parent / ".git"


def assert_unread(sent: Sent, why: str) -> None:
    assert not sent.history().known
    done = sent.show("HEAD")
    assert done.returncode
    assert why in done.stderr
    assert SECRET not in done.stdout + done.stderr


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


# -- what is changed between our look and git's ----------------------------------------------


Attack = Callable[[Path, Path], None]


def lend(ours: Path, private: Path) -> None:
    (ours / "info" / "alternates").write_text(f"{private}\n")


def link_folders(ours: Path, private: Path) -> None:
    for folder in private.iterdir():
        if len(folder.name) == 2:
            shutil.rmtree(ours / folder.name, ignore_errors=True)
            (ours / folder.name).symlink_to(folder)


def link_files(ours: Path, private: Path) -> None:
    for file in private.glob("??/*"):
        place = ours / file.parent.name / file.name
        place.parent.mkdir(exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(file)


def link_packs(ours: Path, private: Path) -> None:
    (ours / "pack").rename(ours / "pack-away")
    (ours / "pack").symlink_to(private / "pack")


def link_files_of_packs(ours: Path, private: Path) -> None:
    for file in (private / "pack").iterdir():
        (ours / "pack" / file.name).symlink_to(file)


def link_all(ours: Path, private: Path) -> None:
    ours.rename(ours.with_name("objects-away"))
    ours.symlink_to(private)


LOOSE: list[Attack] = [lend, link_folders, link_files, link_all]
PACKED: list[Attack] = [lend, link_packs, link_files_of_packs, link_all]


@pytest.mark.parametrize("is_old", [True, False], ids=["old", "young"])
@pytest.mark.parametrize("is_back", [True, False], ids=["back", "stays"])
@pytest.mark.parametrize(
    ("attack", "is_packed"),
    [*((attack, False) for attack in LOOSE), *((attack, True) for attack in PACKED)],
)
def test_what_is_put_among_objects_after_they_were_seen_shows_no_other_repository(
    sent: Sent,
    monkeypatch: pytest.MonkeyPatch,
    attack: Attack,
    is_packed: bool,
    is_back: bool,
    is_old: bool,
) -> None:
    """The name of a commit of the reader's own is known, and stands in a reference from the start.

    Another program alters the objects as git starts, and undoes that when git has read.
    """
    private = private_repository(sent)
    if is_packed:
        git(private, "gc", "-q")
    for folder in private.glob("objects/??"):
        (sent.top / ".git/objects" / folder.name).mkdir(exist_ok=True)
    (sent.top / ".git/refs/heads/main").write_text(git(private, "rev-parse", "HEAD") + "\n")
    if is_old:
        monkeypatch.setattr("kg.git.objects.COARSEST_CLOCK", 0, raising=False)
    shutil.copytree(sent.top / ".git", sent.place / "before")
    started, hear, tried = subprocess.Popen, running._hear, []

    def start(*arguments: Any, **options: Any) -> Any:
        tried.append(attack)
        if len(tried) == 1 or is_back:
            attack(sent.top / ".git/objects", private / "objects")
        return started(*arguments, **options)

    def listen(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, str, bool]:
        said = hear(process, seconds)
        assert SECRET.encode() not in said[0] or is_old
        if is_back:
            undo(sent.top / ".git/objects", sent.place / "before/objects")
        return said

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(running.subprocess, "Popen", start)
        meanwhile.setattr(running, "_hear", listen)
        history = find_history(sent.notes)
    assert tried
    assert not any(SECRET in change.subject for change in history.log)
    assert not history.known


def undo(objects: Path, before: Path) -> None:
    """Put back what was there: the same folders, where they are to be had."""
    away = objects.with_name("objects-away")
    if away.exists():
        objects.unlink()
        away.rename(objects)
    if (objects / "pack-away").exists():
        (objects / "pack").unlink()
        (objects / "pack-away").rename(objects / "pack")
    (objects / "info/alternates").unlink(missing_ok=True)
    for place in (*objects.glob("??"), *objects.glob("??/*"), *objects.glob("pack/*")):
        if place.is_symlink():
            place.unlink()
    shutil.copytree(before, objects, dirs_exist_ok=True)


def test_a_commit_made_while_git_reads_is_no_reason_to_refuse(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is a repository that is packed just then."""
    monkeypatch.setattr("kg.git.objects.COARSEST_CLOCK", 0)
    hear, left = running._hear, [("commit", "-q", "--allow-empty", "-m", "meanwhile"), ("gc", "-q")]

    def listen(process: subprocess.Popen[bytes], seconds: float) -> tuple[bytes, str, bool]:
        said = hear(process, seconds)
        if left:
            git(sent.top, *left.pop())
        return said

    monkeypatch.setattr(running, "_hear", listen)
    assert [change.subject for change in find_history(sent.notes).log] == ["A 1", "A 0"]
    assert not left


@pytest.mark.parametrize("way", ["handles", "hard links", "copies"])
def test_objects_are_read_however_they_are_handed_over(
    sent: Sent, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    for is_packed in (False, True):
        with monkeypatch.context() as there:
            there.setattr("kg.git.objects.COARSEST_CLOCK", 0)
            if way != "handles":
                there.setattr("kg.git.objects.IS_TOLD", False)
            if way == "copies":
                there.setattr(os, "link", refuse)
            assert [change.subject for change in find_history(sent.notes).log] == ["A 1", "A 0"]
        if not is_packed:
            git(sent.top, "gc", "-q")


def test_so_much_is_copied_and_no_more(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = sent.top / ".git/objects"
    size = sum(place.stat().st_size for place in objects.glob("??/*"))
    monkeypatch.setattr("kg.git.objects.IS_TOLD", False)
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr("kg.git.objects.MOST_COPIED", size)
    Objects(objects, sent.place / "all").close()
    copied = [place.read_bytes() for place in sorted(sent.place.glob("all/??/*"))]
    assert copied == [place.read_bytes() for place in sorted(objects.glob("??/*"))]
    monkeypatch.setattr("kg.git.objects.MOST_COPIED", size - 1)
    with pytest.raises(NoHistory, match="holds too much to be copied"):
        Objects(objects, sent.place / "more")


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(errno.EPERM, "not permitted")


# -- what would be written, or never end -----------------------------------------------------


@pytest.mark.parametrize(
    "revision",
    ["--output={canary}", "-O{canary}", "HEAD:../..", "--exec={script}", "@{{u}}", ""],
)
def test_no_revision_is_taken_for_an_option(sent: Sent, revision: str) -> None:
    asked = revision.format(canary=sent.canary, script=sent.script)
    done = sent.kg("diff", "--", asked, "HEAD")
    assert done.returncode
    assert "git knows no revision" in done.stderr
    assert not sent.canary.exists()


def test_a_tree_writes_nothing_outside(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    """git checks out no file called `..`; its list of files holds one all the same."""
    (sent.place / "tmp").mkdir()
    name, hash, mode = "canary.md", git(sent.top, "hash-object", "-w", "notes/a.md"), "100644"
    for folder in ("..", "..", "notes", ""):
        data = f"{mode} {name}\0".encode() + bytes.fromhex(hash)
        words = ("hash-object", "-w", "-t", "tree", "--literally", "--stdin")
        name, hash, mode = folder, git(sent.top, *words, given=data), "40000"
    commit = git(sent.top, "commit-tree", "-m", "out", hash)
    listed = git(sent.top, "ls-tree", "-r", "--name-only", commit)
    assert listed == "notes/../../canary.md"
    monkeypatch.setattr(tempfile, "tempdir", str(sent.place / "tmp"))
    assert sent.show(commit).returncode == 0
    assert not (sent.place / "tmp" / "canary.md").exists()
    assert not (sent.place / "canary.md").exists()


@pytest.mark.parametrize(
    "part", ["HEAD", "config", "packed-refs", "refs/heads/main", "objects/pack/p.pack", "shallow"]
)
def test_a_pipe_is_waited_for_by_nobody(sent: Sent, part: str) -> None:
    place = sent.top / ".git" / part
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    done = sent.show("HEAD")
    assert done.returncode
    assert "not a file" in done.stderr or "no file" in done.stderr


@pytest.mark.parametrize("part", ["packed-refs", "HEAD", "config", "refs/heads/main"])
def test_a_huge_file_is_not_read(sent: Sent, part: str) -> None:
    with (sent.top / ".git" / part).open("ab") as file:
        file.truncate(8 << 30)
    done = sent.show("HEAD")
    assert "it is larger than" in done.stderr


@pytest.mark.parametrize(
    "line", ["a=" + " " * 1_000_000 + "\\", "a" * 1_000_000, "[" + " " * 1_000_000, "[a." * 300_000]
)
def test_settings_take_no_longer_than_they_are_long(sent: Sent, line: str) -> None:
    config = sent.top / ".git/config"
    config.write_text(f"[core]\n\tbare = false\n{line}\n", "utf-8")
    start = time.process_time()
    assert read_settings(config) == {"core.bare": "false"}
    assert time.process_time() - start < 1


def test_what_is_written_to_an_object_while_it_is_copied_is_not_copied(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = sent.top / ".git/objects/aa" / ("b" * 38)
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"x" * 1000)
    fstat, looks_left = os.fstat, [True, False]  # as it is opened, and as it is copied

    def look_and_write(handle: int) -> os.stat_result:
        found = fstat(handle)
        if found.st_size == 1000 and looks_left.pop():
            with place.open("ab") as file:
                file.write(b"y" * 100_000)
        return found

    monkeypatch.setattr(os, "link", refuse)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(os, "fstat", look_and_write)
        objects = Objects(sent.top / ".git/objects", sent.place / "copied")
    objects.close()
    assert place.stat().st_size > 1000
    assert (sent.place / "copied/aa" / place.name).read_bytes() == b"x" * 1000


@pytest.mark.skipif(not IS_TOLD, reason="single objects are copied")
def test_a_pipe_that_is_put_among_objects_holds_git_up_once(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tries together have the time that one would have."""
    monkeypatch.setattr("kg.git.objects.COARSEST_CLOCK", 0)
    monkeypatch.setattr(running, "SECONDS", 1.0)
    commit = git(sent.top, "rev-parse", "HEAD")
    place, started = sent.top / ".git/objects" / commit[:2] / commit[2:], subprocess.Popen
    tries = []

    def start(*arguments: Any, **options: Any) -> Any:
        tries.append(arguments)
        place.unlink(missing_ok=True)
        os.mkfifo(place)
        return started(*arguments, **options)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(running.subprocess, "Popen", start)
        with (
            open_git(sent.notes) as asked,
            pytest.raises(NoHistory, match="took longer than 1 second"),
        ):
            asked.ask("log", "-1")
    assert len(tries) == 1


def test_a_site_is_built_from_it_all_the_same(sent: Sent) -> None:
    sent.make_partial()
    sent.says(
        ("remote.origin.uploadpack", f"{sent.script}; false"),
        ("core.fsmonitor", str(sent.script)),
    )
    done = sent.kg("build", "--out", str(sent.place / "out"))
    assert done.returncode == 0, done.stderr
    assert not sent.canary.exists()
    assert "A 1" in (sent.place / "out/html/statements/a.html").read_text("utf-8")


def test_a_site_is_built_without_a_history_that_is_refused(sent: Sent) -> None:
    commit = git(private_repository(sent), "rev-parse", "HEAD")
    (sent.top / ".git/objects/info/alternates").write_text(f"{sent.place}/private/.git/objects\n")
    (sent.top / ".git/refs/heads/main").write_text(f"{commit}\n")
    done = sent.kg("build", "--out", str(sent.place / "out"))
    assert done.returncode == 0, done.stderr
    assert "no page tells of changes: the repository borrows objects" in done.stderr
    assert SECRET not in (sent.place / "out/html/statements/a.html").read_text("utf-8")
