"""How sure an answer would still be without one of its independent sources."""

from __future__ import annotations

from kg.reasoning.answers.sureness import sureness_of
from kg.reasoning.answers.whatif import reading_without
from kg.reasoning.attribution.independence import independence
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.verdict_words import is_surer
from kg.reasoning.weighed_answer import OpenQuestion, side_now

LEAST_LOSS_TRIED = 0.02
"""Strength that a source must move for the answer without it to be tried again in full: a smaller
loss hardly reaches a bound of the words."""


class SurenessByLostSource(dict[str, str]):
    """By independent source, the word that would be left without it."""


@accepts_corpus
def sureness_without(reading: Reading, name: str) -> SurenessByLostSource:
    """The sources without each of which the answer on `name` stays on its side and is less sure.

    Raises `UnknownId`.
    """
    question = reading.question(name)
    words_left = SurenessByLostSource()
    sources = independence(reading, name)
    if isinstance(sources, OpenQuestion) or not side_now(question):
        return words_left
    current_word = sureness_of(question).word
    for effect in sources.effects:
        if effect.undoes or abs(effect.effect or 0.0) < LEAST_LOSS_TRIED:
            continue
        word = sureness_of(reading_without(reading, effect.evidence).question(name)).word
        if is_surer(current_word, word):
            words_left[effect.unit] = word
    return words_left
