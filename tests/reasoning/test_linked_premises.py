"""Linked premises: reasons that count only together weigh as their weakest, and print as one.

Of `kg/reasoning/graph/joint_premises.py`, too.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from kg import reasoning
from kg.cli import main
from kg.corpus import Corpus
from kg.exchange.writers.csv_tables import csv_tables
from kg.exchange.writers.diagrams import write_dot, write_graphml
from kg.graphs_with_strengths.networkx_graph import as_network
from kg.model.settings.reasoning_settings import Reasoning
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import FIELDS_BY_KIND
from kg.queries.reason_trees import against, why
from kg.rdf.quads import as_nquads
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.graph.graph import Graph
from kg.reasoning.other_rules.dung_labelling import framework_of, grounded_labelling
from kg.reasoning.reading import reading_of
from kg.reasoning.reasons.shares import gradient
from kg.reasoning.scenarios import run_muted
from kg.reasoning.solution import solve
from tests.support.corpora import corpus_of_notes
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.graphs import graph_of

quick = examples(8, derandomize=True)
GRADES = st.sampled_from([0.1, 0.3, 0.5, 0.6, 0.8, 0.95])
CONVENTIONS = [
    Reasoning(),
    Reasoning(transfer="earned"),
    Reasoning(transfer="plain"),
    Reasoning(transfer="earned", semantics="qe"),
]


def three(a: float, b: float, w: float, order: int, rules: Reasoning) -> Graph:
    """Evidence a, b and d; a and b support c only together, d by itself."""
    arcs = [("a", "c", w), ("b", "c", w), ("d", "c", 0.5)]
    arcs[:2] = arcs[:2][::order]
    base = {"a": a, "b": b, "d": 0.7, "c": 0.5}
    return graph_of(base, arcs, joint=[(0, 1)], settings=rules)


def strength(graph: Graph, name: str = "c") -> float:
    return float(solve(graph).strength_of(name) or 0.0)


@quick
@given(GRADES, GRADES, st.sampled_from([0.6, 1.0, -1.0]), st.sampled_from(CONVENTIONS))
def test_the_weakest_premise_decides(a: float, b: float, w: float, rules: Reasoning) -> None:
    linked_strength = strength(three(a, b, w, 1, rules))
    base = {"e": min(a, b), "d": 0.7, "c": 0.5}
    graph_alone = graph_of(base, [("e", "c", w), ("d", "c", 0.5)], settings=rules)
    assert linked_strength == pytest.approx(strength(graph_alone), abs=1e-12)
    assert linked_strength == pytest.approx(strength(three(a, b, w, -1, rules)), abs=1e-12)


@quick
@given(GRADES, GRADES, st.sampled_from(CONVENTIONS))
def test_a_joint_reason_grows_with_each_premise(a: float, b: float, rules: Reasoning) -> None:
    for better in (0.65, 0.97):
        more = strength(three(max(a, better), b, 1.0, 1, rules))
        assert more >= strength(three(a, b, 1.0, 1, rules)) - 1e-12


@every_row("rules", CONVENTIONS)
def test_a_bare_premise_silences_the_joint_reason(rules: Reasoning) -> None:
    arcs = [("a", "c", 1.0), ("bare", "c", 1.0), ("d", "c", 0.5)]
    base = {"a": 0.9, "bare": 0.5, "d": 0.7, "c": 0.5}
    claims = ("bare", "c")
    rules = rules.model_copy(update={"transfer": "earned"}) if not rules.follows_routes else rules
    linked_graph = graph_of(base, arcs, claims=claims, joint=[(0, 1)], settings=rules)
    graph_alone = graph_of(base, arcs[2:], claims=claims, settings=rules)
    assert strength(linked_graph) == pytest.approx(strength(graph_alone), abs=1e-12)


@quick
@given(GRADES, GRADES)
def test_slopes_of_a_joint_reason_are_those_of_its_weakest(a: float, b: float) -> None:
    graph = three(a, b, 1.0, 1, Reasoning())
    slopes = gradient(graph, solve(graph), graph.number_of["c"])
    if a != b:
        weak, strong = ("a", "b") if a < b else ("b", "a")
        assert slopes[graph.number_of[strong]] == 0.0
        step = 1e-6
        base = graph.base.copy()
        base[graph.number_of[weak]] += step
        rise = (strength(graph.with_values(base=base)) - strength(graph)) / step
        assert slopes[graph.number_of[weak]] == pytest.approx(rise, rel=1e-3)


@quick
@given(st.lists(GRADES, min_size=3, max_size=3), st.sampled_from(CONVENTIONS[:2]))
def test_in_a_circle_a_joint_reason_is_left_out_with_any_premise(
    grades: list[float], rules: Reasoning
) -> None:
    """c and b jointly support a, and a supports c: so where c is weighed, both are left out."""
    base = {"a": 0.5, "b": grades[0], "c": 0.5, "e": grades[1], "f": grades[2]}
    arcs = [("c", "a", 1.0), ("b", "a", 1.0), ("a", "c", 1.0), ("e", "c", 1.0), ("f", "a", 1.0)]
    graph = graph_of(base, arcs, claims=("a", "c"), joint=[(0, 1)], settings=rules)
    if not rules.follows_routes:
        assert 0.0 <= strength(graph) <= 1.0
        return
    without_b = [arc for arc in arcs if arc[1:2] != ("a",) or arc[0] == "f"]
    graph_alone = graph_of(base, without_b, claims=("a", "c"), settings=rules)
    assert strength(graph, "c") == pytest.approx(strength(graph_alone, "c"), abs=1e-12)


def test_a_joint_undercut_has_the_force_of_its_weakest() -> None:
    base = {"e": 0.9, "c": 0.5, "u": 0.8, "v": 0.3}
    cuts = [("u", 0, 1.0), ("v", 0, 1.0)]
    joint = graph_of(base, [("e", "c", 1.0)], claims=("c",), cuts=cuts, joint=[(1, 2)])
    graph_alone = graph_of(base, [("e", "c", 1.0)], claims=("c",), cuts=cuts[1:])
    assert strength(joint) == pytest.approx(strength(graph_alone), abs=1e-12)
    assert strength(joint) > strength(
        graph_of(base, [("e", "c", 1.0)], claims=("c",), cuts=cuts[:1])
    )


def test_a_joint_attack_needs_all_its_premises() -> None:
    base = {"a": 0.9, "b": 0.9, "x": 0.9, "c": 0.9}
    arcs = [("a", "c", -1.0), ("b", "c", -1.0), ("x", "b", -1.0)]
    for number, (listed, label) in enumerate([(arcs[:2], -1), (arcs, 1)]):
        graph = graph_of(base, listed, claims=(), joint=[(0, 1)])
        framework = framework_of(graph)
        label_of_c = grounded_labelling(framework)[framework.member[graph.number_of["c"]]]
        assert label_of_c == label, number


CLAIM = "---\ntype: claim\n---\n\n# {}\n\n{}"
EVIDENCE = "> [!evidence] {0} ^{0}\n> (method:: experiment) (quality:: {1}) (reason:: why) [@{0}]\n"
BOOKS = "".join(f"@book{{{key}, title={{T}}, author={{A}}, year={{2000}}}}\n" for key in "pqr")


def corpus(relation: str = "- supports:: [[c]] with [[b]] — together") -> Corpus:
    """Claims a (on evidence of .8) and b (on .4), which bear on c together."""
    return corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", f"{relation}\n\n{EVIDENCE.format('p', 0.8)}"),
        b=CLAIM.format("B", EVIDENCE.format("q", 0.4)),
        c=CLAIM.format("C", ""),
    )


def test_notes_write_linked_premises_in_either_order() -> None:
    one = corpus()
    (edge,) = (e for e in one.edges if e.target == "c")
    assert (edge.origin, edge.together, edge.reason) == ("a", ("b",), "together")
    assert edge.premises == ("a", "b")
    graph = reading_of(one).graph
    assert sorted(graph.edge_of_arc).count(edge.id) == 2
    joint_strength = strength(graph)
    weakest = corpus_of_notes(
        references=BOOKS,
        b=CLAIM.format("B", f"- supports:: [[c]]\n\n{EVIDENCE.format('q', 0.4)}"),
        c=CLAIM.format("C", ""),
    )
    assert joint_strength == pytest.approx(strength(reading_of(weakest).graph), abs=1e-12)
    other = corpus_of_notes(
        references=BOOKS,
        a=CLAIM.format("A", EVIDENCE.format("p", 0.8)),
        b=CLAIM.format("B", f"- supports:: [[c]] with [[a]]\n\n{EVIDENCE.format('q', 0.4)}"),
        c=CLAIM.format("C", ""),
    )
    assert joint_strength == pytest.approx(strength(reading_of(other).graph), abs=1e-12)


@every_row("names", list(pairwise(["[[b]]", "[[p]]", "[[b]]"])))
def test_a_missing_premise_leaves_the_edge_out(names: tuple[str, str]) -> None:
    new_corpus = corpus(f"- supports:: [[c]] with {names[0]} and {names[1]}")
    assert [e for e in new_corpus.edges if e.target == "c"] == []
    assert [u.edge.target for u in new_corpus.unresolved_edges] == ["p"]


# -- where linked premises are shown --------------------------------------------------------------


def printed_by(command: str, tmp_path: Path) -> str:
    """What a command prints of the corpus of `corpus()`, as notes."""
    notes = tmp_path / "notes"
    notes.mkdir(exist_ok=True)
    (notes / "references.bib").write_text(BOOKS, "utf-8")
    relation = "- supports:: [[c]] with [[b]]\n\n"
    for name, text in {
        "a": CLAIM.format("A", relation + EVIDENCE.format("p", 0.8)),
        "b": CLAIM.format("B", EVIDENCE.format("q", 0.4)),
        "c": CLAIM.format("C", ""),
    }.items():
        (notes / f"{name}.md").write_text(text, "utf-8")
    result = CliRunner().invoke(main, [*command.split(), "--notes", str(notes)])
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def test_why_shows_both_premises_with_what_supports_them() -> None:
    tree = why(corpus(), "c")
    assert [b.statement for b in tree.branches] == ["a", "b"]
    assert [b.together for b in tree.branches] == [("b",), ("a",)]
    assert [len(b.branches) for b in tree.branches] == [1, 1]
    assert tree.amount_of_evidence == "rests on 2 items from 2 separate groups"
    assert "[a] (together with b)" in str(tree)


def test_against_shows_both_premises() -> None:
    tree = against(corpus("- contradicts:: [[c]] with [[b]]"), "c")
    assert [(b.statement, b.together) for b in tree.branches] == [("a", ("b",)), ("b", ("a",))]


@every_row(
    ("name", "message"),
    [("a", "+ supports c | together with b"), ("b", "+ supports c | together with a")],
)
def test_show_tells_it_of_each_premise(name: str, message: str, tmp_path: Path) -> None:
    printed = printed_by(f"show {name}", tmp_path)
    assert all(part in printed for part in message.split(" | ")), printed


def test_a_verdict_names_a_joint_reason_once() -> None:
    verdict = reasoning.verdict(corpus(), "c")
    assert isinstance(verdict, Verdict)
    (reason,) = verdict.reasons
    assert (reason.statement, reason.together) == ("b", ("a",))
    assert reason.share == pytest.approx(0.4, abs=1e-9)


def test_tables_and_frames_hold_the_other_premises() -> None:
    columns, rows = csv_tables(corpus())["edges"]
    values = [dict(zip(columns, row, strict=True)) for row in rows]
    assert [row["together"] for row in values if row["target"] == "c"] == [("b",)]
    names = FIELDS_BY_KIND[RecordKind.EDGE]["together"]
    (edge,) = (e for e in corpus().edges if e.target == "c")
    assert names.values(corpus(), edge) == ("b",)


def test_pictures_hold_the_other_premises(tmp_path: Path) -> None:
    write_dot(corpus(), tmp_path / "notes.dot")
    assert 'together="b"' in (tmp_path / "notes.dot").read_text("utf-8")
    data = as_network(corpus()).get_edge_data("a", "c")
    assert [each["together"] for each in data.values()] == ["b"]
    write_graphml(corpus(), tmp_path / "notes.graphml", corpus())
    assert "together" in (tmp_path / "notes.graphml").read_text("utf-8")


def test_rdf_holds_the_other_premises() -> None:
    text = "".join(as_nquads(corpus()))
    assert [line for line in text.splitlines() if "together>" in line and "statements/b>" in line]


@st.composite
def tangles(draw: st.DrawFn) -> tuple[Graph, list[tuple[str, str, float]], list[list[int]], str]:
    """Claims and evidence with arcs both ways, some of which to one target are linked."""
    names = [f"n{i}" for i in range(6)]
    claims = names[:3]
    ends = st.tuples(st.sampled_from(names), st.sampled_from(claims))
    pairs = draw(st.lists(ends, min_size=3, max_size=10, unique=True))
    arcs = [(a, b, draw(st.sampled_from([1.0, 0.6, -1.0]))) for a, b in pairs if a != b]
    groups = []
    for target in claims:
        arcs_to_target = [k for k, arc in enumerate(arcs) if arc[1] == target]
        if len(arcs_to_target) >= 2 and draw(st.booleans()):
            groups.append(arcs_to_target[:2])
            arcs[arcs_to_target[1]] = (*arcs[arcs_to_target[1]][:2], arcs[arcs_to_target[0]][2])
    base = {name: 0.5 if name in claims else draw(GRADES) for name in names}
    rules = draw(st.sampled_from(CONVENTIONS[:2]))
    graph = graph_of(base, arcs, claims=claims, joint=groups, settings=rules)
    return graph, arcs, groups, draw(st.sampled_from(names))


@quick
@given(tangles())
def test_muting_a_premise_anywhere_is_deleting_what_it_takes_part_in(
    expected: tuple[Graph, list[tuple[str, str, float]], list[list[int]], str],
) -> None:
    graph, arcs, groups, name = expected
    gone = {k for k, arc in enumerate(arcs) if arc[0] == name}
    gone |= {k for group in groups for k in group if gone & {*group}}
    kept_arcs = [k for k in range(len(arcs)) if k not in gone]
    base = dict(zip(graph.ids, graph.base.tolist(), strict=True))
    left = [[kept_arcs.index(k) for k in group] for group in groups if not gone & {*group}]
    smaller = graph_of(
        base,
        [arcs[k] for k in kept_arcs],
        claims=[n for n, c in zip(graph.ids, graph.is_claim, strict=True) if c],
        joint=left,
        settings=graph.settings,
    )
    mute = run_muted(graph, [np.array([graph.number_of[name]])])[:, 0]
    assert mute == pytest.approx(solve(smaller).strength, abs=1e-8)


def test_a_verdict_says_what_a_reason_counts_together_with(tmp_path: Path) -> None:
    verdict = reasoning.verdict(corpus(), "c")
    assert isinstance(verdict, Verdict)
    assert "B (together with a)" in str(verdict)
    assert "B (together with a)" in printed_by("verdict c", tmp_path)
    assert "together with a" in printed_by("verdict c --case for", tmp_path)


def test_filing_and_robustness_take_linked_premises_as_one() -> None:
    verdict = reasoning.verdict(corpus(), "c")
    assert isinstance(verdict, Verdict)
    assert verdict.filed_directly.strength == pytest.approx(verdict.strength, abs=1e-9)
    robust = reasoning.robustness(corpus(), "c")
    assert isinstance(robust, Robustness)
    listed = [(change.edge, change.to) for change in robust.edges]
    assert len(listed) == len(set(listed))
    assert ("a--supports--c", "") in listed
