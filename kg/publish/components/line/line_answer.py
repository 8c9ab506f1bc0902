"""The answer of a line in plain words: how far to rely on it and why, the best reason on each
side with the main objection to it, its author's doubt, and what would settle it.
"""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus.reasons_for_and_against import reasons_by_side, statements_by_source
from kg.model import InquiryLine, StatementId
from kg.publish.components.line.answer_computation import how_computed
from kg.publish.components.line.answer_robustness import (
    ROBUSTNESS_ID,
    answers_on_kinds,
    how_sure,
    robustness_facts,
)
from kg.publish.components.line.best_reasons import (
    best_reasons,
    main_evidence,
    sides_without_reason,
    sources_that_carry,
)
from kg.publish.components.line.next_lines import describe_answers_of_lines, lines_affirming
from kg.publish.components.line.replies import (
    best_reply,
    describe_reply,
    for_want_of_reasons,
)
from kg.publish.components.line.turning_points import (
    name_works,
    what_would_change,
)
from kg.publish.components.reasons import reason_of, sort_by_weight
from kg.publish.components.strength_bar import describe_study, standing_line
from kg.publish.graphics.dial import dial
from kg.publish.markup.html import Child, Html, collapsible, element, item_list, join, join_children
from kg.publish.markup.phrases import capitalize_first, describe_balance, second_hand
from kg.publish.markup.short_answers import answers_at_ends
from kg.publish.page_builder import SURENESS_PLACE, PageBuilder
from kg.reasoning.answers.independence import SourceEffect
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.answers.verdict_text import (
    split_answer,
    sureness_and_answer,
)
from kg.reasoning.partial_evidence.evidence_subsets import EVIDENCE_SUBSETS, PEOPLE_SUBSET
from kg.reasoning.reasons.direct_reasons import Reason

DOUBT = "Our main doubt: "
_MAIN_STUDY = "Mainly "
_NO_STUDY = "No study recorded here backs it: it is an argument."
_NO_REPLY = "No reply of the other side to it is recorded."
_ANSWER_TO = "It is itself the answer to: "
_ON_PEOPLE = "Their sample is counted in people; that people graded answers is not enough."
_MAX_STUDIES = 3  # works named for a reason
_NO_QUESTION = "Here no single claim is weighed, so there is no answer; the camps follow."


def line_answer(builder: PageBuilder, line: InquiryLine, places: Sequence[tuple[str, str]]) -> Html:
    """The box under a line's question; `places` are links to further parts of the page, as
    addresses and words. It can be read without knowing the words for strengths.
    """
    if line.proposition is None:
        reason = (" ", builder.inline_html(line.open, line.span.path)) if line.open else ()
        no_question = element("p", _NO_QUESTION, *reason, class_="kg-none")
        return join_children((no_question, doubt_words(builder, line)))
    verdict = builder.context.answers.verdict(line.id)
    if verdict is None:
        claim = element("p", builder.statement(line.proposition))
        standing = standing_line(builder, line.proposition)
        return element("div", standing, claim, doubt_words(builder, line), class_="kg-verdict")
    best = best_reasons(builder.context.corpus, verdict)
    names_of_reasons = {reason.statement: name for name, reason in best}
    limits, _ = answers_on_kinds(builder, line, verdict)
    title_of_checks, why_no_surer = how_sure(builder, line, verdict)
    return element(
        "div",
        element(
            "div", answer_words(builder, line, verdict, f"#{ROBUSTNESS_ID}"), class_="kg-glance"
        ),
        doubt_words(builder, line, limits),
        element("div", dial(builder, line, verdict), class_="kg-gauged"),
        _best_reason_of_each_side(builder, line, verdict),
        what_would_change(builder, line, names_of_reasons),
        collapsible(
            title_of_checks,
            why_no_surer,
            element("div", robustness_facts(builder, line, verdict), id=ROBUSTNESS_ID),
            how_computed(builder, verdict),
            class_="kg-sure kg-on-paper",
        ),
        _ways_on(places, can_be_walked=builder.context.answers.weighing(line.id) is not None),
        id="answer",
        tabindex=-1,
        class_="kg-verdict",
    )


