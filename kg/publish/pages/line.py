"""A page per inquiry line: the question, the essay, the camps side by side and where they clash."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import partial

from kg.corpus import Corpus
from kg.model import OPPOSING, CampPlacement, Edge, InquiryLine, Kind, Relation
from kg.model.config import Camp
from kg.publish.address import Addresses
from kg.publish.html import EMPTY, Child, Html, element, inside
from kg.publish.map import between, line_map
from kg.publish.page import Draft, Page, Twin
from kg.publish.pages.argue import edges_against, edges_for, other_end
from kg.publish.pages.essay import add_essay
from kg.publish.pages.evidence import backlinks, evidence_count, sources_table, table
from kg.publish.pages.meter import meter
from kg.publish.pages.sheet import Sheet, facts, kicker
from kg.publish.pages.statement import GRAPH, record
from kg.publish.pages.verdict import line_verdict, turning_points
from kg.publish.picture import MOST, picture_of, places_by_camp
from kg.publish.press import Press, press_for
from kg.publish.twins import cite, line_data, line_twins
from kg.publish.words import FORWARD, count, date

SHOWN = 4
CLASHES = 8


def line_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """A page for each inquiry line."""
    press = press_for(addresses)
    for line in corpus.lines.values():
        yield Draft(addresses.line(line.id), partial(line_page, press, line))


def line_page(press: Press, line: InquiryLine) -> Page:
    """One inquiry line's page."""
    url = press.addresses.line(line.id)
    sheet = Sheet(press, url, line.id)
    members = members_of(press.corpus, line)
    _head(sheet, line, members)
    sheet.section(
        "camps",
        "The two camps" if len(press.corpus.config.camps) == 2 else "The camps",
        _camps(sheet, line),
    )
    sheet.section("turns", "What would change the answer", turning_points(sheet, line))
    sheet.section(
        "clashes",
        "Where they clash",
        _clashes(sheet, members),
        lead="Each row is a contradiction between statements of this line, with the reason "
        "given for it.",
    )
    add_essay(sheet, line)
    twins = _graphs(sheet, line, members)
    sheet.section("sources", "Sources", sources_table(sheet, _carried(sheet, line, members)))
    sheet.section("cautions", "Cautions", _cautions(sheet, members))
    sheet.section("next", "Where the inquiry goes on", _next(sheet, line))
    sheet.section("linked-from", "Linked from", backlinks(sheet, line.id))
    sheet.section("record", "Record", _record(sheet, line))
    day = line.updated or line.reviewed or line.created
    sheet.section(
        "cite", "Cite this", cite(press, url, line.id, line.title, day.year if day else None)
    )
    return Page(
        url=url,
        kind="line",
        title=line.title,
        html=sheet.html("line"),
        toc=tuple(sheet.toc),
        description=line.standfirst or line.title,
        search_text=f"{line.standfirst}\n{line.essay}",
        facets={"kind": ("Inquiry line",), "topic": line.topics},
        linked_data=line_data(press.corpus, line, members),
        twins=(*twins, *line_twins(press, line)),
        aliases=line.aliases,
        updated=day,
    )


def members_of(corpus: Corpus, line: InquiryLine) -> list[str]:
    """Statements of a line: its proposition, its camps' own, then those its essay links to."""
    linked = [
        m.target for m in corpus.mentions if m.origin == line.id and m.target in corpus.statements
    ]
    asked = [line.proposition] if line.proposition else []
    return list(dict.fromkeys([*asked, *(place.statement for place in line.placements), *linked]))


def _head(sheet: Sheet, line: InquiryLine, members: list[str]) -> None:
    corpus = sheet.press.corpus
    sources = _carried(sheet, line, members)
    standfirst = (
        element("p", sheet.words(line.standfirst, line.span.path), class_="kg-standfirst")
        if line.standfirst
        else None
    )
    sheet.add(
        kicker("Inquiry line", *sheet.chips.topics(line.topics, sheet.root)),
        element("h1", line.title),
        standfirst,
        line_verdict(sheet, line),
        facts(
            count(len(members), "statement"),
            count(
                sum(corpus.statements[id].kind is Kind.EVIDENCE for id in behind(corpus, members)),
                "piece of evidence",
                "pieces of evidence",
            ),
            count(len(sources), "source"),
            f"reviewed {date(line.reviewed)}" if line.reviewed else None,
        ),
    )


