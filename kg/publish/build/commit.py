"""The end of a build: staged files are put in place, and an interrupted commit is finished.

Files are put into a twin of the site, which then replaces the site in one step; where that is
impossible, they are moved one by one. What a commit will do is first written to a journal, with a
digest of each file. The journal is outside the site's folder, which others may change.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from errno import (
    EACCES,
    EBUSY,
    EFBIG,
    EINVAL,
    EISDIR,
    ELOOP,
    EMLINK,
    ENOENT,
    ENOSYS,
    ENOTDIR,
    ENOTSUP,
    ENXIO,
    EPERM,
    EXDEV,
)
from pathlib import Path

import msgspec

from kg.files.cache_files import read_sealed, read_sealed_as, state_folder, write_sealed
from kg.files.folder_tree import FolderTree, PathBlocked, open_folder_tree
from kg.files.locks import delay_signals
from kg.files.twin_folder import TwinFolder, folders_of
from kg.model import Value

SITE = "html"
MANIFEST = "manifest"
JOURNAL = "commit"
TWIN = "twin"  # the state file that names the twin of the site, or the site that can have none
SITE_FORMAT = "site 2"
FILE_DIGEST_BYTES = 16  # half of SHA-256, enough against accidental collisions
HAS_CHANGE_TIMES = os.name == "posix"
# Errors from reading something that cannot be a file written here.
_NOT_WRITTEN_HERE = (ENOENT, ENOTDIR, EISDIR, ELOOP, EMLINK, EINVAL, EACCES, EPERM, ENXIO, EFBIG)
# Errors of two folders that can never be exchanged, as one is mounted or on another disk.
_NO_EXCHANGE = (EINVAL, ENOSYS, EXDEV, EBUSY, ENOTSUP, EPERM, EACCES)
# Paths of names that are valid on every file system; none is empty, `.` or `..`.
_NAME = r'[^/\\\0-\x1f:*?"<>|]*[^/\\\0-\x1f:*?"<>|. ]'
PATH_INSIDE_SITE = re.compile(rf"{_NAME}(?:/{_NAME})*")


class FileState(Value, frozen=True, array_like=True, gc=False):
    """A file's stat signature; `changed` (ctime) and `number` (inode) are 0 if unreliable."""

    size: int
    time: int
    changed: int
    number: int


NEVER = FileState(-1, 0, 0, 0)  # the signature of no file


class WrittenFile(Value, frozen=True, array_like=True, gc=False):
    """A file as last written; if its stat signature differs, another program changed it."""

    state: FileState
    digest: bytes


Manifest = dict[str, WrittenFile]


class CommitJournal(Value, frozen=True):
    """The steps of a commit: moves, then removals, each with a digest of the file; the rest stays.

    Without the name of a twin it is done file by file.
    """

    staged: str
    twin: str
    moves: dict[str, bytes]
    removals: dict[str, bytes]
    stays: Manifest


_journal = msgspec.msgpack.Decoder(CommitJournal).decode
_manifest = msgspec.msgpack.Decoder(Manifest).decode


def digest_of(data: bytes) -> bytes:
    """A digest of a file's content."""
    # processors have instructions for this one
    return hashlib.sha256(data).digest()[:FILE_DIGEST_BYTES]


