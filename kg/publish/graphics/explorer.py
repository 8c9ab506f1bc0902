"""Graphs to explore in the browser; the only module that loads pyvis.

pyvis's own page contacts other hosts and shows titles as HTML, so its template is replaced: the
page gets a plain container, the graph is in a separate script, and every title stays text. The
browser places a few boxes at a time in columns, and runs no simulation.
"""

from __future__ import annotations

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
from kg.publish.graphics.boxes import breadth_of_link
from kg.publish.graphics.parts_of_answer import WeightInAnswer
from kg.publish.markup.camp_and_relation_styles import camp_shape
from kg.publish.markup.html import Html, as_script_json, escape
from kg.publish.markup.phrases import FORWARD, KINDS, capitalize_first
from kg.publish.page import Alternate


def _make_iframe(*arguments: Any, **keywords: Any) -> Any:
    from IPython.display import IFrame

    return IFrame(*arguments, **keywords)


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
    stubs[names[1]].IFrame = _make_iframe  # type: ignore[attr-defined]
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
LABEL = 110  # characters of a title: more would not fit in the rows of a box
_MARKS = {
    "circle": "●○",
    "diamond": "◆◇",
    "triangle": "▲△",
    "square": "■□",
    "hexagon": "⬢⬡",
    "star": "★☆",
    "ring": "○○",
}
"""The marks of the camps, and of none, as characters: of a claim, and of evidence."""
_DASHES: dict[LineStyle, Any] = {
    LineStyle.SOLID: False,
    LineStyle.DASHED: [6, 4],
    LineStyle.DOTTED: [2, 4],
    LineStyle.CHAINED: [8, 3, 2, 3],
}


class Picture(Network):  # type: ignore[misc]
    """A pyvis network with our own template."""

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
    ids: Sequence[str],
    edges: Iterable[Edge],
    line_id: str | None = None,
    focus: str = "",
    parts_by_id: Mapping[str, WeightInAnswer] | None = None,
) -> Picture:
    """Statements and the edges between them, first `focus`, then those that make up most of the
    answer (by `parts_by_id`), else the most linked.
    """
    parts_by_id = parts_by_id or {}
    picture = blank_picture(name)
    id_set = {*ids}
    drawn_edges = [edge for edge in edges if edge.source in id_set and edge.target in id_set]
    degree = Counter(end for edge in drawn_edges for end in (edge.source, edge.target))
    weights = {id: parts_by_id[id].weight if id in parts_by_id else 0.0 for id in ids}
    for id in sorted(ids, key=lambda id: (id != focus, -weights[id], -degree[id], id)):
        _add_statement(picture, context, id, line_id)
    parts = [_part_carried(edge, parts_by_id) for edge in drawn_edges]
    greatest = max(parts, default=0.0)
    picture.edges = [
        {
            "from": edge.source,
            "to": edge.target,
            "title": f"{FORWARD[edge.relation]}{': ' + edge.reason if edge.reason else ''}",
            "dashes": _DASHES[edge.relation.entry.stroke],
            "side": edge.relation.side,
            **({"mutual": True} if edge.goes_both_ways else {}),
            "width": round(breadth_of_link(part, greatest), 1),
        }
        for edge, part in zip(drawn_edges, parts, strict=True)
    ]
    return picture


def _part_carried(edge: Edge, parts_by_id: Mapping[str, WeightInAnswer]) -> float:
    """The part of the answer that an edge carries."""
    parts = (
        parts_by_id[target].weight * parts_by_id[target].reasons.get(source, 0.0)
        for source, target in edge.directions
        if target in parts_by_id
    )
    return max(parts, default=0.0)


def _add_statement(picture: Picture, context: SiteContext, id: str, line_id: str | None) -> None:
    statement = context.corpus.statements[id]
    camp = context.corpus.camp_of(id, line_id)
    mark = _MARKS[camp_shape(context.corpus.config, camp)][statement.kind is Kind.EVIDENCE]
    kind = KINDS[statement.kind].lower()
    label = f"{context.link_maker.camp_label(camp)} {kind}" if camp else kind
    picture.add_node(
        id,
        label=f"{mark} {_shorten_title(statement.title)}",
        shape="box",
        title="",
        name=f"{label}: {statement.title}",
        standing=context.strengths.quality_words(id)
        or capitalize_first(context.strengths.of(id).word_with_reason),
        group=context.link_maker.camp_class(camp),
        page=context.addresses.of(id),
    )


def _shorten_title(title: str, limit: int = LABEL) -> str:
    return title if len(title) <= limit else title[:limit].rpartition(" ")[0] + "…"
