"""One note's body: its nested statements, edges, citations, quotations and links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kg.model import Citation, Diagnostic, Quotation, Severity, Span
from kg.notes.markdown import inline
from kg.notes.markdown.blocks import Block, BlockScan, EdgeParts, Link, Quote, find_plain, scan
from kg.notes.markdown.near_misses import (
    find_bad_id,
    find_early_id,
    find_hidden,
    find_near_callout,
    find_near_fields,
    find_next_callout,
    find_slips,
    find_slips_in_edge,
    find_swallowed,
    may_slip,
)
from kg.notes.markdown.parts import CALLOUTS, Body, BodyPart, find_missing
from kg.notes.parsed import PendingEdge, PendingMention
from kg.notes.synonyms import Hint


def read_body(text: str, path: str, first_line: int, id: str, *, plain: bool = True) -> Body:
    """Everything in the body of the note called `id`, which starts on line `first_line`.

    `plain=False` reads it with the Markdown parser even where the shorter way would do.
    """
    found = find_plain(text) if plain else None
    reader = _BodyReader(text, path, first_line, id, found or scan(text))
    return reader.read() if found else reader.read_closely()


class _BodyReader:
    """One walk over the blocks of one body."""

    def __init__(self, text: str, path: str, first_line: int, id: str, found: BlockScan) -> None:
        self.text = text
        self.path = path
        self.scan = found
        self.at, self.line = 0, first_line
        self.body = Body(text, [BodyPart(id, -1, 0, len(text), Span(path, first_line))])
        self.part_of: dict[int, int] = {-1: 0}
        self.opened: set[int] = set()
        self.misspelt: set[int] = set()
        self.blocks: set[str] = set()
        self.slugs: dict[str, int] = {}
        self.inner: list[Link] = []

    def read(self) -> Body:
        whole = self.body.parts[0]
        for block in self.scan.blocks:
            if block.quote < 0:
                if block.edge is not None:
                    self._edge(block, block.edge, whole)
                else:
                    self._read_block(block, self.text[block.start : block.end], whole)
            elif block.edge is not None:
                self._edge(block, block.edge, self.body.parts[self._part(block.quote)])
            else:
                self._quoted(block)
        if self.inner:
            self._hint(find_missing(self.text, self.scan.blocks, self.inner), 0)
        return self.body

    def read_closely(self) -> Body:
        """Read, and look for what the whole of Markdown may hide."""
        body = self.read()
        self._hint(find_hidden(self.text, self.scan.blocks), 0)
        return body

    # -- places ------------------------------------------------------------------------

    def span(self, at: int) -> Span:
        """Line and column; lines are counted on from the last place asked for."""
        if at >= self.at:
            self.line += self.text.count("\n", self.at, at)
        else:
            self.line -= self.text.count("\n", at, self.at)
        self.at = at
        return Span(self.path, self.line, at - self.text.rfind("\n", 0, at))

    def problem(
        self, rule: str, message: str, span: Span, help: str, severity: Severity = Severity.ERROR
    ) -> None:
        self.body.diagnostics.append(
            Diagnostic(rule=rule, severity=severity, message=message, span=span, help=help)
        )

    def _take(self, block: str, span: Span) -> bool:
        """Whether a `^block` id is free; each names one thing of its note."""
        if block not in self.blocks:
            self.blocks.add(block)
            return True
        self.problem(
            "duplicate-id",
            f"`^{block}` stands twice in this note",
            span,
            "give each callout and each edge a name of its own",
        )
        return False

    # -- quotes and callouts -----------------------------------------------------------

    def _part(self, quote: int) -> int:
        """Index of the part that a quote's text belongs to."""
        while quote not in self.part_of:
            quote = self.scan.quotes[quote].around
        return self.part_of[quote]

    def _depth(self, quote: int) -> int:
        depth = 0
        while quote >= 0:
            quote = self.scan.quotes[quote].around
            depth += 1
        return depth

    def _quoted(self, block: Block) -> None:
        raw = self._written(block)
        if block.quote not in self.opened:
            self.opened.add(block.quote)
            raw = self._enter(block, raw)
        self._read_block(block, raw, self.body.parts[self._part(block.quote)])

    def _written(self, block: Block) -> str:
        """A block's text, with the marks of the quotes around it blanked out."""
        raw = self.text[block.start : block.end]
        if block.quote >= 0 and "\n" in raw:
            depth = self._depth(block.quote)
            if depth == 1 and raw.count("\n") == raw.count("\n> "):
                return raw.replace("\n> ", "\n  ")
            raw = inline.quote_marks(depth).sub(lambda found: " " * len(found[0]), raw)
        return raw

    def _enter(self, block: Block, raw: str) -> str:
        """Open a callout at its first block, and blank its title line out of that block."""
        if block.kind != "paragraph":
            return raw
        callout = inline.CALLOUT.match(raw)
        word = callout[1].casefold() if callout else ""
        if callout is None or word not in CALLOUTS:
            if near := find_near_callout(raw):
                self.misspelt.add(block.quote)
                self._hint([near], block.start)
            return raw
        line_end = raw.find("\n")
        line_end = len(raw) if line_end < 0 else line_end
        title, start = raw[callout.end() : line_end], block.start + callout.end()
        self._open_part(self.scan.quotes[block.quote], block, word, title, start)
        self._hint(find_near_fields(title), start)
        self._hint(find_bad_id(title), start)
        self._hint(find_early_id(title), start)
        if "[!" in raw[line_end:]:
            self._hint(find_next_callout(raw), block.start)
        self.body.parts[-1].cuts.append((block.start, block.start + line_end))
        return " " * line_end + raw[line_end:]

    def _open_part(self, quote: Quote, block: Block, word: str, title: str, start: int) -> None:
        fields, places = {}, {}
        for match in reversed(inline.find_fields(title)):
            fields[match[1]] = inline.one_line(match[2])
            places[match[1]] = start + match.start(1), start + match.start(2)
            title = title[: match.start()] + title[match.end() :]
        mark = inline.BLOCK_ID.search(title)
        title = inline.one_line(title[: mark.start()] if mark else title)
        span = self.span(block.start)
        name = mark[1] if mark else self._slug(title)
        if not self._take(name, span):
            name = f"{name}-{span.line}"
        around = self._part(quote.around)
        self.body.parts[around].cuts.append((quote.start, quote.end))
        self.part_of[block.quote] = len(self.body.parts)
        self.body.parts.append(
            BodyPart(
                f"{self.body.parts[0].id}#{name}",
                block.quote,
                block.start,
                quote.end,
                span,
                around,
                self._depth(block.quote),
                word,
                title,
                fields,
                places,
            )
        )

    def _slug(self, title: str) -> str:
        slug = inline.slug(title)
        while True:
            number = self.slugs[slug] = self.slugs.get(slug, 0) + 1
            name = f"{slug}-{number}" if number > 1 else slug
            if name not in self.blocks:
                return name

    # -- blocks ------------------------------------------------------------------------

    def _read_block(self, block: Block, raw: str, part: BodyPart) -> None:
        if block.opaque:
            raw = inline.blank_out(
                raw, [(a - block.start, b - block.start) for a, b in block.opaque]
            )
        if "@" in raw and "[" in raw:
            self._citations(block, raw, part)
        if block.kind == "heading":
            self._heading(block, part)
        elif block.kind == "item" and "::" in raw and self._item(block, raw, part):
            return
        whole = raw
        if part.callout and "::" in raw:
            raw = self._fields(block, raw, part)
        if block.links:
            joined = inline.find_joined(whole) if raw is not whole else []
            among = [
                link
                for link in block.links
                if not any(start <= link.start - block.start < end for start, end in joined)
            ]
            self._mentions(block, among, self._written(block), part)
        if block.quote in self.misspelt:
            return
        item, in_callout = block.kind == "item", part.callout != ""
        if item or (block.kind == "paragraph" and may_slip(raw, in_callout=in_callout)):
            quoted = block.quote >= 0
            slips = find_slips(raw, item=item, in_callout=in_callout, quoted=quoted)
            self._hint(slips, block.start)

    def _hint(self, hints: Iterable[Hint], start: int) -> None:
        for rule, message, help, at in hints:
            severity = Severity.ERROR if rule == "bad-value" else Severity.WARNING
            self.problem(rule, message, self.span(start + at), help, severity)

    def _heading(self, block: Block, part: BodyPart) -> None:
        if block.quote >= 0 or block.listed:
            return
        if block.level > 1 or self.body.title_span:
            self.body.headings.append((block.start, block.end, block.level))
            if block.level == 1:
                self._second_title(block)
            return
        raw = self.text[block.start : block.end]
        if raw.startswith("#"):
            self.body.title = raw.lstrip("#").strip().rstrip("#").rstrip()
        else:
            self.body.title = inline.one_line(raw.rpartition("\n")[0])
        self.body.title_span = self.span(block.start)
        part.cuts.append((block.start, block.end))

    def _second_title(self, block: Block) -> None:
        self.problem(
            "second-title",
            "only a note's first title is read",
            self.span(block.start),
            "make it a heading (`## …`), or move what follows into a note of its own",
            Severity.WARNING,
        )

    def _citations(self, block: Block, raw: str, part: BodyPart) -> None:
        found = inline.find_citations(raw)
        for cited in found:
            if "@" in cited.locator and (other := find_swallowed(cited.locator)):
                self._hint([other], block.start + cited.start)
            part.citations.append(
                Citation(
                    key=cited.key,
                    span=self.span(block.start + cited.start),
                    locator=cited.locator,
                    prefix=cited.prefix,
                )
            )
        if found and block.quote >= 0 and block.quote not in self.part_of:
            self._quotation(block, raw, part)

    def _quotation(self, block: Block, raw: str, part: BodyPart) -> None:
        """A plain block quote that ends in a citation quotes that source."""
        text = raw.rstrip().rstrip(".")
        if not text.endswith("]"):
            return
        words = text[: text.rindex("[")].strip().rstrip("—–-").strip().strip('"“”').strip()
        cited = part.citations[-1]
        part.quotations.append(
            Quotation(
                text=inline.one_line(words),
                key=cited.key,
                span=self.span(block.start),
                locator=cited.locator,
            )
        )

    def _fields(self, block: Block, raw: str, part: BodyPart) -> str:
        """Take in the fields of a callout; the text is returned with them blanked out."""
        blank = raw
        for match in inline.find_fields(raw):
            start, end = match.span()
            part.fields[match[1]] = inline.one_line(match[2])
            part.places[match[1]] = block.start + match.start(1), block.start + match.start(2)
            part.cuts.append((block.start + start, block.start + end))
            blank = blank[:start] + " " * (end - start) + blank[end:]
        return blank

    # -- links and edges ---------------------------------------------------------------

    def _target(self, link: Link) -> str | None:
        """What a link leads to; one within the note is written out."""
        target = link.destination
        if target.startswith("#"):
            if target.startswith("#^"):
                return self.body.parts[0].id + target
            self.inner.append(link)
            return None
        return inline.find_target(target, link.wiki, self.path)

    def _mentions(self, block: Block, links: Sequence[Link], written: str, part: BodyPart) -> None:
        context = inline.one_line(written)
        long = len(context) > inline.LONGEST  # to be told again for each of its links
        for link in links:
            at = block.start, link.start, link.end, block.end
            self._mention(link, inline.around(self.text, *at) if long else context, part)

    def _mention(self, link: Link, context: str, part: BodyPart) -> None:
        target = self._target(link)
        if target is None:
            return
        text = self.text[link.start : link.end]
        if not link.wiki:
            text = inline.link_text(text)
        elif "|" in text:
            text = text[text.index("|") + 1 : -2]
        else:
            text = text[2:-2]
        self.body.mentions.append(
            PendingMention(
                origin=part.id,
                target=target,
                span=self.span(link.start),
                text=inline.one_line(text),
                context=context,
            )
        )

    def _edge(self, block: Block, edge: EdgeParts, part: BodyPart) -> None:
        """An edge in its common form, which needs no further reading."""
        word, target, reason, name = edge
        span = self.span(block.start)
        if name and not self._take(name, span):
            name = f"{name}-{span.line}"
        self.body.edges.append(
            PendingEdge(
                source=part.id,
                relation=word.casefold(),
                target=target,
                span=span,
                block=name or "",
                reason=inline.one_line(reason) if reason else "",
            )
        )
        cuts = part.cuts
        if cuts and cuts[-1][1] + 1 == block.start:
            cuts[-1] = (cuts[-1][0], block.end)  # the next line of one list
        else:
            cuts.append((block.start, block.end))

    def _item(self, block: Block, raw: str, part: BodyPart) -> bool:
        """Read a list item; False where it states no edge."""
        links = [(link.start - block.start, link.end - block.start) for link in block.links]
        written = self._written(block) if block.opaque else raw
        item = inline.find_item(raw, written, links)
        if item is None:
            return False
        part.cuts.append((block.start, block.end))
        span = self.span(block.start)
        block_id = item.block
        if block_id and not self._take(block_id, span):
            block_id = f"{block_id}-{span.line}"
        targets, premises = (
            [target for n in group if (target := self._target(block.links[n])) is not None]
            for group in (item.targets, item.premises)
        )
        if item.joint and len(premises) < max(len(item.premises), 1):
            self.problem("missing-target", inline.WITHOUT_PREMISE, span, inline.HELP)
        else:
            details, troubles = inline.read_details(item)
            for rule, message, help, severity, at in troubles:
                self.problem(rule, message, self.span(block.start + at), help, severity)
            edges = self.body.edges if targets else self.body.targetless
            read = item._replace(block=block_id)
            edges.extend(inline.pending_edges(read, part.id, targets, premises, span, details))
        if targets:
            self._hint(find_slips_in_edge(raw, item.leftover), block.start)
        self._mentions(block, [block.links[number] for number in item.others], written, part)
        return True
