"""The best reply to a reason: an objection to it, or to the study behind it."""

from __future__ import annotations

from typing import NamedTuple

from kg.model import Edge, InquiryLine, StatementId
from kg.publish.components.line.best_reasons import main_evidence, sort_reasons
from kg.publish.components.objections import objections_to, why_not_counted
from kg.publish.components.reasons import reason_of
from kg.publish.markup.html import Html, element, join_children
from kg.publish.markup.phrases import LEAST_NATS_COUNTED
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reasons.direct_reasons import Reason

_NOTHING = "Nothing recorded here speaks directly for “{}”."
_IDLE = "What is said directly for “{}” is not counted."
_HEAVIEST = " The nearest objection:"


class ReasonReply(NamedTuple):
    """An objection to a reason or, with `to_study`, to the study behind it."""

    weight: float
    edge: Edge
    statement: StatementId
    to_study: bool

    @property
    def is_counted(self) -> bool:
        """Whether it takes any weight from the reason."""
        return self.weight >= LEAST_NATS_COUNTED


def best_reply(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason
) -> ReasonReply | None:
    """The strongest objection to a reason, or else to the study behind it, that does not support
    the same side itself, if there is one.
    """
    direct = _replies(builder, line, verdict, reason, reason.statement)
    if counted := next((each for each in direct if each.is_counted), None):
        return counted
    # to find the study takes long
    study_id = main_evidence(builder, reason.statement)
    to_study: list[ReasonReply] = []
    if study_id is not None and study_id != reason.statement:
        to_study = _replies(builder, line, verdict, reason, study_id)
    replies = [*direct, *to_study]
    return next((each for each in replies if each.is_counted), next(iter(replies), None))


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
        if each.origin not in {*allies, line.proposition}
    ]


def for_want_of_reasons(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, side: int
) -> Html:
    """Why nothing counts directly for a side (1 or -1), and what counts most against the reasons of
    the other side.
    """
    has_idle = any(each.weight * side > 0 for each in verdict.reasons)
    end = answers_at_ends(line)[side > 0]
    why = (_IDLE if has_idle else _NOTHING).format(end)
    effects = builder.context.answers.objection_effects(line.id)
    replies = [
        reply
        for reason in sort_reasons(verdict, -side)
        if (reply := best_reply(builder, line, verdict, reason)) is not None and reply.is_counted
    ]
    if not replies:
        return element("p", why, class_="kg-small")
    heaviest = max(replies, key=lambda each: abs(effects.get(each.edge.id, 0.0)))
    objection = element(
        "p", builder.statement(heaviest.statement), reason_of(builder, heaviest.edge)
    )
    return join_children((element("p", why, _HEAVIEST, class_="kg-small"), objection))


def describe_reply(builder: PageBuilder, reply: ReasonReply) -> str:
    """Say what a reply is directed against, with a remark if it takes no weight from that."""
    target = "the study behind it" if reply.to_study else "this reason"
    if reply.is_counted:
        return f"Against {target}"
    return f"Against {target} ({why_not_counted(builder, reply.edge, reply.statement)})"
