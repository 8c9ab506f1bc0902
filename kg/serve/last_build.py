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
    """The site in `output_folder / "html"` as the last build left it; no link is followed below
    `output_folder` or in `own_folders`.
    """

    def __init__(self, output_folder: Path, own_folders: Iterable[Path] = ()) -> None:
        """Raises `PathBlocked` if the site's folder is a link, as a build does."""
        self._output_folder = output_folder
        self._own_folders = tuple(own_folders)
        self._state_dir = state_folder(output_folder)
        self._last_manifest: tuple[tuple[int, int, int] | None, Manifest] = (None, {})
        with self._open_output_folder() as tree, suppress(FileNotFoundError):
            next(tree.walk(SITE), None)

    def read(self, url: str) -> bytes | None:
        """The file at `url`, if a build wrote it and it is unchanged; else None."""
        digests = self._possible_digests(url)
        while digests:
            try:
                with self._open_output_folder() as tree:
                    data = tree.read(f"{SITE}/{url}")
            except (OSError, PathBlocked):  # missing, or being replaced by a build
                data = None
            if data is not None and digest_of(data) in digests:
                return data
            earlier_digests = digests
            digests = self._possible_digests(url)
            # if they differ, a build has moved files since the digests were read
            if digests == earlier_digests:
                return None
        return None

    def _open_output_folder(self) -> FolderTree:
        return open_folder_tree(self._output_folder, self._own_folders)

    def _possible_digests(self, url: str) -> set[bytes]:
        """Possible digests of a file: during a commit, the old and the new one."""
        journal = load_journal(self._state_dir)
        written_file = self._current_manifest().get(url)
        digests = {written_file.digest} if written_file else set()
        if journal and url in journal.moves:
            digests.add(journal.moves[url])
        return digests

    def _current_manifest(self) -> Manifest:
        """The manifest, read again when it has changed."""
        path = state_file(self._state_dir, MANIFEST)
        try:
            file_status = os.stat(path) if path else None
        except OSError:
            file_status = None
        if file_status is None:
            return {}
        signature = (file_status.st_mtime_ns, file_status.st_ino, file_status.st_size)
        if self._last_manifest[0] != signature:
            self._last_manifest = signature, load_manifest(self._state_dir) or {}
        return self._last_manifest[1]
