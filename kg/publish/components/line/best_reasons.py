"""The best reason of each side and camp of a line, and the evidence behind it."""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import contradicting_claims, reasons_by_side
from kg.model import CampId, InquiryLine, Kind, StatementId
from kg.publish.components.line.turning_points import LEAST_MOVE_SHOWN, TINY
from kg.publish.markup.phrases import LEAST_NATS_COUNTED
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.independence import SourceEffect
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reasons.camp_views import CampView
from kg.reasoning.reasons.direct_reasons import Reason

BEST_FOR, BEST_AGAINST = "Best reason for", "Best reason against"


def best_reasons(corpus: Corpus, verdict: Verdict) -> list[tuple[str, Reason]]:
    """The best reason for the current answer, and the best against it, each with its heading; if
    the line is undecided, for and against its proposition.
    """
    side = verdict.side_shown
    sides = {BEST_FOR: side, BEST_AGAINST: -side}
    best = [(name, best_on_side(corpus, verdict, sign)) for name, sign in sides.items()]
    return [(name, reason) for name, reason in best if reason is not None]


def best_on_side(corpus: Corpus, verdict: Verdict, side: int) -> Reason | None:
    """The heaviest reason on a side (1 or -1), but no plain denial if another has weight."""
    return _best_of(corpus, verdict, sort_reasons(verdict, side))


def sides_without_reason(verdict: Verdict) -> list[int]:
    """The sides (1 or -1) for which no direct reason adds anything, if the other side has one."""
    empty = [
        side
        for side in (verdict.side_shown, -verdict.side_shown)
        if not sort_reasons(verdict, side)
    ]
    return empty if len(empty) == 1 else []


def _best_of(corpus: Corpus, verdict: Verdict, reasons: Sequence[Reason]) -> Reason | None:
    """The first of these reasons. A claim that merely denies what is weighed is named only if
    nothing else has weight, and so evidence behind it.
    """
    denials = contradicting_claims(corpus, verdict.asked.statement)
    others = [
        each
        for each in reasons
        if each.statement not in denials and abs(each.share) >= LEAST_NATS_COUNTED
    ]
    return next(iter([*others, *reasons]), None)


def sort_reasons(verdict: Verdict, side: int) -> list[Reason]:
    """The reasons on a side (1 or -1) that add anything, the heaviest first."""
    on_side = [reason for reason in verdict.reasons if reason.share * side >= LEAST_NATS_COUNTED]
    return sorted(on_side, key=lambda reason: -abs(reason.share))


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


def heaviest_of_camp(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, camp: CampId
) -> Reason | None:
    """The heaviest reason of a camp; one against the answer comes first, if the camp has any."""
    corpus, side = builder.context.corpus, verdict.side_shown
    own_reasons = [
        reason
        for reason in verdict.reasons
        if reason.share and corpus.camp_of(reason.statement, line.id) == camp
    ]
    return max(
        own_reasons, key=lambda reason: (reason.share * side < 0, abs(reason.share)), default=None
    )


def main_evidence(builder: PageBuilder, id: StatementId) -> StatementId | None:
    """The evidence, from the source on which a statement rests most, that directly supports it, or
    else the strongest; evidence rests on itself.
    """
    statements, standings = builder.context.corpus.statements, builder.context.standings
    if statements[id].kind is Kind.EVIDENCE:
        return id
    direct_supporters = {
        reason.origin for reason in reasons_by_side(builder.context.corpus, id).pro
    }
    pieces = [piece for each in sources_that_carry(builder, id)[1][:1] for piece in each.evidence]
    rank_by_id = {
        piece: (piece in direct_supporters, standings.of(piece).strength or 0.0) for piece in pieces
    }
    return max(rank_by_id, key=rank_by_id.__getitem__, default=None)


def sources_that_carry(
    builder: PageBuilder, id: StatementId
) -> tuple[list[SourceEffect], list[SourceEffect]]:
    """The independent sources without which a statement would be weaker, the heaviest first, as its
    page lists its reasons; and those of them on which it noticeably rests.
    """
    independence = builder.context.answers.sources(id)
    effects = sorted(independence.effects if independence else (), key=lambda each: -each.pro)
    positive_effects = [each for each in effects if (each.effect or 0.0) > TINY]
    main_effects = [
        each for each in positive_effects if (each.effect or 0.0) >= LEAST_MOVE_SHOWN - TINY
    ]
    if not main_effects and len(positive_effects) == 1:
        main_effects = positive_effects
    return positive_effects, main_effects
