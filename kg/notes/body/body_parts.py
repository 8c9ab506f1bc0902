"""The parts of a note's body: its own text, and that of each callout."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import msgspec

from kg.model import Citation, Diagnostic, Kind, Quotation, Relation, Span
from kg.model.ids import slug
from kg.notes.markdown import inline_syntax
from kg.notes.markdown.blocks import NO_QUOTE, Block, Quote
from kg.notes.markdown.comments import close_gaps
from kg.notes.parsed_note import FileLink, PendingEdge, PendingMention
from kg.text.line_starts import TextLineStarts

CALLOUTS: dict[str, tuple[Kind, Relation | None]] = {
    "evidence": (Kind.EVIDENCE, Relation.SUPPORTS),
    "counter-evidence": (Kind.EVIDENCE, Relation.CONTRADICTS),
    "counter-claim": (Kind.COUNTER_CLAIM, Relation.CONTRADICTS),
    "claim": (Kind.CLAIM, None),
}
QUOTING_CALLOUTS = frozenset(("quote", "cite"))  # callouts of other programs that are quotations
BLANK_LINE_GAPS = re.compile(r"\n(?:[ \t]*\n){2,}")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")
_LIST_ITEM = r" {0,3}(?:[-*+]|1[.)])[ \t]+\S"
_PARAGRAPHS_END = re.compile(rf"\n(?=\n|{_LIST_ITEM})")
_NO_PARAGRAPH = re.compile(rf"#|{_LIST_ITEM}")


class BodyPart(msgspec.Struct):
    """A statement's part of a body: the whole note's (`quote` is `NO_QUOTE`), or a callout's.

    `places` are the offsets of the key and the value of each field.
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
    """A parsed body; `parts[0]` is the note's own part, the rest are callouts in order.

    `targetless` are edges without a target, with their words as the reason; `headings` are the
    ranges and levels of headings outside quotes and lists.
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
    files: tuple[FileLink, ...] = ()
    has_comments: bool = False
    starts: TextLineStarts | None = None  # built on first use

    def span_at(self, offset: int) -> Span:
        """The place in the file of an offset in the text."""
        if self.starts is None:
            self.starts = TextLineStarts(self.text)
        line, column = self.starts.place(offset)
        top = self.parts[0].span
        return Span(top.path, top.line + line - 1, column)

    def text_of(self, part: BodyPart) -> str:
        """The Markdown of `part` without its title, edges, fields and nested statements."""
        full_text = self.text
        cuts = part.cuts if len(part.cuts) < 2 else sorted(part.cuts)
        pieces = []
        offset = part.start
        for start, end in cuts:
            if start > offset:
                pieces.append(full_text[offset:start])
            if end > offset:  # one cut may lie within another
                offset = end
        pieces.append(full_text[offset : part.end])
        if part.depth:
            pieces = [_without_marks(piece, part.depth) for piece in pieces]
        text = "".join(pieces).strip("\n")
        if self.has_comments:
            text = close_gaps(text)
        if "\n\n\n" in text or " \n" in text or "\t\n" in text:
            text = BLANK_LINE_GAPS.sub("\n\n", text)
        return _trim_blank_lines(text) if text[:1].isspace() or text[-1:].isspace() else text


def without_first_line(raw: str) -> str:
    """`raw` with its first line replaced by spaces."""
    line, end, rest = raw.partition("\n")
    return " " * len(line) + end + rest


def find_quotation(raw: str, citation: Citation, start: Span) -> Iterator[Quotation]:
    """The quotation in a plain block quote that ends in a citation."""
    text = raw.rstrip().rstrip(".")
    if text.endswith("]"):
        words = text[: text.rindex("[")].strip().rstrip("—–-").strip().strip('"“”').strip()
        if quoted := inline_syntax.one_line(words):
            yield Quotation(text=quoted, key=citation.key, span=start, locator=citation.locator)


class Quotes:
    """The nested quotes of a text.

    `part_of` maps a callout's quote to the number of its part; any other quote belongs to the
    part around it.
    """

    def __init__(self, text: str, quotes: Sequence[Quote]) -> None:
        self.text = text
        self.quotes = quotes
        self.part_of: dict[int, int] = {NO_QUOTE: 0}
        self._inherited: dict[int, int] = {}

    def part_number(self, quote: int) -> int:
        """The number of the part to which a quote's text belongs."""
        visited = []
        while quote not in self.part_of and quote not in self._inherited:
            visited.append(quote)
            quote = self.quotes[quote].around
        number = self.part_of[quote] if quote in self.part_of else self._inherited[quote]
        # cached, as quotes may nest thousands deep; these can no longer open a part
        self._inherited |= dict.fromkeys(visited, number)
        return number

    def depth(self, quote: int) -> int:
        """The nesting depth of a quote; 0 for `NO_QUOTE`."""
        depth = 0
        while quote != NO_QUOTE:
            quote = self.quotes[quote].around
            depth += 1
        return depth

    def text_of(self, block: Block) -> str:
        """A block's text, with the `>` marks of quotes around it replaced by spaces.

        They are not removed, so that offsets do not move.
        """
        raw = self.text[block.start : block.end]
        if block.quote != NO_QUOTE and "\n" in raw:
            depth = self.depth(block.quote)
            # the common case, without a pattern
            if depth == 1 and raw.count("\n") == raw.count("\n> "):
                return raw.replace("\n> ", "\n  ")
            raw = inline_syntax.quote_mark_pattern(depth).sub(
                lambda marks: " " * len(marks[0]), raw
            )
        return raw


