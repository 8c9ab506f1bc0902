"""Words of a text that are to be written otherwise, as edits at their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kg.model import Edit, Fix, Span
from kg.model.value import fix_at


def find_fix(text: str, at: int, old: str, new: str, span: Callable[[int], Span]) -> Fix | None:
    """The fix that puts `new` in place of `old`, in any case, where it first stands behind `at`.

    None where it does not stand in that paragraph as it was read.
    """
    if not old:
        return None
    end = text.find("\n\n", at)
    part = text[at : len(text) if end < 0 else end]
    begin = part.find(old)
    if begin < 0:
        begin = part.casefold().find(old.casefold()) if part.isascii() else -1
    if begin < 0:
        return None
    return fix_at(span(at + begin), part[begin : begin + len(old)], new)


def fix_in_text(text: str, place: Span, old: str, new: str) -> Fix | None:
    """As `find_fix`, for words at or behind `place` in a whole file."""
    lines = text.split("\n")
    at = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1

    def span(at: int) -> Span:
        return Span(place.path, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))

    return find_fix(text, at, old, new, span)


def with_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text`, the whole of one file, with edits of that file made; they do not overlap."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
        begin = starts[edit.line - 1] + edit.column - 1
        end = starts[edit.end_line - 1] + edit.end_column - 1
        text = text[:begin] + edit.text + text[end:]
    return text
