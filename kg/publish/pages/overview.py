"""The pages that look over the whole corpus: home and the list of lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.corpus import Corpus
from kg.publish.address import Addresses
from kg.publish.html import Html, element
from kg.publish.page import Draft, Page
from kg.publish.pages.line import behind, members_of
from kg.publish.pages.sheet import Sheet, facts, kicker
from kg.publish.press import Press, press_for
from kg.publish.words import count


def overview_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """Home, and every page that lists things of all notes."""
    press = press_for(addresses)
    yield Draft("index.html", partial(_home, press))
    yield Draft("lines/index.html", partial(_lines, press))


def _home(press: Press) -> Page:
    corpus = press.corpus
    sheet = Sheet(press, "index.html")
    sheet.add(
        element("h1", corpus.config.site.name),
        element("p", corpus.config.site.description, class_="kg-standfirst"),
        facts(
            count(len(corpus.lines), "inquiry line"),
            count(len(corpus.claims), "claim"),
            count(len(corpus.evidence), "piece of evidence", "pieces of evidence"),
            count(len(corpus.sources), "source"),
        ),
    )
    sheet.section("lines", "Inquiry lines", _line_cards(sheet))
    return _page(sheet, "home", corpus.config.site.name)


def _lines(press: Press) -> Page:
    sheet = Sheet(press, "lines/index.html")
    sheet.add(kicker("Overview"), element("h1", "Inquiry lines"), _line_cards(sheet))
    return _page(sheet, "index", "Inquiry lines")


def _line_cards(sheet: Sheet) -> Html:
    corpus = sheet.press.corpus
    cards = []
    for line in corpus.lines.values():
        members = members_of(corpus, line)
        sizes = [
            element(
                "span",
                sheet.chips.mark(camp.id),
                f"{sum(p.camp == camp.id for p in line.placements)} {camp.label.lower()}",
            )
            for camp in corpus.config.camps
        ]
        cards.append(
            element(
                "li",
                element("p", sheet.any(line.id), class_="kg-card-title"),
                element("p", sheet.words(line.standfirst, line.span.path))
                if line.standfirst
                else None,
                element(
                    "p",
                    *sizes,
                    element("span", count(len(behind(corpus, members)), "statement")),
                    class_="kg-small kg-sizes",
                ),
                class_="kg-card",
            )
        )
    return (
        element("ul", *cards, class_="kg-cards kg-cards-wide")
        if cards
        else element("p", "No inquiry line yet.", class_="kg-none")
    )


def _page(sheet: Sheet, kind: str, title: str) -> Page:
    return Page(
        url=sheet.url,
        kind=kind,
        title=title,
        html=sheet.html(kind),
        toc=tuple(sheet.toc),
        description=title,
        facets={"kind": ("Overview",)},
    )
