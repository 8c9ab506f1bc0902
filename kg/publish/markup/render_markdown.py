"""A note's Markdown as HTML that is safe whatever the note contains.

It is built from the parser's events, so only elements named here reach the page: raw HTML
is shown as text, except a few inline tags without attributes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from itertools import pairwise
from typing import Any

from kg.notes.markdown import (
    BLOCK_ID,
    CALLOUT,
    CITATION_GROUP,
    BracketedCitation,
    find_citations,
    one_line,
    read_events,
)
from kg.publish.markup.formulas import render_formula
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    cut_line,
    element,
    join,
    join_children,
    web_address,
)
from kg.publish.markup.link_maker import LinkMaker, missing_link
from kg.publish.markup.percent_bars import (
    BarChart,
    PercentBar,
    draw_percent_bar,
    first_percentage,
    read_bar,
)
from kg.publish.markup.plain_text import without_comments
from kg.publish.markup.prose import (
    SIMPLE,
    Footnotes,
    MakeElement,
    OpenElement,
    Prose,
    TextPlace,
    as_run_in,
    show_diagram,
)
from kg.publish.markup.shown_files import A_NOTE_LEFT_OUT, LinkTargets, ShownFiles
from kg.publish.page import Heading

_UNCITED = frozenset({"CodeBlock", "HtmlBlock", "Link", "Image"})
_INLINE_TAG = re.compile(
    r"<(/?)(br|sub|sup|kbd|mark|b|i|em|strong|u|s|small)\s*/?>\Z", re.IGNORECASE
)
_TAG = re.compile(r"<[^>]*>")
_ALIGN = {"Left": "kg-left", "Center": "kg-centre", "Right": "kg-right"}
_NOT_WORD = re.compile(r"[^\w]+")
_MAX_DEPTH = 64  # of nested elements: each contains the words of all inside it again

_TABLES = frozenset({"Table", "TableHead", "TableRow", "TableCell"})
_OTHER = frozenset({"Paragraph", "Heading", "BlockQuote", "List", "Item", "FootnoteDefinition"})
_BLOCKS = _TABLES | _OTHER | {"CodeBlock", "HtmlBlock"}
_LEAVES_WITH_WORDS = frozenset({"Code", "InlineMath", "DisplayMath"})
_LEAVES: Mapping[str, Callable[[Any, TextPlace, Footnotes], Child]] = {
    "Code": lambda code, *_: element("code", code),
    "InlineMath": lambda formula, *_: render_formula(formula, False),
    "DisplayMath": lambda formula, place, _: render_formula(formula, not place.flat),
    "Html": lambda html, *_: without_comments(html).rstrip("\n"),
    "FootnoteReference": lambda name, place, notes: None if place.flat else notes.refer_to(name),
    "TaskListMarker": lambda done, *_: element("span", "☑ " if done else "☐ ", class_="kg-task"),
}


class Renderer:
    """Turns notes' Markdown into HTML in which every known name is a link."""

    def __init__(
        self, link_maker: LinkMaker, targets: LinkTargets, files: ShownFiles | None = None
    ) -> None:
        self.link_maker = link_maker
        self.targets = targets
        self.files = files or ShownFiles({}, link_maker.corpus.config)

    def render(self, text: str, place: TextPlace) -> Prose:
        """Render `text` as HTML; links to notes show what they lead to, citations are links."""
        return _Writer(self, place).write(text) if text else Prose(html=EMPTY)


