"""A page per statement: what it says, what speaks for and against it, where it is used."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from functools import partial

from kg.model import Edge, Kind, Statement, Status
from kg.publish.components.alternates import cite, statement_alternates, statement_data
from kg.publish.components.argument import (
    Sides,
    by_weight,
    effects_on_others,
    others,
    sides_of,
    tree,
)
from kg.publish.components.essay import last_change, note_history
from kg.publish.components.evidence import (
    backlinks,
    evidence_table,
    figures_of,
    sample,
    sources_table,
    table,
)
from kg.publish.components.meter import standing_line
from kg.publish.context.site_context import PageBuilder, SiteContext, facts, page_kind_line
from kg.publish.graphics.explorer import picture_of, places_around
from kg.publish.graphics.map import between, find_around, statement_map
from kg.publish.markup.html import EMPTY, Child, Html, element, escape, join_children
from kg.publish.markup.words import KINDS, SEEN, count_of, date, in_words, method_name, shared
from kg.publish.page import Alternate, Draft, Page

NEAR = 30
SOURCES = 3
GRAPH = ".graph.js"


def statement_pages(context: SiteContext) -> Iterator[Draft]:
    """A page for each claim, counter-claim and piece of evidence."""
    for statement in context.corpus.statements.values():
        url = context.addresses.statement(statement.id)
        about = ("statements", statement.id)
        yield Draft(url, partial(statement_page, context, statement), about)


def statement_page(context: SiteContext, statement: Statement) -> Page:
    """One statement's page."""
    statement = context.whole[statement.id]
    url = context.addresses.statement(statement.id)
    sheet = PageBuilder(context, url)
    sides = sides_of(context.corpus, statement.id)
    _head(sheet, statement, sides)
    _arguments(sheet, statement, sides)
    _evidence(sheet, statement, sides)
    _places(sheet, statement)
    twins = _graphs(sheet, statement)
    sheet.section("linked-from", "Linked from", backlinks(sheet, statement.id))
    sheet.section(
        "history", "History", note_history(sheet, statement.span.path), lead=_past_of(statement)
    )
    sheet.section("record", "Record", _record(sheet, statement))
    year = statement.updated or statement.created or statement.reviewed
    sheet.section(
        "cite",
        "Cite this",
        cite(context, url, statement.id, statement.title, year.year if year else None),
    )
    return Page(
        url=url,
        kind="statement",
        title=statement.title,
        html=sheet.html("statement"),
        toc=tuple(sheet.toc),
        description=_description(statement, sides),
        search_text=f"{statement.body}\n{statement.open}".strip(),
        facets=facets(context, statement),
        linked_data=statement_data(context.corpus, statement),
        twins=(*twins, *statement_alternates(context, statement)),
        aliases=statement.aliases,
        updated=statement.updated or last_change(context, statement.span.path) or statement.created,
    )


def _past_of(statement: Statement) -> str:
    whole = "the note that holds it" if statement.parent else "its note"
    return f"Changes of {whole}, from git, the latest first."


def facets(context: SiteContext, statement: Statement) -> dict[str, tuple[str, ...]]:
    """What search may narrow a statement down by."""
    camp = context.corpus.camp_of(statement.id)
    return {
        "kind": (KINDS[statement.kind],),
        "camp": (context.chips.camp_label(camp),) if camp else (),
        "topic": tuple(map(in_words, statement.topics)),
    }


def _description(statement: Statement, sides: Sides) -> str:
    return (
        f"{KINDS[statement.kind]}: {statement.title} {count_of(len(sides.pro), 'reason')} for, "
        f"{len(sides.con) or 'none'} against."
    )


def _head(sheet: PageBuilder, statement: Statement, sides: Sides) -> None:
    corpus, chips = sheet.context.corpus, sheet.chips
    camp = corpus.camp_of(statement.id)
    status = statement.status.capitalize() if statement.status is not Status.STABLE else None
    sheet.add(
        page_kind_line(
            KINDS[statement.kind], chips.camp(camp, sheet.root) if camp else None, status
        ),
        element("h1", statement.title),
        standing_line(sheet, statement.id),
        _lead(sheet, statement, sides),
        element(
            "div",
            sheet.prose(statement.body, statement.span.path, deeper=0, listed=True),
            class_="kg-body",
        )
        if statement.body
        else None,
        _around(sheet, statement),
        _open_question(sheet, statement),
    )


