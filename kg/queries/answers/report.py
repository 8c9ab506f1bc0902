"""Answers whose reports name statements, link to their notes, and draw their edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from kg.corpus import Corpus
from kg.model import CampId, Edge, Value
from kg.model.config import Config
from kg.queries.answers.html import GREY, Dot, draw
from kg.report import Line, Report, Reported, Table, render_html


class Label(Value, frozen=True):
    """How to name a statement to a reader, and the note that it stands in."""

    title: str
    camp: CampId | None = None
    note: str = ""


class ReportedAnswer(Reported, frozen=True, omit_defaults=False):
    """An answer in which statements have names: `labels`."""

    labels: Mapping[str, Label]

    __repr__ = Reported.__str__

    def _repr_html_(self) -> str:
        """The report, statements in it being links, and its edges drawn."""
        notes = {id: quote(label.note) for id, label in self.labels.items()}
        told = self.report()
        shown = render_html(told, lambda id: notes.get(id, ""))
        return shown + draw(told.edges, dots_of(self.labels))

    def named(self, id: str) -> str:
        """A statement's title, with its id."""
        label = self.labels.get(id)
        return f"{label.title}  [{id}]" if label else id

    def titled(self, title: str, ids: Iterable[str]) -> Table:
        """A table of statements."""
        return Table(title, ("id", "title"), [(id, self.labels[id].title) for id in ids])


def headed(head: Sequence[str], tables: Sequence[Table] = (), edges: Sequence[Edge] = ()) -> Report:
    """Lines, the first of which name what it is about, then tables."""
    first, *others = head
    return Report((Line(first, "strong"), *map(Line, others), *tables), tuple(edges))


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


def dots_of(labels: Mapping[str, Label]) -> dict[str, Dot]:
    """A dot to draw for each statement, in the colour of its camp."""
    colours = {camp.id: camp.colour for camp in Config().camps}
    return {
        id: Dot(label.title, colours.get(label.camp or "", GREY)) for id, label in labels.items()
    }
