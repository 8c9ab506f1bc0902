"""Argument maps as SVG, drawn when the site is built and readable without scripts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.sides import is_silent
from kg.model import Bearing, Edge, InquiryLine, Kind, Relation, RelationEnds, Statement
from kg.publish.graphics.layout import (
    BOX_WIDTH,
    LINE,
    PAD,
    TOP,
    Box,
    columns,
    curve,
    head,
    shown,
    spread_boxes,
)
from kg.publish.markup.colours import POINTS, camp_shape
from kg.publish.markup.html import EMPTY, Child, Html, element, escape, folded, join_children
from kg.publish.markup.phrases import FORWARD, KINDS, count_of
from kg.publish.site_context import SiteContext

MOST_BOXES = 40  # statements on the map of a line
EDGE = 16  # blank units around a map
_DRAWN = tuple(each for each in Relation if each.entry.joins is RelationEnds.STATEMENTS)


def line_map(context: SiteContext, line: InquiryLine, members: Sequence[str], root: str) -> Html:
    """The claims of a line: what is weighed in the middle, a camp on either side."""
    corpus = context.corpus
    claims = [id for id in members if corpus.statements[id].kind is not Kind.EVIDENCE]
    shown = _busiest(context, claims, [line.proposition] if line.proposition else [])
    edges = between(corpus, shown)
    sides = _by_camp(context, line, shown)
    if len(shown) < 2:
        return EMPTY
    boxes = columns(_titles(context, shown), sides, _near(edges))
    return _figure(
        context,
        boxes,
        edges,
        root,
        line.id,
        f"Map of the argument: {line.title}",
        len(claims) - len(shown),
    )


class Neighbourhood(NamedTuple):
    """What stands directly around a statement, and what it bears on itself.

    `con` is against it, `pro` is all else that leads to it.
    """

    pro: list[str]
    con: list[str]
    above: list[str]

    def cut(self, most: int, most_above: int) -> Neighbourhood:
        """The first ones of each."""
        return Neighbourhood(self.pro[:most], self.con[:most], self.above[:most_above])

    def __bool__(self) -> bool:
        return bool(self.pro or self.con or self.above)

    @property
    def size(self) -> int:
        return len(self.pro) + len(self.con) + len(self.above)


def find_around(corpus: Corpus, id: str) -> Neighbourhood:
    """The neighbours of a statement, each in one place only."""
    found = Neighbourhood([], [], [])
    taken = {id}
    towards, own = corpus.bearings_on(id), corpus.bearings_from(id)
    ends = [(each.source, found.con if each.sign < 0 else found.pro, each) for each in towards]
    ends += [(each.target, found.above, each) for each in own]
    for other, place, bearing in ends:
        if other not in taken and other in corpus.statements and not is_silent(corpus, bearing):
            taken.add(other)
            place.append(other)
    return found


def statement_map(
    context: SiteContext, statement: Statement, around: Neighbourhood, root: str
) -> Html:
    """A statement in the middle: what is against it right, what it bears on above, else left."""
    if not around:
        return EMPTY
    shown = around.cut(15, 8)
    ids = [statement.id, *shown.above, *shown.pro, *shown.con]
    edges = _touching(context.corpus, statement.id, ids)
    sides = {0: [statement.id], **_lanes(shown.pro, -1), **_lanes(shown.con, 1)}
    # All are joined to the middle alone, so none wants another height than it has.
    boxes = columns(_titles(context, ids), sides, {}, shown.above)
    title = f"What stands around: {statement.title}"
    return _figure(context, boxes, edges, root, None, title, around.size - shown.size, statement.id)


# -- what is shown -------------------------------------------------------------------------


def _busiest(context: SiteContext, ids: Sequence[str], first: Sequence[str]) -> list[str]:
    """At most `MOST_BOXES` statements: the first ones, then those with most links to the others."""
    among = set(ids)
    degree: dict[str, int] = {}
    for id in ids:
        ends = [e.source for e in context.corpus.edges_to.get(id, ())] + [
            e.target for e in context.corpus.edges_from.get(id, ())
        ]
        degree[id] = sum(end in among for end in ends)
    best = sorted((id for id in ids if id not in first), key=lambda id: -degree[id])[
        : MOST_BOXES - len(first)
    ]
    kept = {*best, *first}
    return [id for id in dict.fromkeys((*first, *ids)) if id in kept]


def between(corpus: Corpus, ids: Sequence[str]) -> list[Edge]:
    """The edges that join two of these statements."""
    among = set(ids)
    return [
        edge
        for id in ids
        for edge in corpus.edges_from.get(id, ())
        if edge.target in among and edge.target != id and edge.relation in _DRAWN
        if not is_left_out(corpus, edge)
    ]


def is_left_out(corpus: Corpus, edge: Edge) -> bool:
    """Whether an edge would bear on something, were what it comes from not superseded."""
    return all(is_silent(corpus, Bearing(edge, *ends)) for ends in edge.directions)


def _touching(corpus: Corpus, id: str, ids: Sequence[str]) -> list[Edge]:
    """The edges that join a statement with one of these, in their order."""
    place = {id: number for number, id in enumerate(ids)}
    out = [edge for edge in corpus.edges_from.get(id, ()) if edge.target in place]
    into = [edge for edge in corpus.edges_to.get(id, ()) if edge.source in place]
    into.sort(key=lambda edge: place[edge.source])
    return [
        edge
        for edge in (*out, *into)
        if edge.relation in _DRAWN and edge.source != edge.target
        if not is_left_out(corpus, edge)
    ]


def _near(edges: Iterable[Edge]) -> dict[str, set[str]]:
    near: defaultdict[str, set[str]] = defaultdict(set)
    for edge in edges:
        near[edge.source].add(edge.target)
        near[edge.target].add(edge.source)
    return near


def _titles(context: SiteContext, ids: Iterable[str]) -> dict[str, str]:
    return {id: context.corpus.statements[id].title for id in ids}


def _by_camp(
    context: SiteContext, line: InquiryLine, shown: Sequence[str]
) -> dict[int, Sequence[str]]:
    """The first camp left, the others right; what is weighed or of no camp in the middle."""
    camps = context.corpus.config.camp_ids
    middle = [id for id in shown if id == line.proposition]
    left = [
        id for id in shown if id not in middle and context.corpus.camp_of(id, line.id) == camps[0]
    ]
    right = [
        id for id in shown if id not in middle and context.corpus.camp_of(id, line.id) in camps[1:]
    ]
    middle += [id for id in shown if id not in middle and id not in left and id not in right]
    return {0: middle, **_lanes(left, -1), **_lanes(right, 1)}


def _lanes(ids: Sequence[str], side: int) -> dict[int, Sequence[str]]:
    return {side * number: part for number, part in enumerate(spread_boxes(ids), 1)}


# -- drawing -------------------------------------------------------------------------------


def _figure(
    context: SiteContext,
    boxes: dict[str, Box],
    edges: Sequence[Edge],
    root: str,
    line: str | None,
    title: str,
    hidden: int,
    focus: str = "",
) -> Html:
    more = element("p", f"{hidden} more not drawn.", class_="kg-small") if hidden > 0 else EMPTY
    table = EMPTY if focus else _edge_table(context, edges, root, line)
    name = escape(title)
    return Html(
        f'<figure class="kg-map">{_legend(context, frozenset([edge.relation for edge in edges]))}'
        f'<div class="kg-map-view" tabindex="0" role="region" aria-label="{name}" data-kg-map>'
        f"{_drawing(context, boxes, edges, root, line, name, focus)}</div>{more}{table}</figure>"
    )


def _drawing(
    context: SiteContext,
    boxes: dict[str, Box],
    edges: Sequence[Edge],
    root: str,
    line: str | None,
    name: str,
    focus: str,
) -> Html:
    """The boxes and the edges; `name` is HTML already."""
    wide = shown(max([box.x for box in boxes.values()]) + BOX_WIDTH + 2 * EDGE)
    tall = shown(max([box.y + box.height for box in boxes.values()]) + 2 * EDGE)
    description = (
        f"{count_of(len(boxes), 'statement')} and {count_of(len(edges), 'link')} between them. The "
        f"same stands on this page in words."
    )
    named = {id: escape(id) for id in boxes}
    lines = "".join([_edge(edge, boxes, named) for edge in edges])
    nodes = "".join([_node(context, box, root, line, focus) for box in boxes.values()])
    return Html(
        f'<svg viewBox="{-EDGE} {-EDGE} {wide} {tall}" width="{wide}" height="{tall}" role="group" '
        f'aria-label="{name}"><title>{name}</title><desc>{description}</desc>'
        f'<g class="kg-map-edges">{lines}</g><g>{nodes}</g></svg>'
    )


def _node(context: SiteContext, box: Box, root: str, line: str | None, focus: str) -> str:
    """A box at its place. In the middle it stands on one page alone, else on many."""
    node = (
        _box(context, box, root, line, " kg-map-focus")
        if box.id == focus
        else context.once(("node", box.id, root, line), _box, context, box, root, line, "")
    )
    return f'<a transform="translate({shown(box.x)} {shown(box.y)})" {node}</a>'


def _box(context: SiteContext, box: Box, root: str, line: str | None, classes: str) -> Html:
    """A box wherever it stands: its link but for the beginning, and what it shows."""
    statement = context.corpus.statements[box.id]
    camp = context.corpus.camp_of(box.id, line)
    hollow = statement.kind is Kind.EVIDENCE
    rows = [escape(row) for row in box.rows]
    rest = "".join([f'<tspan x="{PAD + 14}" dy="{LINE}">{row}</tspan>' for row in rows[1:]])
    label = (
        f"{context.link_maker.camp_label(camp)} {KINDS[statement.kind].lower()}: {statement.title}"
    )
    mark = draw_mark(camp_shape(context.corpus.config, camp), PAD + 4, TOP + 7, hollow)
    kind = " kg-map-evidence" if hollow else ""
    # A bare `href` would be taken for an HTML link by the theme, which cannot handle it in SVG.
    return Html(
        f'xlink:href="{escape(root + context.addresses.of(box.id))}" '
        f'class="kg-map-node {context.link_maker.camp_class(camp)}{kind}{classes}" '
        f'data-kg="statement" data-id="{escape(box.id)}"><title>{escape(label)}</title>'
        f'<rect width="{BOX_WIDTH}" height="{shown(box.height)}" rx="5"></rect>{mark}'
        f'<text y="{TOP + 11}"><tspan x="{PAD + 14}">{rows[0]}</tspan>{rest}</text>'
    )


@lru_cache(maxsize=256)
def draw_mark(name: str, x: float, y: float, hollow: bool) -> Html:
    """A camp's shape, by its name, around a point."""
    classes = "kg-map-mark kg-map-hollow" if hollow or name == "ring" else "kg-map-mark"
    if name in POINTS:
        return element(
            "polygon",
            points=POINTS[name],
            transform=f"translate({shown(x)} {shown(y)})",
            class_=classes,
        )
    return element("circle", cx=shown(x), cy=shown(y), r=4.5, class_=classes)


