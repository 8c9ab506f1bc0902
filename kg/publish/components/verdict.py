"""How an answer was computed, what other rules say, and the claim that would settle it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from kg.corpus.same_and_superseded import group_of_same
from kg.model import Edge, InquiryLine, Kind, Relation, StatementId
from kg.publish.components.reasons import reason_of
from kg.publish.components.strength_bar import MEANING, standing_line
from kg.publish.components.turning_points import (
    count_together,
    cruxes_that_settle,
)
from kg.publish.markup.html import BLANK, Child, Html, collapsible, element, join, table
from kg.publish.markup.phrases import capitalize_first, count_of
from kg.publish.page_builder import PageBuilder
from kg.report import render_signed

if TYPE_CHECKING:
    from kg.reasoning.answers.crux import Crux
    from kg.reasoning.answers.verdict import Verdict
    from kg.reasoning.attribution.bill import BillRow, Reason


_REASONS, _MIDDLE = 8, 0.5  # reasons listed on a side; the neutral strength
_NEAR = 0.03  # distance from the middle within which an answer is evenly balanced
_LEAST_SHARE = 0.005  # the smallest share that has a row
_HOW_ROUTES_COUNT = (
    "Each independent source counts once, by the best route on which it reaches the claim; what "
    "it brings stands with the reason that it comes by. A claim passes on what speaks for it, "
    "less what speaks against it. If nothing is left, it passes nothing on, neither for nor "
    "against."
)
_HOW_REASONS_COUNT = (
    "Each reason passes on what it has earned above its own starting point, times its weight. "
    "Pieces of evidence from one source count once per claim. A claim that stands below the "
    "middle passes nothing on, neither for nor against."
)
_LOW_REASONS_REMARK = (
    "A claim may have a share though its strength is not above the middle: the strength counts "
    "what comes to it from the claim that is weighed, the share leaves that out."
)
_WEIGHTLESS_REMARK = (
    "A claim to which no published finding or argument leads weighs nothing, however good; a "
    "published argument weighs little (see its quality)."
)
_OTHER_RULES = "how-to-read.html#other-rules"

CAVEAT = (
    "Strength says how far the notes of this site back a statement, from 0 to 1. It is not a "
    "probability of truth, and not a vote."
)


def explain_sureness_fully(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> str:
    """The results of the trials, what would undo the answer, and which settings change it."""
    from kg.reasoning.answers.verdict import explain_sureness

    robustness = builder.context.strengths.robustness(line.id)
    return (
        capitalize_first(explain_sureness(verdict, robustness))
        if robustness and verdict.strength is not None
        else ""
    )


def how_computed(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html:
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
        element("p", explain_sureness_fully(builder, line, verdict)),
        _what_would_undo_it(builder, line, verdict),
        _answers_of_camps_alone(builder, verdict),
        _word_and_strength_explained(builder, verdict),
        element(
            "p",
            f"The claim starts at {verdict.base:.2f}"
            f"{', which says nothing either way' if verdict.base == _MIDDLE else ''}. "
            f"{how_it_counts} The shares below add up as odds multiply (in log-odds). "
            f"{_WEIGHTLESS_REMARK}",
        ),
        _bill_of_reasons(builder, verdict),
        element("p", *_count_bearing_statements(builder, line, verdict)),
        element("p", _strength_by_other_rules(verdict)),
        _remarks_on_verdict(builder, verdict),
        element("p", f"Method: {verdict.asked.how.removesuffix('.')}.", class_="kg-small"),
    )


def _what_would_undo_it(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """What takes an answer from its side that no single source does."""
    strengths = builder.context.strengths
    robustness, flips = strengths.robustness(line.id), strengths.flips(line.id)
    if robustness is None or flips is None or not verdict.side or verdict.strength is None:
        return None
    loss_remark: list[Child] = []
    if not (flips.singles or flips.undoing) and flips.minimal_undoing:
        source_count = count_together(builder, line, flips.minimal_undoing[0].removed)
        link = element("a", f"these {source_count}", href="#turns")
        loss_remark = ["It would leave its side without ", link, "."]
    return element("p", *loss_remark) if loss_remark else None


def what_it_leans_on(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html | None:
    """What an answer owes to how its reasons are read: whether a strong one carries it, and what
    would become of it if objections that limit it counted like denials.
    """
    from kg.reasoning.attribution.weighed_otherwise import LIMITS_AS_DENIALS, STRONG_ALONE
    from kg.reasoning.verdict_words import side_of

    robustness = builder.context.strengths.robustness(line.id)
    if robustness is None or not verdict.side:
        return None
    sides = {each.setting: side_of(each.word) for each in robustness.other_settings}
    sentences = []
    if sides[STRONG_ALONE] != verdict.side:
        outcome = "turn round" if sides[STRONG_ALONE] else "be undecided"
        sentences.append(f"Without its moderate and weak reasons it would {outcome}.")
    if objections := _describe_objections(builder, verdict):
        outcome = _outcome_in_words(sides[LIMITS_AS_DENIALS], verdict.side)
        sentences.append(f"{objections} Counted in full, limits would {outcome}.")
    return element("p", " ".join(sentences), class_="kg-small") if sentences else None


def _outcome_in_words(side: int, side_before: int) -> str:
    if side == side_before:
        return "leave the answer on its side"
    return "turn the answer round" if side else "leave the answer undecided"


def _describe_objections(builder: PageBuilder, verdict: Verdict) -> str:
    """How many of the objections to an answer deny it, and what those that limit it count; empty
    if none limits it.
    """
    edges = builder.context.corpus.edges_by_id
    relations = [
        edges[each.edge].relation for each in verdict.reasons if each.share * verdict.side < 0
    ]
    limits = relations.count(Relation.QUALIFIES)
    if not limits:
        return ""
    factor = f"{builder.context.corpus.config.reasoning.qualifies:.0%} as much as a denial"
    if limits < len(relations):
        denials = len(relations) - limits
        verb = "denies" if denials == 1 else "deny"
        return (
            f"Of {len(relations)} objections with weight {denials} {verb} it; the rest limit it, "
            f"and count {factor}."
        )
    if limits == 1:
        return f"The one objection with weight does not deny it but limits it, and counts {factor}."
    return (
        f"None of its {limits} objections with weight denies it: they limit it, and count {factor}."
    )


def _word_and_strength_explained(builder: PageBuilder, verdict: Verdict) -> Html:
    """Explain what an answer's word and its number each say."""
    link = element("a", "All of these words", href=builder.root + MEANING)
    number = f" {verdict.strength:.2f} is its strength." if verdict.strength is not None else ""
    return element(
        "p",
        element("span", "Words: ", class_="kg-label"),
        "“",
        builder.sureness_word(verdict.sureness),
        f"” says how far to rely on the answer.{number} {CAVEAT} ",
        link,
        ".",
    )


