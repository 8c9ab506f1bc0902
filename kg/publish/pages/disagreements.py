"""Where the corpus disagrees: every contradiction with both of its sides and what each can show."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.corpus import Corpus
from kg.model import Edge, Relation
from kg.publish.address import Addresses
from kg.publish.html import Child, Html, element
from kg.publish.page import Draft, Page
from kg.publish.pages.argue import edges_against, edges_for, replies
from kg.publish.pages.evidence import table
from kg.publish.pages.meter import bar
from kg.publish.pages.sheet import Sheet, facts, kicker
from kg.publish.press import Press, press_for
from kg.publish.words import count

SHOWN = 150
_EVEN = "Statements with weighty reasons on both sides, the most evenly matched first."
_DOUBLE = "One source, or one group of sources, whose findings help and harm the same proposition."


def disagreement_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """One page of contradictions, those with most at stake first."""
    yield Draft("disagreements.html", partial(_disagreements, press_for(addresses)))


def _disagreements(press: Press) -> Page:
    corpus = press.corpus
    sheet = Sheet(press, "disagreements.html")
    found = contradictions(corpus)
    open_ones = [edge for edge in found if state(corpus, edge) == "unanswered"]
    sheet.add(
        kicker("Overview"),
        element("h1", "Where the corpus disagrees"),
        element(
            "p",
            "Each contradiction that a note states, with both sides and what speaks for each. "
            "An attack counts as answered when some statement speaks against the attacker.",
            class_="kg-standfirst",
        ),
        facts(count(len(found), "contradiction"), f"{len(open_ones):,} unanswered"),
    )
    sheet.section("tensions", "Much said on both sides", _tensions(sheet), lead=_EVEN)
    sheet.section("double", "Sources that cut both ways", _double(sheet), lead=_DOUBLE)
    sheet.section("open", "Not answered yet", _listed(sheet, open_ones))
    sheet.section(
        "answered",
        "Answered, still in dispute",
        _listed(sheet, [edge for edge in found if state(corpus, edge) != "unanswered"]),
    )
    return Page(
        url=sheet.url,
        kind="index",
        title="Where the corpus disagrees",
        html=sheet.html("disagreements"),
        toc=tuple(sheet.toc),
        description=f"{count(len(found), 'contradiction')} between statements, {len(open_ones)} "
        f"unanswered.",
        facets={"kind": ("Overview",)},
    )


def _tensions(sheet: Sheet) -> Html | None:
    """Statements with weighty reasons on both sides."""
    found = sheet.press.scales.tensions
    rows: list[list[Child]] = [
        [
            element("th", sheet.statement(one.statement), scope="row"),
            bar(sheet.press.scales.of(one.statement)),
            f"{one.pro:.2f}",
            f"{one.con:.2f}",
        ]
        for one in (found.conflicts if found else ())
    ]
    return table(("Statement", "Stands at", "For", "Against"), rows[:SHOWN], "Tensions") or None


def _double(sheet: Sheet) -> Html | None:
    """Sources whose findings help and harm the same proposition."""
    found = sheet.press.scales.tensions
    rows: list[list[Child]] = [
        [
            element("th", _origin(sheet, one.origin), scope="row"),
            sheet.statement(one.statement),
            [element("div", sheet.statement(id)) for id in one.helping],
            [element("div", sheet.statement(id)) for id in one.harming],
        ]
        for one in (found.double_talk if found else ())
    ]
    head = ("Source", "On", "Helps by", "Harms by")
    return table(head, rows[:SHOWN], "Sources that cut both ways") or None


def _origin(sheet: Sheet, origin: str) -> Child:
    key = origin.removeprefix("@")
    return sheet.chips.cited(key, sheet.root) if key in sheet.press.corpus.sources else origin


def contradictions(corpus: Corpus) -> list[Edge]:
    """Contradictions of claims, the most argued-about first; evidence stays on their pages."""
    found = [
        edge
        for edge in corpus.edges
        if edge.relation is Relation.CONTRADICTS
        and edge.target in corpus.statements
        and corpus.statements[edge.source].kind != "evidence"
    ]
    return sorted(
        found,
        key=lambda edge: (-replies(corpus, edge.source) - replies(corpus, edge.target), edge.id),
    )


def state(corpus: Corpus, edge: Edge) -> str:
    """Whether anything speaks against the attacking statement."""
    against = [one for one in edges_against(corpus, edge.source) if one.id != edge.id]
    return "answered" if against else "unanswered"


def _listed(sheet: Sheet, edges: list[Edge]) -> Html | None:
    if not edges:
        return None
    items = [_item(sheet, edge) for edge in edges[:SHOWN]]
    more = (
        element(
            "p",
            f"{len(edges) - SHOWN:,} more are on the pages of their statements.",
            class_="kg-more",
        )
        if len(edges) > SHOWN
        else None
    )
    return element("div", element("ul", *items, class_="kg-clash-list"), more)


def _item(sheet: Sheet, edge: Edge) -> Html:
    reason = (
        element("p", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None
    )
    versus = element("span", "contradicts", class_="kg-rel kg-rel-contradicts")
    return element(
        "li",
        element(
            "div",
            _end(sheet, edge.source),
            element("div", versus, class_="kg-versus"),
            _end(sheet, edge.target),
            class_="kg-clash",
        ),
        reason,
    )


def _end(sheet: Sheet, id: str) -> Html:
    corpus = sheet.press.corpus
    camp = corpus.camp_of(id)
    backing = f"{len(edges_for(corpus, id))} for · {len(edges_against(corpus, id))} against"
    return element(
        "div",
        element("p", sheet.statement(id), class_="kg-card-title"),
        element("p", backing, class_="kg-small"),
        class_=f"kg-end {sheet.chips.camp_class(camp)}",
    )
