"""Graphs to explore in the browser; the only module that loads pyvis.

pyvis's own page contacts other hosts and shows titles as HTML, so its template is not used: the
graph is a script of its own, and every title stays text. The browser places a few boxes at a time
in columns, and runs no simulation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from types import ModuleType
from typing import Any

from kg.model import InquiryLine, Kind, LineStyle, StatementId
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.argument import DrawnReason, ReasonsBeneath
from kg.publish.markup.camp_and_relation_styles import camp_shape
from kg.publish.markup.html import as_script_json
from kg.publish.markup.phrases import (
    FORWARD,
    KINDS,
    amount_in_words,
    capitalize_first,
)
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


GRAPH = ".graph.js"  # suffix of the address of a line's graph
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
    """A pyvis network that is written as a script."""

    def render_script(self) -> str:
        """The graph as a separate script, which can also be loaded from the file system."""
        return f"kgGraph({as_script_json({'nodes': self.nodes, 'edges': self.edges})});\n"


# Each pyvis network prepares to load its template, which is not used here: once is enough.
_BLANK = Picture(directed=True, cdn_resources="local")


def blank_picture() -> Picture:
    """An empty picture."""
    picture = copy(_BLANK)
    picture.nodes, picture.edges, picture.node_ids, picture.node_map = [], [], [], {}
    return picture


def graph_file(context: SiteContext, line: InquiryLine, argument: ReasonsBeneath) -> Alternate:
    """The file beside a line's page with the graph of what its answer rests on."""
    script = picture_of(context, line, argument).render_script()
    return Alternate(GRAPH, "text/javascript", script)


def picture_of(context: SiteContext, line: InquiryLine, argument: ReasonsBeneath) -> Picture:
    """The statements of an argument and its steps, in its order."""
    picture = blank_picture()
    for id in argument.statements:
        _add_statement(picture, context, line, id, argument)
    picture.edges = [_edge_of(step) for step in argument.steps]
    return picture


def _edge_of(step: DrawnReason) -> dict[str, Any]:
    edge = step.edge
    return {
        "from": step.source,
        "to": step.target,
        "title": f"{FORWARD[edge.relation]}{': ' + edge.reason if edge.reason else ''}",
        "dashes": _DASHES[edge.relation.entry.stroke],
        "share": round(step.share, 3),
        "adds": amount_in_words(abs(step.share)),
    }


def _add_statement(
    picture: Picture,
    context: SiteContext,
    line: InquiryLine,
    id: StatementId,
    argument: ReasonsBeneath,
) -> None:
    statement = context.corpus.statements[id]
    camp = context.corpus.camp_of(id, line.id)
    mark = _MARKS[camp_shape(context.corpus.config, camp)][statement.kind is Kind.EVIDENCE]
    kind = KINDS[statement.kind].lower()
    counts = {"idle": argument.idle.get(id), "beyond": argument.beyond.get(id)}
    picture.add_node(
        id,
        label=statement.title,
        shape="box",
        mark=mark,
        kind=f"{context.link_maker.camp_label(camp)} {kind}" if camp else capitalize_first(kind),
        standing=context.strengths.quality_words(id)
        or capitalize_first(context.strengths.of(id).word_with_reason),
        group=context.link_maker.camp_class(camp),
        page=context.addresses.of(id),
        **{name: count for name, count in counts.items() if count},
    )
