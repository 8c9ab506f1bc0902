"""Turning points of a line's answer: claims that may be settled, and sources that may be lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlencode

from kg.model import InquiryLine, SourceKey, StatementId
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import (
    EMPTY,
    Child,
    Html,
    collapsible_on_screen,
    element,
    item_list,
    join,
    join_children,
    row_name,
    table,
    table_collapsed_after,
)
from kg.publish.markup.phrases import capitalize_first
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.crux import Crux, Cruxes, rank_by_effect
from kg.reasoning.answers.flips import Flips
from kg.reasoning.answers.independence import SourceEffect
from kg.reasoning.answers.robustness import describe_contrary
from kg.reasoning.answers.verdict_text import sureness_and_answer
from kg.reasoning.partial_evidence.word_changes import Flip, sentences_on_words
from kg.reasoning.strength_words import render_strength, side_of
from kg.reasoning.sureness_words import BY_WEIGHTS, why_surer
from kg.reasoning.word_and_side import SideChange
from kg.text.plurals import count_of, join_with_and, number_in_words

LEAST_MOVE_SHOWN, TINY = 0.01, 1e-9  # of strength, and rounding
LITTLE = 0.05  # of strength: less is a small change
NAMED = 4  # sources named in a sentence
PARTNERS = 2  # works of the same team named after the first
LOSSES_SHOWN_AT_FIRST = 3  # sources that are lost together; more are folded
CRUXES_SHOWN_AT_FIRST = 2  # claims to settle; the rest is folded
_LEAD_IN_OF_KIND = {
    "crux": "The camps disagree on {}. Settling {} one way would change the answer.",
    "claim it hangs on": "Still open: {}. Settling {} one way would change the answer.",
}
_EFFECT_IN_WORDS = {
    "turns": "turns round",
    "undoes": "becomes undecided",
    "decides": "is decided",
}
_TOO_MANY = "Too many statements matter to this question to search them all for the site."
_NO_LOSS = "The answer would stand after every loss of sources that was tried."
_SAME_WORD = "Leaving out any one source does not make the answer less sure"
_TRIED = " Only the {} heaviest sources were tried."
_OF_THE_HEAVIEST = " (the {} heaviest sources were tried)"
_UNDOES = "What would undo it"
_NEW_STUDY = "Imagined, of the highest quality, directly about the claim."
_OUTCOMES = {
    "turns": "the answer turns round",
    "undoes": "the answer becomes undecided",
    "decides": "the question is decided",
}


# -- sources by name ---------------------------------------------------------------------------


def _effect_of(builder: PageBuilder, line: InquiryLine, source_group: str) -> SourceEffect | None:
    independence = builder.context.answers.sources(line.id)
    effects = independence.effects if independence else ()
    return next((each for each in effects if each.source_group == source_group), None)


def name_source(builder: PageBuilder, line: InquiryLine, source_group: str) -> Html:
    """An independent source, named by its works; evidence citing none, by its title."""
    effect = _effect_of(builder, line, source_group)
    if effect is not None and not effect.sources:
        return join("; ", [builder.statement(id) for id in effect.evidence])
    return name_works(builder, effect.carried_by if effect else (source_group.removeprefix("@"),))


def name_works(builder: PageBuilder, works: Sequence[str], papers: bool = False) -> Html:
    """The works of one independent source, the one that carries most first."""
    maker = builder.link_maker
    first, *others = (
        maker.papers((work,), builder.root)
        if papers
        else maker.source_or_missing(work, builder.root)
        for work in works
    )
    partners = join_with_and(others) if len(others) <= PARTNERS else f"{len(others)} more sources"
    return Html(f"{first} with {partners} by its team or on its data") if others else first


def any_one_of(
    builder: PageBuilder,
    line: InquiryLine,
    source_groups: Sequence[str],
    which: str = "any one of ",
) -> list[Child]:
    """`Doe 2020`, or `any one of 6 independent sources (Doe 2020; …; and 3 more)`."""
    if len(source_groups) == 1:
        return [name_source(builder, line, source_groups[0])]
    shown_groups = source_groups if len(source_groups) <= NAMED else source_groups[: NAMED - 1]
    names: list[Child] = [name_source(builder, line, each) for each in shown_groups]
    if omitted := len(source_groups) - len(shown_groups):
        names.append(f"and {omitted} more")
    count = builder.independent_sources(len(source_groups))
    return [which, count, " (", join("; ", names), ")"]


def _works_left_out(builder: PageBuilder, line: InquiryLine, source_group: str) -> Html:
    """Name all that the scales leave out with an independent source: its works, the one that
    carries most first.
    """
    effect = _effect_of(builder, line, source_group)
    if effect is None or not effect.sources:
        return name_source(builder, line, source_group)
    first, *others = (
        builder.link_maker.source_or_missing(work, builder.root)
        for work in dict.fromkeys((*effect.carried_by, *effect.sources))
    )
    return (
        Html(f"{first} (counted as one source with {join_with_and(others)})") if others else first
    )


class LeftOut(NamedTuple):
    """What the scales of a line leave out, by the names that their script reads."""

    mute: list[StatementId]  # evidence that cites no work
    falls: list[SourceKey]  # works


def left_out_on_scales(
    context: SiteContext, line: InquiryLine, source_groups: Sequence[str]
) -> LeftOut:
    """What the scales leave out without these independent sources."""
    independence, corpus = context.answers.sources(line.id), context.corpus
    effects = independence.effects if independence else ()
    lost_effects = [each for each in effects if each.source_group in source_groups]
    # evidence that cites nothing in the bibliography is left out by its own id
    mute = [
        id
        for each in lost_effects
        for id in each.evidence
        if corpus.sources.keys().isdisjoint(corpus.statements[id].sources)
    ]
    fallen_keys = [key for each in lost_effects for key in each.sources if key in corpus.sources]
    return LeftOut(mute, fallen_keys)


def _leave_out_button(
    builder: PageBuilder, line: InquiryLine, source_groups: Sequence[str]
) -> Html | None:
    """A button that leaves sources out on the page's scales, if it has any."""
    if builder.context.answers.weighing(line.id) is None:
        return None
    left_out = left_out_on_scales(builder.context, line, source_groups)
    href = f"#weigh?{urlencode(left_out._asdict(), True)}"
    return element("a", "Leave them out on the scales", href=href, class_="kg-button kg-scripted")


