"""State between runs, stored in the user's cache folder, never in the notes folder.

A notes folder may come from somebody else, with anything in it. So what earlier runs found out
about it is stored outside of it, in a directory that only the user can access.
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
from typing import BinaryIO, NamedTuple, TypeVar

import msgspec
from platformdirs import user_cache_path

CACHE_VARIABLE = "KG_CACHE_DIR"
OWNER_FILE = "folder"  # the file in a state folder that names its subject
STAGING_PREFIX = "draft-"
SECONDS_PER_DAY = 24 * 3600.0
UNUSED_SECONDS = 30 * SECONDS_PER_DAY  # then the state of a folder that is missing is removed
MAX_READABLE_NAME_CHARACTERS = 40  # the readable part of a state folder's name
_UNREADABLE = re.compile(r"[^A-Za-z0-9._-]+")
SEAL_PREFIX = b"kg-sealed\x01"
FINGERPRINT_SIZE = 16  # bytes: identify the input of the payload, to be compared before reading it
SUM_SIZE = 32  # bytes
NO_FINGERPRINT = bytes(FINGERPRINT_SIZE)
_LENGTH_FIELD_BYTES = 8  # bytes for the length of the list of parts
_HEAD_SIZE = len(SEAL_PREFIX) + FINGERPRINT_SIZE + SUM_SIZE + _LENGTH_FIELD_BYTES
_MAX_LIST_BYTES = 16 * 1024 * 1024  # bytes: the list of some 400,000 parts
_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_CAN_STAY_OPEN = os.name == "posix"  # on other systems an open file cannot be replaced


def cache_root() -> Path | None:
    """The folder of all state folders: `KG_CACHE_DIR`, else the system's cache, or None.

    A relative path is not used, as it would depend on the current folder.
    """
    variable = os.environ.get(CACHE_VARIABLE)
    try:
        root = Path(variable) if variable else user_cache_path("kg", appauthor=False)
    except (OSError, RuntimeError):  # the user's home is unknown
        return None
    return root if root.is_absolute() else None


def state_folder(folder: str | os.PathLike[str], root: Path | None = None) -> Path | None:
    """The state folder of `folder`, created if needed; None if there can be none.

    It is in `root`, by default in `cache_root()`.
    """
    root = root or cache_root()
    real_path = os.path.normcase(os.path.realpath(folder))
    if root is None:
        return None
    state_dir = root / _state_folder_name(real_path)
    path_bytes = os.fsencode(real_path)
    try:
        is_new = _create_private_folder(state_dir)
        if is_new:
            _remove_unused_state_folders(root)
            write_atomically(state_dir / OWNER_FILE, path_bytes)
        elif (state_dir / OWNER_FILE).read_bytes() != path_bytes:
            return None
        elif (state_dir / OWNER_FILE).stat().st_mtime < time.time() - SECONDS_PER_DAY:
            os.utime(state_dir / OWNER_FILE)
            _remove_abandoned_files(state_dir)
    except (OSError, ValueError):
        return None
    return state_dir


def shared_state_folder(name: str) -> Path | None:
    """A state folder shared by all corpora; None if there can be none."""
    root = cache_root()
    if root is None:
        return None
    try:
        _create_private_folder(root / name)
    except (OSError, ValueError):
        return None
    return root / name


def _state_folder_name(folder: str) -> str:
    """The name of a folder's state folder: two readable words, and a digest to make it unique."""
    path = Path(folder)
    words = _UNREADABLE.sub("-", f"{path.parent.name}-{path.name}").strip("-.")
    digest = blake2b(os.fsencode(folder), digest_size=16).hexdigest()
    return f"{words[-MAX_READABLE_NAME_CHARACTERS:]}-{digest}"


def _create_private_folder(state_dir: Path) -> bool:
    """Create the folder; True if it is new. Raises `OSError` if others may write to it."""
    try:
        state_dir.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        state_dir.mkdir(mode=0o700)
    except FileExistsError:
        folder_stat = state_dir.lstat()
        if not state_dir.is_dir() or state_dir.is_symlink() or not os.access(state_dir, os.W_OK):
            raise
        others_may_write = folder_stat.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if os.name == "posix" and (folder_stat.st_uid != os.geteuid() or others_may_write):
            raise
        return not (state_dir / OWNER_FILE).exists()
    return True


