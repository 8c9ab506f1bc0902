"""The camps of an inquiry line, the best reason of each side and camp, and the best reply to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import contradicting_claims, reasons_by_side, undercuts_of
from kg.corpus.same_and_superseded import superseded_statements
from kg.model import CampId, CampPlacement, Edge, EdgeId, InquiryLine, Kind, StatementId
from kg.model.settings.config import Camp
from kg.publish.components.reasons import nats_of, reason_of, sort_by_weight
from kg.publish.components.statement_lists import notices_of_statement
from kg.publish.components.turning_points import LEAST_MOVE_SHOWN, TINY
from kg.publish.markup.html import EMPTY, Html, element, fold, item_list, remark
from kg.publish.markup.phrases import HEARD
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.independence import SourceEffect
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reasons.camp_views import CampView
from kg.reasoning.reasons.direct_reasons import Reason
from kg.text.plurals import count_of, join_with_and

_NONE_OF_CAMP = element("p", "No statement here argues for this camp.", class_="kg-none")
MAX_LINKS_OF_SPECIFIC = 10


def view_of_camp(verdict: Verdict, camp: CampId) -> CampView | None:
    """What a line's answer would be if only one camp were heard; None if it has no statement."""
    return next((view for view in verdict.camps if view.camp == camp), None)


def heaviest_reason(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, view: CampView
) -> Reason | None:
    """The heaviest reason on a camp's side, of this camp or of none; a plain denial only if no
    other has weight.
    """
    corpus = builder.context.corpus
    own_reasons = [
        reason
        for reason in sort_reasons(verdict, view.side)
        if corpus.camp_of(reason.statement, line.id) in (view.camp, None)
    ]
    return _best_of(corpus, verdict, own_reasons)


def best_on_side(corpus: Corpus, verdict: Verdict, side: int) -> Reason | None:
    """The heaviest reason on a side (1 or -1), but no plain denial if another has weight."""
    return _best_of(corpus, verdict, sort_reasons(verdict, side))


def _best_of(corpus: Corpus, verdict: Verdict, reasons: Sequence[Reason]) -> Reason | None:
    """The first of these reasons. A claim that merely denies what is weighed is named only if
    nothing else has weight, and so evidence behind it.
    """
    denials = contradicting_claims(corpus, verdict.asked.statement)
    others = [
        each for each in reasons if each.statement not in denials and abs(each.share) >= HEARD
    ]
    return next(iter([*others, *reasons]), None)


def sort_reasons(verdict: Verdict, side: int) -> list[Reason]:
    """The reasons on a side (1 or -1) that add anything, the heaviest first."""
    on_side = [reason for reason in verdict.reasons if reason.share * side >= HEARD]
    return sorted(on_side, key=lambda reason: -abs(reason.share))


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
    superseded_ids = corpus.derive(superseded_statements)
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
    return fold(count_of(len(rows), "superseded statement"), item_list(rows))


# -- what is said against a reason ----------------------------------------------------------------


class ReasonReply(NamedTuple):
    """An objection to a reason or, with `to_study`, to the study behind it."""

    weight: float
    edge: Edge
    statement: StatementId
    to_study: bool

    @property
    def is_heard(self) -> bool:
        """Whether it takes any weight from the reason."""
        return self.weight >= HEARD


def best_reply(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason
) -> ReasonReply | None:
    """The strongest objection to a reason, or else to the study behind it, that does not support
    the same side itself, if there is one.
    """
    direct = _replies(builder, line, verdict, reason, reason.statement)
    if heard := next((each for each in direct if each.is_heard), None):
        return heard
    # to find the study takes long
    study_id = main_evidence(builder, reason.statement)
    to_study: list[ReasonReply] = []
    if study_id is not None and study_id != reason.statement:
        to_study = _replies(builder, line, verdict, reason, study_id)
    replies = [*direct, *to_study]
    return next((each for each in replies if each.is_heard), next(iter(replies), None))