def file_state(status: os.stat_result) -> FileState:
    """The stat signature of a file, which changes whenever the file does."""
    if not HAS_CHANGE_TIMES:
        return FileState(status.st_size, status.st_mtime_ns, 0, 0)
    return FileState(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def state_file(state_dir: Path | None, name: str) -> Path | None:
    """A file in the state folder of a site; None without such a folder."""
    return None if state_dir is None else state_dir / name


def load_manifest(state_dir: Path | None) -> Manifest | None:
    """The files of the last commit; None if the list is missing or damaged."""
    return read_sealed_as(state_file(state_dir, MANIFEST), SITE_FORMAT, _manifest)


def load_journal(state_dir: Path | None) -> CommitJournal | None:
    """The journal of an unfinished commit, if there is one."""
    return read_sealed_as(state_file(state_dir, JOURNAL), SITE_FORMAT, _journal)


def carry_out_journal(tree: FolderTree, state_dir: Path | None, journal: CommitJournal) -> Manifest:
    """Write a journal, then do what it says; return the new manifest. Raises `PathBlocked`."""
    with delay_signals():
        write_sealed(state_file(state_dir, JOURNAL), SITE_FORMAT, msgspec.msgpack.encode(journal))
        return _move_into_place(tree, state_dir, journal)


def finish_stopped_commit(tree: FolderTree, state_dir: Path | None) -> str:
    """Finish the commit of a stopped build; return why that is impossible, else an empty text."""
    path = state_file(state_dir, JOURNAL)
    if path is None or not path.exists():
        return ""
    journal = load_journal(state_dir)
    why = "its journal is damaged" if journal is None else _why_not_finishable(tree, journal)
    if journal is None or why:
        path.unlink()
        return why
    with delay_signals():
        _move_into_place(tree, state_dir, journal)
    return ""


def _why_not_finishable(tree: FolderTree, journal: CommitJournal) -> str:
    """Explain why a journal cannot be carried out: a file is neither staged nor moved as recorded;
    empty if it can.
    """
    folders = [folder for folder in (journal.staged, SITE, journal.twin) if folder]
    for url, digest in journal.moves.items():
        if not any(has_content(tree, f"{folder}/{url}", digest) for folder in folders):
            return f"{url} is not what it had made"
    return ""


def has_content(tree: FolderTree, url: str, digest: bytes) -> bool:
    """Return whether a file's content has this digest."""
    try:
        return digest_of(tree.read(url)) == digest
    except OSError as error:
        if error.errno not in _NOT_WRITTEN_HERE:
            raise  # a temporary disk failure proves nothing
    except PathBlocked:
        pass
    return False


def _move_into_place(tree: FolderTree, state_dir: Path | None, journal: CommitJournal) -> Manifest:
    """Do what a written journal says, however much of it is done, and write the new manifest."""
    tree.close()  # open all folders again from here on
    digests_by_url = dict(journal.moves)
    if journal.staged and tree.stat(journal.staged) and not tree.stat(SITE):
        tree.rename(journal.staged, SITE)
    elif not journal.twin:
        _move_each(tree, journal)
    else:
        for url in _exchange_with_twin(tree, state_dir, journal):
            digests_by_url[url] = journal.stays[url].digest
    manifest = {**journal.stays, **dict(_check_moved(tree, digests_by_url))}
    is_written = write_sealed(
        state_file(state_dir, MANIFEST), SITE_FORMAT, msgspec.msgpack.encode(manifest)
    )
    # Otherwise the next build finds everything moved, and tries again.
    if is_written and state_dir is not None:
        (state_dir / JOURNAL).unlink(missing_ok=True)
    return manifest


def _exchange_with_twin(
    tree: FolderTree, state_dir: Path | None, journal: CommitJournal
) -> list[str]:
    """Exchange the site with its twin; return the unchanged files that got a link in the twin.

    Where that is impossible, files are moved one by one.
    """
    names, linked_urls = (SITE, journal.twin), []
    twin = TwinFolder(tree, names, journal.stays, journal.moves, journal.removals)
    if not _is_done(tree, journal):
        try:
            linked_urls = twin.prepare({url: status.st_ino for url, status in tree.walk(SITE)})
            for url, digest in journal.moves.items():
                _put_into_twin(tree, journal, url, digest)
        except (OSError, PathBlocked):
            return _move_without_twin(tree, journal)
        try:
            twin.exchange()
        except (OSError, PathBlocked) as error:
            if getattr(error, "errno", None) in _NO_EXCHANGE:  # it will fail later, too
                write_sealed(state_file(state_dir, TWIN), SITE_FORMAT, folder_identity(tree))
            return _move_without_twin(tree, journal)
    with suppress(OSError, PathBlocked):  # else the next commit does it
        twin.synchronize_twin(staging_folder=journal.staged)
    return linked_urls


def _is_done(tree: FolderTree, journal: CommitJournal) -> bool:
    """Return whether the site is as the journal says: then the commit was stopped after the
    exchange.
    """
    all_moved = all(
        has_content(tree, f"{SITE}/{url}", digest) for url, digest in journal.moves.items()
    )
    return all_moved and not any(tree.stat(f"{SITE}/{url}") for url in journal.removals)


def _put_into_twin(tree: FolderTree, journal: CommitJournal, url: str, digest: bytes) -> None:
    path = f"{journal.twin}/{url}"
    if tree.stat(f"{journal.staged}/{url}"):
        tree.move(f"{journal.staged}/{url}", path)
    elif not has_content(tree, path, digest):  # it was moved into the site before we were stopped
        tree.remove(path)
        tree.link(f"{SITE}/{url}", path)


def _move_without_twin(tree: FolderTree, journal: CommitJournal) -> list[str]:
    for url, digest in journal.moves.items():
        staged_path, path = f"{journal.staged}/{url}", f"{journal.twin}/{url}"
        if not tree.stat(staged_path) and has_content(tree, path, digest):
            tree.move(path, staged_path)
    _move_each(tree, journal)
    tree.remove_with_content(journal.twin)
    return []


def _move_each(tree: FolderTree, journal: CommitJournal) -> None:
    """Move the files one by one, and remove what is gone."""
    _remove_blocking_files(tree, journal)
    for url in journal.moves:
        # What is no longer staged was moved before the build was killed.
        if tree.stat(f"{journal.staged}/{url}"):
            _move_file(tree, f"{journal.staged}/{url}", f"{SITE}/{url}", f"{SITE}/{journal.staged}")
    _remove_files(tree, journal)


def _move_file(tree: FolderTree, url: str, target: str, spare: str) -> None:
    """Move a file; to another disk, which may be mounted there, by way of the name `spare` on that
    disk. So readers find the old file or the new one, whole.
    """
    try:
        tree.move(url, target)
    except OSError as error:
        if error.errno != EXDEV:
            raise
        tree.remove(spare, within=SITE)  # of a build that was killed
        tree.create(spare, tree.read(url))
        tree.move(spare, target)
        tree.remove(url)


def folder_identity(tree: FolderTree) -> bytes:
    """The numbers by which the system identifies the folder of the site."""
    status = tree.stat(SITE)
    return b"" if status is None else f"{status.st_dev} {status.st_ino}".encode()


def _check_moved(
    tree: FolderTree, digests_by_url: Mapping[str, bytes]
) -> Iterator[tuple[str, WrittenFile]]:
    """Read moved files again, as another program may have altered them while staged."""
    for url, digest in digests_by_url.items():
        status = tree.stat(f"{SITE}/{url}")  # before reading: a later change shows in its times
        is_ours = status is not None and has_content(tree, f"{SITE}/{url}", digest)
        yield url, WrittenFile(file_state(status) if status and is_ours else NEVER, digest)


def _remove_blocking_files(tree: FolderTree, journal: CommitJournal) -> None:
    """Remove what blocks the moves: names that differ in case, files in place of folders."""
    urls_to_move = {
        url.casefold(): url for url in journal.moves if tree.stat(f"{journal.staged}/{url}")
    }
    folders_needed = {folder.casefold() for url in urls_to_move for folder in folders_of(url)}
    for url, digest in journal.removals.items():
        is_in_place_of_folder = url.casefold() in folders_needed
        url_and_folders = {name.casefold() for name in (url, *folders_of(url))}
        if is_in_place_of_folder or not url_and_folders.isdisjoint(urls_to_move):
            _remove_if_ours(tree, url, digest)
    for url in urls_to_move.values():
        status = tree.stat(f"{SITE}/{url}")
        if status is not None and is_folder(status):
            tree.remove_empty(f"{SITE}/{url}")


def _remove_files(tree: FolderTree, journal: CommitJournal) -> None:
    kept_urls = {url.casefold() for url in journal.moves}
    for url, digest in journal.removals.items():
        if url.casefold() not in kept_urls:
            _remove_if_ours(tree, url, digest)


def _remove_if_ours(tree: FolderTree, url: str, digest: bytes) -> None:
    """Remove a file, and folders that become empty, if it is as it was written here."""
    if has_content(tree, f"{SITE}/{url}", digest):
        tree.remove(f"{SITE}/{url}")


def is_folder(status: os.stat_result) -> bool:
    """Return whether this is the stat result of a folder."""
    return stat.S_ISDIR(status.st_mode)


def site_stamp(state_dir: Path | None) -> str:
    """A digest of the files of the site as the last commit left them; empty before the first."""
    sealed = read_sealed(state_file(state_dir, MANIFEST), SITE_FORMAT)
    return "" if sealed is None else digest_of(sealed).hex()


def find_unbuilt_files(
    output_folder: Path, own_folders: Iterable[Path], stamp: str
) -> tuple[str, ...] | None:
    """The addresses of files that the commit with this stamp did not write.

    None if one of its own files has changed since.
    """
    state_dir = state_folder(output_folder)
    manifest = load_manifest(state_dir)
    if (
        state_dir is None
        or not manifest
        or (state_dir / JOURNAL).exists()
        or site_stamp(state_dir) != stamp
    ):
        return None
    try:
        with open_folder_tree(output_folder, tuple(own_folders)) as tree:
            states = {url: file_state(status) for url, status in tree.walk(SITE)}
            if all(
                is_unaltered(tree, url, states.get(url), written_file)
                for url, written_file in manifest.items()
            ):
                return tuple(sorted(states.keys() - manifest.keys()))
    except (OSError, PathBlocked):
        pass
    return None


def is_unaltered(
    tree: FolderTree, url: str, state: FileState | None, written_file: WrittenFile
) -> bool:
    """Return whether a file with this stat signature is still the one that was written."""
    if state != written_file.state:
        return False
    return HAS_CHANGE_TIMES or has_content(tree, f"{SITE}/{url}", written_file.digest)
