"""The spread of an answer when qualities, weights and settings vary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kg.corpus.quality.evidence_quality import BASE_BOUNDS
from kg.judgements.edge_labels import label_counts
from kg.model import EdgeStrength, Relation
from kg.reasoning.graph.arrays import Bools, Floats, Ints
from kg.reasoning.graph.graph import NOT_JOINT, Graph, Scenarios, mark_shared
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import keep_outcome, run_scenarios
from kg.reasoning.solution import solution_of
from kg.reasoning.strength_words import sides_of_outcomes
from kg.runtime.memoize import ResultsKeeper, memoize

# Default number of draws, and the fewest whatever the budget: the middle nine tenths then end at
# the tenth draw from either end, or at the second.
DRAWS, FEWEST_DRAWS = 200, 40
DRAWS_PER_BLOCK = 50  # draws whose numbers come from one generator
# How far a draw moves each base, and the settings `moderate`, `weak` and `qualifies`.
BASE_VARIATION = 0.1
# How far a draw moves each edge and the gain, relative to them, and (upwards only) `repeat`.
EDGE_VARIATION, GAIN_VARIATION, REPEAT_VARIATION = 0.15, 0.25, 0.25
BAND_QUANTILES = (0.05, 0.95)  # quantiles between which nine in ten of the draws lie
LEAST_WEIGHT = 1e-12  # weight of an edge to which a panel gives none, so that its arc keeps a sign


@dataclass(frozen=True, slots=True)
class Trials:
    """An answer in `draws` draws: the range of the middle nine tenths of its strengths, and the
    fraction of draws in which it stayed on its side.
    """

    draws: int
    low: float
    high: float
    fraction_kept: float
    complete: bool


@memoize
def trials_of(question: Question) -> Trials:
    """`draw_settings` with the default number of draws and a fixed seed."""
    return draw_settings(question, DRAWS, 0)


def draw_settings(question: Question, draws: int, seed: int) -> Trials:
    """The answer under other qualities and weights, `draws` times.

    Each draw varies, around the settings in force, the base of each piece of evidence by up to .1;
    the weights of moderate, weak and qualifies by up to .1; each edge by up to 15 %; the gain by
    up to 25 %; `repeat` upwards by up to .25; and the weight of each edge that a panel judged, by
    the uncertainty that the size of the panel leaves. There are fewer draws if the budget does not
    allow all.
    """
    count = min(draws, max(question.affordable(), FEWEST_DRAWS))
    draw = _SettingDraws(question, seed)
    graph = draw.graph
    watch = keep_outcome(question.node)
    current_outcome = drawn_outcomes = watch(solution_of(graph), None)
    # an answer that does not settle has no middle to vary around, and would take minutes
    if np.isfinite(current_outcome[0]).all():
        drawn_outcomes = run_scenarios(graph, count, draw.scenarios, watch)
    if not count or np.isnan(drawn_outcomes[0]).any():
        return Trials(0, np.nan, np.nan, 1.0, False)
    low, high = np.quantile(drawn_outcomes[0], BAND_QUANTILES).tolist()
    # `repeat` is only ever raised, so the draws may all lie on one side of the answer
    low = min(low, float(current_outcome[0, 0]))
    high = max(high, float(current_outcome[0, 0]))
    sides_drawn = sides_of_outcomes(drawn_outcomes, graph.settings)
    side_by_strength = sides_of_outcomes(current_outcome, graph.settings)
    fraction_kept = float((sides_drawn == side_by_strength).mean())
    return Trials(count, low, high, fraction_kept, count == draws)


def fractions_kept(questions: Sequence[Question], draws: int, side: int) -> list[float]:
    """Return, for each question, the fraction of the first `draws` draws in which its answer is on
    `side`.

    The questions ask about one statement, in graphs that differ only in bases and in fractions of
    sources, so that all draws can be weighed at once.
    """
    if not questions:
        return []
    draws_of = [_SettingDraws(question, 0) for question in questions]

    def scenarios(first: int, stop: int) -> Scenarios:
        pieces = []
        for number in range(first // draws, (stop - 1) // draws + 1):
            start = number * draws
            piece = draws_of[number].scenarios(max(first - start, 0), min(stop - start, draws))
            fraction = draws_of[number].graph.source_group_fraction
            pieces.append(
                replace(
                    piece, source_group_fraction=np.repeat(fraction[:, None], piece.count, axis=1)
                )
            )
        return _join_scenarios(pieces)

    graph = draws_of[0].graph
    watch = keep_outcome(questions[0].node)
    outcomes = run_scenarios(graph, len(questions) * draws, scenarios, watch)
    is_kept = sides_of_outcomes(outcomes, graph.settings) == side
    return is_kept.reshape(len(questions), draws).mean(axis=1).tolist()  # type: ignore[no-any-return]


def _join_scenarios(pieces: Sequence[Scenarios]) -> Scenarios:
    """Draws of several questions side by side."""

    def join(name: str) -> Floats:
        return np.concatenate([getattr(piece, name) for piece in pieces], axis=-1)

    return Scenarios(
        sum(piece.count for piece in pieces),
        base=join("base"),
        arc_weight=join("arc_weight"),
        gain=join("gain"),
        repeat=join("repeat"),
        source_group_fraction=join("source_group_fraction"),
    )


class _SettingDraws:
    """Other qualities and weights, drawn at random around those in force.

    Numbers are drawn in blocks of a fixed size, so that they do not depend on how many draws are
    weighed at once, which varies with the size of the graph.
    """

    def __init__(self, question: Question, seed: int) -> None:
        graph = question.graph
        self.seed = seed
        self.panels = _panels_by_arc(question)
        self.arc_count = len(
            graph.arc_premise
        )  # arcs; the second arc of a judged edge comes after these
        self.arcs_by_weight = _arcs_by_word_weight(question)
        # retracted evidence stays so, and the base of a claim is no quality
        self.varies = (~graph.is_claim & (graph.base > 0.0))[:, None]
        if self.panels:
            graph = _with_second_arcs(graph, np.array(list(self.panels), dtype=np.int64))
        self.graph = graph
        self.nodes, self.arcs = _nodes_and_arcs_by_name(graph)
        _, first, group = np.unique(graph.joint, return_index=True, return_inverse=True)
        # premises of one reason share the weight of the first
        arcs = np.arange(len(graph.joint))
        self.weighed_as = np.where(graph.joint < 0, arcs, first[group])

    def scenarios(self, first: int, stop: int) -> Scenarios:
        """The draws from `first` up to `stop`."""
        start = first // DRAWS_PER_BLOCK
        numbers = range(start, (stop - 1) // DRAWS_PER_BLOCK + 1)
        blocks = zip(*map(self._draw_block, numbers), strict=True)
        columns = slice(first - start * DRAWS_PER_BLOCK, stop - start * DRAWS_PER_BLOCK)
        base, weights, gain, repeat = (
            np.concatenate(each, axis=-1)[..., columns] for each in blocks
        )
        return Scenarios(stop - first, base=base, arc_weight=weights, gain=gain, repeat=repeat)

    def _draw_block(self, number: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Bases, weights, gains and repeats of one block, a column for each draw."""
        # the order of these calls determines the draws: changing it changes every band
        rng = np.random.default_rng([self.seed, number])
        settings = self.graph.settings
        base = self._draw_bases(rng)
        weights = self._draw_weights(rng)
        gain = settings.gain * (1.0 + rng.uniform(-GAIN_VARIATION, GAIN_VARIATION, DRAWS_PER_BLOCK))
        repeat = settings.repeat + rng.uniform(0.0, REPEAT_VARIATION, DRAWS_PER_BLOCK)
        return base, weights, gain, np.clip(repeat, 0.0, 1.0)

    def _draw_bases(self, rng: np.random.Generator) -> Floats:
        base = self.graph.base[:, None]
        moves = np.empty((self.graph.size, DRAWS_PER_BLOCK))
        moves[self.nodes] = rng.uniform(-BASE_VARIATION, BASE_VARIATION, moves.shape)
        return np.where(self.varies, np.clip(base + moves, *BASE_BOUNDS), base)

    def _draw_weights(self, rng: np.random.Generator) -> Floats:
        """Varied by edge, then by the words of the notes, then by the uncertainty of panels."""
        weights = np.repeat(self.graph.arc_weight[:, None], DRAWS_PER_BLOCK, axis=1)
        weights[self.arcs] *= 1.0 + rng.uniform(-EDGE_VARIATION, EDGE_VARIATION, weights.shape)
        for setting, arcs_with_word in self.arcs_by_weight:
            # one number for all edges with that word, as it is the setting that varies
            drawn_setting = np.clip(
                setting + rng.uniform(-BASE_VARIATION, BASE_VARIATION, DRAWS_PER_BLOCK), 0.0, 1.0
            )
            if setting:
                weights[: self.arc_count] *= np.where(
                    arcs_with_word[:, None], drawn_setting / setting, 1.0
                )
        for position, (arc, (panel, unanimous)) in enumerate(self.panels.items()):
            # Jeffreys' prior: half an annotator more for each label, so that none is ruled out
            shares = rng.dirichlet(np.array(panel) + 0.5, DRAWS_PER_BLOCK)
            weight = unanimous * (shares[:, 0] - shares[:, 1])
            weights[arc] = np.maximum(weight, 0.0)
            weights[self.arc_count + position] = np.minimum(weight, 0.0)
        return np.asarray(np.clip(weights, -1.0, 1.0)[self.weighed_as])


