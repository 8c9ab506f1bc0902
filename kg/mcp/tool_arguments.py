"""Arguments of tools, checked."""

from __future__ import annotations

from kg.model.errors import Misuse


def require_text(name: str, text: str) -> str:
    """The text of the argument `name`; raises `Misuse` if it is blank."""
    if not text.strip():
        raise Misuse(f"`{name}` is empty")
    return text
