"""Pairs of statements that clash, each shown with both of its sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import superseded_statements, with_same
from kg.corpus.sides import reasons_by_side
from kg.model import Edge, Relation
from kg.publish.components.strength_bar import standing_words
from kg.publish.markup.html import Child, Html, element
from kg.publish.markup.phrases import FORWARD
from kg.publish.page_builder import PageBuilder


class Clash(NamedTuple):
    """Two statements, and the edges by which one opposes the other or both do."""

    left: str
    right: str
    edges: tuple[Edge, ...]

    @property
    def is_mutual(self) -> bool:
        """Whether each opposes the other."""
        return any(e.both_ways for e in self.edges) or len({e.source for e in self.edges}) > 1

    def is_live(self, corpus: Corpus) -> bool:
        """Whether neither is superseded, and so counted nowhere."""
        replaced = corpus.derive(superseded_statements)
        return self.left not in replaced and self.right not in replaced


def pair_up(corpus: Corpus, edges: Iterable[Edge], line: str | None = None) -> list[Clash]:
    """Edges between statements as pairs, in the order of their first edges.

    The statement of the camp that `kg.toml` names first stands on the left, in every pair.
    """
    camps = corpus.config.camp_ids
    found: dict[frozenset[str], list[Edge]] = {}
    for edge in edges:
        found.setdefault(frozenset((edge.source, edge.target)), []).append(edge)

    def column(id: str) -> int:
        camp = corpus.camp_of(id, line)
        return camps.index(camp) if camp in camps else len(camps)

    pairs = []
    for together in found.values():
        left, right = together[0].source, together[0].target
        if column(right) < column(left):
            left, right = right, left
        pairs.append(Clash(left, right, tuple(together)))
    return pairs


def answerers(corpus: Corpus, clash: Clash, edge: Edge) -> list[str]:
    """Statements outside a clash that speak against the one that attacks."""
    inside = (*with_same(corpus, clash.left), *with_same(corpus, clash.right))
    ends = dict.fromkeys(reason.source for reason in reasons_by_side(corpus, edge.source).con)
    return [end for end in ends if end not in inside]


def is_answered(corpus: Corpus, clash: Clash) -> bool:
    """Whether something else speaks against every statement that attacks here."""
    return all(answerers(corpus, clash, edge) for edge in clash.edges)


def clash_list(builder: PageBuilder, clashes: Sequence[Clash]) -> Html:
    """Clashes under each other, the two sides of each in two columns."""
    seen: set[str] = set()
    before: list[Clash | None] = [None, *clashes]
    rows = [_pair(builder, *pair, seen) for pair in zip(clashes, before, strict=False)]
    return element("ul", *rows, class_="kg-clash-list")


def _pair(builder: PageBuilder, clash: Clash, above: Clash | None, seen: set[str]) -> Html:
    """A pair; on paper a side that heads the pair above as well heads both."""
    headed = "kg-headed" if above and above.left == clash.left else None
    return element(
        "li",
        element(
            "div",
            _end(builder, clash, clash.left, seen),
            element("div", _between(clash), class_="kg-versus"),
            _end(builder, clash, clash.right, seen),
            class_="kg-clash",
        ),
        class_=headed,
    )


def _between(clash: Clash) -> Html:
    """Which of the two opposes the other and how, in words beside the arrow."""
    first = clash.edges[0]
    if clash.is_mutual:
        words, arrow = "contradict each other", "⇄"
        if any(edge.relation is not Relation.CONTRADICTS for edge in clash.edges):
            words = "limit each other"
    else:
        words, arrow = FORWARD[first.relation], "→" if first.source == clash.left else "←"
    return element(
        "span",
        element("span", arrow, class_="kg-arrow", aria_hidden="true"),
        element("span", words),
        class_="kg-versus-words",
    )


def _end(builder: PageBuilder, clash: Clash, id: str, seen: set[str]) -> Html:
    """One side of a pair; one that stood above already says no more where it stands."""
    again, standing = " kg-again", None
    if id not in seen:
        again, standing = "", element("p", standing_words(builder, id), class_="kg-small")
    seen.add(id)
    corpus = builder.context.corpus
    reasons: list[Child] = [
        element("p", builder.words(edge.reason, edge.span.path), class_="kg-reason")
        for edge in clash.edges
        if edge.source == id and edge.reason
    ]
    return element(
        "div",
        element("p", builder.statement(id), class_="kg-card-title"),
        *reasons,
        standing,
        class_=f"kg-end {builder.link_maker.camp_class(corpus.camp_of(id, builder.line))}{again}",
    )
