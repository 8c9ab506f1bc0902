"""Read one note's body: its callouts, edges, citations, quotations and links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.model import Citation, Severity, Span
from kg.notes.body.body_parts import (
    CALLOUTS,
    QUOTING_CALLOUTS,
    Body,
    BodyPart,
    Quotes,
    TakenBlockNames,
    find_quotation,
    without_first_line,
)
from kg.notes.body.file_links import find_file_links
from kg.notes.body.headings import find_missing_headings
from kg.notes.body.near_callouts import find_near_callout, find_next_callout
from kg.notes.body.near_misses import (
    find_near_misses,
    find_near_misses_in_edge,
    find_near_misses_in_title,
    find_swallowed_key,
    may_hold_near_miss,
    second_title,
)
from kg.notes.body.relation_items import (
    WITH,
    find_item,
    find_with_fields,
    pending_edges,
    premise_without_link_problem,
    read_edge_fields,
)
from kg.notes.body.unrendered_markdown import find_unrendered
from kg.notes.corrections import NearMiss, find_fix, note_problem
from kg.notes.markdown import inline_syntax
from kg.notes.markdown.blocks import (
    NO_QUOTE,
    Block,
    BlockScan,
    EdgeParts,
    Link,
    Quote,
    is_within,
    scan_blocks,
)
from kg.notes.markdown.comments import close_gaps, hide_comments
from kg.notes.markdown.simple_blocks import scan_simple
from kg.notes.parsed_note import PendingEdge, PendingMention


def read_body(text: str, path: str, first_line: int, id: str, *, fast: bool = True) -> Body:
    """Everything except comments in the body of the note `id`, which starts on `first_line`.

    `fast=False` uses the Markdown parser even where the faster patterns would do.
    """
    visible_text = hide_comments(text)
    # patterns are three times as fast as the parser, and give up when in doubt (decision 0001)
    simple_scan = scan_simple(visible_text) if fast else None
    reader = BodyReader(
        visible_text, path, first_line, id, simple_scan or scan_blocks(visible_text)
    )
    return reader.read(has_comments=visible_text is not text, is_simple=simple_scan is not None)


class BodyReader:
    """One walk over the blocks of one body.

    Of the quotes, `begun_quotes` are those whose first block was read, `misspelt_callouts` near
    misses of callouts, already reported, and `other_callouts` callouts of other programs, which
    are not quotations. `inner_links` lead to headings, which are known only at the end.
    """

    def __init__(self, text: str, path: str, first_line: int, id: str, scan: BlockScan) -> None:
        self.text = text
        self.path = path
        self.scan = scan
        self.body = Body(text, [BodyPart(id, NO_QUOTE, 0, len(text), Span(path, first_line))])
        self.span = self.body.span_at
        self.quotes = Quotes(text, scan.quotes)
        self.begun_quotes: set[int] = set()
        self.misspelt_callouts: set[int] = set()
        self.other_callouts: set[int] = set()
        self.names = TakenBlockNames()
        self.inner_links: list[Link] = []

    def read(self, *, has_comments: bool, is_simple: bool = False) -> Body:
        """The body; `has_comments` says whether its text had any, `is_simple` that it is Markdown
        of the simple forms, which hide nothing.
        """
        self.body.has_comments = has_comments
        for block in self.scan.blocks:
            if block.edge is not None:
                self._add_edge(block, block.edge, self._part_of(block))
            else:
                raw = self.quotes.text_of(block)
                # only the first block of a quote may make it a callout
                if block.quote != NO_QUOTE and block.quote not in self.begun_quotes:
                    self.begun_quotes.add(block.quote)
                    raw = self._begin_callout(block, raw)
                self._read_block(block, raw, self._part_of(block))
        if self.inner_links:
            near_misses = find_missing_headings(self.text, self.scan.blocks, self.inner_links)
            self._report_near_misses(near_misses, 0)
        if not is_simple:
            self._report_near_misses(find_unrendered(self.text, self.scan.blocks), 0)
        self.body.files = tuple(find_file_links(self.body, self.span))
        return self.body

    # -- problems and names --------------------------------------------------------------

    def _reserve_block_name(self, name: str, span: Span) -> str:
        """Reserve a `^block` name; if it is taken, report it and return it with the line appended.

        So the block is still read, and links to the first do not lead to the second.
        """
        if self.names.take(name):
            return name
        message = f"`^{name}` is used twice in this note"
        help = "give each callout and each edge a name of its own"
        self.body.diagnostics.append(note_problem("duplicate-id", message, span, help))
        return f"{name}-{span.line}"

    # -- quotes and callouts -----------------------------------------------------------

    def _part_of(self, block: Block) -> BodyPart:
        """The part to which a block's text belongs."""
        return self.body.parts[self.quotes.part_number(block.quote)]

    def _begin_callout(self, block: Block, raw: str) -> str:
        """Open a callout at its first block; return `raw` without the title line.

        For most other quotes, `raw` is returned unchanged.
        """
        if block.kind != "paragraph":
            return raw
        callout = inline_syntax.CALLOUT.match(raw)
        word = callout[1].casefold() if callout else ""
        if callout is None or word not in CALLOUTS:
            if near_miss := find_near_callout(raw):
                self.misspelt_callouts.add(block.quote)
                self._report_near_misses([near_miss], block.start)
            elif word in QUOTING_CALLOUTS:
                return without_first_line(raw)
            elif callout:
                self.other_callouts.add(block.quote)
            return raw
        line_end = len(raw.partition("\n")[0])
        title = raw[callout.end() : line_end]
        start = block.start + callout.end()
        self._open_part(self.scan.quotes[block.quote], block, word, title, start)
        self._report_near_misses(find_near_misses_in_title(title), start)
        if "[!" in raw[line_end:]:
            self._report_near_misses(find_next_callout(raw), block.start)
        self.body.parts[-1].cuts.append((block.start, block.start + line_end))
        return without_first_line(raw)

    def _open_part(self, quote: Quote, block: Block, word: str, title: str, start: int) -> None:
        fields = {}
        places = {}
        # from the last, so that cutting one out does not move those still to be cut
        for match in reversed(inline_syntax.find_fields(title)):
            fields[match["key"]] = inline_syntax.one_line(match["value"])
            places[match["key"]] = start + match.start("key"), start + match.start("value")
            title = title[: match.start()] + title[match.end() :]
        mark = inline_syntax.find_block_id(title)
        title = inline_syntax.one_line(title[: mark.start()] if mark else title)
        span = self.span(block.start)
        name = self._reserve_block_name(mark[1] if mark else self.names.from_title(title), span)
        around = self.quotes.part_number(quote.around)
        self.body.parts[around].cuts.append((quote.start, quote.end))
        self.quotes.part_of[block.quote] = len(self.body.parts)
        self.body.parts.append(
            BodyPart(
                f"{self.body.parts[0].id}#{name}",
                block.quote,
                block.start,
                quote.end,
                span,
                around,
                self.quotes.depth(block.quote),
                word,
                title,
                fields,
                places,
            )
        )

    # -- blocks ------------------------------------------------------------------------

    def _read_block(self, block: Block, raw: str, part: BodyPart) -> None:
        """Add what a block holds to `part`; `raw` is its text without `>` marks."""
        if block.opaque:
            raw = inline_syntax.replace_with_spaces(
                raw, [(a - block.start, b - block.start) for a, b in block.opaque]
            )
        if "@" in raw and "[" in raw:
            self._add_citations(block, raw, part)
        if block.kind == "heading":
            self._read_heading(block, part)
        elif block.kind == "item" and "::" in raw and self._read_item(block, raw, part):
            return  # its links are targets, and were taken with it
        text_with_fields = raw
        if part.callout and "::" in raw:
            raw = self._cut_out_fields(block, raw, part)
        if block.links:
            premises = find_with_fields(text_with_fields) if raw is not text_with_fields else []
            mentions = [
                link for link in block.links if not is_within(premises, link.start - block.start)
            ]
            self._add_mentions(block, mentions, self.quotes.text_of(block), part)
        if block.quote in self.misspelt_callouts:
            return  # already reported as a misspelt callout, which explains its fields
        is_item = block.kind == "item"
        in_callout = part.callout != ""
        if is_item or (
            block.kind == "paragraph" and may_hold_near_miss(raw, in_callout=in_callout)
        ):
            is_quoted = block.quote >= 0
            near_misses = find_near_misses(
                raw, is_item=is_item, in_callout=in_callout, is_quoted=is_quoted
            )
            self._report_near_misses(near_misses, block.start)

    def _report_near_misses(self, near_misses: Iterable[NearMiss], start: int) -> None:
        """Report near misses whose places are counted from `start`."""
        for miss in near_misses:
            severity = Severity.ERROR if miss.rule == "bad-value" else Severity.WARNING
            span = self.span(start + miss.offset)
            fix = find_fix(self.text, start + miss.offset, miss.old, miss.new, self.span)
            self.body.diagnostics.append(
                note_problem(miss.rule, miss.message, span, miss.help, severity, fix, miss.about)
            )

    def _read_heading(self, block: Block, part: BodyPart) -> None:
        if block.quote != NO_QUOTE or block.listed:
            return
        if block.level > 1 or self.body.title_span:
            self.body.headings.append((block.start, block.end, block.level))
            if block.level == 1:
                self._report_near_misses([second_title(self.text, block.start)], 0)
            return
        raw = self.text[block.start : block.end]
        if self.body.has_comments:
            raw = close_gaps(raw)
        self.body.title = inline_syntax.heading_text(raw)
        self.body.title_span = self.span(block.start)
        part.cuts.append((block.start, block.end))

    def _add_citations(self, block: Block, raw: str, part: BodyPart) -> None:
        citations = inline_syntax.find_citations(raw)
        for citation in citations:
            if "@" in citation.locator and (swallowed_key := find_swallowed_key(citation.locator)):
                self._report_near_misses([swallowed_key], block.start + citation.start)
            part.citations.append(
                Citation(
                    key=citation.key,
                    span=self.span(block.start + citation.start),
                    locator=citation.locator,
                    prefix=citation.prefix,
                )
            )
        if not citations or block.quote in self.quotes.part_of:  # a callout, or no quote at all
            return
        if not (block.quote in self.misspelt_callouts or block.quote in self.other_callouts):
            start = self.span(block.start + len(raw) - len(raw.lstrip()))
            part.quotations.extend(find_quotation(raw, part.citations[-1], start))

    def _cut_out_fields(self, block: Block, raw: str, part: BodyPart) -> str:
        """Store the fields of a callout; return the text with them blanked out."""
        field_spans: list[tuple[int, int]] = []
        for match in inline_syntax.find_fields(raw):
            start, end = match.span()
            key = match["key"]
            if key in part.fields:
                message = f"`{key}` is given twice in this callout"
                span = self.span(block.start + start)
                problem = note_problem("bad-value", message, span, "keep one of them")
                self.body.diagnostics.append(problem)
            part.fields[key] = inline_syntax.one_line(match["value"])
            part.places[key] = block.start + match.start("key"), block.start + match.start("value")
            part.cuts.append((block.start + start, block.start + end))
            field_spans.append((start, end))
        return inline_syntax.replace_with_spaces(raw, field_spans) if field_spans else raw

    # -- links and edges ---------------------------------------------------------------

    def _target_of(self, link: Link) -> str | None:
        """The target of a link; `#^name` is completed with the note's id.

        None where it is not a statement or an edge: a heading of this note, or a place outside.
        """
        target = link.destination
        if target.startswith("#"):
            if target.startswith("#^"):
                return self.body.parts[0].id + target
            self.inner_links.append(link)
            return None
        return inline_syntax.find_target(target, link.wiki, self.path)

    def _targets_of(self, block: Block, link_numbers: Sequence[int]) -> list[str]:
        """The targets of some of a block's links, without those that have none."""
        targets = (self._target_of(block.links[number]) for number in link_numbers)
        return [target for target in targets if target is not None]

    def _add_mentions(
        self, block: Block, links: Sequence[Link], block_text: str, part: BodyPart
    ) -> None:
        context = inline_syntax.one_line(block_text)
        # a long context would be stored once per link: then store only the words around each
        is_long = len(context) > inline_syntax.MAX_CONTEXT_CHARACTERS
        for link in links:
            target = self._target_of(link)
            if target is None:
                continue
            text = inline_syntax.link_text(self.text[link.start : link.end], link.wiki)
            offsets = block.start, link.start, link.end, block.end
            self.body.mentions.append(
                PendingMention(
                    origin=part.id,
                    target=target,
                    span=self.span(link.start),
                    text=inline_syntax.one_line(text),
                    context=inline_syntax.link_context(self.text, *offsets) if is_long else context,
                )
            )

    def _add_edge(self, block: Block, edge: EdgeParts, part: BodyPart) -> None:
        """Add an edge in its common form, which needs no further parsing."""
        word, target, reason, name = edge
        span = self.span(block.start)
        self.body.edges.append(
            PendingEdge(
                origin=part.id,
                relation=word.casefold(),
                target=target,
                span=span,
                block=self._reserve_block_name(name, span) if name else "",
                reason=inline_syntax.strip_reason(reason) if reason else "",
            )
        )
        cuts = part.cuts
        if cuts and cuts[-1][1] + 1 == block.start:
            cuts[-1] = (cuts[-1][0], block.end)  # the next line of the same list: extend its cut
        else:
            cuts.append((block.start, block.end))

    def _read_item(self, block: Block, raw: str, part: BodyPart) -> bool:
        """Read a list item; False where it states no edge."""
        links = [(link.start - block.start, link.end - block.start) for link in block.links]
        # a reason keeps its code spans, in which nothing else may be found
        text_with_code = self.quotes.text_of(block) if block.opaque else raw
        if (item := find_item(raw, text_with_code, links)) is None:
            return False
        part.cuts.append((block.start, block.end))
        span = self.span(block.start)
        block_name = self._reserve_block_name(item.block, span) if item.block else item.block
        targets = self._targets_of(block, item.targets)
        together = self._targets_of(block, item.together)
        # an edge without one of its premises would claim more than its author wrote: drop it
        if item.has_with and len(together) < max(len(item.together), 1):
            premise_span = self.span(block.start + raw.casefold().find(WITH))
            self.body.diagnostics.append(premise_without_link_problem(premise_span))
        else:
            details, problems = read_edge_fields(item)
            self._report_near_misses(problems, block.start)
            edges = self.body.edges if targets else self.body.targetless
            named_item = item._replace(block=block_name)
            edges.extend(pending_edges(named_item, part.id, targets, together, span, details))
        if targets:
            self._report_near_misses(find_near_misses_in_edge(raw, item.leftover), block.start)
        other_links = [block.links[number] for number in item.others]
        self._add_mentions(block, other_links, text_with_code, part)
        return True
