"""Where marks are repeated beside the body of a note: `tests.fuzz.growth --place NAME`.

Settings are none of them: beyond 64 KiB they are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Files = Mapping[str, bytes]
NOTE = "naps-help.md"
BEGIN = b"---\ntype: claim\ncamp: optimist\n"
HEAD = BEGIN + b"---\n\n# Naps help\n\n"


def _note(before: bytes, after: bytes = b"\n", line_end: bytes = b" ") -> Callable[[bytes], Files]:
    """A note that holds what is repeated in one place; `line_end` keeps its lines there."""
    return lambda fill: {NOTE: before + fill.replace(b"\n", line_end) + after}


def _string(before: bytes, after: bytes) -> Callable[[bytes], bytes]:
    """What is repeated within a quoted string."""

    def quote(fill: bytes) -> bytes:
        for sign, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
            fill = fill.replace(sign, escaped)
        return before + fill + after

    return quote


def _entry(fill: bytes) -> Files:
    entry = b"@book{many, title={" + fill + b"}, author={" + fill + b"}, year={2020}}\n"
    return {"many.bib": entry, NOTE: HEAD + b"So. [@many]\n"}


PLACES: Mapping[str, Callable[[bytes], Files]] = {
    "body": lambda fill: {NOTE: HEAD + fill},
    "heading": _note(HEAD + b"## ", b"\n\nSo.\n"),
    "title": _note(BEGIN + b"---\n\n# ", b"\n\nSo.\n"),
    "reason": _note(HEAD + b"- supports:: [[nights-suffer]] \xe2\x80\x94 "),
    "second line of a reason": _note(
        HEAD + b"- supports:: [[nights-suffer]] \xe2\x80\x94 so\n  ", b"\n", b"\n  "
    ),
    "list item": _note(HEAD + b"- ", b"\n", b"\n  "),
    "callout": _note(HEAD + b"> [!evidence] Seen ^seen\n> ", b"\n", b"\n> "),
    "table cell": _note(HEAD + b"| a | b |\n| - | - |\n| c | ", b" |\n"),
    "front matter": lambda fill: {
        NOTE: _string(BEGIN + b'open: "', b'"\n---\n\n# Naps help\n\nSo.\n')(fill)
    },
    "entry": _entry,
}
"""By name: the files of a corpus in which what is repeated stands in this place."""
QUESTION = "question"
"""A place in no file: the text of a question."""
