"""How sure an answer would be without one of its sources, or one piece of its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np

from kg.model import Value
from kg.reasoning.graph.arrays import Floats, round_off_or_none
from kg.reasoning.losses.smallest_losses import LossKind, LossPool
from kg.reasoning.losses.source_groups import describe_any_of, source_group_title
from kg.reasoning.losses.source_losses import (
    has_premises,
    heaviest_first,
    losses_by_source,
    question_without_evidence,
    question_without_source,
)
from kg.reasoning.other_rules.dung_labelling import grounded_label
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import keep_outcome, run_muted
from kg.reasoning.sensitivity.changed_readings import statement_with_same
from kg.reasoning.sensitivity.other_settings_and_rules import SECOND_OPINIONS, side_of_label
from kg.reasoning.sensitivity.setting_draws import fractions_kept, trials_of
from kg.reasoning.strength_words import StrengthWord, side_of, strength_in_table, strength_word
from kg.reasoning.sureness import sureness_of
from kg.reasoning.sureness_words import answer_phrase, is_surer, sureness_after_trials
from kg.reasoning.weighed_answer import describe_side_change, outcome_of, quote_title, side_change
from kg.reporting.report import columns, lines_in_cell
from kg.runtime.memoize import memoized_function

FEWEST_WORDS_TRIED, WORDS_IN_VERDICT = 10, 6
"""Losses after which the word is found whatever the budget, the heaviest; and in a verdict, which
is to come at once. The rest seldom bear on the word, and each may take 200 draws.
"""
SCENARIOS_PER_WORD = 128
"""What finding one word costs against the budget, in scenarios."""
FIRST_DRAWS = 50
"""Draws that are tried first; the rest only if these leave the word in doubt."""
CLEARLY_LEANING, CLEARLY_FRAGILE = 0.7, 0.96
"""Shares of the first draws on the answer's side from which the bounds of one half and of four
fifths in all 200 draws are taken as passed. Were one draw too few on its side, so many of these
would be among the first in less than one case of 1,000 (the hypergeometric distribution).
"""
LIKELY_LOSSES = 16
"""Further losses that are tried first after a loss: those that speak most for the answer."""

FlipEffect = Literal["turns", "undoes", "decides", "surer", "less sure", "keeps"]


class Flip(Value, frozen=True, omit_defaults=False):
    """A loss (ids of evidence, or source groups), the strength it leaves, and its effect: the
    answer goes to the other side, loses its side, gains one, or stays there and is surer, less
    sure, or as sure as before.

    `word` is the strength word; `sureness` is that of the answer then, as the verdict would say. It
    is empty where this was not tried: `word` then allows no more than
    `kg.reasoning.sureness_words.greatest_sureness` says.
    """

    removed: tuple[str, ...]
    strength: float | None
    word: str
    does: FlipEffect
    sureness: str = ""

    @property
    def answer_phrase(self) -> str:
        """The phrase that people read, `perhaps not`; `at most probably` if it was not tried."""
        if self.sureness:
            return answer_phrase(self.word, self.sureness)
        greatest = answer_phrase(self.word)
        return f"at most {greatest}" if side_of(self.word) else greatest


FLIP = columns(
    Flip,
    ("removed", lambda f: lines_in_cell(*f.removed)),
    ("strength", lambda e: strength_in_table(e.strength)),
    ("word", lambda f: f.answer_phrase),
    (
        "the answer",
        lambda f: (
            f"is {f.does}"
            if f.does in ("surer", "less sure")
            else describe_side_change(f.does == "undoes", f.does == "decides", f.does == "turns")
        ),
    ),
)


def make_flip(pool: LossPool, group: Sequence[int], outcome: Floats, sureness: str = "") -> Flip:
    """What the loss of a group does, of which the outcome is known, and perhaps the word."""
    word = strength_word(outcome, pool.question.settings)
    change = side_change(pool.side, side_of(word))
    does: FlipEffect = change
    if change == "keeps" and sureness and pool.side:
        sureness_now = sureness_of(pool.question).word
        if is_surer(sureness, sureness_now):
            does = "surer"
        elif is_surer(sureness_now, sureness):
            does = "less sure"
    return Flip(
        removed=pool.names(group),
        strength=round_off_or_none(outcome[0]),
        word=word,
        does=does,
        sureness=sureness,
    )


# -- which losses are tried, and what is found -----------------------------------------------------


def losses_to_word(pool: LossPool) -> int:
    """How many of the heaviest single losses the budget allows to find a word for."""
    return max(pool.question.affordable(SCENARIOS_PER_WORD), FEWEST_WORDS_TRIED)


def flips_of_single_losses(pool: LossPool, max_words: int) -> list[Flip]:
    """What each single loss does; with its word after the `max_words` heaviest losses, and wherever
    no side is left.
    """
    question = pool.question
    candidates = pool.candidates_to_try
    if not candidates:
        return []
    outcomes = _outcomes_of_single_losses(pool)
    words: dict[int, str] = {}
    if question.graph.claim[question.node] and not np.isnan(outcome_of(question).strength):
        nodes = [pool.members[k][1] for k in candidates]
        heaviest = np.array(heaviest_first(question, nodes)[:max_words], dtype=np.int64)
        words = _sureness_without(pool, [candidates[k] for k in heaviest], outcomes[:, heaviest])
    sides = pool.sides(outcomes).tolist()
    return [
        make_flip(pool, [k], outcome, words.get(k, "" if side else "undecided"))
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


@memoized_function
def word_changes(question: Question) -> tuple[Flip, ...]:
    """The heaviest sources without which the answer stays on its side and is surer or less sure;
    those that make it surer first, and of these what moves it most.
    """
    return changes_of_word(
        flips_of_single_losses(LossPool(question, "source", frozenset()), WORDS_IN_VERDICT),
        question.strength,
    )


def changes_of_word(flips: Sequence[Flip], strength: float) -> tuple[Flip, ...]:
    """Of `flips`, those that only make an answer surer or less sure, in the order of
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


