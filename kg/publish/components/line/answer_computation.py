"""The computation of an answer: the reasons that add up to it, and what other rules say."""

from __future__ import annotations

from kg.corpus.quality.evidence_quality import CLAIM_BASE
from kg.model import Kind
from kg.publish.components.strength_bar import MEANING, standing_line
from kg.publish.markup.html import BLANK, Child, Html, collapsible, element, table
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict, list_remarks
from kg.reasoning.reasons.direct_reasons import (
    LEAST_SHARE_LISTED,
    Reason,
    ReasonRow,
    describe_losses_to_objections,
    reason_table,
)
from kg.reasoning.strength_words import is_even, render_strength
from kg.reporting.report import render_signed

_REASONS = 8  # listed on a side
_LEAST_SHARE = 0.005  # the smallest share that has a row
_HOW_ROUTES_COUNT = (
    "Each independent source counts once, by its best route to the claim, and is listed with the "
    "reason on that route. A claim passes on what speaks for it minus what speaks against it, or "
    "nothing if nothing is left."
)
_HOW_REASONS_COUNT = (
    "Each reason passes on what it has gained above its own start, times its weight. "
    "Findings from one source count once per claim. A claim below the middle passes "
    "nothing on."
)
_LOW_REASONS_REMARK = (
    "A claim at or below the middle may still have a share. Its strength counts what it gets from "
    "the claim that is weighed; its share leaves that out."
)
_WEIGHTLESS_REMARK = (
    "A claim that rests on no published finding or argument weighs nothing. A published argument "
    "weighs little (see its quality)."
)
_OTHER_RULES = "how-to-read.html#other-rules"

CAVEAT = (
    "Strength says how far the notes of this site back a statement, from 0 to 1. It is not a "
    "probability of truth, and not a vote."
)


def how_computed(builder: PageBuilder, verdict: Verdict) -> Html:
    """The weighed statement, the reasons that add up to the verdict, and what other rules say."""
    follows_routes = verdict.asked.parameters.follows_routes
    how_it_counts = _HOW_ROUTES_COUNT if follows_routes else _HOW_REASONS_COUNT
    return collapsible(
        "How is this computed?",
        element(
            "p",
            element("span", "What is weighed: ", class_="kg-label"),
            builder.statement(verdict.asked.statement),
        ),
        standing_line(builder, verdict.asked.statement, numbers=True),
        element(
            "p", CAVEAT, " ", element("a", "What the words mean", href=builder.root + MEANING), "."
        ),
        element(
            "p",
            f"The claim starts at {verdict.balance.base:.2f}"
            f"{', which says nothing either way' if verdict.balance.base == CLAIM_BASE else ''}. "
            f"{how_it_counts} The shares below add up as odds multiply (in log-odds). "
            f"{_WEIGHTLESS_REMARK}",
        ),
        _table_of_reasons(builder, verdict),
        element("p", *_describe_sources(builder, verdict)),
        _remarks_on_verdict(builder, verdict),
        element("p", f"Method: {verdict.asked.how.removesuffix('.')}.", class_="kg-small"),
    )


def _remarks_on_verdict(builder: PageBuilder, verdict: Verdict) -> Html | None:
    # above, with links, is why it is no surer
    words = [
        part
        for remark in list_remarks(verdict, limit=False)
        for part in (*_link_titles(builder, remark, verdict), " ")
    ]
    if not words:
        return None
    link = element("a", "What does this mean?", href=builder.root + _OTHER_RULES)
    return element("p", *words, link, class_="kg-caution")


def _link_titles(builder: PageBuilder, remark: str, verdict: Verdict) -> list[Child]:
    """A remark in which the title of the first reason that it quotes is a link."""
    statements = builder.context.corpus.statements
    for reason in verdict.reasons:
        before, title, after = remark.partition(f"“{statements[reason.statement].title}”")
        if title:
            return [before, builder.statement(reason.statement), after]
    return [remark]


def _table_of_reasons(builder: PageBuilder, verdict: Verdict) -> Html:
    reason_rows = reason_table(verdict.reasons, verdict.balance, _REASONS)
    items = (*reason_rows.pro, *reason_rows.con)
    verb = "adds" if len(reason_rows.idle) == 1 else "add"
    omitted = f"and {len(reason_rows.idle)} that {verb} less than {LEAST_SHARE_LISTED} directly."
    total = "No stable strength was found."
    if verdict.strength is not None:
        pro, con = (reason_rows.total(side)[1:] for side in (1, -1))
        rounded = " (rows are rounded)" if any(map(reason_rows.is_rounded, (1, -1))) else ""
        strength = render_strength(verdict.strength, builder.settings)
        total = f"In all {pro} for and {con} against{rounded}, which gives the strength {strength}."
    losses = [
        f" Beneath them, {describe_losses_to_objections(x)}." for x in verdict.balance.lessened
    ]
    has_low_reason = any(item.reason and _is_below_middle(builder, item.reason) for item in items)
    head = ("Reason", "Strength", "Weight", "Share")
    rows = [_row_of_reason(builder, item) for item in items]
    return element(
        "div",
        table(head, rows, "Reasons that add up to the verdict"),
        element("p", omitted, class_="kg-more") if reason_rows.idle else None,
        element("p", total, losses),
        element("p", _LOW_REASONS_REMARK, class_="kg-small") if has_low_reason else None,
    )


def _is_below_middle(builder: PageBuilder, reason: Reason) -> bool:
    """Return whether a reason is a claim that is not itself backed and still counts."""
    corpus, strength = builder.context.corpus, reason.strength
    is_low = strength is not None and (
        strength < CLAIM_BASE or is_even(strength, corpus.config.reasoning)
    )
    kind = corpus.statements[reason.statement].kind
    has_weight = abs(reason.share) >= _LEAST_SHARE and not reason.fallen
    return is_low and has_weight and kind is not Kind.EVIDENCE


def _row_of_reason(builder: PageBuilder, item: ReasonRow) -> list[Child]:
    reason = item.reason
    if reason is None:
        return [element("th", item.title, scope="row"), BLANK, BLANK, item.share]
    parts: list[Child] = [builder.statement(reason.statement)]
    if reason.fallen:
        parts = ["Its premise ", *parts, " has fallen"]
    return [
        element("th", *parts, scope="row"),
        BLANK if reason.strength is None else render_strength(reason.strength, builder.settings),
        render_signed(reason.weight),
        item.share,
    ]


def _describe_sources(builder: PageBuilder, verdict: Verdict) -> list[Child]:
    """Say how many sources the number rests on, in a sentence."""
    return [
        "This number rests on ",
        builder.independent_sources(verdict.sources.count),
        ", the count to cite.",
    ]
