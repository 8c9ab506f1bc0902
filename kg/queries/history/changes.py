"""What differs between two states of a corpus: values and answers, as tables and Markdown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.model import Edge, Integrity, LineId, SourceKey, StatementId, Value
from kg.queries.answers.notebook import ReportedAnswer, edge_table, report_under
from kg.reporting.report import Report, Table
from kg.text.plurals import pluralize

if TYPE_CHECKING:
    from kg.reasoning import Reading


LEAST_MOVE_REMARKED = 0.02  # of the strength as shown: a smaller change does not count as a move


class LineAnswer(Value, frozen=True):
    """The strength, the word and the side (+1, -1, 0) of a line's answer, as its verdict has them.

    `answer_text` is the answer in the words of the line; empty if it has none for this side.
    `asked` are the titles of the question and of its proposition.
    """

    proposition: StatementId
    strength: float | None
    word: str
    side: int = 0
    answer_text: str = ""
    asked: tuple[str, str] = ("", "")

    def is_apart(self, other: LineAnswer) -> bool:
        """Whether the word differs, or the strength as `has_moved` says."""
        return self.word != other.word or has_moved(self.strength, other.strength)


class Cause(Value, frozen=True, omit_defaults=False):
    """A direct reason whose share in the verdict differs: its share before and after, in nats."""

    statement: StatementId
    before: float | None
    after: float | None


class VerdictChange(Value, frozen=True, omit_defaults=False):
    """A line's verdict before and after; the causes are the direct reasons that changed most.
    `asked` are the titles of the question and of its proposition after; `reworded` says whether
    they differed before, so that the two verdicts are not about the same question.
    """

    line: LineId
    proposition: StatementId
    before: float | None
    after: float | None
    word_before: str
    word_after: str
    causes: tuple[Cause, ...]
    asked: tuple[str, str] = ("", "")
    reworded: bool = False


def has_moved(before: float | None, after: float | None) -> bool:
    """Whether two strengths, with the two decimals that readers see, are `LEAST_MOVE_REMARKED`
    apart or more, or only one of them has a value.
    """
    if before is None or after is None:
        return before is not after
    return round(abs(round(after, 2) - round(before, 2)), 2) >= LEAST_MOVE_REMARKED


def word_with_strength(word: str, strength: float | None) -> str:
    """The surest wording that a verdict's strength allows, with the strength."""
    from kg.reasoning.sureness_words import answer_phrase

    wording = answer_phrase(word)
    return wording if strength is None else f"{wording} ({strength:.2f})"


def find_line_answer(reading: Reading, line_id: LineId) -> LineAnswer | None:
    """The answer of a line; None if its proposition is missing or does not exist."""
    from kg.reasoning.graph.arrays import round_off_or_none
    from kg.reasoning.strength_words import side_of
    from kg.reasoning.weighed_answer import verdict_word_of

    question = reading.question(line_id)
    if not question.statement:
        return None
    word = verdict_word_of(question)
    side = side_of(word)
    answer_text = reading.corpus.lines[line_id].answer_for(side)
    return LineAnswer(
        proposition=question.statement,
        strength=round_off_or_none(question.strength),
        word=word,
        side=side,
        answer_text=answer_text,
        asked=question_and_proposition_titles(reading.corpus, line_id),
    )


def question_and_proposition_titles(corpus: Corpus, line_id: LineId) -> tuple[str, str]:
    """The titles of a line's question and of its proposition; the latter is empty if there is
    none.
    """
    line = corpus.lines[line_id]
    claim = corpus.statements.get(line.proposition or "")
    return line.title, claim.title if claim else ""


def line_answers(corpus: Corpus) -> dict[LineId, LineAnswer]:
    """The answers of all lines that weigh a statement."""
    if not any(line.proposition for line in corpus.lines.values()):
        return {}
    from kg.reasoning import reading_of

    reading = reading_of(corpus)
    _ = reading.solution  # as pages do: solving a question alone may differ in the last digits
    answers = {id: find_line_answer(reading, id) for id in corpus.lines}
    return {id: answer for id, answer in answers.items() if answer is not None}


def nats_by_reason(reading: Reading, line_id: LineId) -> dict[StatementId, float]:
    """What each direct reason adds to a line's answer, in nats."""
    from kg.reasoning.contributions.direct_reasons import direct_reasons

    reasons = direct_reasons(reading.question(line_id))
    return {reason.statement: reason.share for reason in reasons}


