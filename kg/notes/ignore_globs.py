"""Globs of files that are not part of a corpus, as in `ignore` of `kg.toml`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import translate

from kg.model import Diagnostic, Severity, Span
from kg.text.plurals import pluralize

_ANY_FOLDERS = "**"


class IgnoreGlobs:
    """Tells which paths within the notes folder are left out.

    `*` and `?` match within one name, `**` matches any number of folders; a glob that ends in `/`
    matches a folder and all in it. `IgnoreGlobs(["Daily/**"]).matches("Daily/monday.md")`
    """

    def __init__(self, globs: Iterable[str] = ()) -> None:
        self._globs = [_patterns_of_glob(glob) for glob in globs]

    def __bool__(self) -> bool:
        return bool(self._globs)

    def matches(self, path: str) -> bool:
        """Return whether a file or folder at `path`, with slashes, is left out."""
        if not self._globs:
            return False
        names = unicodedata.normalize("NFC", path).strip("/").split("/")
        return any(_matches_glob(glob, names) for glob in self._globs)


def _patterns_of_glob(glob: str) -> list[re.Pattern[str] | None]:
    """A pattern for each name in a glob; None for `**`."""
    glob = unicodedata.normalize("NFC", glob).removeprefix("./")
    full_glob = glob + _ANY_FOLDERS if glob.endswith("/") else glob
    parts = [
        None if n == _ANY_FOLDERS else re.compile(translate(n)) for n in full_glob.split("/") if n
    ]
    # consecutive `**` are equal to one
    return [part for n, part in enumerate(parts) if part or n == 0 or parts[n - 1]]


def _matches_glob(glob: list[re.Pattern[str] | None], names: list[str]) -> bool:
    """Return whether the names of a path match a glob, in one step per pair of the two."""
    # how many patterns may have been used up by the names so far: several numbers after a `**`
    used_counts = {0}
    for name in names:
        used_counts = _past_empty_folders(glob, used_counts)
        if len(glob) in used_counts:  # a folder is ignored with all that is in it
            return True
        used_counts_after = set()
        for used_count in used_counts:
            pattern = glob[used_count]
            if pattern is None:
                used_counts_after.add(used_count)
            elif pattern.match(name):
                used_counts_after.add(used_count + 1)
        used_counts = used_counts_after
    return len(glob) in _past_empty_folders(glob, used_counts)


def _past_empty_folders(glob: list[re.Pattern[str] | None], used_counts: set[int]) -> set[int]:
    """The counts, and those past a `**`, which also matches no folder."""
    return used_counts | {n + 1 for n in used_counts if n < len(glob) and glob[n] is None}


def nothing_left_problem(count: int) -> Diagnostic:
    """The problem of a folder whose notes are all ignored."""
    return Diagnostic(
        rule="unread-file",
        severity=Severity.WARNING,
        message=f"{pluralize(count, 'note')} left out by `ignore`, and there are no others",
        span=Span("../kg.toml"),
        help="let `ignore` in `kg.toml` name fewer of them",
    )
