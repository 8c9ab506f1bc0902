"""Write a change atomically, and undo it.

The former contents are stored in the user's cache folder before the first file is written. If a
run is stopped halfway, the next one restores them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import msgspec

from kg.editing.change import Change, FileContent
from kg.editing.pending_change import pending_change_file
from kg.files.cache_files import (
    CACHE_VARIABLE,
    read_sealed_as,
    state_folder,
    write_sealed,
)
from kg.files.folder_tree import FolderTree
from kg.files.locks import delay_signals, hold_lock
from kg.files.read_files import NotesFolder
from kg.model.errors import KgError

RECORD_KIND = "change 1"
DONE_PREFIX = "change-done-"
MAX_CHANGES_KEPT = 50  # that can be undone
DRAFT_SUFFIX = ".kg-new"


_READ = "has been changed since it was read; try again"
_CHANGED = "has been edited since this change; to undo an earlier one instead: kg undo --skip"


class NotApplied(KgError, RuntimeError):
    """A change that was not made or not undone; the message says why. Nothing was written."""


class _Record(msgspec.Struct, array_like=True):
    """A stored change: contents by path before and after, and the modes of existing files."""

    title: str
    files_before: dict[str, FileContent]
    files_after: dict[str, FileContent]
    moves: dict[str, str]
    modes: dict[str, int]


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Record).decode


def apply_change(folder: NotesFolder, change: Change) -> None:
    """Write all files of a change. Raises `NotApplied` if one has changed since it was read."""
    with _Journal(folder) as journal:
        stats = journal.get_checked_stats(change.files_before)
        modes = {
            path: stat.S_IMODE(file_stat.st_mode) for path, file_stat in stats.items() if file_stat
        }
        modes |= {new: modes[old] for old, new in change.moves.items() if old in modes}
        files_before = dict(change.files_before)
        files_after = dict(change.files_after)
        record = _Record(change.title, files_before, files_after, dict(change.moves), modes)
        with delay_signals():
            journal.begin(record)
            with journal.undo_if_it_fails():
                journal.write(files_after, modes, stats)
                journal.end()


def undo_last_change(folder: NotesFolder) -> Change:
    """Undo the last change, and return the change this made. Raises `NotApplied`."""
    with _Journal(folder) as journal:
        journal_folder, record = journal.inverse_of_newest()
        stats = journal.get_checked_stats(record.files_before, _CHANGED)
        with delay_signals():
            journal.begin(record)
            with journal.undo_if_it_fails():
                journal.write(record.files_after, record.modes, stats)
            # one step: the undone change is no longer stored, and nothing is left to recover
            journal_folder.replace(journal.pending)
            journal.pending.unlink()
        return _change_of_record(record)


def forget_last_change(folder: NotesFolder) -> str:
    """Forget the last change without changing files; return its title. Raises `NotApplied`."""
    with _Journal(folder) as journal:
        journal_folder, record = journal.newest()
        journal_folder.unlink()
        return record.title


def change_by_undo(folder: NotesFolder) -> Change:
    """Return the change that undoing would make: to a change stopped halfway, else to the last one.

    Writes nothing. Raises `NotApplied`.
    """
    with _Journal(folder, recovering=True) as journal:
        if stopped := journal.read_stopped():
            restored = journal.contents_to_restore(stopped)
            contents_now = {path: stopped.files_after[path] for path in restored}
            remarks = (f"{stopped.title!r} was stopped halfway",)
            return Change(f"undo: {stopped.title}", contents_now, restored, remarks=remarks)
        _, record = journal.inverse_of_newest()
        journal.get_checked_stats(record.files_before, _CHANGED)
        return _change_of_record(record)


def _change_of_record(record: _Record) -> Change:
    return Change(record.title, record.files_before, record.files_after, record.moves)


def recover_stopped_change(folder: NotesFolder) -> str:
    """Undo a change that was stopped halfway; return its title, empty if there is none.

    Waits for another run that is still working.
    """
    with _Journal(folder, recovering=True) as journal:
        return journal.recover()


class _Journal:
    """A context manager for the changes of one folder, stored in the user's cache folder."""

    def __init__(self, folder: NotesFolder, recovering: bool = False) -> None:
        self.folder = folder
        self.recovering = recovering
        state_dir = state_folder(folder.real)
        if state_dir is None:
            raise NotApplied(
                "there is no folder to store the former texts in, so nothing could be undone; "
                f"name one with {CACHE_VARIABLE}"
            )
        self.state_dir = state_dir
        self.pending = pending_change_file(state_dir)
        self._open = ExitStack()

    def __enter__(self) -> _Journal:
        self._open.enter_context(hold_lock(self.state_dir / "change.lock", str(self.folder)))
        try:
            self._notes = self._open.enter_context(FolderTree(self.folder.real))
            self._beside: FolderTree | None = None
            if not self.recovering and (title := self.recover()):
                raise NotApplied(f"{title!r} was stopped halfway and has been undone; try again")
        except BaseException:
            self._open.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _tree_and_path(self, path: str) -> tuple[FolderTree, str]:
        """The folder of a file, and its path there; settings may be beside the notes folder."""
        if not path.startswith("../"):
            return self._notes, path
        if self._beside is None:
            self._beside = self._open.enter_context(FolderTree(self.folder.around))
        return self._beside, path.removeprefix("../")

    # -- stored changes ----------------------------------------------------------------

    def begin(self, record: _Record) -> None:
        """Store the former contents; from now on, a stopped run will be undone."""
        if not write_sealed(self.pending, RECORD_KIND, _encode(record)):
            raise NotApplied(f"{self.state_dir} cannot be written")

    @contextmanager
    def undo_if_it_fails(self) -> Iterator[None]:
        """Restore the files if writing the rest fails, as on a full disk or at a late edit."""
        try:
            yield
        except (OSError, KgError):
            with suppress(OSError, KgError):  # else the next run will
                self.recover()
            raise

    def end(self) -> None:
        """The change is complete: store it among those that can be undone."""
        done_files = sorted(self.state_dir.glob(f"{DONE_PREFIX}*"))
        number = int(done_files[-1].name.removeprefix(DONE_PREFIX)) + 1 if done_files else 1
        self.pending.replace(self.state_dir / f"{DONE_PREFIX}{number:06}")
        for old_file in done_files[: max(0, len(done_files) + 1 - MAX_CHANGES_KEPT)]:
            old_file.unlink()

    def inverse_of_newest(self) -> tuple[Path, _Record]:
        """A change that undoes the last one, and the file in which that one is stored.

        Raises `NotApplied` if there is none.
        """
        journal_folder, record = self.newest()
        title = f"undo: {record.title}"
        moves = {new: old for old, new in record.moves.items()}
        return journal_folder, _Record(
            title, record.files_after, record.files_before, moves, record.modes
        )

    def newest(self) -> tuple[Path, _Record]:
        """The file of the last change, and the change."""
        for journal_folder in sorted(self.state_dir.glob(f"{DONE_PREFIX}*"), reverse=True):
            record = read_sealed_as(journal_folder, RECORD_KIND, _decode)
            if record is not None:
                return journal_folder, record
        raise NotApplied("there is no change to undo")

    def recover(self) -> str:
        """Undo what a stopped run wrote, except in files that were changed since; return its title.

        The title is empty if no run was stopped.
        """
        record = self.read_stopped()
        if record is None:
            return ""
        former_contents = self.contents_to_restore(record)
        for path in record.files_after:
            tree, url = self._tree_and_path(path)
            tree.remove(_draft_path(url))
        self.write(former_contents, record.modes, {})
        self.pending.unlink()
        return record.title

    def read_stopped(self) -> _Record | None:
        """The change that was stopped halfway; None if there is none."""
        return read_sealed_as(self.pending, RECORD_KIND, _decode)

    def contents_to_restore(self, stopped: _Record) -> dict[str, FileContent]:
        """The former contents of the files that a stopped run has written, if unchanged since."""
        return {
            path: data
            for path, data in stopped.files_before.items()
            if self._read_if_there(path) == stopped.files_after[path] != data
        }

    # -- files -------------------------------------------------------------------------

    def _read_if_there(self, path: str) -> FileContent:
        tree, url = self._tree_and_path(path)
        try:
            return tree.read(url)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def get_checked_stats(
        self, files: Mapping[str, FileContent], reason: str = _READ
    ) -> dict[str, os.stat_result | None]:
        """The stat result of each file from before it was read, None if it is missing.

        Raises `NotApplied` if a file differs from its expected content.
        """
        stats = {}
        for path, data in files.items():
            tree, url = self._tree_and_path(path)
            file_stat = stats[path] = tree.stat(url)
            if file_stat is not None and not stat.S_ISREG(file_stat.st_mode):
                name = self.folder.shown_path(path)
                raise NotApplied(f"{name} is a link; change its target instead")
            if self._read_if_there(path) != data:
                raise NotApplied(f"{self.folder.shown_path(path)} {reason}")
        return stats

    def write(
        self,
        files: Mapping[str, FileContent],
        modes: Mapping[str, int],
        stats: Mapping[str, os.stat_result | None],
    ) -> None:
        """Write all new contents beside their files, remove files, then move the new ones in.

        Removal comes first: on a case-insensitive file system, `A.md` may be `a.md`. Raises
        `NotApplied` if a file is no longer as in `stats` when its turn comes: an editor has
        saved it meanwhile.
        """
        new_contents = {path: data for path, data in files.items() if data is not None}
        for path, data in new_contents.items():
            tree, url = self._tree_and_path(path)
            tree.remove(_draft_path(url))  # of a run that was killed
            tree.create(_draft_path(url), data, modes.get(path))
        for path in (path for path, data in files.items() if data is None):
            tree, url = self._tree_and_path(path)
            self._require_unchanged(path, stats)
            tree.remove(url)
        for path in new_contents:
            tree, url = self._tree_and_path(path)
            self._require_unchanged(path, stats)
            tree.move(_draft_path(url), url)

    def _require_unchanged(self, path: str, stats: Mapping[str, os.stat_result | None]) -> None:
        """Raise `NotApplied` if the file is not as it was when the change was prepared.

        A file that is gone cannot be overwritten.
        """
        tree, url = self._tree_and_path(path)
        file_stat = tree.stat(url) if path in stats else None
        if file_stat is not None and _file_stamp(file_stat) != _file_stamp(stats[path]):
            raise NotApplied(f"{self.folder.shown_path(path)} {_READ}")


def _file_stamp(file_stat: os.stat_result | None) -> tuple[int, ...]:
    """Numbers that change whenever a file is written or replaced."""
    if file_stat is None:
        return ()
    return file_stat.st_ino, file_stat.st_size, file_stat.st_mtime_ns, file_stat.st_ctime_ns


def _draft_path(url: str) -> str:
    """The hidden path at which a file is written before it is moved into place."""
    folder, slash, name = url.rpartition("/")
    return f"{folder}{slash}.{name}{DRAFT_SUFFIX}"
