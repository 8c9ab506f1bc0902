"""Argument maps as SVG, drawn at build time and readable without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import has_superseded_premise
from kg.model import Bearing, Edge, InquiryLine, Kind, Relation, RelationEnds
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.boxes import BOX_WIDTH, LINE_HEIGHT, PADDING, Box, format_number
from kg.publish.graphics.layers import HEAD_LENGTH, Drawing, DrawnRoute, Head, LayerLink, lay_out
from kg.publish.graphics.map_selection import (
    MAX_BOXES,
    MIN_BOXES,
    assign_columns,
    count_steps_from,
    find_heaviest,
    weighed_statements,
)
from kg.publish.markup.camp_and_relation_styles import SHAPE_POINTS, camp_shape
from kg.publish.markup.html import EMPTY, Child, Html, collapsible, element, escape
from kg.publish.markup.phrases import BACKWARD, FORWARD, KINDS, count_of

MAX_PHONE_WIDTH = 400  # units, about the width of a phone, where wider maps are left out
EDGE = 12  # blank units around a map
WORDS = "map-words"
_DRAWN = tuple(
    each for each in Relation if each.entry.joins in (RelationEnds.STATEMENTS, RelationEnds.ANY)
)


def line_map(
    context: SiteContext, line: InquiryLine, ids: Sequence[str], root: str
) -> tuple[Html, frozenset[Relation]]:
    """The statements that make up most of a line's answer, with the weighed statement on the left;
    and the relations of the links that are drawn.

    Each column to the right is a step farther away. If there is not room for everything, a link is
    drawn only if it carries at least as much to the answer as the lightest of the statements.
    """
    corpus = context.corpus
    edges = edges_between(corpus, ids)
    weighed_ids = weighed_statements(line, edges)[:MAX_BOXES]
    parts_by_id = find_heaviest(context, edges, weighed_ids)
    if len(parts_by_id) < MIN_BOXES:
        return EMPTY, frozenset()
    camps = {camp: index for index, camp in enumerate(corpus.config.camp_ids)}
    camp_places = {
        id: camps.get(corpus.camp_of(id, line.id) or "", len(camps)) for id in parts_by_id
    }
    weights = {id: part.weight for id, part in parts_by_id.items()}
    hidden_count = len(ids) - len(parts_by_id)
    least_weight = min(weights.values()) if hidden_count else 0.0
    drawn_edges = [
        edge
        for edge in edges
        if any(
            source in parts_by_id
            and target in parts_by_id
            and weights[target] * parts_by_id[target].reasons.get(source, 0.0) >= least_weight
            for source, target in edge.directions
        )
    ]
    hidden_note = "What weighs less is not drawn. "
    figure = _figure_of_map(
        context,
        _MapContent(
            title=f"Map of the argument: {line.title}",
            columns=assign_columns(
                count_steps_from(weighed_ids, drawn_edges), weights, camp_places
            ),
            edges=drawn_edges,
            words=Html(f'<a href="#{WORDS}">The same in words</a>.'),
            hidden_note=hidden_note if hidden_count else "",
            in_words=_map_in_words(context, drawn_edges, line.proposition or "", root, line.id),
            focus=line.proposition or "",
        ),
        root,
        line.id,
    )
    return figure, frozenset(edge.relation for edge in drawn_edges)


# -- what is shown -------------------------------------------------------------------------


def edges_between(corpus: Corpus, ids: Sequence[str]) -> list[Edge]:
    """The edges between these statements."""
    id_set = set(ids)
    return [
        edge
        for id in ids
        for edge in corpus.edges_from.get(id, ())
        if edge.target in id_set and edge.target != id and edge.relation in _DRAWN
        if not is_left_out_of_maps(corpus, edge)
    ]


def is_left_out_of_maps(corpus: Corpus, edge: Edge) -> bool:
    """Whether an edge bears on nothing only because its source is superseded."""
    return all(has_superseded_premise(corpus, Bearing(edge, *ends)) for ends in edge.directions)


# -- drawing -------------------------------------------------------------------------------


class _MapContent(NamedTuple):
    """The content of a map, and where the page has the same in words."""

    title: str
    columns: Sequence[Sequence[str]]
    edges: Sequence[Edge]
    words: Html
    hidden_note: str
    in_words: Html
    focus: str


def _figure_of_map(context: SiteContext, picture: _MapContent, root: str, line: str | None) -> Html:
    titles = {id: context.corpus.statements[id].title for ids in picture.columns for id in ids}
    links = [LayerLink(edge.source, edge.target, edge.goes_both_ways) for edge in picture.edges]
    drawing = lay_out(titles, picture.columns, links)
    hidden_note = (
        f'<p class="kg-small">{picture.hidden_note}{picture.words}</p>'
        if picture.hidden_note
        else ""
    )
    is_wide = drawing.width + 2 * EDGE > MAX_PHONE_WIDTH
    left_out = f'<p class="kg-map-left-out">The map needs a wider screen. {picture.words}</p>'
    name = escape(picture.title)
    return Html(
        f'<figure class="kg-map{" kg-map-wide" if is_wide else ""}">'
        f'<div class="kg-map-view" tabindex="0" role="region" aria-label="{name}" data-kg-map>'
        f"{_svg_of_map(context, drawing, picture, root, line)}</div>{left_out if is_wide else ''}"
        f"{hidden_note}{picture.in_words}</figure>"
    )


def _svg_of_map(
    context: SiteContext, drawing: Drawing, picture: _MapContent, root: str, line: str | None
) -> Html:
    width, height = (format_number(length + 2 * EDGE) for length in (drawing.width, drawing.height))
    boxes, name = drawing.boxes, escape(picture.title)
    description = (
        f"{count_of(len(boxes), 'statement')} and {count_of(len(picture.edges), 'link')} between "
        f"them. The same stands on this page in words."
    )
    escaped_ids = {id: escape(id) for id in boxes}
    lines = "".join(
        [
            _svg_of_edge(e, route, escaped_ids)
            for e, route in zip(picture.edges, drawing.routes, strict=True)
        ]
    )
    nodes = "".join(
        [_svg_of_box(context, box, root, line, picture.focus) for box in boxes.values()]
    )
    return Html(
        f'<svg viewBox="{-EDGE} {-EDGE} {width} {height}" width="{width}" height="{height}" '
        f'role="group" aria-label="{name}"><title>{name}</title><desc>{description}</desc>'
        f'<g class="kg-map-edges">{lines}</g><g>{nodes}</g></svg>'
    )


def _svg_of_box(context: SiteContext, box: Box, root: str, line: str | None, focus: str) -> str:
    """A placed box. Focused it is on one page only, otherwise on many."""
    node = (
        _content_of_box(context, box, root, line, " kg-map-focus")
        if box.id == focus
        else context.once(
            ("node", box.id, box.height, root, line), _content_of_box, context, box, root, line, ""
        )
    )
    return f'<a transform="translate({format_number(box.x)} {format_number(box.y)})" {node}</a>'


def _content_of_box(
    context: SiteContext, box: Box, root: str, line: str | None, classes: str
) -> Html:
    """A box without its place: its link except for the beginning, and its content."""
    statement = context.corpus.statements[box.id]
    camp = context.corpus.camp_of(box.id, line)
    hollow = statement.kind is Kind.EVIDENCE
    rows = [escape(row) for row in box.rows]
    top = (box.height - LINE_HEIGHT * len(rows)) / 2
    rest = "".join(
        [f'<tspan x="{PADDING + 14}" dy="{LINE_HEIGHT}">{row}</tspan>' for row in rows[1:]]
    )
    label = (
        f"{context.link_maker.camp_label(camp)} {KINDS[statement.kind].lower()}: {statement.title}"
    )
    mark = draw_mark(camp_shape(context.corpus.config, camp), PADDING + 4, top + 7, hollow)
    kind = " kg-map-evidence" if hollow else ""
    # The theme would take a bare `href` for an HTML link, which it cannot handle in SVG.
    return Html(
        f'xlink:href="{escape(root + context.addresses.of(box.id))}" '
        f'class="kg-map-node {context.link_maker.camp_class(camp)}{kind}{classes}" '
        f'data-id="{escape(box.id)}"><title>{escape(label)}</title>'
        f'<rect width="{BOX_WIDTH}" height="{format_number(box.height)}" rx="5"></rect>{mark}'
        f'<text y="{format_number(top + 11)}">'
        f'<tspan x="{PADDING + 14}">{rows[0]}</tspan>{rest}</text>'
    )


def draw_mark(name: str, x: float, y: float, hollow: bool) -> Html:
    """A camp's shape, given by name, around a point."""
    classes = "kg-map-mark kg-map-hollow" if hollow or name == "ring" else "kg-map-mark"
    if name in SHAPE_POINTS:
        return element(
            "polygon",
            points=SHAPE_POINTS[name],
            transform=f"translate({format_number(x)} {format_number(y)})",
            class_=classes,
        )
    return element("circle", cx=format_number(x), cy=format_number(y), r=4.5, class_=classes)


