"""How far an answer may be relied on, as a word, and why no further."""

from __future__ import annotations

import enum
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kg.model import LineId, SourceKey, StatementId
from kg.reasoning.answers.positions import grounded_label
from kg.reasoning.graph.arrays import Floats, logit
from kg.reasoning.losses.smallest_losses import smallest_undoing_set, undoing_sources
from kg.reasoning.losses.source_groups import carrying_works
from kg.reasoning.reading import Question, Reading, cache_by_question
from kg.reasoning.scenarios import keep_outcome, run_settled
from kg.reasoning.sensitivity.other_settings_and_rules import (
    depends_on_semantics,
    label_differs,
    other_words,
)
from kg.reasoning.sensitivity.setting_draws import sensitivity
from kg.reasoning.verdict_words import (
    FRAGILE_BELOW,
    LEAST_KEPT,
    RULES_APART,
    STURDY_FROM,
    Outcome,
    Word,
    WordLimit,
    is_surer,
    limit_of_word,
    side_of,
    sides_of_outcomes,
    sureness_cap,
    sureness_word,
    word_for,
)
from kg.reasoning.weighed_answer import outcome_of, side_now
from kg.text.plurals import number_in_words

FEWEST_STURDY_LOSSES, FEWEST_STURDY_STUDIES = 3, 2
"""Fewest losses, and contrary studies, to undo a sturdy answer: more than one mistake."""
MAX_PREMISES_TRIED = 60
"""Claims on which one depends that are tried: each takes 200 draws, over all that bears on it."""
_CLEARNESS: dict[str, str] = {
    **dict.fromkeys((Word.THINLY_REFUTED, Word.THINLY_SUPPORTED), "perhaps"),
    **dict.fromkeys((Word.LEANS_REFUTED, Word.LEANS_SUPPORTED), "probably"),
    **dict.fromkeys((Word.REFUTED, Word.SUPPORTED), "clearly"),
    **dict.fromkeys((Word.STRONGLY_REFUTED, Word.STRONGLY_SUPPORTED), "very clearly"),
}
"""How clearly a strength alone would give an answer, by its word."""
_TEAM = "lab:"  # how the key of a team begins
MAX_STUDIES_COUNTED = 1000
"""Beyond this, the number of studies would tell a reader nothing."""


@cache_by_question
def outcomes_if_settled(question: Question) -> Floats:
    """The outcomes (3 × 2 × claims) with each claim held true, and with each held false."""
    return run_settled(question.graph, question.claims.tolist(), keep_outcome(question.node))


def find_undoing_claims(question: Question, current_side: int) -> tuple[StatementId, ...]:
    """The claims each of which, settled either way, would take the answer from its side."""
    nodes = question.claims
    if not current_side or len(nodes) > question.affordable(2):
        return ()
    sides_then = sides_of_outcomes(outcomes_if_settled(question), question.settings)
    is_undone = (sides_then != current_side).any(axis=0)
    return tuple(question.graph.ids[i] for i in nodes[is_undone].tolist())


def depends_on_rule(question: Question, current_side: int) -> bool:
    """Whether another rule does not come out on the side of a claim's answer."""
    is_claim = bool(question.graph.claim[question.node])
    label = grounded_label(question.graph, question.node)
    return is_claim and depends_on_semantics(current_side, other_words(question), label)


def _limit_by_rules(question: Question, current_side: int) -> WordLimit:
    """The gravest of `RULES_APART` that applies; `NONE` if no rule is apart."""
    if not depends_on_rule(question, current_side):
        return WordLimit.NONE
    sides = [side_of(word) for word in other_words(question).values()]
    is_label_opposed = label_differs(current_side, grounded_label(question.graph, question.node))
    if current_side not in sides and is_label_opposed:
        return WordLimit.NO_RULE_AGREES
    is_opposed = is_label_opposed or -current_side in sides
    return WordLimit.RULE_OPPOSED if is_opposed else WordLimit.RULE_UNDECIDED


def describe_limit(
    limit: WordLimit, side: int, share: float, other_words: Mapping[str, str], label: str
) -> str:
    """Why an answer with a side is no surer: `two of five other methods …` or `it hangs on one
    source`; empty if its strength alone decides. `share` is the fraction of trials on its side,
    `other_words` and `label` are what the other rules say.
    """
    if not side or limit is WordLimit.TOO_LOW:
        return ""
    if limit is WordLimit.TRIALS:
        times = max(round(100 * share), 1) if share else 0
        return f"if studies are graded a little differently, it stands only {times} times in 100"
    if limit in RULES_APART:
        return _count_rules_apart(side, other_words, label)
    return limit.clause


