"""A corpus as git remembers it: read from the object store, never checked out."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kg.corpus import Corpus
from kg.load import load_corpus
from kg.model.config import CONFIG_NAME
from kg.queries.misuse import Misuse

REGULAR = ("100644", "100755")


class NoRevision(Misuse):
    """A revision that cannot be read; the message says why and what would help."""


def load_revision(notes: Path, revision: str) -> Corpus:
    """The corpus in the folder `notes` at a git revision. Raises `NoRevision`."""
    folder = notes.resolve()
    top = Path(run_git(folder, "rev-parse", "--show-toplevel").decode().strip()).resolve()
    commit = _commit(folder, revision)
    home = folder if folder == top else folder.parent
    wanted = ["."] if folder == top else [folder.name, CONFIG_NAME]
    with tempfile.TemporaryDirectory(prefix="kg-") as made:
        inside = Path(made) / folder.name
        inside.mkdir()
        base = inside if folder == top else Path(made)
        for path, data in _files(home, commit, wanted):
            place = base / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        return replace(load_corpus(inside), folder=None)


def _commit(folder: Path, revision: str) -> str:
    """The commit that a revision names."""
    try:
        found = run_git(
            folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}"
        )
    except NoRevision:
        shallow = run_git(folder, "rev-parse", "--is-shallow-repository").strip() == b"true"
        hint = (
            "this clone is shallow, so it may lie before what was fetched: `git fetch --unshallow`"
            if shallow
            else "`git log --oneline` lists the revisions that there are"
        )
        raise NoRevision(f"git knows no revision {revision!r}; {hint}") from None
    return found.decode().strip()


def _files(home: Path, commit: str, wanted: list[str]) -> Iterator[tuple[str, bytes]]:
    """Paths (relative to `home`) and contents of the regular files that a commit holds."""
    listed = run_git(home, "ls-tree", "-r", "-z", commit, "--", *wanted)
    entries: list[tuple[str, str]] = []
    for entry in listed.split(b"\0"):
        about, tab, path = entry.partition(b"\t")
        mode, _, rest = about.decode().partition(" ")
        if tab and mode in REGULAR:
            entries.append((os.fsdecode(path), rest.split()[1]))
    blobs = run_git(home, "cat-file", "--batch", given="\n".join(h for _, h in entries).encode())
    at = 0
    for name, _ in entries:
        end = blobs.index(b"\n", at)
        size = int(blobs[at:end].rsplit(b" ", 1)[1])
        yield name, blobs[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def run_git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    """What git prints; raises `NoRevision` where it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], input=given, capture_output=True, check=True
        )
    except FileNotFoundError:
        raise NoRevision("comparing revisions needs git, which is not installed") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip()
        if "not a git repository" in said:
            said = f"{folder} is in no git repository, so it has no history to compare with"
        raise NoRevision(said or f"git {arguments[0]} failed") from None
    return done.stdout
