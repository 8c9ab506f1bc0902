"""The differences between two states of a corpus: values and answers, as tables and Markdown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from kg.history.moved_answers import MovedAnswer, MovedReason
from kg.model import Edge, Integrity, LineId, SourceKey, StatementId, Value
from kg.queries.results.reported_result import ReportedResult, edge_table, report_under
from kg.reporting.report import Report, Table
from kg.text.plurals import pluralize


class StatementChange(Value, frozen=True, omit_defaults=False):
    """A statement in both states: its id now, its id before (`was`), and the fields that differ.

    `values_before` and `values_after` are the values of these fields, in words.
    """

    id: StatementId
    was: StatementId
    fields: tuple[str, ...]
    values_before: tuple[str, ...]
    values_after: tuple[str, ...]
    retired: bool


class IntegrityChange(Value, frozen=True, omit_defaults=False):
    """A source whose recorded integrity differs, and the statements that cite it."""

    source: SourceKey
    integrity_before: Integrity | None
    integrity_after: Integrity | None
    resting: tuple[StatementId, ...]


class PlacementChange(Value, frozen=True, omit_defaults=False):
    """A statement that a line places in another camp; None means not placed."""

    line: LineId
    statement: StatementId
    camp_before: str | None
    camp_after: str | None


class LineChange(Value, frozen=True, omit_defaults=False):
    """A field of a line (question, proposition, answer, doubt) that differs; None means empty."""

    line: LineId
    field: str
    text_before: str | None
    text_after: str | None


class StaleReview(Value, frozen=True, omit_defaults=False):
    """A line whose essay was last reviewed before statements that it mentions changed."""

    line: LineId
    reviewed: dt.date | None
    because: tuple[StatementId, ...]


class Changes(ReportedResult, frozen=True, omit_defaults=False):
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
    verdicts: tuple[MovedAnswer, ...]
    stale: tuple[StaleReview, ...]

    def report(self) -> Report:
        """A line of counts, and a table for each kind of change."""
        return report_under([describe_changes(self)], _change_tables(self))

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return not any(getattr(self, name) for name in self.__struct_fields__ if name != "captions")

    @property
    def renamed(self) -> tuple[StatementChange, ...]:
        """Statements whose id is new."""
        return tuple(change for change in self.changed if change.id != change.was)

    @property
    def retired(self) -> tuple[StatementChange, ...]:
        """Of the changed statements, those that were retired."""
        return tuple(change for change in self.changed if change.retired)


def _change_tables(changes: Changes) -> tuple[Table, ...]:
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
            (p.line, p.statement, p.camp_before or "not placed", p.camp_after or "not placed")
            for p in changes.placings
        ]),
        Table("Lines changed", ("line", "what", "before", "after"), [
            (r.line, r.field, r.text_before or "nothing", r.text_after or "nothing")
            for r in changes.lines_changed
        ]),
        _table_of_ids("Lines added", changes.lines_added),
        _table_of_ids("Lines removed", changes.lines_removed),
        _table_of_ids("Sources added", changes.sources_added),
        _table_of_ids("Sources removed", changes.sources_removed),
    )  # fmt: skip
    return tuple(table for table in all_tables if table.rows)


def describe_changes(changes: Changes) -> str:
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
            *change.in_words,
            "; ".join(map(_describe_moved_reason, change.reasons))
            or f"the settings, or the base of {change.proposition}",
        )
        for change in changes.verdicts
    ]


def _describe_moved_reason(reason: MovedReason) -> str:
    if reason.share_before is None:
        return f"{reason.statement} is new ({reason.share_after:+.2f})"
    if reason.share_after is None:
        return f"{reason.statement} is gone ({reason.share_before:+.2f})"
    return f"{reason.statement} {reason.share_before:+.2f} → {reason.share_after:+.2f}"


def _stale_rows(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (review.line, str(review.reviewed or "never"), ", ".join(review.because))
        for review in changes.stale
    ]


def _flags(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (
            f.source,
            f.integrity_before or "not recorded",
            f.integrity_after or "not recorded",
            ", ".join(f.resting),
        )
        for f in changes.sources_flagged
    ]


def _rows_of_change(change: StatementChange) -> Iterator[tuple[str, ...]]:
    if change.id != change.was:
        yield change.id, "renamed", change.was, change.id
    for field, value_before, value_after in zip(
        change.fields, change.values_before, change.values_after, strict=True
    ):
        name = "retired" if change.retired and field == "status" else field.replace("_", " ")
        yield change.id, name, value_before, value_after


def _table_of_ids(title: str, ids: Sequence[str]) -> Table:
    return Table(title, ("id",), [(id,) for id in ids])
