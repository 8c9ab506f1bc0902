"""The camps of a line beside each other, and what each says in short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.model import CampPlacement, Edge, InquiryLine
from kg.model.config import Camp
from kg.publish.components.argument import edges_against, edges_for, other_end
from kg.publish.components.evidence import evidence_count
from kg.publish.components.meter import standing_words
from kg.publish.context.site_context import PageBuilder
from kg.publish.markup.html import EMPTY, Child, Html, element
from kg.publish.markup.words import count_of

if TYPE_CHECKING:
    from kg.reasoning.answers.verdict_text import CampView, Verdict
    from kg.reasoning.report import Reason


def cases(sheet: PageBuilder, line: InquiryLine, found: Verdict) -> Html:
    """For each camp, where its reasons alone would put the answer and which weighs most."""
    rows = [_case(sheet, line, found, view) for view in found.camps]
    if not rows:
        return EMPTY
    label = element("p", "What weighs most for each camp", class_="kg-answer-label")
    return element("div", label, element("ul", *rows, class_="kg-plain"), class_="kg-cases")


def _case(sheet: PageBuilder, line: InquiryLine, found: Verdict, view: CampView) -> Html:
    alone: Child = (
        None
        if view.strength is None
        else [", its reasons alone: ", element("strong", f"{view.strength:.2f}")]
    )
    return element(
        "li",
        element("p", sheet.chips.camp(view.camp, sheet.root), alone, class_="kg-case-camp"),
        _weightiest(sheet, heaviest_reason(sheet, line, found, view)),
        class_=f"kg-case {sheet.chips.camp_class(view.camp)}",
    )


def heaviest_reason(
    sheet: PageBuilder, line: InquiryLine, found: Verdict, view: CampView
) -> Reason | None:
    """The reason that weighs most on a camp's side and is its own, or nobody's."""
    corpus = sheet.context.corpus
    own = [
        reason
        for reason in found.reasons
        if reason.share * view.side > 0
        and corpus.camp_of(reason.statement, line.id) in (view.camp, None)
    ]
    return max(own, key=lambda reason: abs(reason.share), default=None)


def _weightiest(sheet: PageBuilder, reason: Reason | None) -> Html:
    if reason is None:
        return element("p", "None of its reasons has any weight here so far.", class_="kg-none")
    edge = sheet.context.corpus.edge[reason.edge]
    return element(
        "p",
        sheet.statement(reason.statement),
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None,
    )


SHOWN = 4


def camps_of_line(sheet: PageBuilder, line: InquiryLine) -> Html:
    """A column per camp; nothing where the line places no statement."""
    if not line.placements:
        return EMPTY
    columns = [_camp(sheet, line, camp) for camp in sheet.context.corpus.config.camps]
    return element("div", *columns, class_="kg-camps")


def _camp(sheet: PageBuilder, line: InquiryLine, camp: Camp) -> Html:
    held = [place for place in line.placements if place.camp == camp.id]
    shown = [_card(sheet, place) for place in held[:SHOWN]]
    rest = [_card(sheet, place) for place in held[SHOWN:]]
    more = element(
        "details",
        element("summary", f"{count_of(len(rest), 'more statement')}"),
        element("ul", *rest, class_="kg-cards"),
        class_="kg-on-paper",
    )
    return element(
        "section",
        element(
            "h3",
            sheet.chips.camp(camp.id, sheet.root),
            element("span", count_of(len(held), "statement"), class_="kg-count"),
            id="camp-" + camp.id,
        ),
        element("ul", *shown, class_="kg-cards")
        if shown
        else element("p", "No statement of this line argues for this camp.", class_="kg-none"),
        more if rest else None,
        class_=f"kg-camp {sheet.chips.camp_class(camp.id)}",
        aria_labelledby="camp-" + camp.id,
    )


def _card(sheet: PageBuilder, place: CampPlacement) -> Html:
    corpus = sheet.context.corpus
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
            standing_words(sheet, place.statement),
            element("span", evidence_count(sheet, pro)),
            element("span", count_of(len(sources), "source")),
            class_="kg-small kg-sizes",
        ),
        _answers(sheet, place),
        class_="kg-card",
    )


def _answers(sheet: PageBuilder, place: CampPlacement) -> Html | None:
    """What is said against a statement, from whatever side."""
    scales = sheet.context.scales
    edges = sorted(
        edges_against(sheet.context.corpus, place.statement),
        key=lambda edge: -abs(scales.share(edge.id)),
    )
    if not edges:
        return element("p", "Nothing here answers it yet.", class_="kg-small kg-none")
    first, *rest = [_answer(sheet, edge, other_end(edge, place.statement)) for edge in edges]
    more = element(
        "details",
        element("summary", f"and {count_of(len(rest), 'more answer')}"),
        element("ul", *rest, class_="kg-answers"),
    )
    return element(
        "div",
        element("ul", first, class_="kg-answers"),
        more if rest else None,
        class_="kg-answered",
    )


def _answer(sheet: PageBuilder, edge: Edge, id: str) -> Html:
    label = element("span", "answered by ", class_="kg-label")
    reason = (
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None
    )
    return element("li", label, sheet.statement(id), reason)
