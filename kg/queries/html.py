"""Answers in a notebook: a table with links, and a small drawing of the edges; all of it inert."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from kg.corpus import Corpus
from kg.model import Edge
from kg.queries.sort import Sort
from kg.queries.tables import columns_of, counted, plain, rows

if TYPE_CHECKING:
    from kg.queries.answer import Answer

MOST_ROWS = 100
MOST_DRAWN = 24
WIDTH, HEIGHT, MARGIN = 640, 320, 40
STROKES = {"supports": "#2e7d32", "contradicts": "#c62828", "qualifies": "#b26a00"}


def render_answer(answer: Answer[Any]) -> str:
    """The table of an answer, with its edges drawn where they are few enough to be read."""
    columns = columns_of(answer)
    shown = answer[:MOST_ROWS]
    cells = [
        tuple(
            _linked(answer, id, cell) if name in ("id", "source") else escape(plain(cell))
            for name, cell in zip(columns, row, strict=True)
        )
        for id, row in zip(shown.ids, rows(shown, columns), strict=True)
    ]
    more = len(answer) - len(shown)
    note = f", the first {len(shown)} shown" if more else ""
    return f"{_table(columns, cells)}<p>{counted(answer)}{note}</p>{_drawing(answer)}"


def render_table(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """A table of plain text."""
    return _table(names, [tuple(escape(plain(cell)) for cell in row) for row in cells])


def _table(names: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _linked(answer: Answer[Any], id: str, cell: str) -> str:
    text = escape(plain(cell))
    target = address(answer.corpus, answer.sort, id)
    return f'<a href="{escape(target)}">{text}</a>' if target else text


def address(corpus: Corpus, sort: Sort, id: str) -> str:
    """Where a record can be read: a source on the web, anything else in its note."""
    if sort is Sort.SOURCE:
        url = corpus.sources[id].url
        return url if url.startswith(("https://", "http://")) else ""
    if corpus.folder is None or sort is Sort.EDGE:
        return ""
    record = corpus.statements.get(id) or corpus.lines[id]
    return quote(f"{corpus.folder.as_posix()}/{record.span.path}")


def _drawing(answer: Answer[Any]) -> str:
    """An SVG of the edges that justify the answer, or nothing."""
    if not answer.edges:
        return ""
    part = answer.excerpt
    drawn = [edge for edge in part.edges if edge.target in part.statements]
    ids = dict.fromkeys(end for edge in drawn for end in (edge.source, edge.target))
    if not 2 <= len(ids) <= MOST_DRAWN:
        return ""
    places = _places(ids, drawn)
    found = frozenset(answer.ids)
    lines = "".join(_line(places, edge) for edge in drawn)
    dots = "".join(_dot(part, places, id, id in found) for id in ids)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{len(drawn)} edges">{lines}{dots}</svg>'
    )


def _places(ids: Iterable[str], edges: Iterable[Edge]) -> Mapping[str, tuple[float, float]]:
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(ids)
    graph.add_edges_from((edge.source, edge.target) for edge in edges)
    spots = nx.spring_layout(graph, seed=7)
    return {
        id: (
            WIDTH / 2 + float(x) * (WIDTH / 2 - MARGIN),
            HEIGHT / 2 + float(y) * (HEIGHT / 2 - MARGIN),
        )
        for id, (x, y) in spots.items()
    }


def _line(places: Mapping[str, tuple[float, float]], edge: Edge) -> str:
    (x1, y1), (x2, y2) = places[edge.source], places[edge.target]
    colour = STROKES.get(edge.relation.value, "#666666")
    said = escape(plain(f"{edge.source} {edge.relation.value} {edge.target}: {edge.reason}"))
    return (
        f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" '
        f'stroke="{colour}" stroke-width="2"><title>{said}</title></line>'
    )


def _dot(corpus: Corpus, places: Mapping[str, tuple[float, float]], id: str, found: bool) -> str:
    x, y = places[id]
    camp = corpus.default_camps.get(id)
    colours = {c.id: c.colour for c in corpus.config.camps}
    fill = colours.get(camp or "", "#555555")
    ring = "#000000" if found else "#ffffff"
    title = escape(plain(corpus.statements[id].title))
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="7" fill="{fill}" stroke="{ring}" '
        f'stroke-width="2"><title>{title}</title></circle>'
        f'<text x="{x + 9:.0f}" y="{y + 4:.0f}" font-size="10">{escape(plain(id[:28]))}</text>'
    )