class StatementChange(Value, frozen=True, omit_defaults=False):
    """A statement in both states: its id now, its id before (`was`), and the fields that differ.

    `before` and `after` are the values of these fields, in words.
    """

    id: StatementId
    was: StatementId
    fields: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    retired: bool


class IntegrityChange(Value, frozen=True, omit_defaults=False):
    """A source whose recorded integrity differs, and the statements that cite it."""

    source: SourceKey
    before: Integrity | None
    after: Integrity | None
    resting: tuple[StatementId, ...]


class PlacementChange(Value, frozen=True, omit_defaults=False):
    """A statement that a line places in another camp; None means not placed."""

    line: LineId
    statement: StatementId
    before: str | None
    after: str | None


class LineChange(Value, frozen=True, omit_defaults=False):
    """A field of a line (question, proposition, answer, doubt) that differs; None means empty."""

    line: LineId
    field: str
    before: str | None
    after: str | None


class StaleReview(Value, frozen=True, omit_defaults=False):
    """A line whose essay was last reviewed before statements that it mentions changed."""

    line: LineId
    reviewed: dt.date | None
    because: tuple[StatementId, ...]


class Changes(ReportedAnswer, frozen=True, omit_defaults=False):
    """Everything that differs between two states of a corpus, in reading order."""

    added: tuple[StatementId, ...]
    removed: tuple[StatementId, ...]
    changed: tuple[StatementChange, ...]
    edges_added: tuple[Edge, ...]
    edges_removed: tuple[Edge, ...]
    edges_changed: tuple[Edge, ...]
    sources_added: tuple[SourceKey, ...]
    sources_removed: tuple[SourceKey, ...]
    sources_flagged: tuple[IntegrityChange, ...]
    lines_added: tuple[LineId, ...]
    lines_removed: tuple[LineId, ...]
    lines_changed: tuple[LineChange, ...]
    placings: tuple[PlacementChange, ...]
    verdicts: tuple[VerdictChange, ...]
    stale: tuple[StaleReview, ...]

    def report(self) -> Report:
        """A line of counts, and a table for each kind of change."""
        return report_under([count_changes(self)], change_tables(self))

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not any(getattr(self, name) for name in self.__struct_fields__ if name != "labels")

    @property
    def renamed(self) -> tuple[StatementChange, ...]:
        """Statements whose id is new."""
        return tuple(change for change in self.changed if change.id != change.was)

    @property
    def retired(self) -> tuple[StatementChange, ...]:
        """Statements that were retired."""
        return tuple(change for change in self.changed if change.retired)


def change_tables(changes: Changes) -> tuple[Table, ...]:
    """A table for each kind of change that occurs, the most important first."""
    all_tables = (
        Table("Verdicts that moved", ("line", "before", "after", "because"), _moved_rows(changes)),
        Table("Essays now stale", ("line", "reviewed", "changed since"), _stale_rows(changes)),
        Table("Sources flagged", ("source", "before", "after", "resting on it"), _flags(changes)),
        changes.statement_table("Statements added", changes.added),
        Table("Statements changed", ("id", "what", "before", "after"), [
            row for change in changes.changed for row in _rows_of_change(change)
        ]),
        changes.statement_table("Statements removed", changes.removed),
        edge_table("Edges added", changes.edges_added),
        edge_table("Edges changed", changes.edges_changed),
        edge_table("Edges removed", changes.edges_removed),
        Table("Camps", ("line", "statement", "before", "after"), [
            (p.line, p.statement, p.before or "not placed", p.after or "not placed")
            for p in changes.placings
        ]),
        Table("Lines changed", ("line", "what", "before", "after"), [
            (r.line, r.field, r.before or "nothing", r.after or "nothing")
            for r in changes.lines_changed
        ]),
        _table_of_ids("Lines added", changes.lines_added),
        _table_of_ids("Lines removed", changes.lines_removed),
        _table_of_ids("Sources added", changes.sources_added),
        _table_of_ids("Sources removed", changes.sources_removed),
    )  # fmt: skip
    return tuple(table for table in all_tables if table.rows)


