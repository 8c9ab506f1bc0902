"""The base of results that are a report on statements, which a notebook shows with links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote

from kg.corpus import Corpus
from kg.model import CampId, Edge, Value
from kg.queries.results.edge_drawing import GREY_COLOUR, GraphDot, draw_edges
from kg.reporting.report import PrintableAnswer, Report, Table, TextLine, render_html


class StatementCaption(Value, frozen=True):
    """The words by which a statement or line is shown: its title, its camp, and its note."""

    title: str
    camp: CampId | None = None
    note: str = ""
    colour: str = ""


def captions_of(corpus: Corpus, ids: Iterable[str]) -> dict[str, StatementCaption]:
    """Captions for those of the ids that are statements or lines."""
    return {
        id: caption_of_statement(corpus, id)
        for id in ids
        if id in corpus.statements or id in corpus.lines
    }


def caption_of_statement(corpus: Corpus, id: str) -> StatementCaption:
    """The caption of a statement or line."""
    record = corpus.statements.get(id) or corpus.lines[id]
    note = (
        ""
        if corpus.folder is None
        else f"{corpus.folder.display_path.as_posix()}/{record.span.path}"
    )
    camp = corpus.default_camps.get(id)
    colour = next((each.colour for each in corpus.config.camps if each.id == camp), "")
    return StatementCaption(title=record.title, camp=camp, note=note, colour=colour)


def dots_of(captions: Mapping[str, StatementCaption]) -> dict[str, GraphDot]:
    """A dot to draw for each statement, in the colour of its camp."""
    return {id: GraphDot(each.title, each.colour or GREY_COLOUR) for id, each in captions.items()}


class ReportedResult(PrintableAnswer, frozen=True, omit_defaults=False):
    """The base of results that refer to statements: `captions` has the caption of each."""

    captions: Mapping[str, StatementCaption]

    __repr__ = PrintableAnswer.__str__

    def _repr_html_(self) -> str:
        """The report with statements as links, and a drawing of its edges."""
        notes = {id: quote(each.note) for id, each in self.captions.items()}
        report = self.report()
        html = render_html(report, lambda id: notes.get(id, ""))
        return html + draw_edges(report.edges, dots_of(self.captions))

    def title_with_id(self, id: str) -> str:
        """A statement's title, with its id."""
        caption = self.captions.get(id)
        return f"{caption.title}  [{id}]" if caption else id

    def statement_table(self, title: str, ids: Iterable[str]) -> Table:
        """Ids with titles, in the given order."""
        return Table(title, ("id", "title"), [(id, self.captions[id].title) for id in ids])


def report_under(
    head: Sequence[str], tables: Sequence[Table] = (), edges: Sequence[Edge] = ()
) -> Report:
    """A report of lines, the first in bold, then tables."""
    first, *others = head
    return Report((TextLine(first, "strong"), *map(TextLine, others), *tables), tuple(edges))


def edge_table(title: str, edges: Iterable[Edge]) -> Table:
    """One row for each edge, in the given order, with its reason."""
    rows = [(e.origin, e.relation.value, e.target, e.reason) for e in edges]
    return Table(title, ("origin", "relation", "target", "reason"), rows)
