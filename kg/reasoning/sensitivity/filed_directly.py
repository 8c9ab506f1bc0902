"""An answer if each source spoke to the question itself, instead of to claims on the way to it."""

from __future__ import annotations

import heapq

import numpy as np

from kg.model import Value
from kg.reasoning.graph.arrays import Floats, logit, round_off_or_none
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import arc_shares
from kg.reasoning.strength_words import WeighingOutcome, strength_word


class FiledDirectly(Value, frozen=True, omit_defaults=False):
    """The answer if each source spoke to the question itself instead of to claims on the way; the
    word is empty for a piece of evidence.
    """

    strength: float | None
    word: str


def weigh_filed_directly(question: Question) -> FiledDirectly:
    """The answer if every source bore on the question itself, by the best of its routes.

    Along a route weights and undercuts count as they do in the strength; an objection to a claim
    on the way counts against the question itself instead of against that claim alone, and an
    objection to an objection for it. The difference to the strength is what the answer owes to
    where reasons were filed.
    """
    graph = question.graph
    best = _best_routes(question)
    strengths = question.strengths
    gain = graph.settings.gain
    totals = [0.0, 0.0]
    for side in (0, 1):
        # by source group, the most that any of its evidence brings: each source counts once
        loudest: dict[int, float] = {}
        for item in question.evidence.tolist():
            first = graph.source_group_start[item]
            stop = graph.source_group_start[item + 1]
            for position in range(int(first), int(stop)):
                own_part = float(strengths[item] * graph.source_group_fraction[position])
                nats = gain * own_part * best[item, side]
                source_group = int(graph.source_group_of[position])
                loudest[source_group] = max(loudest.get(source_group, 0.0), nats)
        totals[side] = sum(loudest.values())
    pro, con = totals
    base_log_odds = logit(float(graph.base[question.node]))
    strength = float(1.0 / (1.0 + np.exp(-(base_log_odds + pro - con))))
    # the base counts on its side, as in `keep_outcome`
    outcome = WeighingOutcome(
        strength, pro + max(base_log_odds, 0.0), con + max(-base_log_odds, 0.0)
    )
    is_claim = bool(graph.is_claim[question.node])
    word = strength_word(outcome, question.settings) if is_claim else ""
    return FiledDirectly(strength=round_off_or_none(strength), word=word)


def _best_routes(question: Question) -> Floats:
    """Per statement, the best product of weights on a route to the question (statements × 2): by
    an even and by an odd number of objections.
    """
    graph = question.graph
    state = question.solution.state
    heard_parts = _heard_parts_of_arcs(question)
    best = np.zeros((graph.size, 2))
    # Dijkstra's algorithm from the end: products of numbers up to 1 only fall along a route, so
    # the first to reach a statement is the best. Sizes are negated, as a heap gives the smallest.
    queue: list[tuple[float, int, int]] = [(-1.0, question.node, 0)]
    while queue:
        size, node, side = heapq.heappop(queue)
        if -size <= best[node, side]:
            continue
        best[node, side] = -size
        for arc in graph.arcs_bearing_on(node).tolist():
            premise = int(graph.arc_premise[arc])
            weight = float(graph.arc_weight[arc])
            if graph.fallen[arc] or weight == 0.0 or not heard_parts[arc]:
                continue
            product = -size * abs(weight) * float(heard_parts[arc] * state[graph.gate[arc]])
            premise_side = side ^ (weight < 0.0)
            if product > best[premise, premise_side]:
                heapq.heappush(queue, (-product, premise, premise_side))
    return best


def _heard_parts_of_arcs(question: Question) -> Floats:
    """The share at which each arc is heard: 1, except for the premises of a joint reason. Of these
    only the weakest is heard, or several equally weak ones in equal parts.
    """
    graph = question.graph
    part = np.ones(len(graph.arc_premise))
    if graph.has_joint_premises:
        speaks = np.abs(arc_shares(graph, question.solution.state)) > 0.0
        # if a reason adds nothing at all, it is unknown which premise is heard: all stay whole
        judged = (graph.joint >= 0) & graph.with_joint_partners(speaks)
        _, reason = np.unique(graph.joint[judged], return_inverse=True)
        part[judged] = speaks[judged] / np.bincount(reason, speaks[judged])[reason]
    return part
