"""What must hold of strengths on every graph, and an independent slow computation of them."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.node_circles import circle_of_nodes
from kg.reasoning.solution import solve
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.graphs import GRADES, SEMANTICS, WEIGHTS, GraphSpec, graph_of, graph_specs

quick = examples(8, derandomize=True)
CLOSE = 1e-8


# -- an independent computation ----------------------------------------------------------


def slow_strengths(spec: GraphSpec) -> dict[str, float]:
    """The limit of small steps of ds/dt = F(s) - s, straight from the definitions."""
    inside = loops_of(spec)
    state = {**spec.base, **{f"gate{k}": 1.0 for k in {arc for _, arc, _ in spec.cuts}}}
    for _ in range(4000):
        new = {name: respond(spec, inside, state, name) for name in state}
        if max(abs(new[name] - state[name]) for name in state) < 1e-12:
            break
        state = {name: s + 0.5 * (new[name] - s) for name, s in state.items()}
    return state


def loops_of(spec: GraphSpec) -> dict[str, int]:
    graph = spec.graph()
    part = circle_of_nodes(graph)
    names = [*spec.base, *dict.fromkeys(f"gate{k}" for _, k, _ in spec.cuts)]
    return {name: int(part[i]) for i, name in enumerate(names)}


def respond(spec: GraphSpec, part: dict[str, int], state: dict[str, float], target: str) -> float:
    rows: list[tuple[float, str, bool, int]] = []
    if target.startswith("gate"):
        arriving = [(a, w, -1) for a, k, w in spec.cuts if f"gate{k}" == target]
    else:
        arriving = [(a, w, k) for k, (a, b, w) in enumerate(spec.arcs) if b == target]
    for order, (name, w, k) in enumerate(arriving):
        zero = 0.5 if name in spec.claims else 0.0
        gate = f"gate{k}"
        x = max(0.0, (state[name] - zero) / (1.0 - zero)) * state.get(gate, 1.0)
        own = part[target] >= 0 and part[target] in (part[name], part.get(gate, -2))
        rows.append((w * x, name, own, order))
    counted_items = [c for c, _, own, _ in discounted_rows(spec, rows) if not own]
    within = [c for c, _, own, _ in rows if own]
    counted_items += [max([0.0, *within]), min([0.0, *within])]
    if target.startswith("gate"):
        return float(np.prod([1.0 - abs(c) for c in counted_items]))
    odds = spec.base[target] / (1.0 - spec.base[target]) * exp(sum(counted_items))
    return odds / (1.0 + odds)


def discounted_rows(
    spec: GraphSpec, rows: list[tuple[float, str, bool, int]]
) -> list[tuple[float, str, bool, int]]:
    output = []
    outside = [row for row in rows if not row[2]]
    for c, name, own, order in rows:
        source_groups = spec.source_groups[name] or (name,)
        kept_part = 0.0
        for source_group in source_groups:
            rivals = [
                (abs(d) / len(spec.source_groups[other] or (other,)), -place)
                for d, other, _, place in outside
                if source_group in (spec.source_groups[other] or (other,)) and d * c > 0.0
            ]
            best = not rivals or max(rivals) == (abs(c) / len(source_groups), -order)
            kept_part += best / len(source_groups)
        output.append((c * kept_part, name, own, order))
    return output


@quick
@given(graph_specs())
def test_strengths_are_those_of_the_definitions(spec: GraphSpec) -> None:
    spec = spec.under(transfer="earned")
    expected, solution = slow_strengths(spec), solve(spec.graph())
    assert solution.has_converged
    for name in spec.base:
        assert solution.strength_of(name) == pytest.approx(expected[name], abs=1e-7)


# -- invariants --------------------------------------------------------------------------


@quick
@given(graph_specs(), st.sampled_from(SEMANTICS), st.sampled_from(["cautious", "sum"]))
def test_strengths_lie_between_0_and_1_and_solve_the_equations(
    spec: GraphSpec, semantics: str, loops: str
) -> None:
    solution = solve(spec.under(semantics=semantics, loops=loops).graph())
    assert solution.has_converged
    assert solution.residual < 1e-10
    assert ((solution.strength >= 0.0) & (solution.strength <= 1.0)).all()


@quick
@given(graph_specs(), st.randoms(use_true_random=False), st.sampled_from(SEMANTICS))
def test_names_and_order_change_no_strength(
    spec: GraphSpec, random: Random, semantics: str
) -> None:
    spec = spec.under(semantics=semantics)
    names = list(spec.base)
    shuffled, order = names[:], list(range(len(spec.arcs)))
    random.shuffle(shuffled)
    random.shuffle(order)
    new = dict(zip(names, [f"m{i}" for i in range(len(names))], strict=True))
    other = replace(
        spec,
        base={new[name]: spec.base[name] for name in shuffled},
        arcs=tuple((new[a], new[b], w) for a, b, w in (spec.arcs[k] for k in order)),
        claims=tuple(new[name] for name in spec.claims),
        source_groups={
            new[name]: source_groups for name, source_groups in spec.source_groups.items()
        },
        cuts=tuple((new[a], order.index(k), w) for a, k, w in spec.cuts),
    )
    before, after = solve(spec.graph()), solve(other.graph())
    if semantics == "dfquad" and any(
        len(source_groups) > 1 for source_groups in spec.source_groups.values()
    ):
        return  # which of two equal parts of a source counts shows in a product, not in a sum
    for name in names:
        assert after.strength_of(new[name]) == pytest.approx(before.strength_of(name), abs=CLOSE)


@quick
@given(graph_specs(), st.sampled_from(["cautious", "sum"]))
def test_only_what_leads_to_a_statement_moves_it(spec: GraphSpec, loops: str) -> None:
    graph = spec.under(loops=loops).graph()
    whole_solution = solve(graph)
    for name, node in graph.number_of.items():
        cone, nodes = graph.restrict_to(graph.ancestors(node))
        assert np.allclose(
            solve(cone).strength, whole_solution.strength[nodes[: cone.size]], atol=CLOSE
        )
        assert cone.ids[cone.number_of[name]] == name


@quick
@given(graph_specs(acyclic=True), GRADES, WEIGHTS, st.sampled_from(SEMANTICS))
def test_one_more_reason_moves_its_target_its_own_way(
    spec: GraphSpec, base: float, w: float, semantics: str
) -> None:
    spec = spec.under(semantics=semantics)
    target = list(spec.base)[-1]
    more = replace(
        spec,
        base={**spec.base, "new": base},
        arcs=(*spec.arcs, ("new", target, w)),
        source_groups={**spec.source_groups, "new": ()},
    )
    before, after = solve(spec.graph()).strength_of(target), solve(more.graph()).strength_of(target)
    assert before is not None
    assert after is not None
    assert (after - before) * w >= -1e-12


@quick
@given(
    st.lists(st.tuples(GRADES, WEIGHTS), max_size=6),
    GRADES,
    st.sampled_from(["logistic", "qe", "dfquad"]),
)
def test_reasons_against_mirror_reasons_for(
    reasons: list[tuple[float, float]], base: float, semantics: str
) -> None:
    def star(start: float, sign: float) -> float:
        bases = {"q": start, **{f"r{i}": x for i, (x, _) in enumerate(reasons)}}
        arcs = [(f"r{i}", "q", sign * w) for i, (_, w) in enumerate(reasons)]
        graph = graph_of(bases, arcs, claims=[], settings=Reasoning(semantics=semantics))  # type: ignore[arg-type]
        return float(solve(graph).strength[0])

    assert star(base, 1.0) == pytest.approx(1.0 - star(1.0 - base, -1.0), abs=1e-12)


@quick
@given(graph_specs(acyclic=True), st.sampled_from(SEMANTICS))
def test_cautious_is_the_sum_where_there_are_no_loops(spec: GraphSpec, semantics: str) -> None:
    spec = spec.under(semantics=semantics)
    cautious, plain = solve(spec.graph()), solve(spec.under(loops="sum").graph())
    assert (cautious.strength == plain.strength).all()


@quick
@given(graph_specs(acyclic=True, cuts=False), st.sampled_from(["logistic", "qe", "euler"]))
def test_the_source_discount_lies_between_the_best_and_the_sum(
    spec: GraphSpec, semantics: str
) -> None:
    target = list(spec.base)[-1]
    # a claim speaks with the voices of others, and no source vouches for itself
    spec = replace(spec, claims=(), source_groups={**spec.source_groups, target: ()})
    arcs = tuple((a, b, abs(w)) for a, b, w in spec.arcs if b == target)
    star = replace(spec, arcs=arcs).under(semantics=semantics)
    repeats = (0.0, 0.25, 0.5, 0.75, 1.0)
    strengths = [solve(star.under(repeat=g).graph()).strength_of(target) for g in repeats]
    strengths_alone = [
        solve(replace(star, arcs=(arc,)).graph()).strength_of(target) for arc in arcs
    ]
    free = replace(star, source_groups=dict.fromkeys(star.source_groups, ()))
    distinct = {arc[0] for arc in arcs}
    assert strengths == sorted(strengths, key=lambda s: s or 0.0)
    assert (strengths[0] or 0.0) >= max([a or 0.0 for a in strengths_alone], default=0.0) - 1e-12
    if len(distinct) == len(arcs):
        assert strengths[-1] == pytest.approx(solve(free.graph()).strength_of(target), abs=1e-12)


# -- which properties hold of which semantics --------------------------------------------


def star(semantics: str, base: float, pro: list[float], con: list[float]) -> float:
    reasons = {f"p{i}": x for i, x in enumerate(pro)} | {f"c{i}": x for i, x in enumerate(con)}
    arcs = [(name, "q", 1.0 if name[0] == "p" else -1.0) for name in reasons]
    settings = Reasoning(semantics=semantics)  # type: ignore[arg-type]
    return float(solve(graph_of({"q": base, **reasons}, arcs, settings=settings)).strength[0])


@every_row("semantics", ["logistic", "qe", "dfquad", "euler", "eulertop"])
def test_equal_reasons_on_both_sides_leave_the_base(semantics: str) -> None:
    assert star(semantics, 0.4, [0.7, 0.3], [0.3, 0.7]) == pytest.approx(0.4)
    assert star(semantics, 0.4, [0.7, 0.4], [0.3]) > 0.4


@every_row(
    ("semantics", "up", "down"),
    [
        ("logistic", True, True),
        ("qe", True, True),
        ("dfquad", True, True),
        ("euler", True, False),
        ("eulertop", False, False),
    ],
)
def test_enough_reasons_move_a_claim_to_either_end(semantics: str, up: bool, down: bool) -> None:
    many = [0.9] * 400
    assert (star(semantics, 0.5, many, []) > 0.99) is up
    assert (star(semantics, 0.5, [], many) < 0.01) is down


@every_row(
    ("semantics", "heard_"),
    [("logistic", True), ("qe", True), ("dfquad", False), ("euler", True), ("eulertop", False)],
)
def test_twice_as_many_reasons_outweigh_the_other_side(semantics: str, heard_: bool) -> None:
    assert (star(semantics, 0.5, [0.45] * 20, [0.45] * 10) > 0.6) is heard_
