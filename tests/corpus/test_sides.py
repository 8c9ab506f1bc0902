"""What speaks for and against a statement is the same wherever it is asked."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.corpus import Corpus
from kg.corpus.sides import other_end, sides_of, speakers_of
from kg.corpus.units import one_with, superseded
from kg.model import OPPOSING, SIDES, Edge
from kg.queries.engines.memory import MemoryEngine
from kg.queries.engines.sparql import store_engine
from kg.queries.find import find
from kg.queries.relations.compare import compare
from kg.queries.relations.explain import against, why
from kg.rdf.store import as_store
from kg.reasoning.answers.verdict_text import Verdict
from tests.support.effort import examples
from tests.support.reasoning_corpus import claim, corpus, edge

IDS = "abcd"
RELATIONS = ("supports", "supports", "contradicts", "contradicts", "qualifies")


@st.composite
def arguments(draw: st.DrawFn) -> Corpus:
    """Claims and their reasons: with other premises, or else where some say the same."""
    joined, edges = draw(st.booleans()), {}
    others = () if joined else ("same-as", "supersedes")
    for _ in range(draw(st.integers(1, 7))):
        relation = draw(st.sampled_from((*RELATIONS, *others, "supersedes")))
        first, second, third = draw(st.permutations(IDS))[:3]
        made = edge(f"{first} {relation} {second}", mutual=draw(st.booleans()))
        if joined and made.relation in SIDES and draw(st.booleans()):
            made = edge(made.id, mutual=made.mutual, together=(third,))
        edges[made.id] = made
    return corpus(*map(claim, IDS), *edges.values())


@given(arguments())
@examples(25)
def test_reasons_are_the_same_for_pages_trees_verdicts_and_queries(found: Corpus) -> None:
    engines = MemoryEngine(found), store_engine(as_store(found))
    replaced = found.derive(superseded)
    for id in IDS:
        sides, group = sides_of(found, id), one_with(found, id)

        def speaking(edges: Iterable[Edge], id: str = id) -> set[tuple[str, int]]:
            """Who speaks by edges of the statement, and for it (1) or against it (-1)."""
            return {(each, SIDES[e.relation]) for e in edges for each in speakers_of(found, e, id)}

        written = speaking((*sides.both, *sides.left_out))
        branches = (*why(found, id).branches, *against(found, id).branches)
        edges = ((branch.statement, branch.edge) for branch in branches)
        listed = {(each, SIDES[e.relation]) for each, e in edges if e and e.relation in SIDES}
        assert listed == written

        verdict = kg.verdict(found, id)
        assert isinstance(verdict, Verdict)
        weighed = {
            (frozenset(one_with(found, premise)), 1 if reason.weight > 0 else -1)
            for reason in verdict.reasons
            for premise in (reason.statement, *reason.together)
        }
        counted = {(frozenset(one_with(found, each)), side) for each, side in speaking(sides.both)}
        assert weighed == counted
        gone = {premise for premise, _ in speaking(sides.left_out) if premise in replaced}
        assert {*verdict.left_out} == gone

        ends = {
            (other_end(found, e, id), SIDES[e.relation]) for e in (*sides.both, *sides.left_out)
        }
        for engine in engines:
            asked = {
                (each, SIDES[relation])
                for relation in SIDES
                for twin in group
                for each in find(engine, kg.statements().linked(relation, twin)).ids
            }
            assert {(each, side) for each, side in asked if each not in group} == ends


@given(arguments())
@examples(25)
def test_two_statements_share_the_reasons_that_each_has(found: Corpus) -> None:
    own = {
        id: {(source, edge.relation in OPPOSING) for edge in found.edges if edge.relation in SIDES
             for source, target in edge.directions if target == id}
        for id in IDS
    }  # fmt: skip
    torn = {s for each in own.values() for s, con in each if (s, not con) in each}
    told = compare(found, "a", "b")
    assert {*told.shared_reasons} - torn == {s for s, _ in own["a"] & own["b"]} - torn


def test_a_mutual_contradiction_is_a_reason_in_a_comparison() -> None:
    found = corpus(
        *map(claim, IDS), edge("a contradicts c", mutual=True), "c contradicts b", "d contradicts c"
    )
    told = compare(found, "a", "b")
    assert told.shared_reasons == ("c",)
    assert compare(found, "a", "d").both_oppose == ("c",)


def test_what_cannot_be_mutual_goes_one_way() -> None:
    linked = edge("a contradicts b", mutual=True, together=("c",))
    for written in (linked, edge("a supports b", mutual=True), edge("a qualifies b", mutual=True)):
        assert written.directions == (("a", "b"),)
        found = corpus(*map(claim, IDS), written)
        assert not sides_of(found, "a").both
        assert kg.strengths(found)["a"] == kg.strengths(corpus(*map(claim, IDS)))["a"]
    assert edge("a contradicts b", mutual=True).directions == (("a", "b"), ("b", "a"))
