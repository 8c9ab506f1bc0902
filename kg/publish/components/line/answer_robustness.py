"""The robustness of a line's answer: a sentence for its box, and the facts beneath it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.model import InquiryLine, Relation
from kg.publish.components.answer_history import answer_history
from kg.publish.components.line.turning_points import (
    NAMED,
    any_one_of,
    name_source,
)
from kg.publish.markup.html import (
    Child,
    Html,
    collapsible,
    definition_list,
    element,
    item_list,
    join,
    join_children,
)
from kg.publish.markup.phrases import capitalize_first
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.flips import Flips
from kg.reasoning.answers.robustness import Robustness
from kg.reasoning.answers.verdict import SurenessBasis, Verdict
from kg.reasoning.answers.verdict_text import (
    describe_other_settings_and_rules,
    describe_taking_from_side,
    describe_trials,
)
from kg.reasoning.partial_evidence.evidence_subsets import EVIDENCE_SUBSETS, PEOPLE_SUBSET
from kg.reasoning.reasons.direct_reasons import Reason
from kg.reasoning.sensitivity.other_settings_and_rules import LIMITS_AS_DENIALS
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import (
    BETWEEN_CLAUSES,
    HANGS,
    RULES_APART,
    SURENESS_MEANINGS,
    Sureness,
    SurenessLimit,
    bound_barely_passed,
    describe_limits,
    frame_held_back,
    greatest_sureness,
    is_held_back,
    is_surer,
)
from kg.text.plurals import count_of, join_first, join_with_and

ROBUSTNESS_ID = "how-firm"  # the anchor of these facts


# -- a sentence or two ---------------------------------------------------------------------------


def why_no_surer(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> list[Child]:
    """A sentence on all that keeps an answer from a surer word, as on the page of a claim; or
    without which source an undecided one would be decided. Empty if the strength alone decides.
    """
    answers = builder.context.answers
    robustness, flips = answers.robustness(line.id), answers.flips(line.id)
    if robustness is None or flips is None or verdict.strength is None:
        return []
    if causes := [*_causes(builder, line, verdict, flips, robustness)]:
        cause = join(BETWEEN_CLAUSES, [join_children(each) for each in causes])
        surest = greatest_sureness(verdict.word).sureness
        if not is_held_back(verdict.strength, verdict.held_strength):
            return [cause, "."]
        start, end = frame_held_back(verdict.sureness.partition(",")[0], surest)
        return [start, cause, end]
    source_groups = [flip.removed[0] for flip in flips.singles]
    if verdict.side or not source_groups:
        return []
    return ["it would be decided without ", *any_one_of(builder, line, source_groups), "."]


def how_sure(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> tuple[str, Html]:
    """Why an answer is no surer, after a title; if its strength alone decides, what the next word
    would take.
    """
    words: list[Child] = why_no_surer(builder, line, verdict)
    only = "only " if words and verdict.side else ""
    strength, settings = verdict.strength, builder.context.corpus.config.reasoning
    if not words and strength is not None and verdict.sureness == Sureness.PROBABLY:
        bound = settings.strong_from if verdict.side > 0 else 1.0 - settings.strong_from
        words = [
            f"for “{Sureness.VERY_PROBABLY}” the reasons "
            f"together would have to reach {bound:.2f} on our scale from 0 to 1; they reach "
            f"{render_strength(strength, settings)}."
        ]
        if verdict.sureness_basis.limit is not SurenessLimit.TOO_LOW:
            words = [f"a little could undo it, so it is not “{Sureness.VERY_PROBABLY}”."]
    words = words or [f"{SURENESS_MEANINGS.get(verdict.sureness, '')}."]
    word = verdict.sureness.partition(",")[0]
    sentence = Html(capitalize_first(join_children(words)))
    explained = builder.explain_stricter_check(sentence)
    return f"Why {only}“{word}”, and other checks", element("p", explained)


def answers_on_kinds(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict
) -> tuple[str, list[str]]:
    """Say what the answer would be if only one kind of evidence counted: a sentence for each kind
    that gives another side or sureness, and for tests with people in any case. The gravest comes
    first, in short, for the box, unless the answer is merely surer.
    """
    current_answer = (verdict.side, verdict.sureness)
    others = [
        each
        for each in builder.context.answers.answers_on_subsets(line.id)
        if each.name in EVIDENCE_SUBSETS
        and 0 < each.counted < each.total
        and ((each.side, each.sureness) != current_answer or each.name == PEOPLE_SUBSET)
    ]
    others.sort(
        key=lambda each: (
            each.side == verdict.side,
            each.side * verdict.side == 0,
            not is_surer(verdict.sureness, each.sureness),
            each.sureness != verdict.sureness,
        )
    )
    sentences = [each.sentence(*current_answer) for each in others]
    if not others:
        return "", []
    gravest = others[0]
    is_merely_surer = gravest.side == verdict.side and is_surer(gravest.sureness, verdict.sureness)
    if is_merely_surer:
        return "", sentences
    return gravest.outcome_in_short(*current_answer), sentences


def _causes(
    builder: PageBuilder,
    line: InquiryLine,
    verdict: Verdict,
    flips: Flips,
    robustness: Robustness,
) -> Iterator[Sequence[Child]]:
    """Clauses on why an answer is no surer, the gravest first; none if its strength decides."""
    basis = verdict.sureness_basis
    source_groups = [flip.removed[0] for flip in (*flips.singles, *flips.undoing)]
    for limit in (basis.limit, *basis.other_limits):
        if limit is SurenessLimit.DEPENDENCY:
            yield ["it depends on ", builder.statement(basis.depends_on), ", which is no surer"]
        elif limit is SurenessLimit.TOO_MANY_DEPENDENCIES:
            yield [limit.clause]
        elif limit in HANGS and verdict.side and source_groups:
            yield _sources_it_hangs_on(builder, line, basis, source_groups)
        elif clause := _describe_limit(verdict, robustness, limit):
            yield [clause]


def _describe_limit(verdict: Verdict, robustness: Robustness, limit: SurenessLimit) -> str:
    """A limit without names; empty if the strength alone shows it."""
    if limit not in (SurenessLimit.THIN, SurenessLimit.TRIALS, *RULES_APART):
        return ""
    return "".join(_clauses_on(verdict, robustness, limit))


def _clauses_on(
    verdict: Verdict, robustness: Robustness, *limits: SurenessLimit
) -> tuple[str, ...]:
    rules, fraction = verdict.other_rules, robustness.fraction_kept
    others = rules.words, rules.grounded, rules.grounded_says
    return describe_limits(limits, verdict.side, fraction, *others)


def _sources_it_hangs_on(
    builder: PageBuilder, line: InquiryLine, basis: SurenessBasis, source_groups: Sequence[str]
) -> list[Child]:
    """`it depends on Doe 2020`; if the loss of any of several sources would do, how many
    they are.
    """
    if len(source_groups) > 1:
        return ["it depends on ", *any_one_of(builder, line, source_groups, "each of ")]
    if basis.limit is SurenessLimit.ONE_SOURCE or not basis.hangs_on:
        return ["it depends on ", name_source(builder, line, source_groups[0])]
    maker = builder.link_maker
    works = [str(maker.source_or_missing(work, builder.root)) for work in basis.hangs_on]
    return ["it depends on ", Html(join_first(works, NAMED))]


def limits_without_names(verdict: Verdict, robustness: Robustness) -> str:
    """Say why an answer is no surer, without names; empty if its strength alone decides."""
    basis = verdict.sureness_basis
    return BETWEEN_CLAUSES.join(_clauses_on(verdict, robustness, basis.limit, *basis.other_limits))


def _describe_newer_evidence(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> str:
    """Say what the answer would be by newer evidence alone, be it another or the same.

    The year is chosen before the result: the last since which at least half was published.
    """
    answers = builder.context.answers.answers_on_subsets(line.id)
    by_year = [each for each in answers if each.name not in EVIDENCE_SUBSETS]
    newer = [each for each in by_year if each.total <= 2 * each.counted < 2 * each.total]
    return newer[-1].sentence(verdict.side, verdict.sureness) if newer else ""


# -- beneath the box: a fact a row -------------------------------------------------------------


def robustness_facts(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html:
    """Render what trials, losses and other settings and rules do to an answer; in a fold, what it
    would be by parts of the evidence, and the figures.
    """
    robustness = builder.context.answers.robustness(line.id)
    _, parts = answers_on_kinds(builder, line, verdict)
    facts = definition_list(
        [
            ("Strength", _strength_and_bound(builder, verdict)),
            ("A part of the evidence", " ".join(parts) or None),
            ("Newer evidence alone", _describe_newer_evidence(builder, line, verdict)),
            *_facts_of_reading(builder, verdict, robustness),
            ("Sources and findings", _count_of_basis(builder, line, verdict)),
            ("Each camp alone", _answers_of_camps_alone(builder, verdict)),
            ("Earlier", answer_history(builder, line)),
        ]
    )
    checks = item_list(_checks_of_answer(verdict, robustness))
    return join_children((checks, collapsible("Parts of the evidence, and the figures", facts)))


def _checks_of_answer(verdict: Verdict, robustness: Robustness | None) -> Iterator[str]:
    """Yield how an answer fares if studies are graded otherwise, what would undo it, and what other
    settings and rules make of it.
    """
    basis = verdict.sureness_basis
    trials = describe_trials(verdict.word, (basis.low, basis.high), robustness)
    undoing = describe_taking_from_side(verdict.word, basis.fail_safe, verdict.asked, robustness)
    yield from (f"{capitalize_first(each)}." for each in (trials, undoing) if each)
    if robustness:
        # without the names of rules, which only who asks for formulas knows
        yield describe_other_settings_and_rules(robustness, with_names=False)


def _strength_and_bound(builder: PageBuilder, verdict: Verdict) -> str:
    """`0.63 on a scale from 0 to 1, just past where “perhaps” begins (0.60)`.

    Of an answer that its word holds back, `0.89 on a scale from 0 to 1, if the reasons are only
    added up`.
    """
    if verdict.strength is None:
        return ""
    settings = builder.context.corpus.config.reasoning
    words = f"{render_strength(verdict.strength, settings)} on a scale from 0 to 1"
    if is_held_back(verdict.strength, verdict.held_strength):
        return f"{words}, if the reasons are only added up"
    pro, con = verdict.balance.pro, verdict.balance.con
    bound = bound_barely_passed(verdict.sureness, verdict.strength, pro, con, settings)
    if bound is None:
        return words
    return f"{words}, just past where “{verdict.sureness}” begins ({bound:.2f})"


def _facts_of_reading(
    builder: PageBuilder, verdict: Verdict, robustness: Robustness | None
) -> Iterator[tuple[str, Child]]:
    """Yield what would become of an answer if objections that limit it counted like denials."""
    if robustness is None or not verdict.side:
        return
    sides = {each.setting: side_of(each.word) for each in robustness.other_settings}
    if objections := describe_objections(builder, verdict):
        outcome = _describe_outcome(sides[LIMITS_AS_DENIALS], verdict.side)
        yield (
            "Its objections",
            f"{objections} If partial objections counted as full ones, the answer would {outcome}.",
        )


def _describe_outcome(side: int, side_before: int) -> str:
    if side == side_before:
        return "stay"
    return "turn round" if side else "be undecided"


def describe_objections(builder: PageBuilder, verdict: Verdict) -> str:
    """Say how many of the objections to an answer deny it, and how much those that limit it count;
    empty if none limits it. All are counted, as on the page of the claim, also those that
    have no effect.
    """
    objections = [each for each in verdict.reasons if _is_objection(each, verdict.side)]
    relations = [each.relation for each in objections]
    limits, denials = map(relations.count, (Relation.QUALIFIES, Relation.CONTRADICTS))
    if not limits:
        return ""
    fallen = len(objections) - limits - denials
    idle = sum(not each.share for each in objections)
    factor = f"{builder.context.corpus.config.reasoning.qualifies:.0%} as much as a denial"
    uncounted = f" ({idle} not counted)" if idle and len(objections) > 1 else ""
    if limits == len(objections) == 1:
        return f"The one objection does not deny it but limits it, and counts {factor}."
    if limits == len(objections):
        number = f"{limits} objections{uncounted}"
        return f"None of its {number} denies it: they limit it, and count {factor}."
    deny = f"{denials} {'denies' if denials == 1 else 'deny'} it"
    premises = "is a premise that has" if fallen == 1 else "are premises that have"
    counts = ((denials, deny), (fallen, f"{fallen} {premises} fallen"))
    kinds = join_with_and([words for count, words in counts if count])
    rest = "the other limits it, and counts" if limits == 1 else "the others limit it, and count"
    return f"Of {len(objections)} objections{uncounted} {kinds}; {rest} {factor}."


def _is_objection(reason: Reason, side: int) -> bool:
    """Return whether a reason is against the answer; a premise is, if it has fallen."""
    if reason.relation is Relation.DEPENDS_ON:
        return reason.share * side < 0
    return reason.weight * side < 0


def _count_of_basis(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Child:
    """`13 independent sources count. Of 90 findings linked to it at any depth, 41 move it.`"""
    answers, count = builder.context.answers, verdict.sources.count
    if not count:
        return None
    parts: list[Child] = [
        builder.independent_sources(count),
        f" {'counts' if count == 1 else 'count'}.",
    ]
    effects, weighing = answers.effects_on_answer(line.id), answers.weighing(line.id)
    if effects and weighing:
        ids = [each.id for each in weighing.statements if each.quality is not None]
        count_moving = sum(effects.get(id, 0.0) > 0 for id in ids)
        moving = f"{count_moving or 'none'} {'moves' if count_moving == 1 else 'move'} it"
        parts.append(f" Of {count_of(len(ids), 'finding')} linked to it at any depth, {moving}.")
    return parts


def _answers_of_camps_alone(builder: PageBuilder, verdict: Verdict) -> Html | None:
    """List the strengths that each camp's own reasons alone would give the answer."""
    views = [
        [
            builder.link_maker.camp(view.camp, builder.root),
            f" {render_strength(view.strength, builder.settings)}",
        ]
        for view in verdict.camps
        if view.strength is not None
    ]
    return join("; ", [join("", view) for view in views]) if views else None
