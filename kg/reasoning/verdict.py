"""Where a question comes out, how firmly, and how else it could be judged."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from kg.model import CampId, StatementId, Value
from kg.model.config import Reasoning
from kg.reasoning.acceptability import grounds_of
from kg.reasoning.answer import (
    Answer,
    OpenQuestion,
    Reason,
    asked,
    number,
    open_question,
    side,
    tidy,
)
from kg.reasoning.arrays import Bools, Floats, logit
from kg.reasoning.camps import camps_of, views
from kg.reasoning.graph import reached_by_support
from kg.reasoning.independence import all_shares, dependence, effective, masses, unit_members
from kg.reasoning.plan import plan_of
from kg.reasoning.reading import Question, Reading, once
from kg.reasoning.strength import solve

UNSETTLED = "not settled"
SECOND_OPINIONS = ("logistic", "qe", "dfquad")


class CampView(Value, frozen=True, omit_defaults=False):
    """A camp, which side it argues for (+1, -1), its statements, and the strength it would see.

    `strength` is what is asked about with every other camp's statements silenced.
    """

    camp: CampId
    side: int
    statements: int
    strength: float | None


class Balance(Value, frozen=True, omit_defaults=False):
    """What is weighed, in nats: reasons for, reasons against, their sum, and how even they are.

    `conflict` is 2 · min(pro, con) / (pro + con): 0 where nobody objects, 1 at a tie.
    """

    pro: float
    con: float
    volume: float
    conflict: float


class Verdict(Answer, frozen=True, kw_only=True):
    """Where the corpus stands on a proposition.

    `strength` (0 to 1) says how far this corpus backs it, not how probable it is; `None` if
    no equilibrium was found. `word` is open, contested, leans supported, supported, strongly
    supported, or the same with refuted; a piece of evidence takes no side, and its word is its
    quality (`quality_word`). `others` holds the strength under other semantics,
    `grounded` Dung's label, `plain_loops` the strength if loops were summed;
    `depends_on_semantics` says that one of `others` comes out on the other side,
    `depends_on_grounded` that Dung's label does (`grounded_says` puts it in plain words), and
    `feedback_sensitive` that the two ways of counting circles differ.
    `fail_safe` is how many flawless contrary studies would undo it, `effective_sources` how
    many equally heavy independent sources it rests on; `unsupported` the share of the
    balance that rests on claims without evidence; `crossing` lists statements whose effect
    is against the camp that the notes put them in.
    """

    strength: float | None
    word: str
    side: int
    base: float
    balance: Balance
    reasons: tuple[Reason, ...]
    camps: tuple[CampView, ...]
    others: dict[str, float | None]
    grounded: str
    grounded_says: str
    plain_loops: float | None
    depends_on_semantics: bool
    depends_on_grounded: bool
    feedback_sensitive: bool
    fail_safe: int | None
    effective_sources: float
    sources: int
    unsupported: float
    crossing: tuple[StatementId, ...]


def word_for(strength: float, volume: float, settings: Reasoning) -> str:
    """The word for a strength: open below a volume of reasons, else by odds of 3:2, 3:1, 20:1."""
    if math.isnan(strength):
        return UNSETTLED
    if volume < settings.open_below:
        return "open"
    firm = max(strength, 1.0 - strength)
    if firm < settings.contested_below - 1e-12:
        return "contested"
    toward = "supported" if strength > 0.5 else "refuted"
    if firm < settings.leaning_below - 1e-12:
        return f"leans {toward}"
    return toward if firm < settings.strong_from - 1e-12 else f"strongly {toward}"


def quality_word(base: float, strength: float) -> str:
    """What a piece of evidence can carry: `quality 0.55, 0.31 after objections`."""
    if math.isnan(strength):
        return UNSETTLED
    start, now = f"{base:.2f}", f"{strength:.2f}"
    if start == now:
        return f"quality {start}"
    return f"quality {start}, {now} {'after objections' if strength < base else 'with support'}"


def is_even(strength: float, settings: Reasoning) -> bool:
    """Whether a strength stands so near the middle that almost anything would turn it."""
    return abs(strength - 0.5) < settings.even_within


def verdict(reading: Reading, name: str) -> Verdict | OpenQuestion:
    """The verdict on `name`: a line's proposition, or a statement. Raises `UnknownId`."""
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    strength, balance = question.strength, balance_of(question)
    others = other_strengths(question)
    grounded, says = grounds_of(question.graph, question.node)
    plain = _plain_loops(question)
    rests = dependence(question)
    _, _, signed = masses(question, question.node, rests)
    claim, base = bool(question.graph.claim[question.node]), question.graph.base[question.node]
    word = (
        word_for(strength, balance.volume, question.settings)
        if claim
        else quality_word(base, strength)
    )
    splits = claim and disagree(strength, others)
    against = claim and differs(strength, grounded)
    return Verdict(
        sentence=_sentence(question, word, balance, splits, says if against else ""),
        asked=asked(question),
        complete=rests.whole,
        strength=number(strength),
        word=word,
        side=side(strength) if claim else 0,
        base=tidy(base),
        balance=balance,
        reasons=direct_reasons(question),
        camps=_camp_views(question),
        others=others,
        grounded=grounded,
        grounded_says=says,
        plain_loops=number(plain),
        depends_on_semantics=splits,
        depends_on_grounded=against,
        feedback_sensitive=not abs(plain - strength) <= question.settings.feedback,
        fail_safe=fail_safe(strength, question.settings.gain) if claim else None,
        effective_sources=tidy(effective(np.abs(signed).sum(axis=0))),
        sources=len(unit_members(question)),
        unsupported=_unsupported(question, balance),
        crossing=tuple(question.graph.ids[i] for i in camps_of(question).crossing),
    )