def _answers_of_camps_alone(builder: PageBuilder, verdict: Verdict) -> Html | None:
    """What each camp would conclude from its own reasons alone."""
    views = [
        [
            builder.link_maker.camp(view.camp, builder.root),
            f" {view.strength:.2f}",
        ]
        for view in verdict.camps
        if view.strength is not None
    ]
    if not views:
        return None
    return element(
        "p",
        "By its own reasons alone, each camp would see it at: ",
        join("; ", views),
        ".",
    )


def _remarks_on_verdict(builder: PageBuilder, verdict: Verdict) -> Html | None:
    from kg.reasoning.answers.verdict import list_remarks

    # above, with links, is why it is no surer
    words = [f"{remark} " for remark in list_remarks(verdict, limit=False)]
    if not words:
        return None
    link = element("a", "What does this mean?", href=builder.root + _OTHER_RULES)
    return element("p", *words, link, class_="kg-caution")


def _bill_of_reasons(builder: PageBuilder, verdict: Verdict) -> Html:
    from kg.reasoning.attribution.bill import (
        LEAST_SHARE_LISTED,
        bill_of,
        describe_losses_to_objections,
    )

    bill = bill_of(verdict.reasons, verdict.balance, _REASONS)
    lost_to_objections = [
        f" Beneath them, {describe_losses_to_objections(lessened_reason)}."
        for lessened_reason in verdict.lessened
    ]
    rows = [_row_of_reason(builder, item) for item in (*bill.pro, *bill.con)]
    omitted_count = len(bill.idle)
    verb = "adds" if omitted_count == 1 else "add"
    omitted_note = element(
        "p",
        f"and {omitted_count} that {verb} less than {LEAST_SHARE_LISTED} directly.",
        class_="kg-more",
    )
    pro, con = (bill.total(side)[1:] for side in (1, -1))
    rounded = " (rows are rounded)" if any(map(bill.is_rounded, (1, -1))) else ""
    total = (
        f"In all {pro} for and {con} against{rounded}, which gives the strength "
        f"{verdict.strength:.2f}."
        if verdict.strength is not None
        else "No stable strength was found."
    )
    has_low_reason = any(
        item.reason and _is_below_middle(builder, item.reason) for item in (*bill.pro, *bill.con)
    )
    low_reasons_note = (
        element("p", _LOW_REASONS_REMARK, class_="kg-small") if has_low_reason else None
    )
    head = ("Reason", "Strength", "Weight", "Share")
    name = "Reasons that add up to the verdict"
    return element(
        "div",
        table(head, rows, name),
        omitted_note if omitted_count else None,
        element("p", total, *lost_to_objections),
        low_reasons_note,
    )


def _is_below_middle(builder: PageBuilder, reason: Reason) -> bool:
    """Whether a reason is a claim that is not itself backed and still counts."""
    is_low = reason.strength is not None and reason.strength < _MIDDLE + _NEAR
    kind = builder.context.corpus.statements[reason.statement].kind
    has_weight = abs(reason.share) >= _LEAST_SHARE and not reason.fallen
    return is_low and has_weight and kind is not Kind.EVIDENCE


def _row_of_reason(builder: PageBuilder, item: BillRow) -> list[Child]:
    reason = item.reason
    if reason is None:
        return [element("th", item.title, scope="row"), BLANK, BLANK, item.share]
    parts: list[Child] = [builder.statement(reason.statement)]
    if reason.fallen:
        parts = ["Its premise ", *parts, " has fallen"]
    return [
        element("th", *parts, scope="row"),
        BLANK if reason.strength is None else f"{reason.strength:.2f}",
        render_signed(reason.weight),
        item.share,
    ]