def _count_rules_apart(side: int, other_words: Mapping[str, str], label: str) -> str:
    """The results of the other rules that differ from the side of the answer."""
    sides = [side_of(word) for word in other_words.values()]
    undecided, opposite = sides.count(0), sides.count(-side) + label_differs(side, label)
    parts = [
        (undecided, "leaves it undecided" if undecided == 1 else "leave it undecided"),
        (opposite, "says the opposite" if opposite == 1 else "say the opposite"),
    ]
    (first, does), *others = [(number_in_words(count), words) for count, words in parts if count]
    rest = "".join(f" and {count} {words}" for count, words in others)
    return f"{first} of {number_in_words(len(sides) + 1)} other methods {does}{rest}"


def frame_held_back(word: str, answer: str, sureness: str) -> tuple[str, str]:
    """What stands before and after why an answer is called only `sureness`, though its strength,
    called `word`, would allow more: `By our usual weighing clearly yes, but …: so only “perhaps”.`
    """
    return f"By our usual weighing {_CLEARNESS[word]} {answer}, but ", f": so only “{sureness}”."


def limit_of_answer(question: Question) -> str:
    """`describe_limit` of what is asked."""
    side, node = side_now(question), question.node
    if not side:
        return ""
    return describe_limit(
        sureness_of(question).limit,
        side,
        sensitivity(question).share_on_side,
        other_words(question),
        grounded_label(question.graph, node),
    )


class Sureness(NamedTuple):
    """How far an answer may be relied on, as a word of `SURENESS` (empty for evidence), and why
    no further. That refers to `works`, which carry the one source that it hangs on, or to
    `premise`, the claim that it depends on.
    """

    word: str
    limit: WordLimit = WordLimit.NONE
    works: tuple[SourceKey, ...] = ()
    premise: StatementId = ""


@cache_by_question
def sureness_of(question: Question) -> Sureness:
    """How far the answer may be relied on, and why no further: a claim that holds by its own
    reasons is no surer than any claim that it depends on, directly or indirectly.
    """
    sureness = _own_sureness(question)
    if not question.graph.claim[question.node] or side_now(question) <= 0:
        return sureness
    premises = _premises_nearest_first(question)
    if len(premises) > MAX_PREMISES_TRIED and is_surer(sureness.word, "perhaps"):
        sureness = Sureness("perhaps", WordLimit.TOO_MANY_PREMISES)
    for number, premise in enumerate(premises):
        if number < MAX_PREMISES_TRIED:
            word = _word_of_premise(question, premise)
        else:
            word = _surest_allowed_word(question, premise)
        if is_surer(sureness.word, word):
            sureness = Sureness(word, WordLimit.PREMISE, premise=premise)
    return sureness


def sureness_in(reading: Reading) -> Callable[[LineId], str]:
    """The word of `sureness_of` for each line of a reading, found when it is asked for."""
    return lambda id: sureness_of(reading.question(id)).word


def _premises_nearest_first(question: Question) -> list[StatementId]:
    """The claims that what is asked depends on, and those that these depend on, nearest first."""
    graph = question.graph
    premises = dict.fromkeys([question.node])
    queue = deque(premises)
    while queue:
        arcs = graph.arcs_bearing_on(queue.popleft())
        ends = graph.arc_source[arcs[graph.fallen[arcs]]].tolist()
        new = [end for end in dict.fromkeys(ends) if graph.claim[end] and end not in premises]
        premises |= dict.fromkeys(new)
        queue += new
    return [graph.ids[node] for node in premises if node != question.node]


def _word_of_premise(question: Question, premise: StatementId) -> str:
    """The word of a claim by its own reasons, kept with the reading: many may depend on it."""
    reading = question.reading
    words = reading.cache.premise_words
    if premise not in words:
        # not through the reading, which would keep the graph of each premise
        question_on_premise = Question(reading, premise, None)
        words[premise] = (
            _word_and_limit(question_on_premise)[0]
            if side_now(question_on_premise) > 0
            else "undecided"
        )
    return words[premise]


def _surest_allowed_word(question: Question, premise: StatementId) -> str:
    """The surest word that the strength of a premise allows it."""
    watch = keep_outcome(question.graph.number_of[premise])
    word = word_for(watch(question.solution, None)[:, 0], question.settings)
    return sureness_cap(word) if side_of(word) > 0 else "undecided"


def _own_sureness(question: Question) -> Sureness:
    """How far the answer may be relied on, regardless of what it depends on."""
    if not question.graph.claim[question.node]:
        return Sureness("")
    word, limit = _word_and_limit(question)
    if limit is not WordLimit.ONE_SOURCE:
        return Sureness(word, limit)
    works = carrying_works(question, undoing_sources(question)[0])
    return Sureness(word, _limit_by_works(question, works), works)


