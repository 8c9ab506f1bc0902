"""How firmly a verdict stands: against losses, wobbling numbers, and other ways of weighing."""

from __future__ import annotations

import numpy as np

from kg.model import Value
from kg.reasoning.acceptability import label_of
from kg.reasoning.answer import Answer, OpenQuestion, asked, many, number, open_question, side, tidy
from kg.reasoning.arrays import Bools, Floats
from kg.reasoning.columns import Columns
from kg.reasoning.flips import smallest
from kg.reasoning.graph import Graph
from kg.reasoning.independence import called, dependence
from kg.reasoning.judgements import counts
from kg.reasoning.quality import BOUNDS
from kg.reasoning.reading import Question, Reading
from kg.reasoning.scenarios import batched, strength_of
from kg.reasoning.verdict import fail_safe, other_strengths

DRAWS = 200
WOBBLE = 0.1
SHAKY, STEADY = 0.8, 0.95
STURDY_FLIP = 3
NEGLIGIBLE = 1e-12
FEWEST_DRAWS = 40


class WorstSource(Value, frozen=True, omit_defaults=False):
    """The independent source whose loss moves the answer farthest toward the other side."""

    unit: str
    strength: float | None
    turns: bool


class Robustness(Answer, frozen=True, kw_only=True):
    """How firmly a verdict stands.

    `headline` is fragile, moderate, sturdy, or no side. `fail_safe` counts flawless contrary
    studies, `smallest_flip` pieces of evidence (an upper bound unless `flip_exact`; `None` if
    none was found), `kept` the share of draws on the same side, `low` to `high` the middle
    nine tenths of them. `agree` says whether all ways of weighing come out on this side.
    """

    strength: float | None
    headline: str
    fail_safe: int | None
    smallest_flip: int | None
    flip_exact: bool
    draws: int
    kept: float
    low: float | None
    high: float | None
    others: dict[str, float | None]
    grounded: str
    agree: bool
    worst_source: WorstSource | None


def robustness(
    reading: Reading, name: str, draws: int = DRAWS, seed: int = 0
) -> Robustness | OpenQuestion:
    """How firmly the verdict on `name` stands; the same seed gives the same draws.

    Fewer draws are made where the budget does not allow all (then `complete` is false).
    Each draw moves every piece of evidence's base by up to a tenth, and the weight of each
    judged edge by what the size of its panel leaves open. Raises `UnknownId`.
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    now = side(question.strength)
    room = max(question.settings.budget // max(len(question.graph.src), 1), FEWEST_DRAWS)
    wanted, draws = draws, min(draws, room)
    drawn = _draws(question, draws, seed)
    size, exact = smallest(question)
    others, label = other_strengths(question), label_of(question.graph, question.node)
    agree = _agree(now, others, label)
    kept = float((side(drawn) == now).mean()) if draws else 1.0
    worst = _worst(question, now)
    low, high = np.quantile(drawn, [0.05, 0.95]) if draws else (np.nan, np.nan)
    headline = _headline(now, size, kept, agree)
    return Robustness(
        sentence=_sentence(question, headline, size, kept, worst),
        asked=asked(question),
        complete=dependence(question).whole and draws == wanted,
        strength=number(question.strength),
        headline=headline,
        fail_safe=fail_safe(question.strength, question.settings.gain),
        smallest_flip=size,
        flip_exact=exact,
        draws=draws,
        kept=tidy(kept),
        low=number(low),
        high=number(high),
        others=others,
        grounded=label,
        agree=agree,
        worst_source=worst,
    )


def _draws(question: Question, draws: int, seed: int) -> Floats:
    """Strengths asked about, one per draw."""
    rng = np.random.default_rng(seed)
    graph = question.graph
    wobbling = ~graph.claim & (graph.base > 0.0)
    panels = _panels(question)
    # an even panel's edge weighs 0 and would be left out of the plan; its draws do not
    even = [arc for arc in panels if graph.w[arc] == 0.0]
    if even:
        w = graph.w.copy()
        w[even] = NEGLIGIBLE
        graph = graph.having(w=w)

    def draw(first: int, last: int) -> Columns:
        count = last - first
        base = _wobbled(graph, wobbling, rng.uniform(-WOBBLE, WOBBLE, (graph.size, count)))
        if not panels:
            return Columns(count, base=base)
        w = np.repeat(graph.w[:, None], count, axis=1)
        for arc, (panel, scale) in panels.items():
            shares = rng.dirichlet(np.array(panel) + 0.5, count)
            w[arc] = scale * (shares[:, 0] - shares[:, 1])
        return Columns(count, base=base, w=w)

    return np.asarray(batched(graph, draws, draw, strength_of(question.node))[0])


def _wobbled(graph: Graph, wobbling: Bools, moves: Floats) -> Floats:
    base = graph.base[:, None] + np.where(wobbling[:, None], moves, 0.0)
    return np.where(wobbling[:, None], np.clip(base, *BOUNDS), base)


def _panels(question: Question) -> dict[int, tuple[tuple[int, int, int], float]]:
    """Per judged arc, the panel's counts and the weight that unanimity would give."""
    reading, graph = question.reading, question.graph
    tally = counts(reading.judgements)
    found = {}
    for arc, edge in enumerate(graph.edges if tally else ()):
        if edge in tally and sum(tally[edge]) > 1 and not graph.fallen[arc]:
            qualifies = reading.corpus.edge[edge].relation == "qualifies"
            if graph.dst[arc] < graph.size:
                found[arc] = (tally[edge], reading.settings.qualifies if qualifies else 1.0)
    return found


def _agree(now: int, others: dict[str, float | None], label: str) -> bool:
    sides = [side(s) for s in others.values() if s is not None]
    return all(s == now for s in sides) and {"in": 1, "out": -1}.get(label, now) == now


def _worst(question: Question, now: int) -> WorstSource | None:
    found = dependence(question)
    if not found.units or not now:
        return None
    left = found.at(np.array([question.node]))[0]
    worst = int(np.argmin(now * left))
    return WorstSource(
        unit=found.units[worst],
        strength=number(left[worst]),
        turns=bool(side(left[worst]) == -now),
    )


def _headline(now: int, size: int | None, kept: float, agree: bool) -> str:
    if not now:
        return "no side"
    if size == 1 or kept < SHAKY:
        return "fragile"
    if (size is None or size >= STURDY_FLIP) and kept >= STEADY and agree:
        return "sturdy"
    return "moderate"


def _sentence(
    question: Question, headline: str, size: int | None, kept: float, worst: WorstSource | None
) -> str:
    title = question.title.rstrip(".?!")
    if headline == "no side":
        return f"“{title}” stands at no side, so there is nothing to shake."
    loss = (
        "no loss that was tried"
        if size is None
        else f"the loss of {many(size, 'piece')} of evidence"
    )
    alone = (
        f", and losing {called(question, worst.unit)} alone would too"
        if worst and worst.turns
        else ""
    )
    return (
        f"The verdict on “{title}” is {headline}: it keeps its side in {kept:.0%} of draws, and "
        f"{loss} would turn it{alone}."
    )