def _ways_on(places: Sequence[tuple[str, str]], *, can_be_walked: bool) -> Html:
    """A button that walks a reader through the answer, if a browser can weigh it, and links to
    `places` (address, words), which look like it.
    """
    walk = element(
        "button",
        "Walk through it",
        type="button",
        data_kg_walk="",
        class_="kg-button kg-first kg-scripted",
    )
    links = [element("a", words, href=href, class_="kg-button") for href, words in places]
    return element("p", walk if can_be_walked else None, *links, class_="kg-onward")


# -- the answer ----------------------------------------------------------------------------


def answer_words(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, place: str = SURENESS_PLACE
) -> Html:
    """The answer in short after the word for how sure it is, which links to `place`; beneath it the
    detail that the line's own answer gives.
    """
    headline, detail = _headline_and_detail(builder, line, verdict, place)
    detail_html = element("p", detail, class_="kg-answer-finding") if detail else None
    return join_children((element("p", *headline, class_="kg-answer-words"), detail_html))


def _headline_and_detail(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, place: str
) -> tuple[list[Child], str]:
    """The answer in the line's own words, or else in those of its proposition."""
    short, detail = split_answer(verdict.answer)
    word, rest = sureness_and_answer(verdict.sureness, verdict.side, short)
    if word:
        return [builder.sureness_word(verdict.sureness, word, place), " ", rest], detail
    balance = capitalize_first(
        describe_balance(verdict.word, verdict.balance.pro, verdict.balance.con)
    )
    if verdict.answer:
        return [short], f"{detail} {balance}".lstrip()
    word = builder.sureness_word(verdict.sureness, capitalize_first(verdict.sureness), place)
    denied = "this does not hold: " if verdict.side < 0 else ""
    claim = builder.statement(line.proposition or "")
    if verdict.side:
        return [word, ": ", denied, claim], ""
    return [word, ". ", balance, " It is asked whether this holds: ", claim], ""


def doubt_words(builder: PageBuilder, line: InquiryLine, limits: str = "") -> Html | None:
    """The author's main doubt about the answer, and then `limits`."""
    tests, place = EVIDENCE_SUBSETS[PEOPLE_SUBSET], "words-that-are-counted"
    limits_html = builder.explain_phrase(limits, tests, place, _ON_PEOPLE)
    if not line.doubt:
        return element("p", limits_html, class_="kg-doubt") if limits else None
    name, end = DOUBT[:-2], DOUBT[-2:]
    label_html = element("span", element("span", name), end, class_="kg-label")
    doubt = builder.inline_html(line.doubt, line.span.path)
    return element("p", label_html, doubt, " " if limits else None, limits_html, class_="kg-doubt")


# -- the best reasons ----------------------------------------------------------------------


def _best_reason_of_each_side(builder: PageBuilder, line: InquiryLine, verdict: Verdict) -> Html:
    """Render the best reason of each side, with the study behind it.

    A fold says why it bears on the answer, what else it rests on and the best reply to it.
    """
    best = best_reasons(builder.context.corpus, verdict)
    rows = [_case_of_side(builder, line, verdict, reason) for _, reason in best]
    rows += [_indirect_case(builder, line, verdict, side) for side in sides_without_reason(verdict)]
    return item_list(rows, "kg-cases")


def _case_of_side(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason
) -> Html:
    corpus, end = builder.context.corpus, answers_at_ends(line)[reason.share > 0]
    camp = builder.link_maker.camp_shown(reason.statement, line.id)
    why = reason_of(builder, corpus.edges_by_id[reason.edge])
    evidence_id = main_evidence(builder, reason.statement)
    is_claim = evidence_id != reason.statement
    studies = _main_studies(builder, reason.statement) if is_claim else None
    return element(
        "li",
        element("p", f"Best reason towards “{end}”", class_="kg-case-side"),
        element("p", builder.statement(reason.statement)),
        _study_behind(builder, evidence_id, is_claim) if evidence_id else studies,
        collapsible(
            "Why it counts, and what is said against it",
            element("p", why, class_="kg-small") if why else None,
            describe_answers_of_lines(
                builder, lines_affirming(builder, line, reason.statement), _ANSWER_TO
            ),
            _quality_of_study(builder, evidence_id) if evidence_id else None,
            studies if evidence_id else None,
            _main_objection(builder, line, verdict, reason),
        ),
        class_=f"kg-case {builder.link_maker.camp_class(camp)}",
    )


