"""Changes as tables, and in Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.queries.convert import escape_markdown, markdown_table
from kg.queries.difference import Changed, Changes
from kg.queries.moved import Cause, Moved
from kg.queries.report import Table, linked


def tables(changes: Changes) -> tuple[Table, ...]:
    """The kinds of change that there are: what matters most comes first."""
    listed = (
        Table("Verdicts that moved", ("line", "before", "after", "because"), _verdicts(changes)),
        Table("Essays now stale", ("line", "reviewed", "changed since"), _stale(changes)),
        Table("Sources flagged", ("source", "before", "after", "resting on it"), _flags(changes)),
        changes.titled("Statements added", changes.added),
        Table("Statements changed", ("id", "what", "before", "after"), [
            row for change in changes.changed for row in _changed(change)
        ]),
        changes.titled("Statements removed", changes.removed),
        linked("Edges added", changes.edges_added),
        linked("Edges changed", changes.edges_changed),
        linked("Edges removed", changes.edges_removed),
        Table("Camps", ("line", "statement", "before", "after"), [
            (p.line, p.statement, p.before or "not placed", p.after or "not placed")
            for p in changes.placings
        ]),
        Table("Lines changed", ("line", "what", "before", "after"), [
            (r.line, r.field, r.before, r.after) for r in changes.lines_changed
        ]),
        _named("Lines added", changes.lines_added),
        _named("Lines removed", changes.lines_removed),
        _named("Sources added", changes.sources_added),
        _named("Sources removed", changes.sources_removed),
    )  # fmt: skip
    return tuple(table for table in listed if table.rows)


def render_markdown(changes: Changes, title: str) -> str:
    """The comparison as Markdown, fit for a comment on a pull request."""
    parts = [f"## {escape_markdown(title)}", summary(changes)]
    for table in tables(changes):
        cells = markdown_table(table.columns, table.rows)
        parts.append(f"### {table.title} ({len(table.rows)})\n\n{cells}")
    return "\n\n".join(parts) + "\n"


def summary(changes: Changes) -> str:
    """One line of counts."""
    if changes.empty:
        return "Nothing changed."
    edges = len(changes.edges_added), len(changes.edges_changed), len(changes.edges_removed)
    counts = (
        f"statements +{len(changes.added)} ~{len(changes.changed)} −{len(changes.removed)}",
        f"edges +{edges[0]} ~{edges[1]} −{edges[2]}",
        f"sources +{len(changes.sources_added)} −{len(changes.sources_removed)}",
        f"{len(changes.verdicts)} {'verdict' if len(changes.verdicts) == 1 else 'verdicts'} moved",
        f"{len(changes.stale)} {'essay' if len(changes.stale) == 1 else 'essays'} stale",
    )
    return "; ".join(counts) + "."


def _verdicts(changes: Changes) -> list[tuple[str, ...]]:
    return [
        (
            moved.line,
            _standing(moved.word_before, moved.before),
            _standing(moved.word_after, moved.after),
            "; ".join(map(_cause, moved.causes)) or _elsewhere(moved),
        )
        for moved in changes.verdicts
    ]


def _standing(word: str, strength: float | None) -> str:
    return word if strength is None else f"{word} ({strength:.2f})"


def _cause(cause: Cause) -> str:
    if cause.before is None:
        return f"{cause.statement} is new ({cause.after:+.2f})"
    if cause.after is None:
        return f"{cause.statement} is gone ({cause.before:+.2f})"
    return f"{cause.statement} {cause.before:+.2f} → {cause.after:+.2f}"


def _elsewhere(moved: Moved) -> str:
    return f"the settings, or the base of {moved.proposition}"


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


def _changed(change: Changed) -> Iterator[tuple[str, ...]]:
    if change.id != change.was:
        yield change.id, "renamed", change.was, change.id
    for field, was, now in zip(change.fields, change.before, change.after, strict=True):
        name = "retired" if change.retired and field == "status" else field.replace("_", " ")
        yield change.id, name, was, now


def _named(title: str, ids: Sequence[str]) -> Table:
    return Table(title, ("id",), [(id,) for id in ids])
