"""A page per inquiry line: the question, the essay, the camps side by side and where they clash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kg.corpus.sides import undercuts_of
from kg.model import InquiryLine, Relation
from kg.publish.components.alternates import cite, line_alternates, line_data
from kg.publish.components.camps import camps_of_line, placed
from kg.publish.components.essay import add_essay, last_change, next_lines, note_history
from kg.publish.components.evidence import backlinks, size_words, sources_table
from kg.publish.components.reasons import clash_list, pair_up, undercut_row
from kg.publish.components.turning_points import turning_points
from kg.publish.components.verdict import line_verdict
from kg.publish.components.weigh_yourself import weigh_panel
from kg.publish.graphics.card import PNG, CampMark, Card, can_draw, draw_card
from kg.publish.graphics.explorer import MOST_DRAWN, picture_of, place_picture, places_by_camp
from kg.publish.graphics.map import between, line_map
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    element,
    facts,
    folded,
    join_children,
    page_kind_line,
    record,
)
from kg.publish.markup.words import LIGHT, camp_shape, count_of, date, in_words, legible
from kg.publish.page import Alternate, Draft, Page
from kg.publish.page_builder import PageBuilder
from kg.publish.site_context import SiteContext
from kg.queries.relations.compare import LineScope

CLASHES = 6  # shown before the rest is folded
CAUTIONS = 6  # likewise
_CAMPS = (
    "What each side says, in the order of whoever wrote the line, with the heaviest objection to "
    "it. A bar that points left, in red, says that the notes hold more against a statement than "
    "for it."
)
_WEIGH = (
    "Leave out what you doubt, set the quality of evidence or the conventions, and see where the "
    "answer and the camps' views go. It is worked out on this page, and its address keeps what "
    "you chose."
)
_CLASHES = "Statements of this line that oppose each other, each with the reason it gives."
_SOURCES = (
    "What the line's own statements, and those that speak directly for or against them, rest on."
)
_PAST = "Changes of this line's note, from git, the latest first."
_CAUTIONS = "What the notes themselves say is not settled."


def line_pages(context: SiteContext) -> Iterator[Draft]:
    """A page for each inquiry line."""
    for line in context.corpus.lines.values():
        about = ("lines", line.id)
        yield Draft(context.addresses.of(line.id), partial(line_page, context, line), about)


def line_page(context: SiteContext, line: InquiryLine) -> Page:
    """One inquiry line's page."""
    url = context.addresses.of(line.id)
    builder = PageBuilder(context, url, line.id)
    scope = LineScope(context.corpus, line)
    _head(builder, scope)
    camps = "The two camps" if len(context.corpus.config.camps) == 2 else "The camps"
    builder.section("camps", camps, camps_of_line(builder, line), lead=_CAMPS)
    add_essay(builder, line)
    builder.section("turns", "What would change the answer", turning_points(builder, line))
    panel, weighed = weigh_panel(builder, line)
    builder.section("weigh", "Weigh it yourself", panel, lead=_WEIGH)
    builder.section("clashes", "Where they clash", _clashes(builder, scope), lead=_CLASHES)
    alternates = _graphs(builder, scope)
    builder.section("sources", "Sources", _sources(builder, scope), lead=_SOURCES)
    builder.section("cautions", "Cautions", _cautions(builder, scope), lead=_CAUTIONS)
    builder.section("next", "Where the inquiry goes on", next_lines(builder, line))
    builder.section("linked-from", "Linked from", backlinks(builder, line.id))
    builder.section("history", "History", note_history(builder, line.span.path), lead=_PAST)
    builder.section("record", "Record", _record(builder, line))
    day = line.updated or last_change(context, line.span.path) or line.reviewed or line.created
    builder.section(
        "cite", "Cite this", cite(context, url, line.id, line.title, day.year if day else None)
    )
    return builder.page(
        "line",
        line.title,
        line.standfirst or line.title,
        search_text=f"{line.standfirst}\n{line.essay}",
        facets={"kind": ("Inquiry line",), "topic": tuple(map(in_words, line.topics))},
        linked_data=line_data(context.corpus, line, scope.members),
        alternates=(
            *alternates,
            *weighed,
            *line_alternates(context, line),
            *_picture(context, line),
        ),
        aliases=line.aliases,
        updated=day,
    )


def _head(builder: PageBuilder, scope: LineScope) -> None:
    line, link_maker = scope.line, builder.link_maker
    standfirst = (
        element("p", builder.words(line.standfirst, line.span.path), class_="kg-standfirst")
        if line.standfirst
        else None
    )
    corpus = builder.context.corpus
    camps = [(camp.label, *placed(corpus, line, camp.id)) for camp in corpus.config.camps]
    old = sum(len(replaced) for _, _, replaced in camps)
    builder.add(
        page_kind_line("Inquiry line", *link_maker.topics(line.topics, builder.root)),
        element("h1", line.title),
        standfirst,
        line_verdict(builder, line),
        facts(
            f"placed by camp: {', '.join(f'{name} {len(held)}' for name, held, _ in camps)}",
            f"{old} superseded" if old else None,
            *size_words(builder, scope.near, scope.carried),
            f"reviewed {date(line.reviewed)}" if line.reviewed else None,
        ),
    )


