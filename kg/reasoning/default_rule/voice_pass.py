"""One pass through a plan: the default rule in numbers, level by level, for all scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from kg.corpus.quality.evidence_quality import BASE_BOUNDS
from kg.reasoning.default_rule.voice_plan import (
    OutgoingVoices,
    OwnVoices,
    TargetLevel,
    VoicePlan,
)
from kg.reasoning.graph.arrays import MAX_LOG_ODDS, Floats, Ints, bounded_logit
from kg.reasoning.graph.graph import LEAST_BASE, Graph, Scenarios
from kg.reasoning.graph.joint_premises import sum_joint_premises

# Each array has a row for each item and a column for each scenario, or a single column where all
# scenarios agree.
ByNode: TypeAlias = Floats  # nodes of the unfolded graph × scenarios, or some of these nodes
ByVoice: TypeAlias = Floats  # voices of the plan × scenarios
ByRow: TypeAlias = Floats  # rows of a level, or some of them × scenarios
BySlot: TypeAlias = Floats  # slots of a level × scenarios
ByArc: TypeAlias = Floats  # arcs of the graph, before it is unfolded × scenarios
# The most that one undercut takes of a reason, so that its logarithm stays finite.
MAX_UNDERCUT = 1.0 - 1e-12
TIE_NATS = 1e-12  # rows that differ by less, in nats, count as equally good
MANY_SCENARIOS = 48  # number of scenarios from which whole rows are compared at once


@dataclass(frozen=True, slots=True)
class _PassInputs:
    """The inputs of a pass, which it never changes."""

    graph: Graph
    scenarios: Scenarios | None  # the graph as it is if there are none
    width: int  # how many scenarios there are
    origin: Ints  # of each node of the unfolded graph, its statement; 0 for gates
    base: ByNode
    start: ByNode  # the log-odds of bases, of claims alone
    gain: float | Floats
    repeat: float | Floats
    repeats: bool  # whether more than the best row of a slot counts in any scenario
    weight: ByArc | None  # 0 to 1, for or against; `None` if no scenario changes a weight

    @property
    def loudness(self) -> Floats | None:
        """The part to which each statement is heard (× scenarios); `None` if all are heard in
        full.
        """
        return None if self.scenarios is None else self.scenarios.loudness


def _pass_inputs(graph: Graph, scenarios: Scenarios | None, plan: VoicePlan) -> _PassInputs:
    """The numbers of a graph under some scenarios, laid out for the nodes of a plan."""
    origin = np.where(plan.gates, 0, plan.unfolded_graph.origin)
    base = log_odds_base = graph.base[:, None]
    gain: float | Floats = graph.settings.gain
    repeat: float | Floats = graph.settings.repeat
    weight = None
    if scenarios is not None:
        if scenarios.base is not None:
            base = scenarios.base
            # log-odds are only read for claims, and logarithms take time
            if (base[graph.is_claim] != log_odds_base[graph.is_claim]).any():
                log_odds_base = base
        gain = gain if scenarios.gain is None else scenarios.gain
        repeat = repeat if scenarios.repeat is None else scenarios.repeat
        if scenarios.arc_weight is not None:
            # a weight that changes its sign in a scenario counts as 0 there: the side of each row
            # is fixed in the plan
            weight = np.maximum(scenarios.arc_weight * np.sign(graph.arc_weight)[:, None], 0.0)
    return _PassInputs(
        graph=graph,
        scenarios=scenarios,
        width=1 if scenarios is None else scenarios.count,
        origin=origin,
        base=base[origin],
        start=bounded_logit(log_odds_base)[origin],
        gain=gain,
        repeat=repeat,
        repeats=bool(np.any(repeat)),
        weight=weight,
    )


class Voices(NamedTuple):
    """The nats that each voice that bears on a statement adds to it, negative if against.

    `arc` is the edge that carries it, `source_group` its source: a number of the graph's
    `source_group_of`, or one past all of them for a premise that falls.
    """

    arc: Ints
    source_group: Ints
    nats: Floats


class VoicePass:
    """One pass through a plan: `inputs` stay as they are, the arrays fill up level by level.

    Rows are read with `take`, which copies whole rows and is faster than indexing.
    """

    def __init__(
        self,
        graph: Graph,
        scenarios: Scenarios | None,
        plan: VoicePlan,
        with_shares: bool = False,
    ) -> None:
        self.plan = plan
        self.inputs = inputs = _pass_inputs(graph, scenarios, plan)
        count, width = len(plan.unfolded_graph.origin), inputs.width
        # the strength, 0 to 1; of a gate, how far it is open
        self.state: ByNode = np.empty((count, width))
        self.state[:] = inputs.base
        self.state[plan.gates] = 1.0
        # in nats: the sum of what a node passes on, the reasons for it and those against it
        self.total: ByNode = np.zeros((count, width))
        self.pro: ByNode = np.zeros((count, width))
        self.con: ByNode = np.zeros((count, width))
        # what each voice says, in nats
        self.voice_nats: ByVoice = np.empty((plan.voices_in_all, width))
        # what each arc of the graph adds, in nats, negative if against
        self.shares: ByArc | None = (
            np.zeros((len(graph.arc_premise), width)) if with_shares else None
        )
        self.counted_voices: list[Voices] = []
        # statements on which nothing bears speak at once: the first level hears them
        self._hold_at_values(plan.bare.nodes)
        self._set_voices(plan.bare, self.voice_nats[:0])

    def pass_level(self, level: TargetLevel) -> ByRow:
        """Compute the targets of a level, and what they pass on; return what each row brings."""
        by_row = self._row_voices(level)
        row_nats = sum_joint_premises(by_row, level.first_row, level.later_premises)
        slot_nats = row_nats[:0]
        if len(level.slot_starts):
            slot_nats = self._slot_voices(row_nats, level)
            sides = level.sides
            sums = np.add.reduceat(slot_nats, sides.starts, axis=0)
            self.pro[sides.pro_nodes] = sums[sides.pro]
            self.con[sides.con_nodes] = sums[sides.con]
        if len(level.row_voices):
            self._credit_rows(level, row_nats, by_row)
        if len(level.gates):
            # undercuts count as −ln(1 − force), so their sum is the log of a product
            self.state[level.gates] = np.exp(-self.pro[level.gates] - self.con[level.gates])
        self._set_strengths(level.outgoing_voices.nodes)
        self._set_voices(level.outgoing_voices, slot_nats)
        return row_nats

    def _row_voices(self, level: TargetLevel) -> ByRow:
        """Compute what each row brings, in nats (rows × scenarios): its voice, times the weight of
        its arc and how far that is open.
        """
        weight = level.size[:, None]
        if self.inputs.weight is not None:
            weight = self.inputs.weight.take(level.own_arcs, axis=0)
        hearing = self.heard_parts(level)
        voice = self.voice_nats.take(level.row_voices, axis=0)
        row_nats = voice * weight
        if len(level.gated_rows):
            rows = level.gated_rows
            gate = self.plan.unfolded_graph.gate[level.arcs[rows]]
            opened = weight[rows] * self.state.take(gate, axis=0)
            row_nats[rows] = voice.take(rows, axis=0) * opened
        if len(level.cutting_rows):
            # an undercut of force f leaves 1 − f of the reason, those of several sources the
            # product; as logarithms they add up like nats, and the best of one source counts
            rows = level.cutting_rows
            undercutter = self.plan.unfolded_graph.arc_premise[level.arcs[rows]]
            row_voice = voice[rows]
            total = self.total[undercutter]
            part = np.divide(row_voice, total, out=np.zeros_like(row_voice), where=total > 0.0)
            force = self._weight_past_gates(level, rows, weight) * self._force_of_undercuts(
                undercutter
            )
            row_nats[rows] = part * -np.log1p(-np.minimum(force, MAX_UNDERCUT))
        return row_nats * hearing if level.joint is not None else row_nats

    def _weight_past_gates(self, level: TargetLevel, rows: Ints, weight: ByRow) -> ByRow:
        """The weights of `rows` (× scenarios), times how far their arcs are open."""
        gate = self.plan.unfolded_graph.gate[level.arcs[rows]]
        # without a gate, `state[gate]` reads the last node, and the number is discarded
        return np.asarray(weight[rows] * np.where(gate[:, None] >= 0, self.state[gate], 1.0))

    def heard_parts(self, level: TargetLevel) -> ByRow | float:
        """Return the part of each row that is heard (rows × scenarios): 1, unless it comes from the
        premise of a joint reason.

        Premises are compared by all that they pass on, in nats; those of an undercut by force.
        """
        if level.joint is None:
            return 1.0
        tree = self.plan.unfolded_graph
        arcs = level.joint.arcs
        amounts = self.total[tree.arc_premise[arcs]]
        cuts = self.plan.gates[tree.arc_target[arcs]][:, None]
        if cuts.any():
            amounts = np.where(cuts, self._force_of_undercuts(tree.arc_premise[arcs]), amounts)
        if self.inputs.weight is not None:
            # a premise of weight 0 in a scenario is the weakest there, and silences the rest
            amounts = np.where(self.inputs.weight[tree.arc[arcs]] > 0.0, amounts, 0.0)
        parts = level.joint.premises.parts(amounts)
        place_of_row = level.joint.place_of_row
        return np.where((place_of_row >= 0)[:, None], parts[place_of_row], 1.0)

    def _slot_voices(self, row_nats: ByRow, level: TargetLevel) -> BySlot:
        """Compute what counts of each slot (slots × scenarios): its best row, `repeat` of the
        others.
        """
        best = self._best_of_slots(row_nats, level)
        if not self.inputs.repeats:
            return best
        slot_sums = np.add.reduceat(row_nats, level.slot_starts, axis=0)
        return np.asarray((1.0 - self.inputs.repeat) * best + self.inputs.repeat * slot_sums)

    def _best_of_slots(self, row_nats: ByRow, level: TargetLevel) -> BySlot:
        """The best row of each slot."""
        if self.inputs.width < MANY_SCENARIOS:
            return np.asarray(np.maximum.reduceat(row_nats, level.slot_starts, axis=0))
        # `reduceat` works column by column, which takes several times as long
        best = row_nats.take(level.slot_starts, axis=0)
        for slots, rows in level.rivals:
            best[slots] = np.maximum(best.take(slots, axis=0), row_nats.take(rows, axis=0))
        return best

    def _force_of_undercuts(self, nodes: Ints) -> ByNode:
        """The force, 0 to 1 (nodes × scenarios), with which statements undercut a reason.

        A claim at ½ or below has earned nothing, so it has no force.
        """
        strength = self.state[nodes]
        earned = np.maximum(2.0 * strength - 1.0, 0.0)
        force = np.where(self.plan.is_claim[nodes][:, None], earned, strength)
        if self.inputs.loudness is None:
            return force
        return force * self.inputs.loudness[self.inputs.origin[nodes]]

    def _set_strengths(self, nodes: Ints) -> None:
        """Set the strengths of statements from their bases and reasons."""
        base = self.inputs.base[nodes]
        odds = self.pro.take(nodes, axis=0) - self.con.take(nodes, axis=0)
        # σ(log-odds of base + odds) without the logarithm: exact for bases of 0 and 1 too
        decay = np.exp(np.maximum(np.minimum(-odds, MAX_LOG_ODDS), -MAX_LOG_ODDS))
        self.state[nodes] = base / (base + (1.0 - base) * decay)
        self._hold_at_values(nodes)

    def _hold_at_values(self, nodes: Ints) -> None:
        scenarios = self.inputs.scenarios
        if (
            scenarios is not None
            and scenarios.held is not None
            and scenarios.held_value is not None
        ):
            row, column = np.nonzero(scenarios.held[self.inputs.origin[nodes]])
            self.state[nodes[row], column] = scenarios.held_value[
                self.inputs.origin[nodes[row]], column
            ]

    def _set_voices(self, outgoing_voices: OutgoingVoices, slot_nats: BySlot) -> None:
        """Set what statements pass on: their own voices, and what `slot_nats` in their slots."""
        if len(outgoing_voices.evidence.nodes):
            self._set_own(
                outgoing_voices.evidence,
                self.inputs.gain * self.state[outgoing_voices.evidence.nodes],
            )
        if len(outgoing_voices.claims.nodes):
            self._set_voices_of_claims(outgoing_voices, slot_nats)
        if len(outgoing_voices.dependencies):
            self._set_falls(outgoing_voices.dependencies)
        # before the sums, so that muted statements have no part in undercuts or joint reasons
        if self.inputs.loudness is not None:
            positions = slice(outgoing_voices.first_voice, outgoing_voices.end_voice)
            self.voice_nats[positions] *= self.inputs.loudness.take(
                self.inputs.origin[self.plan.speaker[positions]], axis=0
            )
        if len(outgoing_voices.summing_nodes):
            voices = self.voice_nats.take(outgoing_voices.summed_voices, axis=0)
            self.total[outgoing_voices.summing_nodes] = np.add.reduceat(
                voices, outgoing_voices.sum_starts, axis=0
            )

    def _set_voices_of_claims(self, outgoing_voices: OutgoingVoices, slot_nats: BySlot) -> None:
        """Set what claims say of their own, and what they hand on of what they heard."""
        own_nats, unanswered = self._pass_on(outgoing_voices.claims.nodes)
        self._set_own(outgoing_voices.claims, own_nats)
        heard = slot_nats.take(outgoing_voices.heard_slots, axis=0)
        self.voice_nats[outgoing_voices.handed_voices] = heard * unanswered.take(
            outgoing_voices.handing_claims, axis=0
        )

    def _set_falls(self, dependencies: Ints) -> None:
        """Set the voices that say how far dependencies fell below their unretracted bases."""
        base_unretracted = np.maximum(
            self.inputs.graph.base_unretracted[self.inputs.origin[dependencies]], LEAST_BASE
        )
        fallen_part = np.maximum(1.0 - self.state[dependencies] / base_unretracted[:, None], 0.0)
        self.voice_nats[self.plan.fall[dependencies]] = self.inputs.gain * fallen_part

    def _set_own(self, own_voices: OwnVoices, nats: ByNode) -> None:
        if len(own_voices.places):
            # not kept in the plan, which serves graphs with other fractions, too
            entry = self.plan.entry[own_voices.places]
            fraction = self.inputs.graph.source_group_fraction[entry][:, None]
            if (
                self.inputs.scenarios is not None
                and self.inputs.scenarios.source_group_fraction is not None
            ):
                fraction = self.inputs.scenarios.source_group_fraction[entry]
            self.voice_nats[own_voices.places] = nats.take(own_voices.owner, axis=0) * fraction

    def _pass_on(self, nodes: Ints) -> tuple[ByNode, ByNode]:
        """Compute what claims say of their own, and the part of the reasons for them that objectors
        leave. That is h = max(0, 1 − C / P) of “What a statement passes on” in
        `docs/how-strength-is-computed.md`.

        A claim that is held passes on the nats of its strength, in proportion to what it hears.
        """
        start = self.inputs.start[nodes]
        own_nats, doubt = np.maximum(start, 0.0), np.maximum(-start, 0.0)
        backed, opposed = self.pro[nodes] + own_nats, self.con[nodes] + doubt
        part_left = np.divide(opposed, backed, out=np.ones_like(backed), where=backed > 0.0)
        np.maximum(np.subtract(1.0, part_left, out=part_left), 0.0, out=part_left)
        scenarios = self.inputs.scenarios
        if scenarios is None or scenarios.held is None:
            return own_nats * part_left, part_left
        held_places = np.nonzero(scenarios.held[self.inputs.origin[nodes]])
        by_itself = backed - self.con[nodes] - doubt
        held_nats = self._held_nats(nodes[held_places[0]], held_places[1], by_itself[held_places])
        hears_any = backed[held_places] > 0.0
        part_left[held_places] = np.divide(
            held_nats, backed[held_places], out=np.zeros_like(held_nats), where=hears_any
        )
        spoken_nats = own_nats * part_left
        # a claim that hears nothing has no proportions: it speaks for itself
        spoken_nats[held_places] = np.where(hears_any, spoken_nats[held_places], held_nats)
        return spoken_nats, part_left

    def _held_nats(self, nodes: Ints, scenarios: Ints, by_itself: Floats) -> Floats:
        """Compute what held claims pass on in sum, each in one scenario: the nats of the strength
        at which they are held. `by_itself` is what they would pass on if not held.
        """
        value = self.state[nodes, scenarios]
        nats = np.maximum(bounded_logit(np.clip(value, *BASE_BOUNDS)), 0.0)
        # a claim held as certain passes on no less than it would by itself
        return np.where(value > BASE_BOUNDS[1], np.maximum(nats, by_itself), nats)

    def _credit_rows(self, level: TargetLevel, row_nats: ByRow, by_row: ByRow) -> None:
        """Add to `shares` what each row that counts adds to its target; equally good rows share it.

        Of a joint reason, `row_nats` has the sum of its premises' rows and `by_row` each row's own
        nats: each premise gets its part of the sum.
        """
        if self.shares is None:
            return
        # copies are weighed in other contexts, which no verdict lists
        roots = level.nodes[level.owner[level.slot_of]] < self.inputs.graph.node_count
        best = np.maximum.reduceat(row_nats, level.slot_starts, axis=0)[level.slot_of]
        equally_good = (row_nats >= best - TIE_NATS) & (row_nats > 0.0)
        ties = np.add.reduceat(equally_good, level.slot_starts, axis=0, dtype=np.int64)[
            level.slot_of
        ]
        best_share = np.where(
            equally_good, (1.0 - self.inputs.repeat) * best / np.maximum(ties, 1), 0.0
        )
        credit = best_share + self.inputs.repeat * row_nats
        if len(level.later_premises):
            reason_nats = row_nats[level.first_row]
            part_of_row = np.divide(
                by_row, reason_nats, out=np.zeros_like(by_row), where=reason_nats > 0.0
            )
            credit = credit[level.first_row] * part_of_row
        sign = np.where(level.pro[level.slot_of], 1.0, -1.0)[:, None]
        rows = np.flatnonzero(roots)
        arcs = self.plan.unfolded_graph.arc[level.arcs[rows]]
        signed_credit = credit * sign
        nats = signed_credit[rows]
        np.add.at(self.shares, arcs, nats)
        if self.inputs.scenarios is None:
            self.counted_voices.append(
                Voices(arcs, self.plan.source_group[level.row_voices[rows]], nats[:, 0])
            )
