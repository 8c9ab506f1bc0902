"""Losses of evidence or sources after which a verdict has another side or sureness."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple, get_args

import numpy as np

from kg.model.errors import Misuse
from kg.reasoning.asked_question import asked_about
from kg.reasoning.graph.arrays import round_off_or_none
from kg.reasoning.line_without_proposition import LineWithoutProposition, answer_without_proposition
from kg.reasoning.losses.smallest_losses import (
    MAX_SET_TRIED,
    GoalTest,
    LossKind,
    LossPool,
    smallest_sets,
)
from kg.reasoning.losses.source_groups import describe_any_of
from kg.reasoning.partial_evidence.word_changes import (
    FEWEST_WORDS_TRIED,
    FLIP,
    Flip,
    changes_of_word,
    describe_word_changes,
    flips_of_single_losses,
    losses_to_word,
    make_flip,
    titles_of_losses,
)
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.sensitivity.base_changes import BaseChange, least_base_changes
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reasoning.word_and_side import verdict_word_of
from kg.reporting.plots import Axes, MovedStrength, draw_moves
from kg.reporting.report import Report, Table, columns, table
from kg.text.plurals import pluralize
from kg.text.sentences import quote_title

_KINDS_OF_LOSS: dict[LossKind, str] = {"evidence": "piece of evidence", "source": "source"}
BASE_CHANGE = columns(BaseChange, "statement, base, base needed: needed")


class Flips(WeighedAnswer, frozen=True, kw_only=True):
    """Losses that turn the answer from one side, supported or refuted, to the other.

    `complete` is false if not all candidates could be tried within the budget.
    """

    strength: float | None
    word: str
    by: LossKind
    """What is lost: evidence or sources."""
    tried: int
    """How many candidates were tried."""
    singles: tuple[Flip, ...]
    """Candidates whose loss alone turns it, or gives it a side if it has none."""
    undoing: tuple[Flip, ...]
    """Those after whose loss it has no side."""
    words: tuple[Flip, ...]
    """Those after whose loss it stays on its side, but is surer or less sure."""
    words_tried: int
    """Of how many candidates, the heaviest, the sureness was tried; the loss of others may change
    it, too.
    """
    minimal: tuple[Flip, ...]
    """The smallest sets found that turn it, up to fifty."""
    minimal_exact: bool
    """False if a greedy search found them: then their size is an upper bound."""
    minimal_undoing: tuple[Flip, ...]
    """The smallest sets found that take it from its side, to the other or to none, up to fifty."""
    minimal_undoing_exact: bool
    """False if a greedy search found these."""
    changes: tuple[BaseChange, ...]
    """The smallest changes of a base that bring the strength to one half, among the dozen pieces of
    evidence that matter most.
    """

    def report(self) -> Report:
        facts = {
            "strength": self.strength,
            "losses of": self.by,
            "losses tried": self.tried,
            "fewer would turn it": describe_fewer_losses(
                self.minimal_exact, bool(self._turning_sets)
            ),
            "fewer would undo it": describe_fewer_losses(
                self.minimal_undoing_exact, bool(self._leaving_sets)
            ),
        }
        if self.words_tried < self.tried:
            facts["losses after which the word was tried, the heaviest"] = self.words_tried
        singles, leaving_undecided, leaving, turning = self.detail_tables()
        return self.as_report(
            facts,
            singles,
            leaving_undecided,
            table("whose loss alone changes only how sure it is", self.words, FLIP),
            turning,
            leaving,
            table(
                "least changes of one base that bring it to the middle", self.changes, BASE_CHANGE
            ),
        )

    def detail_tables(self) -> tuple[Table, ...]:
        """Single losses that turn it, or leave it undecided; sets that take it from its side, or
        turn it.
        """
        decide = bool(self.singles) and self.singles[0].does == "decides"
        singles_title = f"whose loss alone {'would decide' if decide else 'turns'} it"
        return (
            table(singles_title, self.singles, FLIP),
            table("whose loss alone would leave it on neither side", self.undoing, FLIP),
            table("smallest sets found whose loss undoes it", self._leaving_sets, FLIP),
            table("smallest sets found whose loss turns it", self._turning_sets, FLIP),
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """A tornado chart of the strength, from 0 to 1, after each loss, the largest move first.

        Draws with matplotlib, on `ax` if it is given. Raises `MissingLibrary`.

        `corpus.flips("social-grounding").plot()`
        """
        losses = (*self.singles, *self.undoing, *self.words, *self.minimal, *self.minimal_undoing)
        strength_without = {flip.removed: flip.strength for flip in losses}
        moves = []
        for names, strength in strength_without.items():
            these = f"these {len(names)}: " if len(names) > 1 else ""
            moves.append(MovedStrength(f"without {these}{', '.join(names)}", strength))
        return draw_moves(self.asked.title, self.strength, moves, ax=ax)

    @property
    def _turning_sets(self) -> tuple[Flip, ...]:
        """Sets of losses that turn the answer; empty if single losses do, which are listed."""
        return () if self.singles else self.minimal

    @property
    def _leaving_sets(self) -> tuple[Flip, ...]:
        return () if self.singles or self.undoing else self.minimal_undoing

    @property
    def size(self) -> int | None:
        """The size of the smallest set found; `None` if there is none."""
        return len(self.minimal[0].removed) if self.minimal else None


@accepts_corpus
def flips(
    reading: Reading,
    name: str,
    *,
    max_size: int = MAX_SET_TRIED,
    protect: str | Iterable[str] = (),
    by: LossKind = "evidence",
) -> Flips | LineWithoutProposition:
    """Losses that would turn the answer to `name`, sparing statements and sources in `protect`.

    Lost evidence is muted. A lost source takes its part from the base of all evidence that rests
    on it, as retracting its works does. Statements that lost evidence supersedes stay superseded.
    Raises `UnknownId`.

    `corpus.flips("social-grounding", by="source")`
    """
    if by not in get_args(LossKind):
        raise Misuse(f"by is {' or '.join(map(repr, get_args(LossKind)))}, not {by!r}")
    question = reading.question(name)
    if not question.statement:
        return answer_without_proposition(question)
    names = [protect] if isinstance(protect, str) else protect
    pool = LossPool(question, by, _resolve_protected(reading, names))
    max_words = losses_to_word(pool) if by == "source" else FEWEST_WORDS_TRIED
    singles = _single_flips(pool, max_words)
    turning = _smallest_flips(pool, singles.turns, max_size, pool.is_turned)
    # what turns an answer also takes it from its side
    ranked = _sort_by_strength_left(pool, [*singles.turns, *singles.leave_undecided])
    leaving = _smallest_flips(pool, ranked, max_size, pool.has_left_side)
    sentences = (
        _flips_sentence(pool, singles, turning, leaving),
        describe_word_changes(question, by, singles.words),
    )
    return Flips(
        sentence=" ".join(filter(None, sentences)),
        asked=asked_about(question),
        complete=pool.is_whole and turning.exact and leaving.exact,
        strength=round_off_or_none(question.strength_or_nan),
        word=verdict_word_of(question),
        by=by,
        tried=len(pool.candidates_to_try),
        singles=singles.turns,
        undoing=singles.leave_undecided,
        words=singles.words,
        words_tried=min(max_words, len(pool.candidates_to_try)),
        minimal=turning.sets,
        minimal_exact=turning.exact,
        minimal_undoing=leaving.sets,
        minimal_undoing_exact=leaving.exact,
        changes=least_base_changes(question, pool.protect),
    )


def _resolve_protected(reading: Reading, names: Iterable[str]) -> frozenset[str]:
    """The ids of statements, and the source groups, that `names` stand for."""
    corpus = reading.corpus
    source_group_of_name = dict[str, str]()
    for source_group, keys in reading.source_groups.sources.items():
        source_group_of_name |= dict.fromkeys((source_group, *keys), source_group)
    protected = set()
    for name in names:
        id = corpus.look_up(name) or name
        source = source_group_of_name.get(name) or source_group_of_name.get(id)
        if source is None and id not in corpus.statements:
            candidates = [*corpus.statements, *source_group_of_name]
            raise corpus.unknown_id_error(name, candidates, "statement or source")
        protected |= {source or id, id}
    return frozenset(protected)


class _SingleFlips(NamedTuple):
    """Single losses after which the answer has another side, no side, or only another sureness."""

    turns: tuple[Flip, ...] = ()
    leave_undecided: tuple[Flip, ...] = ()
    words: tuple[Flip, ...] = ()


def _single_flips(pool: LossPool, max_words: int) -> _SingleFlips:
    flips = flips_of_single_losses(pool, max_words)
    ordered = _sort_by_strength_left(pool, flips)
    return _SingleFlips(
        turns=tuple(f for f in ordered if f.does in ("turns", "decides")),
        leave_undecided=tuple(f for f in ordered if f.does == "undoes"),
        words=changes_of_word(flips, pool.question.strength_or_nan),
    )


def _sort_by_strength_left(pool: LossPool, flips: Sequence[Flip]) -> list[Flip]:
    """Sort flips by how far they take the answer from its side; those that leave no stable strength
    come last.
    """
    side = pool.side
    return sorted(flips, key=lambda f: (f.strength is None, side * (f.strength or 0), f.removed))


class _SmallestFlips(NamedTuple):
    """The smallest sets found, and whether no smaller ones exist."""

    sets: tuple[Flip, ...]
    exact: bool

    @property
    def size(self) -> float:
        """The number of losses in each set; infinite if there is none."""
        return len(self.sets[0].removed) if self.sets else inf

    @property
    def ending(self) -> str:
        """The end of a sentence, which says if not every smaller set was tried."""
        return "." if self.exact else ", and fewer may."


def _smallest_flips(
    pool: LossPool, singles: Sequence[Flip], max_size: int, reaches_goal: GoalTest
) -> _SmallestFlips:
    """The smallest sets that reach a goal; `singles` reach it alone."""
    if not pool.side or not pool.candidates_to_try:
        return _SmallestFlips((), True)
    if singles:
        return _SmallestFlips(tuple(singles), True)
    loss_sets, exact = smallest_sets(pool, max_size, reaches_goal)
    outcomes = pool.outcomes_without(loss_sets) if loss_sets else np.zeros((3, 0))
    flips = (make_flip(pool, losses, x) for losses, x in zip(loss_sets, outcomes.T, strict=True))
    return _SmallestFlips(tuple(flips), exact)


def _flips_sentence(
    pool: LossPool, singles: _SingleFlips, turning: _SmallestFlips, leaving: _SmallestFlips
) -> str:
    """Say what would turn the answer or, if it has no side, decide it: the first case that
    applies.
    """
    title, loss = quote_title(pool.question.title), _KINDS_OF_LOSS[pool.kind]
    bound = "" if pool.is_whole else f" among the {len(pool.candidates_to_try)} that matter most"
    any_one = describe_any_of(_titles_of_singles(pool, singles.turns))
    turns_it = f"{bound} turns {title} to the other side"
    is_claim = pool.question.graph.is_claim[pool.question.node]
    cases = (
        (pool.side and singles.turns, f"would turn to the other side without {any_one}."),
        (pool.side, ""),
        (not is_claim, "is evidence, which takes no side, so no loss turns it."),
        (singles.turns, f"is undecided; it would be decided without {any_one}."),
        (True, f"is undecided, and the loss of no single {loss} would decide it."),
    )
    if sentence_end := next(words for applies, words in cases if applies):
        return f"{title} {sentence_end}"
    softer = _describe_losses_leaving_undecided(pool, singles.leave_undecided, turning, leaving)
    if not turning.sets:
        return f"No loss that was tried{turns_it}.{softer}"
    return f"No single {loss}{turns_it}; {turning.size} together do{turning.ending}{softer}"


def _describe_losses_leaving_undecided(
    pool: LossPool, singles: Sequence[Flip], turning: _SmallestFlips, leaving: _SmallestFlips
) -> str:
    """A further sentence, if fewer losses leave the answer undecided than turn it."""
    if singles:
        piece, _, rest = _KINDS_OF_LOSS[pool.kind].partition(" ")
        losses = f"{pluralize(len(singles), piece)} {rest}".rstrip()
        ending = "alone" if len(singles) == 1 else "each alone"
        first = _titles_of_singles(pool, singles[:1])[0]
        return f" {losses} {ending} would leave it on neither side, first of all {first}."
    if leaving.size < turning.size:
        return (
            f" The loss of {leaving.size} together would leave it on neither side{leaving.ending}"
        )
    return ""


def _titles_of_singles(pool: LossPool, singles: Sequence[Flip]) -> list[str]:
    return titles_of_losses(pool.question, pool.kind, [flip.removed[0] for flip in singles])


def describe_fewer_losses(exact: bool, is_found: bool) -> str:
    """Say whether fewer losses might do; empty if no set `is_found`."""
    if not is_found:
        return ""
    return "no" if exact else "not known"
