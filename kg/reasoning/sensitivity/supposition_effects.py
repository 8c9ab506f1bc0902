"""The effects of a supposition: the strengths and verdicts of a whole corpus before and after it.

The answers `whatif` and `impact` share it; what is supposed is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kg.model import InquiryLine, LineId, StatementId, Value
from kg.reasoning.graph.arrays import Bools, Floats, round_off_or_none
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.reading import Question, Reading
from kg.reasoning.scenarios import keep_outcome
from kg.reasoning.solution import Solution, solve
from kg.reasoning.strength_words import StrengthWord, WeighingOutcome, side_of, strength_word
from kg.reasoning.sureness_words import (
    LimitedSureness,
    Sureness,
    answer_phrase,
    bounded_phrase,
    greatest_sureness,
    is_surer,
)
from kg.reasoning.word_and_side import describe_side_change
from kg.reporting.report import Table, columns, lines_in_cell, table
from kg.text.plurals import join_with_and, pluralize

# Least change of strength that is listed: above the tolerance to which circles are solved.
LEAST_CHANGE_LISTED = 1e-6
# Least change of strength that is shown in a row: less would be rounded to 0.
LEAST_CHANGE_PRINTED = 0.0005
_CONDITIONAL_VERBS = (
    "would turn",
    "would be undecided",
    "would be decided",
    "would change its word",
)
_PAST_VERBS_OF_ONE = (
    "has turned",
    "has become undecided",
    "has been decided",
    "has changed its word",
)
_PAST_VERBS_OF_MANY = (
    "have turned",
    "have become undecided",
    "have been decided",
    "have changed their word",
)


class StrengthChange(Value, frozen=True, omit_defaults=False):
    """A statement's strength before and after; `same` are the others declared the same."""

    statement: StatementId
    title: str
    strength_before: float | None
    strength_after: float | None
    change: float
    same: tuple[StatementId, ...] = ()


