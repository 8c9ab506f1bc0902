"""How far an answer may be relied on, as a word, and why no further."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kg.model import LineId, SourceKey, StatementId
from kg.reasoning.answers.flips import smallest_undoing_set, undoing_sources
from kg.reasoning.answers.positions import grounded_label
from kg.reasoning.arrays import Floats, logit
from kg.reasoning.attribution.named_sources import carrying_works
from kg.reasoning.attribution.sensitivity import sensitivity
from kg.reasoning.attribution.weighed_otherwise import depends_on_semantics, other_words
from kg.reasoning.reading import Question, Reading, cache_by_question
from kg.reasoning.scenarios import keep_outcome, run_held
from kg.reasoning.verdict_words import (
    FRAGILE_BELOW,
    LEAST_KEPT,
    NO_SURER_THAN_PREMISE,
    STURDY_FROM,
    is_surer,
    limit_of_word,
    side_of,
    sides,
    sureness_cap,
    sureness_word,
    word_for,
)
from kg.reasoning.weighed_answer import outcome, side_now

FEWEST_STURDY_LOSSES, FEWEST_STURDY_STUDIES = 3, 2
"""Fewest losses, and contrary studies, to undo a sturdy answer: more than one mistake."""
HANGS_ON_ONE = "hangs on one source"
"""Why an answer is no surer if it leaves its side without one independent source."""
HANGS_ON_A_TEAM = "hangs on one team"
HANGS_ON_A_GROUP = "hangs on works that count as one source"
TOO_MANY_PREMISES = "depends on more claims than are tried"
"""Why an answer is called no more than "perhaps" whose premises are too many to try."""
MAX_PREMISES_TRIED = 60
"""Claims on which one depends that are tried: each takes 200 draws, over all that bears on it."""
_TEAM = "lab:"  # how the key of a team begins
MAX_STUDIES_COUNTED = 1000
"""Beyond this, the number of studies would tell a reader nothing."""


@cache_by_question
def outcomes_if_settled(question: Question) -> Floats:
    """`keep_outcome` (3 × twice the claims) with each claim held true, then each held false."""
    nodes = question.claims.tolist()
    ends = [1.0] * len(nodes) + [0.0] * len(nodes)
    return run_held(question.graph, [*nodes, *nodes], ends, keep_outcome(question.node))


def find_undoing_claims(question: Question, now: int) -> tuple[StatementId, ...]:
    """The claims each of which, settled either way, would take the answer from its side."""
    nodes = question.claims
    if not now or len(nodes) > question.affordable(2):
        return ()
    table = outcomes_if_settled(question)
    undone = sides(table[0], table[1], table[2], question.settings) != now
    either = undone[: len(nodes)] | undone[len(nodes) :]
    return tuple(question.graph.ids[i] for i in nodes[either].tolist())


def depends_on_rule(question: Question, now: int) -> bool:
    """Whether another rule does not come out on the side of a claim's answer."""
    claim = bool(question.graph.claim[question.node])
    label = grounded_label(question.graph, question.node)
    return claim and depends_on_semantics(now, other_words(question), label)


class Sureness(NamedTuple):
    """How far an answer may be relied on, as a word of `SURENESS` (empty for evidence), and why
    no further, in a few words. These refer to `works`, which carry the one source that it hangs
    on, or to `premise`, the claim that it depends on.
    """

    word: str
    why: str = ""
    works: tuple[SourceKey, ...] = ()
    premise: StatementId = ""


@cache_by_question
def sureness_of(question: Question) -> Sureness:
    """How far the answer may be relied on, and why no further: a claim that holds by its own
    reasons is no surer than any claim that it depends on, directly or indirectly.
    """
    own = _own_sureness(question)
    if not question.graph.claim[question.node] or side_now(question) <= 0:
        return own
    premises = _premises_nearest_first(question)
    if len(premises) > MAX_PREMISES_TRIED and is_surer(own.word, "perhaps"):
        own = Sureness("perhaps", TOO_MANY_PREMISES)
    for number, premise in enumerate(premises):
        tried = number < MAX_PREMISES_TRIED
        word = (_word_of_premise if tried else _surest_allowed_word)(question, premise)
        if is_surer(own.word, word):
            own = Sureness(word, NO_SURER_THAN_PREMISE, premise=premise)
    return own


def sureness_in(reading: Reading) -> Callable[[LineId], str]:
    """The word of `sureness_of` for each line of a reading, found when it is asked for."""
    return lambda line: sureness_of(reading.question(line)).word


def _premises_nearest_first(question: Question) -> list[StatementId]:
    """The claims that what is asked depends on, and those that these depend on, nearest first."""
    graph, premises = question.graph, dict.fromkeys([question.node])
    queue = deque(premises)
    while queue:
        arcs = graph.arcs_bearing_on(queue.popleft())
        ends = graph.src[arcs[graph.fallen[arcs]]].tolist()
        new = [end for end in dict.fromkeys(ends) if graph.claim[end] and end not in premises]
        premises |= dict.fromkeys(new)
        queue += new
    return [graph.ids[node] for node in premises if node != question.node]