def _replies(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason, id: StatementId
) -> list[ReasonReply]:
    """The objections to a reason, or to the study `id` behind it, but for those of its own side."""
    is_direct = id == reason.statement
    objections = objections_to(builder, id, reason.edge if is_direct else "")
    allies = {each.statement for each in verdict.reasons if each.share * reason.share > 0}
    # the statement that is weighed is no reply to a reason against it
    return [
        ReasonReply(*each, not is_direct)
        for each in objections
        if each[2] not in {*allies, line.proposition}
    ]


def describe_reply(builder: PageBuilder, reply: ReasonReply) -> str:
    """What a reply is directed against, and a remark if it takes no weight from that."""
    target = "the study behind it" if reply.to_study else "this reason"
    if reply.is_heard:
        return f"Against {target}"
    lacks_evidence = reply.statement in builder.context.strengths.claims_without_evidence
    why = ", for want of a study" if lacks_evidence else ""
    return f"Against {target}, though without weight{why}"


Objection: TypeAlias = tuple[float, Edge, StatementId]


def is_general(corpus: Corpus, id: StatementId) -> bool:
    """Whether a statement bears on so many others that its title says little of any one."""
    return len(corpus.edges_from.get(id, ())) > MAX_LINKS_OF_SPECIFIC


def objections_to(builder: PageBuilder, id: StatementId, step: EdgeId = "") -> list[Objection]:
    """The objections to a statement and the undercuts of its edges (only of the edge `step`, if
    given), each with its weight: those with an effect come first, of these those that are not
    general, of these the heaviest, and of equals the one that bears on fewest statements.
    """
    corpus, strengths = builder.context.corpus, builder.context.strengths

    def rank(objection: Objection) -> tuple[bool, bool, float, int]:
        weight, _, source = objection
        bears_on = len(corpus.edges_from.get(source, ()))
        return weight < HEARD, is_general(corpus, source), -round(weight, 2), bears_on

    contrary = sort_by_weight(builder, reasons_by_side(corpus, id).con)
    denials = [(abs(nats_of(builder, each)), each.edge, each.source) for each in contrary]
    undercuts = [
        (abs(strengths.share(undercut.id)), undercut, undercut.source)
        for each in corpus.bearings_from(id)
        if step in ("", each.edge.id)
        for undercut in undercuts_of(corpus, each.edge)
    ]
    return sorted([*denials, *undercuts], key=rank)


def best_reasons(corpus: Corpus, verdict: Verdict) -> list[tuple[str, Reason]]:
    """The best reason for the current answer, and the best against it, each with its heading; if
    the line is undecided, for and against its proposition.
    """
    side = verdict.side or 1
    sides = {"The best reason for the answer": side, "The best reason against the answer": -side}
    best = [(name, best_on_side(corpus, verdict, sign)) for name, sign in sides.items()]
    return [(name, reason) for name, reason in best if reason is not None]


def main_evidence(builder: PageBuilder, id: StatementId) -> StatementId | None:
    """The evidence, from the source on which a statement rests most, that directly supports it, or
    else the strongest; evidence rests on itself.
    """
    statements, strengths = builder.context.corpus.statements, builder.context.strengths
    if statements[id].kind is Kind.EVIDENCE:
        return id
    direct_supporters = {
        reason.source for reason in reasons_by_side(builder.context.corpus, id).pro
    }
    pieces = [piece for each in sources_that_carry(builder, id)[1][:1] for piece in each.evidence]
    rank_by_id = {
        piece: (piece in direct_supporters, strengths.of(piece).strength or 0.0) for piece in pieces
    }
    return max(rank_by_id, key=rank_by_id.__getitem__, default=None)


def sources_that_carry(
    builder: PageBuilder, id: StatementId
) -> tuple[list[SourceEffect], list[SourceEffect]]:
    """The independent sources without which a statement would be weaker, the heaviest first, as its
    page lists its reasons; and those of them on which it noticeably rests.
    """
    independence = builder.context.strengths.sources(id)
    effects = sorted(independence.effects if independence else (), key=lambda each: -each.pro)
    positive_effects = [each for each in effects if (each.effect or 0.0) > TINY]
    main_effects = [
        each for each in positive_effects if (each.effect or 0.0) >= LEAST_MOVE_SHOWN - TINY
    ]
    if not main_effects and len(positive_effects) == 1:
        main_effects = positive_effects
    return positive_effects, main_effects
