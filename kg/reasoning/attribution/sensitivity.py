"""How far an answer moves when the conventions behind its number move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kg.model import EdgeStrength, Relation, StatementId, Value
from kg.model.grade import BASE_BOUNDS
from kg.reasoning.arrays import Floats, Ints, rounded
from kg.reasoning.attribution.shares import slopes
from kg.reasoning.graph import NOT_JOINT, Graph, Plans, Scenarios
from kg.reasoning.judgements import counts
from kg.reasoning.reading import Question, once_per_question
from kg.reasoning.scenarios import keep_outcome, keep_strength, watch_rebased, watch_scenarios
from kg.reasoning.solution import solution_of
from kg.reasoning.verdict_words import sides

DRAWS, FEWEST_DRAWS = 200, 40
"""Draws as a rule, and whatever the budget: the ends of the middle nine tenths are then the tenth
from either end, or the second.
"""
BLOCK = 50
"""Draws whose numbers come from one generator."""
WOBBLE = 0.1
"""How far a draw moves each base, and the settings `moderate`, `weak` and `qualifies`."""
EDGE_WOBBLE, GAIN_WOBBLE, MOST_REPEAT = 0.15, 0.25, 0.25
"""How far a draw moves each edge and the gain, as parts of them, and the setting `repeat`."""
MIDDLE = (0.05, 0.95)
"""Quantiles between which nine in ten of the draws lie."""
NEGLIGIBLE = 1e-12
"""Weight that an edge keeps where a panel leaves it none: it stays an arc, with a sign."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What became of an answer in `draws` draws: the middle nine tenths of its strengths, and the
    share of draws in which it stayed on its side.
    """

    draws: int
    low: float
    high: float
    kept: float
    whole: bool


@once_per_question
def sensitivity(question: Question) -> Sensitivity:
    """200 draws with a fixed seed; fewer where the budget does not allow them."""
    return draw_conventions(question, DRAWS, 0)


def draw_conventions(question: Question, draws: int, seed: int) -> Sensitivity:
    """The answer under other conventions, `draws` times.

    Each draw moves, around the settings in force: the base of each piece of evidence by up to .1;
    what moderate, weak and qualifies weigh by up to .1; each edge by up to 15 %; the gain by up to
    25 %; what a repeated source counts by up to .25; and the weight of each edge that a panel
    judged by what the size of the panel leaves open.
    """
    count = min(draws, max(question.affordable(), FEWEST_DRAWS))
    graph, make = _draws(question, seed)
    watch = keep_outcome(question.node)
    stands = watch(solution_of(graph), None)
    # what does not settle as it is has no middle to vary around, and would take minutes to vary
    table = watch_scenarios(graph, count, make, watch) if np.isfinite(stands[0]).all() else stands
    if not count or np.isnan(table[0]).any():
        return Sensitivity(0, np.nan, np.nan, 1.0, False)
    now = _sides_in(stands, graph)
    low, high = np.quantile(table[0], MIDDLE).tolist()
    # what is repeated can only count for more than it does: the trials may all lie on one side
    low, high = min(low, float(stands[0, 0])), max(high, float(stands[0, 0]))
    kept = float((_sides_in(table, graph) == now[0]).mean())
    return Sensitivity(count, low, high, kept, count == draws)


def _sides_in(table: Floats, graph: Graph) -> Ints:
    return sides(table[0], table[1], table[2], graph.settings)


class _WordsOfEdges:
    """What the notes say of each arc's weight, so that a draw can move it."""

    def __init__(self, question: Question) -> None:
        graph, corpus = question.graph, question.reading.corpus
        edges = [corpus.edge[name] for name in graph.edges]
        self.moderate = np.array([e.strength is EdgeStrength.MODERATE for e in edges], dtype=bool)
        self.weak = np.array([e.strength is EdgeStrength.WEAK for e in edges], dtype=bool)
        self.qualifies = np.array([e.relation is Relation.QUALIFIES for e in edges], dtype=bool)


