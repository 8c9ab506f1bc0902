"""Chains of edges between two statements."""

from __future__ import annotations

import pytest

from kg.corpus import UnknownId
from kg.queries.shortest_path import path
from tests.queries.dated_notes import CLAIM, HOSTILE, small_debate
from tests.support.corpora import corpus_of_notes


def test_a_path_may_go_against_edges_and_through_undercuts() -> None:
    corpus = corpus_of_notes(
        a=CLAIM.format("A", ""),
        b=CLAIM.format("B", "- supports:: [[a]] ^b"),
        c=CLAIM.format("C", "- undercuts:: [[b#^b]]"),
        d=CLAIM.format("D", "- contradicts:: [[c]]"),
        lone=CLAIM.format("Lone", ""),
    )
    route = path(corpus, "a", "d")
    assert route is not None
    assert [edge.origin for edge in route.edges] == ["c", "d"]
    assert path(corpus, "a", "lone") is None
    same = path(corpus, "a", "a")
    assert same is not None
    assert same.edges == ()
    with pytest.raises(UnknownId, match="did you mean lone"):
        path(corpus, "a", "lonee")


def test_a_route_prints_as_a_chain() -> None:
    assert str(path(small_debate(), "e", "b")) == (
        "E [@old]  [e]\n  supports — it was tried\nTalk grounds  [a]\n"
        f"  contradicted by — it <i>does</i> not\n{HOSTILE}  [b]"
    )
