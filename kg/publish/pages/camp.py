"""All camps in a table, and a page per camp: its answers, then its statements by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from kg.corpus import Corpus
from kg.model import InquiryLine
from kg.model.ids import slug
from kg.model.settings.config import Camp
from kg.publish.components.line.best_reasons import heaviest_reason, sides_without_reason
from kg.publish.components.line.line_camps import placements_in_camp, superseded_list, view_of_camp
from kg.publish.components.line.replies import for_want_of_reasons
from kg.publish.components.reasons import reason_of
from kg.publish.components.statement_lists import kind_counts, statement_list
from kg.publish.components.strength_bar import standing_words
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import (
    Child,
    Html,
    collapsible,
    element,
    fact_row,
    item_list,
    join,
    page_kind_line,
    remark,
    sortable_table,
    table,
)
from kg.publish.markup.phrases import capitalize_first, quote
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.reasons.camp_views import CampView
from kg.reasoning.sureness_words import is_undecided
from kg.text.plurals import count_of, number_in_words

_MAX_LINES_SEEN_AT_ONCE = 10  # with more, readers may filter and sort them


def camp_pages(context: SiteContext) -> Iterator[LazyPage]:
    """The page of all camps, and a page for each declared camp."""
    yield LazyPage("camps/index.html", partial(_camps_page, context), WHOLE_CORPUS)
    for camp in context.corpus.config.camps:
        yield LazyPage(
            context.addresses.camp(camp.id), partial(camp_page, context, camp), WHOLE_CORPUS
        )


def _camps_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, "camps/index.html")
    camps, lines = context.corpus.config.camps, context.corpus.lines.values()
    rows = [_camp_views_of_line(builder, line) for line in lines]
    claims = Counter(context.corpus.camp_of(claim.id) for claim in context.corpus.claims)
    facts: list[Child] = [
        (builder.link_maker.camp(camp.id, builder.root), f" {count_of(claims[camp.id], 'claim')}")
        for camp in camps
    ]
    by_question = sum(
        builder.link_maker.has_camp_by_question(claim.id) for claim in context.corpus.claims
    )
    if by_question:
        facts.append(f"{count_of(by_question, 'claim')} whose camp depends on the question")
    if claims[None] > by_question:
        facts.append(f"{count_of(claims[None] - by_question, 'claim')} of no camp")
    head = ("Question", *[camp.label for camp in camps])
    make_table = table if len(rows) <= _MAX_LINES_SEEN_AT_ONCE else sortable_table
    builder.add(fact_row(*facts), make_table(head, rows, "Camps", "kg-stances"))
    lead = _describe_answers(context)
    return builder.overview("Camps", "The camps, and what each holds.", lead=lead)


def _describe_answers(context: SiteContext) -> str:
    """Count the answers on the side for which each camp argues, and the undecided ones."""
    answers = map(context.answers.verdict, context.corpus.lines)
    verdicts = [each for each in answers if each]
    undecided_count = sum(is_undecided(each.sureness) for each in verdicts)
    sides: list[str] = []
    for camp in context.corpus.config.camps:
        views = [(each, view) for each in verdicts if (view := view_of_camp(each, camp.id))]
        won = sum(
            each.side * view.side > 0 and not is_undecided(each.sureness) for each, view in views
        )
        if views:
            number = number_in_words(won)
            agree = ""
            if not sides:
                number = number if won else "no"
                agree = " answer agrees" if won == 1 else " answers agree"
            sides.append(f"{number}{agree} with {quote(camp.label)}")
    if not sides:
        return ""
    if undecided_count:
        verb = "is" if undecided_count == 1 else "are"
        sides[-1] += f"; {number_in_words(undecided_count)} {verb} undecided"
    return capitalize_first(f"{', '.join(sides)}.")


def _camp_views_of_line(builder: PageBuilder, line: InquiryLine) -> list[Child]:
    """A line, and for each camp its heaviest reason there and its number of statements."""
    verdict = builder.context.answers.verdict(line.id)
    row: list[Child] = [element("th", builder.link_of(line.id), scope="row")]
    for camp in builder.context.corpus.config.camps:
        current, _ = placements_in_camp(builder.context.corpus, line, camp.id)
        view = view_of_camp(verdict, camp.id) if verdict else None
        size = remark(count_of(len(current), "statement"))
        row.append([*_case_of_camp(builder, line, verdict, view, in_full=False), size])
    return row


def _case_of_camp(
    builder: PageBuilder,
    line: InquiryLine,
    verdict: Verdict | None,
    view: CampView | None,
    *,
    in_full: bool,
) -> list[Child]:
    """The answer for which a camp argues and its heaviest reason, `in_full` with its standing;
    where nothing counts directly for that side, what the box of the answer says instead.
    """
    if verdict is None or view is None or not view.side:
        return []
    if view.side in sides_without_reason(verdict):
        return [for_want_of_reasons(builder, line, verdict, view.side)]
    reason = heaviest_reason(builder, line, verdict, view)
    best: list[Child] = ["Best reason: ", builder.statement(reason.statement)] if reason else []
    if reason and in_full:
        best += [" ", standing_words(builder, reason.statement)]
    words = element("p", line.answer_for(view.side))
    return [words, element("p", best, class_="kg-small") if best else None]


def camp_page(context: SiteContext, camp: Camp) -> Page:
    """Render what one camp says to each question, and then all its statements, by line."""
    corpus = context.corpus
    builder = PageBuilder(context, context.addresses.camp(camp.id))
    placements = [placement for placement in corpus.placements if placement.camp == camp.id]
    camp_claims = [s for s in corpus.claims if corpus.camp_of(s.id) == camp.id]
    builder.add(
        page_kind_line("Camp"),
        element(
            "h1",
            builder.link_maker.mark(camp.id),
            " ",
            camp.label,
            class_=builder.link_maker.camp_class(camp.id),
        ),
        fact_row(*kind_counts(camp_claims)),
    )
    lines = list(dict.fromkeys(placement.line for placement in placements))
    rows = [_answer_of_camp(builder, id, camp) for id in lines]
    answer_list = item_list(rows, "kg-plain kg-says")
    builder.section("says", "What this camp says to each question", answer_list)
    placement_lists = [_placements_in_line(builder, id, camp.id) for id in lines]
    builder.section("placed", "All its statements, question by question", join("", placement_lists))
    proposition_ids = {line.proposition for line in corpus.lines.values()}
    placed_ids = {placement.statement for placement in placements} | proposition_ids
    rest = statement_list(builder, [s for s in camp_claims if s.id not in placed_ids])
    builder.section("others", "Claims of this camp in no question", rest)
    description = f"What the {camp.label.lower()} camp holds."
    return builder.page(
        "camp",
        camp.label,
        description,
        facets={"kind": ("Camp",)},
        aliases=_address_from_label(corpus, camp),
    )


def _address_from_label(corpus: Corpus, camp: Camp) -> tuple[str, ...]:
    """The label as one more address, since readers do not see the id, if no other camp has it."""
    camp_names = [*corpus.config.camp_ids, *(slug(each.label) for each in corpus.config.camps)]
    name = slug(camp.label)
    return (name,) if camp_names.count(name) == 1 else ()


def _answer_of_camp(builder: PageBuilder, id: str, camp: Camp) -> Html:
    """A question, the answer that a camp argues for, its heaviest reason, and the answer with all
    camps heard.
    """
    line = builder.context.corpus.lines[id]
    head = element("p", builder.link_of(id), class_="kg-card-title")
    verdict = builder.context.answers.verdict(id)
    view = view_of_camp(verdict, camp.id) if verdict else None
    if verdict is None or view is None:
        return element("li", head)
    answer = answer_at_end(line, verdict.sureness, verdict.side)
    outcome = builder.sureness_word(verdict.sureness, answer)
    return element(
        "li",
        head,
        *_case_of_camp(builder, line, verdict, view, in_full=True),
        element("p", "With the reasons of all sides: ", outcome, ".", class_="kg-small"),
    )


def _placements_in_line(builder: PageBuilder, line_id: str, camp: str) -> Html:
    """The statements that a line places in a camp, collapsed under its question."""
    corpus = builder.context.corpus
    current, superseded = placements_in_camp(corpus, corpus.lines[line_id], camp)
    rows = [
        (
            builder.link_maker.statement(placement.statement, builder.root, line_id),
            " ",
            element("span", standing_words(builder, placement.statement), class_="kg-small"),
            reason_of(builder, placement),
        )
        for placement in current
    ]
    return collapsible(
        f"{corpus.lines[line_id].title} {count_of(len(current), 'statement')}",
        item_list(rows),
        superseded_list(builder, superseded),
        id=f"line-{line_id}",
    )
