"""One note's body: its nested statements, edges, citations, quotations and links."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from kg.model import Citation, Diagnostic, Kind, Quotation, Relation, Severity, Span
from kg.notes import inline
from kg.notes.markdown import Block, Link, Quote, scan
from kg.notes.parsed import PendingMention

_GAPS = re.compile(r"\n(?:[ \t]*\n){2,}")

CALLOUTS: dict[str, tuple[Kind, Relation | None]] = {
    "evidence": (Kind.EVIDENCE, Relation.SUPPORTS),
    "counter-evidence": (Kind.EVIDENCE, Relation.CONTRADICTS),
    "counter-claim": (Kind.COUNTER_CLAIM, Relation.CONTRADICTS),
    "claim": (Kind.CLAIM, None),
}


class Item(NamedTuple):
    """A list item `word:: …` as written: its word, link targets, words, fields and block id."""

    word: str
    targets: tuple[str, ...]
    words: str
    reason: str
    fields: dict[str, str]
    block: str
    span: Span


@dataclass(slots=True)
class Part:
    """A statement's share of a body: the whole note's (`quote` -1), or one callout's."""

    quote: int
    start: int
    end: int
    span: Span
    callout: str = ""
    title: str = ""
    block: str = ""
    around: int = 0
    fields: dict[str, str] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    quotations: list[Quotation] = field(default_factory=list)
    mentions: list[PendingMention] = field(default_factory=list)
    cuts: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Body:
    """What a body holds; `parts[0]` is the note's own share, the rest are callouts in order."""

    text: bytes
    title: str
    title_span: Span | None
    parts: list[Part]
    diagnostics: list[Diagnostic]

    def text_of(self, part: Part) -> str:
        """The Markdown of `part` alone: no title, edges, fields or nested statements."""
        kept: list[bytes] = []
        at = part.start
        for start, end in sorted(part.cuts):
            if start >= at:
                kept.append(self.text[at:start])
            at = max(at, end)
        kept.append(self.text[at : part.end])
        text = b"".join(kept).decode("utf-8")
        if part.quote >= 0:
            text = inline.QUOTE_MARKS.sub("", text)
        return _GAPS.sub("\n\n", text).strip()


def read_body(text: str, path: str, first_line: int) -> Body:
    """Everything in a note's body. `first_line` is the line of the file on which it starts."""
    return _Reader(text, path, first_line).read()