# -- what would change it ---------------------------------------------------------------------


def turning_points(builder: PageBuilder, line: InquiryLine) -> Html:
    """The cruxes of a line, and what would turn its answer round."""
    if line.proposition is None:
        return EMPTY
    answers = builder.context.answers
    cruxes, flips = answers.cruxes(line.id), answers.flips(line.id)
    if cruxes is None or flips is None:
        return element("p", _TOO_MANY, class_="kg-none")
    return element(
        "div",
        crux_table(builder, line, cruxes),
        _lost_sources(builder, line, flips),
        _words_without_one_source(builder, line, flips),
    )


def cruxes_that_settle(builder: PageBuilder, line: InquiryLine) -> list[Crux]:
    """The claims that take the answer from its side, by what settling them would do to it, except
    those that merely deny it: the first is the one that `kg crux` names as `undoing`.
    """
    cruxes = builder.context.answers.cruxes(line.id)
    ranked_cruxes = rank_by_effect(cruxes.cruxes) if cruxes else []
    return [each for each in ranked_cruxes if each.undoes and not each.denies]


def crux_table(builder: PageBuilder, line: InquiryLine, cruxes: Cruxes) -> Html | None:
    """The claims that would change an answer, were they settled, and how; None if none would."""
    settling_cruxes = cruxes_that_settle(builder, line)
    if not settling_cruxes:
        return None
    claims = ("this claim", "it") if len(settling_cruxes) == 1 else ("these claims", "any of them")
    lead = element("p", _LEAD_IN_OF_KIND[cruxes.kind].format(*claims), class_="kg-lead-in")
    current_strength = builder.standing(line.proposition or "").strength
    rows: list[list[Child]] = [
        [
            element("th", builder.statement(crux.statement), scope="row"),
            _describe_outcome(crux.when_true, current_strength, crux.if_true, builder.settings),
            _describe_outcome(crux.when_false, current_strength, crux.if_false, builder.settings),
        ]
        for crux in settling_cruxes
    ]
    head = ("Once settled", "If true, the answer", "If false, the answer")
    name = f"Cruxes: {line.title}"  # a page may hold those of many lines
    label = count_of(
        len(rows) - CRUXES_SHOWN_AT_FIRST, "more claim to settle", "more claims to settle"
    )
    cruxes_table = table_collapsed_after(
        head, rows, CRUXES_SHOWN_AT_FIRST, label, name, "kg-cruxes", least_collapsed=1
    )
    return element("div", lead, cruxes_table)


