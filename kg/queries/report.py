"""Answers that say what they found when they are printed: lines, then tables."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from kg.corpus import Corpus
from kg.model import CampId, Edge, Value
from kg.queries.tables import plain, render_columns


class Label(Value, frozen=True):
    """How to name a statement to a reader, and the note that it stands in."""

    title: str
    camp: CampId | None = None
    note: str = ""


class Table(NamedTuple):
    """Cells under headings."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


class Report(NamedTuple):
    """What is said: lines, the first of which name what it is about, then tables, then edges."""

    head: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    edges: tuple[Edge, ...] = ()


class _Abstract(msgspec.StructMeta, ABCMeta):
    """A record that cannot be made while it lacks a method."""


class Told(Value, frozen=True, omit_defaults=False, metaclass=_Abstract):
    """An answer that prints as its report; `labels` name the statements that it speaks of."""

    labels: Mapping[str, Label]

    @abstractmethod
    def report(self) -> Report:
        """What it says."""

    def __str__(self) -> str:
        return render_report(self.report())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from kg.queries.html import render_told

        return render_told(self.report(), self.labels)

    def named(self, id: str) -> str:
        """A statement's title, with its id."""
        label = self.labels.get(id)
        return f"{label.title}  [{id}]" if label else id

    def titled(self, title: str, ids: Iterable[str]) -> Table:
        """A table of statements."""
        return Table(title, ("id", "title"), [(id, self.labels[id].title) for id in ids])


def linked(title: str, edges: Iterable[Edge]) -> Table:
    """A table of edges."""
    rows = [(e.source, e.relation.value, e.target, e.reason) for e in edges]
    return Table(title, ("from", "relation", "to", "reason"), rows)


def labels_of(corpus: Corpus, ids: Iterable[str]) -> dict[str, Label]:
    """How to name those of the ids that are statements or lines."""
    return {id: label_of(corpus, id) for id in ids if id in corpus.statements or id in corpus.lines}


def label_of(corpus: Corpus, id: str) -> Label:
    """How to name a statement or line."""
    record = corpus.statements.get(id) or corpus.lines[id]
    note = "" if corpus.folder is None else f"{corpus.folder.as_posix()}/{record.span.path}"
    return Label(title=record.title, camp=corpus.default_camps.get(id), note=note)


def render_report(report: Report) -> str:
    """A report as plain text."""
    parts = ["\n".join(map(plain, report.head))]
    for table in report.tables:
        if table.rows:
            title = f"{plain(table.title)}\n" if table.title else ""
            parts.append(title + render_columns(table.columns, table.rows))
    return "\n\n".join(parts)
