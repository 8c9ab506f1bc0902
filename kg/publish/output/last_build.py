"""What the last build left, for who serves it: files as they were written here, and no others.

The folder of the site may be somebody else's work, with anything in it. What was written here is
told by the list of files that stands outside of it, with a digest of each.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from kg.files.remembered import room_of
from kg.files.tree import InTheWay, Tree, open_tree
from kg.publish.output.commit import (
    MANIFEST,
    SITE,
    Manifest,
    digest_of,
    in_room,
    load_journal,
    load_manifest,
)


class LastBuild:
    """The site in `work / "html"` as builds here left it; no link is followed on the way to it,
    below `work` and in the folders `own`.
    """

    def __init__(self, work: Path, own: Iterable[Path] = ()) -> None:
        """Raises `InTheWay` where a link stands for the site, as a build does."""
        self._work, self._own = work, tuple(own)
        self._room = room_of(work)
        self._known: tuple[tuple[int, int, int], Manifest] = ((0, 0, 0), {})
        with self._open() as tree, suppress(FileNotFoundError):
            next(tree.walk(SITE), None)

    def read(self, url: str) -> bytes | None:
        """The file at `url`, if a build wrote it and it holds what was written."""
        wanted = self._digests(url)
        if not wanted:
            return None
        try:
            with self._open() as tree:
                data = tree.read(f"{SITE}/{url}")
        except (OSError, InTheWay):  # none, or a file that a build replaces just now
            return None
        return data if digest_of(data) in wanted else None

    def _open(self) -> Tree:
        return open_tree(self._work, self._own)

    def _digests(self, url: str) -> set[bytes]:
        """What the file may hold: while a commit moves files, what it had or is to have."""
        journal = load_journal(self._room)
        known = self._manifest().get(url)
        found = {known.digest} if known else set()
        if journal and url in journal.moves:
            found.add(journal.moves[url])
        return found

    def _manifest(self) -> Manifest:
        """The list of files, read again where it has changed."""
        place = in_room(self._room, MANIFEST)
        try:
            state = os.stat(place) if place else None
        except OSError:
            state = None
        if state is None:
            return {}
        look = (state.st_mtime_ns, state.st_ino, state.st_size)
        if self._known[0] != look:
            self._known = look, load_manifest(self._room) or {}
        return self._known[1]
