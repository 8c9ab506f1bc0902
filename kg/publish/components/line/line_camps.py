"""The camps of a line beside each other: what it places in each, and which are not heard."""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus import Corpus
from kg.corpus.same_and_superseded import superseded_statements
from kg.model import CampId, CampPlacement, InquiryLine, StatementId
from kg.model.settings.config import Camp
from kg.publish.components.reasons import reason_of
from kg.publish.components.statement_lists import notices_of_statement
from kg.publish.markup.html import EMPTY, Html, collapsible_on_screen, element, item_list, remark
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reasons.camp_views import CampView
from kg.text.plurals import count_of, join_with_and

_NONE_OF_CAMP = element("p", "No statement here argues for this camp.", class_="kg-none")


def view_of_camp(verdict: Verdict, camp: CampId) -> CampView | None:
    """Return a line's answer if only one camp were heard; None if the camp has no statement."""
    return next((view for view in verdict.camps if view.camp == camp), None)


def unheard_camps(
    corpus: Corpus, line: InquiryLine, heard_camps: Sequence[CampId | None]
) -> list[CampId]:
    """The camps with statements in a line that are not among those heard."""
    superseded_ids = superseded_statements(corpus)
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
        strength = builder.standing(placement.statement).strength
        return strength is not None, strength or 0.0

    return max(current, key=backing).statement


def camps_of_line(builder: PageBuilder, line: InquiryLine) -> Html:
    """A column per camp with what the line places there; nothing if it places no statement."""
    if not line.placements:
        return EMPTY
    columns = [_camp_section(builder, line, camp) for camp in builder.context.corpus.config.camps]
    return element("div", *columns, class_="kg-camps")


def _camp_section(builder: PageBuilder, line: InquiryLine, camp: Camp) -> Html:
    current, superseded = placements_in_camp(builder.context.corpus, line, camp.id)
    rows = [
        (
            builder.statement(each.statement),
            reason_of(builder, each),
            _note_on_other_questions(builder, each),
        )
        for each in current
    ]
    heading = element(
        "h3",
        builder.link_maker.camp(camp.id, builder.root),
        element("span", count_of(len(current), "statement"), class_="kg-count"),
        id="camp-" + camp.id,
    )
    return element(
        "section",
        heading,
        item_list(rows) or _NONE_OF_CAMP,
        superseded_list(builder, superseded),
        class_=f"kg-camp {builder.link_maker.camp_class(camp.id)}",
        aria_labelledby="camp-" + camp.id,
    )


def _note_on_other_questions(builder: PageBuilder, placement: CampPlacement) -> Html | None:
    """`Sceptic on other questions.`: the other camps that a statement argues for elsewhere."""
    corpus = builder.context.corpus
    placements = corpus.placements_of.get(placement.statement, ())
    camps = {each.camp: None for each in placements} | {corpus.camp_of(placement.statement): None}
    labels = [
        builder.link_maker.camp_label(camp) for camp in camps if camp not in (None, placement.camp)
    ]
    return remark(f"{join_with_and(labels)} on other questions.") if labels else None


def placements_in_camp(
    corpus: Corpus, line: InquiryLine, camp: str
) -> tuple[list[CampPlacement], list[CampPlacement]]:
    """The placements of a line in a camp: those that count, and the superseded ones."""
    placements = [placement for placement in line.placements if placement.camp == camp]
    superseded_ids = superseded_statements(corpus)
    superseded = [placement for placement in placements if placement.statement in superseded_ids]
    return [placement for placement in placements if placement not in superseded], superseded


def superseded_list(builder: PageBuilder, placements: Sequence[CampPlacement]) -> Html | None:
    """The superseded statements that a line places, folded."""
    if not placements:
        return None
    rows = [
        (builder.statement(each.statement), notices_of_statement(builder, each.statement))
        for each in placements
    ]
    return collapsible_on_screen(count_of(len(rows), "superseded statement"), item_list(rows))