def _arcs_by_word_weight(question: Question) -> tuple[tuple[float, Bools], ...]:
    """The weights of `moderate`, `weak` and `qualifies`, and the arcs to which each applies."""
    settings = question.graph.settings
    corpus = question.reading.corpus
    edges = [corpus.edges_by_id[name] for name in question.graph.edge_of_arc]
    moderate = [edge.strength is EdgeStrength.MODERATE for edge in edges]
    weak = [edge.strength is EdgeStrength.WEAK for edge in edges]
    qualifies = [edge.relation is Relation.QUALIFIES for edge in edges]
    return (
        (settings.moderate, np.array(moderate, dtype=bool)),
        (settings.weak, np.array(weak, dtype=bool)),
        (settings.qualifies, np.array(qualifies, dtype=bool)),
    )


def _nodes_and_arcs_by_name(graph: Graph) -> tuple[Ints, Ints]:
    """Statements and arcs sorted by name, so that draws do not depend on the order of files."""
    ids = graph.ids
    nodes = sorted(range(graph.size), key=ids.__getitem__)
    arcs = sorted(
        range(len(graph.arc_premise)),
        key=lambda a: (graph.edge_of_arc[a], ids[graph.arc_premise[a]], -graph.arc_weight[a]),
    )
    return np.array(nodes, dtype=np.int64), np.array(arcs, dtype=np.int64)


