"""Lists of topics, things, camps and sources, and of what changed lately."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from kg.corpus import Corpus
from kg.model import Kind, Statement
from kg.model.config import Camp
from kg.publish.address import Addresses
from kg.publish.html import Child, Html, element
from kg.publish.page import Draft, Page
from kg.publish.pages.evidence import table
from kg.publish.pages.sheet import Sheet, facts, kicker
from kg.publish.press import Press, press_for
from kg.publish.words import authors, count


def index_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """Lists that lead to every page that is not a statement or a line."""
    press = press_for(addresses)
    for url, title, groups, what in (
        ("topics/index.html", "Topics", corpus.topics, "topic"),
        ("about/index.html", "Models, systems and benchmarks", corpus.about, "thing"),
    ):
        yield Draft(url, partial(_names, press, url, title, groups, what))
    yield Draft("camps/index.html", partial(_camps, press))
    yield Draft("sources/index.html", partial(_sources, press))


def _names(
    press: Press, url: str, title: str, groups: Mapping[str, Sequence[Statement]], what: str
) -> Page:
    sheet = Sheet(press, url)
    link = sheet.chips.topic if what == "topic" else sheet.chips.about
    rows: list[list[Child]] = [
        [
            element("th", link(name, sheet.root), scope="row"),
            sum(s.kind is not Kind.EVIDENCE for s in members),
            sum(s.kind is Kind.EVIDENCE for s in members),
            *[
                sum(press.corpus.camp_of(s.id) == camp.id for s in members)
                for camp in press.corpus.config.camps
            ],
        ]
        for name, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    head = ("Name", "Claims", "Evidence", *[camp.label for camp in press.corpus.config.camps])
    sheet.add(
        kicker("Overview"),
        element("h1", title),
        facts(count(len(rows), what)),
        _sortable(head, rows, title),
    )
    return _page(sheet, title, f"{count(len(rows), what)}.")


def _sortable(head: Sequence[str], rows: Sequence[Sequence[Child]], name: str) -> Html:
    if not rows:
        return element("p", "None yet.", class_="kg-none")
    return element("div", table(head, rows, name), data_kg_sort=True, class_="kg-sortable")


def _camps(press: Press) -> Page:
    sheet = Sheet(press, "camps/index.html")
    cards = [_camp(sheet, camp) for camp in press.corpus.config.camps]
    words = (
        "A camp belongs to a statement within an inquiry line: the same statement may serve "
        "one camp here and the other there."
    )
    sheet.add(
        kicker("Overview"),
        element("h1", "Camps"),
        element("p", words, class_="kg-standfirst"),
        element("ul", *cards, class_="kg-cards kg-cards-wide"),
    )
    return _page(sheet, "Camps", "The camps, and what each holds.")


def _camp(sheet: Sheet, camp: Camp) -> Html:
    """A camp with how much it holds, in all and in each line."""
    corpus = sheet.press.corpus
    claims = sum(corpus.camp_of(s.id) == camp.id for s in corpus.claims)
    lines = [
        element(
            "li",
            sheet.any(line.id),
            element("span", count(placed, "statement"), class_="kg-small"),
        )
        for line in corpus.lines.values()
        if (placed := sum(place.camp == camp.id for place in line.placements))
    ]
    return element(
        "li",
        element("p", sheet.chips.camp(camp.id, sheet.root), class_="kg-card-title"),
        element("p", count(claims, "claim"), class_="kg-small"),
        element("ul", *lines, class_="kg-plain") if lines else None,
        class_="kg-card",
    )


def _sources(press: Press) -> Page:
    """Sources, the most loaded first."""
    corpus = press.corpus
    sheet = Sheet(press, "sources/index.html")
    loaded = sorted(
        corpus.sources.values(), key=lambda s: (-len(corpus.citing.get(s.key, ())), s.key)
    )
    rows: list[list[Child]] = [
        [
            element("th", sheet.chips.source(source.key, sheet.root), scope="row"),
            [
                element("cite", source.title),
                element("span", authors(source, 4), class_="kg-reason"),
            ],
            source.year or "–",
            len(corpus.citing.get(source.key, ())),
            len(_lines_on(corpus, source.key)),
            source.integrity or "–",
        ]
        for source in loaded
    ]
    sheet.add(
        kicker("Overview"),
        element("h1", "Sources"),
        element(
            "p",
            "The most loaded first: if one of these fell, this many statements would have to be "
            "looked at again.",
            class_="kg-standfirst",
        ),
        facts(
            count(len(rows), "source"),
            f"{sum(not corpus.citing.get(s.key) for s in loaded):,} not cited yet",
        ),
        _sortable(("Source", "Title", "Year", "Statements", "Lines", "Integrity"), rows, "Sources"),
    )
    return _page(sheet, "Sources", f"{count(len(rows), 'source')}, the most loaded first.")


def _lines_on(corpus: Corpus, key: str) -> set[str]:
    """Lines that place a statement which rests on a source, directly or through its evidence."""
    resting = {s.id for s in corpus.citing.get(key, ())}
    resting |= {edge.target for id in tuple(resting) for edge in corpus.edges_from.get(id, ())}
    return {place.line for id in resting for place in corpus.placements_of.get(id, ())}


def _page(sheet: Sheet, title: str, description: str) -> Page:
    return Page(
        url=sheet.url,
        kind="index",
        title=title,
        html=sheet.html("index"),
        toc=tuple(sheet.toc),
        description=description,
        facets={"kind": ("Overview",)},
    )