def _svg_of_edge(edge: Edge, route: DrawnRoute, escaped_ids: dict[str, str]) -> str:
    """A link with its arrowheads; `escaped_ids` are safe in an attribute."""
    return (
        f'<g class="kg-map-edge kg-map-{edge.relation}" data-from="{escaped_ids[edge.source]}" '
        f'data-to="{escaped_ids[edge.target]}"><path d="{route.path}"></path>'
        f"{''.join([_arrowhead(head) for head in route.heads])}</g>"
    )


def _arrowhead(head: Head) -> str:
    back = format_number(head.x - HEAD_LENGTH * head.turn)
    tip = f"{format_number(head.x)},{format_number(head.y)}"
    points = f"{back},{format_number(head.y - 4)} {tip} {back},{format_number(head.y + 4)}"
    return f'<polygon points="{points}"></polygon>'


# -- legend and words ----------------------------------------------------------------------


def legend_of_relations(context: SiteContext, relations: frozenset[Relation]) -> Html:
    """The legend for the camps' marks and the lines of some relations."""
    return context.once(("legend", relations), _new_legend, context, relations)


def _new_legend(context: SiteContext, relations: frozenset[Relation]) -> Html:
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
        element("li", _sample_of_edge(relation), FORWARD[relation])
        for relation in Relation
        if relation in relations
    ]
    return element("ul", *marks, hollow, *lines, class_="kg-legend", aria_label="Legend")