# -- clashes -------------------------------------------------------------------------------


def _clashes(builder: PageBuilder, scope: LineScope) -> Html:
    """Pairs that oppose each other: contradictions first, then limits, then disputed steps."""
    corpus = scope.corpus
    found = pair_up(corpus, scope.clashes, scope.line.id)
    found.sort(key=lambda clash: clash.edges[0].relation is not Relation.CONTRADICTS)
    pairs = [clash for clash in found if clash.is_live(corpus)]
    replaced = [clash for clash in found if not clash.is_live(corpus)]
    steps = [
        element("li", undercut_row(builder, edge, step, whose=True), class_="kg-against")
        for edge in scope.disputed_steps
        if edge in undercuts_of(corpus, step := corpus.edge[edge.target])
    ]
    parts: list[Child] = [clash_list(builder, pairs[:CLASHES])] if pairs else []
    if rest := pairs[CLASHES:]:
        parts.append(folded(f"{len(rest)} more pairs", clash_list(builder, rest)))
    if steps:
        label = count_of(len(steps), "undercut step") + ": one statement denies that another bears"
        parts.append(folded(label, element("ul", *steps, class_="kg-tree")))
    if replaced:
        label = f"{count_of(len(replaced), 'pair')} with a superseded side, which counts nowhere"
        parts.append(folded(label, clash_list(builder, replaced)))
    return join_children(parts)


# -- graphs --------------------------------------------------------------------------------


def _graphs(builder: PageBuilder, scope: LineScope) -> tuple[Alternate, ...]:
    """The map of the argument, and the whole graph, evidence included, to explore."""
    context, line = builder.context, scope.line
    ids = scope.near[:MOST_DRAWN]
    if len(ids) < 2:
        return ()
    edges = between(context.corpus, ids)
    picture = picture_of(
        context,
        f"Graph of {line.title}",
        places_by_camp(ids, edges, _sides(context, line, ids)),
        edges,
        line.id,
        line.proposition or "",
    )
    explorer, graph = place_picture(picture, builder.url)
    builder.section(
        "map",
        "Map of the argument",
        line_map(context, line, scope.members, builder.root),
        explorer,
    )
    return (graph,)


def _sides(context: SiteContext, line: InquiryLine, ids: Sequence[str]) -> dict[str, int]:
    """-1 for the first camp, 1 for the others, 0 for what is weighed and for no camp."""
    first = context.corpus.config.camp_ids[:1]
    camps = {
        id: None if id == line.proposition else context.corpus.camp_of(id, line.id) for id in ids
    }
    return {id: 0 if camp is None else -1 if camp in first else 1 for id, camp in camps.items()}


def _picture(context: SiteContext, line: InquiryLine) -> tuple[Alternate, ...]:
    """What is shown with a link to this page elsewhere: the question, and the answer so far."""
    config = context.corpus.config
    if not (config.site.url and can_draw()):
        return ()
    found = context.strengths.verdict(line.id)
    colours = {camp.id: legible(camp.colour, LIGHT) for camp in config.camps}
    marks = tuple(
        CampMark(
            strength=view.strength, shape=camp_shape(config, view.camp), colour=colours[view.camp]
        )
        for view in (found.camps if found else ())
        if view.strength is not None and view.camp in colours
    )
    card = Card(
        site=config.site.name,
        title=line.title,
        word=found.word.capitalize() if found else "",
        strength=found.strength if found else None,
        marks=marks,
    )
    drawn = draw_card(card)
    return (Alternate(suffix=".png", media_type=PNG, content=drawn),) if drawn else ()


# -- the rest ------------------------------------------------------------------------------


def _sources(builder: PageBuilder, scope: LineScope) -> Html:
    """Sources of the line, with the statements that each carries."""
    carried: dict[str, list[Child]] = {
        key: [builder.statement(id) for id in ids] or ["the essay"]
        for key, ids in scope.carried.items()
    }
    return sources_table(builder, carried)


def _cautions(builder: PageBuilder, scope: LineScope) -> Html:
    """What the notes themselves say is not settled."""
    statements = scope.corpus.statements
    rows = [
        element(
            "li",
            builder.statement(id),
            element(
                "span",
                builder.words(statements[id].open, statements[id].span.path),
                class_="kg-reason",
            ),
        )
        for id in scope.near
        if statements[id].open
    ]
    if len(rows) <= CAUTIONS:
        return element("ul", *rows, class_="kg-plain") if rows else EMPTY
    more = folded(
        f"{len(rows) - CAUTIONS} more cautions", element("ul", *rows[CAUTIONS:], class_="kg-plain")
    )
    return join_children([element("ul", *rows[:CAUTIONS], class_="kg-plain"), more])


def _record(builder: PageBuilder, line: InquiryLine) -> Html:
    days = (("Written", line.created), ("Changed", line.updated), ("Reviewed", line.reviewed))
    return record(
        [
            *((name, date(day)) for name, day in days if day),
            ("Note", element("code", line.span.path)),
            ("Id", element("code", line.id)),
        ]
    )
