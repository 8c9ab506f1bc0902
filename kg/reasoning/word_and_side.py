"""The word and the side of an answer by its strength alone, and what a change of side is called."""

from __future__ import annotations

from typing import Literal

from kg.reasoning.reading import Question
from kg.reasoning.scenarios import keep_outcome
from kg.reasoning.solution import Solution
from kg.reasoning.strength_words import WeighingOutcome, quality_phrase, side_of, strength_word

# Whether an answer changes sides, loses its side, gains one, or keeps it.
SideChange = Literal["turns", "undoes", "decides", "keeps"]
_SIDE_CHANGE_IN_WORDS: dict[SideChange, str] = {
    "turns": "turns",
    "undoes": "is undone",
    "decides": "is decided",
    "keeps": "–",
}


def outcome_of(question: Question, other_solution: Solution | None = None) -> WeighingOutcome:
    """The outcome of the statement asked about. `other_solution` replaces the question's."""
    solution = other_solution or question.solution
    return WeighingOutcome(*keep_outcome(question.node)(solution, None)[:, 0].tolist())


def side_by_strength(question: Question) -> int:
    """The side of the answer: 1 (supported), -1 (refuted), or 0 for neither.

    Evidence takes no side.
    """
    if not question.graph.is_claim[question.node]:
        return 0
    return side_of(strength_word(outcome_of(question), question.settings))


def verdict_word_of(question: Question) -> str:
    """The word for the statement asked about; for evidence, its quality."""
    if question.graph.is_claim[question.node]:
        return strength_word(outcome_of(question), question.settings)
    reading = question.reading
    # what evidence speaks for lies outside the part of the graph that bears on it
    corpus_graph = reading.graph
    node = reading.graph.number_of[question.statement]
    gates = corpus_graph.gate[corpus_graph.out_of(node)]
    base = float(question.graph.base[question.node])
    return quality_phrase(base, question.strength_or_nan, reading.solution.state[gates].tolist())


def side_change(old_side: int, new_side: int) -> SideChange:
    """Return how an answer's side changes from `old_side` to `new_side`: 1, -1, or 0 for none."""
    if new_side == old_side:
        return "keeps"
    if not old_side:
        return "decides"
    return "turns" if new_side else "undoes"


def describe_side_change(change: SideChange) -> str:
    """Say in words what happens to an answer's side."""
    return _SIDE_CHANGE_IN_WORDS[change]
