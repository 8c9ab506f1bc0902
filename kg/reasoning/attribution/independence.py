"""On how many independent sources an answer rests, and what it is worth without each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from kg.corpus.units import called as named
from kg.corpus.units import parts_of
from kg.model import SourceKey, StatementId, Value
from kg.reasoning.arrays import Floats, Ints, runs
from kg.reasoning.attribution.camps import slopes
from kg.reasoning.attribution.shares import heard
from kg.reasoning.network.graph import Graph
from kg.reasoning.report import Answer, OpenQuestion, asked, many, number, open_question, tidy
from kg.reasoning.session import Question, Reading, once
from kg.reasoning.solver.routes import log_odds
from kg.reasoning.solver.scenarios import Watch, beside, rebased, standing_of, strengths_of
from kg.reasoning.solver.strength import solve
from kg.reasoning.words import side_of, word_at

LOST = 1e-9
FEWEST = 16
LARGEST_TABLE = 20_000_000


class SourceEffect(Value, frozen=True, omit_defaults=False):
    """What one independent source does for an answer.

    `sources` are its works that bear on the question (none for evidence that cites nothing),
    `strength` what is
    left without it, `effect` what it adds (negative if it speaks against), `undoes` whether
    the answer leaves its side, `decides` whether it finds one; `routes` are the direct reasons
    that lose strength without it, and `mass` the share of the answer, in nats, that rests on it.
    """

    unit: str
    sources: tuple[SourceKey, ...]
    evidence: tuple[StatementId, ...]
    strength: float | None
    effect: float | None
    undoes: bool
    decides: bool
    routes: tuple[StatementId, ...]
    mass: float


class Sources(Answer, frozen=True, kw_only=True):
    """How many independent sources an answer rests on.

    `effective` is (Σ mass)² / Σ mass², between 1 and the number of sources; `several_routes` the
    units that reach it by two or more; `single_source` says that without one source the answer
    leaves its side. `discounted` is the strength if each source counted once however many claims
    it reaches the answer by (`None` where reasons do not add up): with `transfer = "routes"` and
    `repeat` at 0, as by default, that is the strength itself.
    """

    strength: float | None
    discounted: float | None
    effective: float
    effects: tuple[SourceEffect, ...]
    several_routes: tuple[str, ...]
    single_source: bool


@dataclass(frozen=True, slots=True)
class Dependence:
    """Per unit: its name, its evidence, and strengths (`rows` × units) without it.

    `whole` is false where only the units that should matter most were tried. `standing`
    (3 × units) is what the word follows from without each, where something is asked.
    """

    units: tuple[str, ...]
    evidence: tuple[Ints, ...]
    rows: Ints
    without: Floats
    whole: bool
    standing: Floats = field(default_factory=lambda: np.zeros((3, 0)))

    def at(self, nodes: Ints) -> Floats:
        """Strengths of `nodes`, all of which must be among the rows."""
        return np.asarray(self.without[np.searchsorted(self.rows, nodes)])


@once
def unit_members(question: Question) -> dict[str, Ints]:
    """The evidence (numbers) that rests on each unit."""
    return {
        unit: np.array([node for node, _, _ in held], dtype=np.int64)
        for unit, held in unit_parts(question).items()
    }


@once
def unit_parts(question: Question) -> dict[str, list[tuple[int, int, float]]]:
    """Per unit, the evidence that rests on it: its number, the place of the unit in `unit_part`,
    and the part that it has of what is left of the evidence.
    """
    graph, units = question.graph, question.reading.units
    found: dict[str, list[tuple[int, int, float]]] = {}
    for node in np.flatnonzero(~graph.claim).tolist():
        first = int(graph.unit_start[node])
        for place, (unit, part) in enumerate(parts_of(graph.same[node], units).items(), first):
            if part > 0.0:
                found.setdefault(unit, []).append((node, place, part))
    return found


def without_units(question: Question, units: Sequence[str]) -> tuple[Ints, Floats]:
    """The evidence that rests on some of `units`, and the bases it keeps without them.

    Each cited source carries an equal part of the base.
    """
    lost: dict[int, float] = {}
    for unit in units:
        for node, _, part in unit_parts(question)[unit]:
            lost[node] = lost.get(node, 0.0) + part
    nodes = np.array(list(lost), dtype=np.int64)
    left = 1.0 - np.array(list(lost.values()))
    return nodes, question.graph.base[nodes] * np.maximum(left, 0.0)


def parts_without(question: Question, units: Sequence[str]) -> tuple[Ints, Floats]:
    """Places in `unit_part` of the evidence that rests on some of `units`, and the parts that its
    sources have without them.
    """
    graph = question.graph
    lost = [part for unit in units for part in unit_parts(question)[unit]]
    gone = [place for _, place, _ in lost]
    nodes = sorted({node for node, _, _ in lost})
    places = runs(graph.unit_start, np.array(nodes, dtype=np.int64))
    left = graph.unit_part[places]
    left[np.searchsorted(places, gone)] = 0.0
    owner = np.repeat(np.arange(len(nodes)), np.diff(graph.unit_start)[nodes])
    total = np.bincount(owner, left, len(nodes))[owner]
    return places, np.where(total > 0.0, left / np.where(total > 0.0, total, 1.0), left)


def after_loss(question: Question, losses: Sequence[Sequence[str]], watch: Watch) -> Floats:
    """What `watch` keeps when all of some units fall, one column for each of `losses`."""
    return rebased(
        question.graph,
        [without_units(question, units) for units in losses],
        watch,
        [parts_without(question, units) for units in losses],
    )


@once
def dependence(question: Question) -> Dependence:
    """What is asked, and its direct reasons, without each independent source in turn.

    A piece of evidence that rests on k sources loses a k-th of its base with each.
    """
    direct = question.graph.src[question.graph.into(question.node)]
    rows = np.unique(np.append(direct, question.node))
    watch = beside(standing_of(question.node), strengths_of(rows))
    found = _dependence(question, rows, watch)
    return replace(found, standing=found.without[:3], without=found.without[3:])


@once
def dependence_of_all(question: Question) -> Dependence | None:
    """The same for every statement; `None` where that would be too large a table."""
    if question.graph.size * len(unit_members(question)) > LARGEST_TABLE:
        return None
    everyone = np.arange(question.graph.size)
    found = _dependence(question, everyone, strengths_of(everyone))
    return found if found.whole else None


def dependence_within(question: Question, found: Dependence | None) -> Dependence | None:
    """What `found`, worked out for all of the corpus, says of what bears on a question."""
    if found is None:
        return None
    members, place = unit_members(question), {unit: k for k, unit in enumerate(found.units)}
    columns = np.array([place[unit] for unit in members], dtype=np.int64)
    lost = found.without[np.ix_(question.numbers, columns)]
    rows = np.arange(question.graph.size)
    return Dependence(tuple(members), tuple(members.values()), rows, lost, True)


def _dependence(question: Question, rows: Ints, watch: Watch) -> Dependence:
    members, graph = unit_members(question), question.graph
    chosen = list(members)
    room = max(question.settings.budget // max(len(graph.src), 1), FEWEST)
    if len(chosen) > room:
        weight = np.abs(slopes(question)) * question.strengths
        chosen.sort(key=lambda unit: (-float(weight[members[unit]].sum()), unit))
    chosen = chosen[:room]
    lost = after_loss(question, [[unit] for unit in chosen], watch)
    evidence = tuple(members[unit] for unit in chosen)
    return Dependence(tuple(chosen), evidence, rows, lost, len(chosen) == len(members))


def losses(question: Question, nodes: Ints, found: Dependence) -> Floats:
    """The part (nodes × units) of what each of `nodes` passes on that is lost without a unit."""
    graph = question.graph
    now = passed_by(graph, nodes, question.strengths[nodes][:, None])
    then = passed_by(graph, nodes, found.at(nodes))
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(now > 0.0, (now - then) / now, 0.0)
    return np.asarray(np.clip(part, 0.0, 1.0))


def passed_by(graph: Graph, nodes: Ints, strengths: Floats) -> Floats:
    """What statements of some strengths (nodes × cases) pass on, up to a factor of each."""
    if graph.settings.routed:
        argued = np.maximum(log_odds(strengths), 0.0)
        return np.where(graph.claim[nodes][:, None], argued, strengths)
    return np.maximum(strengths - graph.zero[nodes][:, None], 0.0)


def works(question: Question, unit: str) -> tuple[SourceKey, ...]:
    """The works of a unit that evidence bearing on the question cites."""
    graph, corpus = question.graph, question.reading.corpus
    cited = {
        key
        for node in unit_members(question)[unit].tolist()
        for name in graph.same[node]
        for key in corpus.statements[name].sources
    }
    return tuple(k for k in question.reading.units.sources.get(unit, ()) if k in cited)


def called(question: Question, unit: str) -> str:
    """A name for a unit, the same in every answer."""
    return named(question.reading.units, unit)


def masses(question: Question, node: int, found: Dependence) -> tuple[Ints, Floats, Floats]:
    """The direct arcs to `node`, their shares, and the signed mass (arcs × units) they carry."""
    arcs = question.graph.into(node)
    shares = all_shares(question)[arcs]
    lost = losses(question, question.graph.src[arcs], found)
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
    found = dependence(question)
    arcs, shares, signed = masses(question, question.node, found)
    mass = np.abs(signed).sum(axis=0)
    effects = sorted(
        (_effect(question, unit, arcs, signed, mass) for unit in range(len(found.units))),
        key=lambda e: (-e.mass, -abs(e.effect or 0.0), e.unit),
    )
    heavy = effective(mass)
    turning = next((e for e in effects if e.undoes), None)
    return Sources(
        sentence=_sentence(question, heavy, effects, turning),
        asked=asked(question),
        complete=found.whole,
        strength=number(question.strength),
        discounted=_discounted(question, shares, signed),
        effective=tidy(heavy),
        effects=tuple(effects),
        several_routes=tuple(e.unit for e in effects if len(e.routes) > 1),
        single_source=turning is not None,
    )


def _effect(
    question: Question, unit: int, arcs: Ints, signed: Floats, mass: Floats
) -> SourceEffect:
    graph, found = question.graph, dependence(question)
    name = found.units[unit]
    table = found.standing[:, unit]
    left, now = float(table[0]), _side_now(question)
    then = side_of(word_at(table, question.settings))
    routes = graph.src[arcs[np.abs(signed[:, unit]) > LOST]]
    return SourceEffect(
        unit=name,
        sources=works(question, name),
        evidence=tuple(graph.ids[i] for i in found.evidence[unit].tolist()),
        strength=number(left),
        effect=number(question.strength - left),
        undoes=bool(now) and then != now,
        decides=not now and bool(then),
        routes=tuple(dict.fromkeys(graph.ids[i] for i in routes.tolist())),
        mass=tidy(mass[unit]),
    )


def _side_now(question: Question) -> int:
    """On which side the answer is now."""
    table = standing_of(question.node)(question.solution, None)[:, 0]
    return side_of(word_at(table, question.settings))


def _discounted(question: Question, shares: Floats, signed: Floats) -> float | None:
    """The strength with, per source and sign, only the heaviest of its routes."""
    semantics = question.graph.semantics
    if question.settings.routed:
        if not question.settings.repeat:
            return number(question.strength)
        once_each = question.settings.model_copy(update={"repeat": 0.0})
        solved = solve(question.graph.having(settings=once_each))
        return number(solved.strength[question.node])
    if not semantics.additive:
        return None
    total = float(shares.sum())
    for sign in (1.0, -1.0):
        part = np.maximum(sign * signed, 0.0)
        total -= sign * float((part.sum(axis=0) - part.max(axis=0, initial=0.0)).sum())
    base = question.graph.base[[question.node]]
    return number(float(semantics.influence(base, np.array([total]))[0]))


def _bear(count: int) -> str:
    return "bears" if count == 1 else "bear"


def _speak(some: Sequence[SourceEffect]) -> str:
    return "speaks" if len(some) == 1 else "speak"


def _sentence(
    question: Question,
    heavy: float,
    effects: list[SourceEffect],
    turning: SourceEffect | None,
) -> str:
    if not effects:
        return f"No evidence bears on “{question.title}”."
    now = _side_now(question)
    pro, con = ([e for e in effects if sign * (e.effect or 0.0) > LOST] for sign in (1.0, -1.0))
    mine, others = (con, pro) if now < 0 else (pro, con)
    if not now:
        return (
            f"Of {many(len(effects), 'independent source')} that {_bear(len(effects))} on "
            f"“{question.title}”, {len(pro)} {_speak(pro)} for it and {len(con)} against it, "
            f"together worth {heavy:.1f} of equal weight; as things stand it is on neither side."
        )
    text = f"“{question.title}” rests on {many(len(mine), 'independent source')}"
    if len(mine) > 1:
        worth = effective(np.array([e.mass for e in mine]))
        text += f", together worth {worth:.1f} of equal weight"
    idle = len(effects) - len(mine) - len(others)
    beside = [f"{len(others)} {_speak(others)} for the other side"] if others else []
    beside += [f"{idle} {'moves' if idle == 1 else 'move'} nothing"] if idle else []
    if beside:
        text += f" ({' and '.join(beside)})"
    if turning is None:
        return f"{text}; without any one of them it stays on its side."
    return f"{text}; without {called(question, turning.unit)} alone it would leave its side."
