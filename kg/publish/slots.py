"""Short numbers for documents that hardly move when others come and go."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

# In the order of their codes, so that sorted texts are sorted numbers.
DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
ROOM = 4
SMALLEST = 256


def room_for(count: int) -> int:
    """How many slots there are for `count` documents: a power of two, at least four times that."""
    return max(SMALLEST, 1 << (count * ROOM - 1).bit_length())


def width_of(room: int) -> int:
    """How many digits write any slot, those past the end included."""
    width = 1
    while BASE**width < room * 2:
        width += 1
    return width


def assign(names: Iterable[str], room: int) -> dict[str, int]:
    """A slot for each name: its hash, or the next free one. Depends on the names alone."""
    wanted = sorted((_home(name, room), name) for name in names)
    slots: dict[str, int] = {}
    last = -1
    for home, name in wanted:
        last = max(home, last + 1)
        slots[name] = last
    return slots


def encode(number: int, width: int) -> str:
    """`number` in `width` digits."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, BASE)
        digits.append(DIGITS[rest])
    return "".join(reversed(digits))


def _home(name: str, room: int) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest()) % room