def _describe_outcome(
    effect: SideChange, strength: float | None, new_strength: float, settings: Reasoning
) -> Html:
    """Say what becomes of the answer if its strength changes to `new_strength`."""
    strength_now = "not settled" if strength is None else render_strength(strength, settings)
    numbers = f"{BY_WEIGHTS} {render_strength(new_strength, settings)}, now {strength_now}"
    if effect != "keeps":
        effect_text = element("strong" if effect == "turns" else "span", _EFFECT_IN_WORDS[effect])
    else:
        gain = 0.0 if strength is None else abs(new_strength - 0.5) - abs(strength - 0.5)
        word = ", firmer" if gain >= LITTLE else ", less firm" if gain <= -LITTLE else ""
        effect_text = element("span", f"stays{word}")
    return element("span", effect_text, title=numbers)


def _lost_sources(builder: PageBuilder, line: InquiryLine, flips: Flips) -> Html:
    """The sources without which the answer would leave its side, and where it would stand."""
    single_flips = [*flips.singles, *flips.undoing]
    if single_flips:
        rows = [
            (row_name(name_source(builder, line, flip.removed[0])), _EFFECT_IN_WORDS[flip.does])
            for flip in single_flips
        ]
        head = ("Without this source alone", "The answer")
        return table(head, rows, "Without one source")
    if not flips.minimal_undoing:
        return element("p", _NO_LOSS)
    smallest = flips.minimal_undoing[0]
    number = number_in_words(len(smallest.removed))
    which = "both of these" if number == "two" else f"all {number} of these"
    untried = "" if flips.minimal_undoing_exact else "; fewer may be enough"
    lost = f"No single source would undo the answer. Leave out {which}, and it "
    strength = smallest.strength
    title = (
        None if strength is None else f"{BY_WEIGHTS} {render_strength(strength, builder.settings)}"
    )
    sentence = element("p", lost, _EFFECT_IN_WORDS[smallest.does], untried, ".", title=title)
    names = item_list((_works_left_out(builder, line, each) for each in smallest.removed), None)
    if len(smallest.removed) > LOSSES_SHOWN_AT_FIRST:
        names = collapsible_on_screen(f"The {number} sources", names)
    return join_children((sentence, _leave_out_button(builder, line, smallest.removed), names))


def _words_without_one_source(builder: PageBuilder, line: InquiryLine, flips: Flips) -> Html | None:
    """Without which single sources the answer would stay on its side, but be called by another
    word; or that there is none.
    """
    if not side_of(flips.word):
        return None
    sentences = _word_change_sentences(builder, line, flips.words)
    are_all_tried = flips.words_tried >= flips.tried
    if not sentences and (flips.singles or flips.undoing):
        return None  # the table says which makes it undecided
    if not sentences:
        bound = "" if are_all_tried else _OF_THE_HEAVIEST.format(flips.words_tried)
        return element("p", f"{_SAME_WORD}{bound}.")
    bound = "" if are_all_tried else _TRIED.format(flips.words_tried)
    return element("p", join(" ", sentences), bound)


def _word_change_sentences(
    builder: PageBuilder, line: InquiryLine, changes: Sequence[Flip]
) -> list[Html]:
    """`Without Doe 2020 it would be surer: “probably”, as then …`, one for each word.

    A single source is named with all works of its team or data, which are lost with it.
    """

    def names_of_losses(losses: Sequence[str]) -> list[Child]:
        if len(losses) > 1:
            return any_one_of(builder, line, losses)
        return [_works_left_out(builder, line, losses[0])]

    verdict = builder.context.answers.verdict(line.id)
    why = why_surer(verdict.sureness_basis.limit) if verdict else ""
    return [
        join("", [each.start, *names_of_losses(each.lost), each.end_with(why)])
        for each in sentences_on_words(changes)
    ]


# -- in the box: the one claim that would change it, or that there is none ----------------------


