"""The site as the last build left it, read while another build may replace it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from kg.files.cache_files import state_folder
from kg.files.folder_tree import FolderTree, PathBlocked, open_folder_tree
from kg.publish.build.commit import (
    MANIFEST,
    SITE,
    Manifest,
    digest_of,
    load_journal,
    load_manifest,
    state_file,
)


class LastBuild:
    """The site in `work / "html"` as the last build left it; no link is followed below `work` or
    in the folders `own`.
    """

    def __init__(self, work: Path, own: Iterable[Path] = ()) -> None:
        """Raises `PathBlocked` if the site's folder is a link, as a build does."""
        self._work, self._own = work, tuple(own)
        self._state_dir = state_folder(work)
        self._known: tuple[tuple[int, int, int] | None, Manifest] = (None, {})
        with self._open() as tree, suppress(FileNotFoundError):
            next(tree.walk(SITE), None)

    def read(self, url: str) -> bytes | None:
        """The file at `url`, if a build wrote it and it is unchanged; else None."""
        wanted = self._digests(url)
        while wanted:
            try:
                with self._open() as tree:
                    data = tree.read(f"{SITE}/{url}")
            except (OSError, PathBlocked):  # missing, or being replaced by a build
                data = None
            if data is not None and digest_of(data) in wanted:
                return data
            before, wanted = wanted, self._digests(url)
            if wanted == before:  # otherwise a build has moved files since the digests were read
                return None
        return None

    def _open(self) -> FolderTree:
        return open_folder_tree(self._work, self._own)

    def _digests(self, url: str) -> set[bytes]:
        """Possible digests of a file: during a commit, the old and the new one."""
        journal = load_journal(self._state_dir)
        known = self._manifest().get(url)
        found = {known.digest} if known else set()
        if journal and url in journal.moves:
            found.add(journal.moves[url])
        return found

    def _manifest(self) -> Manifest:
        """The manifest, read again when it has changed."""
        place = state_file(self._state_dir, MANIFEST)
        try:
            state = os.stat(place) if place else None
        except OSError:
            state = None
        if state is None:
            return {}
        look = (state.st_mtime_ns, state.st_ino, state.st_size)
        if self._known[0] != look:
            self._known = look, load_manifest(self._state_dir) or {}
        return self._known[1]
