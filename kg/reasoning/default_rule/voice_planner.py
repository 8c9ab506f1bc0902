"""Make the plan, level by level, with the voices that each level adds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kg.corpus.quality.evidence_quality import CLAIM_BASE
from kg.reasoning.default_rule.unfolded_circles import UnfoldedGraph, layers_of, unfold_circles
from kg.reasoning.default_rule.voice_plan import (
    NO_VOICE,
    JointRows,
    OutgoingVoices,
    OwnVoices,
    SidesOfLevel,
    TargetLevel,
    VoicePlan,
)
from kg.reasoning.graph.arrays import (
    Bools,
    Ints,
    positions_in_runs,
    range_positions,
    run_of_each,
    run_starts,
    sorted_runs,
)
from kg.reasoning.graph.graph import Graph, memoize_by_arcs
from kg.reasoning.graph.joint_premises import first_rows, joint_premises_among


def plan_voices(graph: Graph, claims_speak: bool = False, ends: Ints | None = None) -> VoicePlan:
    """The plan of `graph`, made once for each choice of what has a voice.

    With `claims_speak`, claims at ½ have one of their own, too: needed if claims are held at a
    strength, or given another base. With `ends`, the plan finds the strengths of these statements;
    those of other members of circles may be wrong.
    """
    has_voice = claims_speak | (graph.base > CLAIM_BASE) | ~graph.is_claim
    if ends is None or not unfold_circles(graph).circles:
        # without copies to leave out, the plan of all is as good, and it is shared
        ends = np.zeros(0, dtype=np.int64)
    return _plan_voices(graph, has_voice.tobytes(), ends.astype(np.int64).tobytes())


@memoize_by_arcs
def _plan_voices(graph: Graph, voiced: bytes, ends: bytes) -> VoicePlan:
    """`plan_voices`; as arrays of bytes, the statements that have a voice of their own, and those
    whose strengths are wanted.
    """
    tree = unfold_circles(graph)
    if ends:
        tree = tree.restrict_to_targets(np.frombuffer(ends, dtype=np.int64), graph.node_count)
    return _make_plan(_table_of_nodes(graph, tree, np.frombuffer(voiced, dtype=bool)))


class _Rows(NamedTuple):
    """Voices on arcs to some targets, sorted by target, for before against, then by source."""

    voice: Ints
    position: Ints  # that of its arc among those to the targets
    target: Ints  # the position of the arc's target among the targets
    pro: Bools  # whether it is for its target
    source_group: Ints  # the source
    slot_starts: Ints  # the first row of each slot


def _sides_of_slots(targets: Ints, pro: Bools) -> SidesOfLevel:
    """The sides of slots with these targets, which are sorted by target, for before against."""
    starts = run_starts(2 * targets + ~pro)
    is_pro = pro[starts]
    nodes = targets[starts]
    return SidesOfLevel(
        starts, np.flatnonzero(is_pro), nodes[is_pro], np.flatnonzero(~is_pro), nodes[~is_pro]
    )


@dataclass(frozen=True, slots=True)
class _NodeTable:
    """The facts about the nodes of an unfolded graph that are known before any voice is."""

    graph: Graph
    unfolded_graph: UnfoldedGraph
    source_group_count: int  # how many independent sources there are

    # one entry per node
    statement: Ints  # its statement; of gates 0, which `~gates` then leaves out
    gates: Bools
    is_claim: Bools
    own_count: Ints  # how many sources it has
    falls: Bools  # whether it is a premise, which also says how far it fell
    is_summed: Bools  # whether its voices are needed in sum

    @property
    def source_group_span(self) -> int:
        """More than any source number, including those of falls."""
        return self.source_group_count + self.graph.size + 1

    def vouches_for_itself(self, target: Ints, source_group: Ints, pro: Bools) -> Bools:
        """Rows in which a source supports evidence of its own.

        The base of evidence already reflects its sources, so this would count them twice.
        """
        is_support_of_evidence = pro & ~self.is_claim[target] & ~self.gates[target]
        vouching = np.zeros(len(target), dtype=bool)
        if is_support_of_evidence.any():
            places = np.flatnonzero(is_support_of_evidence)
            statements = np.arange(self.graph.size)
            lengths = self.graph.source_group_start[1:] - self.graph.source_group_start[:-1]
            span = self.source_group_span
            own_pairs = np.repeat(statements, lengths) * span + self.graph.source_group_of
            heard_pairs = self.statement[target[places]] * span + source_group[places]
            vouching[places] = np.isin(heard_pairs, own_pairs)
        return vouching

    def joint_rows(self, arcs: Ints, rows: _Rows) -> JointRows | None:
        """The rows from premises that count only together, among those on `arcs`."""
        if not self.graph.has_joint_premises:
            return None
        tree = self.unfolded_graph
        premises = joint_premises_among(self.graph.joint[tree.arc[arcs]], tree.arc_target[arcs])
        if premises is None:
            return None
        return JointRows(arcs[premises.positions], premises, premises.rank[rows.position])


def _table_of_nodes(graph: Graph, tree: UnfoldedGraph, voiced: Bools) -> _NodeTable:
    """`voiced` are the statements of `graph` that have voices of their own."""
    gates = tree.origin >= graph.size  # gates come after all statements
    statement = np.where(gates, 0, tree.origin)
    lengths = graph.source_group_start[1:] - graph.source_group_start[:-1]
    falling = np.zeros(graph.size, dtype=bool)
    falling[graph.arc_premise[graph.fallen]] = True
    return _NodeTable(
        graph=graph,
        unfolded_graph=tree,
        source_group_count=int(graph.source_group_of.max(initial=-1)) + 1,
        statement=statement,
        gates=gates,
        is_claim=graph.is_claim[statement] & ~gates,
        own_count=np.where(voiced[statement] & ~gates, lengths[statement], 0),
        falls=falling[statement] & ~gates,
        is_summed=_nodes_needed_in_sum(graph, tree, gates),
    )


def _nodes_needed_in_sum(graph: Graph, tree: UnfoldedGraph, gates: Bools) -> Bools:
    """The nodes whose voices are needed in sum: undercutters, whose force is split among their
    voices in proportion, and joint premises, as the one with the smallest sum is heard.
    """
    is_needed = np.zeros(len(gates), dtype=bool)
    if graph.gate_count or graph.has_joint_premises:
        is_needed[tree.arc_premise[gates[tree.arc_target] | (graph.joint[tree.arc] >= 0)]] = True
    return is_needed


def _make_plan(table: _NodeTable) -> VoicePlan:
    """The plan, from the statements on which nothing bears to those that bear on nothing."""
    tree = table.unfolded_graph
    # (arcs) sorted by target, and (nodes + 1) where those of each target begin
    by_target, starts = sorted_runs(tree.arc_target, len(tree.origin))
    none = np.zeros(0, dtype=np.int64)
    voices = _GrowingVoices(table)
    # what bears on a layer is in those before it, so its voices are known by then
    bare, *layers = layers_of(tree) or [none]
    voices.add(bare, np.zeros(len(bare), dtype=np.int64), none)
    bare_speech = voices.outgoing_voices_of(bare, 0, none)
    levels = [
        voices.add_level(nodes, by_target[positions_in_runs(starts, nodes)]) for nodes in layers
    ]
    return VoicePlan(
        unfolded_graph=tree,
        bare=bare_speech,
        levels=tuple(levels),
        voice_start=voices.start,
        voice_count=voices.count,
        own_count=table.own_count,
        fall=voices.fall,
        is_claim=table.is_claim,
        gates=table.gates,
        source_group=voices.source_group,
        speaker=voices.speakers(),
        entry=voices.entries(),
    )


class _GrowingVoices:
    """Numbers the voices of a plan as its nodes are added, level by level; see `VoicePlan`.

    In the first example of `kg.reasoning.default_rule`, `add` gives evidence e voice 0, and the two
    calls of `add_level` give c voice 1 and q voice 2.

    Voices are numbered in the order of levels, so that those of one level are adjacent, and a pass
    can scale them as one slice.
    """

    def __init__(self, table: _NodeTable) -> None:
        count = len(table.gates)
        self.table = table
        # (nodes): known of a node once it is added
        self.start = np.zeros(count, dtype=np.int64)
        self.count = np.zeros(count, dtype=np.int64)
        self.fall = np.full(count, NO_VOICE)
        # (voices so far): the source of each
        self.source_group = np.zeros(0, dtype=np.int64)

    def add(self, nodes: Ints, inherited: Ints, source_groups: Ints) -> None:
        """Give `nodes` voices: their own, then those inherited, then one for a fall.

        `inherited` (nodes) is how many each inherits, `source_groups` the sources of those, node by
        node.
        """
        own_count = self.table.own_count[nodes]
        falls = self.table.falls[nodes].astype(np.int64)
        count = own_count + inherited + falls
        first = len(self.source_group) + np.cumsum(count) - count
        self.start[nodes] = first
        self.count[nodes] = own_count + inherited
        self.fall[nodes] = np.where(falls > 0, first + own_count + inherited, NO_VOICE)
        source_group = np.empty(int(count.sum()), dtype=np.int64)
        start = first - len(self.source_group)  # (nodes): where its voices begin among those added
        statements = self.table.statement[nodes]
        with_own = own_count > 0
        own_entries = positions_in_runs(self.table.graph.source_group_start, statements[with_own])
        source_group[range_positions(start[with_own], own_count[with_own])] = (
            self.table.graph.source_group_of[own_entries]
        )
        source_group[range_positions(start + own_count, inherited)] = source_groups
        # a fall belongs to no source: it gets a number past all sources, one per statement, so
        # that it counts once even if the edge is written twice
        source_group[(start + own_count + inherited)[falls > 0]] = (
            self.table.source_group_count + statements[falls > 0]
        )
        self.source_group = np.concatenate([self.source_group, source_group])

    def outgoing_voices_of(self, nodes: Ints, first: int, heard: Ints) -> OutgoingVoices:
        """Plan what `nodes` pass on, whose voices are numbered from `first`; gates pass on
        nothing.
        """
        has_voice = self.count[nodes] > 0
        is_claim = self.table.is_claim[nodes]
        arguing = nodes[is_claim & has_voice]
        handed_count = self.count[arguing] - self.table.own_count[arguing]
        summed = nodes[self.table.is_summed[nodes] & has_voice]
        count = self.count[summed]
        return OutgoingVoices(
            nodes=nodes[~self.table.gates[nodes]],
            evidence=self._own_voices(nodes[~is_claim & has_voice]),
            claims=self._own_voices(arguing),
            first_voice=first,
            end_voice=len(self.source_group),
            heard_slots=heard,
            handed_voices=range_positions(
                self.start[arguing] + self.table.own_count[arguing], handed_count
            ),
            handing_claims=np.repeat(np.arange(len(arguing)), handed_count),
            summing_nodes=summed,
            summed_voices=range_positions(self.start[summed], count),
            sum_starts=np.cumsum(count) - count,
            dependencies=nodes[self.fall[nodes] >= 0],
        )

    def _own_voices(self, nodes: Ints) -> OwnVoices:
        count = self.table.own_count[nodes]
        places = range_positions(self.start[nodes], count)
        return OwnVoices(nodes, places, np.repeat(np.arange(len(nodes)), count))

    def add_level(self, nodes: Ints, arcs: Ints) -> TargetLevel:
        """Give voices to `nodes`, whose premises have theirs, and return what a pass needs to weigh
        them. `arcs` are those that lead to them.

        Three steps: rows (voices on arcs), slots (runs of rows of one source for one side), sides;
        the docstring of `kg.reasoning.default_rule` has an example.
        """
        table = self.table
        graph, tree = table.graph, table.unfolded_graph
        rows = self._rows_of_arcs(nodes, arcs)
        # one entry per row
        carriers = arcs[rows.position]
        own_arcs = tree.arc[carriers]
        slot_of = run_of_each(rows.slot_starts, len(rows.voice))
        # one entry per slot: all its rows have the target and side of the first
        owner = rows.target[rows.slot_starts]
        slot_pro = rows.pro[rows.slot_starts]
        # a claim hands on the reasons for it, less what the reasons against it take
        handed_on = np.flatnonzero(slot_pro & table.is_claim[nodes][owner])
        inherited = np.bincount(owner[handed_on], minlength=len(nodes))
        first_voice = len(self.source_group)
        slot_source = rows.source_group[rows.slot_starts]
        self.add(nodes, inherited, slot_source[handed_on])
        gates = table.gates[nodes]
        none = arcs[:0]
        return TargetLevel(
            nodes=nodes,
            gates=nodes[gates],
            outgoing_voices=self.outgoing_voices_of(nodes, first_voice, handed_on),
            row_voices=rows.voice,
            arcs=carriers,
            own_arcs=own_arcs,
            size=np.abs(graph.arc_weight[own_arcs]),
            slot_of=slot_of,
            first_row=first_rows(slot_of, graph.joint[own_arcs]),
            gated_rows=np.flatnonzero(tree.gate[carriers] >= 0) if graph.gate_count else none,
            cutting_rows=np.flatnonzero(gates[owner][slot_of]) if gates.any() else none,
            slot_starts=rows.slot_starts,
            owner=owner,
            pro=slot_pro,
            sides=_sides_of_slots(nodes[owner], slot_pro),
            joint=table.joint_rows(arcs, rows),
        )

    def _rows_of_arcs(self, nodes: Ints, arcs: Ints) -> _Rows:
        """A row for each voice of each arc's premise."""
        table = self.table
        graph, tree = table.graph, table.unfolded_graph
        # one entry per arc; the arc of a premise carries the one voice that says how far it fell
        premise = tree.arc_premise[arcs]
        falls = graph.fallen[tree.arc[arcs]]
        count = np.where(falls, 1, self.count[premise])
        first = np.where(falls, self.fall[premise], self.start[premise])
        # from here on, one entry per row
        voice = range_positions(first, count)
        position = np.repeat(np.arange(len(arcs)), count)
        place_of_node = np.full(len(tree.origin), -1)
        place_of_node[nodes] = np.arange(len(nodes))
        target = place_of_node[tree.arc_target[arcs]][position]
        pro = (graph.arc_weight[tree.arc[arcs]] > 0.0)[position]
        source_group = self.source_group[voice]
        # one number for target, side and source, which sorts by these in turn; rows with equal
        # numbers form a slot
        slot = (2 * target + ~pro) * table.source_group_span + source_group
        kept_rows = np.flatnonzero(~table.vouches_for_itself(nodes[target], source_group, pro))
        order = kept_rows[np.argsort(slot[kept_rows], kind="stable")]
        return _Rows(
            voice[order],
            position[order],
            target[order],
            pro[order],
            source_group[order],
            run_starts(slot[order]),
        )

    def speakers(self) -> Ints:
        """Return the node of each voice."""
        # `count` does not include the voice of a fall, which is not handed on
        with_fall = self.count + (self.fall >= 0)
        speaker = np.zeros(len(self.source_group), dtype=np.int64)
        speaker[range_positions(self.start, with_fall)] = np.repeat(
            np.arange(len(with_fall)), with_fall
        )
        return speaker

    def entries(self) -> Ints:
        """Return, for each voice, the position in the graph of its fraction of what its node says
        of its own; 0 for inherited voices.
        """
        entry = np.zeros(len(self.source_group), dtype=np.int64)
        owners = np.flatnonzero(self.table.own_count)
        places = range_positions(self.start[owners], self.table.own_count[owners])
        entry[places] = positions_in_runs(
            self.table.graph.source_group_start, self.table.statement[owners]
        )
        return entry
