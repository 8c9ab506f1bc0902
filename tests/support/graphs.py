"""Graphs of numbers, by hand and at random."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import Graph, mark_shared, number_source_groups

DEFAULT = Reasoning()
SEMANTICS = ("logistic", "qe", "dfquad", "euler", "eulertop", "hcat")
GRADES = st.sampled_from([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
WEIGHTS = st.sampled_from([-1.0, -0.6, -0.3, 0.3, 0.6, 1.0])


def graph_of(
    base: Mapping[str, float],
    arcs: Iterable[tuple[str, str, float]],
    *,
    claims: Sequence[str] | None = None,
    source_groups: Mapping[str, Sequence[str]] | None = None,
    cuts: Iterable[tuple[str, int, float]] = (),
    settings: Reasoning | None = None,
    joint: Iterable[Sequence[int]] = (),
) -> Graph:
    """A graph written by hand: base scores, arcs (premise, target, weight), and who is a claim.

    `claims` defaults to everything that an arc leads to. `source_groups` names the sources that a
    statement shares with others. A cut (premise, number of an arc, strength) undercuts. `joint`
    lists the numbers of arcs that count only together; cuts are numbered after all arcs.
    """
    ids, listed = tuple(base), list(arcs)
    number = {name: i for i, name in enumerate(ids)}
    targets = {target for _, target, _ in listed} if claims is None else set(claims)
    cut = list(cuts)
    gated = {arc: len(ids) + k for k, arc in enumerate(dict.fromkeys(arc for _, arc, _ in cut))}
    silent = len(ids) + len(gated)
    plain = [(number[a], number[b], w, gated.get(k, silent)) for k, (a, b, w) in enumerate(listed)]
    rows = plain + [(number[a], gated[arc], w, silent) for a, arc, w in cut]
    shares = [dict.fromkeys((source_groups or {}).get(name, ()), 1.0) for name in ids]
    source_group_start, source_group_of, source_group_fraction = number_source_groups(shares)
    values = np.array([base[name] for name in ids], dtype=float)
    reason = np.full(len(rows), -1)
    for group, members in enumerate(joint):
        reason[list(members)] = group
    arc_premise = np.array([r[0] for r in rows], dtype=np.int64)
    arc_target = np.array([r[1] for r in rows], dtype=np.int64)
    return Graph(
        ids=ids,
        base=values,
        base_unretracted=values.copy(),
        is_claim=np.array([name in targets for name in ids], dtype=bool),
        arc_premise=arc_premise,
        arc_target=arc_target,
        arc_weight=np.array([r[2] for r in rows], dtype=float),
        gate=np.array([r[3] for r in rows], dtype=np.int64),
        fallen=np.zeros(len(rows), dtype=bool),
        edge_of_arc=tuple(f"{k}" for k in range(len(rows))),
        gate_count=len(gated),
        source_group_start=source_group_start,
        source_group_of=source_group_of,
        source_group_fraction=source_group_fraction,
        number_of=number,
        settings=settings or Reasoning(),
        shared=mark_shared(arc_premise, arc_target, source_group_start, source_group_of),
        joint=reason,
    )


@dataclass(frozen=True)
class GraphSpec:
    """A small graph, before it is one."""

    base: dict[str, float]
    arcs: tuple[tuple[str, str, float], ...]
    claims: tuple[str, ...]
    source_groups: dict[str, tuple[str, ...]]
    cuts: tuple[tuple[str, int, float], ...] = ()
    settings: Reasoning = DEFAULT

    def graph(self) -> Graph:
        return graph_of(
            self.base,
            self.arcs,
            claims=self.claims,
            source_groups=self.source_groups,
            cuts=self.cuts,
            settings=self.settings,
        )

    def under(self, **changed: object) -> GraphSpec:
        return replace(self, settings=self.settings.model_copy(update=changed))


@st.composite
def graph_specs(
    draw: st.DrawFn, acyclic: bool = False, cuts: bool = True, max_size: int = 6
) -> GraphSpec:
    names = [f"n{i}" for i in range(draw(st.integers(2, max_size)))]
    place = st.integers(0, len(names) - 1)
    raw = draw(st.lists(st.tuples(place, place, WEIGHTS), max_size=2 * max_size))
    arcs = tuple(
        (names[min(a, b) if acyclic else a], names[max(a, b) if acyclic else b], w)
        for a, b, w in raw
        if a != b
    )
    several = st.lists(st.sampled_from("xyz"), max_size=2, unique=True).map(tuple)
    cut = st.tuples(st.sampled_from(names), st.integers(0, max(len(arcs) - 1, 0)), GRADES)
    chosen_example = draw(st.lists(cut, max_size=2)) if arcs and cuts and not acyclic else []
    return GraphSpec(
        base={name: draw(GRADES) for name in names},
        arcs=arcs,
        claims=tuple(draw(st.lists(st.sampled_from(names), unique=True))),
        source_groups={name: draw(several) for name in names},
        cuts=tuple(chosen_example),
    )


LOOP_ARCS = [("n0", "n1", 1.0), ("n1", "n2", 0.6), ("n2", "n0", -0.6), ("n2", "n1", 0.3)]


def graph_with_loops(spec: GraphSpec) -> Graph:
    """The graph of a spec whose first three statements stand in circles, if it has so many."""
    arcs = [row for row in LOOP_ARCS if {*row[:2]} <= {*spec.base}]
    return GraphSpec(
        spec.base, (*spec.arcs, *arcs), spec.claims, spec.source_groups, spec.cuts
    ).graph()
