"""A number for each document, which hardly changes while others come and go, and its digits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

# In code point order, so that sorted strings are sorted numbers.
DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
BASE = len(DIGITS)
SLOTS_PER_DOCUMENT = 3  # so that most documents get the slot of their hash
SMALLEST = 256  # slots


def capacity_for(count: int) -> int:
    """The number of slots for `count` documents: a power of two, at least three times as many."""
    return max(SMALLEST, 1 << (count * SLOTS_PER_DOCUMENT - 1).bit_length())


def digits_needed(capacity: int) -> int:
    """The number of digits for any slot, including those past the end."""
    width = 1
    while BASE**width < capacity * 2:
        width += 1
    return width


def assign_slots(names: Iterable[str], capacity: int) -> dict[str, int]:
    """A slot for each name, in order: its hash, or the next free one; depends only on the names."""
    names_by_first_slot = sorted((_first_slot(name, capacity), name) for name in names)
    slots: dict[str, int] = {}
    last = -1
    for home, name in names_by_first_slot:
        last = max(home, last + 1)
        slots[name] = last
    return slots


def encode_number(number: int, width: int) -> str:
    """`number` in `width` digits."""
    digits = []
    for _ in range(width):
        number, rest = divmod(number, BASE)
        digits.append(DIGITS[rest])
    return "".join(reversed(digits))


def _first_slot(name: str, capacity: int) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode("utf-8"), digest_size=8).digest()) % capacity
