"""Answers that say what they found when they are printed: lines, then tables."""

from __future__ import annotations

import re
from abc import ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from kg.corpus import Corpus
from kg.model import CampId, Edge, Value
from kg.model.config import Config
from kg.model.value import printable
from kg.queries.answers.html import GREY, Dot, draw, linked, table_of
from kg.queries.answers.tables import render_columns

_BRACKETED = re.compile(r"\[([^\[\]]*)\]")


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


class ReportedAnswer(Value, frozen=True, omit_defaults=False, metaclass=_Abstract):
    """An answer that prints as its report; `labels` name the statements that it speaks of."""

    labels: Mapping[str, Label]

    @abstractmethod
    def report(self) -> Report:
        """What it says."""

    def __str__(self) -> str:
        return render_report(self.report())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return render_told(self.report(), self.labels)

    def named(self, id: str) -> str:
        """A statement's title, with its id."""
        label = self.labels.get(id)
        return f"{label.title}  [{id}]" if label else id

    def titled(self, title: str, ids: Iterable[str]) -> Table:
        """A table of statements."""
        return Table(title, ("id", "title"), [(id, self.labels[id].title) for id in ids])


def edge_table(title: str, edges: Iterable[Edge]) -> Table:
    """A table of edges."""
    rows = [(e.source, e.relation.value, e.target, e.reason) for e in edges]
    return Table(title, ("from", "relation", "to", "reason"), rows)


def labels_of(corpus: Corpus, ids: Iterable[str]) -> dict[str, Label]:
    """How to name those of the ids that are statements or lines."""
    return {id: label_of(corpus, id) for id in ids if id in corpus.statements or id in corpus.lines}


def label_of(corpus: Corpus, id: str) -> Label:
    """How to name a statement or line."""
    record = corpus.statements.get(id) or corpus.lines[id]
    note = "" if corpus.folder is None else f"{corpus.folder.shown.as_posix()}/{record.span.path}"
    return Label(title=record.title, camp=corpus.default_camps.get(id), note=note)


def render_report(report: Report) -> str:
    """A report as plain text."""
    parts = ["\n".join(map(printable, report.head))]
    for table in report.tables:
        if table.rows:
            title = f"{printable(table.title)}\n" if table.title else ""
            parts.append(title + render_columns(table.columns, table.rows))
    return "\n\n".join(parts)


def render_told(report: Report, labels: Mapping[str, Label]) -> str:
    """A report: lines, tables in which statements are links, and its edges drawn."""
    parts = [f"<p>{'<br>'.join(_line(line, labels) for line in report.head)}</p>"]
    for table in report.tables:
        if table.rows:
            head = f"<h4>{escape(table.title)}</h4>" if table.title else ""
            cells = [tuple(_labelled(cell, labels) for cell in row) for row in table.rows]
            parts.append(head + table_of(table.columns, cells))
    return "".join(parts) + draw(report.edges, dots_of(labels))


def dots_of(labels: Mapping[str, Label]) -> dict[str, Dot]:
    """A dot to draw for each statement, in the colour of its camp."""
    colours = {camp.id: camp.colour for camp in Config().camps}
    return {
        id: Dot(label.title, colours.get(label.camp or "", GREY)) for id, label in labels.items()
    }


def _line(text: str, labels: Mapping[str, Label]) -> str:
    """A line in which a statement's id in brackets is a link; what is set in stays so."""
    inset = "&emsp;" if text.startswith(" ") else ""
    return inset + "".join(
        f"[{_labelled(part, labels)}]" if number % 2 else escape(printable(part))
        for number, part in enumerate(_BRACKETED.split(text))
    )


def _labelled(cell: str, labels: Mapping[str, Label]) -> str:
    """A cell, as a link if it is the id of a statement."""
    return linked(cell, quote(labels[cell].note) if cell in labels else "")
