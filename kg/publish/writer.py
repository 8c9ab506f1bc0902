"""Files of the site: staged while they are made, then moved into place where they changed.

A build that fails before the end leaves the site as it was. One that is stopped while files
are moved is finished by the next, from a journal. Nothing is ever wiped, and nothing is
removed that was not written here.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType

import msgspec

from kg.model import Value
from kg.publish.lock import locked

SITE = "html"
STAGED = "staged"
MANIFEST = "manifest.json"
JOURNAL = "commit.json"
LOCK = "lock"
# Names that every file system keeps, joined by slashes: none of them is empty, `.` or `..`.
_NAME = r'[^/\\\0-\x1f:*?"<>|]*[^/\\\0-\x1f:*?"<>|. ]'
_INSIDE = re.compile(rf"{_NAME}(?:/{_NAME})*")


class Known(Value, frozen=True, array_like=True, gc=False):
    """A file as it was last written; with another size or time, someone else changed it."""

    size: int
    time: int


class Journal(Value, frozen=True):
    """What a commit does: moves, then removals, then the manifest that is true after it."""

    moves: tuple[str, ...]
    removals: tuple[str, ...]
    manifest: dict[str, Known]


class Written(Value, frozen=True):
    """What a commit did to the site, by address."""

    written: tuple[str, ...] = ()
    unchanged: int = 0
    removed: tuple[str, ...] = ()


class BadAddress(ValueError):
    """An address that leads outside the site, or that two things claim."""


class InTheWay(RuntimeError):
    """Something that was not built stands where a file of the site goes; the message names it."""


class Writer:
    """One build of the site in `work / "html"`; use it as a context, and `commit` at its end."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.site = work / SITE
        self._staged = work / STAGED
        self._manifest: dict[str, Known] = {}
        self._next: dict[str, Known] = {}
        self._folded: dict[str, str] = {}
        self._changed: list[str] = []
        self._folders: set[str] = set()

    def __enter__(self) -> Writer:
        self.work.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(locked(self.work / LOCK))
            finish_commit(self.work)
            shutil.rmtree(self._staged, ignore_errors=True)
            self._manifest = _load_manifest(self.work)
            self._on_disk = dict(_scan(self.site, ""))
            self._held = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._held:
            if not (self.work / JOURNAL).exists():  # else the next build moves what is staged
                shutil.rmtree(self._staged, ignore_errors=True)

    def put(self, url: str, content: str | bytes) -> None:
        """The file at `url` is to hold `content`; raises `BadAddress`."""
        data = content.encode("utf-8") if isinstance(content, str) else content
        self._claim(url)
        if self._holds_already(url, data):
            self._next[url] = self._manifest[url]
            return
        self._next[url] = self._stage(url, data)
        self._changed.append(url)

    def keep(self, url: str) -> bool:
        """Whether the file at `url` is still as written last time; if so it stays."""
        if not self.is_intact(url):
            return False
        self._claim(url)
        self._next[url] = self._manifest[url]
        return True

    def is_intact(self, url: str) -> bool:
        """Whether the file at `url` is still as the last build wrote it."""
        known = self._manifest.get(url)
        return known is not None and self._on_disk.get(url) == (known.size, known.time)

    def holds(self, url: str) -> bool:
        """Whether this build has a file at `url`, whatever the case of its letters."""
        return url.casefold() in self._folded

    def commit(self) -> Written:
        """Move what changed into place, and remove what is gone; raises `InTheWay`."""
        gone = tuple(sorted(self._manifest.keys() - self._next.keys()))
        moves = tuple(sorted(self._changed, key=lambda url: (url.endswith(".html"), url)))
        if moves or gone:
            self._check_ways(moves, gone)
            journal = Journal(moves=moves, removals=gone, manifest=self._next)
            write_whole(self.work / JOURNAL, msgspec.json.encode(journal))
            _finish(self.work, journal)
        return Written(written=moves, unchanged=len(self._next) - len(moves), removed=gone)

    def _holds_already(self, url: str, data: bytes) -> bool:
        """Whether the last build wrote just this."""
        if not self.is_intact(url) or self._manifest[url].size != len(data):
            return False
        try:
            return Path(self.site, url).read_bytes() == data
        except OSError:
            return False

    def _claim(self, url: str) -> None:
        if not _INSIDE.fullmatch(url):
            raise BadAddress(f"{url!r} is no address inside the site")
        folded = url.casefold()
        rival = self._folded.setdefault(url if folded == url else folded, url)
        if rival != url or url in self._next:
            raise BadAddress(f"two pages claim the address {url!r}, or differ by case alone")

    def _check_ways(self, moves: Iterable[str], gone: Iterable[str]) -> None:
        """See before anything is moved that everything can be."""
        stays = self._on_disk.keys() - set(gone)
        folders_there = {folder for url in stays for folder in _folders_of(url)}
        ways = {folder for url in moves for folder in _folders_of(url)}
        for place in ("", *sorted(ways)):
            found = self.site / place
            if found.is_symlink() if place else os.path.lexists(found) and not found.is_dir():
                raise InTheWay(f"{found} is no folder of the site; move it away")
        for url in sorted((ways & stays) | (folders_there & set(moves))):
            raise InTheWay(f"{self.site / url} was not built here; move it away")

    def _stage(self, url: str, data: bytes) -> Known:
        place = f"{self._staged}/{url}"
        folder = place.rpartition("/")[0]
        if folder not in self._folders:
            os.makedirs(folder, exist_ok=True)
            self._folders.add(folder)
        handle = os.open(
            place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644
        )
        try:
            _write_all(handle, data)
        finally:
            os.close(handle)
        # Windows and network disks settle a file's time when it is closed.
        return Known(size=len(data), time=os.stat(place).st_mtime_ns)


