"""The reasons of a graph by what they bear on, as the rules that count reasons one by one need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.reasoning.graph.arrays import (
    Bools,
    Ints,
    mark_repeated,
    positions_in_runs,
    run_of_each,
    run_starts,
    sorted_runs,
)
from kg.reasoning.graph.graph import NOT_JOINT, Graph, memoize_by_arcs
from kg.reasoning.graph.joint_premises import JointPremises, joint_premises_among
from kg.reasoning.graph.node_circles import NO_CIRCLE, circle_of_nodes, node_pairs


@dataclass(frozen=True, slots=True)
class SharedSourceReasons:
    """Reasons that share a source with another reason at the same target.

    There is a row for each such reason and each of its sources that is shared. Rows are in runs,
    one for each pair of a target and a source: these compete.
    """

    # one entry per row
    arc: Ints  # the place of the reason among the arcs of `ReasonsByTarget`
    owner: Ints  # the number of its run
    fraction_position: (
        Ints  # where `Graph.source_group_fraction`, which may change, has its fraction
    )
    entry: Ints  # the place of its reason in `reasons`

    starts: Ints  # (runs) the first row of each
    reasons: Ints  # the reasons that have rows, each once


@dataclass(frozen=True, slots=True)
class InnerReasons:
    """Reasons from within the circle of their target, of which only the strongest count: their
    `positions`, target by target, in runs that begin at `starts` and that `owner` numbers.
    """

    positions: Ints
    starts: Ints
    owner: Ints


@dataclass(frozen=True, slots=True)
class ReasonsByTarget:
    """The arcs of non-zero weight in runs, one for each target: statements first, then gates."""

    # one entry per target
    targets: Ints  # its number: a statement or a gate
    starts: Ints  # where its run of arcs begins

    # one entry per arc
    owner: Ints  # the place of its target in `targets`
    arcs: Ints  # its number in the graph
    positions: Ints  # its place among all reasons
    # the place of what it passes on in `_amounts_and_falls`: that of its premise, or, behind all
    # statements, that of how far its premise fell
    place_in_amounts: Ints
    gate: Ints | None  # its gate, or the open gate of arcs without one; `None` if all have none

    # some of the arcs; `None` if there are none
    shared_sources: SharedSourceReasons | None  # those whose source is heard more than once
    inner: InnerReasons | None  # those that the setting “loops” keeps from adding up
    joint: JointPremises | None  # those that count only together

    # how many targets are statements, and how many arcs lead to these
    statement_count: int
    statement_arcs: int


@dataclass(frozen=True, slots=True)
class SolvingOrder:
    """The reasons of a graph, and which of them circles move: only these are iterated to a fixed
    point.
    """

    reasons: ReasonsByTarget  # all
    first_reasons: ReasonsByTarget  # those for targets on which no circle bears
    first_rounds: int  # rounds after which the strengths of those targets are exact
    moving_reasons: ReasonsByTarget  # those whose size depends on a circle
    depth: int  # the number of arcs on the longest path that closes no circle


def reasons_by_target(graph: Graph) -> ReasonsByTarget:
    """The reasons of `graph` by target."""
    return order_reasons(graph).reasons


def order_reasons(graph: Graph) -> SolvingOrder:
    """The reasons of `graph` in the order in which they are followed."""
    return _order_by_loops(graph, graph.settings.loops)


@memoize_by_arcs
def _order_by_loops(graph: Graph, loops: str) -> SolvingOrder:
    """`order_reasons`, kept for each value of `loops`, the only setting that it depends on."""
    with_weight = np.flatnonzero(graph.arc_weight)
    by_target, _ = sorted_runs(graph.arc_target[with_weight], graph.node_count)
    arcs = with_weight[by_target]
    is_inner = _is_inner(graph, arcs, loops)
    nodes, lengths = _follow_circles(graph)

    def among(places: Ints) -> ReasonsByTarget:
        return _reasons_among(graph, places, arcs[places], is_inner[places])

    return SolvingOrder(
        reasons=among(np.arange(len(arcs))),
        first_reasons=among(np.flatnonzero(~nodes[graph.arc_target[arcs]])),
        first_rounds=int(lengths[~nodes[:-1]].max(initial=0)),
        moving_reasons=among(np.flatnonzero(_is_moving(graph, arcs, is_inner, nodes))),
        depth=int(lengths.max(initial=0)),
    )


def _follow_circles(graph: Graph) -> tuple[Bools, Ints]:
    """The nodes (n + gates + 1) that are in a circle or have one bearing on them, and the depth of
    each node. The last of these places is that of the open gate, which has no circle. The depth (n
    + gates) is the length of the longest path to a node that closes no circle.
    """
    tails, heads = node_pairs(graph)
    circle = circle_of_nodes(graph)
    is_between = (circle[tails] != circle[heads]) | (circle[tails] == NO_CIRCLE)
    tails, heads = tails[is_between], heads[is_between]
    is_moving = np.append(circle != NO_CIRCLE, False)
    length = np.zeros(graph.node_count, dtype=np.int64)
    depth = -1
    while depth < (depth := int(length.max(initial=0))):
        np.maximum.at(length, heads, length[tails] + 1)
        is_moving[heads[is_moving[tails]]] = True
    return is_moving, length


def _is_moving(graph: Graph, arcs: Ints, is_inner: Bools, nodes: Bools) -> Bools:
    """Mark the `arcs` that start from one of the marked `nodes`, pass a gate among them, or compete
    with such an arc. Arcs compete by a source that they share, or as premises of one joint reason.
    """
    is_moving = nodes[graph.arc_premise[arcs]] | nodes[graph.gate[arcs]]
    competes = (graph.shared[arcs] & ~is_inner) | (graph.joint[arcs] != NOT_JOINT)
    is_contested = np.zeros(graph.node_count, dtype=bool)
    is_contested[graph.arc_target[arcs[is_moving & competes]]] = True
    return np.asarray(is_moving | (competes & is_contested[graph.arc_target[arcs]]))


def _reasons_among(graph: Graph, places: Ints, arcs: Ints, is_inner: Bools) -> ReasonsByTarget:
    """Some `arcs`, sorted by target, as reasons; `places` are their places among all reasons."""
    starts = run_starts(graph.arc_target[arcs])
    gate = graph.gate[arcs]
    return ReasonsByTarget(
        targets=graph.arc_target[arcs[starts]],
        starts=starts,
        owner=run_of_each(starts, len(arcs)),
        arcs=arcs,
        positions=places,
        place_in_amounts=graph.arc_premise[arcs] + graph.size * graph.fallen[arcs],
        gate=gate if (gate != graph.open_gate).any() else None,
        # of inner reasons only the strongest counts anyway
        shared_sources=_shared_source_reasons(graph, arcs, graph.shared[arcs] & ~is_inner),
        inner=_inner_reasons(graph, arcs, np.flatnonzero(is_inner)),
        joint=joint_premises_among(graph.joint[arcs], graph.arc_target[arcs]),
        statement_count=int((graph.arc_target[arcs[starts]] < graph.size).sum()),
        statement_arcs=int((graph.arc_target[arcs] < graph.size).sum()),
    )


def _is_inner(graph: Graph, arcs: Ints, loops: str) -> Bools:
    """Mark the `arcs` that come from the circle of their target, or are undercut from there; none
    unless the setting `loops` treats these differently.
    """
    if loops != "cautious":
        return np.zeros(len(arcs), dtype=bool)
    circle = np.append(circle_of_nodes(graph), NO_CIRCLE)  # the last one for `open_gate`
    circle_of_target = circle[graph.arc_target[arcs]]
    is_inside = (circle[graph.arc_premise[arcs]] == circle_of_target) | (
        circle[graph.gate[arcs]] == circle_of_target
    )
    is_inside &= circle_of_target != NO_CIRCLE
    # a joint reason is inside if any of its premises is
    joint = graph.joint[arcs]
    return np.asarray(is_inside | np.isin(joint, joint[is_inside & (joint >= 0)]))


def _inner_reasons(graph: Graph, arcs: Ints, positions: Ints) -> InnerReasons | None:
    if not len(positions):
        return None
    starts = run_starts(graph.arc_target[arcs[positions]])
    return InnerReasons(positions, starts, run_of_each(starts, len(positions)))


def _shared_source_reasons(
    graph: Graph, arcs: Ints, contested: Bools
) -> SharedSourceReasons | None:
    """The rows of the `contested` arcs whose source is heard more than once at a target."""
    local = np.flatnonzero(contested)
    premises = graph.arc_premise[arcs[local]]
    lengths = graph.source_group_start[premises + 1] - graph.source_group_start[premises]
    row_arc = np.repeat(local, lengths)
    rows = positions_in_runs(graph.source_group_start, premises)
    key = graph.arc_target[arcs[row_arc]] * (int(graph.source_group_of.max(initial=0)) + 1)
    key = key + graph.source_group_of[rows]
    repeated = np.flatnonzero(mark_repeated(key))
    if not len(repeated):
        return None
    repeated = repeated[np.argsort(key[repeated], kind="stable")]
    key = key[repeated]
    row_arc = row_arc[repeated]
    listed, entry = np.unique(row_arc, return_inverse=True)
    starts = run_starts(key)
    owner = run_of_each(starts, len(key))
    return SharedSourceReasons(
        arc=row_arc,
        owner=owner,
        fraction_position=rows[repeated],
        entry=entry,
        starts=starts,
        reasons=listed,
    )
