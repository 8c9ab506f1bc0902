"""The camps of an inquiry line side by side, each with its view in short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side, statements_by_source
from kg.corpus.same_and_superseded import superseded_statements
from kg.model import CampId, CampPlacement, InquiryLine, StatementId
from kg.model.config import Camp
from kg.publish.components.evidence import size_words
from kg.publish.components.reasons import reason_of, sort_by_weight
from kg.publish.components.statement_lists import notices_of_statement
from kg.publish.components.strength_bar import standing_words
from kg.publish.markup.html import EMPTY, Html, collapsible, element, join_children
from kg.publish.markup.phrases import count_of
from kg.publish.page_builder import PageBuilder

if TYPE_CHECKING:
    from kg.reasoning.answers.verdict import Verdict
    from kg.reasoning.attribution.bill import Reason
    from kg.reasoning.attribution.camp_views import CampView


def view_of_camp(verdict: Verdict, camp: CampId) -> CampView | None:
    """What a line's answer would be if only one camp were heard; None if it has no statement."""
    return next((view for view in verdict.camps if view.camp == camp), None)


def heaviest_reason(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, view: CampView
) -> Reason | None:
    """The heaviest reason on a camp's side that belongs to this camp or to none."""
    corpus = builder.context.corpus
    own_reasons = [
        reason
        for reason in verdict.reasons
        if reason.share * view.side > 0
        and corpus.camp_of(reason.statement, line.id) in (view.camp, None)
    ]
    return max(own_reasons, key=lambda reason: abs(reason.share), default=None)


def heaviest_on_side(verdict: Verdict, side: int) -> Reason | None:
    """The heaviest reason on a side (1 or -1)."""
    on_side = [reason for reason in verdict.reasons if reason.share * side > 0]
    return max(on_side, key=lambda reason: abs(reason.share), default=None)


def heaviest_of_camp(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, camp: CampId
) -> Reason | None:
    """The heaviest reason of a camp; one against the answer comes first, if the camp has any."""
    corpus, side = builder.context.corpus, verdict.side or 1
    own_reasons = [
        reason
        for reason in verdict.reasons
        if reason.share and corpus.camp_of(reason.statement, line.id) == camp
    ]
    return max(
        own_reasons, key=lambda reason: (reason.share * side < 0, abs(reason.share)), default=None
    )


def unheard_camps(
    corpus: Corpus, line: InquiryLine, heard_camps: Sequence[CampId | None]
) -> list[CampId]:
    """The camps with statements in a line that are not among those heard."""
    superseded_ids = corpus.derive(superseded_statements)
    placed_camps = {
        placement.camp for placement in line.placements if placement.statement not in superseded_ids
    }
    return [
        camp for camp in corpus.config.camp_ids if camp in placed_camps and camp not in heard_camps
    ]


def best_backed(builder: PageBuilder, line: InquiryLine, camp: CampId) -> StatementId:
    """The best-backed of the statements that a line places in a camp."""
    current, _ = placements_in_camp(builder.context.corpus, line, camp)

    def backing(placement: CampPlacement) -> tuple[bool, float]:
        strength = builder.context.strengths.of(placement.statement).strength
        return strength is not None, strength or 0.0

    return max(current, key=backing).statement


CARDS_SHOWN = 4  # cards of a camp; the rest is folded


def camps_of_line(builder: PageBuilder, line: InquiryLine) -> Html:
    """A column per camp; nothing if the line places no statement."""
    if not line.placements:
        return EMPTY
    columns = [_camp_section(builder, line, camp) for camp in builder.context.corpus.config.camps]
    return element("div", *columns, class_="kg-camps")


def _camp_section(builder: PageBuilder, line: InquiryLine, camp: Camp) -> Html:
    current, superseded = placements_in_camp(builder.context.corpus, line, camp.id)
    cards = [_card_of_placement(builder, placement) for placement in current[:CARDS_SHOWN]]
    rest = [_card_of_placement(builder, placement) for placement in current[CARDS_SHOWN:]]
    folded_rest = collapsible(
        count_of(len(rest), "more statement"),
        element("ul", *rest, class_="kg-cards"),
        class_="kg-on-paper",
    )
    return element(
        "section",
        element(
            "h3",
            builder.link_maker.camp(camp.id, builder.root),
            element("span", count_of(len(current), "statement"), class_="kg-count"),
            id="camp-" + camp.id,
        ),
        element("ul", *cards, class_="kg-cards")
        if cards
        else element("p", "No statement of this line argues for this camp.", class_="kg-none"),
        folded_rest if rest else None,
        superseded_list(builder, superseded),
        class_=f"kg-camp {builder.link_maker.camp_class(camp.id)}",
        aria_labelledby="camp-" + camp.id,
    )


def placements_in_camp(
    corpus: Corpus, line: InquiryLine, camp: str
) -> tuple[list[CampPlacement], list[CampPlacement]]:
    """The placements of a line in a camp: those that count, and the superseded ones."""
    placements = [placement for placement in line.placements if placement.camp == camp]
    superseded_ids = corpus.derive(superseded_statements)
    superseded = [placement for placement in placements if placement.statement in superseded_ids]
    return [placement for placement in placements if placement not in superseded], superseded


def superseded_list(builder: PageBuilder, placements: Sequence[CampPlacement]) -> Html | None:
    """The superseded statements that a line places, folded."""
    if not placements:
        return None
    rows = [
        element(
            "li",
            builder.statement(placement.statement),
            *notices_of_statement(builder, placement.statement),
        )
        for placement in placements
    ]
    return collapsible(
        count_of(len(rows), "superseded statement"),
        element("ul", *rows, class_="kg-plain"),
        class_="kg-on-paper",
    )


def _card_of_placement(builder: PageBuilder, placement: CampPlacement) -> Html:
    corpus = builder.context.corpus
    neighbour_ids = [reason.source for reason in reasons_by_side(corpus, placement.statement).both]
    sizes = size_words(builder, neighbour_ids, statements_by_source(corpus, placement.statement))
    return element(
        "li",
        element("p", builder.statement(placement.statement), class_="kg-card-title"),
        element(
            "p", builder.inline_html(placement.reason, placement.span.path), class_="kg-reason-line"
        )
        if placement.reason
        else None,
        element(
            "p",
            standing_words(builder, placement.statement),
            *[element("span", size) for size in sizes],
            class_="kg-small kg-sizes",
        ),
        _objections_to_placement(builder, placement),
        class_="kg-card",
    )


def _objections_to_placement(builder: PageBuilder, placement: CampPlacement) -> Html | None:
    """The objections to a statement from any camp, the heaviest first."""
    corpus, id = builder.context.corpus, placement.statement
    notice_items = [
        element("div", notice, class_="kg-small") for notice in notices_of_statement(builder, id)
    ]
    objections = sort_by_weight(builder, reasons_by_side(corpus, id).con)
    if not objections and notice_items:
        return join_children(notice_items)
    if not objections:
        return element("p", "Nothing here answers it yet.", class_="kg-small kg-none")
    strongest, *others = objections
    label = element("span", "strongest objection: ", class_="kg-label")
    strongest_parts = builder.statement(strongest.source), reason_of(builder, strongest.edge)
    href = f"{builder.root}{builder.context.addresses.of(id)}#against"
    link_to_others = element(
        "a", count_of(len(others), "more objection"), href=href, class_="kg-small"
    )
    return element(
        "div",
        element("ul", element("li", label, *strongest_parts), class_="kg-answers"),
        link_to_others if others else None,
        *notice_items,
        class_="kg-answered",
    )