@memoized_function
def _words_by_loss(_: Question) -> dict[tuple[LossKind, str], str]:
    """The words found so far of a question."""
    return {}


def _sureness_without(pool: LossPool, losses: Sequence[int], outcomes: Floats) -> dict[int, str]:
    """The word of `sureness_of` after each of some single losses, whose outcomes are known."""
    words = _words_by_loss(pool.question)
    names = {k: (pool.kind, pool.members[k][0]) for k in losses}
    unknown = [position for position, k in enumerate(losses) if names[k] not in words]
    new_losses = [losses[position] for position in unknown]
    for word in _find_words(pool, new_losses, outcomes[:, unknown]):
        words[names[word.loss]] = word.sureness
    return {k: words[name] for k, name in names.items()}


class _WordAfterLoss(NamedTuple):
    loss: int
    sureness: str


def _find_words(
    pool: LossPool, losses: Sequence[int], outcomes: Floats
) -> Iterator[_WordAfterLoss]:
    """The words after losses. Where the answer stays on its side, a few trials are made first: if
    they leave the word as it is beyond doubt, no more are made.
    """
    question = pool.question
    sides = pool.sides(outcomes)
    questions_left = {
        k: question_without(pool, k) for k, side in zip(losses, sides, strict=True) if side
    }
    first_words: dict[int, str] = {}
    if not has_premises(question):
        staying = {
            k: strength_word(outcome, question.settings)
            for k, outcome, side in zip(losses, outcomes.T, sides.tolist(), strict=True)
            if side and side == pool.side and _differs_in_values(question, questions_left[k])
        }
        first_words = _words_by_first_trials(pool, staying, questions_left)
    sureness_now = sureness_of(question).word
    for k in losses:
        word = first_words.get(k)
        if k not in questions_left:
            word = "undecided"
        elif word != sureness_now:
            word = sureness_of(questions_left[k]).word
        yield _WordAfterLoss(k, word or sureness_now)


