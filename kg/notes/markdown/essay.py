"""The prose of an inquiry line: its standfirst, and its essay without emptied sections."""

from __future__ import annotations

from kg.notes.markdown import inline
from kg.notes.markdown.parts import Body, Part


def split_essay(body: Body, part: Part) -> tuple[str, str]:
    """The first paragraph, and the rest; headings go whose sections held only edges."""
    _cut_empty_sections(body, part)
    text = body.text_of(part)
    first, _, rest = text.partition("\n\n")
    return ("", text) if first.startswith("#") else (inline.tidy(first), rest.strip())


def _cut_empty_sections(body: Body, part: Part) -> None:
    """Cut each heading that nothing follows before the next one of its level or above."""
    until, deeper = part.end, 0
    for start, end, level in reversed(body.headings):
        empty = not _left(body.text, end, until, part.cuts).strip()
        if empty and deeper <= level:
            part.cuts.append((start, end))
        else:
            until, deeper = start, level


def _left(text: str, start: int, end: int, cuts: list[tuple[int, int]]) -> str:
    """What the cuts leave of a stretch of text."""
    left = []
    for begin, stop in sorted(cuts):
        if stop > start and begin < end:
            left.append(text[start : max(begin, start)])
            start = max(stop, start)
    return "".join([*left, text[start:end]])
