"""Statements that oppose each other, as pairs: both sides beside each other, and every reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import OPPOSING, Edge, Relation
from kg.publish.components.argument import edges_against, edges_for
from kg.publish.components.meter import standing_words
from kg.publish.context.site_context import PageBuilder
from kg.publish.markup.html import Child, Html, element
from kg.publish.markup.words import FORWARD


class Clash(NamedTuple):
    """Two statements, and the edges by which one opposes the other or both do."""

    left: str
    right: str
    edges: tuple[Edge, ...]

    @property
    def is_mutual(self) -> bool:
        """Whether each opposes the other."""
        return any(e.mutual for e in self.edges) or len({e.source for e in self.edges}) > 1


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
    inside = (clash.left, clash.right)
    against = edges_against(corpus, edge.source)
    ends = [end for one in against for end in (one.source, one.target) if end not in inside]
    return list(dict.fromkeys(ends))


def is_answered(corpus: Corpus, clash: Clash) -> bool:
    """Whether something else speaks against every statement that attacks here."""
    return all(answerers(corpus, clash, edge) for edge in clash.edges)


def clash_list(builder: PageBuilder, clashes: Sequence[Clash]) -> Html:
    """Clashes under each other, the two sides of each in two columns."""
    return element("ul", *[_item(builder, clash) for clash in clashes], class_="kg-clash-list")


def _item(builder: PageBuilder, clash: Clash) -> Html:
    return element(
        "li",
        element(
            "div",
            _end(builder, clash, clash.left),
            element("div", _between(clash), class_="kg-versus"),
            _end(builder, clash, clash.right),
            class_="kg-clash",
        ),
    )


def _between(clash: Clash) -> Html:
    """Who does what to whom, said without the picture too."""
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


def _end(builder: PageBuilder, clash: Clash, id: str) -> Html:
    corpus = builder.context.corpus
    reasons: list[Child] = [
        element("p", builder.words(edge.reason, edge.span.path), class_="kg-reason")
        for edge in clash.edges
        if edge.source == id and edge.reason
    ]
    backing = f" · {len(edges_for(corpus, id))} for, {len(edges_against(corpus, id))} against"
    return element(
        "div",
        element("p", builder.statement(id), class_="kg-card-title"),
        *reasons,
        element("p", standing_words(builder, id), backing, class_="kg-small"),
        class_=f"kg-end {builder.link_maker.camp_class(corpus.camp_of(id, builder.line))}",
    )


def clashes_within(corpus: Corpus, members: Sequence[str]) -> list[Edge]:
    """Edges by which one member of a line opposes another, in reading order."""
    inside = set(members)
    return [
        edge
        for edge in _edges_of(corpus, members)
        if edge.relation in OPPOSING and edge.target in inside
    ]


def disputed_steps(corpus: Corpus, members: Sequence[str]) -> list[Edge]:
    """Edges by which a member denies that one statement bears on another."""
    inside = set(members)
    return [
        edge
        for edge in _edges_of(corpus, members)
        if (step := corpus.edge.get(edge.target)) is not None and step.target in inside
    ]


def _edges_of(corpus: Corpus, members: Sequence[str]) -> list[Edge]:
    """Edges from these statements, in reading order."""
    found = (edge for id in dict.fromkeys(members) for edge in corpus.edges_from.get(id, ()))
    return sorted(found, key=lambda edge: edge.span)
