"""What each camp says on a line, short enough to stand beside the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.model import InquiryLine
from kg.publish.html import EMPTY, Child, Html, element
from kg.publish.pages.sheet import Sheet

if TYPE_CHECKING:
    from kg.reasoning.answer import Reason
    from kg.reasoning.verdict import CampView, Verdict


def cases(sheet: Sheet, line: InquiryLine, found: Verdict) -> Html:
    """For each camp, where its reasons alone would put the answer and which weighs most."""
    rows = [_case(sheet, line, found, view) for view in found.camps]
    if not rows:
        return EMPTY
    label = element("p", "What weighs most for each camp", class_="kg-answer-label")
    return element("div", label, element("ul", *rows, class_="kg-plain"), class_="kg-cases")


def _case(sheet: Sheet, line: InquiryLine, found: Verdict, view: CampView) -> Html:
    alone: Child = (
        None
        if view.strength is None
        else [", its reasons alone: ", element("strong", f"{view.strength:.2f}")]
    )
    return element(
        "li",
        element("p", sheet.chips.camp(view.camp, sheet.root), alone, class_="kg-case-camp"),
        _weightiest(sheet, heaviest(sheet, line, found, view)),
        class_=f"kg-case {sheet.chips.camp_class(view.camp)}",
    )


def heaviest(sheet: Sheet, line: InquiryLine, found: Verdict, view: CampView) -> Reason | None:
    """The reason that weighs most on a camp's side and is its own, or nobody's."""
    corpus = sheet.press.corpus
    own = [
        reason
        for reason in found.reasons
        if reason.share * view.side > 0
        and corpus.camp_of(reason.statement, line.id) in (view.camp, None)
    ]
    return max(own, key=lambda reason: abs(reason.share), default=None)


def _weightiest(sheet: Sheet, reason: Reason | None) -> Html:
    if reason is None:
        return element("p", "None of its reasons has any weight here so far.", class_="kg-none")
    edge = sheet.press.corpus.edge[reason.edge]
    return element(
        "p",
        sheet.statement(reason.statement),
        element("span", sheet.words(edge.reason, edge.span.path), class_="kg-reason")
        if edge.reason
        else None,
    )
