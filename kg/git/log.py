"""When notes were added and changed, as git's log tells it."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping

from kg.files.read import StrPath
from kg.git.objects import NoHistory
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
    """One commit that touched a note: its first digits, its day, the first line of its message."""

    commit: str
    day: dt.date
    subject: str


class History(Value, frozen=True):
    """Changes of notes by path, under the names that the notes have now; `log` is all of them.

    The latest come first. `known` is false where git has nothing to say: no repository, or no
    git. A `shallow` clone holds only its latest commits, so the first changes are missing.
    """

    changes: Mapping[str, tuple[Commit, ...]] = {}
    log: tuple[Commit, ...] = ()
    known: bool = False
    shallow: bool = False

    def of(self, path: str) -> tuple[Commit, ...]:
        """Changes of the note at `path`; none where it was never committed."""
        return self.changes.get(path, ())


def find_history(folder: StrPath | None) -> History:
    """The history of the notes in `folder`; nothing is checked out, and nothing raises."""
    if folder is None:
        return History()
    try:
        with open_git(folder) as git:
            within = [f"--relative={git.prefix}/"] if git.prefix else []
            printed = git.ask(*LOG_COMMAND, *within, "--", f":(top,literal){git.prefix}")
            return parse_log(printed.decode("utf-8", "replace"), git.is_shallow)
    except NoHistory:
        return History()


def parse_log(printed: str, shallow: bool = False) -> History:
    """The history that git prints for `LOG_COMMAND`.

    The first commit that a shallow clone holds seems to add everything, and is left out.
    """
    found: defaultdict[str, list[Commit]] = defaultdict(list)
    log: list[Commit] = []
    now: dict[str, str] = {}
    for commit, parents, touched in _commits(iter(printed.split("\0"))):
        if shallow and not parents:
            continue
        log.append(commit)
        for before, after in touched:
            name = now.get(after, after)
            found[name].append(commit)
            if before != after:
                now[before] = name
    changes = {path: tuple(of_path) for path, of_path in found.items()}
    return History(changes, tuple(log), known=True, shallow=shallow)


def _commits(words: Iterator[str]) -> Iterator[tuple[Commit, str, list[tuple[str, str]]]]:
    """Each commit, its parents, and the paths that it touched, before and after."""
    hash = next(words)
    while hash:
        parents, day, subject = next(words), next(words), next(words)
        commit = Commit(hash[:SHORT_HASH_DIGITS], _day(day), subject)
        touched: list[tuple[str, str]] = []
        hash = ""
        for word in words:
            status = word.lstrip("\n")
            if len(status) > len(PURE_RENAME):
                hash = status
                break
            if status:
                path = next(words)
                touched.append((path, next(words) if status[0] in "RC" else path))
        yield commit, parents, touched


def _day(text: str) -> dt.date:
    """The day of a commit; what is no date counts as the first of all, as in git itself."""
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return dt.date(1970, 1, 1)
