"""The claims that the sides should discuss, and those that would change the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np

from kg.corpus.reasons_for_and_against import contradicting_claims
from kg.corpus.same_and_superseded import same_statements
from kg.model import StatementId, Value
from kg.reasoning.asked_question import asked_about
from kg.reasoning.graph.arrays import Floats, Ints, round_off, round_off_or_none
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.camp_views import camps_of, strengths_by_camp
from kg.reasoning.scenarios import keep_outcome, run_settled
from kg.reasoning.sensitivity.proposed_studies import (
    GOOD_SAMPLE,
    GOOD_STUDY,
    ProposedStudy,
    claims_to_try,
    studies_for,
    study_sentence,
)
from kg.reasoning.strength_words import render_strength, sides_of_outcomes, strength_in_table
from kg.reasoning.sureness_words import answer_phrase
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reasoning.word_and_side import SideChange, side_by_strength, side_change
from kg.reporting.report import Report, columns, lines_in_cell, render_cell, table
from kg.text.sentences import quote_title

CRUXES_SHOWN = 5  # as many as can be discussed in one sitting
OVERTURNS, DECIDES, SHAKES = (
    "What would overturn it",
    "What would decide it",
    "What would shake it most",
)
# What a claim on which much hangs is called if camps are known to disagree, and if not.
CruxKind = Literal["crux", "claim it hangs on"]
STUDY = columns(
    ProposedStudy,
    "statement, if it: relation, quality",
    ("strength then", lambda s: strength_in_table(s.strength)),
    ("at most then", lambda s: answer_phrase(s.word)),
    "decides",
)


class Crux(Value, frozen=True, omit_defaults=False):
    """A claim on which much hangs."""

    statement: StatementId
    title: str
    strength: float | None
    """That of the claim."""
    if_true: float
    """The strength of the answer with the claim held at 1."""
    if_false: float
    """The strength of the answer with the claim held at 0."""
    swing: float
    """The difference of these two."""
    disagreement: float
    """How far apart the camps see the claim."""
    views: dict[str, float | None]
    """The strength of the claim as each camp sees it."""
    score: float
    """What it is ranked by (see `Cruxes`)."""
    turns: bool
    """Whether either takes the answer to the other side."""
    undoes: bool
    """Whether either takes the answer from its side, or gives it one if it has none."""
    when_true: SideChange
    """What happens to the answer's side if the claim is held at 1."""
    when_false: SideChange
    """The same at 0."""
    denies: bool = False
    """Whether it and what is asked about contradict each other outright: to settle one then settles
    the other.
    """

    @property
    def settles(self) -> bool:
        """Whether settling the claim gives the answer a side, or the other one."""
        return not {"turns", "decides"}.isdisjoint((self.when_true, self.when_false))

    @property
    def effect_name(self) -> str:
        """The name for what the claim would do to the answer: one that only leaves it undecided
        does not overturn it.
        """
        side_changes = {self.when_true, self.when_false}
        if "turns" in side_changes:
            return OVERTURNS
        return DECIDES if "decides" in side_changes else SHAKES

    @property
    def side_changes(self) -> tuple[tuple[SideChange, str], ...]:
        """The changes of the answer's side, with `if true`, `if false` or `either way`; empty if it
        keeps its side both ways.
        """
        if self.when_true == self.when_false:
            ways = ((self.when_true, "either way"),)
            return ways if self.undoes else ()
        both = (self.when_true, "if true"), (self.when_false, "if false")
        return tuple(each for each in both if each[0] != "keeps")

    def describe_settling(self, answer: str = "it") -> str:
        """`side_changes` in words, such as `turns it if true`; `answer` is named the first time."""
        names = (answer, "it")
        parts = [
            f"{change} {name} {condition}"
            for (change, condition), name in zip(self.side_changes, names, strict=False)
        ]
        return " and ".join(parts)


CRUX = columns(
    Crux,
    "statement",
    (
        "strength each camp alone sees",
        lambda c: lines_in_cell(
            *(f"{name} {render_cell(strength)}" for name, strength in c.views.items())
        ),
    ),
    "if true, if false",
    ("if settled", lambda c: c.describe_settling() or "–"),
    "score",
    meaning="score: how far apart the camps are, times how far it moves the answer",
)
UNDISPUTED = columns(
    Crux,
    "statement, if true, if false",
    ("once settled", lambda c: c.describe_settling() or "–"),
    "score",
    meaning="score: how far it moves the answer, times 4s(1 − s), s its strength: 1 where "
    "it is wholly open",
)


