"""What one note's body is made of: its own text, that of each callout, and its headings."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from urllib.parse import unquote

import msgspec

from kg.model import Citation, Diagnostic, Kind, Quotation, Relation, Span
from kg.notes.corrections import NearMiss, find_meant
from kg.notes.markdown import inline
from kg.notes.markdown.blocks import NO_QUOTE, Block, Link, Quote
from kg.notes.markdown.comments import close_gaps
from kg.notes.parsed import FileLink, PendingEdge, PendingMention
from kg.text.spelling import NearNames


class LineStarts:
    """Offsets in a text as lines and columns, which count from 1, and back."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._end = len(text)

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._starts)

    def offset(self, line: int, column: int) -> int:
        """How many characters stand before a place; all of them where there is no such line."""
        return self._starts[line - 1] + column - 1 if line <= len(self._starts) else self._end

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


CALLOUTS: dict[str, tuple[Kind, Relation | None]] = {
    "evidence": (Kind.EVIDENCE, Relation.SUPPORTS),
    "counter-evidence": (Kind.EVIDENCE, Relation.CONTRADICTS),
    "counter-claim": (Kind.COUNTER_CLAIM, Relation.CONTRADICTS),
    "claim": (Kind.CLAIM, None),
}
QUOTING_CALLOUTS = frozenset(("quote", "cite"))
"""Callouts of other programs that hold words of others."""
GAPS = re.compile(r"\n(?:[ \t]*\n){2,}")
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)+")


class BodyPart(msgspec.Struct):
    """A statement's share of a body: the whole note's (`quote` is `NO_QUOTE`), or one callout's.

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
    files: tuple[FileLink, ...] = ()
    has_comments: bool = False
    starts: LineStarts | None = None  # made when a place is first asked for

    def span_at(self, at: int) -> Span:
        """Line and column of one place in the text."""
        if self.starts is None:
            self.starts = LineStarts(self.text)
        (line, column), top = self.starts.place(at), self.parts[0].span
        return Span(top.path, top.line + line - 1, column)

    def text_of(self, part: BodyPart) -> str:
        """The Markdown of `part` alone: no title, edges, fields or nested statements."""
        whole = self.text
        cuts = part.cuts if len(part.cuts) < 2 else sorted(part.cuts)
        pieces = []
        at = part.start
        for start, end in cuts:
            if start > at:
                pieces.append(whole[at:start])
            if end > at:  # one cut may lie within another
                at = end
        pieces.append(whole[at : part.end])
        if part.depth:
            pieces = [_without_marks(piece, part.depth) for piece in pieces]
        text = "".join(pieces).strip("\n")
        if self.has_comments:
            text = close_gaps(text)
        if "\n\n\n" in text or " \n" in text or "\t\n" in text:
            text = GAPS.sub("\n\n", text)
        return _trim_blank_lines(text) if text[:1].isspace() or text[-1:].isspace() else text


def without_first_line(raw: str) -> str:
    """`raw` with spaces in the place of its first line."""
    line, end, rest = raw.partition("\n")
    return " " * len(line) + end + rest


def find_quotation(raw: str, cited: Citation, begin: Span) -> Iterator[Quotation]:
    """What a plain block quote quotes, if it ends in a citation."""
    text = raw.rstrip().rstrip(".")
    if text.endswith("]"):
        words = text[: text.rindex("[")].strip().rstrip("—–-").strip().strip('"“”').strip()
        if quoted := inline.one_line(words):
            yield Quotation(text=quoted, key=cited.key, span=begin, locator=cited.locator)


class LineCounter:
    """Lines and columns of places in a text, counted on from the last place asked for.

    Places come nearly in order, so each newline is looked at about once. Most bodies are short and
    have few places to tell: to find all lines first, as `LineStarts` does, would take longer.
    """

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self.text, self.path = text, path
        self.at, self.line, self.begin = 0, first_line, 0

    def span(self, at: int) -> Span:
        """Line and column of a place, in characters."""
        self._move_to(at)
        return Span(self.path, self.line, at - self.begin + 1)

    def _move_to(self, at: int) -> None:
        """Go on, or back, to a place, and find its line and where that begins."""
        if at >= self.at:
            self.line += self.text.count("\n", self.at, at)
            # not from the top: a line may be as long as the note
            self.begin = self.text.rfind("\n", self.at, at) + 1 or self.begin
        else:
            self.line -= self.text.count("\n", at, self.at)
            if at < self.begin:
                self.begin = self.text.rfind("\n", 0, at) + 1
        self.at = at


class Quotes:
    """The quotes of a text, one around another.

    `part_of` numbers the part that each callout's quote opened; a quote that opened none belongs to
    the part around it.
    """

    def __init__(self, text: str, quotes: Sequence[Quote]) -> None:
        self.text, self.quotes = text, quotes
        self.part_of: dict[int, int] = {NO_QUOTE: 0}
        self._inherited: dict[int, int] = {}

    def part_number(self, quote: int) -> int:
        """The number of the part that a quote's text belongs to."""
        passed = []
        while quote not in self.part_of and quote not in self._inherited:
            passed.append(quote)
            quote = self.quotes[quote].around
        found = self.part_of[quote] if quote in self.part_of else self._inherited[quote]
        # kept, since quotes may stand thousands deep; one within which others ended opens none
        self._inherited |= dict.fromkeys(passed, found)
        return found

    def depth(self, quote: int) -> int:
        """How many quotes stand around each other, this one included."""
        depth = 0
        while quote != NO_QUOTE:
            quote = self.quotes[quote].around
            depth += 1
        return depth

    def text_of(self, block: Block) -> str:
        """A block's text, with the marks of the quotes around it blanked out.

        Blanked and not removed, so that every place in it is still that in the file.
        """
        raw = self.text[block.start : block.end]
        if block.quote != NO_QUOTE and "\n" in raw:
            depth = self.depth(block.quote)
            # the common case, without a pattern
            if depth == 1 and raw.count("\n") == raw.count("\n> "):
                return raw.replace("\n> ", "\n  ")
            raw = inline.quote_mark_pattern(depth).sub(lambda marks: " " * len(marks[0]), raw)
        return raw


