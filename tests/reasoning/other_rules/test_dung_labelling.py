"""Labels of arguments under three readings of support, and beside those of another program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from argumentation.core.dung import (
    ArgumentationFramework,
    complete_extensions,
    grounded_extension,
    preferred_extensions,
    stable_extensions,
)
from hypothesis import given
from hypothesis import strategies as st

from kg.reasoning.answers.positions import labellings
from kg.reasoning.graph.graph import Graph
from kg.reasoning.other_rules.dung_labelling import (
    IN,
    OUT,
    Support,
    framework_of,
    grounded_label,
    grounded_labelling,
)
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

quick = examples(10, derandomize=True)


PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12, unique=True)


def names(members: Iterable[int]) -> frozenset[str]:
    return frozenset(str(i) for i in members)


@quick
@given(st.integers(1, 6), PAIRS)
def test_labels_are_those_of_another_library(size: int, pairs: list[tuple[int, int]]) -> None:
    pairs = [(a, b) for a, b in pairs if a < size and b < size]
    theirs = ArgumentationFramework(
        arguments=names(range(size)), defeats=frozenset((str(a), str(b)) for a, b in pairs)
    )
    graph = graph_of(
        {str(i): 0.5 for i in range(size)}, [(str(a), str(b), -1.0) for a, b in pairs], claims=[]
    )
    ours = framework_of(graph)
    assert names(np.flatnonzero(grounded_labelling(ours) == IN)) == grounded_extension(theirs)
    for semantics, expected in (
        ("complete", complete_extensions(theirs)),
        ("preferred", preferred_extensions(theirs)),
        ("stable", stable_extensions(theirs)),
    ):
        labels, whole = labellings(ours, semantics)  # type: ignore[arg-type]
        assert whole
        assert {names(i for i, x in enumerate(label) if x == IN) for label in labels} == set(
            expected
        )


READINGS: tuple[Support, ...] = ("evidential", "necessary", "deductive")


def label(graph: Graph, name: str, support: Support = "evidential") -> str:
    return grounded_label(graph, graph.number_of[name], support)


def test_an_argument_whose_only_attacker_is_defeated_is_in() -> None:
    base = dict.fromkeys("abc", 0.5)
    graph = graph_of(base, [("b", "a", -1.0), ("c", "b", -1.0)], claims=[])
    assert [label(graph, name) for name in "abc"] == ["in", "out", "in"]


def test_the_three_readings_disagree() -> None:
    arcs = [("x", "a", -1.0), ("a", "b", 1.0), ("e", "b", 1.0)]
    graph = graph_of(dict.fromkeys("xabe", 0.5), arcs, claims=["b"])
    labels_found = {support: [label(graph, name, support) for name in "ab"] for support in READINGS}
    assert labels_found == {
        "evidential": ["out", "in"],
        "necessary": ["out", "out"],
        "deductive": ["out", "in"],
    }
    back = graph_of(dict.fromkeys("xab", 0.5), [("x", "b", -1.0), ("a", "b", 1.0)], claims=[])
    assert label(back, "a", "deductive") == "out"
    assert label(back, "a", "necessary") == "in"


def test_only_evidence_that_is_good_enough_stands_alone() -> None:
    arcs = [("e", "p", 1.0)]
    assert label(graph_of({"e": 0.3, "p": 0.5}, arcs), "p") == "in"
    assert label(graph_of({"e": 0.29, "p": 0.5}, arcs), "p") == "out"


def test_a_circle_of_claims_without_evidence_is_out() -> None:
    arcs = [("a", "b", 1.0), ("b", "a", 1.0), ("e", "a", 1.0), ("x", "e", -1.0)]
    graph = graph_of(dict.fromkeys("abex", 0.5), arcs, claims="ab")
    assert [label(graph, name) for name in "abe"] == ["out", "out", "out"]


def test_a_circle_of_needs_stands_and_falls_together() -> None:
    arcs = [("a", "b", 1.0), ("b", "a", 1.0)]
    graph = graph_of(dict.fromkeys("abx", 0.5), arcs, claims="ab")
    assert label(graph, "a", "necessary") == "in"
    attacked = graph_of(dict.fromkeys("abx", 0.5), [*arcs, ("x", "b", -1.0)], claims="ab")
    assert label(attacked, "a", "necessary") == "out"


@every_row(
    ("joint", "cuts", "size", "attacks", "needs", "backing"),
    [
        ((), [("u", 0, 1.0)], 5, [(3, 4)], [(0, 4)], [(1, 2), (4, 2)]),
        ((), [("u", 1, 1.0)], 5, [(3, 4)], [(1, 4)], [(0, 2), (4, 2)]),
        ((), [("u", 0, 0.1)], 4, [], [], [(0, 2), (1, 2)]),
        ([(0, 1)], [("u", 0, 1.0)], 5, [(3, 4)], [(0, 4), (1, 4)], [(4, 2), (4, 2)]),
    ],
)
def test_an_undercut_or_joint_reason_is_an_argument_after_the_statements(
    joint: Sequence[Sequence[int]],
    cuts: Sequence[tuple[str, int, float]],
    size: int,
    attacks: list[tuple[int, int]],
    needs: list[tuple[int, int]],
    backing: list[tuple[int, int]],
) -> None:
    arcs = [("a", "p", 1.0), ("b", "p", 1.0)]
    graph = graph_of(dict.fromkeys("abpu", 0.5), arcs, claims="p", joint=joint, cuts=cuts)
    framework = framework_of(graph)
    links = (framework.attacks, framework.needs, framework.backing)
    assert framework.size == size
    assert [sorted(zip(*map(np.ndarray.tolist, pairs), strict=True)) for pairs in links] == [
        attacks,
        needs,
        backing,
    ]


def test_an_undercut_of_an_edge_too_weak_to_count_attacks_nothing() -> None:
    arcs, cuts = [("a", "p", 0.1)], [("u", 0, 1.0)]
    framework = framework_of(graph_of(dict.fromkeys("apu", 0.5), arcs, claims="p", cuts=cuts))
    assert (framework.size, *map(len, framework.attacks)) == (3, 0, 0)


def test_an_undercut_edge_no_longer_counts_but_its_source_stands() -> None:
    graph = graph_of(
        {"p": 0.5, "a": 0.9, "b": 0.9, "u": 0.9},
        [("a", "p", 1.0), ("b", "p", -1.0)],
        claims=["p"],
        cuts=[("u", 1, 1.0)],
    )
    assert [label(graph, name) for name in "pab"] == ["in", "in", "in"]
    weak = graph_of(
        {"p": 0.5, "a": 0.9, "b": 0.9, "u": 0.9},
        [("a", "p", 1.0), ("b", "p", -1.0)],
        claims=["p"],
        cuts=[("u", 1, 0.3)],
    )
    assert label(weak, "p") == "out"


def test_grounded_on_a_long_chain_is_quick_and_alternates() -> None:
    size = 3001
    base = {f"n{i}": 0.5 for i in range(size)}
    graph = graph_of(base, [(f"n{i}", f"n{i + 1}", -1.0) for i in range(size - 1)], claims=[])
    labels_found = grounded_labelling(framework_of(graph))
    assert (labels_found[::2] == IN).all()
    assert (labels_found[1::2] == OUT).all()
