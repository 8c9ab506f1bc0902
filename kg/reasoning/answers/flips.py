"""What would turn a verdict: evidence or sources whose loss changes the side, or the word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, inf
from typing import NamedTuple

import numpy as np

from kg.corpus import UnknownId
from kg.model.spelling import many, nearest
from kg.reasoning.answers.firmness import By, Does, Flip, Flips
from kg.reasoning.answers.scenario_diff import with_same
from kg.reasoning.answers.sensitivity import least_changes
from kg.reasoning.arrays import Bools, Floats, Ints, log_odds
from kg.reasoning.attribution.camps import slopes
from kg.reasoning.attribution.independence import any_of, unit_title
from kg.reasoning.attribution.losses import after_loss, unit_members
from kg.reasoning.builder import of_corpus
from kg.reasoning.result import (
    OpenQuestion,
    asked,
    number,
    open_question,
    outcome,
    quoted,
    side_now,
)
from kg.reasoning.session import Question, Reading, once_per_question
from kg.reasoning.solver.scenarios import outcome_of, watch_without_arcs
from kg.reasoning.verdict_words import side_of, sides, word_at

Reached = Callable[[Floats], Bools]
FEWEST_TRIED, MOST_TRIED = 16, 256
"""Losses that are tried whatever the budget, and, where that is too small for all, at most: as many
as are solved side by side.
"""
SET_COST = 64
"""What a set counts against the budget, in scenarios: the search for sets is a small part of it."""
LARGEST_SET = 3
"""Sets up to this size are all tried; of larger ones, even few candidates make too many."""
GREEDY_STEPS, GREEDY_WIDTH = 12, 32
"""Members of a set that is grown loss by loss, and candidates for each: the likeliest alone."""
MOST_SETS = 50
"""Sets that are listed: nobody reads more."""


@of_corpus
def flips(
    reading: Reading,
    name: str,
    *,
    max_size: int = LARGEST_SET,
    protect: str | Iterable[str] = (),
    by: By = "evidence",
) -> Flips | OpenQuestion:
    """What would turn the answer to `name`, sparing the statements and sources in `protect`.

    Removing evidence mutes it; removing a source takes its part from the base of all evidence that
    rests on it, as retracting its works does. What they supersede stays so. Raises `UnknownId`.
    """
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    pool = LossPool(
        question, by, _protected(reading, [protect] if isinstance(protect, str) else protect)
    )
    singles, undoing, words = _singles(pool)
    turning = _minimal(pool, singles, max_size, pool.turned)
    leaving = _minimal(pool, _by_strength(pool, [*singles, *undoing]), max_size, pool.undone)
    return Flips(
        sentence=_sentence(pool, singles, undoing, turning, leaving),
        asked=asked(question),
        complete=pool.whole and turning.exact and leaving.exact,
        strength=number(question.strength),
        by=by,
        tried=len(pool.chosen),
        singles=tuple(singles),
        undoing=tuple(undoing),
        words=tuple(words),
        minimal=turning.sets,
        minimal_exact=turning.exact,
        minimal_undoing=leaving.sets,
        minimal_undoing_exact=leaving.exact,
        changes=least_changes(question, pool.protect),
    )


def _protected(reading: Reading, names: Iterable[str]) -> frozenset[str]:
    """Statements by their ids, and sources by the units that they belong to."""
    corpus, of_source = reading.corpus, dict[str, str]()
    for unit, keys in reading.units.sources.items():
        of_source |= dict.fromkeys((unit, *keys), unit)
    found = set()
    for name in names:
        source = of_source.get(name) or of_source.get(name.removeprefix("@"))
        if source is None and name not in corpus.statements:
            known = [*corpus.statements, *of_source]
            raise UnknownId(name, nearest(name, known), "statement or source")
        found |= {source or name, name}
    return frozenset(found)


@dataclass(frozen=True)
class LossPool:
    """What may be taken away, and the strength that is left when some of it is."""

    question: Question
    by: By
    protect: frozenset[str]

    @cached_property
    def members(self) -> list[tuple[str, Ints]]:
        """Name and evidence of each candidate."""
        question = self.question
        if self.by == "source":
            pairs = list(unit_members(question).items())
        else:
            ids = question.graph.ids
            pairs = [(ids[i], np.array([i])) for i in question.evidence.tolist()]
        return [pair for pair in pairs if pair[0] not in self.protect]

    @property
    def room(self) -> int:
        """How many scenarios the search for sets may take: a small part of the budget."""
        return max(self.question.affordable(SET_COST), FEWEST_TRIED)

    @cached_property
    def chosen(self) -> list[int]:
        """Candidates to try: all, or within the budget those whose loss should matter most."""
        room = max(self.question.affordable(), FEWEST_TRIED)
        if len(self.members) <= room:
            return list(range(len(self.members)))
        weight = np.abs(slopes(self.question)) * self.question.strengths
        score = [-float(weight[nodes].sum()) for _, nodes in self.members]
        order: list[int] = np.argsort(score, kind="stable").tolist()
        return order[: min(room, MOST_TRIED)]

    def likeliest(self, count: int) -> list[int]:
        """Of the candidates to try, those whose evidence speaks most for the side."""
        pull = self.now * slopes(self.question) * self.question.strengths
        return sorted(self.chosen, key=lambda k: -float(pull[self.members[k][1]].sum()))[:count]

    def notes_of_one_source(self, count: int) -> list[tuple[int, ...]]:
        """Several notes that rest on one source, which may stand in for each other: those of the
        sources whose loss should matter most.
        """
        if self.by == "source":
            return []
        place = {int(nodes[0]): k for k, (_, nodes) in enumerate(self.members)}
        pull = self.now * slopes(self.question) * self.question.strengths
        held = sorted(unit_members(self.question).values(), key=lambda n: -float(pull[n].sum()))
        found = [tuple(place[n] for n in nodes.tolist() if n in place) for nodes in held]
        tried = {*self.chosen}
        return [group for group in found if len(group) > 1 and tried.issuperset(group)][:count]

    @property
    def whole(self) -> bool:
        """Whether all candidates are tried."""
        return len(self.chosen) == len(self.members)

    def names(self, group: Sequence[int]) -> tuple[str, ...]:
        """The names of a set of candidates."""
        return tuple(self.members[k][0] for k in group)

    def left(self, groups: Sequence[Sequence[int]]) -> Floats:
        """What the word follows from (3 × groups: strength, for, against) without each group."""
        question, watch = self.question, outcome_of(self.question.node)
        if self.by == "evidence":
            held = [np.concatenate([self.members[k][1] for k in group]) for group in groups]
            return watch_without_arcs(question.graph, held, watch)
        return after_loss(question, [self.names(group) for group in groups], watch)

    @cached_property
    def now(self) -> int:
        """On which side the answer is: 1, -1, or 0 for neither."""
        return side_now(self.question)

    def sides(self, left: Floats) -> Ints:
        """On which side the answer is in each column of `left`."""
        return sides(left[0], left[1], left[2], self.question.settings)

    def turned(self, left: Floats) -> Bools:
        """In which columns the answer is on the other side."""
        return np.asarray(self.sides(left) == -self.now)

    def undone(self, left: Floats) -> Bools:
        """In which columns the answer has left its side."""
        return np.asarray(self.sides(left) != self.now)


@once_per_question
def smallest(question: Question) -> tuple[int | None, bool]:
    """The size of the smallest set of evidence found without which the answer has another side or
    none, and whether it is exact.
    """
    pool = LossPool(question, "evidence", frozenset())
    if not pool.now or not pool.chosen:
        return None, pool.whole
    if pool.undone(pool.left([[k] for k in pool.chosen])).any():
        return 1, pool.whole
    groups, exact = _sets(pool, LARGEST_SET, pool.undone)
    return len(groups[0]) if groups else None, exact and pool.whole


def _flip(pool: LossPool, group: Sequence[int], left: Floats) -> Flip:
    word = word_at(left, pool.question.settings)
    return Flip(
        removed=pool.names(group),
        strength=number(left[0]),
        word=word,
        does=_does(pool.now, side_of(word)),
    )


def _does(now: int, then: int) -> Does:
    if then == now:
        return "rewords"
    if not now:
        return "decides"
    return "turns" if then else "undoes"


def _singles(pool: LossPool) -> tuple[list[Flip], list[Flip], list[Flip]]:
    """Single losses after which the answer has another side, none, or only another word."""
    groups = [[k] for k in pool.chosen]
    if not groups:
        return [], [], []
    before = word_at(outcome(pool.question), pool.question.settings)
    found = [_flip(pool, g, x) for g, x in zip(groups, pool.left(groups).T, strict=True)]
    ordered = _by_strength(pool, found)
    return (
        [flip for flip in ordered if flip.does in ("turns", "decides")],
        [flip for flip in ordered if flip.does == "undoes"],
        [flip for flip in ordered if flip.does == "rewords" and flip.word != before],
    )


def _by_strength(pool: LossPool, flips: Sequence[Flip]) -> list[Flip]:
    """Losses in the order of how far they take the answer from its side."""
    return sorted(flips, key=lambda flip: (pool.now * (flip.strength or 0.0), flip.removed))


class _Smallest(NamedTuple):
    """The smallest sets found, and whether none smaller can exist."""

    sets: tuple[Flip, ...]
    exact: bool


def _minimal(pool: LossPool, singles: Sequence[Flip], max_size: int, reached: Reached) -> _Smallest:
    """The smallest sets by which a goal is `reached`, which `singles` alone do."""
    if not pool.now or not pool.chosen:
        return _Smallest((), True)
    if singles:
        return _Smallest(tuple(singles), True)
    groups, exact = _sets(pool, max_size, reached)
    left = pool.left(groups) if groups else np.zeros((3, 0))
    found = (_flip(pool, g, x) for g, x in zip(groups, left.T, strict=True))
    return _Smallest(tuple(found), exact)


def _sets(pool: LossPool, max_size: int, reached: Reached) -> tuple[list[Sequence[int]], bool]:
    """Smallest sets of two or more by which a goal is `reached`; whether none smaller can exist."""
    tried = 1  # whoever asks for sets has tried each loss alone
    for size in range(2, max_size + 1):
        if comb(len(pool.chosen), size) > pool.room:
            break
        groups = list(combinations(pool.chosen, size))
        if not groups:
            return [], pool.whole
        left = pool.left(groups)
        hits = np.flatnonzero(reached(left))
        if len(hits):
            first = hits[np.argsort(pool.now * left[0, hits], kind="stable")[:MOST_SETS]]
            return [groups[k] for k in first.tolist()], pool.whole
        tried = size
    found = _greedy(pool, reached)
    return found, pool.whole and bool(found) and len(found[0]) == tried + 1


def _greedy(pool: LossPool, reached: Reached) -> list[Sequence[int]]:
    """The smaller of two sets by which a goal is reached, each thinned: one begins with the
    likeliest losses together, the other with nothing.
    """
    likely = pool.likeliest(min(max(pool.room // GREEDY_STEPS, 2), GREEDY_WIDTH))
    heads = [likely[:count] for count in range(1, min(len(likely), GREEDY_STEPS) + 1)]
    enough = np.flatnonzero(reached(pool.left(heads)))
    moves: list[tuple[int, ...]] = [(k,) for k in likely]
    found: list[Sequence[int]] = []
    if len(enough) and enough[0]:
        found = _grown(pool, likely[: int(enough[0])], moves, reached, GREEDY_STEPS)
    moves += pool.notes_of_one_source(GREEDY_WIDTH // 2)
    fewer = len(found[0]) - 1 if found else GREEDY_STEPS
    return _grown(pool, [], moves, reached, fewer) or found


def _grown(
    pool: LossPool, group: list[int], moves: Sequence[tuple[int, ...]], reached: Reached, most: int
) -> list[Sequence[int]]:
    """A set by which a goal is reached, grown by the loss that moves most for each of its members,
    then thinned; none where `most` of them do not reach it.
    """
    before = pool.left([group])[0, 0] if group else pool.question.strength
    while len(group) < most:
        added = [[k for k in move if k not in group] for move in moves]
        added = [more for more in added if more]
        if not added:
            return []
        left = pool.left([[*group, *more] for more in added])
        sizes = np.array([len(more) for more in added])
        there = reached(left)
        gain = pool.now * (log_odds(np.asarray(before)) - log_odds(left[0])) / sizes
        best = int(np.argmax(np.where(there, -sizes, -np.inf) if there.any() else gain))
        group, before = [*group, *added[best]], left[0, best]
        if there[best]:
            thin = _thinned(pool, group, reached)
            return [thin] if len(thin) <= most else []
    return []


def _thinned(pool: LossPool, group: list[int], reached: Reached) -> list[int]:
    """The set without the members it does not need, dropped one by one."""
    while len(group) > 1:
        fewer = [[other for other in group if other != k] for k in group]
        still = np.flatnonzero(reached(pool.left(fewer)))
        if not len(still):
            break
        group = fewer[int(still[0])]
    return group


def _names(question: Question, what: By, flips: Sequence[Flip]) -> list[str]:
    """Single losses by their titles."""
    corpus, names = question.reading.corpus, [flip.removed[0] for flip in flips]
    if what == "source":
        return [unit_title(question, name) for name in names]
    titled = [(name, quoted(corpus.statements[name].title)) for name in names]
    return [with_same(question.reading, *pair) for pair in titled]


def _sentence(
    pool: LossPool,
    singles: Sequence[Flip],
    undoing: Sequence[Flip],
    turning: _Smallest,
    leaving: _Smallest,
) -> str:
    question, what = pool.question, pool.by
    title = quoted(question.title)
    kind = "piece of evidence" if what == "evidence" else "source"
    word = word_at(outcome(question), question.settings)
    if not pool.now:
        if not question.graph.claim[question.node]:
            return f"{title} is evidence, which takes no side, so no loss turns it."
        if not singles:
            return f"{title} is {word}, and the loss of no single {kind} would decide it."
        named = any_of(_names(question, what, singles))
        return f"{title} is {word}; it would be decided without {named}."
    if singles:
        return (
            f"{title} would turn from {word} to the other side without "
            f"{any_of(_names(question, what, singles))}."
        )
    tried = "" if pool.whole else f" among the {len(pool.chosen)} that matter most"
    soft = ""
    if undoing:
        alone = "alone" if len(undoing) == 1 else "each alone"
        soft = (
            f" {_many(len(undoing), kind)} {alone} would leave it undecided, first of all "
            f"{_names(question, what, undoing[:1])[0]}."
        )
    elif _fewest(leaving) < _fewest(turning):
        soft = f" The loss of {_fewest(leaving)} together would leave it undecided{_bound(leaving)}"
    if not turning.sets:
        return f"No loss that was tried{tried} turns {title} from {word}.{soft}"
    none = f"No single {kind}{tried} turns {title} from {word}"
    return f"{none}; {_fewest(turning)} together do{_bound(turning)}{soft}"


def _fewest(smallest: _Smallest) -> float:
    return len(smallest.sets[0].removed) if smallest.sets else inf


def _bound(smallest: _Smallest) -> str:
    """The end of a sentence; where not every smaller set was tried, it says so."""
    return "." if smallest.exact else ", and fewer may."


def _many(count: int, kind: str) -> str:
    """`count` sources or pieces of evidence."""
    piece, _, of = kind.partition(" ")
    return f"{many(count, piece)} {of}".rstrip()
