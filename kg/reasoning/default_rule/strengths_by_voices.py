"""Strengths by the default rule, in which a source counts once, by its best voice; their slopes.

    y_j(u)   what j passes on of the source u, in nats
             evidence: gain · s_j · (the part of j that rests on u)
             claim: pro_j(u) · h_j, where objectors leave h_j = max(0, 1 − C_j / P_j)
    pro_i(u) the best of w · g · y_j(u) over the arcs from supporters j of i, with weight w and gate
             g; con_i(u) the same over its objectors
    P_i, C_i the sums of pro_i and con_i over u. The log-odds l of i's base count as well: in P_i if
             they are above 0, in C_i if below
    s_i      σ(P_i − C_i), σ(x) = 1 / (1 + e^−x): the logistic semantics of gradual bipolar
             argumentation (Potyka, AAAI 2021), but that each source counts once

A claim hands on what its supporters bring, less the part that its objectors take. So it makes no
difference whether a reason is filed at a question or at a claim that stands for it, into how
many claims it is split, or how often it is repeated, as long as no circle lets claims with the
same content support each other.

Of joint premises only the one that passes on the least (the sum of y over u) is heard: the joint
reason is as weak as its weakest premise, and adds nothing if that passes nothing on. The sources
of that premise speak; several equally weak ones are heard in equal parts, so that names do not
decide. A stronger premise may therefore lower i: once the other one is the weakest, the sources of
that speak, and these may be heard at i already by better routes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.corpus.quality.evidence_quality import CLAIM_BASE
from kg.reasoning.default_rule.voice_pass import MAX_UNDERCUT, TIE_NATS, VoicePass, Voices
from kg.reasoning.default_rule.voice_plan import TargetLevel
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph.arrays import (
    MAX_LOG_ODDS,
    Bools,
    Floats,
    Ints,
    bounded_logit,
    range_positions,
)
from kg.reasoning.graph.graph import LEAST_BASE, Graph, Scenarios
from kg.runtime.memoize import memoize

JUST_ABOVE_HALF = 1e-8  # in strength: more than any rounding, but too little to show in a slope


@dataclass(frozen=True, slots=True)
class StrengthsByVoices:
    """Strengths of a graph under scenarios (one per column), and what they come from.

    `state` (statements, gates and `open_gate` × scenarios) has strengths, and how far gates are
    open, both from 0 to 1. `pro` and `con` (statements × scenarios) are the sums of reasons for and
    against, in nats, without the base. `shares` (arcs × scenarios), if requested, is what each arc
    adds to its target, in nats, negative if against.
    """

    state: Floats
    pro: Floats
    con: Floats
    shares: Floats | None

    def restrict_to(self, numbers: Ints) -> StrengthsByVoices:
        """The results for `numbers` (statements, gates, then `open_gate`)."""
        statements = numbers[numbers < len(self.pro)]
        return StrengthsByVoices(
            self.state[numbers], self.pro[statements], self.con[statements], None
        )


def arc_shares_by_voices(graph: Graph) -> Floats:
    """Return what each arc (a) adds to its target in the graph as it is, in nats, negative if
    against.
    """
    voices = voices_of(graph)
    shares = np.zeros(len(graph.arc_premise))
    np.add.at(shares, voices.arc, voices.nats)
    return shares


@memoize
def voices_of(graph: Graph) -> Voices:
    """Return what each voice adds in the graph as it is."""
    # a separate pass, since crediting rows takes time that strengths alone do not need
    run = VoicePass(graph, None, plan_voices(graph), with_shares=True)
    for level in run.plan.levels:
        run.pass_level(level)
    none = np.zeros(0, dtype=np.int64)
    # start with empty arrays, as a graph without arcs has no voices to concatenate
    arcs, source_groups, nats = zip((none, none, np.zeros(0)), *run.counted_voices, strict=True)
    return Voices(*map(np.concatenate, (arcs, source_groups, nats)))


def solve_by_voices(
    graph: Graph,
    scenarios: Scenarios | None,
    with_shares: bool = False,
    ends: Ints | None = None,
) -> StrengthsByVoices:
    """The strengths of `graph` in every scenario, in one pass. With `ends`, only theirs are
    guaranteed.
    """
    plan = plan_voices(graph, _raises_claims(graph, scenarios), ends)
    run = VoicePass(graph, scenarios, plan, with_shares)
    for level in plan.levels:
        run.pass_level(level)
    # leave out the copies: only the statements and gates of the graph itself are returned
    pro = run.pro[: graph.size]
    con = run.con[: graph.size]
    state = np.concatenate([run.state[: graph.node_count], np.ones((1, run.inputs.width))])
    return StrengthsByVoices(state, pro, con, run.shares)


def _raises_claims(graph: Graph, scenarios: Scenarios | None) -> bool:
    """Return whether some scenario gives a claim a voice of its own that its base does not give it.

    Such a claim needs a place for that voice in the plan, which then serves only such scenarios.
    """
    if scenarios is None:
        return False
    if scenarios.held is not None and scenarios.held[graph.is_claim].any():
        return True
    if scenarios.base is None:
        return False
    claims_without_voice = graph.is_claim & (graph.base <= CLAIM_BASE)
    return bool((scenarios.base[claims_without_voice] > CLAIM_BASE).any())


# -- slopes: one sweep against the order -----------------------------------------------------------


def slopes_by_voices(graph: Graph, node: int) -> Floats:
    """∂(strength of `node`) / ∂(base of each statement) (n), to the right where left and right
    differ.

    By backpropagation. A route that is not heard because another one of its source is better has
    slope 0; equally good routes share the slope.
    """
    return _Backpropagation(graph, node).slopes()


class _Backpropagation:
    """Derivatives of one strength by everything that it depends on: automatic differentiation in
    reverse mode. One sweep from the last level to the first gives the slopes by all bases, which
    tried one by one would take a pass each.

    `by_state`, `by_pro` and `by_con` (nodes of the unfolded graph), `by_voice` (voices of the plan)
    and `by_base` (n) are the derivatives of the strength by these numbers. Each grows as the sweep
    passes the levels that read the number, and is complete once it has passed all of them.
    `unanswered` (nodes) is h of claims, the part of the reasons for them that objectors leave.
    """

    def __init__(self, graph: Graph, node: int) -> None:
        # a claim at one half is raised slightly, to learn which of its routes would be heard
        at_half = graph.is_claim & (np.abs(graph.base - CLAIM_BASE) < JUST_ABOVE_HALF)
        self.graph = graph = graph.with_values(
            base=np.where(at_half, CLAIM_BASE + JUST_ABOVE_HALF, graph.base)
        )
        self.node = node
        self.plan = plan = plan_voices(graph, claims_speak=True, ends=np.array([node]))
        self.run = run = VoicePass(graph, None, plan)
        self.row_nats = [run.pass_level(level) for level in plan.levels]
        self.hearing = [run.heard_parts(level) for level in plan.levels]
        count = len(plan.unfolded_graph.origin)
        self.strength = run.state[:, 0]
        self.pro = run.pro[:, 0]
        self.con = run.con[:, 0]
        self.by_state = np.zeros(count)
        self.by_voice = np.zeros(plan.voices_in_all)
        self.by_pro = np.zeros(count)
        self.by_con = np.zeros(count)
        self.by_base = np.zeros(graph.size)
        self.unanswered = np.zeros(count)

    def slopes(self) -> Floats:
        self.by_state[self.node] = 1.0
        is_in_level = np.zeros(len(self.strength), dtype=bool)
        steps = zip(self.plan.levels, self.row_nats, self.hearing, strict=True)
        for level, row_nats, hearing in reversed([*steps]):
            is_in_level[level.nodes] = True
            self._backpropagate_statements(level.nodes)
            self._backpropagate_gates(level.nodes)
            self._backpropagate_rows(level, row_nats[:, 0], hearing)
        # nodes on which nothing bears are in no level
        self._backpropagate_statements(np.flatnonzero(~is_in_level))
        return self.by_base

    def _backpropagate_statements(self, nodes: Ints) -> None:
        """Backpropagate from the strengths of statements, and what they pass on, to their reasons
        and bases.
        """
        plan = self.plan
        nodes = nodes[~plan.gates[nodes]]
        is_claim = plan.is_claim[nodes]
        # falls first: they add to what is_claim and evidence pass on from their strength
        self._backpropagate_falls(nodes)
        self._backpropagate_claims(nodes[is_claim])
        self._backpropagate_evidence(nodes[~is_claim])

    def _backpropagate_falls(self, nodes: Ints) -> None:
        """Backpropagate from the falls of premises to their strengths, for those of `nodes` that
        are premises.
        """
        # a premise says gain · max(0, 1 − s / b⁰), which is flat where it is at its base or above
        premises = nodes[self.plan.fall[nodes] >= 0]
        origin = self.plan.unfolded_graph.origin[premises]
        base_unretracted = np.maximum(self.graph.base_unretracted[origin], LEAST_BASE)
        has_fallen = self.strength[premises] < base_unretracted
        slope = np.where(has_fallen, -self.graph.settings.gain / base_unretracted, 0.0)
        self.by_state[premises] += self.by_voice[self.plan.fall[premises]] * slope

    def _by_own_voices(self, nodes: Ints) -> Floats:
        """Return the derivative by what each statement says of its own."""
        plan = self.plan
        count = plan.own_count[nodes]
        owner = np.repeat(np.arange(len(nodes)), count)
        positions = range_positions(plan.voice_start[nodes], count)
        voices = self.by_voice[positions] * self.graph.source_group_fraction[plan.entry[positions]]
        return np.asarray(np.bincount(owner, voices, len(nodes)))

    def _backpropagate_claims(self, nodes: Ints) -> None:
        """Backpropagate through s = σ(l + P − C), and what claims pass on: y = pro · h, h = 1 − C /
        P, which is `unanswered`.
        """
        plan = self.plan
        strength = self.strength[nodes]
        origin = plan.unfolded_graph.origin[nodes]
        base = self.graph.base[origin]
        start = bounded_logit(base)
        own_start = np.maximum(start, 0.0)
        doubt = np.maximum(-start, 0.0)
        backed = self.pro[nodes] + own_start
        doubted = self.con[nodes] + doubt
        divisor = np.where(backed > 0.0, backed, 1.0)
        unanswered = np.where(
            backed > 0.0, np.maximum(1.0 - doubted / divisor, 0.0), doubted <= 0.0
        )
        self.unanswered[nodes] = unanswered
        by_own_voices = self._by_own_voices(nodes)
        count = plan.voice_count[nodes] - plan.own_count[nodes]
        voices = range_positions(plan.voice_start[nodes] + plan.own_count[nodes], count)
        owner = np.repeat(np.arange(len(nodes)), count)
        # voices are stored as they are passed on: divide by h to get what was heard
        divided = np.where(unanswered[owner] > 0.0, unanswered[owner], 1.0)
        heard = self.run.voice_nats[voices, 0] / divided
        by_unanswered = by_own_voices * own_start
        by_unanswered += np.bincount(owner, self.by_voice[voices] * heard, len(nodes))
        # if objections take everything, a little more or less of them changes nothing
        alive = (unanswered > 0.0) & (backed > 0.0)
        by_doubted = np.where(alive, -by_unanswered / divisor, 0.0)
        by_backed = np.where(alive, by_unanswered * doubted / divisor**2, 0.0)
        # σ′ = s (1 − s)
        by_odds = self.by_state[nodes] * strength * (1.0 - strength)
        self.by_pro[nodes] += by_backed + by_odds
        self.by_con[nodes] += by_doubted - by_odds
        # a base of ½ or more is a voice for the claim, a lower one a doubt; l = ln(b / (1 − b)) has
        # the slope 1 / (b (1 − b))
        rises = np.where(
            base >= 0.5, by_own_voices * unanswered + by_backed + by_odds, by_odds - by_doubted
        ) / np.maximum(base * (1.0 - base), LEAST_BASE)
        np.add.at(self.by_base, origin, rises)

    def _backpropagate_evidence(self, nodes: Ints) -> None:
        """Backpropagate through s = σ(l + P − C) of `nodes` (pieces of evidence), and their own
        voices.
        """
        origin = self.plan.unfolded_graph.origin[nodes]
        base = self.graph.base[origin]
        strength = self.strength[nodes]
        self.by_state[nodes] += self._by_own_voices(nodes) * self.graph.settings.gain
        by_odds = self.by_state[nodes] * strength * (1.0 - strength)
        self.by_pro[nodes] += by_odds
        self.by_con[nodes] -= by_odds
        decay = np.exp(-np.clip(self.pro[nodes] - self.con[nodes], -MAX_LOG_ODDS, MAX_LOG_ODDS))
        # of s = b / (b + (1 − b) · decay) by b: unlike through log-odds, also finite at b = 0
        slope = decay / (base + (1.0 - base) * decay) ** 2
        np.add.at(self.by_base, origin, self.by_state[nodes] * slope)

    def _backpropagate_gates(self, nodes: Ints) -> None:
        """Backpropagate from the gates among `nodes` (of one level) to what undercuts them."""
        gates = nodes[self.plan.gates[nodes]]
        # a gate is e^−pro, so its slope is minus itself; all that bears on it counts as `pro`
        self.by_pro[gates] -= self.by_state[gates] * self.strength[gates]

    def _backpropagate_rows(
        self, level: TargetLevel, row_nats: Floats, hearing: Floats | float
    ) -> None:
        """Backpropagate from reasons to the voices and gates that bring them.

        `row_nats` has an entry per row of `level`; `hearing` (rows × 1, or 1) is of `heard_parts`.
        """
        if not len(level.row_voices):
            return
        owner = level.nodes[level.owner]
        by_slot = np.where(level.pro, self.by_pro[owner], self.by_con[owner])
        heard = level.outgoing_voices.heard_slots
        by_slot[heard] += (
            self.by_voice[level.outgoing_voices.handed_voices] * self.unanswered[owner[heard]]
        )
        best = np.maximum.reduceat(row_nats, level.slot_starts)[level.slot_of]
        repeat = self.graph.settings.repeat
        equally_good = (row_nats >= best - TIE_NATS) & (best > 0.0)
        ties = np.add.reduceat(equally_good.astype(np.int64), level.slot_starts)[level.slot_of]
        part = np.where(equally_good, (1.0 - repeat) / np.maximum(ties, 1), 0.0) + repeat
        # joint premises bring a source's part in sum, so their rows have the slope of the first
        by_row = (by_slot[level.slot_of] * part)[level.first_row]
        if not isinstance(hearing, float):
            by_row = by_row * hearing[:, 0]
        tree = self.plan.unfolded_graph
        plan = self.plan
        gate = tree.gate[level.arcs]
        openness = np.where(gate >= 0, self.strength[gate], 1.0)
        size = level.size
        cuts = plan.gates[owner][level.slot_of]
        self._backpropagate_undercuts(level, by_row, size, openness, cuts)
        by_row = np.where(cuts, 0.0, by_row)
        np.add.at(self.by_voice, level.row_voices, by_row * size * openness)
        by_gate = by_row * size * self.run.voice_nats[level.row_voices, 0]
        np.add.at(self.by_state, gate[gate >= 0], by_gate[gate >= 0])

    def _backpropagate_undercuts(
        self, level: TargetLevel, by_row: Floats, size: Floats, openness: Floats, cuts: Bools
    ) -> None:
        """Backpropagate through −ln(1 − f), whose slope is 1 / (1 − f), and f = w · g′ · force of
        the undercutter.

        All arrays have an entry for each row of `level`; `cuts` marks those that end at gates.
        How the sum is split among the voices of an undercutter is held constant.
        """
        if not cuts.any():
            return
        tree = self.plan.unfolded_graph
        plan = self.plan
        rows = np.flatnonzero(cuts)
        arcs = level.arcs[rows]
        undercutter = tree.arc_premise[level.arcs[rows]]
        total = self.run.total[undercutter, 0]
        voices = self.run.voice_nats[level.row_voices[rows], 0]
        evenly = 1.0 / np.maximum(plan.voice_count[undercutter], 1)
        part = np.where(total > 0.0, voices / np.where(total > 0.0, total, 1.0), evenly)
        strength = self.strength[undercutter]
        force = np.where(
            plan.is_claim[undercutter], np.maximum(2.0 * strength - 1.0, 0.0), strength
        )
        weight = size[rows] * openness[rows]
        by_force = by_row[rows] * part / (1.0 - np.minimum(weight * force, MAX_UNDERCUT))
        # at ½ the slope to the right is taken, as slopes are those of rising bases
        slope_of_claims = np.where(strength >= 0.5 - TIE_NATS, 2.0, 0.0)
        by_strength = np.where(plan.is_claim[undercutter], slope_of_claims, 1.0)
        np.add.at(self.by_state, undercutter, by_force * weight * by_strength)
        gate = tree.gate[arcs]
        np.add.at(self.by_state, gate[gate >= 0], (by_force * size[rows] * force)[gate >= 0])
