"""Graphs to explore in the browser; the only module that loads pyvis.

pyvis's own page contacts other hosts and shows titles as HTML, so its template is replaced: the
page gets a plain container, the graph is in a separate script, and every title stays text. Nodes
stay where the layout places them; the browser runs no simulation.
"""

from __future__ import annotations

import math
import posixpath
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from types import ModuleType
from typing import Any

from kg.model import Edge, Kind, LineStyle
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.map_selection import PartOfRoots
from kg.publish.markup.camp_and_relation_styles import camp_shape
from kg.publish.markup.html import Html, as_script_json, escape
from kg.publish.markup.phrases import FORWARD, KINDS
from kg.publish.page import Alternate


def _pyvis_network_class(*settings: Any, **more: Any) -> Any:
    from IPython.display import IFrame

    return IFrame(*settings, **more)


@contextmanager
def _stub_ipython() -> Iterator[None]:
    """Replace IPython while pyvis is imported: pyvis needs one class of it, for notebooks, and
    loading IPython takes longer than loading pyvis.
    """
    names = ("IPython", "IPython.display")
    if names[0] in sys.modules:
        yield
        return
    stubs = {name: ModuleType(name) for name in names}
    stubs[names[1]].IFrame = _pyvis_network_class  # type: ignore[attr-defined]
    sys.modules |= stubs
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


with _stub_ipython():
    from pyvis.network import Network


GRAPH = ".graph.js"  # suffix of the address of a page's graph
MAX_STATEMENTS_DRAWN = 250  # statements that are drawn
SMALL, CLAIM, LARGER = 6, 4, 8  # pixels: the smallest mark; what a claim and the whole answer add
THIN, THICKER = 0.7, 4.0  # widths of a link, likewise
_SHAPES = {"circle": "dot", "ring": "dot"}
_DASHES: dict[LineStyle, Any] = {
    LineStyle.SOLID: False,
    LineStyle.DASHED: [6, 4],
    LineStyle.DOTTED: [2, 4],
    LineStyle.CHAINED: [8, 3, 2, 3],
}


class Picture(Network):  # type: ignore[misc]
    """A pyvis network with precomputed positions and our own template."""

    def generate_html(self, name: str = "", local: bool = True, notebook: bool = False) -> Html:
        """The container for the browser to draw in; `name` is the address of the graph's script."""
        return Html(
            f'<div class="kg-graph" data-kg-graph="{escape(name)}" '
            f'data-kg-label="{escape(self.name)}" hidden></div>'
        )

    def render_script(self) -> str:
        """The graph as a separate script, which can also be loaded from the file system."""
        return f"kgGraph({as_script_json({'nodes': self.nodes, 'edges': self.edges})});\n"


def place_picture(picture: Picture, url: str) -> tuple[Html, Alternate]:
    """A picture's HTML on the page at `url`, and the file beside the page with its graph."""
    name = posixpath.basename(url).removesuffix(".html") + GRAPH
    script = picture.render_script()
    return picture.generate_html(name), Alternate(GRAPH, "text/javascript", script)


# Each pyvis network prepares to load its template, which is not used here: once is enough.
_BLANK = Picture(directed=True, cdn_resources="local")


def blank_picture(name: str) -> Picture:
    """An empty picture."""
    picture = copy(_BLANK)
    picture.name = name
    picture.nodes, picture.edges, picture.node_ids, picture.node_map = [], [], [], {}
    return picture


