"""What the two sides should talk about: claims they see differently and that move the answer."""

from __future__ import annotations

import numpy as np

from kg.model import StatementId, Value
from kg.reasoning.answer import Answer, OpenQuestion, asked, number, open_question, tidy
from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.best_study import Study, studies_for, study_sentence
from kg.reasoning.camps import camps_of, slopes, views
from kg.reasoning.reading import Question, Reading
from kg.reasoning.scenarios import holding, standing_of
from kg.reasoning.verdict import side_now
from kg.reasoning.words import sides

SHOWN, FEWEST = 5, 4


class Crux(Value, frozen=True, omit_defaults=False):
    """A claim on which much hangs.

    `if_true` and `if_false` are the strengths asked about with the claim held at 1 and 0,
    `swing` their difference; `disagreement` how far apart the camps see the claim (`views`);
    `score` their product; `turns` whether one of the two takes the answer to the other side,
    `undoes` whether one takes it from its side (or gives it one, where it has none); `settles`
    says in words what becomes of the answer, and if what; empty where it keeps its side.
    """

    statement: StatementId
    title: str
    strength: float | None
    if_true: float
    if_false: float
    swing: float
    disagreement: float
    views: dict[str, float | None]
    score: float
    turns: bool
    undoes: bool
    settles: str


class Cruxes(Answer, frozen=True, kw_only=True):
    """The claims that the answer hangs on, the weightiest first.

    `kind` is crux where the notes name two camps here. Otherwise it is pivot: no one is known
    to disagree, and the score is swing · 4 s (1 - s). `beneath` is the crux of the first crux.
    `studies` are those that would settle the question most if somebody made them: those that
    give the answer a side, or take it from its side, first.
    """

    kind: str
    tried: int
    cruxes: tuple[Crux, ...]
    beneath: Crux | None
    studies: tuple[Study, ...] = ()


def crux(reading: Reading, name: str, k: int = SHOWN) -> Cruxes | OpenQuestion:
    """The `k` claims that the answer to `name` hangs on most.

    After Double Crux (CFAR): a statement on which both disagree and that would change both
    minds. Raises `UnknownId`.
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    found, tried = _ranked(question, max(k, 1))
    first = found[0] if found and found[0].score > 0.0 else None
    beneath = None
    if first is not None:
        under, _ = _ranked(reading.ask(first.statement, question.line), 1)
        beneath = under[0] if under and under[0].score > 0.0 else None
    studies, all_tried = studies_for(question, k)
    kind = "crux" if camps_of(question).declared else "pivot"
    return Cruxes(
        sentence=" ".join(
            filter(None, (_sentence(question, kind, first), study_sentence(question, studies)))
        ),
        asked=asked(question),
        complete=tried == len(question.claims) and all_tried,
        kind=kind,
        tried=tried,
        cruxes=tuple(found[:k]),
        beneath=beneath,
        studies=studies,
    )


def _ranked(question: Question, k: int) -> tuple[list[Crux], int]:
    """The `k` claims that bear most on a question, by score, and how many were tried."""
    nodes = question.claims
    # two scenarios per claim, and half of the budget is for the crux beneath
    room = max(question.settings.budget // (4 * max(len(question.graph.src), 1)), FEWEST)
    if len(nodes) > room:
        nodes = nodes[np.argsort(-np.abs(slopes(question)[nodes]), kind="stable")[:room]]
    if not len(nodes):
        return [], 0
    listed = [*nodes.tolist(), *nodes.tolist()]
    ends = [*np.ones(len(nodes)), *np.zeros(len(nodes))]
    table = holding(question.graph, listed, ends, standing_of(question.node))
    high, low = table[0, : len(nodes)], table[0, len(nodes) :]
    then = sides(table[0], table[1], table[2], question.settings)
    ways = np.stack([then[: len(nodes)], then[len(nodes) :]])
    seen, s = views(question)[nodes], question.strengths[nodes]
    apart: Floats = seen.max(axis=1) - seen.min(axis=1)
    weight = apart if camps_of(question).declared else 4.0 * s * (1.0 - s)
    score: Floats = np.abs(high - low) * weight
    ids = question.graph.ids
    order = sorted(
        range(len(nodes)),
        key=lambda i: (-tidy(float(score[i])), -abs(tidy(float(high[i] - low[i]))), ids[nodes[i]]),
    )
    found = [
        _crux(question, int(nodes[i]), (high[i], low[i]), apart[i], score[i], ways[:, i])
        for i in order[:k]
    ]
    return found, len(nodes)


def _crux(
    question: Question,
    node: int,
    ends: tuple[float, float],
    apart: float,
    score: float,
    ways: Ints,
) -> Crux:
    camps, (high, low) = camps_of(question), ends
    now = side_now(question)
    seen = views(question)[node].tolist()
    return Crux(
        statement=question.graph.ids[node],
        title=question.statement_at(node).title,
        strength=number(question.strengths[node]),
        if_true=tidy(high),
        if_false=tidy(low),
        swing=tidy(high - low),
        disagreement=tidy(apart),
        views={camp: number(x) for camp, x in zip(camps.names, seen, strict=True)},
        score=tidy(score),
        turns=bool(now) and bool((ways == -now).any()),
        undoes=bool((ways != now).any()),
        settles=_settles(now, int(ways[0]), int(ways[1])),
    )


def _settles(now: int, if_true: int, if_false: int) -> str:
    """What a claim's being true or false does to the answer's side, in words."""

    def does(way: int) -> str:
        if way == now:
            return ""
        if not now:
            return "decides it"
        return "turns it" if way else "undoes it"

    true, false = does(if_true), does(if_false)
    if true == false:
        return f"{true} either way" if true else ""
    parts = [f"{what} if {how}" for what, how in ((true, "true"), (false, "false")) if what]
    return " and ".join(parts)


def _sentence(question: Question, kind: str, first: Crux | None) -> str:
    title = question.title.rstrip(".?!")
    if first is None:
        return f"No claim that bears on “{title}” is both disputed and able to move it."
    settled = first.settles.replace(" it ", " the answer ", 1)
    end = f"settling it {settled}" if settled else "it moves the answer within its side"
    return (
        f"The {kind} of “{title}” is “{first.title.rstrip('.?!')}”: {end} "
        f"({first.if_false:.2f} if false, {first.if_true:.2f} if true)."
    )
