"""Where what a run leaves to the next is kept: in the user's own cache folder, never in the notes'.

A folder may come from somebody else, with anything in it. So what an earlier run found out about
a folder stands outside of it, in its own directory that only the user may enter.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import TypeVar

import msgspec
from platformdirs import user_cache_path

CACHE_VARIABLE = "KG_CACHE_DIR"
OWNER_FILE = "folder"  # the file of a state folder that names the folder it is about
PENDING_CHANGE = "change-pending"  # the one that tells of a change of notes that is not whole
DRAFT_PREFIX = "draft-"
SECONDS_PER_DAY = 24 * 3600.0
UNUSED_SECONDS = 30 * SECONDS_PER_DAY  # then what is kept of a folder that is gone goes, too
MAX_READABLE_NAME_CHARACTERS = 40  # characters of a state folder's name that are for people
_UNREADABLE = re.compile(r"[^A-Za-z0-9._-]+")


def cache_root() -> Path | None:
    """The folder of all state folders: `KG_CACHE_DIR`, else the system's; None if there is none.

    A relative one would lie in the folder that a command happens to be run in, so it is not used.
    """
    given = os.environ.get(CACHE_VARIABLE)
    try:
        root = Path(given) if given else user_cache_path("kg", appauthor=False)
    except (OSError, RuntimeError):  # nobody knows where the user's home is
        return None
    return root if root.is_absolute() else None


def state_folder(folder: str | os.PathLike[str]) -> Path | None:
    """The folder for what is known of `folder`, made if need be; None where nothing can be kept."""
    root, whole = cache_root(), os.path.normcase(os.path.realpath(folder))
    if root is None:
        return None
    state_dir, about = root / _name(whole), os.fsencode(whole)
    try:
        is_new = _enter(state_dir)
        if is_new:
            _prune(root)
            write_whole(state_dir / OWNER_FILE, about)
        elif (state_dir / OWNER_FILE).read_bytes() != about:
            return None
        elif (state_dir / OWNER_FILE).stat().st_mtime < time.time() - SECONDS_PER_DAY:
            os.utime(state_dir / OWNER_FILE)
            _sweep(state_dir)
    except (OSError, ValueError):
        return None
    return state_dir


def shared_state_folder(name: str) -> Path | None:
    """The folder for what belongs to no other; None where nothing can be kept."""
    root = cache_root()
    if root is None:
        return None
    try:
        _enter(root / name)
    except (OSError, ValueError):
        return None
    return root / name


def _name(whole: str) -> str:
    """A name for the state folder of a folder: two words for people, and a digest that decides."""
    path = Path(whole)
    words = _UNREADABLE.sub("-", f"{path.parent.name}-{path.name}").strip("-.")
    digest = blake2b(os.fsencode(whole), digest_size=16).hexdigest()
    return f"{words[-MAX_READABLE_NAME_CHARACTERS:]}-{digest}"


def _enter(state_dir: Path) -> bool:
    """Make the folder if there is none, and say so; raises `OSError` where it is not ours alone."""
    try:
        state_dir.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        state_dir.mkdir(mode=0o700)
    except FileExistsError:
        found = state_dir.lstat()
        if not state_dir.is_dir() or state_dir.is_symlink() or not os.access(state_dir, os.W_OK):
            raise
        if os.name == "posix" and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
            raise
        return not (state_dir / OWNER_FILE).exists()
    return True


def write_whole(place: Path, *data: bytes) -> None:
    """Write a file that another process finds whole or not at all; what fails leaves no draft."""
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=DRAFT_PREFIX)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(data)
        os.replace(name, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _sweep(state_dir: Path) -> None:
    """Remove drafts that a stopped run left."""
    for place in state_dir.glob(f"{DRAFT_PREFIX}*"):
        with suppress(OSError):
            if place.stat().st_mtime < time.time() - SECONDS_PER_DAY:
                place.unlink()


def _prune(root: Path) -> None:
    """Remove the state folders of folders that are gone, once nobody has used them for a month.

    `KG_CACHE_DIR` may hold other folders, with files of any name: a state folder
    has the name that it must.
    """
    for state_dir in root.iterdir():
        with suppress(OSError):
            about = state_dir / OWNER_FILE
            state = about.stat()
            is_old = state.st_mtime < time.time() - UNUSED_SECONDS
            if not is_old or not stat.S_ISREG(state.st_mode):  # a pipe would be waited for
                continue
            if state_dir.name != _name(os.fsdecode(whole := about.read_bytes())):
                continue
            if not os.path.lexists(whole):
                shutil.rmtree(state_dir, ignore_errors=True)


MAGIC = b"kg-sealed\x01"
MARK_SIZE = 16  # bytes: they say what the rest was made from, to be compared before that is read
SUM_SIZE = 32  # bytes
NO_MARK = bytes(MARK_SIZE)
Kept = TypeVar("Kept")


def read_sealed(place: Path | None, kind: str, mark: bytes = NO_MARK) -> bytes | None:
    """What was sealed at `place` as this `kind` under this `mark`, if it is whole."""
    if place is None:
        return None
    try:
        with place.open("rb") as file:
            if file.read(len(MAGIC) + MARK_SIZE) != MAGIC + mark:
                return None
            sum, payload = file.read(SUM_SIZE), file.read()
    except (OSError, ValueError):
        return None
    return payload if sum == checksum(kind, mark, payload) else None


def read_sealed_as(
    place: Path | None, kind: str, decode: Callable[[bytes], Kept], mark: bytes = NO_MARK
) -> Kept | None:
    """What `decode` makes of the sealed file; None where there is none, or it makes nothing."""
    payload = read_sealed(place, kind, mark)
    if payload is None:
        return None
    try:
        return decode(payload)
    except Exception:
        # Whatever the bytes of another release do to a decoder: what is kept is never needed.
        return None


def write_sealed(place: Path | None, kind: str, payload: bytes, mark: bytes = NO_MARK) -> bool:
    """Seal `payload` at `place`, and say whether that could be done.

    A reader finds the old file or the new one, never a part.
    """
    if place is None:
        return False
    try:
        write_whole(place, MAGIC, mark, checksum(kind, mark, payload), payload)
    except OSError:
        return False
    return True


def checksum(kind: str, mark: bytes, payload: bytes) -> bytes:
    """The sum of what is sealed as this `kind` under this `mark`."""
    whole = blake2b(mark, digest_size=SUM_SIZE, person=kind.encode())
    whole.update(payload)
    return whole.digest()


_SIZE_SIZE = 8  # bytes: how long the list of parts is
_HEAD_SIZE = len(MAGIC) + MARK_SIZE + SUM_SIZE + _SIZE_SIZE
_MAX_LIST_BYTES = 16 * 1024 * 1024  # bytes: the list of some 400,000 parts
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_CAN_STAY_OPEN = os.name == "posix"  # elsewhere nobody could replace the file meanwhile

_Sums = list[tuple[int, bytes]]
_encode = msgspec.msgpack.Encoder().encode
_decode_sums = msgspec.msgpack.Decoder(_Sums).decode


class SealedParts:
    """The parts of one sealed file, as it was when it was opened.

    It stays open, so that another process may put a new file in its place.
    """

    def __init__(self, handle: int, sums: _Sums, begin: int, whole: bytes | None) -> None:
        self._handle, self._sums, self._whole = handle, sums, whole
        self._starts = [*accumulate((size for size, _ in sums), initial=begin)]

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self._handle)

    def __len__(self) -> int:
        return len(self._sums)

    def part(self, number: int) -> bytes | None:
        """One part; None if its sum does not match, so that it is not as it was sealed."""
        (size, sum), start = self._sums[number], self._starts[number]
        try:
            part = self._bytes_at(start, size)
        except OSError:
            return None
        return part if _sum_of(part) == sum else None

    def _bytes_at(self, start: int, size: int) -> bytes:
        if self._whole is not None:
            return self._whole[start : start + size]
        chunks = []
        while chunk := os.pread(self._handle, size, start) if size else b"":
            chunks.append(chunk)
            start, size = start + len(chunk), size - len(chunk)
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)


def open_sealed_parts(place: Path, kind: str, mark: bytes) -> SealedParts | None:
    """What was sealed at `place` as this `kind` under this `mark`.

    The list of parts is whole; each of them may yet turn out to be damaged.
    """
    try:
        handle = os.open(place, _FLAGS)
    except (OSError, ValueError):
        return None
    with suppress(OSError, msgspec.DecodeError):
        head = os.read(handle, _HEAD_SIZE)
        given, length = head[:-_SIZE_SIZE], int.from_bytes(head[-_SIZE_SIZE:], "big")
        listed = os.read(handle, length) if length <= _MAX_LIST_BYTES else b""
        if given == MAGIC + mark + checksum(kind, mark, listed):
            sums, whole = _decode_sums(listed), None if _CAN_STAY_OPEN else place.read_bytes()
            return SealedParts(handle, sums, _HEAD_SIZE + length, whole)
    os.close(handle)
    return None


def write_sealed_parts(place: Path, kind: str, parts: Sequence[bytes], mark: bytes) -> bool:
    """Seal `parts` at `place`, and say whether that could be done; a reader finds the old file or
    the new one.
    """
    listed = _encode([(len(part), _sum_of(part)) for part in parts])
    size = len(listed).to_bytes(_SIZE_SIZE, "big")
    try:
        write_whole(place, MAGIC, mark, checksum(kind, mark, listed), size, listed, *parts)
    except OSError:
        return False
    return True


def _sum_of(part: bytes) -> bytes:
    return blake2b(part, digest_size=SUM_SIZE).digest()