def _word_and_limit(question: Question) -> tuple[str, WordLimit]:
    """The word of a claim by its own reasons, and what keeps it from being a surer one."""
    current_side = side_now(question)
    word = word_for(outcome_of(question), question.settings)
    if not current_side:
        sure = sureness_word(word, fraction_kept=1.0, fragile=False, sturdy=False)
        return sure, limit_of_word(word)
    fraction_kept = sensitivity(question).share_on_side
    # a thin answer is not made surer by any trial
    fragile = WordLimit.NONE if word.is_thin else _fragile(question, current_side, fraction_kept)
    # finding that it is sturdy takes a long search, which only a strong answer needs
    is_sturdy = word.is_strong and not fragile and _is_sturdy(question, fraction_kept)
    limit = (
        fragile or limit_of_word(word) or (WordLimit.NONE if is_sturdy else WordLimit.NOT_STURDY)
    )
    return sureness_word(word, fraction_kept, bool(fragile), is_sturdy), limit


def _fragile(question: Question, current_side: int, fraction_kept: float) -> WordLimit:
    """Why an answer that stays on its side in `fraction_kept` of trials is fragile: the gravest
    cause; `NONE` if it is not.
    """
    # below this share it is only said to lean, whatever it hangs on
    if fraction_kept < LEAST_KEPT:
        return WordLimit.TRIALS
    if undoing_sources(question):
        return WordLimit.ONE_SOURCE
    turns = WordLimit.TRIALS if fraction_kept < FRAGILE_BELOW else WordLimit.NONE
    return _limit_by_rules(question, current_side) or turns


def _limit_by_works(question: Question, works: Sequence[SourceKey]) -> WordLimit:
    """Whether the one source that an answer hangs on is a work, a team, or a group of works."""
    if len(works) < 2:
        return WordLimit.ONE_SOURCE
    sources = question.reading.corpus.sources
    keys = [set(sources[work].independence) if work in sources else set() for work in works]
    are_one_team = any(key.startswith(_TEAM) for key in set.intersection(*keys))
    return WordLimit.ONE_TEAM if are_one_team else WordLimit.ONE_GROUP


class Firmness(enum.StrEnum):
    """How easily an answer is undone."""

    NO_SIDE = "no side"  # so there is nothing to undo
    FRAGILE = "fragile"
    MODERATE = "moderate"
    STURDY = "sturdy"

    __repr__ = str.__repr__


def _is_sturdy(question: Question, fraction_kept: float) -> bool:
    """Whether an answer is sturdy with which the other rules agree."""
    return firmness_of(question, fraction_kept, rules_agree=True) is Firmness.STURDY


def firmness_of(question: Question, fraction_kept: float, *, rules_agree: bool) -> Firmness:
    """How firm an answer is that stays on its side in `fraction_kept` of trials."""
    current_side = side_now(question)
    if not current_side:
        return Firmness.NO_SIDE
    size, _ = smallest_undoing_set(question)
    if size == 1 or fraction_kept < FRAGILE_BELOW:
        return Firmness.FRAGILE
    survives_losses = size is None or size >= FEWEST_STURDY_LOSSES
    studies = fail_safe_number(question)
    survives_studies = studies is None or studies >= FEWEST_STURDY_STUDIES
    if (
        survives_losses
        and fraction_kept >= STURDY_FROM
        and rules_agree
        and survives_studies
        and not find_undoing_claims(question, current_side)
    ):
        return Firmness.STURDY
    return Firmness.MODERATE


@cache_by_question
def fail_safe_number(question: Question) -> int | None:
    """How many flawless contrary studies would take the answer from its side; `None` if it has no
    side, or if no number up to `MAX_STUDIES_COUNTED` would.

    After Rosenthal's fail-safe number (1979); exact under the logistic semantics.
    """
    current_side = side_now(question)
    strength, pro, con = outcome_of(question)
    if not current_side or strength in (0.0, 1.0):
        return None
    for studies in range(1, MAX_STUDIES_COUNTED + 1):
        # a flawless study adds its whole gain to the log-odds
        added_nats = studies * question.settings.gain
        new_strength = 1.0 / (1.0 + math.exp(-(logit(strength) - current_side * added_nats)))
        new_outcome = (
            Outcome(new_strength, pro, con + added_nats)
            if current_side > 0
            else Outcome(new_strength, pro + added_nats, con)
        )
        if side_of(word_for(new_outcome, question.settings)) != current_side:
            return studies
    return None
