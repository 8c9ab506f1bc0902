"""A result in a notebook, as HTML: a table with links, and a drawing of its edges."""

from __future__ import annotations

from html import escape
from urllib.parse import quote

from kg.corpus import Corpus
from kg.queries.conditions.field_types import RecordKind
from kg.queries.results.edge_drawing import draw_edges
from kg.queries.results.reported_result import captions_of, dots_of
from kg.queries.results.tables import RecordsInOrder, count_line, default_columns_of, table_of
from kg.reporting.report import html_table, link_cell
from kg.text.printable import printable

MAX_NOTEBOOK_ROWS = 100  # of a result in a notebook


def render_records(result: RecordsInOrder) -> str:
    """The table of a result, with a drawing of its edges if they are few enough to be legible."""
    records = result[:MAX_NOTEBOOK_ROWS]
    _, columns, rows, *_ = table_of(records, default_columns_of(result))
    cells = [
        tuple(
            link_cell(cell, address_of(result.corpus, result.record_kind, id))
            if name in ("id", "origin")
            else escape(printable(cell))
            for name, cell in zip(columns, row, strict=True)
        )
        for id, row in zip(records.ids, rows, strict=True)
    ]
    left_out = len(result) - len(records)
    note = f", the first {len(records)} shown" if left_out else ""
    return f"{html_table(columns, cells)}<p>{count_line(result)}{note}</p>{_draw_records(result)}"


def address_of(corpus: Corpus, record_kind: RecordKind, id: str) -> str:
    """Return where a record can be read: a source on the web, anything else in its note."""
    if record_kind is RecordKind.SOURCE:
        source = corpus.sources.get(id)
        url = source.url if source else ""
        return url if url.startswith(("https://", "http://")) else ""
    record = corpus.statements.get(id) or corpus.lines.get(id)
    if corpus.folder is None or record is None:
        return ""
    return quote(f"{corpus.folder.display_path.as_posix()}/{record.span.path}")


def _draw_records(result: RecordsInOrder) -> str:
    """An SVG of the edges that justify the result; empty if there are none."""
    if not result.edges:
        return ""
    excerpt = result.excerpt
    found_ids = frozenset(result.ids)
    dots = dots_of(captions_of(excerpt, excerpt.statements))
    return draw_edges(
        excerpt.edges, {id: dot._replace(ringed=id in found_ids) for id, dot in dots.items()}
    )
