"""On how many independent sources an answer rests, and what it is worth without each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.model import SourceKey, StatementId, Value
from kg.reasoning.answer import Answer, OpenQuestion, asked, number, open_question, side, tidy
from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.attribution import heard
from kg.reasoning.reading import Question, Reading, once
from kg.reasoning.scenarios import rebased

LOST = 1e-9


class SourceEffect(Value, frozen=True, omit_defaults=False):
    """What one independent source does for an answer.

    `sources` are its citation keys (none for evidence that cites nothing), `strength` what is
    left without it, `effect` what it adds (negative if it speaks against), `turns` whether
    the side changes; `routes` are the direct reasons that lose strength without it, and
    `mass` the share of the answer, in nats, that rests on it.
    """

    unit: str
    sources: tuple[SourceKey, ...]
    evidence: tuple[StatementId, ...]
    strength: float | None
    effect: float | None
    turns: bool
    routes: tuple[StatementId, ...]
    mass: float


class Sources(Answer, frozen=True, kw_only=True):
    """How many independent sources an answer rests on.

    `effective` is (Σ mass)² / Σ mass², between 1 and the number of sources; `discounted` the
    strength if each source counted once however many claims it reaches the answer by (`None`
    where reasons do not add up); `double_counted` the units with two or more routes;
    `single_source` says that losing one source turns the side.
    """

    strength: float | None
    discounted: float | None
    effective: float
    effects: tuple[SourceEffect, ...]
    double_counted: tuple[str, ...]
    single_source: bool


@dataclass(frozen=True, slots=True)
class Dependence:
    """Per unit: its name, its evidence, and strengths (statements × units) without it."""

    units: tuple[str, ...]
    evidence: tuple[Ints, ...]
    without: Floats


@once
def dependence(question: Question) -> Dependence:
    """The world without each independent source in turn.

    A piece of evidence that rests on k sources loses a k-th of its base with each.
    """
    of = question.reading.units.of
    members: dict[str, list[int]] = {}
    parts: dict[int, int] = {}
    for node in np.flatnonzero(~question.graph.claim).tolist():
        units = dict.fromkeys(u for name in question.graph.same[node] for u in of.get(name, ()))
        parts[node] = max(len(units), 1)
        for unit in units:
            members.setdefault(unit, []).append(node)
    changes = []
    for nodes in members.values():
        held = np.array(nodes, dtype=np.int64)
        left = np.array([1.0 - 1.0 / parts[node] for node in nodes])
        changes.append((held, question.graph.base[held] * left))
    lost = rebased(question.graph, changes)
    return Dependence(tuple(members), tuple(nodes for nodes, _ in changes), lost)


def losses(question: Question, nodes: Ints) -> Floats:
    """The part (nodes × units) of what each of `nodes` passes on that is lost without a unit."""
    graph, lost = question.graph, dependence(question).without
    zero = graph.zero[nodes]
    now = np.maximum(question.strengths[nodes] - zero, 0.0)[:, None]
    then = np.maximum(lost[nodes] - zero[:, None], 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(now > 0.0, (now - then) / now, 0.0)
    return np.asarray(np.clip(part, 0.0, 1.0))


def masses(question: Question, node: int) -> tuple[Ints, Floats, Floats]:
    """The direct arcs to `node`, their shares, and the signed mass (arcs × units) they carry."""
    arcs = question.graph.into(node)
    shares = all_shares(question)[arcs]
    lost = losses(question, question.graph.src[arcs])
    return arcs, shares, shares[:, None] * lost


@once
def all_shares(question: Question) -> Floats:
    """What each arc of the question's graph adds to its target's total."""
    return heard(question.graph, question.solution.state)


def effective(mass: Floats) -> float:
    """The effective number of sources, (Σ m)² / Σ m²; 0 where nothing rests on any."""
    total = float((mass * mass).sum())
    return float(mass.sum()) ** 2 / total if total > 0.0 else 0.0


def sources(reading: Reading, name: str) -> Sources | OpenQuestion:
    """The sources that the answer to `name` (a line or a statement) rests on, heaviest first.

    Raises `UnknownId`.
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    arcs, shares, signed = masses(question, question.node)
    mass = np.abs(signed).sum(axis=0)
    found = dependence(question)
    effects = sorted(
        (_effect(question, unit, arcs, signed, mass) for unit in range(len(found.units))),
        key=lambda e: (-e.mass, -abs(e.effect or 0.0), e.unit),
    )
    many = effective(mass)
    turning = next((e for e in effects if e.turns), None)
    return Sources(
        sentence=_sentence(question, many, effects, turning),
        asked=asked(question),
        strength=number(question.strength),
        discounted=_discounted(question, shares, signed),
        effective=tidy(many),
        effects=tuple(effects),
        double_counted=tuple(e.unit for e in effects if len(e.routes) > 1),
        single_source=turning is not None,
    )


def _effect(
    question: Question, unit: int, arcs: Ints, signed: Floats, mass: Floats
) -> SourceEffect:
    graph, found = question.graph, dependence(question)
    left = found.without[question.node, unit]
    routes = graph.src[arcs[np.abs(signed[:, unit]) > LOST]]
    return SourceEffect(
        unit=found.units[unit],
        sources=question.reading.units.sources.get(found.units[unit], ()),
        evidence=tuple(graph.ids[i] for i in found.evidence[unit].tolist()),
        strength=number(left),
        effect=number(question.strength - left),
        turns=bool(side(left) != side(question.strength)) and side(question.strength) != 0,
        routes=tuple(dict.fromkeys(graph.ids[i] for i in routes.tolist())),
        mass=tidy(mass[unit]),
    )


def _discounted(question: Question, shares: Floats, signed: Floats) -> float | None:
    """The strength with, per source and sign, only the heaviest of its routes."""
    semantics = question.graph.semantics
    if not semantics.additive:
        return None
    total = float(shares.sum())
    for sign in (1.0, -1.0):
        part = np.maximum(sign * signed, 0.0)
        total -= sign * float((part.sum(axis=0) - part.max(axis=0, initial=0.0)).sum())
    base = question.graph.base[[question.node]]
    return number(float(semantics.influence(base, np.array([total]))[0]))


def _sentence(
    question: Question,
    many: float,
    effects: list[SourceEffect],
    turning: SourceEffect | None,
) -> str:
    if not effects:
        return f"No evidence bears on “{question.title}”."
    text = (
        f"“{question.title}” rests on {len(effects)} independent sources, "
        f"worth {many:.1f} that weigh the same"
    )
    if turning is None:
        return f"{text}; without any one of them it stays on its side."
    return f"{text}; without {turning.unit} alone it would change sides."
