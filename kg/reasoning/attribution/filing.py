"""What an answer owes to where reasons were filed: each source put straight to the question."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from kg.reasoning.arrays import Floats
from kg.reasoning.attribution.shares import heard
from kg.reasoning.session import Question, once


class Filed(NamedTuple):
    """What the word for an answer follows from: its strength, and what speaks for and against."""

    strength: float
    pro: float
    con: float


@once
def filed_directly(question: Question) -> Filed:
    """The strength, and what speaks for and against, if every source spoke to the question itself,
    by the best of its routes.

    Along a route weights and undercuts count as they do in the strength; an objection to a claim
    on the way counts against the question itself instead of against that claim alone, and an
    objection to an objection for it. What is left of the difference to the strength is what the
    answer owes to the places where reasons were filed.
    """
    graph, node = question.graph, question.node
    best = _routes(question)
    strengths, gain = question.strengths, graph.settings.gain
    totals = [0.0, 0.0]
    for side in (0, 1):
        loudest: dict[int, float] = {}
        for item in np.flatnonzero(~graph.claim).tolist():
            if item == node:
                continue
            first, last = graph.unit_start[item], graph.unit_start[item + 1]
            for place in range(int(first), int(last)):
                nats = gain * float(strengths[item] * graph.unit_part[place]) * best[item, side]
                unit = int(graph.unit_of[place])
                loudest[unit] = max(loudest.get(unit, 0.0), nats)
        totals[side] = sum(loudest.values())
    base = graph.base[[node]]
    with np.errstate(divide="ignore"):
        start = np.log(base) - np.log1p(-base)
    own = float(start[0])
    strength = float(1.0 / (1.0 + np.exp(-(own + totals[0] - totals[1]))))
    return Filed(strength, totals[0] + max(own, 0.0), totals[1] + max(-own, 0.0))


def _routes(question: Question) -> Floats:
    """Per statement, the best product of weights on a route to the question (statements × 2): by
    an even and by an odd number of objections.
    """
    graph = question.graph
    state, heard_in = question.solution.state, _heard_in(question)
    best = np.zeros((graph.size, 2))
    queue: list[tuple[float, int, int]] = [(-1.0, question.node, 0)]
    while queue:
        size, node, side = heapq.heappop(queue)
        if -size <= best[node, side]:
            continue
        best[node, side] = -size
        for arc in graph.into(node).tolist():
            source, w = int(graph.src[arc]), float(graph.w[arc])
            if graph.fallen[arc] or w == 0.0 or not heard_in[arc]:
                continue
            along = -size * abs(w) * float(heard_in[arc] * state[graph.gate[arc]])
            other = side ^ (w < 0.0)
            if along > best[source, other]:
                heapq.heappush(queue, (-along, source, other))
    return best


def _heard_in(question: Question) -> Floats:
    """The part in which each arc is heard: 1, but of a joint reason that speaks nothing where a
    weaker premise is heard, and equal parts where several are.
    """
    graph = question.graph
    found = np.ones(len(graph.src))
    if graph.linked:
        speaks = np.abs(heard(graph, question.solution.state)) > 0.0
        judged = (graph.joint >= 0) & graph.whole(speaks)
        _, reason = np.unique(graph.joint[judged], return_inverse=True)
        found[judged] = speaks[judged] / np.bincount(reason, speaks[judged])[reason]
    return found
