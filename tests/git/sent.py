"""A repository that somebody sent: if git did what it says, there would be a file, the canary."""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import pytest

from kg.git.note_history import History, find_history
from tests.support import command
from tests.support.command import CompletedCommand
from tests.support.patience import PATIENCE

CLAIM = "---\ntype: claim\ncamp: optimist\n---\n\n# {0}\n"
SECRET = "what the reader keeps to himself"

# The programs that must not run are scripts of a shell.
needs_a_shell = pytest.mark.skipif(os.name == "nt", reason="there is no shell")


def git(folder: Path, *arguments: str, input_data: bytes = b"") -> str:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    own = ("-c", "protocol.file.allow=always")
    words = ["git", "-C", str(folder), *name, *own, *arguments]
    result = subprocess.run(
        words, input=input_data, check=True, capture_output=True, timeout=PATIENCE
    )
    return result.stdout.decode().strip()


def make_repository(top: Path, title: str = "A") -> Path:
    """A repository with two commits of notes; its folder of notes."""
    shutil.copytree(cached_repository(title), top, dirs_exist_ok=True)
    for place in top.rglob("*"):
        os.utime(place)  # as young as if it were made here
    return top / "notes"


@cache
def cached_repository(title: str) -> Path:
    """That repository, made once."""
    top = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, top, ignore_errors=True)
    notes = top / "notes"
    notes.mkdir(parents=True)
    git(top, "init", "-q", "-b", "main", "--template=")  # no hooks, which would be copied each time
    (top / ".git/info").mkdir()
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
        self.notes = make_repository(place / "sent")
        self.top = self.notes.parent
        self.script = place / "script"
        self.script.write_text(f"#!/bin/sh\ntouch '{self.canary}'\n")
        self.script.chmod(0o755)

    def claims_to_be(self, *settings: tuple[str, str]) -> None:
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
        self.claims_to_be(("remote.origin.promisor", "true"))

    def kg(self, first: str, *arguments: str, **environment: str) -> CompletedCommand:
        words = (first, "--notes", str(self.notes), *arguments)
        return command.kg(self.top, *words, **environment)

    def show(self, *revisions: str, **environment: str) -> CompletedCommand:
        """Compare with a revision; that ends well or with one message, and runs nothing."""
        result = self.kg("diff", *(revisions or ("HEAD~1",)), **environment)
        assert result.returncode == 0 or result.stderr.count("error: ") == 1, result.stderr
        assert not self.canary.exists()
        return result

    def history(self) -> History:
        history = find_history(self.notes)
        assert not self.canary.exists()
        return history


def private_repository(sent: Sent) -> Path:
    """A repository of the reader's own, which no folder that was sent may show."""
    return make_repository(sent.place / "private", SECRET).parent / ".git"


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(errno.EPERM, "not permitted")
