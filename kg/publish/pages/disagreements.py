"""Where the corpus disagrees: every contradiction with both of its sides and what each can show."""

from __future__ import annotations

from collections.abc import Iterator

from kg.corpus import Corpus
from kg.model import Edge, Relation
from kg.publish.address import Addresses
from kg.publish.html import Html, element
from kg.publish.page import Page
from kg.publish.pages.argue import edges_against, edges_for, replies
from kg.publish.pages.sheet import Sheet, facts, kicker
from kg.publish.press import press_for
from kg.publish.words import count

SHOWN = 150


def disagreement_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Page]:
    """One page of contradictions, those with most at stake first."""
    press = press_for(addresses)
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
    sheet.section("open", "Not answered yet", _listed(sheet, open_ones))
    sheet.section(
        "answered",
        "Answered, still in dispute",
        _listed(sheet, [edge for edge in found if state(corpus, edge) != "unanswered"]),
    )
    yield Page(
        url=sheet.url,
        kind="index",
        title="Where the corpus disagrees",
        html=sheet.html("disagreements"),
        toc=tuple(sheet.toc),
        description=f"{count(len(found), 'contradiction')} between statements, {len(open_ones)} unanswered.",
        facets={"kind": ("Overview",)},
    )


def contradictions(corpus: Corpus) -> list[Edge]:
    """Contradictions between statements, the most argued-about first; evidence against claims is left to their pages."""
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
