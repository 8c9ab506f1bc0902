"""The smallest losses of evidence or sources that move an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb
from typing import Literal, NamedTuple

import numpy as np

from kg.reasoning.graph.arrays import Bools, Floats, Ints, bounded_logit
from kg.reasoning.graph.graph import Graph
from kg.reasoning.losses.source_groups import evidence_by_source_group
from kg.reasoning.losses.source_losses import FEWEST_LOSSES_TRIED, heaviest_first, run_losses
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.scenarios import keep_outcome, run_muted
from kg.reasoning.strength_words import sides_of_outcomes
from kg.reasoning.word_and_side import side_by_strength
from kg.runtime.memoize import memoize

LossKind = Literal["evidence", "source"]
GoalTest = Callable[[Floats], Bools]
# Most losses tried if the budget is too small for all: as many as are solved side by side.
MAX_LOSSES_TRIED = 256
# Cost of a set against the budget, in scenarios: the search for sets gets a small part of it.
SCENARIOS_PER_SET = 64
MAX_SET_TRIED = 3  # all sets up to this size; even few candidates make too many larger ones
# Most members of a set grown loss by loss, and the number of candidates (the likeliest).
MAX_GREEDY_SET, GREEDY_CANDIDATES = 12, 32
MAX_SETS_LISTED = 50  # more would not be read


@dataclass(frozen=True)
class LossPool:
    """The candidates for a loss, and the outcome without some of them."""

    question: Question
    kind: LossKind
    protect: frozenset[str]

    @cached_property
    def members(self) -> list[tuple[str, Ints]]:
        """Name and evidence of each candidate."""
        question = self.question
        if self.kind == "source":
            pairs = list(evidence_by_source_group(question).items())
        else:
            ids = question.graph.ids
            pairs = [(ids[i], np.array([i])) for i in question.evidence.tolist()]
        return [pair for pair in pairs if pair[0] not in self.protect]

    @property
    def scenario_limit(self) -> int:
        """The number of sets that each step of the search may try: a small part of the budget."""
        return max(self.question.affordable(SCENARIOS_PER_SET), FEWEST_LOSSES_TRIED)

    @cached_property
    def candidates_to_try(self) -> list[int]:
        """Candidates to try: all or, if the budget is too small, those likely to matter most."""
        room = max(self.question.affordable(), FEWEST_LOSSES_TRIED)
        if len(self.members) <= room:
            return list(range(len(self.members)))
        order = heaviest_first(self.question, [nodes for _, nodes in self.members])
        return order[: min(room, MAX_LOSSES_TRIED)]

    def likeliest_candidates(self, count: int) -> list[int]:
        """Return the candidates to try whose evidence speaks most for the answer's side."""
        pull = self.side * slopes_of(self.question) * self.question.strengths
        return sorted(self.candidates_to_try, key=lambda k: -float(pull[self.members[k][1]].sum()))[
            :count
        ]

    def notes_of_one_source(self, count: int) -> list[tuple[int, ...]]:
        """Return the notes that rest on one source, for each source with several: one note may
        replace another.

        There are at most `count` sets, those likely to matter most.
        """
        if self.kind == "source":
            return []
        position = {int(nodes[0]): k for k, (_, nodes) in enumerate(self.members)}
        pull = self.side * slopes_of(self.question) * self.question.strengths
        evidence_sets = sorted(
            evidence_by_source_group(self.question).values(), key=lambda n: -float(pull[n].sum())
        )
        candidate_sets = [
            tuple(position[n] for n in nodes.tolist() if n in position) for nodes in evidence_sets
        ]
        candidates = {*self.candidates_to_try}
        return [
            losses for losses in candidate_sets if len(losses) > 1 and candidates.issuperset(losses)
        ][:count]

    @property
    def is_whole(self) -> bool:
        """Whether all candidates are tried."""
        return len(self.candidates_to_try) == len(self.members)

    def names(self, losses: Sequence[int]) -> tuple[str, ...]:
        """The names of a set of candidates."""
        return tuple(self.members[k][0] for k in losses)

    def outcomes_without(
        self, loss_sets: Sequence[Sequence[int]], graph: Graph | None = None
    ) -> Floats:
        """`keep_outcome` (3 × sets: strength, for, against) without each set; in the graph of
        the question, or in `graph`, which differs in its settings alone.
        """
        question = self.question
        watch = keep_outcome(self.question.node)
        if self.kind == "evidence":
            evidence_sets = [
                np.concatenate([self.members[k][1] for k in losses]) for losses in loss_sets
            ]
            return run_muted(graph or question.graph, evidence_sets, watch)
        return run_losses(question, [self.names(losses) for losses in loss_sets], watch, graph)

    @cached_property
    def side(self) -> int:
        """The side of the answer: 1, -1, or 0 for neither."""
        return side_by_strength(self.question)

    def sides(self, outcomes: Floats) -> Ints:
        """The side of the answer in each column of `outcomes`."""
        return sides_of_outcomes(outcomes, self.question.settings)

    def is_turned(self, outcomes: Floats) -> Bools:
        """Mark the columns in which the answer is on the other side."""
        return np.asarray(self.sides(outcomes) == -self.side)

    def has_left_side(self, outcomes: Floats) -> Bools:
        """Mark the columns in which the answer has left its side."""
        return np.asarray(self.sides(outcomes) != self.side)