def behind(corpus: Corpus, members: list[str]) -> list[str]:
    """Members, and the statements that speak directly for or against one of them."""
    near = [
        other_end(edge, id)
        for id in members
        for edge in (*edges_for(corpus, id), *edges_against(corpus, id))
    ]
    return list(dict.fromkeys([*members, *near]))


# -- camps ---------------------------------------------------------------------------------


def _camps(sheet: Sheet, line: InquiryLine) -> Html:
    if not line.placements:
        return EMPTY
    return element(
        "div",
        *[_camp(sheet, line, camp) for camp in sheet.press.corpus.config.camps],
        class_="kg-camps",
    )


def _camp(sheet: Sheet, line: InquiryLine, camp: Camp) -> Html:
    held = [place for place in line.placements if place.camp == camp.id]
    shown = [_card(sheet, place) for place in held[:SHOWN]]
    rest = [_card(sheet, place) for place in held[SHOWN:]]
    more = element(
        "details",
        element("summary", f"{count(len(rest), 'more statement')}"),
        element("ul", *rest, class_="kg-cards"),
        class_="kg-more-cards",
    )
    return element(
        "section",
        element(
            "h3",
            sheet.chips.camp(camp.id, sheet.root),
            element("span", count(len(held), "statement"), class_="kg-count"),
            id="camp-" + camp.id,
        ),
        element("ul", *shown, class_="kg-cards")
        if shown
        else element("p", "No statement of this line argues for this camp.", class_="kg-none"),
        more if rest else None,
        class_=f"kg-camp {sheet.chips.camp_class(camp.id)}",
        aria_labelledby="camp-" + camp.id,
    )


def _card(sheet: Sheet, place: CampPlacement) -> Html:
    corpus = sheet.press.corpus
    pro = edges_for(corpus, place.statement)
    sources = {key for edge in pro for key in corpus.statements[edge.source].sources} | set(
        corpus.statements[place.statement].sources
    )
    return element(
        "li",
        element("p", sheet.statement(place.statement), class_="kg-card-title"),
        element("p", sheet.words(place.reason, place.span.path), class_="kg-reason-line")
        if place.reason
        else None,
        element(
            "p",
            meter(sheet, place.statement),
            f" {evidence_count(sheet, pro)} · {count(len(sources), 'source')}",
            class_="kg-small",
        ),
        _answers(sheet, place),
        class_="kg-card",
    )


def _answers(sheet: Sheet, place: CampPlacement) -> Html | None:
    """What is said against a statement, from whatever side."""
    scales = sheet.press.scales
    edges = sorted(
        edges_against(sheet.press.corpus, place.statement),
        key=lambda edge: -abs(scales.share(edge.id)),
    )
    if not edges:
        return element("p", "No answer recorded.", class_="kg-small kg-none")
    first, *rest = [_answer(sheet, edge, other_end(edge, place.statement)) for edge in edges]
    more = element(
        "details",
        element("summary", f"and {count(len(rest), 'more answer')}"),
        element("ul", *rest, class_="kg-answers"),
    )
    return element(
        "div",
        element("ul", first, class_="kg-answers"),
        more if rest else None,
        class_="kg-answered",
    )


def _answer(sheet: Sheet, edge: Edge, id: str) -> Html:
    label = element("span", "answered by ", class_="kg-label")
    reason = (
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None
    )
    return element("li", label, sheet.statement(id), reason)


# -- clashes -------------------------------------------------------------------------------


def _clashes(sheet: Sheet, members: list[str]) -> Html:
    found = clashes(sheet.press.corpus, members)
    direct = [_clash(sheet, edge) for edge in found if edge.relation is Relation.CONTRADICTS]
    limits = [_clash(sheet, edge) for edge in found if edge.relation is not Relation.CONTRADICTS]
    head = ("Statement", "Relation", "Other statement", "Why")
    open_table = table(head, direct[:CLASHES], "Contradictions within this line", "kg-clashes")
    later = [*direct[CLASHES:], *limits]
    if not later:
        return open_table
    more = table(head, later, "More contradictions, limits and disputed steps", "kg-clashes")
    return inside(
        (
            open_table,
            element(
                "details",
                element("summary", f"{len(later)} more: contradictions, limits and disputed steps"),
                more,
            ),
        )
    )