class _CruxRank(NamedTuple):
    """The sort key of a crux: false comes before true."""

    spares_side: bool
    denies_question: bool
    leaves_undecided: bool
    negative_swing: float


def rank_by_effect(cruxes: Iterable[Crux]) -> list[Crux]:
    """Disputed claims in the order of what settling them would do to the answer.

    Claims that would change its side come first. Within each group, claims that deny what is asked
    about come last; then those that would settle the answer come before those that only leave it
    undecided, and of these the largest swing first. Otherwise the given order is kept.
    """

    def rank(crux: Crux) -> _CruxRank:
        leaves_undecided = crux.undoes and not crux.settles
        return _CruxRank(
            spares_side=not crux.undoes,
            denies_question=crux.denies,
            leaves_undecided=leaves_undecided,
            negative_swing=-round(abs(crux.swing), 6) if leaves_undecided else 0.0,
        )

    return sorted((each for each in cruxes if each.score > 0.0), key=rank)


class Cruxes(WeighedAnswer, frozen=True, kw_only=True):
    """The claims that the answer hangs on, the weightiest first.

    `kind` is crux if the notes name two camps here; the score is then swing · disagreement.
    Otherwise no one is known to disagree: it is `claim it hangs on`, and the score is
    swing · 4 s (1 - s). `below` is the crux of the first. `studies` are new studies that would
    settle the question most, first those that would give the answer a side or take it away.
    `undoing` is the claim that would change the answer most, were it settled: the first of
    `rank_by_effect` that takes it from its side and does not merely deny it.
    """

    kind: CruxKind
    tried: int
    cruxes: tuple[Crux, ...]
    below: Crux | None
    studies: tuple[ProposedStudy, ...] = ()
    undoing: Crux | None = None

    def report(self) -> Report:
        proposed = f"an {GOOD_STUDY.method}, {GOOD_SAMPLE}, peer reviewed"
        name = "what the first of these hangs on most in turn"
        columns = CRUX if self.kind == "crux" else UNDISPUTED
        return self.as_report(
            {"kind": self.kind, "claims tried": self.tried},
            table("cruxes, weighed for what was asked", self.cruxes, columns),
            table(name, (self.below,) if self.below else (), columns),
            table(f"studies that would settle most: {proposed}", self.studies, STUDY),
        )


@accepts_corpus
def crux(reading: Reading, name: str, k: int = CRUXES_SHOWN) -> Cruxes | LineWithoutProposition:
    """The `k` claims that the answer to `name` hangs on most.

    After Double Crux (CFAR): a statement on which both sides disagree and that would change both
    minds. Raises `UnknownId`.

    `corpus.crux("social-grounding")`
    """
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    nodes = claims_to_try(question)
    cruxes = _heaviest_cruxes(question, nodes, max(k, CRUXES_SHOWN))
    first = cruxes[0] if cruxes and cruxes[0].score > 0.0 else None
    below = None
    if first is not None:
        # two, as in a circle what was asked bears on its own crux, and is then left out
        asked_below = reading.question_of_statement(first.statement, question.line_id)
        cruxes_below = _heaviest_cruxes(asked_below, claims_to_try(asked_below), 2)
        asked_statement = question.graph.ids[question.node]
        others = [each for each in cruxes_below if each.statement != asked_statement]
        below = others[0] if others and others[0].score > 0.0 else None
    studies, all_tried = studies_for(question, k)
    kind: CruxKind = "crux" if camps_of(question).declared else "claim it hangs on"
    changing = (each for each in rank_by_effect(cruxes) if each.undoes and not each.denies)
    undoing = next(changing, None)
    sentences = (
        _crux_sentence(question, kind, first),
        _sentence_on_changing_claim(undoing, first),
        study_sentence(question, studies),
    )
    return Cruxes(
        sentence=" ".join(filter(None, sentences)),
        asked=asked_about(question),
        complete=len(nodes) == len(question.claim_nodes) and all_tried,
        kind=kind,
        tried=len(nodes),
        cruxes=tuple(cruxes[:k]),
        below=below,
        studies=studies,
        undoing=undoing,
    )