def _edge(edge: Edge, boxes: dict[str, Box], named: dict[str, str]) -> str:
    """A curve with its arrow head; `named` are ids that may stand in an attribute."""
    line = curve(boxes[edge.source], boxes[edge.target])
    return (
        f'<g class="kg-map-edge kg-map-{edge.relation}" data-from="{named[edge.source]}" '
        f'data-to="{named[edge.target]}"><path d="{line.path}"></path>{head(line)}</g>'
    )


# -- legend and table ----------------------------------------------------------------------


def _legend(context: SiteContext, used: frozenset[Relation]) -> Html:
    return context.once(("legend", used), _new_legend, context, used)


def _new_legend(context: SiteContext, used: frozenset[Relation]) -> Html:
    camps = context.corpus.config.camps
    marks = [
        element(
            "li",
            context.link_maker.mark(camp.id),
            camp.label,
            class_=context.link_maker.camp_class(camp.id),
        )
        for camp in camps
    ]
    hollow = element(
        "li",
        context.link_maker.mark(camps[0].id if camps else None, Kind.EVIDENCE),
        "hollow: evidence",
    )
    lines = [
        element("li", _sample(relation), FORWARD[relation])
        for relation in _DRAWN
        if relation in used
    ]
    return element("ul", *marks, hollow, *lines, class_="kg-legend", aria_label="Legend")


def _sample(relation: Relation) -> Html:
    line = element(
        "g",
        element("path", d="M0 5L21 5"),
        element("polygon", points="21,1 28,5 21,9"),
        class_=f"kg-map-edge kg-map-{relation}",
    )
    return element("svg", line, width=30, height=10, viewBox="0 0 30 10", aria_hidden="true")


def _edge_table(context: SiteContext, edges: Sequence[Edge], root: str, line: str | None) -> Html:
    if not edges:
        return EMPTY
    rows: list[Child] = [
        element(
            "tr",
            element("th", context.link_maker.statement(edge.source, root, line), scope="row"),
            element("td", FORWARD[edge.relation]),
            element("td", context.link_maker.statement(edge.target, root, line)),
        )
        for edge in edges
    ]
    head = element(
        "tr", *[element("th", word, scope="col") for word in ("Statement", "Link", "Statement")]
    )
    whole = element(
        "table", element("thead", head), element("tbody", join_children(rows)), class_="kg-table"
    )
    scroll = element(
        "div",
        whole,
        class_="kg-scroll",
        tabindex="0",
        role="region",
        aria_label="The map as a table",
    )
    return folded("The same as a table", scroll)
