"""What one note's body is made of: its own share of the text, and that of each callout."""

from __future__ import annotations

import re

import msgspec

from kg.model import Citation, Diagnostic, Kind, Quotation, Relation, Span
from kg.notes.markdown import inline
from kg.notes.parsed import PendingEdge, PendingMention

CALLOUTS: dict[str, tuple[Kind, Relation | None]] = {
    "evidence": (Kind.EVIDENCE, Relation.SUPPORTS),
    "counter-evidence": (Kind.EVIDENCE, Relation.CONTRADICTS),
    "counter-claim": (Kind.COUNTER_CLAIM, Relation.CONTRADICTS),
    "claim": (Kind.CLAIM, None),
}
_GAPS = re.compile(r"\n(?:[ \t]*\n){2,}")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")


class BodyPart(msgspec.Struct):
    """A statement's share of a body: the whole note's (`quote` -1), or one callout's.

    `places` are where the key and the value of each field begin.
    """

    id: str
    quote: int
    start: int
    end: int
    span: Span
    around: int = 0
    depth: int = 0
    callout: str = ""
    title: str = ""
    fields: dict[str, str] = {}
    places: dict[str, tuple[int, int]] = {}
    citations: list[Citation] = []
    quotations: list[Quotation] = []
    cuts: list[tuple[int, int]] = []


class Body(msgspec.Struct):
    """What a body holds; `parts[0]` is the note's own share, the rest are callouts in order.

    `adrift` are edges without a target, their words as the reason; `headings` are places and
    levels of headings outside quotes and lists.
    """

    text: str
    parts: list[BodyPart]
    title: str = ""
    title_span: Span | None = None
    edges: list[PendingEdge] = []
    adrift: list[PendingEdge] = []
    mentions: list[PendingMention] = []
    headings: list[tuple[int, int, int]] = []
    diagnostics: list[Diagnostic] = []

    def span_at(self, at: int) -> Span:
        """Line and column of one place in the text."""
        top = self.parts[0].span
        line = top.line + self.text.count("\n", 0, at)
        return Span(top.path, line, at - self.text.rfind("\n", 0, at))

    def text_of(self, part: BodyPart) -> str:
        """The Markdown of `part` alone: no title, edges, fields or nested statements."""
        whole = self.text
        cuts = part.cuts if len(part.cuts) < 2 else sorted(part.cuts)
        kept = []
        at = part.start
        for start, end in cuts:
            if start > at:
                kept.append(whole[at:start])
            if end > at:
                at = end
        kept.append(whole[at : part.end])
        if part.depth:
            marks = inline.quote_marks(part.depth)
            kept = [marks.sub("", piece) if "\n" in piece else piece for piece in kept]
        text = "".join(kept).strip("\n")
        if "\n\n\n" in text or " \n" in text or "\t\n" in text:
            text = _GAPS.sub("\n\n", text)
        return _trimmed(text) if text[:1].isspace() or text[-1:].isspace() else text


def _trimmed(text: str) -> str:
    """`text` without blank lines around it; an indented block at its head stays indented."""
    text = text.rstrip()
    if blank := _BLANK_LINES.match(text):
        text = text[blank.end() :]
    return text if text.startswith("    ") else text.lstrip()


def leading(text: str) -> int:
    """Where the first words stand."""
    return len(text) - len(text.lstrip()) if text.strip() else 0