class _Reader:
    """One walk over the blocks of one body."""

    def __init__(self, text: str, path: str, first_line: int) -> None:
        self.text = text
        self.data = text.encode("utf-8")
        self.plain = len(self.data) == len(text)
        self.path = path
        self.first_line = first_line
        self.scan = scan(text)
        whole = Part(-1, 0, len(self.data), Span(path, first_line, 1))
        self.body = Body(self.data, "", None, [whole], [])
        self.part_of: dict[int, int] = {-1: 0}
        self.opened: set[int] = set()

    def read(self) -> Body:
        for block in self.scan.blocks:
            raw = self.cut(block.start, block.end)
            if block.quote >= 0 and block.quote not in self.opened:
                self.opened.add(block.quote)
                raw = self._enter(block, raw)
            self._read_block(block, raw, self.body.parts[self._part(block.quote)])
        return self.body

    # -- places ------------------------------------------------------------------------

    def cut(self, start: int, end: int) -> str:
        return self.text[start:end] if self.plain else self.data[start:end].decode("utf-8")

    def span(self, at: int) -> Span:
        line = self.first_line + self.data.count(b"\n", 0, at)
        column = at - self.data.rfind(b"\n", 0, at)
        if not self.plain:
            column = len(self.data[at - column + 1 : at].decode("utf-8")) + 1
        return Span(self.path, line, column)

    def place(self, block: Block, raw: str, at: int) -> int:
        """Byte offset of character `at` of a block's raw text."""
        return block.start + (at if self.plain else len(raw[:at].encode("utf-8")))

    # -- quotes ------------------------------------------------------------------------

    def _part(self, quote: int) -> int:
        """Index of the part that a quote's text belongs to."""
        while quote not in self.part_of:
            quote = self.scan.quotes[quote].around
        return self.part_of[quote]

    def _enter(self, block: Block, raw: str) -> str:
        """Open a callout at its first block, and blank its title line out of that block."""
        quote = self.scan.quotes[block.quote]
        callout = inline.CALLOUT.match(raw) if block.kind == "paragraph" else None
        if callout is None:
            return raw
        word = callout[1].casefold()
        if word not in CALLOUTS:
            self._unknown_callout(word, block)
            return raw
        line_end = raw.find("\n")
        line_end = len(raw) if line_end < 0 else line_end
        self._open_part(quote, block, word, raw[callout.end() : line_end])
        return " " * line_end + raw[line_end:]

    def _open_part(self, quote: Quote, block: Block, word: str, title: str) -> None:
        around = self._part(quote.around)
        span = self.span(block.start)
        mark = inline.BLOCK_ID.search(title)
        fields = {match[1]: inline.tidy(match[2]) for match in inline.find_fields(title)}
        bare = inline.FIELD.sub("", title[: mark.start()] if mark else title)
        title_end = block.start + len(
            self.cut(block.start, block.end).split("\n", 1)[0].encode("utf-8")
        )
        part = Part(
            block.quote, block.start, quote.end, span, word, inline.tidy(bare), around=around
        )
        part.block = mark[1] if mark else ""
        part.fields = fields
        part.cuts.append((block.start, title_end))
        self.body.parts[around].cuts.append((quote.start, quote.end))
        self.body.parts.append(part)
        self.part_of[block.quote] = len(self.body.parts) - 1

    def _unknown_callout(self, word: str, block: Block) -> None:
        from difflib import get_close_matches

        close = get_close_matches(word, CALLOUTS, 1, cutoff=0.75)
        if close:
            self.body.diagnostics.append(
                Diagnostic(
                    rule="unknown-callout",
                    severity=Severity.WARNING,
                    message=f"`[!{word}]` makes no statement",
                    span=self.span(block.start),
                    help=f"did you mean `[!{close[0]}]`?",
                )
            )

    # -- blocks ------------------------------------------------------------------------

    def _read_block(self, block: Block, raw: str, part: Part) -> None:
        if block.opaque:
            raw = inline.hide(raw, list(self._inside(block, block.opaque)))
        if block.quote >= 0 and "\n" in raw:
            raw = inline.QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), raw)
        if (
            block.kind == "heading"
            and block.level == 1
            and not self.body.title_span
            and not part.callout
        ):
            self.body.title = self._heading(block)
            self.body.title_span = self.span(block.start)
            part.cuts.append((block.start, block.end))
        elif block.kind == "item" and (relation := inline.RELATION.match(raw)):
            self._item(block, raw, relation[1], relation.end(), part)
            return
        self._citations(block, raw, part)
        if "::" in raw and part.callout:
            self._fields(block, raw, part)
        if block.links:
            self._mentions(block, part)

    def _inside(self, block: Block, ranges: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
        """Byte ranges of the text as character ranges of a block's raw text."""
        for start, end in ranges:
            if self.plain:
                yield start - block.start, end - block.start
            else:
                before = len(self.data[block.start : start].decode("utf-8"))
                yield before, before + len(self.data[start:end].decode("utf-8"))

    def _heading(self, block: Block) -> str:
        raw = self.cut(block.start, block.end).strip()
        if raw.startswith("#"):
            return raw.lstrip("#").strip().rstrip("#").rstrip()
        return inline.tidy(raw.rpartition("\n")[0])

    def _citations(self, block: Block, raw: str, part: Part) -> None:
        if "[" not in raw or "@" not in raw:
            return
        found = inline.find_citations(raw)
        for cited in found:
            span = self.span(self.place(block, raw, cited.start))
            part.citations.append(
                Citation(key=cited.key, span=span, locator=cited.locator, prefix=cited.prefix)
            )
        if found and block.quote >= 0 and self.part_of.get(block.quote) is None:
            self._quotation(block, raw, part)

    def _quotation(self, block: Block, raw: str, part: Part) -> None:
        """A plain block quote that ends in a citation quotes that source."""
        text = raw.rstrip().rstrip(".")
        if not text.endswith("]"):
            return
        words = text[: text.rindex("[")].strip().rstrip("—–-").strip().strip('"“”').strip()
        cited = part.citations[-1]
        part.quotations.append(
            Quotation(
                text=inline.tidy(words),
                key=cited.key,
                span=self.span(block.start),
                locator=cited.locator,
            )
        )

    def _fields(self, block: Block, raw: str, part: Part) -> None:
        for match in inline.find_fields(raw):
            part.fields[match[1]] = inline.tidy(match[2])
            start, end = match.span()
            part.cuts.append((self.place(block, raw, start), self.place(block, raw, end)))

    def _mentions(self, block: Block, part: Part) -> None:
        for link in block.links:
            target = inline.find_target(link.destination, link.wiki, self.path)
            if target is not None:
                self._mention(link, target, self._written(block), part)

    def _mention(self, link: Link, target: str, context: str, part: Part) -> None:
        part.mentions.append(
            PendingMention(
                origin="",
                target=target,
                span=self.span(link.start),
                text=_link_text(self.cut(link.start, link.end), link.wiki),
                context=inline.tidy(context),
            )
        )

    def _item(self, block: Block, raw: str, word: str, begin: int, part: Part) -> None:
        """Read a list item that states an edge; `raw` has its code blanked out."""
        part.cuts.append((block.start, self._line_end(block)))
        written = raw if not block.opaque else self._written(block)
        stop = len(raw)
        mark = inline.BLOCK_ID.search(raw.rstrip())
        if mark:
            stop = mark.start()
        fields: dict[str, str] = {}
        blank = raw[:stop]
        for match in inline.find_fields(blank):
            fields[match[1]] = inline.tidy(match[2])
            blank = inline.hide(blank, [match.span()])
            written = inline.hide(written, [match.span()])
        places = list(self._inside(block, ((link.start, link.end) for link in block.links)))
        dash = inline.REASON.search(inline.hide(blank, places)[:stop], begin - 1)
        before = dash.start() if dash else stop
        targets = []
        for link, (start, _) in zip(block.links, places, strict=True):
            target = inline.find_target(link.destination, link.wiki, self.path)
            if target is not None and start < before:
                targets.append(target)
            elif target is not None:
                self._mention(link, target, written, part)
        part.items.append(
            Item(
                word.casefold(),
                tuple(targets),
                inline.tidy(written[begin:before]),
                inline.tidy(written[dash.end() : stop]) if dash else "",
                fields,
                mark[1] if mark else "",
                self.span(block.start),
            )
        )
        self._citations(block, raw, part)

    def _written(self, block: Block) -> str:
        raw = self.cut(block.start, block.end)
        return (
            inline.QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), raw)
            if block.quote >= 0
            else raw
        )

    def _line_end(self, block: Block) -> int:
        end = block.end
        while end > block.start and self.data[end - 1 : end] in b" \t\n>":
            end -= 1
        return end


def _link_text(raw: str, wiki: bool) -> str:
    if wiki:
        name, _, text = raw.strip("[]").partition("|")
        return inline.tidy(text or name)
    return inline.tidy(raw[1 : raw.rfind("](")])
