"""A repository with three commits, made as people make one, their settings included."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

CLAIM = "---\ntype: claim\n---\n\n# {0}\n"


def git(folder: Path, *arguments: str, **environment: str) -> str:
    name = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    command = ["git", "-C", str(folder), *name, "-c", "protocol.file.allow=always", *arguments]
    env = {**os.environ, **environment}
    result = subprocess.run(command, env=env, check=True, capture_output=True)
    return result.stdout.decode().strip()


def make(top: Path, notes: str = "notes", *options: str) -> Path:
    """A repository with three commits, the last of which renames the note."""
    folder = top / notes
    folder.mkdir(parents=True)
    git(top, "init", "-q", "-b", "main", *options)
    (folder / "old.md").write_text(CLAIM.format("One"), "utf-8")
    commit(top, "one")
    (folder / "old.md").write_text(CLAIM.format("Two"), "utf-8")
    commit(top, "two")
    git(top, "mv", str(folder / "old.md"), str(folder / "new.md"))
    commit(top, "three")
    return folder


def commit(top: Path, subject: str, **environment: str) -> None:
    git(top, "add", "-A")
    git(top, "commit", "-q", "--allow-empty", "-m", subject, **environment)