def clashes(corpus: Corpus, members: list[str]) -> list[Edge]:
    """Oppositions between members of a line, in reading order."""
    inside = set(members)
    return [
        edge
        for edge in corpus.edges
        if edge.relation in OPPOSING
        and edge.source in inside
        and (edge.target in inside or _step(corpus, edge, inside))
    ]


def _step(corpus: Corpus, edge: Edge, inside: set[str]) -> bool:
    step = corpus.edge.get(edge.target)
    return step is not None and step.target in inside


def _clash(sheet: Sheet, edge: Edge) -> list[Child]:
    corpus = sheet.press.corpus
    word = element("span", FORWARD[edge.relation], class_=f"kg-rel kg-rel-{edge.relation}")
    if edge.relation is Relation.UNDERCUTS and edge.target in corpus.edge:
        step = corpus.edge[edge.target]
        end = sheet.statement(step.target) if step.target in corpus.statements else "another step"
        against: Child = ["the step from ", sheet.statement(step.source), " to ", end]
    else:
        against = sheet.statement(edge.target)
    return [
        element("th", sheet.statement(edge.source), scope="row"),
        word,
        against,
        sheet.words(edge.reason, edge.span.path) or "–",
    ]


# -- graphs --------------------------------------------------------------------------------


def _graphs(sheet: Sheet, line: InquiryLine, members: list[str]) -> tuple[Twin, ...]:
    """The map of the argument, and the whole graph, evidence included, to explore."""
    press = sheet.press
    ids = behind(press.corpus, members)[:MOST]
    if len(ids) < 2:
        return ()
    edges = between(press.corpus, ids)
    picture = picture_of(
        press,
        f"Graph of {line.title}",
        places_by_camp(ids, edges, _sides(press, line, ids)),
        edges,
        line.id,
        line.proposition or "",
    )
    script = posixpath.basename(sheet.url).removesuffix(".html") + GRAPH
    sheet.section(
        "map",
        "Map of the argument",
        line_map(press, line, members, sheet.root),
        picture.render_html(script),
    )
    return (Twin(suffix=GRAPH, media_type="text/javascript", content=picture.render_script()),)


def _sides(press: Press, line: InquiryLine, ids: list[str]) -> dict[str, int]:
    """-1 for the first camp, 1 for the others, 0 for what is weighed and for no camp."""
    first = press.corpus.config.camp_ids[:1]
    camps = {
        id: None if id == line.proposition else press.corpus.camp_of(id, line.id) for id in ids
    }
    return {id: 0 if camp is None else -1 if camp in first else 1 for id, camp in camps.items()}


# -- the rest ------------------------------------------------------------------------------


def _carried(sheet: Sheet, line: InquiryLine, members: list[str]) -> dict[str, list[Child]]:
    """Sources of the line, with the statements that each carries."""
    corpus = sheet.press.corpus
    carried: dict[str, list[Child]] = {}
    for id in behind(corpus, members):
        for key in corpus.statements[id].sources:
            carried.setdefault(key, []).append(sheet.statement(id))
    for citation in line.citations:
        carried.setdefault(citation.key, [])
    return {key: what or ["the essay"] for key, what in carried.items()}


def _cautions(sheet: Sheet, members: list[str]) -> Html:
    """What the notes themselves say is not settled."""
    corpus = sheet.press.corpus
    rows = [
        element(
            "li",
            sheet.statement(id),
            element(
                "span",
                sheet.words(corpus.statements[id].open, corpus.statements[id].span.path),
                class_="kg-reason",
            ),
        )
        for id in behind(corpus, members)
        if corpus.statements[id].open
    ]
    return element("ul", *rows, class_="kg-plain") if rows else EMPTY


def _next(sheet: Sheet, line: InquiryLine) -> Html:
    rows: list[Child] = []
    for step in line.next:
        if step.target is not None:
            words = (
                element("span", sheet.words(step.reason, step.span.path), class_="kg-reason")
                if step.reason
                else None
            )
            rows.append(element("li", sheet.any(step.target), words))
        else:
            rows.append(element("li", sheet.words(step.question, step.span.path)))
    return element("ul", *rows, class_="kg-plain kg-next") if rows else EMPTY


def _record(sheet: Sheet, line: InquiryLine) -> Html:
    days = (("Written", line.created), ("Changed", line.updated), ("Reviewed", line.reviewed))
    return record(
        [
            *((name, date(day)) for name, day in days if day),
            ("Note", element("code", line.span.path)),
            ("Id", element("code", line.id)),
        ]
    )
