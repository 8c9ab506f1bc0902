"""The effect of each piece of evidence on an answer: what its withdrawal would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kg.model import StatementId, Value
from kg.reasoning.asked_question import asked_about
from kg.reasoning.default_rule.strengths_by_voices import voices_of
from kg.reasoning.graph.arrays import (
    Floats,
    Ints,
    effective_source_counts,
    effective_sources,
    round_off,
    round_off_or_none,
)
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.source_groups import source_group_numbers
from kg.reasoning.losses.source_losses import (
    FEWEST_LOSSES_TRIED,
    contributions_by_source,
    losses_by_source_of_all_statements,
)
from kg.reasoning.reading import Question, Reading, accepts_corpus
from kg.reasoning.reasons.shares import (
    MAX_PLAYERS_EXACT,
    removal_effect_of,
    sample_shapley_values,
    shapley_values,
    slopes_of,
)
from kg.reasoning.scenarios import keep_strengths, run_muted
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, columns, table
from kg.runtime.memoize import memoize


@dataclass(frozen=True, slots=True)
class RemovalEffects:
    """Numbers of evidence, and the strength that each adds (negative: takes away).

    `complete` is false if only those likely to matter most were tried.
    """

    nodes: Ints
    strengths_added: Floats
    complete: bool


@memoize
def removal_effects(question: Question) -> RemovalEffects:
    """The removal effect of each piece of evidence on the statement asked about."""
    nodes = question.evidence
    room = max(question.affordable(), FEWEST_LOSSES_TRIED)
    is_complete = len(nodes) <= room
    if not is_complete:
        weight = np.abs(slopes_of(question)) * question.strengths
        nodes = nodes[np.argsort(-weight[nodes], kind="stable")[:room]]
    effects = removal_effect_of(question.graph, question.solution, question.node, nodes.tolist())
    return RemovalEffects(nodes, effects, is_complete)


def removal_effects_within(questions: Sequence[Question]) -> list[RemovalEffects]:
    """`removal_effects` of several questions of one reading, removing each piece once for all."""
    if len(questions) < 2:
        return [removal_effects(question) for question in questions]
    corpus_question = questions[0].reading.corpus_question
    nodes = corpus_question.evidence
    asked_nodes = [int(q.numbers[q.node]) for q in questions]
    # beyond the budget each tries what matters most to it, and hardly anything is shared
    if len(nodes) > max(corpus_question.affordable(), FEWEST_LOSSES_TRIED):
        return [removal_effects(question) for question in questions]
    groups = [np.array([i]) for i in nodes.tolist()]
    strengths_without = run_muted(
        corpus_question.graph, groups, keep_strengths(np.array(asked_nodes))
    )
    effects = []
    for question, row in zip(questions, strengths_without, strict=True):
        columns = np.searchsorted(nodes, question.numbers[question.evidence])
        effects.append(
            RemovalEffects(question.evidence, question.strength_or_nan - row[columns], True)
        )
    return effects


class Contribution(Value, frozen=True, omit_defaults=False):
    """The contribution of one piece of evidence to an answer, measured in three ways.

    `removal` is what would be lost without it, `gradient` the slope of the answer by its base,
    `shapley` its Shapley value, `error` the standard error of that if it was sampled
    (`shapley` is `None` if there are too many pieces).
    """

    statement: StatementId
    title: str
    base: float
    removal: float
    gradient: float
    shapley: float | None
    error: float | None


CONTRIBUTION = columns(Contribution, "statement, base, removal, gradient, shapley, error")


class Contributions(WeighedAnswer, frozen=True, kw_only=True):
    """The contribution of each piece of evidence to an answer, the largest first."""

    strength: float | None
    contributions: tuple[Contribution, ...]

    def report(self) -> Report:
        contributions_table = table("contributions", self.contributions, CONTRIBUTION)
        return self.as_report({"strength": self.strength}, contributions_table)


@accepts_corpus
def contributions(
    reading: Reading, name: str, orders: int = 0, seed: int = 0
) -> Contributions | LineWithoutProposition:
    """The contribution of each piece of evidence to the answer to `name`.

    Shapley values are exact for up to 14 pieces within the budget; for more they are sampled
    from that many `orders` of arrival (ten or more), with their error. No single measure has all
    the desirable properties (Kampik et al., IJAR 2024), so there are three. Raises `UnknownId`.

    `kg.contributions(corpus, "social-grounding")`
    """
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    effects = removal_effects(question)
    shapley = _exact_or_sampled_values(question, effects, orders, seed)
    contribution_list = []
    for position, node in enumerate(effects.nodes.tolist()):
        contribution_list.append(
            Contribution(
                statement=question.graph.ids[node],
                title=question.statement_at(node).title,
                base=round_off(question.graph.base[node]),
                removal=round_off(effects.strengths_added[position]),
                gradient=round_off(slopes_of(question)[node]),
                shapley=None if shapley is None else round_off(shapley[0][position]),
                error=None if shapley is None else round_off_or_none(shapley[1][position]),
            )
        )
    contribution_list.sort(key=lambda c: (-abs(c.removal), c.statement))
    return Contributions(
        sentence=_contributions_sentence(question, contribution_list),
        asked=asked_about(question),
        complete=effects.complete and shapley is not None,
        strength=round_off_or_none(question.strength_or_nan),
        contributions=tuple(contribution_list),
    )


def _exact_or_sampled_values(
    question: Question, effects: RemovalEffects, orders: int, seed: int
) -> tuple[Floats, Floats] | None:
    """Shapley values and their standard errors (NaN if exact); `None` if too costly."""
    players = len(effects.nodes)
    cost = max(len(question.graph.arc_premise), 1)
    if not effects.complete:
        return None
    if players <= MAX_PLAYERS_EXACT and 2**players * cost <= question.settings.budget:
        exact = shapley_values(question.graph, question.node, effects.nodes)
        return exact, np.full(players, np.nan)
    if orders < 1:
        return None
    return sample_shapley_values(question.graph, question.node, effects.nodes, orders, seed)


def _contributions_sentence(question: Question, listed: list[Contribution]) -> str:
    if not listed:
        return f"No evidence bears on “{question.title}”."
    first = listed[0]
    if f"{abs(first.removal):.2f}" == "0.00":
        return f"No piece of evidence alone changes the strength of “{question.title}”."
    verb = "adds" if first.removal > 0.0 else "takes away"
    return f"“{first.title}” {verb} most: {abs(first.removal):.2f} of strength."


@memoize
def effective_backers(question: Question) -> Floats | None:
    """Return how many sources of equal weight speak for each statement; `None` if that would take
    too large a table.
    """
    if question.settings.follows_routes:
        return _effective_backers_by_voice(question)
    losses = losses_by_source_of_all_statements(question)
    if losses is None:
        return None
    backer_counts = np.zeros(question.graph.size)
    for node in question.claim_nodes.tolist():
        backer_counts[node] = effective_sources(contributions_by_source(question, node, losses)[0])
    return backer_counts


def _effective_backers_by_voice(question: Question) -> Floats:
    """Return for each statement (n) the effective number of the sources heard for it."""
    graph = question.graph
    targets, mass = _voices_by_statement(question)
    totals = np.asarray(np.bincount(targets, mass, graph.size), dtype=float)
    squares = np.asarray(np.bincount(targets, mass * mass, graph.size), dtype=float)
    return effective_source_counts(totals, squares)


def _voices_by_statement(question: Question) -> tuple[Ints, Floats]:
    """Return, for each pair of a statement and a source that speaks for it, the statement and the
    nats.
    """
    voices = voices_of(question.graph)
    graph = question.graph
    source_group_ids = np.array(list(source_group_numbers(question).values()), dtype=np.int64)
    nats = voices.nats
    is_counted = (
        (nats > 0.0)
        & np.isin(voices.source_group, source_group_ids)
        & (graph.arc_target[voices.arc] < graph.size)
    )
    span = int(voices.source_group.max(initial=0)) + 1
    key, pair_of_voice = np.unique(
        graph.arc_target[voices.arc[is_counted]] * span + voices.source_group[is_counted],
        return_inverse=True,
    )
    mass: Floats = np.bincount(pair_of_voice, nats[is_counted], len(key)).astype(np.float64)
    return np.asarray(key // span, dtype=np.int64), mass
