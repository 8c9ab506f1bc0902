"""The history of notes: when each was added and changed, from git's log."""

from __future__ import annotations

import datetime as dt
import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from kg.files.read_files import StrPath
from kg.git.plain_files import NoHistory
from kg.git.repository import head_digest
from kg.git.run_git import open_git
from kg.model import Value

COMMIT_FORMAT = "--format=%H%x00%P%x00%cs%x00%s"
LOG_COMMAND = (
    "log", "--date-order", "--no-color", "--no-ext-diff", "--no-textconv", "--no-mailmap",
    "--no-show-signature", "--name-status", "--find-renames=100%", "-z", COMMIT_FORMAT,
)  # fmt: skip
SHORT_HASH_DIGITS = 10  # of a commit's hash
PURE_RENAME = "R100"


class Commit(Value, frozen=True):
    """A commit that changed a note: its short hash, its date, the first line of its message."""

    short_hash: str
    day: dt.date
    subject: str


class History(Value, frozen=True):
    """Commits by the current path of each note; `log` is all of them.

    The latest come first. `known` is false if there is no repository, or no git. A `shallow` clone
    has only the latest commits, so the first changes are missing.
    """

    changes: Mapping[str, tuple[Commit, ...]] = {}
    log: tuple[Commit, ...] = ()
    known: bool = False
    shallow: bool = False

    def of(self, path: str) -> tuple[Commit, ...]:
        """Commits that changed the note at `path`; none if it was never committed."""
        return self.changes.get(path, ())


def find_history(folder: StrPath | None) -> History:
    """The history of the notes in `folder`, without a checkout; never raises.

    It is kept until the repository is at another commit, as a server shows page after page.
    """
    if folder is None:
        return History()
    place = os.path.realpath(folder)
    head = head_digest(folder)
    return _history_at(place, head) if head else _read_history(place)


def _read_history(folder: str) -> History:
    try:
        with open_git(folder) as git:
            within = [f"--relative={git.prefix}/"] if git.prefix else []
            printed = git.run(*LOG_COMMAND, *within, "--", f":(top,literal){git.prefix}")
            return parse_log(printed.decode("utf-8", "replace"), git.is_shallow)
    except NoHistory:
        return History()


@lru_cache(maxsize=1)
def _history_at(folder: str, _head: bytes) -> History:
    """The history, kept as long as `head_digest` stays the same."""
    return _read_history(folder)


def parse_log(output: str, shallow: bool = False) -> History:
    """Parse the output of `LOG_COMMAND`.

    The first commit of a shallow clone, which seems to add everything, is left out.
    """
    commits_by_path: defaultdict[str, list[Commit]] = defaultdict(list)
    log: list[Commit] = []
    later_paths: dict[str, str] = {}
    for commit, parents, renames in _commits_with_files(iter(output.split("\0"))):
        if shallow and not parents:
            continue
        log.append(commit)
        for before, after in renames:
            name = later_paths.get(after, after)
            commits_by_path[name].append(commit)
            if before != after:
                later_paths[before] = name
    changes = {path: tuple(of_path) for path, of_path in commits_by_path.items()}
    return History(changes, tuple(log), known=True, shallow=shallow)


def _commits_with_files(
    words: Iterator[str],
) -> Iterator[tuple[Commit, str, list[tuple[str, str]]]]:
    """Yield each commit, its parents, and the old and new path of each file that it changed."""
    hash = next(words)
    while hash:
        parents = next(words)
        day = next(words)
        subject = next(words)
        commit = Commit(hash[:SHORT_HASH_DIGITS], _day_of_commit(day), subject)
        paths: list[tuple[str, str]] = []
        hash = ""
        for word in words:
            status = word.lstrip("\n")
            if len(status) > len(PURE_RENAME):  # longer than any status: the next commit's hash
                hash = status
                break
            if status:
                path = next(words)
                paths.append((path, next(words) if status[0] == "R" else path))
        yield commit, parents, paths


def _day_of_commit(text: str) -> dt.date:
    """The date of a commit; an invalid one counts as 1970-01-01, as in git itself."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return dt.date(1970, 1, 1)