class BlockNames:
    """The `^block` names of one note; each names one callout or edge."""

    def __init__(self) -> None:
        self.taken: set[str] = set()
        self.last_number: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """Whether a name was free; it is taken from now on."""
        if name in self.taken:
            return False
        self.taken.add(name)
        return True

    def from_title(self, title: str) -> str:
        """A free name made of a title, for a callout that its author did not name."""
        slug = inline.slug(title)
        while True:
            number = self.last_number[slug] = self.last_number.get(slug, 0) + 1
            name = f"{slug}-{number}" if number > 1 else slug
            if name not in self.taken:
                return name


def _without_marks(text: str, depth: int) -> str:
    """`text` without the marks of so many quotes around each other, on all lines but its first."""
    breaks = text.count("\n")
    if depth == 1 and breaks == text.count("\n> "):  # the common case, without a pattern
        return text.replace("\n> ", "\n")
    return inline.quote_mark_pattern(depth).sub("", text) if breaks else text


def _trim_blank_lines(text: str) -> str:
    """`text` without blank lines around it; an indented block at its head stays indented."""
    text = text.rstrip()
    if blank := _BLANK_LINES.match(text):
        text = text[blank.end() :]
    return text if text.startswith("    ") else text.lstrip()


def find_first_words(text: str) -> int:
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


class Headings:
    """What links to the headings of a note may be: each by its words, or as in an address.

    Only letters and digits count, as programs make addresses of headings in different ways.
    """

    def __init__(self, headings: Iterable[str]) -> None:
        self._by_letters = {_letters(heading): heading for heading in headings}
        self._near = NearNames(self._look, len(self._by_letters))

    def __contains__(self, wanted: str) -> bool:
        sought = _anchor_letters(wanted)
        return sought in self._by_letters or _COUNTED.sub("", sought) in self._by_letters

    def nearest(self, wanted: str) -> str | None:
        """The heading that `#wanted` most likely means, if any is near, and not too many are asked
        about.
        """
        return next(iter(self._near.nearest(_anchor_letters(wanted)) or ()), None)

    def _look(self, letters: str) -> tuple[str, ...]:
        close = find_meant(letters, self._by_letters)
        return () if close is None else (self._by_letters[close],)


def find_missing_headings(
    text: str, blocks: Iterable[Block], links: Iterable[Link]
) -> Iterator[NearMiss]:
    """Links within a text, `#Heading`, that lead to none of its headings."""
    headings = Headings(read_headings(text, blocks))
    for link in links:
        wanted = link.destination[1:]
        if wanted and wanted not in headings:
            message = f"this link leads to the heading `{wanted}`, and there is none in this note"
            near = headings.nearest(wanted)
            help = f"did you mean `[[#{near}]]`?" if near else ""
            old, new = (f"#{wanted}", f"#{near}") if near and link.wiki else ("", "")
            yield NearMiss("dead-link", message, help, link.start, old, new)


def _anchor_letters(wanted: str) -> str:
    return _letters(unquote(wanted).rpartition("#")[2])


def _letters(words: str) -> str:
    shown = _LINK.sub(lambda link: link[1] or link[2] or "", words)
    return "".join(re.findall(r"[^\W_]+", shown.casefold()))


_LIST_ITEM = r" {0,3}(?:[-*+]|1[.)])[ \t]+\S"
_PARAGRAPHS_END = re.compile(rf"\n(?=\n|{_LIST_ITEM})")
_NO_PARAGRAPH = re.compile(rf"#|{_LIST_ITEM}")


def split_essay(body: Body, part: BodyPart) -> tuple[str, str]:
    """The first paragraph, and the rest; headings go whose sections held only edges.

    Edges have pages and tables of their own, so a heading above them would stand over nothing.
    """
    _cut_empty_sections(body, part)
    text = body.text_of(part)
    first, rest = [*_PARAGRAPHS_END.split(text, maxsplit=1), ""][:2]
    if _NO_PARAGRAPH.match(first):
        return "", text
    return inline.one_line(first), rest.strip("\n")


def _cut_empty_sections(body: Body, part: BodyPart) -> None:
    """Cut each heading that nothing follows before the next one of its level or above."""
    cuts = _merge_cuts(part.cuts)
    known, deeper = part.end, 0  # from `known` on, nothing is left before the next heading
    # from the last: a section is empty too if all that it holds are sections that went
    for start, end, level in reversed(body.headings):
        empty = not _without_cuts(body.text, end, known, cuts).strip()
        if empty and deeper <= level:
            part.cuts.append((start, end))
        else:
            deeper = level
        known = start


def _merge_cuts(cuts: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The cuts in order, with those that touch each other joined."""
    merged: list[tuple[int, int]] = []
    for begin, stop in sorted(cuts):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(stop, merged[-1][1])
        else:
            merged.append((begin, stop))
    return merged


def _without_cuts(text: str, start: int, end: int, cuts: Sequence[tuple[int, int]]) -> str:
    """What the cuts, which are merged, leave of a stretch of text."""
    pieces = []
    for at in range(bisect_left(cuts, start, key=itemgetter(1)), len(cuts)):
        begin, stop = cuts[at]
        if begin >= end:
            break
        pieces.append(text[start : max(begin, start)])
        start = max(stop, start)
    return "".join([*pieces, text[start:end]])