class _Writer:
    """A single pass over the events of one text."""

    def __init__(self, renderer: Renderer, place: TextPlace) -> None:
        self.link_maker = renderer.link_maker
        self.targets = renderer.targets
        self.files = renderer.files
        self.place = place
        self.stack: list[OpenElement] = [OpenElement("Root", join_children)]
        self.text: list[str] = []
        self.headings: list[Heading] = []
        self.ids: dict[str, int] = {}  # each with the last number that was appended to it
        self.flattened = 0  # open elements that are nested too deeply to be kept
        self.raw = ""
        self.alignments: tuple[str, ...] = ()
        self.columns: list[str] = []  # of a table: their names
        self.bars: dict[int, tuple[int, list[PercentBar]]] = {}  # of columns: the mark, and rows
        self.charts: list[BarChart] = []
        self.row_name = ""
        self.cell_start = 0  # where the links of the cell begin
        self.row_starts: list[int] = []  # of a table: where the links of each row begin
        self.cell = 0
        self.in_table_head = False
        self.linked_ids: list[str] = []
        self.margin_start = 0  # where those of the paragraph begin
        self.footnotes = Footnotes(place.mark)

    def write(self, text: str) -> Prose:
        """The text as HTML, with its headings."""
        for event in read_events(text):
            if type(event) is str:
                self._add_bare_event(event)
                continue
            word, content = next(iter(event.items()))
            if word == "Text":
                self.text.append(content)
                continue
            if self.text:
                self._flush_text()
            if word == "Start":
                self._start_tag(content)
            elif word == "End":
                self._end_tag()
            else:
                self._add_leaf(word, content)
        self._flush_text()
        html = join_children([*self.stack[0].children, self.footnotes.render()])
        linked_ids = tuple(dict.fromkeys(self.linked_ids))
        return Prose(
            html=html,
            headings=tuple(self.headings),
            linked_ids=linked_ids,
            charts=tuple(self.charts),
        )

    # -- text --------------------------------------------------------------------------

    def _add_child(self, child: Child) -> None:
        self.stack[-1].children.append(child)

    def _add_bare_event(self, event: str) -> None:
        if event == "SoftBreak":
            self.text.append("\n")
            return
        self._flush_text()
        if self.place.flat:
            self._add_child(" ")
            return
        self._add_child(
            element("br") if event == "HardBreak" else element("hr") if event == "Rule" else EMPTY
        )

    def _flush_text(self) -> None:
        """Write the text gathered so far, with its citations as links."""
        if not self.text:
            return
        text = "".join(self.text)
        self.text.clear()
        self.stack[-1].raw.append(text)
        if "@" not in text or any(part.tag in _UNCITED for part in self.stack):
            self._add_child(text)
            return
        end = 0
        for group in CITATION_GROUP.finditer(text):
            citations = find_citations(group[0])
            if citations:
                self._add_child(text[end : group.start()])
                self._add_child(self._render_citation(citations))
                end = group.end()
        self._add_child(text[end:])

    def _render_citation(self, citations: list[BracketedCitation]) -> Html:
        parts = [
            join_children(
                (
                    each.prefix + " " if each.prefix else None,
                    self.link_maker.source_or_missing(each.key, self.place.root),
                    ", " + each.locator if each.locator else None,
                )
            )
            for each in citations
        ]
        return element("span", "(", join("; ", parts), ")", class_="kg-cites")

    def _add_leaf(self, word: str, content: Any) -> None:
        if word in _LEAVES_WITH_WORDS:
            self.stack[-1].raw.append(content)
        if word == "InlineHtml":
            self._raw_inline(content)
            return
        make = _LEAVES.get(word)
        child = make(content, self.place, self.footnotes) if make else content
        if isinstance(child, str):
            self._add_child(child)

    def _raw_inline(self, tag: str) -> None:
        """Keep and always close a harmless tag; show any other as text."""
        match = _INLINE_TAG.match(tag)
        if tag.startswith("<!--"):
            return
        if match is None or (len(self.stack) >= _MAX_DEPTH and not match[1]):
            self._add_child(tag)
        elif match[2].lower() == "br":
            self._add_child(element("br"))
        elif not match[1]:
            name = match[2].lower()
            self.stack.append(OpenElement("Raw:" + name, lambda inner: element(name, *inner)))
        elif self.stack[-1].tag == "Raw:" + match[2].lower():
            self._pop_tag()
        else:
            self._add_child(tag)

    # -- elements ----------------------------------------------------------------------

    def _start_tag(self, tag: Any) -> None:
        name, value = (tag, None) if type(tag) is str else next(iter(tag.items()))
        is_run_in = self.place.flat and name in _BLOCKS
        close = as_run_in if is_run_in else self._maker_of(name, value)
        if self.flattened or len(self.stack) >= _MAX_DEPTH:
            self.flattened += 1
        else:
            self.stack.append(OpenElement(name, close))

    def _maker_of(self, name: str, value: Any) -> MakeElement:
        """Return the function that makes the element that begins here, and note parts of a
        table.
        """
        match name:
            case "Link" | "Image":
                render = self._render_link if name == "Link" else self._render_image
                wiki = isinstance(value["link_type"], dict)
                words = not wiki or value["link_type"]["WikiLink"]["has_pothole"]
                return lambda inner: render(value["dest_url"], wiki, words, inner)
            case "Heading":
                return lambda inner: self._render_heading(int(value["level"][1]), inner)
            case "List":
                start = None if value == 1 else value
                return lambda inner: element("ul" if value is None else "ol", *inner, start=start)
            case "BlockQuote":
                return self._render_quote
            case "Table":
                self.alignments = tuple(_ALIGN.get(word, "") for word in value)
                self.columns, self.bars, self.row_starts = [], {}, []
                return self._render_table
            case "TableHead" | "TableRow":
                self.cell, self.in_table_head = 0, name == "TableHead"
                self.row_starts.append(len(self.linked_ids))
            case "TableCell":
                self.cell_start = len(self.linked_ids)
                return self._render_cell
            case "CodeBlock" if isinstance(value, dict) and value.get("Fenced") == "mermaid":
                return show_diagram
            case "FootnoteDefinition":
                return lambda inner: self.footnotes.define(str(value), inner)
        return SIMPLE.get(name, join_children)

    def _end_tag(self) -> None:
        if self.flattened:
            self.flattened -= 1
            return
        while self.stack[-1].tag.startswith("Raw:"):
            self._pop_tag()
        if self.stack[-1].tag == "Paragraph":
            self._drop_block_id()
            self._put_margin()
        self._pop_tag()

    def _drop_block_id(self) -> None:
        children = self.stack[-1].children
        if children and type(children[-1]) is str and "^" in children[-1]:
            children[-1] = BLOCK_ID.sub("", children[-1])

    def _put_margin(self) -> None:
        """Put the margin of a paragraph before it."""
        ids = list(dict.fromkeys(self.linked_ids[self.margin_start :]))
        self.margin_start = len(self.linked_ids)
        if self.place.beside is not None and len(self.stack) == 2:
            length = sum(map(len, self.stack[-1].raw))
            self.stack[0].children.append(self.place.beside(ids, length))

    def _pop_tag(self) -> None:
        part = self.stack.pop()
        self.raw = "".join(part.raw)
        self.stack[-1].raw.append(self.raw)
        self._add_child(part.close(part.children))

    def _render_heading(self, level: int, inner: list[Child]) -> Html:
        text = one_line(self.raw) or "Section"
        level = min(6, max(2, level + self.place.deeper))
        stem = self.place.mark + (_NOT_WORD.sub("-", text.casefold()).strip("-") or "section")
        id = stem
        while id in self.ids:
            self.ids[stem] += 1
            id = f"{stem}-{self.ids[stem]}"
        self.ids[id] = 1
        self.headings.append(Heading(id=id, text=text, level=level))
        return element(f"h{level}", *inner, id=id)

    def _render_quote(self, inner: list[Child]) -> Html:
        first = inner[0] if inner else None
        is_paragraph = isinstance(first, Html) and first.startswith("<p>")
        match = CALLOUT.match(str(first).removeprefix("<p>").lstrip()) if is_paragraph else None
        if match is None:
            return element("blockquote", *inner)
        words, rest = cut_line(match.string[match.end() : -len("</p>")])
        title = Html(words) if words.strip() else match[1].capitalize()
        return element(
            "div",
            element("p", title, class_="kg-aside-title"),
            element("p", Html(rest)) if rest.strip() else None,
            *inner[1:],
            class_="kg-aside",
            role="note",
        )

    # -- links -------------------------------------------------------------------------

    def _render_link(self, destination: str, wiki: bool, words: bool, inner: list[Child]) -> Html:
        place = self.place
        if self.files.is_file(destination, wiki):
            name = join_children(inner)
            return self.files.link(place.path, destination, wiki, place.root, name)
        target = self.targets.find_id(destination, wiki, place.path)
        if target == A_NOTE_LEFT_OUT:
            return join_children(inner)
        if target is not None:
            self.linked_ids.append(target)
            words_html = join_children(inner) if words else None
            signs = place.signs(target) if place.signs else EMPTY
            return self.link_maker.link_of(target, place.root, place.line_id, words_html, signs)
        if self.targets.is_internal(destination, wiki, place.path):
            return missing_link(join_children(inner))
        href = web_address(destination)
        if href is None:
            return missing_link(join_children(inner))
        return element("a", *inner, href=href, rel="noopener noreferrer external", class_="kg-out")

    def _render_image(self, destination: str, wiki: bool, words: bool, _: list[Child]) -> Html:
        place, alt_text = self.place, self.raw if words else ""
        return self.files.picture(place.path, destination, wiki, place.root, alt_text, place.flat)

    # -- tables ------------------------------------------------------------------------

    def _render_table(self, inner: list[Child]) -> Html:
        self.charts += [
            BarChart(self.columns[column], mark, tuple(bars))
            for column, (mark, bars) in self.bars.items()
        ]
        bounds = pairwise([*self.row_starts[1:], len(self.linked_ids)])
        links_of_rows = [self.linked_ids[start:end] for start, end in bounds]
        addition = self.place.for_table(links_of_rows) if self.place.for_table else None
        inner = addition.put_before(inner) if addition else inner
        head, *rows = inner or [EMPTY]
        table = element(
            "table", head, element("tbody", *rows) if rows else None, class_="kg-table kg-written"
        )
        label = f"Table: {', '.join(filter(None, self.columns))}"
        region = element(
            "div", table, class_="kg-scroll", tabindex="0", role="region", aria_label=label
        )
        return join_children((region, addition.beneath)) if addition else region

    def _render_cell(self, inner: list[Child]) -> Html:
        column, self.cell = self.cell, self.cell + 1
        align = (self.alignments[column] if column < len(self.alignments) else "") or None
        if self.in_table_head:
            self.columns.append(unescape(_TAG.sub("", join_children(inner))).strip())
            if (mark := first_percentage(self.raw)) is not None:
                self.bars[column] = mark, []
            return element("th", *inner, scope="col", class_=align)
        if not column:
            self.row_name = one_line(self.raw)
            return element("th", *inner, scope="row", class_=align)
        name = self.columns[column] if column < len(self.columns) else None
        return element("td", *inner, self._bar(column), data_label=name or None, class_=align)

    def _bar(self, column: int) -> Html | None:
        if column not in self.bars:
            return None
        mark, bars = self.bars[column]
        bar = read_bar(self.row_name, self.raw, tuple(self.linked_ids[self.cell_start :]))
        if bar is None:
            return None
        bars.append(bar)
        return draw_percent_bar(bar, mark)