def _draws(question: Question, seed: int) -> tuple[Graph, Callable[[int, int], Scenarios]]:
    """The graph to draw on, and what the draws `first` … `last` - 1 change in it.

    Numbers are drawn in blocks of a fixed size, so that how many draws are weighed at once, which
    the size of the graph decides, does not change them.
    """
    graph = question.graph
    # what is retracted stays so, and claims have no base of their own
    wobbling = ~graph.claim & (graph.base > 0.0)
    settings, labels, panels = graph.settings, _WordsOfEdges(question), _panels(question)
    judged = np.array(list(panels), dtype=np.int64)
    if panels:
        graph = _on_both_sides(graph, judged)
    nodes, arcs = _in_order(graph)

    _, first, group = np.unique(graph.joint, return_index=True, return_inverse=True)
    # premises of one reason have one weight
    one = np.where(graph.joint < 0, np.arange(len(graph.joint)), first[group])

    def block(place: int) -> tuple[Floats, Floats, Floats, Floats]:
        # the order of what follows is part of what is drawn: to change it changes every band
        rng = np.random.default_rng([seed, place])

        def scale(setting: float, marked: np.ndarray) -> Floats:
            # one number for all edges of that word: it is the convention that is in doubt
            moved = np.clip(setting + rng.uniform(-WOBBLE, WOBBLE, BLOCK), 0.0, 1.0)
            ratio = moved / setting if setting else np.ones(BLOCK)
            return np.where(marked[:, None], ratio[None, :], 1.0)

        moves = np.empty((graph.size, BLOCK))
        moves[nodes] = rng.uniform(-WOBBLE, WOBBLE, moves.shape)
        base = graph.base[:, None] + np.where(wobbling[:, None], moves, 0.0)
        base = np.where(wobbling[:, None], np.clip(base, *BASE_BOUNDS), base)
        w = np.repeat(graph.w[:, None], BLOCK, axis=1)
        w[arcs] *= 1.0 + rng.uniform(-EDGE_WOBBLE, EDGE_WOBBLE, w.shape)
        known = w[: len(labels.weak)]
        known *= scale(settings.moderate, labels.moderate)
        known *= scale(settings.weak, labels.weak)
        known *= scale(settings.qualifies, labels.qualifies)
        for place, (arc, (panel, unanimous)) in enumerate(panels.items()):
            # Jeffreys' prior: half a judge more for each answer, so that none is ruled out
            shares = rng.dirichlet(np.array(panel) + 0.5, BLOCK)
            weight = unanimous * (shares[:, 0] - shares[:, 1])
            w[arc], w[len(labels.weak) + place] = np.maximum(weight, 0.0), np.minimum(weight, 0.0)
        gain = settings.gain * (1.0 + rng.uniform(-GAIN_WOBBLE, GAIN_WOBBLE, BLOCK))
        repeat = np.clip(settings.repeat + rng.uniform(0.0, MOST_REPEAT, BLOCK), 0.0, 1.0)
        return base, np.clip(w, -1.0, 1.0)[one], gain, repeat

    def draw(first: int, last: int) -> Scenarios:
        start = first // BLOCK
        blocks = zip(*map(block, range(start, (last - 1) // BLOCK + 1)), strict=True)
        wanted = slice(first - start * BLOCK, last - start * BLOCK)
        base, w, gain, repeat = (np.concatenate(each, axis=-1)[..., wanted] for each in blocks)
        return Scenarios(last - first, base=base, w=w, gain=gain, repeat=repeat)

    return graph, draw


def _in_order(graph: Graph) -> tuple[Ints, Ints]:
    """Statements and arcs by their names, so that draws do not depend on the order of files."""
    ids = graph.ids
    nodes = sorted(range(graph.size), key=ids.__getitem__)
    arcs = sorted(
        range(len(graph.src)), key=lambda a: (graph.edges[a], ids[graph.src[a]], -graph.w[a])
    )
    return np.array(nodes, dtype=np.int64), np.array(arcs, dtype=np.int64)


def _on_both_sides(graph: Graph, arcs: Ints) -> Graph:
    """`graph` with a second arc for each of `arcs`, so that a draw may put it on either side."""

    def twice(column: np.ndarray, last: np.ndarray) -> np.ndarray:
        return np.concatenate([column, last])

    w, joint = graph.w.copy(), graph.joint[arcs]
    # not 0: an arc without weight, or without a side, would have no place in the plan
    w[arcs] = np.maximum(w[arcs], NEGLIGIBLE)
    return replace(
        graph,
        src=twice(graph.src, graph.src[arcs]),
        dst=twice(graph.dst, graph.dst[arcs]),
        w=twice(w, np.minimum(graph.w[arcs], -NEGLIGIBLE)),
        gate=twice(graph.gate, graph.gate[arcs]),
        fallen=twice(graph.fallen, graph.fallen[arcs]),
        edges=(*graph.edges, *(graph.edges[arc] for arc in arcs.tolist())),
        shared=np.zeros(0, dtype=bool),
        joint=twice(
            graph.joint, np.where(joint < 0, NOT_JOINT, joint + graph.joint.max(initial=0) + 1)
        ),
        plans=Plans(),
    )


def _panels(question: Question) -> dict[int, tuple[tuple[int, int, int], float]]:
    """Per judged arc, the panel's counts and the weight that unanimity would give."""
    reading, graph = question.reading, question.graph
    tally = counts(reading.judgements)
    found = {}
    _, arcs = _in_order(graph)
    for arc in arcs.tolist() if tally else ():
        edge = graph.edges[arc]
        if edge in tally and sum(tally[edge]) > 1 and not graph.fallen[arc]:
            qualifies = reading.corpus.edge[edge].relation == "qualifies"
            if graph.dst[arc] < graph.size:
                found[arc] = (tally[edge], reading.settings.qualifies if qualifies else 1.0)
    return found


TRIED_BASES = 12
"""Pieces of evidence whose base is searched: the steepest slopes hold the least changes."""
CUTS, ROUNDS = 16, 40
"""Parts into which a base's way is cut to find the first crossing, and times that it is closed in
on: by halves alone, 40 reach FINE from any width.
"""
FINE = 1e-9
"""Width of a base in which a crossing counts as found: the digits that answers show."""
ROUNDING = 1e-12
"""Strength by which one half may be missed by rounding alone."""


class BaseChange(Value, frozen=True, omit_defaults=False):
    """The base strength at which a piece of evidence would bring the question to one half."""

    statement: StatementId
    base: float
    needed: float


def least_changes(question: Question, protect: frozenset[str]) -> tuple[BaseChange, ...]:
    """Least changes of one base that bring the question to one half."""
    graph, now = question.graph, _side_of_half(question.strength)
    nodes = np.array([i for i in question.evidence.tolist() if graph.ids[i] not in protect])
    if not now or not len(nodes):
        return ()
    weight = np.abs(slopes(question))[nodes]
    nodes = nodes[np.argsort(-weight, kind="stable")[:TRIED_BASES]]
    ends = _strengths_at(question, nodes, np.stack([np.zeros(len(nodes)), np.ones(len(nodes))]))
    reach = _side_of_half(ends) == -now
    able = np.flatnonzero(reach.any(axis=0))
    if not len(able):
        return ()
    far = _crossing(question, nodes[able], np.where(reach[0][able], 0.0, 1.0))
    found = [
        BaseChange(
            statement=graph.ids[node], base=rounded(graph.base[node]), needed=rounded(needed)
        )
        for node, needed in zip(nodes[able].tolist(), far.tolist(), strict=True)
        if needed == needed  # not NaN
    ]
    return tuple(sorted(found, key=lambda c: (round(abs(c.needed - c.base), 6), c.statement)))


def _side_of_half(strength: float | Floats) -> Any:
    """1 above one half, -1 below, 0 at it (and where there is no number), with a hair of slack."""
    off = strength - 0.5
    found = (off > ROUNDING) * 1 - (off < -ROUNDING) * 1
    return found if isinstance(found, np.ndarray) else int(found)


def _crossing(question: Question, nodes: Ints, end: Floats) -> Floats:
    """The base, between its own and `end`, at which each node first brings the question across.

    Cut by sixteenths once, then closed in on around where a straight line would cross. NaN where
    the question does not settle on the way.
    """
    now, columns = _side_of_half(question.strength), np.arange(len(nodes))
    own = question.graph.base[nodes]
    tried = own + (end - own) * np.linspace(0.0, 1.0, CUTS + 1)[:, None]
    off = _strengths_at(question, nodes, tried) - 0.5
    for _ in range(ROUNDS):
        settled = ~np.isnan(off).any(axis=0)
        if not settled.all():
            found = np.full(len(nodes), np.nan)
            if settled.any():
                found[settled] = _crossing(question, nodes[settled], end[settled])
            return found
        last = (_side_of_half(off[1:] + 0.5) != now).argmax(axis=0) + 1
        near, far = tried[last - 1, columns], tried[last, columns]
        before, after = off[last - 1, columns], off[last, columns]
        width = far - near
        if (np.abs(width) <= FINE).all():
            break
        # regula falsi: where a straight line between the ends would cross
        guess = np.clip(before / np.where(before == after, 1.0, before - after), 0.0, 1.0)
        aside = np.maximum(np.abs(width), FINE / 4.0 / np.maximum(np.abs(width), FINE))
        parts = np.sort([guess - aside, np.full(len(nodes), 0.5), guess + aside], axis=0)
        between = near + width * np.clip(parts, 0.0, 1.0)
        tried = np.concatenate([near[None], between, far[None]])
        off_between = _strengths_at(question, nodes, between) - 0.5
        off = np.concatenate([before[None], off_between, after[None]])
    return np.asarray(far)


def _strengths_at(question: Question, nodes: Ints, bases: Floats) -> Floats:
    """The strength asked about with other bases (tries × nodes), one at a time."""
    changes = [
        (np.array([node]), np.array([base]))
        for row in bases.tolist()
        for node, base in zip(nodes.tolist(), row, strict=True)
    ]
    found = watch_rebased(question.graph, changes, keep_strength(question.node))[0]
    return np.asarray(found.reshape(bases.shape))