def _heaviest_cruxes(question: Question, nodes: Ints, k: int) -> list[Crux]:
    """The `k` of the claims `nodes` that bear most on a question, by score."""
    if not len(nodes):
        return []
    outcomes = run_settled(question.graph, nodes.tolist(), keep_outcome(question.node))
    if_true, if_false = outcomes[0]
    sides_by_end = sides_of_outcomes(outcomes, question.settings)
    sides_by_end *= question.graph.is_claim[question.node]  # evidence has no side
    views = strengths_by_camp(question)[nodes]
    s = question.strengths[nodes]
    disagreement: Floats = views.max(axis=1) - views.min(axis=1)
    # 4 s (1 − s) is 1 at ½ and 0 where a claim is as good as settled
    weight = disagreement if camps_of(question).declared else 4.0 * s * (1.0 - s)
    score: Floats = np.abs(if_true - if_false) * weight
    ids = question.graph.ids
    order = sorted(
        range(len(nodes)),
        key=lambda i: (
            -round_off(float(score[i])),
            -abs(round_off(float(if_true[i] - if_false[i]))),
            ids[nodes[i]],
        ),
    )
    return [
        _make_crux(
            question,
            int(nodes[i]),
            (if_true[i], if_false[i]),
            disagreement[i],
            score[i],
            sides_by_end[:, i],
        )
        for i in order[:k]
    ]


def _make_crux(
    question: Question,
    node: int,
    strengths_by_end: tuple[float, float],
    disagreement: float,
    score: float,
    sides_by_end: Ints,
) -> Crux:
    camps = camps_of(question)
    if_true, if_false = strengths_by_end
    current_side = side_by_strength(question)
    views = strengths_by_camp(question)[node].tolist()
    return Crux(
        statement=question.graph.ids[node],
        title=question.statement_at(node).title,
        strength=round_off_or_none(question.strengths[node]),
        if_true=round_off(if_true),
        if_false=round_off(if_false),
        swing=round_off(if_true - if_false),
        disagreement=round_off(disagreement),
        views={camp: round_off_or_none(x) for camp, x in zip(camps.names, views, strict=True)},
        score=round_off(score),
        turns=bool(current_side) and bool((sides_by_end == -current_side).any()),
        undoes=bool((sides_by_end != current_side).any()),
        when_true=side_change(current_side, int(sides_by_end[0])),
        when_false=side_change(current_side, int(sides_by_end[1])),
        denies=_contradicts_question(question, question.graph.ids[node]),
    )


def _contradicts_question(question: Question, claim: StatementId) -> bool:
    corpus = question.reading.corpus
    denied_claims = contradicting_claims(corpus, question.graph.ids[question.node])
    return not {*denied_claims}.isdisjoint(same_statements(corpus, claim))


def _sentence_on_changing_claim(changing: Crux | None, first: Crux | None) -> str:
    """A sentence about the claim that would undo the answer; empty if `first` is the same claim."""
    if changing is None or (first is not None and changing.statement == first.statement):
        return ""
    effect = changing.describe_settling("the answer")
    return f"{changing.effect_name} is {quote_title(changing.title)}: settling it {effect}."


def _crux_sentence(question: Question, kind: CruxKind, first: Crux | None) -> str:
    title = quote_title(question.title)
    if first is None:
        return f"No claim that bears on {title} is both disputed and able to move it."
    effect = first.describe_settling("the answer")
    ends = [render_strength(each, question.settings) for each in (first.if_false, first.if_true)]
    end = f"({ends[0]} if false, {ends[1]} if true)"
    if effect:
        end = f"settling it {effect} {end}"
    elif side_by_strength(question):
        end = f"it moves the answer within its side {end}"
    else:
        end = f"it moves the answer, which has no side, from {ends[0]} (if false) to {ends[1]}"
    name = f"crux of {title}" if kind == "crux" else f"claim that {title} hangs on most"
    if kind == "crux":
        name += ", on which the camps differ most for what it moves,"
    return f"The {name} is {quote_title(first.title)}: {end}."