class SmallestSets(NamedTuple):
    """Sets of losses that reach a goal, of the smallest size found, and whether it is certain that
    no smaller one reaches it.
    """

    loss_sets: Sequence[Sequence[int]]
    exact: bool


def smallest_sets(pool: LossPool, max_size: int, reaches_goal: GoalTest) -> SmallestSets:
    """The smallest sets found of two or more losses that reach a goal.

    All sets up to `max_size` are tried as far as the budget allows, then larger ones greedily.
    """
    size_done = 1  # callers have tried each loss alone
    for size in range(2, max_size + 1):
        if comb(len(pool.candidates_to_try), size) > pool.scenario_limit:
            break
        loss_sets = list(combinations(pool.candidates_to_try, size))
        if not loss_sets:
            return SmallestSets([], pool.is_whole)
        outcomes = pool.outcomes_without(loss_sets)
        hits = np.flatnonzero(reaches_goal(outcomes))
        if len(hits):
            first = hits[np.argsort(pool.side * outcomes[0, hits], kind="stable")[:MAX_SETS_LISTED]]
            return SmallestSets([loss_sets[k] for k in first.tolist()], pool.is_whole)
        size_done = size
    sets = _find_set_greedily(pool, reaches_goal) or _sets_of_whole_sources(pool, reaches_goal)
    exact = pool.is_whole and bool(sets) and len(sets[0]) == size_done + 1
    return SmallestSets(sets, exact)


def _sets_of_whole_sources(pool: LossPool, reaches_goal: GoalTest) -> list[Sequence[int]]:
    """The evidence of a small set of sources that reaches a goal, without the pieces that it does
    not need; empty if none is found. A search piece by piece stops at fewer pieces.
    """
    sources = replace(pool, kind="source")
    if pool.kind == "source" or not sources.candidates_to_try:
        return []
    loss_sets = smallest_sets(sources, MAX_SET_TRIED, reaches_goal).loss_sets
    lost_nodes = {node for k in (loss_sets or [()])[0] for node in sources.members[k][1].tolist()}
    ordered = pool.likeliest_candidates(len(pool.members))
    candidates = [k for k in reversed(ordered) if int(pool.members[k][1][0]) in lost_nodes]
    if (
        not candidates
        or comb(len(candidates), 2) > pool.scenario_limit
        or not reaches_goal(pool.outcomes_without([candidates]))[0]
    ):
        return []
    return [_thin_set(pool, candidates, reaches_goal)[::-1]]