def _lead(sheet: PageBuilder, statement: Statement, sides: Sides) -> Html:
    places = sheet.context.corpus.placements_of.get(statement.id, ())
    lines = len({place.line for place in places})
    if statement.kind is Kind.EVIDENCE:
        return facts(
            method_name(statement, "Method not recorded"),
            f"n = {sample(statement)}" if statement.sample is not None else None,
            figures_of(statement) or None,
            sheet.chips.sources(statement.sources, sheet.root),
            f"Seen {SEEN[statement.seen_in]}" if statement.seen_in else None,
        )
    return facts(
        _down(f"{count_of(len(sides.pro), 'reason')} for", "for", sides.pro),
        _down(f"{len(sides.con) or 'none'} against", "against", sides.con),
        _direct_evidence(sheet, sides.both),
        f"in {count_of(lines, 'inquiry line')}" if lines else None,
        ["cites ", sheet.chips.sources(statement.sources, sheet.root)]
        if statement.sources
        else None,
    )


def _down(words: str, side: str, edges: list[Edge]) -> Child:
    """A way down to the reasons of one side, where there are some."""
    return element("a", words, href=f"#{side}") if edges else words


def _direct_evidence(sheet: PageBuilder, edges: list[Edge]) -> list[Child] | None:
    """How many pieces of evidence speak for or against a claim directly, and whose."""
    statements = sheet.context.corpus.statements
    found = [statements[e.source] for e in edges if statements[e.source].kind is Kind.EVIDENCE]
    if not found:
        return None
    keys = list(dict.fromkeys(key for evidence in found for key in evidence.sources))
    more = f" and {len(keys) - SOURCES} more sources" if len(keys) > SOURCES else ""
    whose = [", ", sheet.chips.sources(keys[:SOURCES], sheet.root), more] if keys else []
    return [count_of(len(found), "piece of evidence", "pieces of evidence"), *whose]


def _around(sheet: PageBuilder, statement: Statement) -> Html | None:
    """For a statement inside another's note: whose, unless "What it bears on" says so."""
    corpus, parent = sheet.context.corpus, statement.parent
    bears = any(edge.target == parent for edge in corpus.edges_from.get(statement.id, ()))
    if parent is None or parent not in corpus.statements or bears:
        return None
    return element("p", "Stands in the note of ", sheet.statement(parent), class_="kg-around")


def _open_question(sheet: PageBuilder, statement: Statement) -> Html | None:
    if not statement.open:
        return None
    return element(
        "p",
        element("strong", "Not settled here: "),
        sheet.words(statement.open, statement.span.path),
        class_="kg-caution",
    )


def _arguments(sheet: PageBuilder, statement: Statement, sides: Sides) -> None:
    """For and against beside each other, then what the statement itself does to others."""
    pro, con = by_weight(sheet, sides.pro), by_weight(sheet, sides.con)
    if pro or con or statement.kind is not Kind.EVIDENCE:
        sheet.section(
            "for-and-against",
            "For and against",
            element(
                "div",
                _side(sheet, "For", pro, statement),
                _side(sheet, "Against", con, statement),
                class_="kg-sides",
            ),
        )
    sheet.section("bears-on", "What it bears on", effects_on_others(sheet, statement.id), level=2)
    rest = list(others(sheet, statement.id))
    sheet.section(
        "other-links", "What hangs on it", element("ul", *rest, class_="kg-tree") if rest else EMPTY
    )


def _side(sheet: PageBuilder, title: str, edges: list[Edge], statement: Statement) -> Html:
    side = title.lower()
    body = tree(sheet, edges, statement.id) or element(
        "p", f"Nothing recorded {side} it yet.", class_="kg-none"
    )
    size = f'<span class="kg-count"> {len(edges)}</span>'
    head = f'<h3 id="{side}">{title}{size}</h3>'
    return Html(f'<div class="kg-side-column kg-column-{side}">{head}' + body + "</div>")


