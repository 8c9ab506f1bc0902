"""Facts that editors show of a statement in a few words: its strength and its reasons."""

from __future__ import annotations

import math

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model import Kind, Statement


def describe_reasons(corpus: Corpus, statement: Statement) -> str:
    """The numbers of reasons for and against a statement."""
    sides = reasons_by_side(corpus, statement.id)
    return f"{len(sides.pro)} for, {len(sides.con)} against"


def describe_strength(weighed_corpus: Corpus | None, statement: Statement) -> str:
    """A statement's strength with its word; empty if it is not computed yet."""
    if weighed_corpus is None or statement.id not in weighed_corpus.statements:
        return ""
    from kg.reasoning.reading import reading_of
    from kg.reasoning.scenarios import keep_outcome
    from kg.reasoning.strength_words import strength_in_table, strength_word
    from kg.reasoning.sureness_words import bounded_phrase

    reading = reading_of(weighed_corpus)
    node = reading.graph.number_of[statement.id]
    outcome = keep_outcome(node)(reading.solution, None)[:, 0]
    figure = strength_in_table(None if math.isnan(outcome[0]) else float(outcome[0]))
    if statement.kind is Kind.EVIDENCE:
        return f"strength {figure}"
    word = strength_word(outcome, reading.settings)
    return f"{bounded_phrase(word)} {figure}"
