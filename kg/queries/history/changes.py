"""What differs between two states of a corpus: values, and how they read as tables and Markdown."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence

from kg.corpus import Corpus
from kg.model import Edge, Integrity, LineId, SourceKey, StatementId, Value
from kg.model.value import pluralize
from kg.queries.answers.notebook import ReportedAnswer, edge_table, report_under
from kg.queries.history.line_outcomes import (
    Cause,
    VerdictChange,
    find_line_answer,
    nats_by_reason,
    word_with_strength,
)
from kg.report import Report, Table


class StatementChange(Value, frozen=True, omit_defaults=False):
    """A statement that is still there: its id now, its id before, and the fields that differ.

    `before` and `after` are what the fields said, in words.
    """

    id: StatementId
    was: StatementId
    fields: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    retired: bool


class IntegrityChange(Value, frozen=True, omit_defaults=False):
    """A source whose integrity is recorded otherwise than before, and what rests on it."""

    source: SourceKey
    before: Integrity | None
    after: Integrity | None
    resting: tuple[StatementId, ...]


class PlacementChange(Value, frozen=True, omit_defaults=False):
    """A statement that a line places otherwise than before; None is not at all."""

    line: LineId
    statement: StatementId
    before: str | None
    after: str | None


class LineChange(Value, frozen=True, omit_defaults=False):
    """What a line asks, weighs, answers or doubts, where that differs; None is nothing."""

    line: LineId
    field: str
    before: str | None
    after: str | None


class StaleReview(Value, frozen=True, omit_defaults=False):
    """A line whose essay was last reviewed before statements that it speaks of changed."""

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
        """A line of counts, and a table of each kind of change."""
        return report_under([summarize_changes(self)], change_tables(self))

    @property
    def empty(self) -> bool:
        """Whether nothing differs."""
        return not any(getattr(self, name) for name in self.__struct_fields__ if name != "labels")

    @property
    def renamed(self) -> tuple[StatementChange, ...]:
        """Statements whose id is new."""
        return tuple(change for change in self.changed if change.id != change.was)

    @property
    def retired(self) -> tuple[StatementChange, ...]:
        """Statements that are gone."""
        return tuple(change for change in self.changed if change.retired)


def change_tables(changes: Changes) -> tuple[Table, ...]:
    """The kinds of change that there are: what matters most comes first."""
    listed = (
        Table("Verdicts that moved", ("line", "before", "after", "because"), _verdicts(changes)),
        Table("Essays now stale", ("line", "reviewed", "changed since"), _stale(changes)),
        Table("Sources flagged", ("source", "before", "after", "resting on it"), _flags(changes)),
        changes.statement_table("Statements added", changes.added),
        Table("Statements changed", ("id", "what", "before", "after"), [
            row for change in changes.changed for row in _describe_change(change)
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
    return tuple(table for table in listed if table.rows)


def summarize_changes(changes: Changes) -> str:
    """One line of counts."""
    if changes.empty:
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


def _verdicts(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (
            moved.line,
            word_with_strength(moved.word_before, moved.before),
            word_with_strength(moved.word_after, moved.after),
            "; ".join(map(_cause, moved.causes))
            or f"the settings, or the base of {moved.proposition}",
        )
        for moved in changes.verdicts
    ]


def _cause(cause: Cause) -> str:
    if cause.before is None:
        return f"{cause.statement} is new ({cause.after:+.2f})"
    if cause.after is None:
        return f"{cause.statement} is gone ({cause.before:+.2f})"
    return f"{cause.statement} {cause.before:+.2f} → {cause.after:+.2f}"


def _stale(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (stale.line, str(stale.reviewed or "never"), ", ".join(stale.because))
        for stale in changes.stale
    ]


def _flags(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (f.source, f.before or "not recorded", f.after or "not recorded", ", ".join(f.resting))
        for f in changes.sources_flagged
    ]


def _describe_change(change: StatementChange) -> Iterator[tuple[str, ...]]:
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
    now: Mapping[StatementId, StatementId],
    lines: Mapping[LineId, LineId] | None = None,
) -> tuple[VerdictChange, ...]:
    """Lines that weigh a proposition in both states, where its strength or its word moved.

    `lines` tells which lines were called otherwise before.
    """
    was = {id: id for id in after.lines} | dict(lines or {})
    shared = [
        id
        for id, line in after.lines.items()
        if line.proposition and was[id] in before.lines and before.lines[was[id]].proposition
    ]
    if not shared:
        return ()
    from kg.reasoning import reading_of

    readings = reading_of(before), reading_of(after)
    found = []
    for id in shared:
        old, new = find_line_answer(readings[0], was[id]), find_line_answer(readings[1], id)
        if old and new and new.is_apart(old):
            weighed = nats_by_reason(readings[0], was[id]), nats_by_reason(readings[1], id)
            found.append(
                VerdictChange(
                    line=id,
                    proposition=after.lines[id].proposition or "",
                    before=old.strength,
                    after=new.strength,
                    word_before=old.word,
                    word_after=new.word,
                    causes=_causes(*weighed, now),
                    asked=new.asked,
                    reworded=old.asked != new.asked,
                )
            )
    return tuple(found)


def _causes(
    old: Mapping[StatementId, float],
    new: Mapping[StatementId, float],
    now: Mapping[StatementId, StatementId],
) -> tuple[Cause, ...]:
    was = {now.get(id, id): share for id, share in old.items()}
    moves = {id: new.get(id, 0.0) - was.get(id, 0.0) for id in {*was, *new}}
    whole = sum(moves.values())
    # what pulled the other way is no cause of where it went
    with_it = [id for id, move in moves.items() if move * whole > 0]
    heaviest = sorted(with_it, key=lambda id: (-abs(moves[id]), id))[:MAX_CAUSES_NAMED]
    return tuple(Cause(statement=id, before=was.get(id), after=new.get(id)) for id in heaviest)