def _count_bearing_statements(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict
) -> list[Child]:
    """How many statements bear on the number: more than those that the line places."""
    statements = count_of(builder.context.strengths.count_bearing(line.id), "statement")
    return [
        f"Through chains of reasons {statements} of the whole corpus bear on this number, which "
        "rests on ",
        builder.independent_sources(verdict.sources),
        ": of all numbers of sources here, the one to cite. Some weigh far more than others: "
        f"together they are worth as much as {verdict.effective_sources:.1f} of equal weight.",
    ]


def _strength_by_other_rules(verdict: Verdict) -> str:
    from kg.reasoning.weighed_answer import SEMANTICS_IN_WORDS

    others = ", ".join(
        f"{SEMANTICS_IN_WORDS.get(name, name)} gives {value:.2f}"
        for name, value in verdict.others.items()
        if value is not None
    )
    return f"By other rules, {others}." if others else ""


_OUTCOMES = {
    "turns": "by these weights the answer turns round",
    "undoes": "by these weights the answer becomes undecided",
    "decides": "by these weights the question is decided",
}


def main_crux_note(
    builder: PageBuilder, line: InquiryLine, other_names: Mapping[StatementId, str]
) -> Html | None:
    """The claim that would change the answer, and how; named by its title, unless it is among
    `other_names`.
    """
    crux = next(iter(cruxes_that_settle(builder, line)), None)
    if crux is None:
        return None
    name = other_names.get(crux.statement, "").lower() or None
    return element(
        "p",
        element("span", f"{crux.effect_name}: ", class_="kg-label"),
        builder.link_maker.statement(crux.statement, builder.root, line.id, name),
        ". ",
        describe_if_settled(crux),
        " So far it is “",
        builder.context.strengths.of(crux.statement).reader_word,
        "”.",
        None if name else _describe_path(builder, line, crux),
        class_="kg-settles",
    )


def nothing_alone_changes(builder: PageBuilder, line: InquiryLine) -> Html | None:
    """That no single claim would change an answer, and the loss of which sources would; None if it
    is undecided or was not searched.
    """
    strengths = builder.context.strengths
    verdict, flips, cruxes = (
        strengths.verdict(line.id),
        strengths.flips(line.id),
        strengths.cruxes(line.id),
    )
    if verdict is None or not verdict.side or flips is None or cruxes is None:
        return None
    denial = ", save a plain denial," if any(each.undoes for each in cruxes.cruxes) else ""
    label = element("span", "What would change it: ", class_="kg-label")
    if flips.singles or flips.undoing:
        words: list[Child] = [f"No single claim{denial} but the loss of one source."]
    else:
        words = [f"No single claim{denial} and no single source."]
    if flips.minimal_undoing and not (flips.singles or flips.undoing):
        count = count_together(builder, line, flips.minimal_undoing[0].removed)
        link = element("a", f"without {count}", href="#turns")
        becomes = "turn round" if flips.minimal_undoing[0].does == "turns" else "be undecided"
        words += [f" It would {becomes} ", link, "."]
    return element("p", label, *words, class_="kg-settles")


def _direct_edges(builder: PageBuilder, line: InquiryLine, crux: Crux) -> list[Edge]:
    """The edges that lead directly from a claim to the weighed statement."""
    corpus = builder.context.corpus
    weighed_ids = group_of_same(corpus, line.proposition or "")
    return [
        each.edge for each in corpus.bearings_from(crux.statement) if each.target in weighed_ids
    ]


def _describe_path(builder: PageBuilder, line: InquiryLine, crux: Crux) -> Html:
    """Why a claim bears on the weighed statement, or through which claims."""
    direct = _direct_edges(builder, line, crux)
    if direct:
        return reason_of(builder, direct[0], in_full=True)
    corpus = builder.context.corpus
    ends = [x.target for x in corpus.bearings_from(crux.statement) if x.target in corpus.statements]
    names = join("; ", [builder.statement(end) for end in dict.fromkeys(ends)])
    return element("span", "It bears on the answer by way of: ", names, ".", class_="kg-reason")


def describe_if_settled(crux: Crux) -> Html:
    """What becomes of the answer once a claim is settled."""
    numbers = f"Strength {crux.if_true:.2f} if true, {crux.if_false:.2f} if false"
    return element("span", _sentence_if_settled(crux), title=numbers)


def _sentence_if_settled(crux: Crux) -> str:
    """What each way of settling a claim would do to the answer; what keeps it is left out."""
    cases = {"true": _OUTCOMES.get(crux.when_true), "false": _OUTCOMES.get(crux.when_false)}
    if cases["true"] == cases["false"]:
        return f"True or false, {cases['true'] or 'the answer stays'}."
    clauses = [
        f"if it is shown to be {case}, {outcome}" for case, outcome in cases.items() if outcome
    ]
    return f"{capitalize_first('; '.join(clauses))}."