def _word_of_premise(question: Question, premise: StatementId) -> str:
    """The word of a claim by its own reasons, kept with the reading: many may depend on it."""
    reading = question.reading
    words = _words_of_premises(reading.corpus_question)
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
    watch = keep_outcome(question.graph.names[premise])
    strength, pro, con = watch(question.solution, None)[:, 0].tolist()
    word = word_for(strength, pro, con, question.settings)
    return sureness_cap(word) if side_of(word) > 0 else "undecided"


@cache_by_question
def _words_of_premises(everywhere: Question) -> dict[StatementId, str]:
    """The words found so far for claims on which others depend; begins empty."""
    return {}


def _own_sureness(question: Question) -> Sureness:
    """How far the answer may be relied on, regardless of what it depends on."""
    if not question.graph.claim[question.node]:
        return Sureness("")
    word, why = _word_and_limit(question)
    if why != HANGS_ON_ONE:
        return Sureness(word, why)
    works = carrying_works(question, undoing_sources(question)[0])
    return Sureness(word, _describe_dependence_on_source(question, works), works)


def _word_and_limit(question: Question) -> tuple[str, str]:
    """The word of a claim by its own reasons, and what keeps it from being a surer one."""
    now, word = side_now(question), word_for(*outcome(question), question.settings)
    if not now:
        sure = sureness_word(word, share_kept=1.0, fragile=False, sturdy=False)
        return sure, limit_of_word(word)
    share_kept = sensitivity(question).kept
    # a thin answer is not made surer by any trial
    fragile = "" if word.is_thin else _why_fragile(question, now, share_kept)
    # finding that it is sturdy takes a long search, which only a strong answer needs
    sturdy = word.is_strong and not fragile and _is_sturdy(question, now, share_kept)
    limit = limit_of_word(word) or ("" if sturdy else "a little could undo it")
    return sureness_word(word, share_kept, bool(fragile), sturdy), fragile or limit


def _why_fragile(question: Question, now: int, share_kept: float) -> str:
    """Why an answer that stays on its side in `kept` of the trials is fragile, or nothing."""
    # below this share it is only said to lean, whatever it hangs on
    if share_kept >= LEAST_KEPT and undoing_sources(question):
        return HANGS_ON_ONE
    if share_kept < FRAGILE_BELOW:
        return "turns in trials"
    return "other rules differ" if depends_on_rule(question, now) else ""


def _describe_dependence_on_source(question: Question, works: Sequence[SourceKey]) -> str:
    """Whether the one source that an answer hangs on is a work, a team, or a group of works."""
    if len(works) < 2:
        return HANGS_ON_ONE
    known = question.reading.corpus.sources
    keys = [set(known[work].independence) if work in known else set() for work in works]
    team = any(key.startswith(_TEAM) for key in set.intersection(*keys))
    return HANGS_ON_A_TEAM if team else HANGS_ON_A_GROUP


def _is_sturdy(question: Question, now: int, share_kept: float) -> bool:
    size, studies = smallest_undoing_set(question)[0], fail_safe_number(question)
    undoing = find_undoing_claims(question, now)
    return headline_of(now, size, share_kept, True, studies, undoing) == "sturdy"


def headline_of(
    now: int,
    size: int | None,
    share_kept: float,
    agree: bool,
    studies: int | None,
    undoing_claims: tuple[StatementId, ...],
) -> str:
    """How firm an answer is: fragile, moderate or sturdy."""
    if not now:
        return "no side"
    if size == 1 or share_kept < FRAGILE_BELOW:
        return "fragile"
    lasting = size is None or size >= FEWEST_STURDY_LOSSES
    unmoved = studies is None or studies >= FEWEST_STURDY_STUDIES
    if lasting and share_kept >= STURDY_FROM and agree and unmoved and not undoing_claims:
        return "sturdy"
    return "moderate"


def fail_safe_number(question: Question) -> int | None:
    """How many flawless contrary studies would take the answer from its side; `None` if it has no
    side, or if no number up to `MAX_STUDIES_COUNTED` would.

    After Rosenthal's fail-safe number (1979); exact under the logistic semantics.
    """
    now = side_now(question)
    strength, pro, con = outcome(question)
    if not now or strength in (0.0, 1.0):
        return None
    for studies in range(1, MAX_STUDIES_COUNTED + 1):
        # a flawless study adds its whole gain to the log-odds
        more = studies * question.settings.gain
        moved = 1.0 / (1.0 + math.exp(-(logit(strength) - now * more)))
        fresh = (pro, con + more) if now > 0 else (pro + more, con)
        if side_of(word_for(moved, *fresh, question.settings)) != now:
            return studies
    return None