def write_atomically(path: Path, *data: bytes | memoryview) -> None:
    """Write a file atomically; no staged file is left on failure."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=STAGING_PREFIX)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(data)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _remove_abandoned_files(state_dir: Path) -> None:
    """Remove staged files of stopped runs."""
    for path in state_dir.glob(f"{STAGING_PREFIX}*"):
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - SECONDS_PER_DAY:
                path.unlink()


def _remove_unused_state_folders(root: Path) -> None:
    """Remove state folders of missing folders that have not been used for a month.

    `KG_CACHE_DIR` may hold other folders, with files of any name, so a state folder is recognised
    by its own name.
    """
    for state_dir in root.iterdir():
        with suppress(OSError):
            owner_file = state_dir / OWNER_FILE
            owner_stat = owner_file.stat()
            is_old = owner_stat.st_mtime < time.time() - UNUSED_SECONDS
            if not is_old or not stat.S_ISREG(owner_stat.st_mode):  # reading a pipe would block
                continue
            path_bytes = owner_file.read_bytes()
            if state_dir.name != _state_folder_name(os.fsdecode(path_bytes)):
                continue
            if not os.path.lexists(path_bytes):
                shutil.rmtree(state_dir, ignore_errors=True)


Decoded = TypeVar("Decoded")


class CacheEntry(NamedTuple):
    """A cached file, and the hash of what it was made from."""

    file: Path
    fingerprint: bytes


def read_sealed(path: Path | None, kind: str, fingerprint: bytes = NO_FINGERPRINT) -> bytes | None:
    """The payload sealed at `path` with this kind and fingerprint; None if missing or damaged."""
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            if file.read(len(SEAL_PREFIX) + FINGERPRINT_SIZE) != SEAL_PREFIX + fingerprint:
                return None
            sum = file.read(SUM_SIZE)
            payload = file.read()
    except (OSError, ValueError):
        return None
    return payload if sum == checksum(kind, fingerprint, payload) else None


def read_sealed_as(
    path: Path | None,
    kind: str,
    decode: Callable[[bytes], Decoded],
    fingerprint: bytes = NO_FINGERPRINT,
) -> Decoded | None:
    """The sealed payload, decoded; None if it is missing, damaged or cannot be decoded."""
    payload = read_sealed(path, kind, fingerprint)
    if payload is None:
        return None
    try:
        return decode(payload)
    except Exception:
        # Another release's bytes may raise anything; a cache is optional.
        return None


def write_sealed(
    path: Path | None, kind: str, payload: bytes, fingerprint: bytes = NO_FINGERPRINT
) -> bool:
    """Seal `payload` at `path`; False if that is not possible.

    A reader finds the old file or the new one, never a part.
    """
    if path is None:
        return False
    try:
        write_atomically(
            path, SEAL_PREFIX, fingerprint, checksum(kind, fingerprint, payload), payload
        )
    except OSError:
        return False
    return True


def checksum(kind: str, fingerprint: bytes, payload: bytes) -> bytes:
    """The checksum of a payload sealed with this `kind` and `fingerprint`."""
    digest = blake2b(fingerprint, digest_size=SUM_SIZE, person=kind.encode())
    digest.update(payload)
    return digest.digest()


_PartChecksums = list[tuple[int, bytes]]
_encode = msgspec.msgpack.Encoder().encode
_decode_checksums = msgspec.msgpack.Decoder(_PartChecksums).decode


class SealedParts:
    """The parts of a sealed file as it was when opened.

    It stays open, so that another process may replace the file.
    """

    def __init__(
        self, handle: int, sums: _PartChecksums, first_offset: int, file_bytes: bytes | None
    ) -> None:
        self._handle = handle
        self._sums = sums
        self._file_bytes = file_bytes
        self._starts = [*accumulate((size for size, _ in sums), initial=first_offset)]

    def __del__(self) -> None:
        with suppress(OSError):
            os.close(self._handle)

    def __len__(self) -> int:
        return len(self._sums)

    def part(self, number: int) -> bytes | None:
        """Read one part; None if its checksum does not match."""
        size, sum = self._sums[number]
        start = self._starts[number]
        try:
            part = self._bytes_at(start, size)
        except OSError:
            return None
        return part if part_checksum(part) == sum else None

    def _bytes_at(self, start: int, size: int) -> bytes:
        if self._file_bytes is not None:
            return self._file_bytes[start : start + size]
        chunks = []
        while chunk := os.pread(self._handle, size, start) if size else b"":
            chunks.append(chunk)
            start = start + len(chunk)
            size = size - len(chunk)
        return b"".join(chunks)


def open_sealed_parts(path: Path, kind: str, fingerprint: bytes) -> SealedParts | None:
    """The parts sealed at `path` with this `kind` and `fingerprint`; None if there are none.

    Only the list of parts is verified so far; a part may still turn out to be damaged.
    """
    try:
        handle = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    with suppress(OSError, msgspec.DecodeError):
        head = os.read(handle, _HEAD_SIZE)
        seal = head[:-_LENGTH_FIELD_BYTES]
        length_field = head[-_LENGTH_FIELD_BYTES:]
        length = int.from_bytes(length_field, "big")
        list_bytes = os.read(handle, length) if length <= _MAX_LIST_BYTES else b""
        if seal == SEAL_PREFIX + fingerprint + checksum(kind, fingerprint, list_bytes):
            sums = _decode_checksums(list_bytes)
            file_bytes = None if _CAN_STAY_OPEN else path.read_bytes()
            return SealedParts(handle, sums, _HEAD_SIZE + length, file_bytes)
    os.close(handle)
    return None


class PartsWriter:
    """Gathers parts in a file, each once, to be sealed with the head that is known last."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self._sums: _PartChecksums = []
        self._starts = [0]
        self._numbers: dict[bytes, int] = {}

    def keep(self, part: bytes) -> int:
        """Write a part, unless it has been written, and return its number, from 1."""
        sum = part_checksum(part)
        if sum not in self._numbers:
            self._sums.append((len(part), sum))
            self._starts.append(self._starts[-1] + self.file.write(part))
            self._numbers[sum] = len(self._sums)
        return self._numbers[sum]

    def part(self, number: int) -> bytes:
        """A part that has been written."""
        self.file.seek(self._starts[number - 1])
        part = self.file.read(self._sums[number - 1][0])
        self.file.seek(0, os.SEEK_END)
        return part

    def head(self, kind: str, first_part: bytes, fingerprint: bytes) -> bytes:
        """Return the head of a sealed file, which comes before these parts; the first part has the
        number 0.
        """
        sums = [(len(first_part), part_checksum(first_part)), *self._sums]
        return head_of_parts(kind, sums, fingerprint) + first_part


def write_sealed_parts(path: Path, kind: str, parts: Sequence[bytes], fingerprint: bytes) -> bool:
    """Seal `parts` at `path` atomically; False if that is not possible."""
    sizes_and_sums = [(len(part), part_checksum(part)) for part in parts]
    try:
        write_atomically(path, head_of_parts(kind, sizes_and_sums, fingerprint), *parts)
    except OSError:
        return False
    return True


def head_of_parts(
    kind: str, sizes_and_sums: Sequence[tuple[int, bytes]], fingerprint: bytes
) -> bytes:
    """Return the head of a sealed file whose parts have these sizes and checksums."""
    list_bytes = _encode(sizes_and_sums)
    size = len(list_bytes).to_bytes(_LENGTH_FIELD_BYTES, "big")
    return SEAL_PREFIX + fingerprint + checksum(kind, fingerprint, list_bytes) + size + list_bytes


def part_checksum(part: bytes) -> bytes:
    """Without the kind and fingerprint of its file, whose head is summed with them."""
    return blake2b(part, digest_size=SUM_SIZE).digest()
