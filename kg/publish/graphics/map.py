"""The map of a line, as SVG: the claim that is weighed, on its right what speaks for it, on its
left what speaks against it, the heaviest on top. It is drawn at build time and needs no scripts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kg.model import EdgeId, InquiryLine, Kind, Relation, StatementId
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.boxes import (
    LINE_HEIGHT,
    MARK_ROOM,
    PADDING,
    Box,
    box_height,
    breadth_of_link,
    format_number,
    wrap_text,
)
from kg.publish.markup.camp_and_relation_styles import SHAPE_POINTS, camp_shape
from kg.publish.markup.html import EMPTY, Html, element, escape
from kg.publish.markup.phrases import FORWARD, KINDS, count_of

if TYPE_CHECKING:
    from kg.reasoning.attribution.bill import Reason

MAX_REASONS = 6  # a side; one more is drawn rather than folded alone
MIN_REASONS = 2  # fewer show no more than the text beside them
BOX_WIDTH, GAP = 250.0, 84.0  # of a column, and between two, where the links run
REPLY_INDENT = 26.0  # of the box of a reply, beneath the reason that it answers
HEAD_ROW = 26.0  # above the columns, for what they are called
ROW_GAP, REPLY_GAP = 12.0, 20.0  # between boxes; the second has room for a link
MAX_HEIGHT = 560.0  # with more, replies are left out: a map fits a laptop's screen
PORT_STEP = 16.0  # between links at the claim
STUB = 10.0  # straight part of a link at a box: bends keep away from other boxes
BEND_STEP = 7.0  # between the bends of links
HEAD_LENGTH, MIN_HEAD = 8.0, 4.5  # of an arrowhead, and half its least breadth
EDGE = 6.0  # blank units around a map
LIGHTER = {1: "lighter-for", -1: "lighter-against"}
"""Where on a line's page the reasons stand that are too many for a map."""
SIDES_PLACE = "sides"
_HEADS = {1: "What speaks for it", -1: "What speaks against it, or limits it"}
_WIDER = "wider line: adds more"
_TOO_NARROW = "The map needs a wider screen. The same reasons, by weight: "


class MapReply(NamedTuple):
    """What answers a reason."""

    statement: StatementId
    relation: Relation
    weight: float


class _Link(NamedTuple):
    """A link from a box to another, as it is drawn."""

    source: StatementId
    target: StatementId
    relation: Relation
    breadth: float
    path: str
    head: str


def line_map(
    context: SiteContext,
    line: InquiryLine,
    reasons: Sequence[Reason],
    replies: Mapping[EdgeId, MapReply],
    root: str,
) -> tuple[Html, frozenset[Relation]]:
    """The map of the reasons that bear on what a line weighs, with `replies` by the edges of the
    reasons that they answer; and the relations of the links that are drawn.
    """
    reasons_by_side = _reasons_to_draw(reasons)
    if line.proposition is None or sum(map(len, reasons_by_side.values())) < MIN_REASONS:
        return EMPTY, frozenset()
    drawing = _Drawing(context, line.proposition, reasons_by_side, replies)
    title = f"Map of the argument: {line.title}"
    svg = _svg_of_map(context, drawing, title, root, line)
    return Html(
        f'<figure class="kg-map"><div class="kg-map-view" data-kg-map>{svg}</div>'
        f'<p class="kg-map-left-out">{_TOO_NARROW}<a href="#{SIDES_PLACE}">both sides</a>.</p>'
        "</figure>"
    ), frozenset(link.relation for link in drawing.links)


# -- what is shown -------------------------------------------------------------------------


def _reasons_to_draw(reasons: Sequence[Reason]) -> dict[int, list[Reason]]:
    """The reasons of each side, 1 for and -1 against, the heaviest first, each statement once;
    those without weight only where too few have any.
    """
    reason_by_id: dict[StatementId, Reason] = {}
    for reason in sorted(reasons, key=lambda each: -abs(each.share)):
        reason_by_id.setdefault(reason.statement, reason)
    heard_by_id = {id: reason for id, reason in reason_by_id.items() if reason.share}
    if len(heard_by_id) >= MIN_REASONS:
        reason_by_id = heard_by_id
    return {
        side: [each for each in reason_by_id.values() if _side(each) == side] for side in (1, -1)
    }


