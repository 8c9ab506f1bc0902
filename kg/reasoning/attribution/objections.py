"""What the reasons of a side lose by objections to them, beneath the direct reasons."""

from __future__ import annotations

import numpy as np

from kg.model import StatementId, Value
from kg.reasoning.arrays import Floats, Ints, rounded, runs
from kg.reasoning.graph import Graph, Scenarios
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import keep_outcome, watch_scenarios
from kg.reasoning.weighed_answer import outcome, quoted


class Lessened(Value, frozen=True, omit_defaults=False):
    """What the reasons of one side (1 for, -1 against) lose by objections to them.

    `nats` are what that side would have more without any of these objections; `heaviest` is the
    objector without which it would have the most (empty where too many would have to be tried).
    """

    side: int
    nats: float
    heaviest: StatementId
    title: str


def objections_beneath(question: Question) -> tuple[Lessened, ...]:
    """What each side loses so, where no direct reason of the other carries weight and this does."""
    least = question.settings.open_below
    _, pro, con = outcome(question)
    sides = [side for side, other in ((1, con), (-1, pro)) if other < least]
    lessened = (_lessened(question, side) for side in sides)
    return tuple(loss for loss in lessened if loss and loss.nats >= least)


def _lessened(question: Question, side: int) -> Lessened | None:
    graph, arcs = question.graph, _arcs_of_objections(question, side)
    if not len(arcs):
        return None
    row = 1 if side > 0 else 2  # of an outcome: strength, for, against
    now = outcome(question)[row]
    nats = float(_outcomes_without(question, [arcs])[row, 0]) - now
    objectors, name = np.unique(graph.src[arcs]), ""
    if nats >= question.settings.open_below and len(objectors) <= question.affordable():
        groups = [_with_partners(graph, arcs, node) for node in objectors.tolist()]
        name = graph.ids[objectors[int(np.argmax(_outcomes_without(question, groups)[row]))]]
    title = question.reading.corpus.statements[name].title if name else ""
    return Lessened(side=side, nats=rounded(nats), heaviest=name, title=title)


def _with_partners(graph: Graph, arcs: Ints, node: int) -> Ints:
    """Those of `arcs` by which a statement speaks, alone or with others."""
    marked = np.zeros(len(graph.src), dtype=bool)
    marked[arcs[graph.src[arcs] == node]] = True
    return np.flatnonzero(graph.whole(marked))


def _outcomes_without(question: Question, groups: list[Ints]) -> Floats:
    """What the word follows from without each of several groups of arcs."""
    graph = question.graph

    def drop(first: int, last: int) -> Scenarios:
        w = np.repeat(graph.w[:, None], last - first, axis=1)
        for column, group in enumerate(groups[first:last]):
            w[group, column] = 0.0
        return Scenarios(last - first, w=w)

    return watch_scenarios(graph, len(groups), drop, keep_outcome(question.node))


def _arcs_of_objections(question: Question, side: int) -> Ints:
    """The arcs against what speaks for a side through support alone, and what undercuts that."""
    graph = question.graph
    direct = graph.into(question.node)
    speaking = direct[(np.sign(graph.w[direct]) == side) & ~graph.fallen[direct]]
    heard, objecting = _supporting_chains(graph, speaking, question.node)
    gates = np.unique(graph.gate[heard])
    gates = gates[gates != graph.silent]
    return np.unique(np.concatenate([objecting, _into(graph, gates)]))


def _supporting_chains(graph: Graph, speaking: Ints, node: int) -> tuple[Ints, Ints]:
    """The supporting arcs that lead to `speaking`, these included, and the arcs against them."""
    seen = np.zeros(graph.silent + 1, dtype=bool)
    seen[node] = True  # what is asked about speaks for none of its own reasons
    heard, objecting = [speaking], []
    while len(speaking):
        front = np.unique(graph.src[speaking])
        front = front[~seen[front]]
        seen[front] = True
        arcs = _into(graph, front)
        speaking = arcs[graph.w[arcs] > 0.0]
        heard.append(speaking)
        objecting.append(arcs[graph.w[arcs] < 0.0])
    return np.concatenate(heard), np.concatenate([*objecting, np.zeros(0, dtype=np.int64)])


def _into(graph: Graph, nodes: Ints) -> Ints:
    """The arcs that bear on `nodes`."""
    order, starts = graph.arcs_into
    return np.asarray(order[runs(starts, nodes)])


def describe_objections(less: Lessened) -> str:
    """What objections to the reasons of a side take from it, as the end of a sentence."""
    whose = "its reasons" if less.side > 0 else "the reasons against it"
    heaviest = f", the heaviest {quoted(less.title)}" if less.title else ""
    return f"objections to {whose} take {less.nats:.2f}{heaviest}"