def _find_set_greedily(pool: LossPool, reaches_goal: GoalTest) -> list[Sequence[int]]:
    """A small set of losses that reaches the goal, found greedily; empty if none is found.

    Two searches are made and the smaller set is kept: one starts from the likeliest losses, one
    fewer than reach the goal together, the other from no loss. Both end by dropping members that
    are not needed.
    """
    likely = pool.likeliest_candidates(
        min(max(pool.scenario_limit // MAX_GREEDY_SET, 2), GREEDY_CANDIDATES)
    )
    prefixes = [likely[:size] for size in range(1, min(len(likely), MAX_GREEDY_SET) + 1)]
    reaching = np.flatnonzero(reaches_goal(pool.outcomes_without(prefixes)))
    moves: list[tuple[int, ...]] = [(k,) for k in likely]
    sets: list[Sequence[int]] = []
    if len(reaching) and reaching[0]:
        # prefix number n has n + 1 losses, so `reaching[0]` is the size of the one before the
        # first that reaches the goal; if this is the first of all, none comes before it
        sets = _grow_set(pool, likely[: int(reaching[0])], moves, reaches_goal, MAX_GREEDY_SET)
    moves += pool.notes_of_one_source(GREEDY_CANDIDATES // 2)
    fewer = len(sets[0]) - 1 if sets else MAX_GREEDY_SET
    return _grow_set(pool, [], moves, reaches_goal, fewer) or sets


def _grow_set(
    pool: LossPool,
    losses: list[int],
    moves: Sequence[tuple[int, ...]],
    reaches_goal: GoalTest,
    limit: int,
) -> list[Sequence[int]]:
    """A set of at most `limit` losses that reaches the goal; empty if none is found.

    In each step the move is added that changes the answer most per loss; at the end the losses
    that are not needed are dropped.
    """
    strength = pool.outcomes_without([losses])[0, 0] if losses else pool.question.strength_or_nan
    while len(losses) < limit:
        additions = [[k for k in move if k not in losses] for move in moves]
        additions = [addition for addition in additions if addition]
        if not additions:
            return []
        outcomes = pool.outcomes_without([[*losses, *addition] for addition in additions])
        sizes = np.array([len(addition) for addition in additions])
        is_reached = reaches_goal(outcomes)
        gain = (
            pool.side * (bounded_logit(np.asarray(strength)) - bounded_logit(outcomes[0])) / sizes
        )
        best = int(np.argmax(np.where(is_reached, -sizes, -np.inf) if is_reached.any() else gain))
        losses = [*losses, *additions[best]]
        strength = outcomes[0, best]
        if is_reached[best]:
            thin = _thin_set(pool, losses, reaches_goal)
            return [thin] if len(thin) <= limit else []
    return []


def _thin_set(pool: LossPool, losses: list[int], reaches_goal: GoalTest) -> list[int]:
    """The set without the members it does not need, dropped one by one."""
    while len(losses) > 1:
        smaller_sets = [[other for other in losses if other != k] for k in losses]
        sufficient = np.flatnonzero(reaches_goal(pool.outcomes_without(smaller_sets)))
        if not len(sufficient):
            break
        losses = smaller_sets[int(sufficient[0])]
    return losses


@memoize
def sources_taking_from_side(question: Question) -> tuple[str, ...]:
    """The independent sources (source groups) whose loss alone leaves the answer on the other side
    or on none, the largest move first. Sources, not findings: a paper noted in three findings is
    still one paper.
    """
    pool = LossPool(question, "source", frozenset())
    if not pool.side or not pool.candidates_to_try:
        return ()
    loss_sets = [[k] for k in pool.candidates_to_try]
    outcomes = pool.outcomes_without(loss_sets)
    positions = np.flatnonzero(pool.has_left_side(outcomes)).tolist()
    ordered = sorted(
        positions, key=lambda k: (pool.side * float(outcomes[0, k]), pool.names(loss_sets[k]))
    )
    return tuple(pool.names(loss_sets[k])[0] for k in ordered)


class SmallestLoss(NamedTuple):
    """The size of the smallest set found, `None` without one, and whether it is exact."""

    size: int | None
    exact: bool


@memoize
def smallest_loss_taking_from_side(question: Question) -> SmallestLoss:
    """The fewest independent sources found whose loss leaves the answer on the other side or on
    none.
    """
    pool = LossPool(question, "source", frozenset())
    if not pool.side or not pool.candidates_to_try:
        return SmallestLoss(None, pool.is_whole)
    if sources_taking_from_side(question):
        return SmallestLoss(1, pool.is_whole)
    loss_sets, exact = smallest_sets(pool, MAX_SET_TRIED, pool.has_left_side)
    return SmallestLoss(len(loss_sets[0]) if loss_sets else None, exact and pool.is_whole)
