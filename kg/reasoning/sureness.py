"""The sureness of an answer: what trials leave of what its strength alone gives.

`sureness_of` decides it. Of many cases that are tried, as by `partial_evidence/word_changes`, most
are decided by what costs little to know: `certain_sureness` says which.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from kg.model import SourceKey, StatementId
from kg.model.source import TEAM_KIND, parse_independence_key
from kg.reachability import walk_from
from kg.reasoning.label_reasons import describe_grounded_label
from kg.reasoning.losses.smallest_losses import sources_taking_from_side
from kg.reasoning.losses.source_groups import carrying_works
from kg.reasoning.other_rules.dung_labelling import grounded_label, side_of_label
from kg.reasoning.reading import Question, Reading
from kg.reasoning.robustness_words import RobustnessWord, robustness_word
from kg.reasoning.scenarios import keep_outcome
from kg.reasoning.sensitivity.other_settings_and_rules import (
    words_by_other_rules,
)
from kg.reasoning.sensitivity.setting_draws import trials_of
from kg.reasoning.strength_words import (
    StrengthWord,
    side_of,
    strength_word,
)
from kg.reasoning.sureness_words import (
    FRAGILE_BELOW,
    HOLDS_BACK,
    UNDECIDED_BELOW,
    LimitedSureness,
    Sureness,
    SurenessLimit,
    describe_limits,
    greatest_sureness,
    is_surer,
    sureness_after_trials,
)
from kg.reasoning.word_and_side import outcome_of, side_by_strength
from kg.runtime.memoize import memoize

# Claims on which one depends that are tried: each takes 200 draws, over all that bears on it.
MAX_DEPENDENCIES_TRIED = 60
# Draws that are made first where many cases are tried; the rest only where these leave doubt.
FIRST_DRAWS = 50
# For each bound on the fraction of all 200 draws, the fraction of the first ones from which it is
# taken as reached. If all draws had one too few for the bound, so many of those would be among the
# first in less than one case of 1,000 (by the hypergeometric distribution).
FIRST_DRAWS_NEEDED = {UNDECIDED_BELOW: 0.7, FRAGILE_BELOW: 0.96}


@memoize
def sureness_of(question: Question) -> LimitedSureness:
    """Return how far the answer may be relied on, and why no further. A claim that holds by its own
    reasons is no surer than any claim that it depends on, directly or indirectly. Evidence, and a
    claim without a stable strength, has no sureness.
    """
    if not question.graph.is_claim[question.node] or math.isnan(question.strength_or_nan):
        return LimitedSureness(Sureness.NONE)
    limited = _sureness_by_own_reasons(question)
    if limited.limit is SurenessLimit.ONE_SOURCE:
        works = carrying_works(question, sources_taking_from_side(question)[0])
        limit = _limit_by_works(question, works)
        limited = limited._replace(limit=limit, hangs_on=works)
    if side_by_strength(question) <= 0:
        return limited
    own_limits = (limited.limit, *limited.other_limits)
    others = tuple(each for each in own_limits if each in HOLDS_BACK)
    dependencies = _dependencies_nearest_first(question)
    if len(dependencies) > MAX_DEPENDENCIES_TRIED and is_surer(limited.sureness, Sureness.PERHAPS):
        limited = LimitedSureness(
            Sureness.PERHAPS, SurenessLimit.TOO_MANY_DEPENDENCIES, other_limits=others
        )
    for number, dependency in enumerate(dependencies):
        if number < MAX_DEPENDENCIES_TRIED:
            sureness = _sureness_of_dependency(question.reading, dependency)
        else:
            sureness = _greatest_sureness_of_dependency(question, dependency)
        if is_surer(limited.sureness, sureness):
            limited = LimitedSureness(
                sureness, SurenessLimit.DEPENDENCY, depends_on=dependency, other_limits=others
            )
    return limited


def side_of_answer(question: Question) -> int:
    """The side that the verdict takes: none if the answer depends on a claim that is undecided or
    refuted, however strong its own reasons. Quicker than `sureness_of`, which tries more.
    """
    side = side_by_strength(question)
    dependencies = _dependencies_nearest_first(question) if side > 0 else []
    greatest = (_greatest_sureness_of_dependency(question, each) for each in dependencies)
    return 0 if Sureness.UNDECIDED in greatest else side


def describe_why_no_surer(question: Question) -> tuple[str, ...]:
    """The limits of an answer's sureness in clauses, to be joined by `BETWEEN_CLAUSES`; none for
    an answer without a side, or if its strength alone decides.
    """
    if not (side := side_by_strength(question)):
        return ()
    limited = sureness_of(question)
    limits = (limited.limit, *limited.other_limits)
    label = describe_grounded_label(question)
    fraction_kept = trials_of(question).fraction_kept
    return describe_limits(limits, side, fraction_kept, words_by_other_rules(question), *label)


def _dependencies_nearest_first(question: Question) -> list[StatementId]:
    """The claims that what is asked depends on, and those that these depend on, nearest first."""
    graph = question.graph

    def premises_of(node: int) -> list[int]:
        arcs = graph.arcs_bearing_on(node)
        premises = graph.arc_premise[arcs[graph.fallen[arcs]]]
        return [int(premise) for premise in premises if graph.is_claim[premise]]

    return [graph.ids[node] for node in walk_from([question.node], premises_of)][1:]


@memoize
def _sureness_of_dependency(reading: Reading, dependency: StatementId) -> Sureness:
    """Return how sure a claim that others depend on is by its own reasons."""
    on_dependency = reading.fresh_question(dependency)
    if side_by_strength(on_dependency) <= 0:
        return Sureness.UNDECIDED
    return _sureness_by_own_reasons(on_dependency).sureness


def _greatest_sureness_of_dependency(question: Question, dependency: StatementId) -> Sureness:
    """The greatest sureness that its strength allows a claim that others depend on."""
    watch = keep_outcome(question.graph.number_of[dependency])
    word = strength_word(watch(question.solution, None)[:, 0], question.settings)
    return greatest_sureness(word).sureness if side_of(word) > 0 else Sureness.UNDECIDED


def _sureness_by_own_reasons(question: Question) -> LimitedSureness:
    """Return how sure a claim is by its own reasons, regardless of the claims that it depends on.

    `hangs_on` stays empty, as those works take long to find and only the answer itself needs them.
    """
    word = strength_word(outcome_of(question), question.settings)
    greatest = greatest_sureness(word)
    if not side_of(word):
        return greatest
    fraction_kept = trials_of(question).fraction_kept
    limits = _limits_that_hold(question, fraction_kept, word.is_thin)
    does_rule_agree = SurenessLimit.NO_RULE_AGREES not in limits
    sureness = certain_sureness(
        word, fraction_kept, fraction_kept, does_rule_agree=does_rule_agree, fragile=bool(limits)
    )
    not_sturdy = SurenessLimit.NOT_STURDY
    if sureness is None:
        # only now, as finding that it is sturdy takes a long search
        robustness = robustness_word(question, fraction_kept, rules_agree=True)
        is_sturdy = robustness is RobustnessWord.STURDY
        sureness = sureness_after_trials(word, fraction_kept, fragile=False, sturdy=is_sturdy)
        not_sturdy = SurenessLimit.NONE if is_sturdy else not_sturdy
    limit, *others = limits or (greatest.limit or not_sturdy,)
    return LimitedSureness(sureness, limit, other_limits=tuple(others))


def certain_sureness(
    word: StrengthWord,
    least_fraction_kept: float,
    most_fraction_kept: float,
    *,
    does_rule_agree: bool,
    fragile: bool | None,
) -> Sureness | None:
    """The sureness of an answer, regardless of what it depends on, if what is not known of it
    cannot change that; else `None`.

    The answer stays on its side in `least_fraction_kept` to `most_fraction_kept` of the trials.
    `fragile` is `None` if it is not known whether anything besides the trials makes it so. Whether
    it is sturdy is never known here.
    """
    least_sureness = sureness_after_trials(
        word,
        least_fraction_kept,
        does_rule_agree=does_rule_agree,
        fragile=fragile is not False or least_fraction_kept < FRAGILE_BELOW,
        sturdy=False,
    )
    greatest_possible = sureness_after_trials(
        word,
        most_fraction_kept,
        does_rule_agree=does_rule_agree,
        fragile=bool(fragile) or most_fraction_kept < FRAGILE_BELOW,
        sturdy=True,
    )
    return least_sureness if least_sureness == greatest_possible else None


def bound_of_fraction_kept(fraction_of_first: float) -> float:
    """The fraction of all draws that stays on the answer's side at least, if this fraction of the
    `FIRST_DRAWS` does. It is a bound on which the sureness depends, or 0 where no bound is beyond
    doubt.
    """
    return max(
        (bound for bound, needed in FIRST_DRAWS_NEEDED.items() if fraction_of_first >= needed),
        default=0.0,
    )


def _limits_that_hold(
    question: Question, fraction_kept: float, is_thin: bool
) -> tuple[SurenessLimit, ...]:
    """List what makes an answer fragile that stays on its side in `fraction_kept` of the trials,
    the gravest first. If its reasons are thin, it is no more than “perhaps” anyway: then only the
    limits that make it less are listed.
    """
    by_rules = limit_by_rules(question)
    limits = [SurenessLimit.TRIALS] if fraction_kept < UNDECIDED_BELOW else []
    if by_rules is SurenessLimit.NO_RULE_AGREES:
        limits.append(by_rules)
    if is_thin:
        return tuple(limits)
    if sources_taking_from_side(question):
        limits.append(SurenessLimit.ONE_SOURCE)
    if by_rules:
        limits.append(by_rules)
    if fraction_kept < FRAGILE_BELOW:
        limits.append(SurenessLimit.TRIALS)
    return tuple(dict.fromkeys(limits))


def _limit_by_works(question: Question, works: Sequence[SourceKey]) -> SurenessLimit:
    """Name the one source that an answer hangs on: a work, a team, or works that count as one.

    It is a team if all its works have the key of a team in common.
    """
    if len(works) < 2:
        return SurenessLimit.ONE_SOURCE
    sources = question.reading.corpus.sources
    keys = [set(sources[work].independence) if work in sources else set() for work in works]
    shared_kinds = {parse_independence_key(key).kind for key in set.intersection(*keys)}
    are_one_team = TEAM_KIND in shared_kinds
    return SurenessLimit.ONE_TEAM if are_one_team else SurenessLimit.ONE_GROUP


def limit_by_rules(question: Question) -> SurenessLimit:
    """Say how the other rules disagree with the side of the answer, as one of `RULES_APART`: the
    gravest that applies; `NONE` if they agree, or there is no side.
    """
    current_side = side_by_strength(question)
    sides = [side_of(word) for word in words_by_other_rules(question).values()]
    side_by_label = side_of_label(grounded_label(question.graph, question.node))
    # where all others agree, a label of “undecided” is no dissent: clear edges may be lacking
    if not current_side or ({*sides} <= {current_side} and side_by_label != -current_side):
        return SurenessLimit.NONE
    if {*sides} == {current_side}:
        return SurenessLimit.CHECK_OPPOSED
    sides.append(side_by_label)
    if current_side not in sides:
        return SurenessLimit.NO_RULE_AGREES
    return SurenessLimit.RULE_OPPOSED if -current_side in sides else SurenessLimit.RULE_UNDECIDED
