"""The sureness of an answer without one of its sources, or without one piece of its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np

from kg.model import Value
from kg.reasoning.graph.arrays import Floats, round_off_or_none
from kg.reasoning.losses.smallest_losses import LossKind, LossPool
from kg.reasoning.losses.source_groups import describe_any_of, source_group_title
from kg.reasoning.losses.source_losses import (
    has_dependencies,
    heaviest_first,
    losses_by_source,
    question_without_evidence,
    question_without_source,
)
from kg.reasoning.other_rules.dung_labelling import grounded_label, side_of_label
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import keep_outcome, run_muted
from kg.reasoning.sensitivity.changed_readings import statement_with_same
from kg.reasoning.sensitivity.other_settings_and_rules import COMPARED_RULES
from kg.reasoning.sensitivity.setting_draws import fractions_kept
from kg.reasoning.strength_words import StrengthWord, side_of, strength_in_table, strength_word
from kg.reasoning.sureness import (
    FIRST_DRAWS,
    bound_of_fraction_kept,
    certain_sureness,
    sureness_of,
)
from kg.reasoning.sureness_words import Sureness, bounded_phrase, is_surer
from kg.reasoning.word_and_side import describe_side_change, outcome_of, side_change
from kg.reporting.report import columns, lines_in_cell
from kg.runtime.memoize import memoize
from kg.text.sentences import quote_title

# Losses after which the sureness is found whatever the budget, the heaviest; and in a verdict,
# which is to come at once. The rest seldom bear on it, and each may take 200 draws.
FEWEST_WORDS_TRIED, WORDS_IN_VERDICT = 10, 6
SCENARIOS_PER_WORD = 128  # what finding one sureness costs against the budget, in scenarios
# Further losses that are tried first after a loss: those that speak most for the answer.
LIKELY_LOSSES = 16

FlipEffect = Literal["turns", "undoes", "decides", "surer", "less sure", "keeps"]


class Flip(Value, frozen=True, omit_defaults=False):
    """A loss, the strength that it leaves, and what it does to the answer. `removed` are ids of
    evidence, or source groups. The answer goes to the other side, loses its side, gains one, or
    stays there and is surer, less sure, or as sure as before.

    `word` is the strength word; `sureness` is that of the answer then, as the verdict would say. It
    is empty where this was not tried: `word` then allows no more than
    `kg.reasoning.sureness_words.greatest_sureness` says.
    """

    removed: tuple[str, ...]
    strength: float | None
    word: str
    does: FlipEffect
    sureness: Sureness = Sureness.NONE

    @property
    def answer_phrase(self) -> str:
        """The phrase that people read, `perhaps not`; `at most probably` if it was not tried."""
        return bounded_phrase(self.word, self.sureness)


FLIP = columns(
    Flip,
    ("removed", lambda f: lines_in_cell(*f.removed)),
    ("strength", lambda e: strength_in_table(e.strength)),
    ("word", lambda f: f.answer_phrase),
    (
        "the answer",
        lambda f: (
            f"is {f.does}"
            if f.does == "surer" or f.does == "less sure"
            else describe_side_change(f.does)
        ),
    ),
)


def make_flip(
    pool: LossPool, losses: Sequence[int], outcome: Floats, sureness: Sureness = Sureness.NONE
) -> Flip:
    """Describe what a set of losses does, of which the outcome is known, and perhaps the
    sureness.
    """
    word = strength_word(outcome, pool.question.settings)
    change = side_change(pool.side, side_of(word))
    does: FlipEffect = change
    if change == "keeps" and sureness and pool.side:
        sureness_now = sureness_of(pool.question).sureness
        if is_surer(sureness, sureness_now):
            does = "surer"
        elif is_surer(sureness_now, sureness):
            does = "less sure"
    return Flip(
        removed=pool.names(losses),
        strength=round_off_or_none(outcome[0]),
        word=word,
        does=does,
        sureness=sureness,
    )


# -- which losses are tried, and what is found -----------------------------------------------------


def losses_to_word(pool: LossPool) -> int:
    """Return how many of the heaviest single losses the budget allows to find a sureness for."""
    return max(pool.question.affordable(SCENARIOS_PER_WORD), FEWEST_WORDS_TRIED)


def flips_of_single_losses(pool: LossPool, max_words: int) -> list[Flip]:
    """Describe what each single loss does; with the sureness after the `max_words` heaviest losses,
    and after all that leave no side.
    """
    question = pool.question
    candidates = pool.candidates_to_try
    if not candidates:
        return []
    outcomes = _outcomes_of_single_losses(pool)
    surenesses: dict[int, Sureness] = {}
    if question.graph.is_claim[question.node] and not np.isnan(outcome_of(question).strength):
        nodes = [pool.members[k][1] for k in candidates]
        heaviest = heaviest_first(question, nodes)[:max_words]
        surenesses = _sureness_without(pool, [candidates[k] for k in heaviest])
    sides = pool.sides(outcomes).tolist()
    return [
        make_flip(
            pool, [k], outcome, surenesses.get(k, Sureness.NONE if side else Sureness.UNDECIDED)
        )
        for k, outcome, side in zip(candidates, outcomes.T, sides, strict=True)
    ]


def _outcomes_of_single_losses(pool: LossPool) -> Floats:
    """The outcome without each candidate that is tried; of sources they are often known."""
    candidates = pool.candidates_to_try
    if pool.kind == "source":
        losses = losses_by_source(pool.question)
        column_of = {name: column for column, name in enumerate(losses.source_groups)}
        names = [pool.members[k][0] for k in candidates]
        if column_of.keys() >= {*names}:
            return losses.outcome[:, [column_of[name] for name in names]]
    return pool.outcomes_without([[k] for k in candidates])


@memoize
def word_changes(question: Question) -> tuple[Flip, ...]:
    """The heaviest sources without which the answer stays on its side and is surer or less sure;
    those that make it surer first, and of these what moves it most.
    """
    return changes_of_word(
        flips_of_single_losses(LossPool(question, "source", frozenset()), WORDS_IN_VERDICT),
        question.strength_or_nan,
    )


def changes_of_word(flips: Sequence[Flip], strength: float) -> tuple[Flip, ...]:
    """Return the `flips` that only make an answer surer or less sure, in the order of
    `word_changes`.
    """
    changes = [each for each in flips if each.does in ("surer", "less sure")]
    return tuple(
        sorted(
            changes,
            key=lambda f: (
                f.does == "less sure",
                -abs((f.strength or strength) - strength),
                f.removed,
            ),
        )
    )


def _sureness_without(pool: LossPool, losses: Sequence[int]) -> dict[int, Sureness]:
    """The sureness after each of some single losses."""
    names = [pool.members[k][0] for k in losses]
    # in two blocks: an answer that asks for more finds known what a verdict has asked for
    first, rest = names[:WORDS_IN_VERDICT], names[WORDS_IN_VERDICT:]
    surenesses = (
        _surenesses_without(pool.question, pool.kind, tuple(block)) for block in (first, rest)
    )
    return dict(zip(losses, chain.from_iterable(surenesses), strict=True))


@memoize
def _surenesses_without(
    question: Question, kind: LossKind, names: tuple[str, ...]
) -> tuple[Sureness, ...]:
    """The sureness without each of these sources, or pieces of evidence.

    Where the answer stays on its side, a few trials are made first: if they show that it stays
    as it is, no more are made.
    """
    pool = LossPool(question, kind, frozenset())
    number_of = {name: number for number, (name, _) in enumerate(pool.members)}
    losses = [number_of[name] for name in names]
    if not losses:
        return ()
    outcomes = pool.outcomes_without([[k] for k in losses])
    sides = dict(zip(losses, pool.sides(outcomes).tolist(), strict=True))
    questions_left = {k: _question_without(pool, k) for k in losses if sides[k]}
    certain_surenesses: dict[int, Sureness] = {}
    if not has_dependencies(question):
        staying = {
            k: strength_word(outcome, question.settings)
            for k, outcome in zip(losses, outcomes.T, strict=True)
            if sides[k] and sides[k] == pool.side
            if _differs_in_values(question, questions_left[k])
        }
        certain_surenesses = _certain_surenesses(pool, staying, questions_left)
    sureness_now = sureness_of(question).sureness

    def find_sureness_without(loss: int) -> Sureness:
        if not sides[loss]:
            return Sureness.UNDECIDED
        # a change is always confirmed, as people are told of it
        is_as_now = certain_surenesses.get(loss) == sureness_now
        return sureness_now if is_as_now else sureness_of(questions_left[loss]).sureness

    return tuple(map(find_sureness_without, losses))


def _question_without(pool: LossPool, loss: int) -> Question:
    """The question of a pool without one of its candidates."""
    name, nodes = pool.members[loss]
    if pool.kind == "source":
        return question_without_source(pool.question, name)
    return question_without_evidence(pool.question, nodes)


def _differs_in_values(question: Question, question_left: Question) -> bool:
    """Return whether a loss changes bases and parts of sources alone, and no weight."""
    return question_left.graph.arc_weight is question.graph.arc_weight


def _certain_surenesses(
    pool: LossPool, words: Mapping[int, StrengthWord], questions_left: Mapping[int, Question]
) -> dict[int, Sureness]:
    """The sureness after those losses where what costs little to know decides it: the first draws,
    the other rules, and the likeliest further losses. `words` are the strength words then.
    """
    rules = _dissent_after_losses(pool, questions_left, [*words])
    fractions = fractions_kept([questions_left[k] for k in words], FIRST_DRAWS, pool.side)
    certain_surenesses: dict[int, Sureness] = {}
    if_not_fragile: dict[int, Sureness] = {}
    for (k, word), fraction in zip(words.items(), fractions, strict=True):
        find_certain = partial(
            certain_sureness,
            word,
            bound_of_fraction_kept(fraction),
            1.0,
            does_rule_agree=k not in rules.by_all,
        )
        has_dissent = k in rules.by_any
        if certain := find_certain(fragile=True if has_dissent else None):
            certain_surenesses[k] = certain
        elif not has_dissent and (certain := find_certain(fragile=False)):
            if_not_fragile[k] = certain
    near_leaving_side = _losses_one_from_leaving_side(pool, [*if_not_fragile])
    return certain_surenesses | {
        k: if_not_fragile[k] for k in if_not_fragile.keys() - near_leaving_side
    }


class _DissentAfterLosses(NamedTuple):
    """The losses after which other rules dissent from the answer. `by_any` are those after which a
    semantics does not come out on its side, or Dung's label is on the other side. `by_all` are
    those after which neither any other semantics nor Dung's label is on its side.
    """

    by_any: set[int]
    by_all: set[int]


def _dissent_after_losses(
    pool: LossPool, questions_left: Mapping[int, Question], losses: Sequence[int]
) -> _DissentAfterLosses:
    question = pool.question
    labels = {
        k: side_of_label(grounded_label(questions_left[k].graph, question.node)) for k in losses
    }
    by_any = {k for k, side in labels.items() if side == -pool.side}
    by_all = {k for k, side in labels.items() if side != pool.side}
    for name in COMPARED_RULES:
        # solving takes longest, so only where it may still change one of the two
        in_doubt = [k for k in losses if k not in by_any or k in by_all]
        if in_doubt and name != question.settings.semantics:
            graph = question.solution_under(semantics=name).graph
            outcomes = pool.outcomes_without([[k] for k in in_doubt], graph)
            sides = pool.sides(outcomes).tolist()
            agreeing = {k for k, side in zip(in_doubt, sides, strict=True) if side == pool.side}
            by_any |= {*in_doubt} - agreeing
            by_all -= agreeing
    return _DissentAfterLosses(by_any, by_all)


def _losses_one_from_leaving_side(pool: LossPool, losses: Sequence[int]) -> set[int]:
    """The losses after which one more of the likeliest losses of a source would take the answer
    from its side.
    """
    sources = replace(pool, kind="source", protect=frozenset())
    likely_losses = sources.likeliest_candidates(LIKELY_LOSSES)
    pairs = [(k, other) for k in losses for other in likely_losses]
    if not pairs:
        return set()
    if pool.kind == "source":
        outcomes = pool.outcomes_without([[*{*pair}] for pair in pairs])
    else:
        outcomes = run_muted(
            pool.question.graph,
            [np.union1d(pool.members[k][1], sources.members[other][1]) for k, other in pairs],
            keep_outcome(pool.question.node),
        )
    has_left_side = np.reshape(pool.has_left_side(outcomes), (len(losses), -1))
    return {k for k, row in zip(losses, has_left_side, strict=True) if row.any()}


# -- in words --------------------------------------------------------------------------------------


class WordChangeSentence(NamedTuple):
    """`Without A it would be surer: “probably”.`, and, separately, the losses that it names."""

    start: str
    lost: tuple[str, ...]
    end: str

    def end_with(self, why_surer: str) -> str:
        """The end, with a clause on why, if what is lost makes the answer surer."""
        if not why_surer or " less sure" in self.end:
            return self.end
        return f"{self.end.removesuffix('.')}, {why_surer}."


def sentences_on_words(changes: Sequence[Flip]) -> list[WordChangeSentence]:
    """Say what single losses would do to how sure an answer is: a sentence for each sureness."""
    by_word: dict[tuple[str, str], list[Flip]] = {}
    for flip in changes:
        by_word.setdefault((flip.does, flip.answer_phrase), []).append(flip)
    return [
        WordChangeSentence(
            "Without ",
            tuple(flip.removed[0] for flip in flips),
            f" it would be {does}: “{word}”.",
        )
        for (does, word), flips in by_word.items()
    ]


def describe_word_changes(question: Question, kind: LossKind, changes: Sequence[Flip]) -> str:
    """`sentences_on_words` with titles; empty if there are none."""
    return " ".join(
        f"{each.start}{describe_any_of(titles_of_losses(question, kind, each.lost))}{each.end}"
        for each in sentences_on_words(changes)
    )


def titles_of_losses(question: Question, kind: LossKind, names: Sequence[str]) -> list[str]:
    """The titles of single losses: of source groups, or of pieces of evidence."""
    if kind == "source":
        return [source_group_title(question, name) for name in names]
    statements = question.reading.corpus.statements
    titled = [(name, quote_title(statements[name].title)) for name in names]
    return [statement_with_same(question.reading, *pair) for pair in titled]