def _side(reason: Reason) -> int:
    return (reason.share > 0) - (reason.share < 0) or reason.relation.entry.side


# -- where it stands -----------------------------------------------------------------------


class _Drawing:
    """The places of a map's boxes by statement, of the boxes for what is not drawn by side, and of
    the links.
    """

    def __init__(
        self,
        context: SiteContext,
        claim: StatementId,
        reasons_by_side: Mapping[int, Sequence[Reason]],
        replies: Mapping[EdgeId, MapReply],
    ) -> None:
        self.context, self.claim = context, claim
        self.boxes: dict[StatementId, Box] = {}
        self.lighter: dict[int, Box] = {}
        self.links: list[_Link] = []
        first_reasons = {side: _first_reasons(each) for side, each in reasons_by_side.items()}
        self.shown_ids = {
            each.statement for reasons in first_reasons.values() for each in reasons
        } | {claim}
        self.greatest_weight = max(
            abs(each.share) for reasons in first_reasons.values() for each in reasons
        )
        for side, all_reasons in reasons_by_side.items():
            self._place_side(
                side, first_reasons[side], len(all_reasons) - len(first_reasons[side]), replies
            )
        placed = (*self.boxes.values(), *self.lighter.values())
        bottom = max(box.y + box.height for box in placed)
        rows = wrap_text(self._title(claim), BOX_WIDTH)
        most_links = max(map(len, first_reasons.values()))
        height = max(box_height(rows), most_links * PORT_STEP + 8)
        middle = max(HEAD_ROW + height / 2, (HEAD_ROW + bottom) / 2)
        box = Box(BOX_WIDTH + GAP, middle - height / 2, BOX_WIDTH, height, rows)
        self.boxes[claim] = box
        self.height = max(bottom, box.y + height)
        for side, reasons in first_reasons.items():
            self._link_side(side, reasons, box)

    def _title(self, id: StatementId) -> str:
        return self.context.corpus.statements[id].title

    def _place_side(
        self,
        side: int,
        reasons: Sequence[Reason],
        lighter_count: int,
        replies: Mapping[EdgeId, MapReply],
    ) -> None:
        """One column: reasons, beneath each its reply as far as there is room, and what is left."""
        rows = {
            each.statement: wrap_text(self._title(each.statement), BOX_WIDTH) for each in reasons
        }
        words = (f"and {count_of(lighter_count, 'lighter reason')}",) if lighter_count else ()
        room = MAX_HEIGHT - sum(box_height(each) + ROW_GAP for each in rows.values())
        room -= box_height(words) if words else 0.0
        left = 0.0 if side < 0 else 2 * (BOX_WIDTH + GAP)
        y = HEAD_ROW
        for reason in reasons:
            box = _box_of(rows[reason.statement], left, y, BOX_WIDTH)
            self.boxes[reason.statement] = box
            y += box.height
            reply = replies.get(reason.edge)
            if reply is not None and reply.statement not in self.shown_ids:
                reply_width = BOX_WIDTH - REPLY_INDENT
                reply_rows = wrap_text(self._title(reply.statement), reply_width)
                reply_left = left + (REPLY_INDENT if side > 0 else 0.0)
                reply_box = _box_of(reply_rows, reply_left, y + REPLY_GAP, reply_width)
                if reply_box.height + REPLY_GAP <= room:
                    room -= reply_box.height + REPLY_GAP
                    self.shown_ids.add(reply.statement)
                    self.boxes[reply.statement] = reply_box
                    self.links.append(self._link_of_reply(reply, reason, reply_box))
                    y += REPLY_GAP + reply_box.height
            y += ROW_GAP
        if words:
            self.lighter[side] = _box_of(words, left, y, BOX_WIDTH)

    def _breadth(self, weight: float) -> float:
        return breadth_of_link(weight, self.greatest_weight)

    def _link_of_reply(self, reply: MapReply, reason: Reason, box: Box) -> _Link:
        """The link from a reply straight up to the reason above it."""
        breadth = self._breadth(reply.weight)
        x, tip = box.x + box.width / 2, box.y - REPLY_GAP
        half = max(MIN_HEAD, breadth / 2 + 2.5)
        base = format_number(tip + HEAD_LENGTH)
        points = (
            f"{format_number(x - half)},{base} {format_number(x)},{format_number(tip)} "
            f"{format_number(x + half)},{base}"
        )
        path = f"M{format_number(x)} {format_number(box.y)}L{format_number(x)} {base}"
        return _Link(reply.statement, reason.statement, reply.relation, breadth, path, points)

    def _link_side(self, side: int, reasons: Sequence[Reason], claim_box: Box) -> None:
        """The links from a column to the claim, in the order of the boxes, so that none cross."""
        tip_x = claim_box.x + (claim_box.width if side > 0 else 0.0)
        first_y = claim_box.middle - PORT_STEP * (len(reasons) - 1) / 2
        for number, reason in enumerate(reasons):
            box, breadth = self.boxes[reason.statement], self._breadth(abs(reason.share))
            start_x = box.x + (0.0 if side > 0 else box.width)
            port = first_y + number * PORT_STEP
            base_x = tip_x + side * HEAD_LENGTH
            # the farther up or down a link begins, the nearer to the claim it bends, so that
            # none lies on another
            from_middle = abs(number - (len(reasons) - 1) / 2)
            bend = format_number((start_x + tip_x) / 2 - side * BEND_STEP * (from_middle - 1))
            start_y, end_y = format_number(box.middle), format_number(port)
            path = (
                f"M{format_number(start_x)} {start_y}H{format_number(start_x - side * STUB)}"
                f"C{bend} {start_y} {bend} {end_y} "
                f"{format_number(base_x + side * STUB)} {end_y}H{format_number(base_x)}"
            )
            half = max(MIN_HEAD, breadth / 2 + 2.5)
            points = (
                f"{format_number(base_x)},{format_number(port - half)} "
                f"{format_number(tip_x)},{end_y} "
                f"{format_number(base_x)},{format_number(port + half)}"
            )
            self.links.append(
                _Link(reason.statement, self.claim, reason.relation, breadth, path, points)
            )


