"""The independent sources on which an answer rests, and the answer without each of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kg.corpus.independent_sources import render_source_group
from kg.model import SourceKey, StatementId, Value
from kg.reasoning.asked_question import asked_about
from kg.reasoning.graph.arrays import (
    ROUNDING,
    Bools,
    Floats,
    Ints,
    effective_sources,
    round_off,
    round_off_or_none,
)
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.source_groups import (
    carrying_works,
    describe_any_of,
    describe_deciding_sources,
    evidence_by_source_group,
    source_group_title,
    works_of_source_group,
)
from kg.reasoning.losses.source_losses import (
    SourceLosses,
    contributions_by_arc_and_source,
    contributions_by_source,
    losses_by_source,
    nats_passed_on,
    shares_lost_by_source,
)
from kg.reasoning.other_rules.semantics import semantics_of
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.shares import arc_shares_of
from kg.reasoning.solution import solve
from kg.reasoning.strength_words import NO_SIDE, side_of, strength_in_table, strength_word
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reasoning.word_and_side import SideChange, describe_side_change, side_by_strength
from kg.reporting.plots import Axes, MovedStrength, draw_moves
from kg.reporting.report import Report, Table, columns, list_names, table
from kg.text.plurals import join_with_and, pluralize


class SourceEffect(Value, frozen=True, omit_defaults=False):
    """The effect of one independent source on an answer.

    `source_group` is its name. `sources` are its works that bear
    on the question (none for evidence that cites nothing), and `carried_by` those of them by which
    it moves the answer, the heaviest first; `strength` is that of the answer without it,
    `effect` what it adds (negative if it takes away), `undoes` whether the answer leaves its side
    without it, `decides` whether it gains one; `routes` are the direct reasons by which it is
    heard, or that lose strength without it. `pro` and `con` are what it adds, in nats for and
    against; a source may speak on both sides, and one that only weakens or strengthens others'
    reasons has no part.
    """

    source_group: str
    sources: tuple[SourceKey, ...]
    carried_by: tuple[SourceKey, ...]
    evidence: tuple[StatementId, ...]
    strength: float | None
    effect: float | None
    undoes: bool
    decides: bool
    routes: tuple[StatementId, ...]
    pro: float
    con: float

    @property
    def title(self) -> str:
        """The work that carries most of it, and the number of other works that go with it."""
        first = f"@{self.carried_by[0]}" if self.carried_by else self.source_group
        return render_source_group(first, len(self.sources) - 1)

    @property
    def side_change(self) -> SideChange:
        """What its loss does to the side of the answer."""
        return "undoes" if self.undoes else "decides" if self.decides else "keeps"


SOURCE_EFFECT = columns(
    SourceEffect,
    ("source", lambda s: s.title),
    ("items", lambda s: len(s.evidence)),
    "for: pro, against: con, effect",
    ("strength without", lambda s: strength_in_table(s.strength)),
    ("the answer", lambda s: describe_side_change(s.side_change)),
    ("reasons", lambda s: len(s.routes)),
    meaning="effect: what the source adds to the strength, less than 0 if it takes away; "
    "reasons: by how many direct reasons it is heard, or how many lose by its loss",
)


class Independence(WeighedAnswer, frozen=True, kw_only=True):
    """The independent sources that an answer hangs on.

    `pro` and `con` are the totals of all reasons. What all sources add adds up to these, except for
    `sourceless`, what fallen premises add (`None` if sources are not followed; then a source adds
    what its reasons lose without it). `effective` is (Σ m)² / Σ m², with m what a source adds, for
    and against; `several_routes` are the source groups that reach the answer by two
    or more routes; `single_source` is true if the answer would leave its side without some one
    source. `discounted` is the strength if each source counted once, by however many claims it
    reaches the answer (`None` if reasons do not add up): with `transfer = "routes"` and `repeat` at
    0, the defaults, that is the strength itself.
    """

    strength: float | None
    discounted: float | None
    pro: float
    con: float
    sourceless: float | None
    effective: float
    effects: tuple[SourceEffect, ...]
    several_routes: tuple[str, ...]
    single_source: bool

    def report(self) -> Report:
        same = self.discounted == self.strength
        can_leave_side = any(each.undoes for each in self.effects)
        facts = {
            "strength": self.strength,
            "strength if each source counted once": "" if same else self.discounted,
            "for": self.pro,
            "against": self.con,
            "of both, what no source adds": self.sourceless or "",
            "sources of equal weight, for and against": self.effective,
            "one source alone could undo it": self.single_source if can_leave_side else "",
        }
        several = list_names("sources that reach it by several ways", self.several_routes)
        return self.as_report(facts, *self.detail_tables(), *several)

    def plot(self, ax: Axes | None = None) -> Axes:
        """A tornado chart of the strength (0 to 1) without each source, the largest move first.

        Draws with matplotlib, on `ax` if it is given. Raises `MissingLibrary`.

        `corpus.independence("social-grounding").plot()`
        """
        moves = [MovedStrength(f"without {each.title}", each.strength) for each in self.effects]
        return draw_moves(self.asked.title, self.strength, moves, ax=ax)

    def detail_tables(self) -> tuple[Table, ...]:
        return (table("effects", self.effects, SOURCE_EFFECT),)


def _is_silenced(question: Question, arcs: Ints, losses: SourceLosses) -> Bools:
    """Return whether the loss of a source group (arcs × source groups) makes a premise weaker than
    the currently weakest one, so that its joint reason loses strength.
    """
    graph = question.graph
    arc_premise = question.graph.arc_premise[arcs]
    current_nats = nats_passed_on(graph, arc_premise, question.strengths[arc_premise][:, None])
    nats_without = nats_passed_on(graph, arc_premise, losses.strengths_of(arc_premise))
    is_silenced = np.zeros(nats_without.shape, dtype=bool)
    for reason in np.unique(graph.joint[arcs][graph.joint[arcs] >= 0]).tolist():
        premises = np.flatnonzero((graph.joint[arcs] == reason) & (graph.arc_weight[arcs] != 0.0))
        is_silenced[premises] = (
            nats_without[premises] < current_nats[premises].min(initial=np.inf) - ROUNDING
        )
    return is_silenced


class ContributingSources(Value, frozen=True, omit_defaults=False):
    """The independent sources that an answer rests on. `count` is how many add something (evidence
    has its own), `effective` how many of equal weight these come to. `nats` is what all add, and
    `heaviest` what the heaviest does.
    """

    count: int
    effective: float
    nats: float
    heaviest: float


def contributing_sources(question: Question) -> ContributingSources:
    """Measure how the nats of an answer are spread over independent sources."""
    sides = contributions_by_source(question, question.node, losses_by_source(question))
    nats = np.add(*sides)
    if question.graph.is_claim[question.node]:
        count = int((nats > ROUNDING).sum())
    else:
        count = sum(question.node in nodes for nodes in evidence_by_source_group(question).values())
    return ContributingSources(
        count=count,
        effective=round_off(effective_sources(nats)),
        nats=round_off(float(np.sum(sides))),
        heaviest=round_off(float(nats.max(initial=0.0))),
    )


@accepts_corpus
def independence(reading: Reading, name: str) -> Independence | LineWithoutProposition:
    """The sources that the answer to `name` (a line or a statement) hangs on, first those whose
    loss moves it most.

    Raises `UnknownId`.

    `corpus.independence("social-grounding")`
    """
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    losses = losses_by_source(question)
    node = question.node
    source_nats = contributions_by_source(question, node, losses)
    by_arc = contributions_by_arc_and_source(question, node, losses)
    arcs = question.graph.arcs_bearing_on(node)
    shares = arc_shares_of(question)[arcs]
    signed = shares_lost_by_source(question, node, losses)
    # a source reaches the answer by an arc on which it speaks, or which would lose strength or
    # fall silent without it
    reaches = (
        (np.abs(signed) > ROUNDING)
        | (np.abs(by_arc) > ROUNDING)
        | _is_silenced(question, arcs, losses)
    )
    effects = sorted(
        (
            _effect_of_group(question, column, arcs[reaches[:, column]], source_nats)
            for column in range(len(losses.source_groups))
        ),
        key=lambda e: (-abs(e.effect or 0.0), -e.pro - e.con, e.source_group),
    )
    turning = [e for e in effects if e.undoes or e.decides]
    pro = float(shares[shares > 0.0].sum())
    con = float(-shares[shares < 0.0].sum())
    return Independence(
        sentence=_independence_sentence(question, effects, turning),
        asked=asked_about(question),
        complete=losses.complete,
        strength=round_off_or_none(question.strength_or_nan),
        discounted=_strength_by_best_routes(question, shares, signed),
        pro=round_off(pro),
        con=round_off(con),
        sourceless=_sourceless_part(question, pro + con - float(np.sum(source_nats))),
        effective=round_off(effective_sources(np.add(*source_nats))),
        effects=tuple(effects),
        several_routes=tuple(e.source_group for e in effects if len(e.routes) > 1),
        single_source=any(e.undoes for e in effects),
    )


def _sourceless_part(question: Question, nats_left: float) -> float | None:
    """The nats that no source adds, if the part of each is known."""
    return (
        round_off(nats_left)
        if question.settings.follows_routes and losses_by_source(question).complete
        else None
    )


def _effect_of_group(
    question: Question, column: int, arcs: Ints, nats: tuple[Floats, Floats]
) -> SourceEffect:
    """The answer without source group `column`, which reaches it by `arcs`; `nats` are the parts of
    each source for and against it.
    """
    graph = question.graph
    losses = losses_by_source(question)
    name = losses.source_groups[column]
    outcome_without = losses.outcome[:, column]
    strength_without = float(outcome_without[0])
    side_with = side_by_strength(question)
    side_without = NO_SIDE
    if graph.is_claim[question.node]:  # evidence takes no side
        side_without = side_of(strength_word(outcome_without, question.settings))
    pro, con = nats
    return SourceEffect(
        source_group=name,
        sources=works_of_source_group(question, name),
        carried_by=carrying_works(question, name),
        evidence=tuple(graph.ids[i] for i in losses.evidence[column].tolist()),
        strength=round_off_or_none(strength_without),
        effect=round_off_or_none(question.strength_or_nan - strength_without),
        undoes=side_with != NO_SIDE and side_without != side_with,
        decides=side_with == NO_SIDE and side_without != NO_SIDE,
        routes=tuple(dict.fromkeys(graph.ids[i] for i in graph.arc_premise[arcs].tolist())),
        pro=round_off(pro[column]),
        con=round_off(con[column]),
    )


def _strength_by_best_routes(question: Question, shares: Floats, signed: Floats) -> float | None:
    """The strength if each source counted, for and against, only by the heaviest of its routes."""
    semantics = semantics_of(question.graph)
    if question.settings.follows_routes:
        if not question.settings.repeat:
            return round_off_or_none(question.strength_or_nan)
        once_each = question.settings.model_copy(update={"repeat": 0.0})
        solved = solve(question.graph.with_values(settings=once_each))
        return round_off_or_none(solved.strength[question.node])
    if not semantics.is_additive:
        return None
    total = float(shares.sum())
    for sign in (1.0, -1.0):
        part = np.maximum(sign * signed, 0.0)
        total -= sign * float((part.sum(axis=0) - part.max(axis=0, initial=0.0)).sum())
    base = question.graph.base[[question.node]]
    return round_off_or_none(float(semantics.influence(base, np.array([total]))[0]))


def _independence_sentence(
    question: Question, effects: Sequence[SourceEffect], turning: Sequence[SourceEffect]
) -> str:
    if not effects:
        return f"No evidence bears on “{question.title}”."
    if not question.graph.is_claim[question.node]:
        return _evidence_sentence(question, effects)
    adding = [e for e in effects if e.pro + e.con > ROUNDING]
    rests = pluralize(len(adding), "independent source") if adding else "no independent source"
    text = f"“{question.title}” hangs on {rests}"
    text += _describe_effective_number([e.pro + e.con for e in adding]) + _describe_sides(adding)
    text += _describe_further_sources(effects)
    names = [source_group_title(question, e.source_group) for e in turning]
    if not side_by_strength(question):
        return f"{text}; as things stand it is on neither side{describe_deciding_sources(names)}."
    if not turning:
        return f"{text}; it stands without any one of them."
    return f"{text}; without {describe_any_of(names)} it would fall."


def _evidence_sentence(question: Question, effects: Sequence[SourceEffect]) -> str:
    """Say what a piece of evidence rests on: what it cites, not what supports or attacks it."""
    own_sources = [e for e in effects if question.graph.ids[question.node] in e.evidence]
    names = [source_group_title(question, e.source_group) for e in own_sources if e.sources]
    sources = "its own source" if len(names) == 1 else "its own sources"
    rests = (
        f"rests on {sources}: {join_with_and(names)}" if names else "cites no source that stands"
    )
    further = len(effects) - len(own_sources)
    bear = "bears" if further == 1 else "bear"
    rest = f"; {pluralize(further, 'other independent source')} {bear} on it"
    return f"“{question.title}” is evidence and {rests}{rest if further else ''}."


def _describe_sides(adding: Sequence[SourceEffect]) -> str:
    """Say how many of the sources that add something speak on which side."""
    both = sum(e.pro > ROUNDING and e.con > ROUNDING for e in adding)
    pro = sum(e.pro > ROUNDING for e in adding) - both
    con = len(adding) - both - pro
    counts = (pro, "only for it"), (con, "only against it"), (both, "both for and against it")
    phrases = [f"{_describe_count(count, 'speak')} {where}" for count, where in counts if count]
    return f" ({join_with_and(phrases)})" if phrases else ""


def _describe_further_sources(effects: Sequence[SourceEffect]) -> str:
    """Say how many sources add nothing, as the end of a sentence."""
    adding_nothing = [e for e in effects if e.pro + e.con <= ROUNDING]
    moving = sum(abs(e.effect or 0.0) > ROUNDING for e in adding_nothing)
    counts = (
        (moving, "move", "it only through what others' reasons weigh"),
        (len(adding_nothing) - moving, "move", "nothing"),
    )
    phrases = [
        f"{_describe_count(count, verb)} {predicate}" for count, verb, predicate in counts if count
    ]
    return f"; besides, {join_with_and(phrases)}" if phrases else ""


def _describe_count(count: int, verb: str) -> str:
    return f"{count} {verb}s" if count == 1 else f"{count} {verb}"


def _describe_effective_number(parts: Sequence[float]) -> str:
    """The effective number of several sources, by what they add, in words."""
    if len(parts) < 2:
        return ""
    return f", together worth {effective_sources(np.array(parts)):.1f} of equal weight"
