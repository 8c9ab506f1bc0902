"""The camps of an inquiry line beside each other, every statement with what answers it."""

from __future__ import annotations

from kg.model import CampPlacement, Edge, InquiryLine
from kg.model.config import Camp
from kg.publish.html import EMPTY, Html, element
from kg.publish.pages.argue import edges_against, edges_for, other_end
from kg.publish.pages.evidence import evidence_count
from kg.publish.pages.meter import standing_words
from kg.publish.pages.sheet import Sheet
from kg.publish.words import count

SHOWN = 4


def camps_of_line(sheet: Sheet, line: InquiryLine) -> Html:
    """A column per camp; nothing where the line places no statement."""
    if not line.placements:
        return EMPTY
    columns = [_camp(sheet, line, camp) for camp in sheet.press.corpus.config.camps]
    return element("div", *columns, class_="kg-camps")


def _camp(sheet: Sheet, line: InquiryLine, camp: Camp) -> Html:
    held = [place for place in line.placements if place.camp == camp.id]
    shown = [_card(sheet, place) for place in held[:SHOWN]]
    rest = [_card(sheet, place) for place in held[SHOWN:]]
    more = element(
        "details",
        element("summary", f"{count(len(rest), 'more statement')}"),
        element("ul", *rest, class_="kg-cards"),
        class_="kg-on-paper",
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
            standing_words(sheet, place.statement),
            element("span", evidence_count(sheet, pro)),
            element("span", count(len(sources), "source")),
            class_="kg-small kg-sizes",
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
        return element("p", "Nothing here answers it yet.", class_="kg-small kg-none")
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
