"""The argument beneath an answer, step by step: the reasons of the lists, in the same order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from kg.corpus.reasons_for_and_against import reasons_by_side, undercuts_of
from kg.model import Edge, InquiryLine, StatementId
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import direction_key
from kg.publish.markup.phrases import LEAST_NATS_COUNTED, CountOfReasons

MAX_STATEMENTS_DRAWN = 250  # the nearest to what a line weighs


GRAPH_PAGE = "graph.html"


def graph_address(line: InquiryLine) -> str:
    """Return the address of a line's graph, from the root of the site."""
    return f"{GRAPH_PAGE}#line={quote(line.id, safe='')}"


class DrawnReason(NamedTuple):
    """A reason of `target` that adds something to it: `share` in nats, negative if against. Of an
    objection to a reason, `target` is that reason, and `conclusion` is where the link leads that
    the objection undercuts.
    """

    premise: StatementId
    target: StatementId
    edge: Edge
    share: float
    conclusion: StatementId | None = None


class ReasonsBeneath(NamedTuple):
    """What is drawn beneath an answer. `statements` begin with the one that is weighed, and go on
    with the nearest. `reasons` are of each statement its reasons, the heaviest first, and then the
    objections to these. `counts` says how many reasons of a statement count on which side, and
    `beyond` how many of these are too far away, if any.
    """

    statements: tuple[StatementId, ...]
    reasons: tuple[DrawnReason, ...]
    counts: dict[StatementId, CountOfReasons]
    beyond: dict[StatementId, int]


def has_argument(context: SiteContext, line: InquiryLine) -> bool:
    """Return whether any reason adds something to what a line weighs."""
    return line.proposition is not None and any(
        abs(each.share) >= LEAST_NATS_COUNTED
        for each in _reasons_of(context, line, line.proposition)
    )


def argument_of(
    context: SiteContext, line: InquiryLine, proposition: StatementId
) -> ReasonsBeneath:
    """Find all that bears on what a line weighs, directly or by way of other reasons."""
    statements, all_drawn = [proposition], list[DrawnReason]()
    counts, beyond = dict[StatementId, CountOfReasons](), dict[StatementId, int]()
    for id in statements:
        reasons = [*_reasons_of(context, line, id)]
        counted = [each for each in reasons if abs(each.share) >= LEAST_NATS_COUNTED]
        drawn_reasons = _draw_reasons(counted, statements)
        undercuts = [each for reason in drawn_reasons for each in _undercuts_of(context, reason)]
        all_drawn += drawn_reasons + _draw_reasons(undercuts, statements)
        counts[id] = CountOfReasons.from_reasons(
            (reason.edge.relation, reason.share) for reason in reasons
        )
        if len(drawn_reasons) < len(counted):
            beyond[id] = len(counted) - len(drawn_reasons)
    return ReasonsBeneath(tuple(statements), tuple(all_drawn), counts, beyond)


def _draw_reasons(
    reasons: Sequence[DrawnReason], statements: list[StatementId]
) -> list[DrawnReason]:
    """The reasons for whose premises is room, the heaviest first; adds these to `statements`."""
    for reason in reasons:
        if reason.premise not in statements and len(statements) < MAX_STATEMENTS_DRAWN:
            statements.append(reason.premise)
    drawn_reasons = [each for each in reasons if each.premise in statements]
    return sorted(drawn_reasons, key=lambda reason: -round(abs(reason.share), 6))


def _undercuts_of(context: SiteContext, reason: DrawnReason) -> Iterator[DrawnReason]:
    """The objections to a reason that take something from it."""
    for edge in undercuts_of(context.corpus, reason.edge.id):
        share = context.standings.share(edge.id)
        if share >= LEAST_NATS_COUNTED and edge.origin != reason.premise:
            yield DrawnReason(edge.origin, reason.premise, edge, -share, reason.target)


def _reasons_of(context: SiteContext, line: InquiryLine, id: StatementId) -> Iterator[DrawnReason]:
    """The reasons of a statement: of what the line weighs as its verdict has them."""
    corpus = context.corpus
    if id == line.proposition:
        if (verdict := context.answers.verdict(line.id)) is not None:
            for each in verdict.reasons:
                yield DrawnReason(each.statement, id, corpus.edges_by_id[each.edge], each.share)
        return
    for reason in reasons_by_side(corpus, id).both:
        share = context.standings.share(direction_key(reason))
        yield DrawnReason(reason.origin, id, reason.edge, share)
