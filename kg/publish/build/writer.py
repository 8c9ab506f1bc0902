"""Files of the site: staged while they are made, then put into place at once where they changed.

A build that fails before the end leaves the site as it was. One that is stopped while it puts
them there is finished by the next, from a journal. Nothing is ever wiped, nothing is removed that
was not written here, and no link is followed.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from kg.files.cache_files import read_sealed, state_folder, write_sealed
from kg.files.folder_tree import PathBlocked, open_folder_tree
from kg.files.locks import LOCK, hold_lock
from kg.files.twin_folder import folders_of
from kg.model import Value
from kg.model.errors import KgError
from kg.publish.build.commit import (
    JOURNAL,
    MANIFEST,
    PATH_INSIDE_SITE,
    SITE,
    SITE_FORMAT,
    TWIN,
    CommitJournal,
    FileState,
    Manifest,
    WrittenFile,
    carry_out_journal,
    digest_of,
    file_state,
    finish_stopped_commit,
    folder_identity,
    has_content,
    is_unaltered,
    load_manifest,
    site_stamp,
    state_file,
)

STAGED = "staged"  # the state file with the name of a possibly stopped build's folder
STAGED_FOLDER = ".kg-staged-"
TWIN_FOLDER = ".kg-twin-"


class CommitResult(Value, frozen=True):
    """The result of a commit, by address; `unbuilt` are files there that no build wrote."""

    written: tuple[str, ...] = ()
    unchanged: int = 0
    removed: tuple[str, ...] = ()
    unbuilt: tuple[str, ...] = ()


class BadAddress(KgError, ValueError):
    """An address outside the site, or one used twice."""


class AlteredFile(KgError, RuntimeError):
    """A file of the last build has other content than it wrote, though the same signature."""


class Writer:
    """A context manager for one build of the site in `output_folder / "html"`; `commit` at its end.

    No link is followed below `output_folder`, nor in `own_folders`. `anew` says why nothing of an
    earlier build may be used; empty if it may.
    """

    def __init__(
        self, output_folder: Path, own_folders: tuple[Path, ...] = (), anew: str = ""
    ) -> None:
        self.output_folder = output_folder
        self.site = output_folder / SITE
        self.anew = anew
        self.state_dir = state_folder(output_folder)
        self._own_folders = own_folders
        self._staged = ""
        self._manifest: Manifest = {}
        self._on_disk: dict[str, FileState] = {}
        self._folders: set[str] = set()
        self._stays: Manifest = {}
        self._urls_by_folded: dict[str, str] = {}
        self._moves: dict[str, bytes] = {}

    def __enter__(self) -> Writer:
        with ExitStack() as stack:
            stack.enter_context(
                hold_lock(state_file(self.state_dir, LOCK), str(self.output_folder))
            )
            self._tree = stack.enter_context(
                open_folder_tree(self.output_folder, self._own_folders)
            )
            self.anew = finish_stopped_commit(self._tree, self.state_dir) or self.anew
            abandoned_name = read_sealed(state_file(self.state_dir, STAGED), SITE_FORMAT)
            if abandoned_name:
                self._tree.remove_with_content(abandoned_name.decode())
            manifest = load_manifest(self.state_dir)
            if manifest is None and self.state_dir and (self.state_dir / MANIFEST).exists():
                self.anew = self.anew or "its list of files is damaged"
            self._manifest = manifest or {}
            states = {
                url: file_state(status) for url, status in self._tree.walk(SITE, folders=True)
            }
            self._folders = {url for url in states if url.endswith("/")}
            self._on_disk = {url: states[url] for url in states if url not in self._folders}
            self._open_resources = stack.pop_all()
        return self

    def __exit__(self, *exception: Any) -> None:
        try:
            path = state_file(self.state_dir, JOURNAL)
            # If there is a journal, the next build moves the staged files.
            if self._staged and not (path and path.exists()):
                self._tree.remove_with_content(self._staged)
        finally:
            self._open_resources.__exit__(*exception)

    def put(self, url: str, content: str | bytes) -> None:
        """Write `content` to `url`; raises `BadAddress`."""
        data = content.encode("utf-8") if isinstance(content, str) else content
        self._claim_url(url)
        digest = digest_of(data)
        if written_file := self._file_with_content(url, digest):
            self._stays[url] = written_file
            return
        self.begin()
        path = f"{self._staged}/{url}"
        try:
            self._tree.create(path, data)
        except FileExistsError:  # left by a failed copy of this process
            self._tree.remove(path)
            self._tree.create(path, data)
        self._moves[url] = digest

    def checkpoint(self) -> tuple[int, int]:
        """The numbers of files moved and kept so far, for `since`."""
        return len(self._moves), len(self._stays)

    def since(self, mark: tuple[int, int]) -> tuple[dict[str, bytes], Manifest]:
        """The files that were put or kept since a checkpoint."""
        move_count, stay_count = mark
        return (
            dict(islice(self._moves.items(), move_count, None)),
            dict(islice(self._stays.items(), stay_count, None)),
        )

    def adopt(self, moves: Mapping[str, bytes], stays: Manifest) -> None:
        """Take over files that a copy of this process put or kept; raises `BadAddress`."""
        for url in (*moves, *stays):
            self._claim_url(url)
            if url in moves:
                self._moves[url] = moves[url]
            else:
                self._stays[url] = stays[url]

    def keep(self, url: str) -> bool:
        """Keep the file at `url` if it is as the last build wrote it; return whether it is."""
        written_file = self._intact_file(url)
        if written_file is None:
            return False
        self._claim_url(url)
        self._stays[url] = written_file
        return True

    def is_intact(self, url: str) -> bool:
        """Return whether the file at `url` is still as the last build wrote it."""
        return self._intact_file(url) is not None

    def read(self, url: str) -> bytes:
        """The content of a file of the last build; raises `AlteredFile` if it was changed."""
        written_file = self._manifest.get(url)
        try:
            data = self._tree.read(f"{SITE}/{url}")
        except (OSError, PathBlocked):
            data = b""
        if written_file is None or digest_of(data) != written_file.digest:
            raise AlteredFile(f"{url} is not what it had made")
        return data

    def holds(self, url: str) -> bool:
        """Return whether this build has a file at `url`, ignoring case."""
        return url.casefold() in self._urls_by_folded

    def stamp(self) -> str:
        """A digest of the files of the site as the last commit left them."""
        return site_stamp(self.state_dir)

    def commit(self) -> CommitResult:
        """Move changed files into place, and remove old ones; raises `PathBlocked`."""
        old_urls = sorted(self._manifest.keys() - self._stays.keys() - self._moves.keys())
        removals = {url: self._manifest[url].digest for url in old_urls if self._is_ours(url)}
        moved_urls = sorted(self._moves, key=self._move_order)
        if moved_urls or old_urls:
            self._require_free_paths(moved_urls, removals)
            moves = {url: self._moves[url] for url in moved_urls}
            journal = CommitJournal(
                self._staged, self._twin_name(removals), moves, removals, self._stays
            )
            carry_out_journal(self._tree, self.state_dir, journal)
        return CommitResult(
            tuple(sorted(moved_urls)),
            len(self._stays),
            tuple(removals),
            self._files_not_built(removals),
        )

    def _twin_name(self, removed_urls: Iterable[str]) -> str:
        """Name a second folder, the twin, that takes the site's place in one step.

        Empty if the site can have none: files that no build wrote would be lost with the old
        folder, and some disks cannot exchange folders.
        """
        path = state_file(self.state_dir, TWIN)
        recorded_state = read_sealed(path, SITE_FORMAT) or b""
        twin = recorded_state.decode() if recorded_state.startswith(TWIN_FOLDER.encode()) else ""
        needed_folders = {f"{folder}/" for url in self._on_disk for folder in folders_of(url)}
        if self._files_not_built(removed_urls) or self._folders - needed_folders:
            if twin and path:
                self._tree.remove_with_content(twin)
                path.unlink(missing_ok=True)
            return ""
        # an earlier commit found that this folder cannot be exchanged, and recorded its identity
        if recorded_state and recorded_state == folder_identity(self._tree):
            return ""
        if twin:
            return twin
        name = TWIN_FOLDER + secrets.token_hex(8)
        return name if write_sealed(path, SITE_FORMAT, name.encode()) else ""

    def _move_order(self, url: str) -> tuple[bool, bool, str]:
        """The sort key for moves: new files first, pages last. Removals come after that, so that
        no page ever links to a file that is missing.
        """
        return url in self._on_disk, url.endswith(".html"), url

    def _intact_file(self, url: str) -> WrittenFile | None:
        """The file at `url`, as its state is now, if its content is as the last build wrote it."""
        written_file, state = self._manifest.get(url), self._on_disk.get(url)
        if written_file is None or self.anew:
            return None
        if is_unaltered(self._tree, url, state, written_file):
            return written_file
        if state is None or not has_content(self._tree, f"{SITE}/{url}", written_file.digest):
            return None
        # its rights, its times or its number of names are others
        return WrittenFile(state, written_file.digest)

    def _file_with_content(self, url: str, digest: bytes) -> WrittenFile | None:
        """The file at `url` if the last build wrote exactly this content, and it is still there."""
        written_file = self._manifest.get(url)
        if written_file is None or written_file.digest != digest:
            return None
        return self._intact_file(url) if has_content(self._tree, f"{SITE}/{url}", digest) else None

    def _files_not_built(self, removed_urls: Iterable[str]) -> tuple[str, ...]:
        """Files that existed before this build and are not part of it."""
        return tuple(
            sorted(
                self._on_disk.keys() - self._stays.keys() - self._moves.keys() - set(removed_urls)
            )
        )

    def _is_ours(self, url: str) -> bool:
        """Return whether the file at `url` is missing, or as it was written."""
        if url not in self._on_disk or self.is_intact(url):
            return True
        return has_content(self._tree, f"{SITE}/{url}", self._manifest[url].digest)

    def begin(self) -> None:
        """Choose an unpredictable name for the folder of staged files, once."""
        if self._staged:
            return
        self._staged = STAGED_FOLDER + secrets.token_hex(8)
        write_sealed(state_file(self.state_dir, STAGED), SITE_FORMAT, self._staged.encode())

    def _claim_url(self, url: str) -> None:
        if not PATH_INSIDE_SITE.fullmatch(url):
            raise BadAddress(f"{url!r} is no address inside the site")
        folded_url = url.casefold()
        claimed_url = self._urls_by_folded.setdefault(url if folded_url == url else folded_url, url)
        if claimed_url != url or url in self._stays or url in self._moves:
            raise BadAddress(f"two pages claim the address {url!r}, or differ by case alone")

    def _require_free_paths(self, moved_urls: Iterable[str], removed_urls: Iterable[str]) -> None:
        """Check that all moves are possible; raises `PathBlocked`."""
        staying_urls = self._on_disk.keys() - set(removed_urls)
        existing_folders = {folder for url in staying_urls for folder in folders_of(url)}
        needed_folders = {folder for url in moved_urls for folder in folders_of(url)}
        for url in sorted((needed_folders & staying_urls) | (existing_folders & set(moved_urls))):
            raise PathBlocked(f"{self.site / url} was not built here; move it away")
