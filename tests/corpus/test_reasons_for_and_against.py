"""What speaks for and against a statement is the same wherever it is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

import kg
from kg.checks.rules.argument import counter_claim_without_target
from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import (
    ids_with_neighbours,
    is_supported,
    reasons_by_side,
    statements_by_source,
)
from kg.corpus.same_and_superseded import same_statements, superseded_statements
from kg.model import OPPOSING, SIDES, Kind, Relation
from kg.queries.comparison import compare
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.reason_trees import against, why
from kg.rdf.quad_store import as_store
from kg.reasoning.answers.verdict import Verdict
from kg.record_report import report_on_record
from kg.reporting.report import render_text
from tests.support.corpora import random_corpora
from tests.support.corpus_parts import claim, corpus_of_parts, edge, evidence
from tests.support.effort import examples

IDS = "abcd"
RELATIONS = ("supports", "supports", "contradicts", "contradicts", "qualifies")


@st.composite
def arguments(draw: st.DrawFn) -> Corpus:
    """Claims and their reasons: with other premises, or else where some say the same."""
    joined_example, edges = draw(st.booleans()), {}
    others = () if joined_example else ("same-as", "supersedes")
    for _ in range(draw(st.integers(1, 7))):
        relation = draw(st.sampled_from((*RELATIONS, *others, "supersedes")))
        first, second, third = draw(st.permutations(IDS))[:3]
        made_edge = edge(f"{first} {relation} {second}", mutual=draw(st.booleans()))
        if joined_example and made_edge.relation in SIDES and draw(st.booleans()):
            made_edge = edge(made_edge.id, mutual=made_edge.mutual, together=(third,))
        edges[made_edge.id] = made_edge
    return corpus_of_parts(*map(claim, IDS), *edges.values())


class Voice(NamedTuple):
    """Who speaks for a statement (1) or against it (-1), taken from the edges one by one."""

    by: str
    end: str
    side: int
    counts: bool


def reason_list(notes: Corpus, about: Iterable[str]) -> set[Voice]:
    replaced, voices = superseded_statements(notes), set()
    for e in notes.edges:
        turned = e.mutual and e.relation == "contradicts" and not e.together
        for end, target in [(e.origin, e.target), (e.target, e.origin)][: 1 + turned]:
            if target in about and end not in about and e.relation in SIDES:
                speakers = {end, *e.together}
                counts = speakers.isdisjoint(replaced)
                voices |= {Voice(each, end, SIDES[e.relation], counts) for each in speakers}
    return voices


@given(st.one_of(arguments(), arguments(), arguments(), random_corpora()))
@examples(8)
def test_premises_are_counted_of_all_statements_as_of_each(notes: Corpus) -> None:
    for field in ("supporters", "opponents"):
        definition = FIELDS_BY_KIND[RecordKind.STATEMENT][field]
        assert definition.index is not None
        counts = definition.index(notes)
        assert counts == {s.id: definition.read(notes, s) for s in notes.statements.values()}


@given(arguments())
@examples(6)
def test_reasons_are_the_same_for_pages_trees_verdicts_and_queries(notes: Corpus) -> None:
    engines = MemoryEngine(notes), engine_of_store(as_store(notes))
    for id in IDS:
        sides, group = reasons_by_side(notes, id), same_statements(notes, id)
        voices = reason_list(notes, group)
        note_text = {(each.by, each.side) for each in voices}
        assert {(s, b.side) for b in sides.both for s in b.premises} == {
            (each.by, each.side) for each in voices if each.counts
        }
        branches = (*why(notes, id).branches, *against(notes, id).branches)
        edges = ((branch.statement, branch.edge) for branch in branches)
        assert note_text == {
            (each, SIDES[e.relation]) for each, e in edges if e and e.relation in SIDES
        }

        verdict = kg.verdict(notes, id)
        assert isinstance(verdict, Verdict)
        weighed_pairs = {
            (frozenset(same_statements(notes, premise)), 1 if reason.weight > 0 else -1)
            for reason in verdict.reasons
            for premise in (reason.statement, *reason.together)
        }
        counted_rows = {
            (frozenset(same_statements(notes, each.by)), each.side)
            for each in voices
            if each.counts
        }
        assert weighed_pairs == counted_rows
        silent = {each.by for each in voices if not each.counts}
        assert {*verdict.declared.left_out} == silent & superseded_statements(notes).keys()

        for engine in engines:
            linked_rows = {
                (each, SIDES[relation])
                for relation in SIDES
                for twin in group
                for each in find(engine, kg.statements().linked(relation, twin)).ids
            }
            assert {(each, side) for each, side in linked_rows if each not in group} == note_text


@given(arguments())
@examples(6)
def test_counts_shown_tables_and_rules_agree_with_the_edges(notes: Corpus) -> None:
    for id in IDS:
        voices = reason_list(notes, same_statements(notes, id))
        for field, side in (("supporters", 1), ("opponents", -1)):
            count = len({each.by for each in voices if each.counts and each.side == side})
            assert FIELDS_BY_KIND[RecordKind.STATEMENT][field].values(
                notes, notes.statements[id]
            ) == (count,)

        bears_on = {(other, each.side) for other in IDS for each in reason_list(notes, {other})
                    if each.by == id}  # fmt: skip
        borne = {(each.end, each.side) for each in reason_list(notes, {id})}
        assert output(notes, id) == (bears_on, borne)

        reply = msgspec.structs.replace(notes.statements[id], kind=Kind.COUNTER_CLAIM)
        replying = replace(notes, statements={**notes.statements, id: reply})
        counters = {(other, -1) for other in IDS for each in reason_list(notes, {other})
                    if (each.end, each.side) == (id, -1)}  # fmt: skip
        assert bool(counters) != any(counter_claim_without_target.run(replying))


Ends = set[tuple[str, int]]


def output(notes: Corpus, id: str) -> tuple[Ends, Ends]:
    """What `kg show` lists below "Bears on" and "What bears on it", of what takes a side."""
    report = render_text(report_on_record(notes, id))
    own_part, _, others = report.partition("What bears on it")
    rows = (re.findall(r"^. (\S+) +(\w+)", text, re.M) for text in (own_part, others))
    first, second = (
        {(end, SIDES[Relation(word)]) for word, end in each if word in SIDES} for each in rows
    )
    return first, second


@given(arguments())
@examples(6)
def test_two_statements_share_the_reasons_that_each_has(notes: Corpus) -> None:
    own_rows = {
        id: {(premise, edge.relation in OPPOSING) for edge in notes.edges if edge.relation in SIDES
             for premise, target in edge.directions if target == id}
        for id in IDS
    }  # fmt: skip
    torn = {s for each in own_rows.values() for s, con in each if (s, not con) in each}
    comparison = compare(notes, "a", "b")
    assert {*comparison.shared_reasons} - torn == {
        s for s, _ in own_rows["a"] & own_rows["b"]
    } - torn


def test_what_cannot_be_mutual_goes_one_way() -> None:
    linked_edge = edge("a contradicts b", mutual=True, together=("c",))
    for note_text in (
        linked_edge,
        edge("a supports b", mutual=True),
        edge("a qualifies b", mutual=True),
    ):
        assert note_text.directions == (("a", "b"),)
        notes = corpus_of_parts(*map(claim, IDS), note_text)
        assert not reasons_by_side(notes, "a").both
        assert kg.strengths(notes)["a"] == kg.strengths(corpus_of_parts(*map(claim, IDS)))["a"]
    assert edge("a contradicts b", mutual=True).directions == (("a", "b"), ("b", "a"))


def test_a_statement_carries_what_it_and_its_reasons_cite() -> None:
    notes = corpus_of_parts(
        *(claim(id) for id in ("q", "twin", "far")),
        *(evidence("e", ["s"]), evidence("f", ["s", "t"]), evidence("g", ["u"])),
        *("e supports q", "f contradicts twin", "twin same-as q", "g supports far"),
        "far supports twin",
    )
    assert ids_with_neighbours(notes, ["q"]) == ("q", "twin", "e", "far", "f")
    assert statements_by_source(notes, "q") == {"s": ["e", "f"], "t": ["f"]}


def test_a_claim_is_supported_by_what_is_written_for_it_alone() -> None:
    notes = corpus_of_parts(
        *map(claim, ("q", "twin", "old", "new", "bare", "other")),
        *("new supersedes old", "old supports q", "twin same-as bare", "bare supports twin"),
        *("other depends-on new", "q relates new", "q contradicts other", "other same-as new"),
    )
    assert [id for id in notes.statements if is_supported(notes, id)] == [
        "q",
        "twin",
        "bare",
    ]
    assert not reasons_by_side(notes, "q").pro
    assert not reasons_by_side(notes, "twin").pro
