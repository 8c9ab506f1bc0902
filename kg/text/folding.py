"""The forms in which names are compared."""

from __future__ import annotations

import unicodedata


def compose_accents(name: str) -> str:
    """`name` with accents composed (NFC); macOS and some editors decompose them (NFD)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name)


def fold_name(name: str) -> str:
    """A name in the form for comparisons that ignore case and the encoding of accents: of titles,
    and of paths on most file systems.
    """
    return compose_accents(name).casefold()