def count_changes(changes: Changes) -> str:
    """The numbers of changes, in one line."""
    if changes.is_empty:
        return "Nothing changed."
    edges = len(changes.edges_added), len(changes.edges_changed), len(changes.edges_removed)
    counts = (
        f"statements +{len(changes.added)} ~{len(changes.changed)} −{len(changes.removed)}",
        f"edges +{edges[0]} ~{edges[1]} −{edges[2]}",
        f"sources +{len(changes.sources_added)} −{len(changes.sources_removed)}",
        f"{pluralize(len(changes.verdicts), 'verdict')} moved",
        f"{pluralize(len(changes.stale), 'essay')} stale",
    )
    return "; ".join(counts) + "."


def _moved_rows(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (
            change.line,
            word_with_strength(change.word_before, change.before),
            word_with_strength(change.word_after, change.after),
            "; ".join(map(_describe_cause, change.causes))
            or f"the settings, or the base of {change.proposition}",
        )
        for change in changes.verdicts
    ]


def _describe_cause(cause: Cause) -> str:
    if cause.before is None:
        return f"{cause.statement} is new ({cause.after:+.2f})"
    if cause.after is None:
        return f"{cause.statement} is gone ({cause.before:+.2f})"
    return f"{cause.statement} {cause.before:+.2f} → {cause.after:+.2f}"


def _stale_rows(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (review.line, str(review.reviewed or "never"), ", ".join(review.because))
        for review in changes.stale
    ]


def _flags(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (f.source, f.before or "not recorded", f.after or "not recorded", ", ".join(f.resting))
        for f in changes.sources_flagged
    ]


def _rows_of_change(change: StatementChange) -> Iterator[tuple[str, ...]]:
    if change.id != change.was:
        yield change.id, "renamed", change.was, change.id
    for field, was, now in zip(change.fields, change.before, change.after, strict=True):
        name = "retired" if change.retired and field == "status" else field.replace("_", " ")
        yield change.id, name, was, now


def _table_of_ids(title: str, ids: Sequence[str]) -> Table:
    return Table(title, ("id",), [(id,) for id in ids])


MAX_CAUSES_NAMED = 3  # named for each verdict that moved


def moved_verdicts(
    before: Corpus,
    after: Corpus,
    new_id_of: Mapping[StatementId, StatementId],
    lines: Mapping[LineId, LineId] | None = None,
) -> tuple[VerdictChange, ...]:
    """Lines with a proposition in both states whose strength or word changed.

    `lines` maps the ids of lines that were renamed to those before.
    """
    old_id_of = {id: id for id in after.lines} | dict(lines or {})
    shared_ids = [
        id
        for id, line in after.lines.items()
        if line.proposition
        and old_id_of[id] in before.lines
        and before.lines[old_id_of[id]].proposition
    ]
    if not shared_ids:
        return ()
    from kg.reasoning import reading_of

    readings = reading_of(before), reading_of(after)
    changes = []
    for id in shared_ids:
        old = find_line_answer(readings[0], old_id_of[id])
        new = find_line_answer(readings[1], id)
        if old and new and new.is_apart(old):
            nats_before_and_after = (
                nats_by_reason(readings[0], old_id_of[id]),
                nats_by_reason(readings[1], id),
            )
            changes.append(
                VerdictChange(
                    line=id,
                    proposition=after.lines[id].proposition or "",
                    before=old.strength,
                    after=new.strength,
                    word_before=old.word,
                    word_after=new.word,
                    causes=_causes_of_move(*nats_before_and_after, new_id_of),
                    asked=new.asked,
                    reworded=old.asked != new.asked,
                )
            )
    return tuple(changes)


def _causes_of_move(
    shares_by_old_id: Mapping[StatementId, float],
    shares_after: Mapping[StatementId, float],
    new_id_of: Mapping[StatementId, StatementId],
) -> tuple[Cause, ...]:
    shares_before = {new_id_of.get(id, id): share for id, share in shares_by_old_id.items()}
    moves = {
        id: shares_after.get(id, 0.0) - shares_before.get(id, 0.0)
        for id in {*shares_before, *shares_after}
    }
    total_move = sum(moves.values())
    # changes in the opposite direction are not causes
    same_direction = [id for id, move in moves.items() if move * total_move > 0]
    heaviest = sorted(same_direction, key=lambda id: (-abs(moves[id]), id))[:MAX_CAUSES_NAMED]
    return tuple(
        Cause(statement=id, before=shares_before.get(id), after=shares_after.get(id))
        for id in heaviest
    )