def picture_of(
    context: SiteContext,
    name: str,
    places: dict[str, tuple[float, float]],
    edges: Iterable[Edge],
    line: str | None = None,
    focus: str = "",
    ways: Mapping[str, PartOfRoots] | None = None,
) -> Picture:
    """Statements at their places and the edges between them: the larger their part of the answer
    (from `ways`), the larger they are and the earlier they are named; else the most linked first.
    """
    ways = ways or {}
    picture = blank_picture(name)
    drawn = [edge for edge in edges if edge.source in places and edge.target in places]
    degree = Counter(end for edge in drawn for end in (edge.source, edge.target))
    weights = {id: ways[id].weight if id in ways else 0.0 for id in places}
    for id in sorted(places, key=lambda id: (id != focus, -weights[id], -degree[id], id)):
        _add(picture, context, id, places[id], line, 1.0 if id == focus else weights[id])
    picture.edges = [
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
    return picture


def _part_carried(edge: Edge, ways: Mapping[str, PartOfRoots]) -> float:
    """The part of the answer that an edge carries."""
    carried = (
        ways[target].weight * ways[target].reasons.get(source, 0.0)
        for source, target in edge.directions
        if target in ways
    )
    return max(carried, default=0.0)


def _add(
    picture: Picture,
    context: SiteContext,
    id: str,
    place: tuple[float, float],
    line: str | None,
    weight: float,
) -> None:
    statement = context.corpus.statements[id]
    camp = context.corpus.camp_of(id, line)
    form = camp_shape(context.corpus.config, camp)
    hollow = statement.kind is Kind.EVIDENCE
    kind = KINDS[statement.kind].lower()
    label = f"{context.link_maker.camp_label(camp)} {kind}" if camp else kind
    picture.add_node(
        id,
        label=_short(statement.title),
        shape=_SHAPES.get(form, form),
        title=f"{label}: {statement.title}",
        group=context.link_maker.camp_class(camp),
        hollow=hollow,
        page=context.addresses.of(id),
        size=round(SMALL + CLAIM * (not hollow) + LARGER * math.sqrt(weight), 1),
        x=round(place[0]),
        y=round(place[1]),
    )


def _short(title: str, limit: int = 44) -> str:
    return title if len(title) <= limit else title[:limit].rpartition(" ")[0] + "…"


def places_by_camp(
    ids: Sequence[str], edges: Sequence[Edge], sides: dict[str, int]
) -> dict[str, tuple[float, float]]:
    """Place statements by their links, each camp on its own side; always with the same seed."""
    start = {
        id: (sides[id] + 0.1 * math.cos(number), 2.0 * (number % 17) / 17 - 1)
        for number, id in enumerate(ids)
    }
    wide = 42 * math.sqrt(len(ids) or 1)
    joined = [(e.source, e.target) for e in edges if e.source in start and e.target in start]
    return {
        id: (x * wide * 1.5 + sides[id] * wide * 0.6, y * wide)
        for id, (x, y) in spring_layout(start, joined).items()
    }


STEPS = 40  # of each statement, ever shorter
PULL = 0.8  # towards the middle, as a fraction of the distance from it


def spring_layout(
    start: Mapping[str, tuple[float, float]], edges: Iterable[tuple[str, str]]
) -> dict[str, tuple[float, float]]:
    """A spring layout along `edges`, starting from the positions in `start`.

    It uses Fruchterman and Reingold's forces with a decreasing limit on each step: the same start
    gives the same end. A pull to the middle keeps unlinked nodes from drifting off; `spring_layout`
    of networkx has none, and takes three to four times as long. The result is centred and lies
    between -1 and 1.
    """
    import numpy as np

    if not start:
        return {}
    number = {id: at for at, id in enumerate(start)}
    joined = np.zeros((len(start), len(start)), dtype=np.float32)
    for one, other in edges:
        joined[number[one], number[other]] = joined[number[other], number[one]] = 1.0
    x, y = np.array(list(start.values()), dtype=np.float32).T.copy()
    ideal = np.float32(1.6 / math.sqrt(len(start)))
    limit = np.float32(0.1 * max(np.ptp(x), np.ptp(y), 1.0))
    for step in range(STEPS):
        across, down = x[:, None] - x, y[:, None] - y
        far = np.maximum(across * across + down * down, np.float32(1e-4))
        push = ideal * ideal / far - joined * np.sqrt(far) / ideal
        dx = (across * push).sum(axis=1) - np.float32(PULL) * x
        dy = (down * push).sum(axis=1) - np.float32(PULL) * y
        length = np.maximum(np.sqrt(dx * dx + dy * dy), np.float32(0.01))
        length = limit * np.float32(1 - step / (STEPS + 1)) / length
        x, y = x + dx * length, y + dy * length
    x, y = x - x.mean(), y - y.mean()
    largest = max(float(np.abs(x).max()), float(np.abs(y).max())) or 1.0
    return {id: (float(x[at]) / largest, float(y[at]) / largest) for at, id in enumerate(start)}
