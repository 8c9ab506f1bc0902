"""What a case of the hostile vault is: a folder's content by name, and what is said of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

CLAIM = "---\ntype: claim\ncamp: skeptic\ntopics: [sleep]\n---\n\n# Naps help\n\nThey do. [@doe]\n"
OTHER = "---\ntype: claim\ncamp: optimist\n---\n\n# Rest is enough\n\n- contradicts:: [[naps]]\n"
LINE = (
    "---\ntype: line\nproposition: naps\n---\n\n# Do naps help?\n\nAsked.\n\n- skeptic:: [[naps]]\n"
)
SOURCE = "---\ntype: source\n---\n\n# On naps\n\nA book.\n"
PLAIN: Mapping[str, str] = {
    "notes/naps.md": CLAIM,
    "notes/rest.md": OTHER,
    "notes/line.md": LINE,
    "notes/doe.md": SOURCE,
}
BAD = "notes/bad.md"
SECRET = "what-the-reader-keeps-to-himself"
"""It stands in files around the vault, and nothing that is made of the vault may hold it."""


class Case(NamedTuple):
    """A vault that somebody made to do harm.

    `files` stand beside those of `PLAIN`, or in their place; `message` has words that `kg check`
    has to say of it. Where `refused`, they are words of the one message that every command ends with.
    """

    name: str
    files: Mapping[str, str | bytes] = {}
    message: str = ""
    refused: str = ""
    prepare: Callable[[Path], None] | None = None
    rights: bool = False  # whether the case is about rights, which root has all of

    @property
    def is_note(self) -> bool:
        """Whether all of it is one note, of which others are none the worse."""
        return self.prepare is None and [*self.files] == [BAD]

    def write(self, top: Path) -> None:
        """Make the vault; raises `OSError` where the system has no such names or files."""
        for name, text in {**PLAIN, **self.files}.items():
            place = top / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text if isinstance(text, bytes) else os.fsencode(text))
        if self.prepare:
            self.prepare(top)


def claim(head: str = "", body: str = "Said.", title: str = "A title") -> str:
    """A claim with more front matter, and a body."""
    return f"---\ntype: claim\ncamp: skeptic\n{head}---\n\n# {title}\n\n{body}\n"
