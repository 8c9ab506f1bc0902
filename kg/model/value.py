"""The base of every record, its rendering in one line or as a card, and its place in a file."""

from __future__ import annotations

from html import escape

import msgspec

StatementId = str
SourceKey = str
LineId = str
EdgeId = str
CampId = str
RecordId = str  # the id of any record: a statement, a line, a source or an edge
MAX_SHORT_TITLE_CHARACTERS = 90  # characters of a title in one line


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record that never changes after it is made."""


def render_short(kind: str, name: str, text: str) -> str:
    """A record in one line: `<claim naps-help: A short nap helps …>`."""
    words = " ".join(text.split())
    if len(words) > MAX_SHORT_TITLE_CHARACTERS:
        words = f"{words[: MAX_SHORT_TITLE_CHARACTERS - 1].rstrip()}…"
    return f"<{kind} {name}{': ' if words else ''}{words}>"


def render_card(title: str, name: str, facts: tuple[str, ...], body: str = "") -> str:
    """A record as HTML, with its content escaped."""
    facts_text = " · ".join(escape(fact) for fact in facts if fact)
    text = f"<p>{escape(body)}</p>" if body else ""
    return (
        f"<p><strong>{escape(title)}</strong><br><code>{escape(name)}</code> {facts_text}</p>{text}"
    )


class Span(msgspec.Struct, frozen=True, order=True, array_like=True):
    """A place in a file: path relative to the notes folder, line and column from 1."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"