def what_would_change(
    builder: PageBuilder,
    line: InquiryLine,
    other_names: Mapping[StatementId, str] = MappingProxyType({}),
    *,
    with_label: bool = True,
) -> Html | None:
    """The claim that would change the answer, and how, or else how many new studies or whether the
    loss of one source would; and what would not. None if that was not searched. A claim is named by
    its title, unless it is among `other_names`.
    """
    crux, firm = _main_crux(builder, line, other_names), _what_would_not(builder, line)
    label, words = crux or (_UNDOES, _new_studies_or_loss(builder, line))
    if firm:
        firm_html = element("span", firm, class_="kg-firm")
        words = join(" " if crux else ", but ", [words, firm_html] if words else [firm_html])
    if not words:
        return None
    words = words if crux else Html(f"{words}.")
    label_html = element("span", f"{label}: ", class_="kg-label") if with_label else None
    return element("p", label_html, words, class_="kg-settles")


def _main_crux(
    builder: PageBuilder, line: InquiryLine, other_names: Mapping[StatementId, str]
) -> tuple[str, Html] | None:
    """Return what a claim would do to the answer once settled, and the claim; None without such a
    claim.
    """
    crux = next(iter(cruxes_that_settle(builder, line)), None)
    if crux is None:
        return None
    name = other_names.get(crux.statement)
    name = name and f"the {name[:1].lower()}{name[1:]} the answer"
    claim = builder.link_maker.statement(crux.statement, builder.root, line.id, name)
    return crux.effect_name, join("", [claim, ". ", describe_if_settled(crux, builder.settings)])


def _new_studies_or_loss(builder: PageBuilder, line: InquiryLine) -> Html:
    """Say what would undo an answer that no single claim would change: so many new studies, or the
    loss of one source. Empty if neither would, or it was not searched.
    """
    answers = builder.context.answers
    verdict, flips = answers.verdict(line.id), answers.flips(line.id)
    if verdict is None or not verdict.side or flips is None or answers.cruxes(line.id) is None:
        return EMPTY
    changes: list[Child] = []
    if verdict.sureness_basis.fail_safe:
        other = line.answer_for(-verdict.side) and answers_at_ends(line)[verdict.side < 0]
        _, other = sureness_and_answer(verdict.sureness, -verdict.side, other)
        studies = describe_contrary(verdict.sureness_basis.fail_safe, verdict.asked, other)
        changes.append(builder.term(studies, "words-that-are-counted", _NEW_STUDY))
    if flips.singles or flips.undoing:
        changes.append("the loss of one source")
    return join(", or ", changes)


def _what_would_not(builder: PageBuilder, line: InquiryLine) -> Html:
    """Say that the loss of no single source, or of no single claim or source, would undo the
    answer; empty if that of a source would, or it was not searched.
    """
    answers = builder.context.answers
    verdict, flips, cruxes = (
        answers.verdict(line.id),
        answers.flips(line.id),
        answers.cruxes(line.id),
    )
    if verdict is None or not verdict.side or flips is None or cruxes is None:
        return EMPTY
    if flips.singles or flips.undoing:
        return EMPTY
    # that the opposite claim would, were it settled, goes without saying
    if any(each.undoes and not each.denies for each in cruxes.cruxes):
        return Html("Dropping any one source would not undo it.")
    return Html("not dropping any one source or claim")


def describe_if_settled(crux: Crux, settings: Reasoning) -> Html:
    """Say what becomes of the answer once a claim is settled."""
    true_end, false_end = (render_strength(x, settings) for x in (crux.if_true, crux.if_false))
    numbers = f"{BY_WEIGHTS} {true_end} if true, {false_end} if false"
    return element("span", _sentence_if_settled(crux), title=numbers)


def _sentence_if_settled(crux: Crux) -> str:
    """Say what each way of settling a claim would do to the answer; what keeps it is left out."""
    cases = {"true": _OUTCOMES.get(crux.when_true), "false": _OUTCOMES.get(crux.when_false)}
    if cases["true"] == cases["false"]:
        return f"True or false, {cases['true'] or 'the answer stays'}."
    clauses = [f"if that is {case}, {outcome}" for case, outcome in cases.items() if outcome]
    return f"{capitalize_first('; '.join(clauses))}."