class TakenBlockNames:
    """The `^block` names of one note; each names one callout or edge."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.last_number: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """Reserve a name; False if it was already taken."""
        if name in self.taken:
            return False
        self.taken.add(name)
        return True

    def from_title(self, title: str) -> str:
        """A free name from a title, for a callout without a `^name`."""
        short_id = slug(title)
        while True:
            number = self.last_number[short_id] = self.last_number.get(short_id, 0) + 1
            name = f"{short_id}-{number}" if number > 1 else short_id
            if name not in self.taken:
                return name


def _without_marks(text: str, depth: int) -> str:
    """`text` without the marks of `depth` nested quotes, on all lines but the first."""
    breaks = text.count("\n")
    if depth == 1 and breaks == text.count("\n> "):  # the common case, without a pattern
        return text.replace("\n> ", "\n")
    return inline_syntax.quote_mark_pattern(depth).sub("", text) if breaks else text


def _trim_blank_lines(text: str) -> str:
    """`text` without blank lines around it; an indented block at its head stays indented."""
    text = text.rstrip()
    if blank := _BLANK_LINES.match(text):
        text = text[blank.end() :]
    return text if text.startswith("    ") else text.lstrip()


def first_words_offset(text: str) -> int:
    """The offset of the first visible character; 0 if there is none."""
    return len(text) - len(text.lstrip()) if text.strip() else 0


def split_essay(body: Body, part: BodyPart) -> tuple[str, str]:
    """The first paragraph, and the rest, without headings whose sections hold only edges.

    Edges are shown elsewhere, so their heading would be left with nothing below it.
    """
    _cut_empty_sections(body, part)
    text = body.text_of(part)
    first, rest = [*_PARAGRAPHS_END.split(text, maxsplit=1), ""][:2]
    if _NO_PARAGRAPH.match(first):
        return "", text
    return inline_syntax.one_line(first), rest.strip("\n")


def _cut_empty_sections(body: Body, part: BodyPart) -> None:
    """Cut each heading whose section is empty once the cuts are made."""
    cuts = _merge_cuts(part.cuts)
    section_end = part.end  # where the next heading begins
    level_below = 0  # of the next heading that stays
    # from the last: a section is also empty if all its subsections are
    for start, end, level in reversed(body.headings):
        is_empty = not _without_cuts(body.text, end, section_end, cuts).strip()
        if is_empty and level_below <= level:
            part.cuts.append((start, end))
        else:
            level_below = level
        section_end = start


def _merge_cuts(cuts: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The cuts in order, adjacent and overlapping ones merged."""
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(cuts):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(stop, merged[-1][1])
        else:
            merged.append((start, stop))
    return merged


def _without_cuts(text: str, start: int, end: int, cuts: Sequence[tuple[int, int]]) -> str:
    """The text from `start` to `end` without the cuts, which are merged."""
    pieces = []
    for index in range(bisect_left(cuts, start, key=itemgetter(1)), len(cuts)):
        cut_start, stop = cuts[index]
        if cut_start >= end:
            break
        pieces.append(text[start : max(cut_start, start)])
        start = max(stop, start)
    return "".join([*pieces, text[start:end]])
