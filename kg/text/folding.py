"""The forms in which names are compared."""

from __future__ import annotations

import unicodedata


def compose_accents(name: str) -> str:
    """`name` with each accent in its letter (NFC); macOS and some editors part them (NFD)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def fold_name(name: str) -> str:
    """A name as names are compared of which neither case nor the way of writing accents tells
    apart: titles, and paths on most disks.
    """
    return compose_accents(name).casefold()