def _evidence(sheet: PageBuilder, statement: Statement, sides: Sides) -> None:
    corpus, edges = sheet.context.corpus, sides.both
    sheet.section("evidence", "Evidence", evidence_table(sheet, edges))
    carried: dict[str, list[Child]] = {}
    for key in statement.sources:
        carried.setdefault(key, []).append("this statement")
    for edge in edges:
        other = corpus.statements[edge.source if edge.target == statement.id else edge.target]
        if other.kind is Kind.EVIDENCE:
            for key in other.sources:
                carried.setdefault(key, []).append(sheet.statement(other.id))
    sheet.section("sources", "Sources", sources_table(sheet, carried))


def _places(sheet: PageBuilder, statement: Statement) -> None:
    corpus = sheet.context.corpus
    rows = [
        [
            element("th", sheet.chips.line(place.line, sheet.root), scope="row"),
            sheet.chips.camp(place.camp, sheet.root),
            sheet.words(place.reason, place.span.path) or "–",
        ]
        for place in corpus.placements_of.get(statement.id, ())
    ]
    weighed = [
        element("p", "Weighed in ", sheet.chips.line(id, sheet.root))
        for id in sheet.context.asked_in.get(statement.id, ())
    ]
    sheet.section(
        "camps",
        "In inquiry lines",
        weighed,
        table(("Inquiry line", "Argues for", "Why"), rows, "Camps per inquiry line"),
    )


def _graphs(sheet: PageBuilder, statement: Statement) -> tuple[Alternate, ...]:
    """The map of what stands around a statement, and where it shows less, the graph to explore."""
    context = sheet.context
    around = find_around(context.corpus, statement.id)
    if not around:
        return ()
    drawn = statement_map(context, statement, around, sheet.root)
    if around.size == 1:
        sheet.section("map", "Map", drawn)
        return ()
    near = around.cut(NEAR, NEAR)
    places = places_around(statement.id, near.pro, near.con, near.above)
    picture = picture_of(
        context,
        f"What stands around: {statement.title}",
        places,
        between(context.corpus, list(places)),
        focus=statement.id,
    )
    script = posixpath.basename(sheet.url).removesuffix(".html") + GRAPH
    sheet.section("map", "Map", drawn, picture.generate_html(script))
    return (Alternate(suffix=GRAPH, media_type="text/javascript", content=picture.render_script()),)


def _record(sheet: PageBuilder, statement: Statement) -> Html:
    """The note's own bookkeeping."""
    rows: list[tuple[str, Child]] = [
        ("Asserted by", ", ".join(statement.asserted_by)),
        ("Stance", "reported, not held by the note" if statement.reported else ""),
        ("Topics", Html(" ".join(sheet.chips.topics(statement.topics, sheet.root)))),
        ("About", Html(" ".join([sheet.chips.about(n, sheet.root) for n in statement.about]))),
        ("Method", method_name(statement, "")),
        ("Sample", sample(statement) if statement.sample is not None else ""),
        ("Sample of", statement.sample_class.value if statement.sample_class else ""),
        ("Effect", statement.effect_text),
        ("p", statement.p_text),
        ("Replications", _number(statement.replications)),
        ("Failed replications", _number(statement.failed_replications)),
        ("Preregistered", _yes(statement.preregistered)),
        ("Peer reviewed", _yes(statement.peer_reviewed)),
        ("Concerns", "; ".join(statement.concerns)),
        ("Not independent of others with", in_groups(sheet, statement.independence)),
        ("Written", date(statement.created) if statement.created else ""),
        ("Changed", date(statement.updated) if statement.updated else ""),
        ("Reviewed", date(statement.reviewed) if statement.reviewed else ""),
        ("Note", element("code", f"{statement.span.path}:{statement.span.line}")),
        ("Id", element("code", statement.id)),
    ]
    return record(rows)


def in_groups(sheet: PageBuilder, names: Iterable[str]) -> str:
    """What something shares with others, which therefore count together with it."""
    return "; ".join([shared(name, sheet.context.corpus.sources) for name in names])


def record(rows: list[tuple[str, Child]]) -> Html:
    """Names and values, those without a value left out."""
    pairs = [
        f"<div><dt>{escape(name)}</dt><dd>{join_children((value,))!s}</dd></div>"
        for name, value in rows
        if value
    ]
    return Html(f'<dl class="kg-record">{"".join(pairs)}</dl>')


def _number(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _yes(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"
