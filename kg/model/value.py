"""The base of every record: frozen, compared by content, shown safely, cheap to make."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

StatementId = str
SourceKey = str
LineId = str
EdgeId = str
CampId = str


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A record that never changes after it is made."""


LONGEST = 90


def render_short(kind: str, name: str, said: str = "") -> str:
    """A record in one line: `<claim naps-help: A short nap helps …>`."""
    words = " ".join(said.split())
    words = words if len(words) <= LONGEST else f"{words[: LONGEST - 1].rstrip()}…"
    return f"<{kind} {name}{': ' if words else ''}{words}>"


def render_card(title: str, name: str, facts: tuple[str, ...], body: str = "") -> str:
    """A record as HTML; whatever it holds is text."""
    from html import escape

    line = " · ".join(escape(fact) for fact in facts if fact)
    text = f"<p>{escape(body)}</p>" if body else ""
    return f"<p><strong>{escape(title)}</strong><br><code>{escape(name)}</code> {line}</p>{text}"


def printable(text: str) -> str:
    """`text` without control characters, which a terminal would obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "�" for c in text)


@contextmanager
def no_collection() -> Iterator[None]:
    """Pause the garbage collector, for what makes many values and no cycles: scans cost half."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
