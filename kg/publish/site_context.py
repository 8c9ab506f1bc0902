"""What every page of one corpus shares: its links, its renderer, its counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

from kg.corpus import Corpus
from kg.files.read import read_input
from kg.model import LineId, SourceKey, Statement, StatementId
from kg.notes.discover import LARGEST_NOTE, README
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import Child, Fragments, Html, escape, join_children
from kg.publish.markup.links import LinkMaker, Prose, Targets, TextPlace
from kg.publish.markup.render import Renderer
from kg.publish.page import Draft, Heading, Page
from kg.publish.strengths import CorpusStrengths
from kg.queries.history.revision import History, find_history

# Words and such marks as mean nothing in Markdown or HTML, and no number of a list before them.
_PLAIN = re.compile(r"(?!\d+[.)])\w(?:[\w ,.;:?()/%—–’-]*[\w.?)])?")


class SiteContext:
    """One corpus and what its pages share, each made when a page first needs it.

    `log` gains the numbers of what was read to make a fragment whenever one is given out.
    """

    def __init__(self, addresses: Addresses, log: list[int] | None = None) -> None:
        self.corpus: Corpus = addresses.corpus
        self.addresses = addresses
        self.log: list[int] = [] if log is None else log
        self.once = Fragments(self.log).once

    @cached_property
    def link_maker(self) -> LinkMaker:
        """Links to whatever is in the corpus."""
        return LinkMaker(self.corpus, self.addresses, Fragments(self.log))

    @cached_property
    def renderer(self) -> Renderer:
        return Renderer(self.link_maker, Targets(self.corpus))

    @cached_property
    def strengths(self) -> CorpusStrengths:
        return CorpusStrengths(self.corpus)

    @cached_property
    def history(self) -> History:
        """When each note was added and changed, as git remembers it."""
        return find_history(self.corpus.folder)

    @cached_property
    def beside(self) -> Mapping[str, str]:
        """Texts beside the notes that make no statement, by name: the `README.md`."""
        folder = self.corpus.folder
        try:
            data = read_input(folder / README, LARGEST_NOTE, folder) if folder else None
        except OSError:
            data = None
        return {} if data is None else {README: data.decode("utf-8", "replace")}

    @cached_property
    def whole(self) -> Mapping[StatementId, Statement]:
        """Statements with their `body`, for the few pages that show it.

        They ask here, since a corpus whose look-ups are written down holds statements without:
        so an edit of a text makes no page anew that shows a title alone.
        """
        return self.corpus.statements

    @cached_property
    def asked_in(self) -> Mapping[StatementId, tuple[LineId, ...]]:
        """The lines whose question each statement answers."""
        found: dict[StatementId, tuple[LineId, ...]] = {}
        for line in self.corpus.lines.values():
            if line.proposition:
                found[line.proposition] = (*found.get(line.proposition, ()), line.id)
        return found

    @cached_property
    def lines_on(self) -> Mapping[str, tuple[LineId, ...]]:
        """The lines that carry each topic."""
        found: dict[str, tuple[LineId, ...]] = {}
        for line in self.corpus.lines.values():
            for topic in dict.fromkeys(line.topics):
                found[topic] = (*found.get(topic, ()), line.id)
        return found

    @cached_property
    def grouped(self) -> Mapping[str, tuple[SourceKey, ...]]:
        """The sources that share each team, data set or system."""
        found: dict[str, tuple[SourceKey, ...]] = {}
        for source in self.corpus.sources.values():
            for group in dict.fromkeys(source.independence):
                found[group] = (*found.get(group, ()), source.key)
        return found

    def prose(self, text: str, place: TextPlace) -> Prose:
        """A note's Markdown as HTML."""
        return self.renderer.render(text, place)

    def words(self, text: str, path: str, root: str, line: str | None = None) -> Html:
        """One line of a note's Markdown as HTML: a reason, a standfirst, a caution."""
        if not text or (_PLAIN.fullmatch(text) and "_" not in text):
            return Html(text)
        place = TextPlace(path=path, root=root, line=line, flat=True)
        return Html(self.renderer.render(text, place).html.strip())


PageMaker: TypeAlias = Callable[[SiteContext], Iterable[Page | Draft]]
"""Says what pages there are. Statements in `context.corpus` have no `body`; `context.whole` has."""


class PageBuilder:
    """Gathers a page's parts in reading order."""

    def __init__(self, context: SiteContext, url: str, line: str | None = None) -> None:
        self.context = context
        self.link_maker = context.link_maker
        self.url = url
        self.root = "../" * url.count("/")
        self.line = line
        self.toc: list[Heading] = []
        self.parts: list[Child] = []

    def add(self, *children: Child) -> None:
        """Put something on the page as it is."""
        self.parts += children

    def section(
        self, id: str, title: str, *children: Child, level: int = 2, lead: str = ""
    ) -> None:
        """A heading and what stands under it; nothing at all where nothing would."""
        body = join_children(children)
        if not body:
            return
        self.toc.append(Heading(id=id, text=title, level=level))
        explained = f'<p class="kg-lead-in">{escape(lead)}</p>' if lead else ""
        head = f'<h{level} id="{escape(id)}">{escape(title)}</h{level}>{explained}'
        self.parts += (Html(f'<section class="kg-section">{head}'), body, Html("</section>"))

    def prose(
        self, text: str, path: str, mark: str = "", deeper: int = 0, listed: bool = False
    ) -> Html:
        """Markdown of a note; its headings join the table of contents where `listed`."""
        place = TextPlace(path=path, root=self.root, line=self.line, mark=mark, deeper=deeper)
        found = self.context.prose(text, place)
        if listed:
            self.toc += found.headings
        return Html(found.html)

    def words(self, text: str, path: str) -> Html:
        """A line of Markdown of a note."""
        return self.context.words(text, path, self.root, self.line)

    def statement(self, id: str) -> Html:
        return self.link_maker.statement(id, self.root, self.line)

    def any(self, id: str) -> Html:
        return self.link_maker.any(id, self.root, self.line)

    def html(self, kind: str) -> Html:
        """The whole page, as what stands inside the site's article."""
        return join_children((Html(f'<div class="kg kg-page-{kind}">'), self.parts, Html("</div>")))


def page_kind_line(*parts: Child) -> Html:
    """The small line above a title that says what kind of page it is."""
    return Html('<p class="kg-kicker">' + _each("span", parts) + "</p>")


def facts(*parts: Child) -> Html:
    """Short facts in a row."""
    return Html('<ul class="kg-facts">' + _each("li", parts) + "</ul>")


def record(rows: list[tuple[str, Child]]) -> Html:
    """Names and values, those without a value left out."""
    pairs = [
        f"<div><dt>{escape(name)}</dt><dd>{join_children((value,))!s}</dd></div>"
        for name, value in rows
        if value
    ]
    return Html(f'<dl class="kg-record">{"".join(pairs)}</dl>')


def _each(name: str, parts: Iterable[Child]) -> str:
    return "".join([f"<{name}>" + join_children((part,)) + f"</{name}>" for part in parts if part])