def _sample_of_edge(relation: Relation) -> Html:
    line = element(
        "g",
        element("path", d="M0 5L21 5"),
        element("polygon", points="21,1 28,5 21,9"),
        class_=f"kg-map-edge kg-map-{relation}",
    )
    return element("svg", line, width=30, height=10, viewBox="0 0 30 10", aria_hidden="true")


def _map_in_words(
    context: SiteContext, edges: Sequence[Edge], first: str, root: str, line: str | None
) -> Html:
    """The content of the map in words, by the target of each link: `first`, then the others."""
    if not edges:
        return EMPTY
    name, edges_by_target = context.link_maker.statement, dict[str, list[Edge]]()
    for edge in sorted(edges, key=lambda edge: edge.target != first):
        edges_by_target.setdefault(edge.target, []).append(edge)
    groups: list[Child] = [
        element(
            "li",
            element("p", element("strong", name(target, root, line))),
            element(
                "ul", *[_item_of_reason(context, edge, root, line) for edge in edges_to_target]
            ),
        )
        for target, edges_to_target in edges_by_target.items()
    ]
    return collapsible("The same in words", element("ul", *groups, id=WORDS, class_="kg-plain"))


def _item_of_reason(context: SiteContext, edge: Edge, root: str, line: str | None) -> Html:
    relation = element("span", BACKWARD[edge.relation], class_=f"kg-rel kg-rel-{edge.relation}")
    return element("li", relation, " ", context.link_maker.statement(edge.source, root, line))
