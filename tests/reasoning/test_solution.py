"""Solving: closed forms by hand, loops, and what does not settle."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.solution import certify, solve
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

NAMES = [f"n{i}" for i in range(12)]


def test_the_default_gain_gives_the_numbers_in_the_guide() -> None:
    """One top-quality study takes 50% to 73%, two to 88%, three to 95%."""
    for count, expected in ((1, 0.731), (2, 0.881), (3, 0.953)):
        arcs = [(name, "q", 1.0) for name in NAMES[:count]]
        graph = graph_of({"q": 0.5, **dict.fromkeys(NAMES[:count], 1.0)}, arcs)
        assert solve(graph).strength_of("q") == pytest.approx(expected, abs=1e-3)


@every_row(
    ("arcs", "expected"),
    [([("a", "b", 1.0)], "acyclic"), ([("a", "b", 1.0), ("b", "a", 1.0)], "settled")],
)
def test_a_solution_says_by_what_it_is_certain(
    arcs: list[tuple[str, str, float]], expected: str
) -> None:
    base = dict.fromkeys("ab", 0.5)
    graph = graph_of(base, arcs, claims="ab", settings=Reasoning(transfer="earned"))
    assert certify(graph, solve(graph)).name == expected


def test_a_circle_through_a_gate_converges_to_the_strength_by_formula() -> None:
    graph = graph_of(
        {"p": 0.5, "e": 0.9},
        [("e", "p", 1.0)],
        claims=["p"],
        cuts=[("p", 0, 1.0)],
        settings=Reasoning(transfer="earned"),
    )
    solution = solve(graph)
    p = solution.strength_of("p")
    assert p is not None
    assert log(p / (1 - p)) == pytest.approx(0.9 * (1.0 - max(0.0, (p - 0.5) / 0.5)))


@every_row("repeat", [0.0, 0.3])
def test_scenarios_of_weights_are_the_same_alone_and_side_by_side(repeat: float) -> None:
    # two sources that come by several ways, a circle, a joint reason and an undercut
    arcs = [
        ("e", "a", 1.0), ("f", "a", -0.4), ("a", "b", 0.6), ("b", "a", 0.6), ("e", "b", 0.4),
        ("g", "b", 1.0), ("b", "c", 1.0), ("f", "c", 1.0), ("a", "c", -0.6), ("h", "c", 1.0),
    ]  # fmt: skip
    base = dict.fromkeys("abc", 0.5) | {"e": 0.8, "f": 0.7, "g": 0.6, "h": 0.9}
    graph = graph_of(
        base,
        arcs,
        source_groups={"e": ["x"], "g": ["x"], "f": ["y"], "h": ["y", "z"]},
        cuts=[("g", 6, 0.7)],
        joint=[(7, 9)],
        settings=Reasoning(repeat=repeat),
    )
    count = len(graph.arc_premise)
    one_each = graph.arc_weight[:, None] * (1.0 - np.eye(count) * 0.4)
    wide = solve(graph, Scenarios(6 * count, arc_weight=np.tile(one_each, 6))).state
    for arc in range(count):
        alone = Scenarios(1, arc_weight=one_each[:, [arc]])
        plain = solve(graph, alone).state
        assert wide[:, arc::count] == pytest.approx(np.tile(plain, 6), abs=1e-12)
