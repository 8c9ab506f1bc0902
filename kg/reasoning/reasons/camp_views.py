"""The camp of each statement, the side it argues for, and the strengths that each camp sees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from kg.model import CampId, StatementId, Value
from kg.reachability import walk_from
from kg.reasoning.graph.arrays import Floats, Ints, round_off_or_none
from kg.reasoning.graph.graph import Graph
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.scenarios import run_muted
from kg.reporting.report import columns
from kg.runtime.memoize import memoize

FOR, AGAINST = "for", "against"
LEAST_EFFECT = 1e-12  # a slope below this is rounding


@dataclass(frozen=True, slots=True)
class CampSides:
    """The camps in what bears on a question, and the side of each camp and node.

    `camp_of_node` gives each node's declared camp, `side_of_camp` +1 for camps that argue for the
    statement asked about and -1 for those against, `side_of_node` the side on which each node
    speaks (0 if it does not reach the question, or on both sides alike), `effect_sign` the sign of
    each node's own effect. `declared` is false if the notes do not name two camps here; then the
    camps are "for" and "against", by effect. `crossing_nodes` are nodes whose declared camp argues
    against their effect.
    """

    names: tuple[CampId, ...]
    camp_of_node: tuple[CampId | None, ...]
    side_of_camp: Mapping[CampId, int]
    side_of_node: Ints
    effect_sign: Ints
    declared: bool
    crossing_nodes: tuple[int, ...]

    def members(self, camp: CampId) -> Ints:
        """Nodes of the camp's statements, and of those in no camp that speak on its side."""
        return self._nodes_where(
            lambda declared_camp, side: (
                declared_camp == camp or (not declared_camp and side * self.side_of_camp[camp] > 0)
            )
        )

    def statements_without_voice(self, camp: CampId) -> Ints:
        """Nodes that do not count in the camp's own view: those of other camps, and those against
        it.
        """
        return self._nodes_where(
            lambda declared_camp, side: (
                declared_camp != camp if declared_camp else side * self.side_of_camp[camp] < 0
            ),
        )

    def _nodes_where(self, is_wanted: Callable[[CampId | None, int], bool]) -> Ints:
        pairs = zip(self.camp_of_node, self.side_of_node.tolist(), strict=True)
        return np.array([i for i, pair in enumerate(pairs) if is_wanted(*pair)], dtype=np.int64)


@memoize
def camps_of(question: Question) -> CampSides:
    """The camps that the notes declare, completed by the sign of each statement's effect."""
    effect = slopes_of(question)
    chains = _side_of_chains(question.graph, question.node)
    # a circle that amplifies every push without end, or does not settle, has no slope
    effect = np.where(np.isnan(effect), chains, effect)
    computed = np.where(np.abs(effect) > LEAST_EFFECT, np.sign(effect), 0.0).astype(np.int64)
    computed[question.node] = 0
    declared: list[CampId | None] = [question.declared_camp(i) for i in range(question.graph.size)]
    declared[question.node] = None
    side_of_camp = _side_by_camp(question, declared, effect)
    side = np.where(computed != 0, computed, chains)
    side[question.node] = 0
    if len(side_of_camp) < 2:
        side_of_camp = {FOR: 1, AGAINST: -1}
        camp_of_side = {side: camp for camp, side in side_of_camp.items()}
        camp_of_node = tuple(map(camp_of_side.get, side.tolist()))
        return CampSides((FOR, AGAINST), camp_of_node, side_of_camp, side, computed, False, ())
    crossing = tuple(
        i
        for i, (camp, side) in enumerate(zip(declared, computed.tolist(), strict=True))
        if camp and side and side_of_camp[camp] and side != side_of_camp[camp]
    )
    return CampSides(
        tuple(side_of_camp), tuple(declared), side_of_camp, side, computed, True, crossing
    )


def _side_of_chains(graph: Graph, node: int) -> Ints:
    """The side on which each node speaks by its chains of edges; 0 if on none or on both.

    This also places the second note of a study, which moves nothing by itself.
    """
    pairs_into: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    columns = (
        graph.arc_premise,
        graph.arc_target,
        graph.gate,
        np.sign(graph.arc_weight).astype(np.int64),
        graph.fallen,
    )
    for premise, target, gate, sign, fallen in zip(*(c.tolist() for c in columns), strict=True):
        # a premise supports what depends on it, an undercut opposes its target edge
        pairs_into[target].append((premise, 1 if fallen else sign))
        pairs_into[target].append((gate, -sign))

    def ends_before(end: tuple[int, int]) -> list[tuple[int, int]]:
        return [(premise, end[1] * sign) for premise, sign in pairs_into[end[0]]]

    sides = np.zeros(graph.node_count + 1, dtype=np.int64)
    for end, side in walk_from([(node, 1)], ends_before):
        sides[end] += side
    return sides[: graph.size]


def _side_by_camp(
    question: Question, declared: list[CampId | None], effect: Floats
) -> Mapping[CampId, int]:
    """Find the side that each declared camp argues for: the side of what its statements pass on in
    sum.

    If its statements pass nothing on, what they would pass on decides.
    """
    order = question.reading.corpus.config.camp_ids
    camp_ids = sorted(
        {camp for camp in declared if camp},
        key=lambda camp: (order.index(camp) if camp in order else len(order), camp),
    )
    weight = effect * np.maximum(
        np.nan_to_num(question.strengths) - question.graph.passing_threshold, 0.0
    )
    side_by_camp = {}
    for camp in camp_ids:
        is_member = np.array([name == camp for name in declared])
        total = float(weight[is_member].sum()) or float(effect[is_member].sum())
        side_by_camp[camp] = int(np.sign(round(total, 12)))
    return side_by_camp


@memoize
def strengths_by_camp(question: Question) -> Floats:
    """Strengths (statements × camps) as each camp sees them: every other camp muted."""
    camps = camps_of(question)
    return run_muted(question.graph, [camps.statements_without_voice(camp) for camp in camps.names])


class CampView(Value, frozen=True, omit_defaults=False):
    """A camp, the side it argues for (+1, -1), its number of statements, and its own view.

    `strength` is that of the statement asked about with every other camp silenced; `colour` is
    the camp's in `kg.toml`, empty for the two sides if the notes do not name two camps. `crossing`
    are statements that the notes put in the camp, and whose effect is against it.
    """

    camp: CampId
    side: int
    statements: int
    strength: float | None
    colour: str
    crossing: tuple[StatementId, ...]


CAMP_VIEW = columns(
    CampView,
    "camp",
    ("argues", lambda c: {1: "for", -1: "against"}.get(c.side, "–")),
    "statements, strength it alone would see: strength",
)


def camp_views(question: Question) -> tuple[CampView, ...]:
    """The view of each camp alone."""
    camps = camps_of(question)
    strengths = strengths_by_camp(question)
    colours = {each.id: each.colour for each in question.reading.corpus.config.camps}
    return tuple(
        CampView(
            camp=camp,
            side=camps.side_of_camp[camp],
            statements=len(camps.members(camp)),
            strength=round_off_or_none(strengths[question.node, column]),
            colour=colours.get(camp, ""),
            crossing=tuple(
                question.graph.ids[i] for i in camps.crossing_nodes if camps.camp_of_node[i] == camp
            ),
        )
        for column, camp in enumerate(camps.names)
    )
