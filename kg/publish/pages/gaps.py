"""The page of gaps: claims without evidence, open questions, evidence that nobody has seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model import Kind, SeenIn, Statement
from kg.publish.components.line.turning_points import what_would_change
from kg.publish.components.statement_lists import have_thin_support, thin_claims
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import (
    Child,
    Html,
    collapse_after,
    element,
    item_list,
    remark,
    row_name,
    table,
)
from kg.publish.markup.phrases import SEEN
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import count_of

GAPS_SHOWN_AT_FIRST = 6  # of each list; the rest is collapsed
GAPS_SHOWN = 200  # of each list: the most important come first


def gap_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one page of gaps and open questions."""
    yield LazyPage("gaps.html", partial(_gaps_page, context), WHOLE_CORPUS)


def _gaps_page(context: SiteContext) -> Page:
    """Render what is missing: tests, answers, evidence, independent sources, and passages not
    seen.
    """
    corpus = context.corpus
    builder = PageBuilder(context, "gaps.html")
    without_evidence = sort_claims_without_evidence(context)
    next_questions = _questions_to_ask(builder)
    thinly_based = thin_claims(context)
    unseen_evidence = [s for s in corpus.evidence if s.seen_in not in (None, SeenIn.PRIMARY)]
    # those without evidence are listed as such
    unsettled = [s for s in corpus.statements.values() if s.open and s not in without_evidence]
    builder.section(
        "questions",
        "Questions this site leaves open",
        item_list(next_questions),
    )
    builder.section("changes", "What would change the answers", _changes_of_answers(builder))
    builder.section(
        "thin",
        "Claims with almost all their support from one source",
        _statement_section(builder, thinly_based),
    )
    builder.section(
        "without-evidence",
        "Claims without evidence",
        _statement_section(builder, without_evidence),
        lead="No evidence supports them, directly or by way of other claims. Some cite a source "
        "themselves.",
    )
    builder.section(
        "unsettled",
        "What the authors of the notes call unsettled",
        _statement_section(builder, unsettled),
    )
    builder.section(
        "unseen",
        "Findings known only second-hand",
        _statement_section(builder, unseen_evidence),
        lead="The author of the note did not see the finding or its numbers in the source itself.",
    )
    return builder.overview(
        "Gaps",
        f"{count_of(len(without_evidence), 'claim')} without evidence and "
        f"{count_of(len(next_questions), 'open question')}.",
        "gaps",
        _chief_gaps(len(corpus.claims), len(without_evidence), len(thinly_based)),
        names=("Gaps and open questions",),
    )


def _chief_gaps(claim_count: int, count_without: int, thin_count: int) -> str:
    """Say what the claims of the corpus lack."""
    parts = []
    if count_without:
        parts.append(f"{count_without} {'has' if count_without == 1 else 'have'} no evidence")
    if thin_count:
        parts.append(f"{thin_count} {have_thin_support(thin_count)}")
    if not parts:
        return "No claim lacks evidence or has almost all its support from one source."
    return f"Of {count_of(claim_count, 'claim')}, {', and '.join(parts)}."


def sort_claims_without_evidence(context: SiteContext) -> list[Statement]:
    """Claims without a chain of support from any evidence; those with most edges first."""
    corpus = context.corpus
    claims = [corpus.statements[id] for id in context.standings.claims_without_evidence]
    return sorted(
        claims,
        key=lambda s: (
            -len(corpus.edges_from.get(s.id, ())) - len(corpus.edges_to.get(s.id, ())),
            s.id,
        ),
    )


def _changes_of_answers(builder: PageBuilder) -> Html:
    """List what would change each line's answer, as its own page says, in the same order."""
    lines = builder.context.corpus.lines.values()
    changes = ((line, what_would_change(builder, line, with_label=False)) for line in lines)
    rows = [(row_name(builder.link_of(line.id)), change) for line, change in changes if change]
    return table(("Question", "What would change its answer"), rows, "Changes of answers")


def _questions_to_ask(builder: PageBuilder) -> list[Html]:
    """Next questions of lines that no line asks yet."""
    return [
        element(
            "li",
            builder.inline_html(next_step.question, next_step.span.path),
            remark("asked in ", builder.link_of(line.id)),
        )
        for line in builder.context.corpus.lines.values()
        for next_step in line.next
        if next_step.target is None
    ]


def _statement_section(builder: PageBuilder, statements: Sequence[Statement]) -> Html:
    items: list[Child] = [_item_with_note(builder, s) for s in statements[:GAPS_SHOWN]]
    if len(statements) > GAPS_SHOWN:
        more = f"and {len(statements) - GAPS_SHOWN:,} more, on the pages of their topics"
        items.append(element("li", more, class_="kg-more"))
    return collapse_after(
        items, GAPS_SHOWN_AT_FIRST, f"{len(items) - GAPS_SHOWN_AT_FIRST:,} more", item_list
    )


def _item_with_note(builder: PageBuilder, statement: Statement) -> Html:
    note: Child = None
    if statement.id in builder.context.standings.claims_without_evidence:
        backing = reasons_by_side(builder.context.corpus, statement.id).pro
        note = "backed by claims alone, with no evidence beneath" if backing else None
    if statement.open:
        note = builder.inline_html(statement.open, statement.span.path)
    elif statement.kind is not Kind.EVIDENCE and statement.sources:
        note = ["argued in ", builder.link_maker.sources(statement.sources, builder.root)]
    elif statement.seen_in:
        sources = builder.link_maker.sources(statement.sources, builder.root)
        note = [sources, f"; seen in {SEEN[statement.seen_in]}"]
    return element("li", builder.statement(statement.id), remark(note))