def _first_reasons(reasons: Sequence[Reason]) -> Sequence[Reason]:
    return reasons if len(reasons) <= MAX_REASONS + 1 else reasons[:MAX_REASONS]


def _box_of(rows: tuple[str, ...], x: float, y: float, width: float) -> Box:
    return Box(x, y, width, box_height(rows), rows)


# -- drawing -------------------------------------------------------------------------------


def _svg_of_map(
    context: SiteContext, drawing: _Drawing, title: str, root: str, line: InquiryLine
) -> str:
    width = format_number(3 * BOX_WIDTH + 2 * GAP + 2 * EDGE)
    height = format_number(drawing.height + 2 * EDGE)
    name = escape(title)
    description = (
        f"{count_of(len(drawing.boxes), 'statement')} and {count_of(len(drawing.links), 'link')} "
        "between them. The same stands on this page in words, under “Both sides”."
    )
    heads = "".join(_svg_of_head(side, drawing) for side in (-1, 1))
    links = "".join(map(_svg_of_link, drawing.links))
    boxes = "".join(_svg_of_box(context, id, box, root, line) for id, box in drawing.boxes.items())
    lighter = "".join(_svg_of_lighter(side, box) for side, box in drawing.lighter.items())
    return (
        f'<svg viewBox="{format_number(-EDGE)} {format_number(-EDGE)} {width} {height}" '
        f'width="{width}" height="{height}" role="group" aria-label="{name}"><title>{name}</title>'
        f'<desc>{description}</desc>{heads}<g class="kg-map-edges">{links}</g>'
        f"<g>{boxes}{lighter}</g></svg>"
    )