def finish_commit(work: Path) -> None:
    """Finish the commit that a stopped build left behind, if there is one."""
    journal = _load_journal(work)
    if journal is None:
        return
    _finish(work, journal)


def _finish(work: Path, journal: Journal) -> None:
    staged, site = work / STAGED, work / SITE
    if staged.exists() and not site.exists():
        staged.rename(site)
    else:
        _make_room(site, staged, journal)
        _move(staged, site, journal.moves)
    _remove(site, journal)
    write_whole(work / MANIFEST, msgspec.json.encode(journal.manifest))
    (work / JOURNAL).unlink()


def _load_journal(work: Path) -> Journal | None:
    """The journal, if there is one; one that cannot be read is dropped: the next build mends."""
    try:
        journal = msgspec.json.decode((work / JOURNAL).read_bytes(), type=Journal)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError:
        journal = None
    if journal is None or not all(map(_INSIDE.fullmatch, (*journal.moves, *journal.removals))):
        (work / JOURNAL).unlink()
        return None
    return journal


def _make_room(site: Path, staged: Path, journal: Journal) -> None:
    """Remove what stands in the way: names of another case, files where folders go."""
    moving = {url.casefold(): url for url in journal.moves if (staged / url).exists()}
    above = {part.casefold() for url in moving for part in _folders_of(url)}
    for url in journal.removals:
        names = {url.casefold(), *(part.casefold() for part in _folders_of(url))}
        if url.casefold() in above or not names.isdisjoint(moving):
            _remove_file(site, url)
    for url in moving.values():
        if os.path.isdir(f"{site}/{url}"):
            _remove_empty(site / url)


def _move(staged: Path, site: Path, moves: tuple[str, ...]) -> None:
    for folder in sorted({url.rpartition("/")[0] for url in moves}):
        os.makedirs(site / folder, exist_ok=True)
    for url in moves:
        # What is no longer staged was moved before the build was killed.
        with suppress(FileNotFoundError):
            _replace(f"{staged}/{url}", f"{site}/{url}")


def _replace(source: str, target: str) -> None:
    """Move a file over another, also to another disk, where the site is a link to a folder."""
    try:
        os.replace(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.copy2(source, f"{target}.draft")
        os.replace(f"{target}.draft", target)
        os.unlink(source)


def _remove(site: Path, journal: Journal) -> None:
    kept = {url.casefold() for url in journal.manifest}
    for url in journal.removals:
        if url.casefold() not in kept:
            _remove_file(site, url)


def _remove_file(site: Path, url: str) -> None:
    """Remove a file, and the folders that it leaves empty; what a link leads to stays."""
    if any((site / folder).is_symlink() for folder in _folders_of(url)):
        return
    with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError):
        (site / url).unlink()
    for folder in reversed(list(_folders_of(url))):
        try:
            (site / folder).rmdir()
        except OSError:
            return


def _remove_empty(folder: Path) -> None:
    """Remove a folder of nothing but folders."""
    for place, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):
            os.rmdir(place)


def _folders_of(url: str) -> Iterator[str]:
    parts = url.split("/")[:-1]
    for end in range(1, len(parts) + 1):
        yield "/".join(parts[:end])


def _scan(folder: Path | str, prefix: str) -> Iterator[tuple[str, tuple[int, int]]]:
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _scan(entry.path, f"{prefix}{entry.name}/")
            else:
                state = entry.stat(follow_symlinks=False)
                yield prefix + entry.name, (state.st_size, state.st_mtime_ns)


def _load_manifest(work: Path) -> dict[str, Known]:
    try:
        known = msgspec.json.decode((work / MANIFEST).read_bytes(), type=dict[str, Known])
    except (FileNotFoundError, msgspec.DecodeError):
        return {}
    return known if all(map(_INSIDE.fullmatch, known)) else {}


def site_stamp(work: Path) -> str:
    """A digest of the files of the site as the last commit left them; empty before the first."""
    try:
        return hashlib.blake2b((work / MANIFEST).read_bytes(), digest_size=12).hexdigest()
    except FileNotFoundError:
        return ""


def is_whole(work: Path, stamp: str) -> bool:
    """Whether the site is, file for file, what the commit with this stamp left."""
    if (work / JOURNAL).exists() or site_stamp(work) != stamp:
        return False
    on_disk = dict(_scan(work / SITE, ""))
    known = _load_manifest(work)
    return bool(known) and all(on_disk.get(url) == (k.size, k.time) for url, k in known.items())


def write_whole(place: Path, data: bytes) -> None:
    """Write a file so that a reader finds the old bytes or the new, never a part."""
    draft = place.with_name(place.name + ".draft")
    draft.write_bytes(data)
    os.replace(draft, place)


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
