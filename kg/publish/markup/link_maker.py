"""Links to statements, lines and sources, each marked with its camp or kind, and to works."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model import Kind, Source, StatementId
from kg.publish.markup.address import Addresses
from kg.publish.markup.camp_and_relation_styles import camp_shape
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    element,
    escape,
    join_children,
    title_in_html,
    web_address,
)
from kg.publish.markup.phrases import KINDS, MARKS, source_names, topic_label
from kg.publish.markup.plain_text import as_bare
from kg.runtime.memoize import ResultsKeeper, memoize

_ARXIV = re.compile(r"https?://(www\.)?arxiv\.org/|10\.48550/arxiv\.", re.IGNORECASE)
EXTERNAL_LINK_ATTRIBUTES = {"rel": "noopener noreferrer external", "class_": "kg-out"}
_MARKUP = re.compile(r"[<&>]")


def published_address(source: Source) -> str | None:
    """The address of the published version: by DOI, else its own; None if it has none."""
    if source.doi and not _ARXIV.match(source.doi):
        return web_address(f"https://doi.org/{source.doi}")
    return None if _ARXIV.match(source.url) else web_address(source.url)


def open_copy_address(source: Source) -> str | None:
    """The address of an open copy on arXiv."""
    if source.arxiv:
        return web_address(f"https://arxiv.org/abs/{source.arxiv}")
    if _ARXIV.match(source.url):
        return web_address(source.url)
    return web_address(f"https://doi.org/{source.doi}") if _ARXIV.match(source.doi) else None


def linked_title(source: Source) -> Html:
    """The title, linked to the work if that has an address, with a link to an open copy."""
    first, copy = published_address(source), open_copy_address(source)
    href = first or copy
    title = title_in_html(source.title)
    if href:
        title = element("a", title, href=href, **EXTERNAL_LINK_ATTRIBUTES)
    return join_children((element("cite", title), _open_copy(copy)))


def _open_copy(address: str | None) -> Html:
    """A link to an open copy."""
    if address is None:
        return EMPTY
    link = element("a", "open copy", href=address, **EXTERNAL_LINK_ATTRIBUTES)
    return element("span", " (", link, ")", class_="kg-small")


def paper_link(source: Source) -> Html:
    """A small link to the work itself, to follow its name; nothing if it has no address."""
    href = published_address(source) or open_copy_address(source)
    if href is None:
        return EMPTY
    label = f"Read {source.title}"
    return element("a", "↗", href=href, aria_label=label, title=label, **EXTERNAL_LINK_ATTRIBUTES)


class LinkMaker(ResultsKeeper):
    """Makes every link of the site to something in the corpus.

    `root` is the path from the current page to the site's root: `../` or empty.
    """

    def __init__(
        self,
        corpus: Corpus,
        addresses: Addresses,
        is_statement_disputed: Callable[[str], bool] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.corpus = corpus
        self.addresses = addresses
        self._numbers = {camp.id: number for number, camp in enumerate(corpus.config.camps, 1)}
        self._labels = {camp.id: camp.label for camp in corpus.config.camps}
        self.is_disputed = is_statement_disputed or partial(is_disputed, corpus)
        self.names = source_names(corpus.sources.values()) if names is None else names

    # -- camps -------------------------------------------------------------------------

    def camp_class(self, camp: str | None) -> str:
        """The class that gives an element's content a camp's colour."""
        return f"kg-camp-{self._numbers[camp]}" if camp in self._numbers else "kg-camp-none"

    def camp_label(self, camp: str | None) -> str:
        return self._labels.get(camp or "", "No camp")

    def camp_shown(self, id: str, line_id: str | None = None) -> str | None:
        """The camp with which a page marks a statement. Of a claim it is that in the line, or its
        own. Of evidence it is only the one in which the line places it, since what was found takes
        no side.
        """
        if self.corpus.statements[id].kind is not Kind.EVIDENCE:
            return self.corpus.camp_of(id, line_id)
        placements = self.corpus.placements_of.get(id, ())
        return next((each.camp for each in placements if each.line == line_id), None)

    def has_camp_by_question(self, id: str) -> bool:
        """Return whether a claim has no camp of its own, but lines place it in one."""
        return (
            self.corpus.statements[id].kind is not Kind.EVIDENCE
            and self.corpus.camp_of(id) is None
            and bool(self.corpus.placements_of.get(id))
        )

    @memoize
    def mark(self, camp: str | None, kind: Kind | None = None) -> Html:
        """The small shape of a camp; hollow for evidence."""
        hollow = " kg-hollow" if kind is Kind.EVIDENCE else ""
        return element("span", class_=self.mark_classes(camp) + hollow, aria_hidden="true")

    def mark_classes(self, camp: str | None) -> str:
        """The classes of a camp's shape in its colour."""
        return f"kg-mark kg-{camp_shape(self.corpus.config, camp)} {self.camp_class(camp)}"

    def camp(self, camp: str, root: str) -> Html:
        """A link to a camp's page; only its name if `kg.toml` declares no such camp."""
        classes = "kg-chip kg-chip-camp " + self.camp_class(camp)
        if camp not in self._numbers:
            return element("span", camp.capitalize(), class_=classes)
        href = root + self.addresses.camp(camp)
        return element("a", self.camp_label(camp), class_=classes, href=href)

    # -- statements --------------------------------------------------------------------

    def statement(
        self,
        id: str,
        root: str,
        line_id: str | None = None,
        words: Child | None = None,
        signs: Html = EMPTY,
    ) -> Html:
        """A link to a statement, with its title or other words, marked with its camp in the line.

        `signs` follow the last word.
        """
        statement = self.corpus.statements[id]
        camp = self.camp_shown(id, line_id)
        label = KINDS[statement.kind]
        if camp:
            label = f"{self.camp_label(camp)} {label.lower()}"
            if camp != self.camp_shown(id):
                label += " for this question"
        if self.is_disputed(id):
            label += ", disputed"
        href = root + self.addresses.of(id)
        hollow = " kg-hollow" if statement.kind is Kind.EVIDENCE else ""
        return Html(
            f'<a class="kg-chip {self.camp_class(camp)}{hollow}" href="{escape(href)}">'
            + with_marks(title_in_html(statement.title) if words is None else words, signs)
            + f'<span class="kg-sr"> ({escape(label)})</span></a>'
        )

    def link_of(
        self,
        id: str,
        root: str,
        line_id: str | None = None,
        words: Child | None = None,
        signs: Html = EMPTY,
    ) -> Html:
        """A link to whatever has this `id`."""
        if id in self.corpus.statements:
            return self.statement(id, root, line_id, words, signs)
        if id in self.corpus.lines:
            return self.line(id, root, words)
        return self.source(id, root, words)

    def line(self, id: str, root: str, words: Child | None = None) -> Html:
        """A link to an inquiry line."""
        title = title_in_html(self.corpus.lines[id].title) if words is None else words
        href = root + self.addresses.of(id)
        return element("a", title, class_="kg-chip kg-chip-line", href=href)

    # -- sources -----------------------------------------------------------------------

    def source(self, key: str, root: str, words: Child | None = None) -> Html:
        """A link to a source, as author and year, and any notice of its publisher against it."""
        source = self.corpus.sources[key]
        mark = MARKS.get(source.integrity)
        classes = "kg-retracted" if source.retracted else None
        flag = element("strong", f" ({mark})", class_=classes) if mark else EMPTY
        href = root + self.addresses.of(key)
        link_words = self.names[key] if words is None else words
        return element("a", link_words, flag, class_="kg-cite", href=href)

    def sources(self, keys: Iterable[str], root: str) -> Html:
        """Sources in one row; those not in the bibliography are plain text."""
        return Html("; ".join([self.source_or_missing(key, root) for key in keys]))

    def papers(self, keys: Iterable[str], root: str) -> Html:
        """Sources in one row, each followed by a link to the work itself."""
        return Html(
            "; ".join(
                [self.source_or_missing(key, root) + self._link_to_paper(key) for key in keys]
            )
        )

    def _link_to_paper(self, key: str) -> Html:
        source = self.corpus.sources.get(self.corpus.find_id(key) or "")
        link = paper_link(source) if source else EMPTY
        return element("span", "\u00a0", link, class_="kg-read") if link else EMPTY

    def source_or_missing(self, key: str, root: str) -> Html:
        """A link to a source, or its key marked as missing."""
        source_key = self.corpus.find_id(key)
        if source_key is not None and source_key in self.corpus.sources:
            return self.source(source_key, root)
        return missing_link("@" + key)

    # -- topics and things -------------------------------------------------------------

    def topic(self, name: str, root: str) -> Html:
        href = root + self.addresses.topic(name)
        return _link_tag(topic_label(name), "kg-tag", href, self.meaning(name))

    def about(self, name: str, root: str) -> Html:
        href = root + self.addresses.about(name)
        return _link_tag(name, "kg-tag kg-tag-about", href, self.meaning(name))

    def meaning(self, name: str) -> str:
        """The glossary's explanation of a name, as plain text; empty if there is none."""
        term = self.corpus.term(name)
        return as_bare(term.text) if term else ""

    def topics(self, names: Iterable[str], root: str) -> list[Html]:
        """Links to topics; those without statements are plain text."""
        known_topics = self.corpus.topics
        return [
            self.topic(name, root)
            if name in known_topics
            else element("span", topic_label(name), class_="kg-tag")
            for name in names
        ]


def _link_tag(name: str, classes: str, href: str, meaning: str) -> Html:
    title = f' title="{escape(meaning)}"' if meaning else ""
    return Html(f'<a class="{classes}" href="{escape(href)}"{title}>{escape(name)}</a>')


def with_marks(words: Child, signs: Html) -> Html:
    """Words followed by signs that never wrap into a row of their own."""
    text = escape(words) if type(words) is str else join_children((words,))
    if not signs:
        return Html(text)
    beginning, space, last = text.rpartition(" ")
    if _MARKUP.search(last):
        return Html(text + signs)
    return Html(f'{beginning}{space}<span class="kg-nowrap">{last}{signs!s}</span>')


def missing_link(words: Child) -> Html:
    """The words of a link without a target, marked as missing."""
    return element(
        "span",
        words,
        element("span", " (missing)", class_="kg-sr"),
        class_="kg-missing",
        title="This leads nowhere yet",
    )


def is_disputed(corpus: Corpus, id: StatementId) -> bool:
    """Return whether a statement has both support and opposition."""
    sides = reasons_by_side(corpus, id)
    return bool(sides.pro and sides.con)
