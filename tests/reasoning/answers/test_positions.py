"""Dung's labels under three readings of support, and what the enumeration admits."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kg.model import Integrity
from kg.reasoning import labelling, positions
from kg.reasoning.answers.positions import DungLabelling, Positions, labellings
from kg.reasoning.graph.graph import Graph
from kg.reasoning.other_rules.dung_labelling import (
    IN,
    OUT,
    UNDECIDED,
    Support,
    framework_of,
    grounded_labelling,
    starts_by_end,
)
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, source
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

quick = examples(13, derandomize=True)
READINGS: tuple[Support, ...] = ("evidential", "necessary", "deductive")


def test_what_depends_on_a_retracted_premise_is_out() -> None:
    notes = corpus_of_parts(
        claim("p"),
        evidence("a", quality=0.8),
        evidence("b", ["gone"]),
        source("gone", integrity=Integrity.RETRACTED),
        "a supports p",
        "p depends-on b",
    )
    label_of_p = labelling(notes, "p")
    assert isinstance(label_of_p, DungLabelling)
    assert label_of_p.label == "out"


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = draw(st.integers(1, 6))
    place = st.integers(0, size - 1)
    arcs = draw(st.lists(st.tuples(place, place, st.sampled_from([-1.0, 1.0])), max_size=10))
    claims = draw(st.lists(place, unique=True))
    names = [f"n{i}" for i in range(size)]
    return graph_of(
        dict.fromkeys(names, 0.5),
        [(names[a], names[b], w) for a, b, w in arcs if a != b or w < 0],
        claims=[names[i] for i in claims],
    )


@quick
@given(graphs(), st.sampled_from(READINGS))
def test_labellings_are_those_that_the_rules_allow(graph: Graph, support: Support) -> None:
    framework = framework_of(graph, support)
    size = framework.size
    attackers, needs = (
        starts_by_end(framework.attacks, size),
        starts_by_end(framework.needs, size),
    )
    backers = starts_by_end(framework.backing, size)

    def rule(x: tuple[int, ...], i: int) -> int:
        backed = framework.stands_alone[i] or any(x[b] == IN for b in backers[i])
        lost = not framework.stands_alone[i] and all(x[b] == OUT for b in backers[i])
        if any(x[a] == IN for a in attackers[i]) or any(x[a] == OUT for a in needs[i]) or lost:
            return OUT
        clear = all(x[a] == OUT for a in attackers[i]) and all(x[a] == IN for a in needs[i])
        return IN if clear and backed else UNDECIDED

    def grounded_in(x: tuple[int, ...]) -> bool:
        accepted: set[int] = set()
        while True:
            more = {
                i
                for i in range(size)
                if x[i] == IN and (framework.stands_alone[i] or accepted & set(backers[i]))
            }
            if more == accepted:
                return accepted == {i for i in range(size) if x[i] == IN}
            accepted = more

    start = grounded_labelling(framework)
    allowed = {
        x
        for x in product((IN, OUT, UNDECIDED), repeat=size)
        if grounded_in(x)
        and all(rule(x, i) == x[i] or start[i] == x[i] == OUT for i in range(size))
        and all(start[i] in (UNDECIDED, x[i]) for i in range(size))
    }
    labels, whole_text = labellings(framework, "complete")
    assert whole_text
    assert {tuple(x) for x in labels} == allowed


def test_enumeration_says_when_it_stops() -> None:
    pairs = [(f"a{k}", f"b{k}") for k in range(11)]
    arcs = [(a, b, -1.0) for pair in pairs for a, b in (pair, pair[::-1])]
    graph = graph_of({name: 0.5 for pair in pairs for name in pair}, arcs, claims=[])
    framework = framework_of(graph)
    labels, whole_text = labellings(framework, "complete")
    assert (len(labels), whole_text) == (1000, False)
    assert labellings(framework, "preferred") == ([], False)
    many = graph_of(
        {f"{c}{k}": 0.5 for k in range(13) for c in "ab"},
        [(f"{a}{k}", f"{b}{k}", -1.0) for k in range(13) for a, b in ("ab", "ba")],
        claims=[],
    )
    assert labellings(framework_of(many), "complete") == ([], False)
    assert (grounded_labelling(framework_of(many)) == UNDECIDED).all()


def test_a_dilemma_has_two_positions_and_the_claim_stands_in_one() -> None:
    notes = corpus_of_parts(
        evidence("a", quality=0.9),
        evidence("b", quality=0.9),
        claim("p"),
        "a contradicts b",
        "b contradicts a",
        "a supports p",
    )
    answer = positions(notes, "p")
    assert isinstance(answer, Positions)
    assert set(answer.positions) == {("a", "p"), ("b",)}
    assert (answer.in_some, answer.in_all) == (True, False)


@every_row("support", READINGS)
def test_grounded_is_the_least_of_the_complete(support: Support) -> None:
    rng = np.random.default_rng(5)
    for _ in range(40):
        size = int(rng.integers(2, 7))
        arcs = [
            (f"n{a}", f"n{b}", float(rng.choice([-1.0, 1.0])))
            for a, b in rng.integers(0, size, (8, 2)).tolist()
            if a != b
        ]
        graph = graph_of({f"n{i}": 0.5 for i in range(size)}, arcs, claims=["n0"])
        framework = framework_of(graph, support)
        start = grounded_labelling(framework)
        labels, _ = labellings(framework, "complete")
        assert labels
        for i in np.flatnonzero(start != UNDECIDED).tolist():
            assert all(x[i] == start[i] for x in labels)
