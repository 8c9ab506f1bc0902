"""What one note's body is made of: its own text, that of each callout, and its headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

import msgspec

from kg.model import Citation, Diagnostic, Kind, Quotation, Relation, Span
from kg.notes.markdown import inline
from kg.notes.markdown.blocks import Block, Link
from kg.notes.parsed import PendingEdge, PendingMention
from kg.notes.synonyms import Hint, find_meant

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

    `targetless` are edges without a target, their words as the reason; `headings` are places and
    levels of headings outside quotes and lists.
    """

    text: str
    parts: list[BodyPart]
    title: str = ""
    title_span: Span | None = None
    edges: list[PendingEdge] = []
    targetless: list[PendingEdge] = []
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


_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]|\[([^\[\]]*)\]\([^()]*\)")
_UNDERLINE = re.compile(r"\n[ \t>]*(?:=+|-+)[ \t]*\Z")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_COUNTED = re.compile(r"\d+\Z")


_ANCHOR = re.compile(r"\{#([\w-]+)[^{}\n]*\}|<[^<>]*\b(?:id|name)=[\"']([^\"'<>]+)")


def read_headings(text: str, blocks: Iterable[Block]) -> list[str]:
    """The words of every heading of a text, those in callouts included, and names given by hand."""
    found = []
    for block in blocks:
        if block.kind == "heading":
            written = _UNDERLINE.sub("", text[block.start : block.end]).lstrip("#")
            found.append(inline.one_line(_CLOSING.sub("", _ANCHOR.sub("", written))))
    return found + [anchor[1] or anchor[2] for anchor in _ANCHOR.finditer(text)]


def is_among(wanted: str, headings: Iterable[str]) -> bool:
    """Whether `#wanted` leads to one of the headings, written as they are or as in an address."""
    known = {_letters(heading) for heading in headings}
    sought = _letters(unquote(wanted).rpartition("#")[2])
    return sought in known or _COUNTED.sub("", sought) in known


def find_missing(text: str, blocks: Iterable[Block], links: Iterable[Link]) -> Iterator[Hint]:
    """Links within a text, `#Heading`, that lead to none of its headings."""
    headings = read_headings(text, blocks)
    for link in links:
        wanted = link.destination[1:]
        if wanted and not is_among(wanted, headings):
            message = f"this link leads to the heading `{wanted}`, and there is none in this note"
            near = find_near(wanted, {heading: heading for heading in headings})
            help = f"did you mean `[[#{near}]]`?" if near else ""
            yield Hint("dead-link", message, help, link.start)


def find_near(wanted: str, names: Mapping[str, str]) -> str | None:
    """What the name nearest to `wanted` stands for, if any is near; headings stand for themselves.

    Only letters and digits count.
    """
    known = {_letters(name): target for name, target in names.items()}
    close = find_meant(_letters(unquote(wanted).rpartition("#")[2]), known)
    return known[close] if close is not None else None


def _letters(words: str) -> str:
    shown = _LINK.sub(lambda link: link[1] or link[2] or "", words)
    return "".join(re.findall(r"[^\W_]+", shown.casefold()))


def split_essay(body: Body, part: BodyPart) -> tuple[str, str]:
    """The first paragraph, and the rest; headings go whose sections held only edges."""
    _cut_empty_sections(body, part)
    text = body.text_of(part)
    first, _, rest = text.partition("\n\n")
    return ("", text) if first.startswith("#") else (inline.one_line(first), rest.strip())


def _cut_empty_sections(body: Body, part: BodyPart) -> None:
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
