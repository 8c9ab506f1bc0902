"""Clashes between statements: the pairs that oppose each other, and how they are listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.corpus.same_and_superseded import same_statements, superseded_statements
from kg.model import Edge, Relation
from kg.publish.components.strength_bar import standing_words
from kg.publish.markup.html import (
    Child,
    Html,
    element,
    item_list,
)
from kg.publish.markup.phrases import (
    BACKWARD,
    FORWARD,
    as_sentence,
)
from kg.publish.page_builder import PageBuilder


class Clash(NamedTuple):
    """Two statements, and the edges by which one or each opposes the other."""

    left: str
    right: str
    edges: tuple[Edge, ...]

    @property
    def is_mutual(self) -> bool:
        """Whether each opposes the other."""
        return any(e.goes_both_ways for e in self.edges) or len({e.origin for e in self.edges}) > 1

    def is_live(self, corpus: Corpus) -> bool:
        """Return whether neither is superseded; a superseded statement does not count."""
        superseded_ids = superseded_statements(corpus)
        return self.left not in superseded_ids and self.right not in superseded_ids


def group_by_pair(corpus: Corpus, edges: Iterable[Edge], line_id: str | None = None) -> list[Clash]:
    """Edges grouped by pairs of statements, in the order of their first edges.

    In every pair, the statement of the camp that `kg.toml` names first is on the left.
    """
    camps = corpus.config.camp_ids
    edges_by_pair: dict[frozenset[str], list[Edge]] = {}
    for edge in edges:
        edges_by_pair.setdefault(frozenset((edge.origin, edge.target)), []).append(edge)

    def column(id: str) -> int:
        camp = corpus.camp_of(id, line_id)
        return camps.index(camp) if camp in camps else len(camps)

    pairs = []
    for pair_edges in edges_by_pair.values():
        left, right = pair_edges[0].origin, pair_edges[0].target
        if column(right) < column(left):
            left, right = right, left
        pairs.append(Clash(left, right, tuple(pair_edges)))
    return pairs


def objectors_outside(corpus: Corpus, clash: Clash, edge: Edge) -> list[str]:
    """Statements outside a clash that object to its attacker."""
    ids_inside = (*same_statements(corpus, clash.left), *same_statements(corpus, clash.right))
    ends = dict.fromkeys(reason.origin for reason in reasons_by_side(corpus, edge.origin).con)
    return [end for end in ends if end not in ids_inside]


def is_answered(corpus: Corpus, clash: Clash) -> bool:
    """Return whether there are objections from outside to every attacker in a clash."""
    return all(objectors_outside(corpus, clash, edge) for edge in clash.edges)


def clash_list(
    builder: PageBuilder, clashes: Sequence[Clash], first: str = "", name_unanswered: bool = False
) -> Html:
    """Clashes grouped by the statement that most of them share, or by `first`: it is shown once,
    on the left, with all that clash with it on the right, in the given order. Where both object,
    each may name the claims that nothing else answers.
    """
    rows = [
        element(
            "li",
            element("div", _clash_side(builder, shared_id, []), class_="kg-clash-head"),
            item_list(
                (_opponent_item(builder, clash, shared_id, name_unanswered) for clash in group),
                "kg-opponents",
            ),
            class_="kg-clash",
        )
        for shared_id, group in _group_by_statement(clashes, first)
    ]
    return item_list(rows, "kg-clash-list")


def _group_by_statement(clashes: Sequence[Clash], first: str) -> list[tuple[str, list[Clash]]]:
    """Put each clash under one of its ends: `first`, or the one with most remaining clashes."""
    remaining, groups = list(clashes), dict[str, list[Clash]]()
    while remaining:
        counts = Counter(id for clash in remaining for id in (clash.left, clash.right))
        shared_id = first if first in counts else counts.most_common(1)[0][0]
        groups[shared_id] = [clash for clash in remaining if shared_id in (clash.left, clash.right)]
        remaining = [clash for clash in remaining if shared_id not in (clash.left, clash.right)]
    order = {clash: index for index, clash in enumerate(clashes)}
    return sorted(groups.items(), key=lambda group: order[group[1][0]])


def _unanswered_objection(corpus: Corpus, clash: Clash, shared_id: str) -> Html:
    """Say which of two claims objects without an answer from outside; `shared_id` stands first."""
    objectors = {edge.origin for edge in clash.edges if not objectors_outside(corpus, clash, edge)}
    which = "second" if shared_id not in objectors else "first"
    words = f"Nothing else speaks against the {which}."
    if len(objectors) > 1:
        words = "Nothing else speaks against either."
    return element("p", words, class_="kg-small")


def _opponent_item(
    builder: PageBuilder, clash: Clash, shared_id: str, name_unanswered: bool
) -> Html:
    """The statement that clashes with `shared_id`, after words for how they oppose each other. If
    both do, the reason of `shared_id` comes first.
    """
    opponent_id = clash.right if clash.left == shared_id else clash.left
    edges_of_shared = (
        [edge for edge in clash.edges if edge.origin == shared_id] if clash.is_mutual else []
    )
    edges_of_other = [edge for edge in clash.edges if edge not in edges_of_shared]
    parts = (
        _describe_opposition(clash, shared_id),
        *_reasons_of_edges(builder, edges_of_shared),
        _clash_side(builder, opponent_id, edges_of_other),
    )
    is_open = name_unanswered and clash.is_mutual
    remark = _unanswered_objection(builder.context.corpus, clash, shared_id) if is_open else None
    return element("li", *parts, remark)


def _describe_opposition(clash: Clash, shared_id: str) -> Html:
    """Describe how the two oppose each other, seen from `shared_id`: `contradicted by`."""
    relation = clash.edges[0].relation
    words = FORWARD[relation] if clash.edges[0].origin == shared_id else BACKWARD[relation]
    if clash.is_mutual:
        limits = any(edge.relation is not Relation.CONTRADICTS for edge in clash.edges)
        words = f"each {'limits' if limits else 'contradicts'} the other:"
    return element("span", words, class_="kg-versus-words")


def _clash_side(builder: PageBuilder, id: str, edges: Sequence[Edge]) -> Html:
    """Render one side of a clash: the statement, its standing, and the reasons on its edges."""
    camp = builder.link_maker.camp_shown(id, builder.line_id)
    return element(
        "div",
        element("p", builder.statement(id), class_="kg-card-title"),
        *_reasons_of_edges(builder, edges),
        element("p", standing_words(builder, id), class_="kg-small"),
        class_=f"kg-end {builder.link_maker.camp_class(camp)}",
    )


def _reasons_of_edges(builder: PageBuilder, edges: Iterable[Edge]) -> list[Child]:
    return [
        element(
            "p", builder.inline_html(as_sentence(edge.reason), edge.span.path), class_="kg-reason"
        )
        for edge in edges
        if edge.reason
    ]
