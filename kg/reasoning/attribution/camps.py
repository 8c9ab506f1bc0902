"""Who argues for what: the camp of each statement, and how the world looks from each camp."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kg.model import CampId
from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.attribution.shares import gradient
from kg.reasoning.session import Question, once_per_question
from kg.reasoning.solver.scenarios import watch_without_arcs

FOR, AGAINST = "for", "against"


@dataclass(frozen=True, slots=True)
class Camps:
    """The camps in what bears on a question.

    `of` gives each number's camp (`None` for what moves nothing), `sign` +1 for camps that
    argue for the statement asked about and -1 for those against, `computed` the sign of each
    number's own effect. `declared` is false where the notes name no two camps here; then the
    camps are "for" and "against", by effect. `crossing` are numbers whose declared camp
    argues against their effect.
    """

    names: tuple[CampId, ...]
    of: tuple[CampId | None, ...]
    sign: Mapping[CampId, int]
    computed: Ints
    declared: bool
    crossing: tuple[int, ...]

    def members(self, camp: CampId) -> Ints:
        """Numbers of the camp's statements."""
        return np.array([i for i, name in enumerate(self.of) if name == camp], dtype=np.int64)


@once_per_question
def slopes(question: Question) -> Floats:
    """∂(strength asked about) / ∂(base), for each number of the question's graph."""
    return gradient(question.graph, question.solution, question.node)


@once_per_question
def camps_of(question: Question) -> Camps:
    """The camps that the notes declare, completed by the sign of each statement's effect."""
    effect = slopes(question)
    computed = np.where(np.abs(effect) > 1e-12, np.sign(effect), 0.0).astype(np.int64)
    computed[question.node] = 0
    told: list[CampId | None] = [question.declared_camp(i) for i in range(question.graph.size)]
    told[question.node] = None
    sign = _signs(question, told, effect)
    if len(sign) < 2:
        sides = (None, FOR, AGAINST)
        of = tuple(sides[sign] for sign in computed.tolist())
        return Camps((FOR, AGAINST), of, {FOR: 1, AGAINST: -1}, computed, False, ())
    # a camp whose effects cancel out claims nobody: neither the question nor what moves nothing
    by_sign = {side: camp for camp, side in reversed(list(sign.items())) if side}
    of = tuple(
        camp or by_sign.get(side) for camp, side in zip(told, computed.tolist(), strict=True)
    )
    crossing = tuple(
        i
        for i, (camp, side) in enumerate(zip(told, computed.tolist(), strict=True))
        if camp and side and sign[camp] and side != sign[camp]
    )
    return Camps(tuple(sign), of, sign, computed, True, crossing)


def _signs(question: Question, told: list[CampId | None], effect: Floats) -> Mapping[CampId, int]:
    """Which side each declared camp argues for: that of what its statements pass on, summed.

    A camp of statements that pass nothing on is judged by what they would do if they did.
    """
    order = question.reading.corpus.config.camp_ids
    named = sorted(
        {camp for camp in told if camp},
        key=lambda camp: (order.index(camp) if camp in order else len(order), camp),
    )
    weight = effect * np.maximum(question.strengths - question.graph.zero, 0.0)
    found = {}
    for camp in named:
        mine = np.array([name == camp for name in told])
        total = float(weight[mine].sum()) or float(effect[mine].sum())
        found[camp] = int(np.sign(round(total, 12)))
    return found


@once_per_question
def views(question: Question) -> Floats:
    """Strengths (statements × camps) as each camp sees them: every other camp silenced."""
    camps = camps_of(question)
    others = [
        np.array([i for i, name in enumerate(camps.of) if name not in (camp, None)], dtype=np.int64)
        for camp in camps.names
    ]
    return watch_without_arcs(question.graph, others)