@once
def balance_of(question: Question) -> Balance:
    """Reasons for and against what is asked, in nats."""
    shares = all_shares(question)[question.graph.into(question.node)]
    return weigh(shares)


def weigh(shares: Floats) -> Balance:
    """The balance of signed shares."""
    pro, con = float(shares[shares > 0.0].sum()), float(-shares[shares < 0.0].sum())
    volume = pro + con
    conflict = 2.0 * min(pro, con) / volume if volume > 0.0 else 0.0
    return Balance(pro=tidy(pro), con=tidy(con), volume=tidy(volume), conflict=tidy(conflict))


@once
def direct_reasons(question: Question) -> tuple[Reason, ...]:
    """The direct reasons, the heaviest first; shares that add up to the change in log-odds."""
    graph, shares = question.graph, all_shares(question)
    found = [reason_at(question, arc, shares[arc]) for arc in _heavy(question, shares)]
    return tuple(found) if len(graph.src) else ()


def _heavy(question: Question, shares: Floats) -> list[int]:
    graph = question.graph
    arcs = graph.into(question.node).tolist()
    return sorted(arcs, key=lambda a: (-abs(round(float(shares[a]), 9)), graph.ids[graph.src[a]]))


def reason_at(question: Question, arc: int, share: float) -> Reason:
    """The direct reason that an arc of the question's graph brings."""
    graph, node = question.graph, int(question.graph.src[arc])
    return Reason(
        statement=graph.ids[node],
        title=question.statement_at(node).title,
        edge=graph.edges[arc],
        strength=number(question.strengths[node]),
        weight=tidy(graph.w[arc]),
        share=tidy(share),
    )


@once
def other_strengths(question: Question) -> dict[str, float | None]:
    """The strength of what is asked under the other semantics that are shown beside it."""
    found: dict[str, float | None] = {}
    for name in SECOND_OPINIONS:
        if name != question.settings.semantics:
            settings = question.settings.model_copy(update={"semantics": name})
            strengths = solve(question.graph.having(settings=settings)).strength
            found[name] = number(strengths[question.node])
    return found


def _plain_loops(question: Question) -> float:
    if not plan_of(question.graph).loops or question.settings.loops == "sum":
        return question.strength
    settings = question.settings.model_copy(update={"loops": "sum"})
    return float(solve(question.graph.having(settings=settings)).strength[question.node])


def disagree(strength: float, others: Mapping[str, float | None]) -> bool:
    """Whether another semantics comes out on the other side of one half."""
    sides = {side(s) for s in (strength, *others.values()) if s is not None}
    return {1, -1} <= sides


def differs(strength: float, grounded: str) -> bool:
    """Whether Dung's label, in or out, is on the other side of one half."""
    return bool(side(strength) * {"in": 1, "out": -1}.get(grounded, 0) < 0)


def fail_safe(strength: float, gain: float) -> int | None:
    """Flawless contrary studies needed to bring the strength to ½; `None` where there is none.

    After Rosenthal's fail-safe number (1979); exact under the logistic semantics.
    """
    if math.isnan(strength) or strength in (0.0, 1.0):
        return None
    return math.ceil(round(abs(logit(strength)) / gain, 9))


def _camp_views(question: Question) -> tuple[CampView, ...]:
    camps, seen = camps_of(question), views(question)
    return tuple(
        CampView(
            camp=camp,
            side=camps.sign[camp],
            statements=len(camps.members(camp)),
            strength=number(seen[question.node, column]),
        )
        for column, camp in enumerate(camps.names)
    )


def _unsupported(question: Question, balance: Balance) -> float:
    """The share of the balance that comes from claims which no chain of evidence supports."""
    graph = question.graph
    arcs = graph.into(question.node)
    bare = ~supported(question)[graph.src[arcs]] & graph.claim[graph.src[arcs]]
    weight = float(np.abs(all_shares(question)[arcs][bare]).sum())
    return tidy(weight / balance.volume) if balance.volume > 0.0 else 0.0


@once
def supported(question: Question) -> Bools:
    """Which statements of the question's graph some evidence supports, directly or by a chain."""
    return reached_by_support(question.graph, question.graph.base)


def _sentence(question: Question, word: str, balance: Balance, splits: bool, objection: str) -> str:
    title = question.title.rstrip(".?!")
    if word == UNSETTLED:
        return f"No stable strength could be found for “{title}”, so there is no verdict."
    if not question.graph.claim[question.node]:
        return f"{word.capitalize()}: how much the evidence “{title}” can carry, from 0 to 1."
    if word == "open":
        return f"Open: too little in this corpus bears on “{title}” to say."
    most = "; another way of weighing comes out on the other side" if splits else ""
    objection = f"; {objection}" if objection else ""
    return (
        f"{word.capitalize()}: this corpus backs “{title}” at {question.strength:.2f} "
        f"({balance.pro:.2f} for, {balance.con:.2f} against){most}{objection}."
    )
