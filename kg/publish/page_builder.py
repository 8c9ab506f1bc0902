"""A page in the making: its parts in reading order, and its table of contents."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import Standing
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    element,
    escape,
    join,
    join_children,
)
from kg.publish.markup.phrases import capitalize_first, render_date
from kg.publish.markup.prose import TextPlace
from kg.publish.page import Heading, Page, PageKind
from kg.reasoning.sureness_words import STRICTER_CHECK, SURENESS_MEANINGS
from kg.text.plurals import count_of, join_with_and

_NEEDED_CITATION = re.compile(r"(\b(?:and|as|by|from|in|it|of|see|than|to|with)|,) \[@([\w-]+)\]")
_COUNTED_TITLES = "what-is-counted"
_NO_WEIGHTS = "It counts no weights: one objection that is not refuted decides."
_NUMBERS, SURENESS_PLACE = "where-numbers-come-from", "how-far-to-rely-on-an-answer"

ABOUT = "About"
MAX_ITEMS_REPEATED = 20  # items of a list, on pages other than the one with the full list

T = TypeVar("T")


def first_items(things: Sequence[T], in_full: bool) -> Sequence[T]:
    """The part of a list that a page shows: all of it if `in_full`, else the first items. If each
    of a thousand pages listed the same thousand names, a site would have a million of them.
    """
    return things if in_full else things[:MAX_ITEMS_REPEATED]


class PageBuilder:
    """Collects a page's parts in reading order."""

    def __init__(self, context: SiteContext, url: str, line_id: str | None = None) -> None:
        self.context = context
        self.link_maker = context.link_maker
        self.url = url
        self.root = "../" * url.count("/")
        self.line_id = line_id
        self.toc: list[Heading] = []
        self.parts: list[Child] = []

    @property
    def settings(self) -> Reasoning:
        """The settings by which what the page shows is weighed."""
        return self.context.corpus.config.reasoning

    def number_of_line(self, line_id: str) -> str:
        """A question by its place, as Q2 for the second: its name where its title is too long."""
        return f"Q{1 + [*self.context.corpus.lines].index(line_id)}"

    def add(self, *children: Child) -> None:
        """Add something to the page as it is."""
        self.parts += children

    def reserve(self) -> Callable[[Child], None]:
        """Keep this place in the page; call the result with what stands there, once it is known."""
        place = len(self.parts)
        self.parts.append(None)

        def fill(child: Child) -> None:
            self.parts[place] = child

        return fill

    def section(
        self,
        id: str,
        title: str,
        *children: Child,
        level: int = 2,
        lead: Child = None,
        link: Html | None = None,
    ) -> None:
        """Add a heading, or a `link` with its words, and its content; nothing at all if there is no
        content.
        """
        body = join_children(children)
        if not body:
            return
        self.toc.append(Heading(id=id, text=title, level=level))
        lead_html = element("p", lead, class_="kg-lead-in") if lead else ""
        head = f'<h{level} id="{escape(id)}">{link or escape(title)}</h{level}>{lead_html}'
        self.parts += (Html(f'<section class="kg-section">{head}'), body, Html("</section>"))

    def prose(
        self, text: str, path: str, mark: str = "", deeper: int = 0, in_toc: bool = False
    ) -> Html:
        """Markdown of a note as HTML; if `in_toc`, its headings join the table of contents."""
        place = TextPlace(path=path, root=self.root, line_id=self.line_id, mark=mark, deeper=deeper)
        rendered_prose = self.context.prose(text, place)
        if in_toc:
            self.toc += rendered_prose.headings
        return Html(rendered_prose.html)

    def inline_html(self, text: str, path: str) -> Html:
        """A line of a note's Markdown as HTML."""
        return self.context.inline_html(text, path, self.root, self.line_id)

    def statement(self, id: str) -> Html:
        return self.link_maker.statement(id, self.root, self.line_id)

    def link_of(self, id: str) -> Html:
        return self.link_maker.link_of(id, self.root, self.line_id)

    # -- lists that many pages share: complete on one page, shortened on the others --------

    def more_of(self, things: Sequence[object], keeper: str, in_full: bool) -> Html:
        """`388 more on the page of …`, which lists all; nothing if this page does."""
        omitted = len(things) - len(first_items(things, in_full))
        if not omitted:
            return EMPTY
        return element("span", f"{omitted} more on the page of ", self.link_of(keeper))

    def names_of(
        self, ids: Sequence[str], keeper: str, in_full: bool, separator: str = "; "
    ) -> Html:
        """Statements or sources in one row: all, or the first ones and a link to all."""
        names = [self.link_of(id) for id in first_items(ids, in_full)]
        if link_to_all := self.more_of(ids, keeper, in_full):
            names.append(link_to_all)
        return join(separator, names)

    # -- words with one meaning on every page ------------------------------------------

    def term(self, words: Child, place: str, title: str) -> Html:
        """A word with a link to its explanation in the guide, or at `#place` on this page."""
        href = place if place.startswith("#") else f"{self.root}how-to-read.html#{place}"
        return element("a", words, href=href, title=title, class_="kg-term")

    def explain_phrase(self, words: Child, phrase: str, place: str, title: str) -> Html:
        """`words` in which `phrase`, where it first stands, is a `term`."""
        html = join_children((words,))
        before, found, after = html.partition(phrase)
        return Html(f"{before}{self.term(phrase, place, title)}{after}") if found else html

    def explain_stricter_check(self, words: Child) -> Html:
        """`words` in which the check that counts no weights leads to its explanation."""
        return self.explain_phrase(words, STRICTER_CHECK, "other-rules", _NO_WEIGHTS)

    def independent_sources(self, number: int | str) -> Html:
        """`3 independent sources`: sources that share a team or data count as one."""
        words = number if isinstance(number, str) else count_of(number, "independent source")
        title = "Sources that share a team, data or a system count as one."
        return self.term(words, _COUNTED_TITLES, title)

    def standing(self, id: str) -> Standing:
        """The strength, strength word and sureness of a statement."""
        return self.context.standings.of(id)

    def answer_word(self, standing: Standing, quality: str = "") -> Html:
        """“Probably” or “Quality 0.55”, with a link to the explanation of such words, and the
        reason, if the word does not follow from the strength alone.
        """
        word_text = quality or capitalize_first(standing.answer_phrase)
        if standing.quality is not None:
            return self.term(word_text, _NUMBERS, "How much a finding can carry")
        word = self.sureness_word(standing.sureness, word_text)
        return join_children((word, self.why_so(standing)))

    def why_so(self, standing: Standing) -> Html | None:
        """`, depends on Doe 2020`: why the word is not that of the strength alone."""
        if not standing.limit_in_words:
            return None
        parts: list[Child] = [f", {standing.limit_in_words}"]
        if standing.sureness_basis.depends_on:
            parts += [": ", self.statement(standing.sureness_basis.depends_on)]
        if standing.sureness_basis.hangs_on:
            parts = [", depends on ", self.works_it_hangs_on(standing)]
        return element("span", parts, class_="kg-limit")

    def works_it_hangs_on(self, standing: Standing) -> Html:
        """`Doe 2020 and Roe 2021`: the works of the one source without which a claim would fall."""
        keys = standing.sureness_basis.hangs_on
        works = (self.link_maker.source_or_missing(key, self.root) for key in keys)
        return Html(join_with_and([*map(str, works)]))

    def sureness_word(self, word: str, word_shown: str = "", place: str = SURENESS_PLACE) -> Html:
        """“probably”, with an explanation of when it is used; `word_shown` may be shown instead."""
        meaning = SURENESS_MEANINGS.get(word, "")
        meaning = f"{capitalize_first(word)}: {meaning}." if meaning else ""
        return self.term(word_shown or word, place, meaning)

    # -- the whole ---------------------------------------------------------------------

    def page(
        self, kind: PageKind, title: str, description: str, style: str = "", **fields: Any
    ) -> Page:
        """The page of everything added; `style` names its style if its kind does not."""
        if "[@" in (text := fields.get("search_text", "")):
            fields["search_text"] = self._with_works_named(text)
        print_line = self._print_line(fields.get("updated"))
        start = Html(f'<div class="kg kg-page-{style or kind}">')
        return Page(
            url=self.url,
            kind=kind,
            title=title,
            html=join_children((start, self.parts, print_line, Html("</div>"))),
            toc=tuple(self.toc),
            description=description,
            **fields,
        )

    def _with_works_named(self, text: str) -> str:
        """A text in which works are named where a sentence needs them; search leaves out other
        citations.
        """
        names = self.link_maker.names
        return _NEEDED_CITATION.sub(lambda each: f"{each[1]} {names.get(each[2], each[2])}", text)

    def _print_line(self, updated: dt.date | None) -> Html:
        """Say on a sheet of paper where it comes from, as nothing else there does."""
        config = self.context.corpus.config
        version = f", version {config.dataset.version}" if config.dataset.version else ""
        address = f": {config.site.url.rstrip('/')}/{self.url}" if config.site.url else ""
        parts = [f"{config.site.name}{version}{address}"]
        if updated:
            parts.append(f"as of {render_date(updated)}")
        if config.site.authors:
            parts.append(f"by {join_with_and(config.site.authors)}")
        return element("p", "; ".join(parts), class_="kg-printed")

    def overview(
        self,
        title: str,
        description: str,
        style: str = "index",
        lead: Child = None,
        **fields: object,
    ) -> Page:
        """A finished overview page of the whole corpus, which begins with its head."""
        standfirst = element("p", lead, class_="kg-standfirst") if lead else None
        self.parts[:0] = element("h1", title), standfirst
        fields.setdefault(
            "search_text", " ".join([description, lead if isinstance(lead, str) else ""])
        )
        facets = {"kind": ("Overview",)}
        return self.page("index", title, description, style, facets=facets, **fields)
