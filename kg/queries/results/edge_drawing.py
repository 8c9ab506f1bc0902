"""A small drawing of statements and the edges between them, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple, TypeAlias

from kg.model import Edge
from kg.text.plurals import pluralize
from kg.text.printable import printable

MAX_DOTS_DRAWN = 24  # statements; with more, their labels would overlap
DRAWING_WIDTH, DRAWING_MARGIN = 640, 24  # pixels, as are the sizes below
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
    drawn_edges = [edge for edge in edges if edge.origin in dots and edge.target in dots]
    ids = tuple(dict.fromkeys(end for edge in drawn_edges for end in (edge.origin, edge.target)))
    if not 2 <= len(ids) <= MAX_DOTS_DRAWN:
        return ""
    height = min(MAX_HEIGHT, MIN_HEIGHT + HEIGHT_PER_DOT * (len(ids) - 2))
    places = _dot_places(ids, drawn_edges, height)
    lines = "".join(_edge_element(places, edge) for edge in drawn_edges)
    marks = "".join(_dot_element(id, *places[id], dots[id]) for id in ids)
    return (
        f'<svg viewBox="0 0 {DRAWING_WIDTH} {height}" width="{DRAWING_WIDTH}" height="{height}" '
        f'role="img" '
        f'aria-label="{pluralize(len(drawn_edges), "edge")}">{_HEAD}{lines}{marks}</svg>'
    )


def _dot_places(ids: Sequence[str], edges: Iterable[Edge], height: int) -> Places:
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(ids)
    graph.add_edges_from((edge.origin, edge.target) for edge in edges)
    spots = nx.spring_layout(graph, seed=7)  # any seed: the same graph is always drawn alike
    return {
        id: (
            DRAWING_WIDTH / 2 + float(x) * (DRAWING_WIDTH / 2 - DRAWING_MARGIN),
            height / 2 + float(y) * (height / 2 - DRAWING_MARGIN),
        )
        for id, (x, y) in spots.items()
    }


def _edge_element(places: Places, edge: Edge) -> str:
    (x1, y1) = places[edge.origin]
    (x2, y2) = places[edge.target]
    colour = COLOURS.get(edge.relation.entry.colour, OTHER_COLOUR)
    relation = f"{edge.origin} {edge.relation.value} {edge.target}"
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
    text_x, anchor = (x - 11, "end") if x > DRAWING_WIDTH / 2 else (x + 11, "start")
    return (
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="7" fill="{escape(dot.fill)}" stroke="{ring}" '
        f'stroke-width="2"><title>{escape(printable(dot.title))}</title></circle>'
        f'<text x="{text_x:.0f}" y="{y - 9:.0f}" text-anchor="{anchor}" font-size="11" '
        f'fill="currentColor">{escape(printable(id[:MAX_CAPTION_CHARACTERS]))}</text>'
    )
