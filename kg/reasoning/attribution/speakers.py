"""How many independent sources speak for each statement, and how many against it."""

from __future__ import annotations

import numpy as np

from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.attribution.independence import LOST, effective, masses, unit_numbers
from kg.reasoning.attribution.losses import dependence_of_all
from kg.reasoning.session import Question, once_per_question
from kg.reasoning.solver.routes import voices_of


@once_per_question
def backers(question: Question) -> Floats | None:
    """Per statement, how many sources of equal weight speak for it; `None` where it would take too
    large a table to know.
    """
    if question.settings.routed:
        return _backers_by_voice(question)
    found = dependence_of_all(question)
    if found is None:
        return None
    counted = np.zeros(question.graph.size)
    for node in question.claims.tolist():
        counted[node] = effective(masses(question, node, found)[0])
    return counted


def _backers_by_voice(question: Question) -> Floats:
    graph = question.graph
    targets, mass = _heard(question, 1)
    whole, squares = (np.bincount(targets, m, graph.size) for m in (mass, mass * mass))
    return np.divide(whole**2, squares, out=np.zeros(graph.size), where=squares > 0.0)


def speakers(question: Question) -> tuple[list[int], list[int]] | None:
    """Per statement, how many independent sources speak for it and how many against it; `None`
    where sources are not followed.
    """
    if not question.settings.routed:
        return None
    sides = (_heard(question, sign) for sign in (1, -1))
    size = question.graph.size
    pro, con = (np.bincount(at[mass > LOST], minlength=size).tolist() for at, mass in sides)
    return pro, con


def _heard(question: Question, sign: int) -> tuple[Ints, Floats]:
    """The statement, and the nats, of each source that speaks for one (1) or against one (-1)."""
    voices, graph = voices_of(question.graph), question.graph
    known = np.array(list(unit_numbers(question).values()), dtype=np.int64)
    nats = sign * voices.nats
    kept = (nats > 0.0) & np.isin(voices.unit, known) & (graph.dst[voices.arc] < graph.size)
    span = int(voices.unit.max(initial=0)) + 1
    key, of = np.unique(graph.dst[voices.arc[kept]] * span + voices.unit[kept], return_inverse=True)
    mass: Floats = np.bincount(of, nats[kept], len(key)).astype(np.float64)
    return np.asarray(key // span, dtype=np.int64), mass