def _indirect_case(builder: PageBuilder, line: InquiryLine, verdict: Verdict, side: int) -> Html:
    """What stands for a side of which no direct reason counts."""
    title = element("p", f"Towards “{answers_at_ends(line)[side > 0]}”", class_="kg-case-side")
    words = for_want_of_reasons(builder, line, verdict, side)
    return element("li", title, words, class_="kg-case kg-indirect")


def _study_behind(builder: PageBuilder, evidence_id: StatementId, is_claim: bool) -> Html:
    """`Doe 2020: fair evidence, 201 people`: a piece of evidence, or the one that carries a claim
    most.
    """
    evidence = builder.context.corpus.statements[evidence_id]
    label = element("span", _MAIN_STUDY, class_="kg-label") if is_claim else None
    return element("p", label, *describe_study(builder, evidence), class_="kg-small")


def _quality_of_study(builder: PageBuilder, evidence_id: StatementId) -> Html | None:
    words = builder.context.standings.quality_words(evidence_id)
    label = element("span", "The study: ", class_="kg-label")
    return element("p", label, words, ".", class_="kg-small") if words else None


def _main_studies(builder: PageBuilder, id: StatementId) -> Html | None:
    """The works on which a reason itself rests most, or a remark that there are none."""
    all_effects, main_effects = sources_that_carry(builder, id)
    if not all_effects:
        return element("p", _NO_STUDY, class_="kg-small")
    if not main_effects:
        source_count = builder.independent_sources(len(all_effects))
        return element(
            "p", "It rests on ", source_count, ", none of which moves it alone.", class_="kg-small"
        )
    label = element("span", "It rests most on: ", class_="kg-label")
    named_effects = [each for each in main_effects if each.sources][:_MAX_STUDIES]
    study_names = [_name_study(builder, id, each) for each in named_effects]
    return element("p", label, join("; ", study_names), class_="kg-small") if study_names else None


def _name_study(builder: PageBuilder, id: StatementId, effect: SourceEffect) -> Html:
    """The works of an independent source, and the claim by way of which alone they support `id`."""
    name, corpus = _name_with_reading_note(builder, effect), builder.context.corpus
    reasons = [each.origin for each in sort_by_weight(builder, reasons_by_side(corpus, id).pro)]
    if id in effect.evidence or not {*reasons}.isdisjoint(effect.evidence):
        return name
    source_keys = {*effect.sources}
    for claim in (each for each in reasons if each in effect.routes):
        if not source_keys.isdisjoint(statements_by_source(corpus, claim)):
            return join("", [name, " (by way of ", builder.statement(claim), ")"])
    return name


def _name_with_reading_note(builder: PageBuilder, effect: SourceEffect) -> Html:
    """The works of an independent source, with a note if none of its evidence was read in them."""
    name = name_works(builder, effect.carried_by, papers=True)
    statements = builder.context.corpus.statements
    evidence = [statements[id] for id in effect.evidence]
    if not evidence or not all(map(second_hand, evidence)):
        return name
    return join(" ", [name, element("span", "(second-hand)", class_="kg-unread")])


# -- what is said against a reason ---------------------------------------------------------------


def _main_objection(
    builder: PageBuilder, line: InquiryLine, verdict: Verdict, reason: Reason
) -> Html:
    reply = best_reply(builder, line, verdict, reason)
    if reply is None:
        return element("p", _NO_REPLY, class_="kg-small")
    reason_text = reason_of(builder, reply.edge)
    label = element("span", f"{describe_reply(builder, reply)}: ", class_="kg-label")
    return element("p", label, builder.statement(reply.statement), reason_text, class_="kg-reply")
