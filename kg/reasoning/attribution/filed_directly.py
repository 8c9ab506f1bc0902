"""The strength if every source spoke to the answer itself: what the answer owes to filing."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from kg.reasoning.arrays import Floats
from kg.reasoning.attribution.shares import arc_shares
from kg.reasoning.reading import Question, once_per_question


class FiledDirectly(NamedTuple):
    """What the word for an answer follows from: its strength, and what speaks for and against."""

    strength: float
    pro: float
    con: float


@once_per_question
def filed_directly(question: Question) -> FiledDirectly:
    """The strength, and what speaks for and against, if every source spoke to the question itself,
    by the best of its routes.

    Along a route weights and undercuts count as they do in the strength; an objection to a claim
    on the way counts against the question itself instead of against that claim alone, and an
    objection to an objection for it. What is left of the difference to the strength is what the
    answer owes to the places where reasons were filed.
    """
    graph, node = question.graph, question.node
    best = _best_routes(question)
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
    return FiledDirectly(strength, totals[0] + max(own, 0.0), totals[1] + max(-own, 0.0))


def _best_routes(question: Question) -> Floats:
    """Per statement, the best product of weights on a route to the question (statements × 2): by
    an even and by an odd number of objections.
    """
    graph = question.graph
    state, heard_in = question.solution.state, _heard_in(question)
    best = np.zeros((graph.size, 2))
    # Dijkstra's algorithm from the end: products of numbers up to 1 only fall along a route, so the
    # first that arrives at a statement is the best. Sizes are negative, as a heap gives the least.
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
    part = np.ones(len(graph.src))
    if graph.has_joint:
        speaks = np.abs(arc_shares(graph, question.solution.state)) > 0.0
        # of a reason that adds nothing at all, nobody can say which premise is heard: all stay
        # whole
        judged = (graph.joint >= 0) & graph.whole(speaks)
        _, reason = np.unique(graph.joint[judged], return_inverse=True)
        part[judged] = speaks[judged] / np.bincount(reason, speaks[judged])[reason]
    return part
