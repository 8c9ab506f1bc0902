"""Read the files of a commit from the object store, without checking them out.

Each function raises `NoRevision`; a revision is the user's name for a commit.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from kg.git.plain_files import NoHistory
from kg.git.run_git import Git
from kg.model.errors import Misuse

REGULAR_FILE_MODES = ("100644", "100755")  # not executable, and executable


class NoRevision(Misuse):
    """A revision that cannot be read; the message says why and what would help."""


def resolve_commit(git: Git, revision: str) -> str:
    """The hash of the commit that a revision names."""
    commit_name = f"{revision}^{{commit}}"
    try:
        if "\0" in commit_name:
            raise NoHistory("a revision cannot contain NUL")
        commit = git.run(
            "rev-parse", "--verify", "--quiet", "--end-of-options", commit_name
        ).decode()
        if commit.startswith("^"):  # `^main` means all but what `main` holds
            raise NoHistory("is no single revision")
    except NoHistory:
        hint = (
            "this clone is shallow, so it may predate what was fetched: `git fetch --unshallow`"
            if git.is_shallow
            else "`git log --oneline` lists the revisions"
        )
        raise NoRevision(f"git knows no revision {revision!r}; {hint}") from None
    return commit.strip()


def list_regular_files(
    git: Git, commit: str, paths: Sequence[str], revision: str, *, recursive: bool = True
) -> list[tuple[str, str]]:
    """Paths and hashes of the regular files of a commit at or below some places; of all files if
    there are no places. Unless `recursive`, a folder (`a/`) lists only its direct files.
    """
    literal = [f":(top,literal){wanted_path}" for wanted_path in paths]
    try:
        options = ("-r", "-z") if recursive else ("-z",)
        listed = git.run("ls-tree", *options, "--full-tree", commit, "--", *literal)
    except NoHistory as error:
        raise NoRevision(
            _partial_clone_message(revision) if git.is_partial else str(error)
        ) from None
    files: list[tuple[str, str]] = []
    for entry in listed.split(b"\0"):
        about, tab, path = entry.partition(b"\t")
        mode, _, rest = about.decode().partition(" ")
        if tab and mode in REGULAR_FILE_MODES:
            files.append((os.fsdecode(path), rest.split()[1]))
    return files


def sizes_of(git: Git, hashes: Sequence[str], revision: str) -> list[int]:
    """The size of each blob, without reading it; negative for other objects."""
    printed = git.run("cat-file", "--batch-check", input="\n".join(hashes).encode()).splitlines()
    rows = [text_line.split() for text_line in printed]
    if missing := sum(row[-1] == b"missing" for row in rows):
        why = f"{missing} of its {len(rows)} files are not in this clone; `git fsck` tells more"
        raise NoRevision(
            _partial_clone_message(revision)
            if git.is_partial
            else f"{revision!r} is damaged: {why}"
        )
    return [int(row[2]) if row[1] == b"blob" else -1 for row in rows]


def read_blobs(git: Git, hashes: Sequence[str]) -> Iterator[bytes]:
    """The contents of blobs, in order."""
    blobs = git.run("cat-file", "--batch", input="\n".join(hashes).encode())
    start = 0
    for _ in hashes:
        end = blobs.index(b"\n", start)
        size = int(blobs[start:end].rsplit(b" ", 1)[1])
        yield blobs[end + 1 : end + 1 + size]
        start = end + 1 + size + 1


def _partial_clone_message(revision: str) -> str:
    return (
        f"this clone is partial, and lacks some of what {revision!r} needs; kg does not fetch: "
        "clone again without `--filter`"
    )