class VerdictChange(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after a supposition.

    It `turns` if it goes from one side to the other, `undoes` if it leaves its side, `decides` if
    it has none before and one after. `sureness_before` is the sureness of the answer as it
    is, `sureness_after` that afterwards, which may be less where `at_most` is true: then only the
    strength was tried.
    """

    line: LineId
    statement: StatementId
    strength_before: float | None
    strength_after: float | None
    word_before: str
    word_after: str
    turns: bool
    undoes: bool
    decides: bool
    sureness_before: Sureness
    sureness_after: Sureness
    at_most: bool

    @property
    def answer_phrase_after(self) -> str:
        """The sureness afterwards as people read it: `perhaps not`, or `at most perhaps`."""
        return bounded_phrase(
            self.word_after, Sureness.NONE if self.at_most else self.sureness_after
        )


_CHANGE = columns(
    StrengthChange,
    (
        "statement",
        lambda c: lines_in_cell(c.statement, *(f"  the same as {name}" for name in c.same)),
    ),
    "before: strength_before, after: strength_after, change",
)
_TURN = columns(
    VerdictChange,
    "line, before: strength_before, after: strength_after",
    ("now", lambda t: answer_phrase(t.word_before, t.sureness_before)),
    ("then", lambda t: t.answer_phrase_after),
    ("the answer", lambda t: _describe_turn(t)),
)


def change_table(name: str, changes: Sequence[StrengthChange]) -> Table:
    """The changes that are large enough to show, a row each."""
    return table(name, _visible_changes(changes), _CHANGE)


def verdict_change_table(verdicts: Sequence[VerdictChange]) -> Table:
    """The lines whose verdict changes, a row each."""
    return table("verdicts", verdicts, _TURN)


def _describe_turn(turn: VerdictChange) -> str:
    """Say what happens to an answer's side, or else to its sureness."""
    if turn.turns:
        return describe_side_change("turns")
    if turn.undoes or turn.decides:
        return describe_side_change("undoes" if turn.undoes else "decides")
    return "is surer" if is_surer(turn.sureness_after, turn.sureness_before) else "is less sure"


def describe_verdict_changes(verdicts: Sequence[VerdictChange], is_done: bool = False) -> str:
    """Say how many verdicts would change (have changed if `is_done`), and how: part of a
    sentence.
    """
    turned = sum(turn.turns for turn in verdicts)
    undecided = sum(turn.undoes for turn in verdicts) - turned
    decided = sum(turn.decides for turn in verdicts)
    worded = len(verdicts) - turned - undecided - decided
    parts = []
    for position, count in enumerate((turned, undecided, decided, worded)):
        verbs = _CONDITIONAL_VERBS
        if is_done:
            verbs = _PAST_VERBS_OF_ONE if count == 1 else _PAST_VERBS_OF_MANY
        if count:
            parts.append(f"{pluralize(count, 'answer')} {verbs[position]}")
    return join_with_and(parts) or f"no answer {'has changed' if is_done else 'would change'}"


@dataclass(frozen=True)
class SolvedScenario:
    """One scenario of a graph, solved."""

    graph: Graph
    columns: Scenarios
    solution: Solution

    @property
    def strengths(self) -> Floats:
        """Strength per statement."""
        return np.asarray(self.solution.state[: self.graph.size, 0])

    def outcome(self, node: int) -> WeighingOutcome:
        """The outcome of a statement."""
        return WeighingOutcome(*keep_outcome(node)(self.solution, self.columns)[:, 0].tolist())


def solved_scenario(graph: Graph, hold: Mapping[int, float] | None = None) -> SolvedScenario:
    """`graph` solved with some statements held at a strength."""
    is_held = np.zeros((graph.size, 1), dtype=bool)
    value = np.zeros((graph.size, 1))
    for node, strength in (hold or {}).items():
        is_held[node] = True
        value[node] = strength
    columns = Scenarios(1, base=graph.base[:, None], held=is_held, held_value=value)
    return SolvedScenario(graph, columns, solve(graph, columns))


def strength_changes(
    reading: Reading, scenario_before: SolvedScenario, scenario_after: SolvedScenario
) -> list[StrengthChange]:
    """Statements whose strength differs by more than a millionth, the largest change first."""
    strengths_before = scenario_before.strengths
    strengths_after = scenario_after.strengths
    moves = np.nan_to_num(strengths_after - strengths_before)
    changes = []
    for node in np.flatnonzero(np.abs(moves) > LEAST_CHANGE_LISTED).tolist():
        id = reading.graph.ids[node]
        changes.append(
            StrengthChange(
                statement=id,
                title=reading.corpus.statements[id].title,
                strength_before=round_off_or_none(strengths_before[node]),
                strength_after=round_off_or_none(strengths_after[node]),
                change=round(float(moves[node]), 9),
                same=tuple(name for name in reading.graph.ids_of[node] if name != id),
            )
        )
    return sorted(changes, key=lambda c: (-abs(c.change), c.statement))


def _visible_changes(changes: Sequence[StrengthChange]) -> tuple[StrengthChange, ...]:
    """The changes that are large enough to show in a row."""
    return tuple(change for change in changes if abs(change.change) >= LEAST_CHANGE_PRINTED)


def count_changes(changes: Sequence[StrengthChange]) -> str:
    """Count in words the statements that move visibly, and those that move less than that."""
    visible_count = len(_visible_changes(changes))
    rest = (
        f" (and {len(changes) - visible_count} by less than {LEAST_CHANGE_PRINTED})"
        if visible_count < len(changes)
        else ""
    )
    return pluralize(visible_count, "statement") + rest


class _ScenarioAnswer(NamedTuple):
    """The answer of a line before a supposition, or under it."""

    strength: float
    word: StrengthWord
    sureness: Sureness  # the greatest that the word allows if it was not tried


def verdict_changes(
    reading: Reading,
    scenario_before: SolvedScenario,
    scenario_after: SolvedScenario,
    find_sureness: Callable[[Question], LimitedSureness],
    reading_after: Reading | None,
) -> Iterator[VerdictChange]:
    """Lines whose answer is on another side after than before, or has another sureness.

    `find_sureness` says how sure an answer is. Without `reading_after` only the strength is known
    then, and a line that stays on its side is listed only if this allows no sureness as great as
    before.
    """
    changed_mask = _changed_nodes(scenario_before, scenario_after)
    for line in reading.corpus.lines.values():
        if line.proposition is None or line.proposition not in reading.graph.number_of:
            continue
        node = reading.graph.number_of[line.proposition]
        # how sure an answer is takes trials: not of lines on which nothing that moved bears
        if not (
            changed_mask & scenario_after.graph.ancestors(node)[: scenario_after.graph.size]
        ).any():
            continue
        outcome_before, outcome_after = scenario_before.outcome(node), scenario_after.outcome(node)
        word_before = strength_word(outcome_before, reading.settings)
        word_after = strength_word(outcome_after, reading.settings)
        is_tried = reading_after is not None
        if not is_tried and word_before == word_after:
            continue
        sureness_before = find_sureness(reading.question(line.id)).sureness
        sureness_after = greatest_sureness(word_after).sureness
        if reading_after is not None and side_of(word_after):
            sureness_after = find_sureness(reading_after.question(line.id)).sureness
        answer_before = _ScenarioAnswer(outcome_before.strength, word_before, sureness_before)
        answer_after = _ScenarioAnswer(outcome_after.strength, word_after, sureness_after)
        if _answers_differ(answer_before, answer_after, is_tried):
            yield _verdict_change(line, answer_before, answer_after, is_tried)


def _answers_differ(
    answer_before: _ScenarioAnswer, answer_after: _ScenarioAnswer, is_tried: bool
) -> bool:
    """Return whether two answers differ in their side or, as far as was tried, their sureness."""
    if side_of(answer_before.word) != side_of(answer_after.word):
        return True
    if is_tried:
        return answer_before.sureness != answer_after.sureness
    return is_surer(answer_before.sureness, answer_after.sureness)


def _verdict_change(
    line: InquiryLine, answer_before: _ScenarioAnswer, answer_after: _ScenarioAnswer, is_tried: bool
) -> VerdictChange:
    side_before, side_after = side_of(answer_before.word), side_of(answer_after.word)
    return VerdictChange(
        line=line.id,
        statement=line.proposition or "",
        strength_before=round_off_or_none(answer_before.strength),
        strength_after=round_off_or_none(answer_after.strength),
        word_before=answer_before.word,
        word_after=answer_after.word,
        turns=side_before * side_after < 0,
        undoes=bool(side_before) and side_before != side_after,
        decides=not side_before and bool(side_after),
        sureness_before=answer_before.sureness,
        sureness_after=answer_after.sureness,
        at_most=not is_tried,
    )


def _changed_nodes(scenario_before: SolvedScenario, scenario_after: SolvedScenario) -> Bools:
    """Mark the statements of the second scenario that differ from the first, or are borne on
    otherwise.
    """
    one, other = scenario_before.graph, scenario_after.graph
    sizes = [(g.size, len(g.arc_premise), len(g.source_group_of)) for g in (one, other)]
    is_same_shape = sizes[0] == sizes[1] and np.array_equal(
        one.source_group_of, other.source_group_of
    )
    is_same_shape = is_same_shape and np.array_equal(one.arc_premise, other.arc_premise)
    if not is_same_shape or not np.array_equal(one.arc_target, other.arc_target):
        return np.ones(other.size, dtype=bool)
    is_changed = (
        np.abs(np.nan_to_num(scenario_after.strengths - scenario_before.strengths))
        > LEAST_CHANGE_LISTED
    )
    is_changed |= one.base != other.base
    is_changed[other.arc_premise[one.arc_weight != other.arc_weight]] = True
    return np.asarray(is_changed)
