"""Graphs to explore in the browser, which vis-network draws (`vis_script.py`).

The page gets a plain container, the graph is in a separate script, and every title stays text. The
browser places the boxes in columns as they are unfolded, and runs no simulation.
"""

from __future__ import annotations

import math
import posixpath
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kg.model import Edge, Kind, LineStyle
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.map_selection import PartOfRoots
from kg.publish.markup.camp_and_relation_styles import camp_shape
from kg.publish.markup.html import Html, as_script_json, escape
from kg.publish.markup.phrases import FORWARD, KINDS
from kg.publish.page import Alternate

GRAPH = ".graph.js"  # suffix of the address of a page's graph
MAX_STATEMENTS_DRAWN = 250  # statements that are drawn
LABEL = 110  # characters of a title: more would not fit in the rows of a box
THIN, THICKER = 0.7, 4.0  # widths of a link, likewise
_MARKS = {
    "circle": "●○",
    "diamond": "◆◇",
    "triangle": "▲△",
    "square": "■□",
    "hexagon": "⬢⬡",
    "star": "★☆",
}
"""The marks of the camps as characters: of a claim, and of evidence."""
_DASHES: dict[LineStyle, Any] = {
    LineStyle.SOLID: False,
    LineStyle.DASHED: [6, 4],
    LineStyle.DOTTED: [2, 4],
    LineStyle.CHAINED: [8, 3, 2, 3],
}


class Picture(NamedTuple):
    """A graph as vis-network reads it, and its name for readers."""

    name: str
    nodes: Sequence[Mapping[str, Any]]
    edges: Sequence[Mapping[str, Any]]

    def render_container(self, address: str) -> Html:
        """Where the browser draws; `address` is that of the graph's script."""
        return Html(
            f'<div class="kg-graph" data-kg-graph="{escape(address)}" '
            f'data-kg-label="{escape(self.name)}" hidden></div>'
        )

    def render_script(self) -> str:
        """The graph as a separate script, which can also be loaded from the file system."""
        return f"kgGraph({as_script_json({'nodes': self.nodes, 'edges': self.edges})});\n"


def place_picture(picture: Picture, url: str) -> tuple[Html, Alternate]:
    """A picture's HTML on the page at `url`, and the file beside the page with its graph."""
    address = posixpath.basename(url).removesuffix(".html") + GRAPH
    script = picture.render_script()
    return picture.render_container(address), Alternate(GRAPH, "text/javascript", script)


def picture_of(
    context: SiteContext,
    name: str,
    ids: Sequence[str],
    edges: Iterable[Edge],
    line: str | None = None,
    focus: str = "",
    ways: Mapping[str, PartOfRoots] | None = None,
) -> Picture:
    """Statements and the edges between them, first `focus`, then those that make up most of the
    answer (by `ways`), else the most linked.
    """
    ways = ways or {}
    known = {*ids}
    drawn = [edge for edge in edges if edge.source in known and edge.target in known]
    degree = Counter(end for edge in drawn for end in (edge.source, edge.target))
    weights = {id: ways[id].weight if id in ways else 0.0 for id in ids}
    order = sorted(ids, key=lambda id: (id != focus, -weights[id], -degree[id], id))
    links = [
        {
            "from": edge.source,
            "to": edge.target,
            "title": f"{FORWARD[edge.relation]}{': ' + edge.reason if edge.reason else ''}",
            "dashes": _DASHES[edge.relation.entry.stroke],
            "side": edge.relation.side,
            **({"mutual": True} if edge.goes_both_ways else {}),
            "width": round(THIN + THICKER * math.sqrt(_part_carried(edge, ways)), 1),
        }
        for edge in drawn
    ]
    return Picture(name, [_box(context, id, line) for id in order], links)


def _part_carried(edge: Edge, ways: Mapping[str, PartOfRoots]) -> float:
    """The part of the answer that an edge carries."""
    carried = (
        ways[target].weight * ways[target].reasons.get(source, 0.0)
        for source, target in edge.directions
        if target in ways
    )
    return max(carried, default=0.0)


def _box(context: SiteContext, id: str, line: str | None) -> dict[str, str]:
    statement = context.corpus.statements[id]
    camp = context.corpus.camp_of(id, line)
    marks = _MARKS.get(camp_shape(context.corpus.config, camp))
    hollow = statement.kind is Kind.EVIDENCE
    kind = KINDS[statement.kind].lower()
    label = f"{context.link_maker.camp_label(camp)} {kind}" if camp else kind
    return {
        "title": f"{label}: {statement.title}",
        "group": context.link_maker.camp_class(camp),
        "page": context.addresses.of(id),
        "id": id,
        "label": f"{marks[hollow]} {_short(statement.title)}" if marks else _short(statement.title),
        "shape": "box",
    }


def _short(title: str, limit: int = LABEL) -> str:
    return title if len(title) <= limit else title[:limit].rpartition(" ")[0] + "…"
