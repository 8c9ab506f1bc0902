"""Answers in a notebook: tables with links, and a small drawing of the edges; all of it inert."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from kg.corpus import Corpus
from kg.model.value import printable
from kg.queries.answers.drawing import GREY, Dot, draw
from kg.queries.answers.tables import Records, columns_of, counted, rows
from kg.queries.conditions.sorts import Sort

MOST_ROWS = 100


def render_answer(answer: Records) -> str:
    """The table of an answer, with its edges drawn where they are few enough to be read."""
    columns = columns_of(answer)
    shown = answer[:MOST_ROWS]
    cells = [
        tuple(
            linked(cell, address(answer.corpus, answer.sort, id))
            if name in ("id", "source")
            else escape(printable(cell))
            for name, cell in zip(columns, row, strict=True)
        )
        for id, row in zip(shown.ids, rows(shown, columns), strict=True)
    ]
    more = len(answer) - len(shown)
    note = f", the first {len(shown)} shown" if more else ""
    return f"{table_of(columns, cells)}<p>{counted(answer)}{note}</p>{_drawing(answer)}"


def render_table(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table of plain text."""
    return table_of(names, [tuple(escape(printable(cell)) for cell in row) for row in cells])


def table_of(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def linked(cell: str, target: str) -> str:
    """Text as a link, or as it is where there is nothing to lead to."""
    text = escape(printable(cell))
    return f'<a href="{escape(target)}">{text}</a>' if target else text


def address(corpus: Corpus, sort: Sort, id: str) -> str:
    """Where a record can be read: a source on the web, anything else in its note."""
    if sort is Sort.SOURCE:
        source = corpus.sources.get(id)
        url = source.url if source else ""
        return url if url.startswith(("https://", "http://")) else ""
    record = corpus.statements.get(id) or corpus.lines.get(id)
    if corpus.folder is None or record is None:
        return ""
    return quote(f"{corpus.folder.shown.as_posix()}/{record.span.path}")


def _drawing(answer: Records) -> str:
    """An SVG of the edges that justify the answer, or nothing."""
    if not answer.edges:
        return ""
    part, found = answer.excerpt, frozenset(answer.ids)
    colours = {camp.id: camp.colour for camp in part.config.camps}
    dots = {
        id: Dot(s.title, colours.get(part.default_camps.get(id, ""), GREY), id in found)
        for id, s in part.statements.items()
    }
    return draw(part.edges, dots)