def _with_second_arcs(graph: Graph, arcs: Ints) -> Graph:
    """`graph` with a second arc for each of `arcs`, so that a draw can put it on either side."""

    def twice(column: np.ndarray, last: np.ndarray) -> np.ndarray:
        return np.concatenate([column, last])

    weights = graph.arc_weight.copy()
    joint = graph.joint[arcs]
    # not 0: the plan leaves out arcs without weight
    weights[arcs] = np.maximum(weights[arcs], LEAST_WEIGHT)
    arc_premise = twice(graph.arc_premise, graph.arc_premise[arcs])
    arc_target = twice(graph.arc_target, graph.arc_target[arcs])
    return replace(
        graph,
        arc_premise=arc_premise,
        arc_target=arc_target,
        arc_weight=twice(weights, np.minimum(graph.arc_weight[arcs], -LEAST_WEIGHT)),
        gate=twice(graph.gate, graph.gate[arcs]),
        fallen=twice(graph.fallen, graph.fallen[arcs]),
        edge_of_arc=(*graph.edge_of_arc, *(graph.edge_of_arc[arc] for arc in arcs.tolist())),
        shared=mark_shared(
            arc_premise, arc_target, graph.source_group_start, graph.source_group_of
        ),
        joint=twice(
            graph.joint, np.where(joint < 0, NOT_JOINT, joint + graph.joint.max(initial=0) + 1)
        ),
        plans=ResultsKeeper(),
    )


def _panels_by_arc(question: Question) -> dict[int, tuple[tuple[int, int, int], float]]:
    """Return, for each judged arc, the panel's counts and the weight that unanimity would give."""
    reading = question.reading
    graph = question.graph
    tally = label_counts(reading.judgements)
    panels = {}
    _, arcs = _nodes_and_arcs_by_name(graph)
    for arc in arcs.tolist() if tally else ():
        edge = graph.edge_of_arc[arc]
        if edge in tally and sum(tally[edge]) > 1 and not graph.fallen[arc]:
            qualifies = reading.corpus.edges_by_id[edge].relation == "qualifies"
            if graph.arc_target[arc] < graph.size:
                panels[arc] = (tally[edge], reading.settings.qualifies if qualifies else 1.0)
    return panels
