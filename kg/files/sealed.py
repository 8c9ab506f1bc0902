"""Sealed files: one that was damaged, cut short or written by another release counts as none.

A seal tells damage, not forgery: what keeps strangers out is where the files are (`remembered`).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from kg.files.remembered import DRAFT

MAGIC = b"kg-sealed\x01"
MARK = 16  # bytes that say what the rest was made from, to be compared before that is read
SUM = 32
NO_MARK = bytes(MARK)
Kept = TypeVar("Kept")


def read_sealed(place: Path | None, kind: str, mark: bytes = NO_MARK) -> bytes | None:
    """What was sealed at `place` as this `kind` under this `mark`, if it is whole."""
    if place is None:
        return None
    try:
        with place.open("rb") as file:
            if file.read(len(MAGIC) + MARK) != MAGIC + mark:
                return None
            sum, payload = file.read(SUM), file.read()
    except (OSError, ValueError):
        return None
    return payload if sum == _sum(kind, mark, payload) else None


def recall(
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
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=DRAFT)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines((MAGIC, mark, _sum(kind, mark, payload), payload))
        os.replace(name, place)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            return False
        raise
    return True


def _sum(kind: str, mark: bytes, payload: bytes) -> bytes:
    whole = blake2b(mark, digest_size=SUM, person=kind.encode())
    whole.update(payload)
    return whole.digest()