def question_without(pool: LossPool, loss: int) -> Question:
    """The question of a pool without one of its candidates."""
    name, nodes = pool.members[loss]
    if pool.kind == "source":
        return question_without_source(pool.question, name)
    return question_without_evidence(pool.question, nodes)


def _differs_in_values(question: Question, question_left: Question) -> bool:
    """Whether a loss changes bases and parts of sources alone, and no weight."""
    return question_left.graph.arc_weight is question.graph.arc_weight


def _words_by_first_trials(
    pool: LossPool, words: Mapping[int, StrengthWord], questions_left: Mapping[int, Question]
) -> dict[int, str]:
    """By loss the word that the first draws and the likeliest further losses suggest, where they
    leave no doubt; `words` are those for the strengths that are left.
    """
    rules = _losses_by_rules(pool, questions_left, [*words])
    fractions = fractions_kept([questions_left[k] for k in words], FIRST_DRAWS, pool.side)
    first_words: dict[int, str] = {}
    probable_losses = []
    for (k, word), fraction in zip(words.items(), fractions, strict=True):
        if word.is_thin or k in rules.some_disagree:
            # of such an answer only the trials are in doubt
            fraction_kept = (
                1.0 if fraction >= CLEARLY_LEANING else trials_of(questions_left[k]).share_on_side
            )
            first_words[k] = sureness_after_trials(
                word,
                fraction_kept,
                does_rule_agree=k not in rules.all_disagree,
                fragile=True,
                sturdy=False,
            )
        elif fraction >= CLEARLY_FRAGILE and not word.is_strong:
            probable_losses.append(k)
    losses_near_undoing = _losses_one_from_undoing(pool, probable_losses)
    return first_words | {k: "probably" for k in probable_losses if k not in losses_near_undoing}


class _LossesByRules(NamedTuple):
    """Losses after which another semantics does not come out on the answer's side, or Dung's label
    is on the other; and those after which neither any semantics nor the label is on its side.
    """

    some_disagree: set[int]
    all_disagree: set[int]


def _losses_by_rules(
    pool: LossPool, questions_left: Mapping[int, Question], loss_numbers: Sequence[int]
) -> _LossesByRules:
    """The losses after which other rules do not agree with the answer."""
    question = pool.question
    labels = {
        k: side_of_label(grounded_label(questions_left[k].graph, question.node))
        for k in loss_numbers
    }
    some_disagree = {k for k, side in labels.items() if side == -pool.side}
    all_disagree = {k for k, side in labels.items() if side != pool.side}
    for name in SECOND_OPINIONS:
        # solving by another rule takes longest
        in_doubt = [k for k in loss_numbers if k not in some_disagree or k in all_disagree]
        if in_doubt and name != question.settings.semantics:
            graph = question.solution_under(semantics=name).graph
            outcomes = pool.outcomes_without([[k] for k in in_doubt], graph)
            sides = pool.sides(outcomes).tolist()
            agreeing = {k for k, side in zip(in_doubt, sides, strict=True) if side == pool.side}
            some_disagree |= {*in_doubt} - agreeing
            all_disagree -= agreeing
    return _LossesByRules(some_disagree, all_disagree)


def _losses_one_from_undoing(pool: LossPool, loss_numbers: Sequence[int]) -> set[int]:
    """The losses after which one more of the likeliest losses of a source would take the answer
    from its side.
    """
    sources = replace(pool, kind="source", protect=frozenset())
    likely_losses = sources.likeliest_candidates(LIKELY_LOSSES)
    pairs = [(k, other) for k in loss_numbers for other in likely_losses]
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
    is_undone = np.reshape(pool.is_undone(outcomes), (len(loss_numbers), -1))
    return {k for k, row in zip(loss_numbers, is_undone, strict=True) if row.any()}


# -- in words --------------------------------------------------------------------------------------


class WordChangeSentence(NamedTuple):
    """`Without A it would be surer: “probably”.`, and, separately, the losses that it names."""

    start: str
    lost: tuple[str, ...]
    end: str


def sentences_on_words(changes: Sequence[Flip]) -> list[WordChangeSentence]:
    """What single losses would do to the word of an answer: a sentence for each word."""
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
