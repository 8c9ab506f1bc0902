"""The worked examples, to a millionth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kg.corpus.quality.evidence_quality import StudyDesign, grade_design
from kg.model.settings.config import QualityLadder
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Graph
from kg.reasoning.solution import solve
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

TOLERANCE = 1e-6
EXAMPLES: dict[int, dict[str, Any]] = {
    each["id"]: each
    for each in json.loads(
        (Path(__file__).parents[1] / "data" / "reasoning-examples.json").read_text("utf-8")
    )
}
OURS = ("logistic", "dfquad", "qe", "euler", "eulertop", "hcat")


def graph(number: int, **settings: Any) -> Graph:
    example = EXAMPLES[number]
    base = {node["id"]: node["base"] for node in example["nodes"]}
    arcs = [tuple(arc) for arc in example["edges"]]
    return graph_of(base, arcs, claims=[], settings=Reasoning(**settings))


@every_row("semantics", OURS)
def test_the_worked_example_of_one_topic_comes_out(semantics: str) -> None:
    expected = EXAMPLES[1]["expect"]["strength_of_q"][semantics]
    assert solve(graph(1, semantics=semantics)).strength_of("q") == pytest.approx(
        expected, abs=TOLERANCE
    )


@every_row("semantics", ["logistic", "dfquad", "qe", "euler"])
def test_the_worked_example_of_reinstatement_comes_out(semantics: str) -> None:
    solution = solve(graph(2, semantics=semantics))
    for name, expected in EXAMPLES[2]["expect"]["strength"][semantics].items():
        assert solution.strength_of(name) == pytest.approx(expected, abs=TOLERANCE)


def test_reinstatement_follows_the_weight() -> None:
    whole_graph = graph(2)
    for weight, expected in EXAMPLES[2]["expect"]["q_logistic_by_weight_of_c_to_b"].items():
        w = whole_graph.arc_weight.copy()
        w[1] = float(weight)
        assert solve(whole_graph.with_values(arc_weight=w)).strength_of("q") == pytest.approx(
            expected, abs=TOLERANCE
        )


@every_row("case", list(EXAMPLES[4]["expect"]["strength"]))
def test_the_worked_examples_of_circles_come_out(case: str) -> None:
    expected = EXAMPLES[4]["expect"]["strength"][case]
    solution = solve(circle_of_four(case) if case.startswith("circle") else circle_of_two(case))
    for name, strength in expected.items():
        assert solution.strength_of(name) == pytest.approx(strength, abs=TOLERANCE)


def circle_of_two(case: str) -> Graph:
    arcs = [("A", "B", 1.0)]
    if "cut" not in case:
        arcs.append(("B", "A", 1.0))
    if "no evidence" not in case:
        arcs.append(("e", "A", 1.0))
    settings = Reasoning(transfer="plain" if case.endswith("zero=0.0") else "earned")
    return graph_of({"A": 0.5, "B": 0.5, "e": 0.6}, arcs, claims="AB", settings=settings)


def circle_of_four(case: str) -> Graph:
    names = ["c0", "c1", "c2", "c3"]
    arcs = [(a, b, 1.0) for a in names for b in names if a != b]
    base = {**dict.fromkeys(names, 0.5), "e": 0.05}
    settings = Reasoning(transfer="earned", loops="sum" if case.endswith("sum") else "cautious")
    return graph_of(base, [*arcs, ("e", "c0", 1.0)], claims=names, settings=settings)


NAMES = {
    "kind": "method",
    "n": "sample",
    "class": "sample_class",
    "failed": "failed_replications",
}


@every_row("example", EXAMPLES[5]["expect"])
def test_the_worked_examples_of_grades_come_out(example: dict[str, Any]) -> None:
    values = {NAMES.get(key, key): value for key, value in example["input"].items()}
    retracted = values.pop("retracted", False)
    if "method" in values:
        values["method"] = values["method"].replace("_", "-")
    base = 0.0 if retracted else grade_design(StudyDesign(**values), QualityLadder()).base
    assert base == pytest.approx(example["base"], abs=TOLERANCE)
