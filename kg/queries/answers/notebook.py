"""HTML of answers and reports in a notebook: tables with links, and a small drawing of edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from kg.corpus import Corpus
from kg.model import CampId, Edge, Value
from kg.queries.answers.tables import RecordsOfAnswer, count_line, default_columns_of, table_of
from kg.queries.conditions.field_types import Sort
from kg.reporting.report import (
    PrintableAnswer,
    Report,
    Table,
    TextLine,
    html_table,
    link_cell,
    render_html,
)
from kg.text.plurals import pluralize
from kg.text.printable import printable

MAX_NOTEBOOK_ROWS = 100  # of an answer in a notebook


def render_answer(answer: RecordsOfAnswer) -> str:
    """The table of an answer, with a drawing of its edges if they are few enough to be legible."""
    records = answer[:MAX_NOTEBOOK_ROWS]
    _, columns, rows, _ = table_of(records, default_columns_of(answer))
    cells = [
        tuple(
            link_cell(cell, address_of(answer.corpus, answer.sort, id))
            if name in ("id", "source")
            else escape(printable(cell))
            for name, cell in zip(columns, row, strict=True)
        )
        for id, row in zip(records.ids, rows, strict=True)
    ]
    left_out = len(answer) - len(records)
    note = f", the first {len(records)} shown" if left_out else ""
    return f"{html_table(columns, cells)}<p>{count_line(answer)}{note}</p>{_draw_answer(answer)}"


def address_of(corpus: Corpus, sort: Sort, id: str) -> str:
    """Where a record can be read: a source on the web, anything else in its note."""
    if sort is Sort.SOURCE:
        source = corpus.sources.get(id)
        url = source.url if source else ""
        return url if url.startswith(("https://", "http://")) else ""
    record = corpus.statements.get(id) or corpus.lines.get(id)
    if corpus.folder is None or record is None:
        return ""
    return quote(f"{corpus.folder.shown.as_posix()}/{record.span.path}")


def _draw_answer(answer: RecordsOfAnswer) -> str:
    """An SVG of the edges that justify the answer; empty if there are none."""
    if not answer.edges:
        return ""
    excerpt = answer.excerpt
    found_ids = frozenset(answer.ids)
    dots = dots_of(labels_of(excerpt, excerpt.statements))
    return draw_edges(
        excerpt.edges, {id: dot._replace(ringed=id in found_ids) for id, dot in dots.items()}
    )


MAX_DOTS_DRAWN = 24  # statements; with more, their labels would overlap
WIDTH, MARGIN = 640, 24  # pixels, as are the sizes below
MIN_HEIGHT, MAX_HEIGHT = 80, 320
HEIGHT_PER_DOT = 40  # added for each statement beyond two
COLOURS = {"green": "#2e7d32", "red": "#c62828", "yellow": "#b26a00"}
OTHER_COLOUR, GREY_COLOUR = "#666666", "#555555"
MAX_CAPTION_CHARACTERS = 40  # characters of an id beside its dot
_HEAD = (
    '<defs><marker id="kg-head" viewBox="0 0 8 8" refX="13" refY="4" markerWidth="5" '
    'markerHeight="5" orient="auto"><path d="M0 0L8 4L0 8z" fill="#666666"/></marker></defs>'
)
Places: TypeAlias = Mapping[str, tuple[float, float]]


class GraphDot(NamedTuple):
    """A statement in a drawing; a statement that was found has a ring."""

    title: str
    fill: str = GREY_COLOUR
    ringed: bool = False


def draw_edges(edges: Iterable[Edge], dots: Mapping[str, GraphDot]) -> str:
    """The edges among the dots as SVG; empty if there are none, or too many dots to be legible."""
    drawn_edges = [edge for edge in edges if edge.source in dots and edge.target in dots]
    ids = tuple(dict.fromkeys(end for edge in drawn_edges for end in (edge.source, edge.target)))
    if not 2 <= len(ids) <= MAX_DOTS_DRAWN:
        return ""
    height = min(MAX_HEIGHT, MIN_HEIGHT + HEIGHT_PER_DOT * (len(ids) - 2))
    places = _dot_places(ids, drawn_edges, height)
    lines = "".join(_edge_element(places, edge) for edge in drawn_edges)
    marks = "".join(_dot_element(id, *places[id], dots[id]) for id in ids)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img" '
        f'aria-label="{pluralize(len(drawn_edges), "edge")}">{_HEAD}{lines}{marks}</svg>'
    )


def _dot_places(ids: Sequence[str], edges: Iterable[Edge], height: int) -> Places:
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(ids)
    graph.add_edges_from((edge.source, edge.target) for edge in edges)
    spots = nx.spring_layout(graph, seed=7)  # any seed: the same graph is always drawn alike
    return {
        id: (
            WIDTH / 2 + float(x) * (WIDTH / 2 - MARGIN),
            height / 2 + float(y) * (height / 2 - MARGIN),
        )
        for id, (x, y) in spots.items()
    }


def _edge_element(places: Places, edge: Edge) -> str:
    (x1, y1) = places[edge.source]
    (x2, y2) = places[edge.target]
    colour = COLOURS.get(edge.relation.entry.colour, OTHER_COLOUR)
    relation = f"{edge.source} {edge.relation.value} {edge.target}"
    if edge.together:
        relation += f", together with {', '.join(edge.together)}"
    tooltip = escape(printable(f"{relation}: {edge.reason}"))
    return (
        f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" '
        f'stroke="{colour}" stroke-width="2" marker-end="url(#kg-head)">'
        f"<title>{tooltip}</title></line>"
    )


def _dot_element(id: str, x: float, y: float, dot: GraphDot) -> str:
    ring = "#000000" if dot.ringed else "#ffffff"
    text_x, anchor = (x - 11, "end") if x > WIDTH / 2 else (x + 11, "start")
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="7" fill="{escape(dot.fill)}" stroke="{ring}" '
        f'stroke-width="2"><title>{escape(printable(dot.title))}</title></circle>'
        f'<text x="{text_x:.0f}" y="{y - 9:.0f}" text-anchor="{anchor}" font-size="11" '
        f'fill="currentColor">{escape(printable(id[:MAX_CAPTION_CHARACTERS]))}</text>'
    )


class StatementLabel(Value, frozen=True):
    """How to show a statement or line: its title, its camp, and the note that contains it."""

    title: str
    camp: CampId | None = None
    note: str = ""
    colour: str = ""


def labels_of(corpus: Corpus, ids: Iterable[str]) -> dict[str, StatementLabel]:
    """Labels for those of the ids that are statements or lines."""
    return {
        id: label_of_statement(corpus, id)
        for id in ids
        if id in corpus.statements or id in corpus.lines
    }


def label_of_statement(corpus: Corpus, id: str) -> StatementLabel:
    """The label of a statement or line."""
    record = corpus.statements.get(id) or corpus.lines[id]
    note = "" if corpus.folder is None else f"{corpus.folder.shown.as_posix()}/{record.span.path}"
    camp = corpus.default_camps.get(id)
    colour = next((each.colour for each in corpus.config.camps if each.id == camp), "")
    return StatementLabel(title=record.title, camp=camp, note=note, colour=colour)


def dots_of(labels: Mapping[str, StatementLabel]) -> dict[str, GraphDot]:
    """A dot to draw for each statement, in the colour of its camp."""
    return {id: GraphDot(label.title, label.colour or GREY_COLOUR) for id, label in labels.items()}


class ReportedAnswer(PrintableAnswer, frozen=True, omit_defaults=False):
    """The base of answers that refer to statements, whose `labels` they hold."""

    labels: Mapping[str, StatementLabel]

    __repr__ = PrintableAnswer.__str__

    def _repr_html_(self) -> str:
        """The report with statements as links, and a drawing of its edges."""
        notes = {id: quote(label.note) for id, label in self.labels.items()}
        report = self.report()
        html = render_html(report, lambda id: notes.get(id, ""))
        return html + draw_edges(report.edges, dots_of(self.labels))

    def title_with_id(self, id: str) -> str:
        """A statement's title, with its id."""
        label = self.labels.get(id)
        return f"{label.title}  [{id}]" if label else id

    def statement_table(self, title: str, ids: Iterable[str]) -> Table:
        """A table of statements."""
        return Table(title, ("id", "title"), [(id, self.labels[id].title) for id in ids])


def report_under(
    head: Sequence[str], tables: Sequence[Table] = (), edges: Sequence[Edge] = ()
) -> Report:
    """A report of lines, the first in bold, then tables."""
    first, *others = head
    return Report((TextLine(first, "strong"), *map(TextLine, others), *tables), tuple(edges))


def edge_table(title: str, edges: Iterable[Edge]) -> Table:
    """A table of edges."""
    rows = [(e.source, e.relation.value, e.target, e.reason) for e in edges]
    return Table(title, ("from", "relation", "to", "reason"), rows)
