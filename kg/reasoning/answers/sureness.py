"""How far an answer may be relied on, and why no further."""

from __future__ import annotations

from typing import NamedTuple

from kg.model import SourceKey, StatementId
from kg.reasoning.answers.flips import undoing_sources
from kg.reasoning.answers.robustness import FRAGILE_BELOW, hangs_on_the_rule, is_sturdy
from kg.reasoning.attribution.named_sources import carrying_works
from kg.reasoning.attribution.sensitivity import sensitivity
from kg.reasoning.reading import Question, once_per_question
from kg.reasoning.verdict_words import (
    NO_SURER_THAN_PREMISE,
    is_surer,
    limit_of_word,
    sureness_word,
    word_for,
)
from kg.reasoning.weighed_answer import outcome, side_now

HANGS_ON_ONE = "hangs on one source"
"""Why an answer is no surer that leaves its side without one independent source."""


class Sureness(NamedTuple):
    """How far an answer may be relied on, as a word of `SURENESS` (empty of evidence), in a few
    words why no further, and what these speak of: `works` carry the one source that it hangs on,
    `premise` is the claim that it depends on.
    """

    word: str
    why: str = ""
    works: tuple[SourceKey, ...] = ()
    premise: StatementId = ""


@once_per_question
def sureness_of(question: Question) -> Sureness:
    """How far the answer may be relied on, and why no further: what holds by its own reasons is
    no surer than any claim that it depends on, at whatever distance.
    """
    own = _by_its_own_reasons(question)
    if not question.graph.claim[question.node] or side_now(question) <= 0:
        return own
    for premise in _premises(question):
        # not asked of the reading, which would keep the claim's own graph
        asked = Question(question.reading, premise, None)
        word = _by_its_own_reasons(asked).word if side_now(asked) > 0 else "undecided"
        if is_surer(own.word, word):
            own = Sureness(word, NO_SURER_THAN_PREMISE, premise=premise)
    return own


def _premises(question: Question) -> list[StatementId]:
    """The claims that what is asked depends on, and those that these depend on."""
    graph, found = question.graph, [question.node]
    for node in found:
        arcs = graph.into(node)
        ends = graph.src[arcs[graph.fallen[arcs]]].tolist()
        found += [end for end in ends if graph.claim[end] and end not in found]
    return [graph.ids[node] for node in found[1:]]


def _by_its_own_reasons(question: Question) -> Sureness:
    """How far the answer may be relied on, whatever becomes of what it depends on."""
    if not question.graph.claim[question.node]:
        return Sureness("")
    now, word = side_now(question), word_for(*outcome(question), question.settings)
    if not now:
        sure = sureness_word(word, kept=1.0, fragile=False, sturdy=False)
        return Sureness(sure, limit_of_word(word))
    kept = sensitivity(question).kept
    # no trial makes more of what is thin
    fragile = "" if word.is_thin else _why_fragile(question, now, kept)
    # to say that it is sturdy takes a long search, which only what is strong needs
    sturdy = word.is_strong and not fragile and is_sturdy(question, now, kept)
    limit = limit_of_word(word) or ("" if sturdy else "a little could undo it")
    alone = undoing_sources(question)[:1] if fragile == HANGS_ON_ONE else ()
    works = tuple(work for unit in alone for work in carrying_works(question, unit))
    return Sureness(sureness_word(word, kept, bool(fragile), sturdy), fragile or limit, works)


def _why_fragile(question: Question, now: int, kept: float) -> str:
    """What may turn an answer that stays on its side in the share `kept` of the trials."""
    if kept < FRAGILE_BELOW:
        return "turns in trials"
    if hangs_on_the_rule(question, now):
        return "other rules differ"
    return HANGS_ON_ONE if undoing_sources(question) else ""