def _svg_of_head(side: int, drawing: _Drawing) -> str:
    """What a column is called; nothing above an empty one."""
    if not any(link.target == drawing.claim for link in drawing.links):
        return ""
    x = format_number(0.0 if side < 0 else 2 * (BOX_WIDTH + GAP))
    side_class = "kg-map-for" if side > 0 else "kg-map-against"
    return f'<text class="kg-map-head {side_class}" x="{x}" y="12">{_HEADS[side]}</text>'


def _svg_of_box(
    context: SiteContext, id: StatementId, box: Box, root: str, line: InquiryLine
) -> str:
    """A box with the title of its statement, which links to its page."""
    statement = context.corpus.statements[id]
    camp = context.corpus.camp_of(id, line.id)
    label = (
        f"{context.link_maker.camp_label(camp)} {KINDS[statement.kind].lower()}: {statement.title}"
    )
    hollow = statement.kind is Kind.EVIDENCE
    top = _top_of_words(box)
    mark = draw_mark(camp_shape(context.corpus.config, camp), PADDING + 4, top + 7, hollow)
    focus = " kg-map-focus" if id == line.proposition else ""
    # The theme would take a bare `href` for an HTML link, which it cannot handle in SVG.
    return (
        f'{_link_at(box)} xlink:href="{escape(root + context.addresses.of(id))}" '
        f'class="kg-map-node {context.link_maker.camp_class(camp)}{focus}" '
        f'data-id="{escape(id)}"><title>{escape(label)}</title>'
        f"{_frame_of(box)}{mark}{_words_of(box)}</a>"
    )


def _svg_of_lighter(side: int, box: Box) -> str:
    """The box for the reasons that are not drawn, which links to their list."""
    return (
        f'{_link_at(box)} xlink:href="#{LIGHTER[side]}" class="kg-map-more">'
        f"{_frame_of(box)}{_words_of(box)}</a>"
    )


def _link_at(box: Box) -> str:
    return f'<a transform="translate({format_number(box.x)} {format_number(box.y)})"'


def _frame_of(box: Box) -> str:
    width, height = format_number(box.width), format_number(box.height)
    return f'<rect width="{width}" height="{height}" rx="5"></rect>'


def _words_of(box: Box) -> str:
    x, top = format_number(PADDING + MARK_ROOM), _top_of_words(box)
    first, *others = map(escape, box.rows)
    rest = "".join(f'<tspan x="{x}" dy="{LINE_HEIGHT}">{row}</tspan>' for row in others)
    return f'<text y="{format_number(top + 12)}"><tspan x="{x}">{first}</tspan>{rest}</text>'


def _top_of_words(box: Box) -> float:
    return (box.height - LINE_HEIGHT * len(box.rows)) / 2


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


def _svg_of_link(link: _Link) -> str:
    return (
        f'<g class="kg-map-edge kg-map-{link.relation}" data-from="{escape(link.source)}" '
        f'data-to="{escape(link.target)}"><path d="{link.path}" '
        f'stroke-width="{format_number(link.breadth)}"></path>'
        f'<polygon points="{link.head}"></polygon></g>'
    )


# -- legend --------------------------------------------------------------------------------


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
    neither = element("li", context.link_maker.mark(None), "neither") if camps else None
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
    wider = element("li", _WIDER)
    return element(
        "ul", *marks, neither, hollow, *lines, wider, class_="kg-legend", aria_label="Legend"
    )


def _sample_of_edge(relation: Relation) -> Html:
    arrow = element(
        "g",
        element("path", d="M0 5L21 5", stroke_width=1.6),
        element("polygon", points="21,1 28,5 21,9"),
        class_=f"kg-map-edge kg-map-{relation}",
    )
    return element("svg", arrow, width=30, height=10, viewBox="0 0 30 10", aria_hidden="true")
