"""Graphs written by hand, for the tests of `kg.reasoning`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from kg.model.config import Reasoning
from kg.reasoning.network.graph import Graph, Plans, number_units


def graph_of(
    base: Mapping[str, float],
    arcs: Iterable[tuple[str, str, float]],
    *,
    claims: Sequence[str] | None = None,
    units: Mapping[str, Sequence[str]] | None = None,
    cuts: Iterable[tuple[str, int, float]] = (),
    settings: Reasoning | None = None,
    joint: Iterable[Sequence[int]] = (),
) -> Graph:
    """A graph written by hand: base scores, arcs (source, target, weight), and who is a claim.

    `claims` defaults to everything that an arc leads to. `units` names the sources that a
    statement shares with others. A cut (source, number of an arc, strength) undercuts. `joint`
    lists the numbers of arcs that count only together; cuts are numbered after all arcs.
    """
    ids, listed = tuple(base), list(arcs)
    number = {name: i for i, name in enumerate(ids)}
    held = {target for _, target, _ in listed} if claims is None else set(claims)
    cut = list(cuts)
    gated = {arc: len(ids) + k for k, arc in enumerate(dict.fromkeys(arc for _, arc, _ in cut))}
    silent = len(ids) + len(gated)
    plain = [(number[a], number[b], w, gated.get(k, silent)) for k, (a, b, w) in enumerate(listed)]
    rows = plain + [(number[a], gated[arc], w, silent) for a, arc, w in cut]
    shares = [dict.fromkeys((units or {}).get(name, ()), 1.0) for name in ids]
    unit_start, unit_of, unit_part = number_units(shares)
    values = np.array([base[name] for name in ids], dtype=float)
    reason = np.full(len(rows), -1)
    for group, members in enumerate(joint):
        reason[list(members)] = group
    return Graph(
        ids=ids,
        base=values,
        base_unretracted=values.copy(),
        claim=np.array([name in held for name in ids], dtype=bool),
        src=np.array([r[0] for r in rows], dtype=np.int64),
        dst=np.array([r[1] for r in rows], dtype=np.int64),
        w=np.array([r[2] for r in rows], dtype=float),
        gate=np.array([r[3] for r in rows], dtype=np.int64),
        fallen=np.zeros(len(rows), dtype=bool),
        edges=tuple(f"{k}" for k in range(len(rows))),
        gates=len(gated),
        unit_start=unit_start,
        unit_of=unit_of,
        unit_part=unit_part,
        names=number,
        settings=settings or Reasoning(),
        joint=reason,
    )


def without_short_cuts(graph: Graph) -> Graph:
    """`graph` with its first arc as a joint reason of one: so all of a loop's arcs are weighed."""
    joint = graph.joint.copy()
    joint[:1] = 0
    return replace(graph, joint=joint, plans=Plans())
