"""An answer weighed otherwise: under other conventions, and by other semantics."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kg.model import EdgeStrength, Relation, Value
from kg.reasoning.arrays import Floats, rounded_or_none
from kg.reasoning.graph import Scenarios
from kg.reasoning.reading import Question, once_per_question
from kg.reasoning.scenarios import keep_outcome
from kg.reasoning.solution import solve
from kg.reasoning.verdict_words import beside_word, quality_word, side_of, word_at, word_for
from kg.reasoning.weighed_answer import SEMANTICS_IN_WORDS, outcome
from kg.report import columns

SECOND_OPINIONS = ("logistic", "qe", "dfquad")
"""Semantics whose strengths stand beside a verdict: sums, squares and products of reasons."""
SHORT = {**SEMANTICS_IN_WORDS, "logistic": "log-odds"}
APART = "another way of weighing disagrees"


class Convention(Value, frozen=True, omit_defaults=False):
    """The answer under another convention, in words."""

    convention: str
    strength: float | None
    word: str


CONVENTION = columns(
    Convention, "convention", ("strength", lambda c: beside_word(c.strength)), "word"
)


def conventions(question: Question) -> tuple[Convention, ...]:
    """The answer under other conventions than those in force, each with its word."""
    graph, settings = question.graph, question.settings
    moderate, weak, qualifies = _weights_of_words(question)
    w, gain, repeat = graph.w, settings.gain, settings.repeat
    # the first change numbers of one rule, and can be solved side by side; the others are other
    # rules
    of_this_rule = [
        ("reasons count half (gain ×½)", w, gain / 2, repeat),
        ("reasons count double (gain ×2)", w, gain * 2, repeat),
        ("a source's second finding counts half", w, gain, 0.5),
        ("every edge is read as strong", w / moderate / weak, gain, repeat),
        ("moderate and weak edges count nothing", w * (moderate * weak == 1.0), gain, repeat),
        ("qualifies counts like contradicts", w / qualifies, gain, repeat),
    ]
    other_rules = [
        ("a claim passes on at most one study's worth", "logistic"),
        ("reasons combine by quadratic energy", "qe"),
        ("reasons combine by DF-QuAD", "dfquad"),
    ]
    watch = keep_outcome(question.node)
    if settings.routed:
        together = Scenarios(
            len(of_this_rule),
            w=np.clip(np.stack([row[1] for row in of_this_rule], axis=1), -1.0, 1.0),
            gain=np.array([row[2] for row in of_this_rule]),
            repeat=np.array([row[3] for row in of_this_rule]),
        )
        tables = list(watch(solve(graph, together), together).T)
    else:
        tables = [_outcome_reweighed(question, w, gain=g, repeat=r) for _, w, g, r in of_this_rule]
    for _, name in other_rules:
        other = question.under(transfer="earned", semantics=name)
        tables.append(watch(other, None)[:, 0])
    names = [row[0] for row in of_this_rule] + [row[0] for row in other_rules]
    return tuple(
        Convention(
            convention=name,
            strength=rounded_or_none(table[0]),
            word=_word_of_outcome(question, table),
        )
        for name, table in zip(names, tables, strict=True)
    )


def _word_of_outcome(question: Question, table: Floats) -> str:
    """The word for an outcome; of evidence, its quality and what objections leave of that."""
    if question.graph.claim[question.node]:
        return word_at(table, question.settings)
    return quality_word(float(question.graph.base[question.node]), float(table[0]))


def _outcome_reweighed(question: Question, w: Floats, **changed: object) -> Floats:
    """What the word follows from with other weights and settings."""
    settings = question.settings.model_copy(update=changed)
    graph = question.graph.having(settings=settings)
    if w is not question.graph.w:
        graph = graph.having(w=np.clip(w, -1.0, 1.0))
    return keep_outcome(question.node)(solve(graph), None)[:, 0]


def _weights_of_words(question: Question) -> tuple[Floats, Floats, Floats]:
    """Per arc what its note's `moderate`, `weak` and `qualifies` weigh, 1 where it says neither."""
    graph, settings = question.graph, question.settings
    edges = [question.reading.corpus.edge[name] for name in graph.edges]

    def mark(said: list[bool], weight: float) -> Floats:
        # an edge that weighs 0 cannot be divided by that, and stays at 0
        return np.where(said, weight if weight else 1.0, 1.0)

    return (
        mark([e.strength is EdgeStrength.MODERATE for e in edges], settings.moderate),
        mark([e.strength is EdgeStrength.WEAK for e in edges], settings.weak),
        mark([e.relation is Relation.QUALIFIES for e in edges], settings.qualifies),
    )


@once_per_question
def _other_outcomes(question: Question) -> dict[str, tuple[float, float, float]]:
    """What the word follows from under the other semantics that are shown beside it."""
    semantics = (name for name in SECOND_OPINIONS if name != question.settings.semantics)
    return {name: outcome(question, question.under(semantics=name)) for name in semantics}


def other_strengths(question: Question) -> dict[str, float | None]:
    """The strength of what is asked under the other semantics."""
    return {name: rounded_or_none(found[0]) for name, found in _other_outcomes(question).items()}


def other_words(question: Question) -> dict[str, str]:
    """The word for a claim under the other semantics; none of evidence, which has no side."""
    if not question.graph.claim[question.node]:
        return {}
    found = _other_outcomes(question).items()
    return {name: word_for(*each, question.settings) for name, each in found}


def depends_on_semantics(now: int, words: Mapping[str, str], grounded: str) -> bool:
    """Whether an answer with a side (`now`) has another semantics not on it, or Dung's label on the
    other.
    """
    apart = any(side_of(word) != now for word in words.values())
    return bool(now) and (apart or label_differs(now, grounded))


def named_by_semantics(strengths: Mapping[str, float | None]) -> dict[str, float | None]:
    """Strengths by what their semantics are called."""
    return {SHORT.get(name, name): strength for name, strength in strengths.items()}


def label_differs(now: int, grounded: str) -> bool:
    """Whether Dung's label, in or out, is on the other side than `now`."""
    return now * {"in": 1, "out": -1}.get(grounded, 0) < 0


def describe_dissent(
    word: str, others: Mapping[str, float | None], words: Mapping[str, str], grounded: str
) -> str | bool:
    """Which other ways of weighing do not come out on the side of `word`, and what they say; False
    where all do, empty where it has no side.
    """
    if not (now := side_of(word)):
        return ""
    apart = [
        f"{SHORT.get(name, name)} {beside_word(others[name])} ({other})"
        for name, other in words.items()
        if side_of(other) != now
    ]
    if label_differs(now, grounded):
        apart.append(f"objections alone: {grounded}")
    return ", ".join(apart) or False
