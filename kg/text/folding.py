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


def folded_words(text: str) -> list[str]:
    """The words of a text, in lower case: letters, digits and combining marks, not all of which
    `\\w` matches.
    """
    normalized = unicodedata.normalize("NFC", text.casefold())
    characters = (c if unicodedata.category(c)[0] in "LMN" else " " for c in normalized)
    return "".join(characters).split()


def fold_title(title: str) -> str:
    """A title in a form that is equal for titles with the same words."""
    return " ".join(folded_words(title))
