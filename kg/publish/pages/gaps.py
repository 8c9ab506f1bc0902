"""What is missing: claims without evidence, questions left open, evidence nobody has seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kg.corpus import Corpus
from kg.corpus.sides import reasons_by_side
from kg.model import Kind, SeenIn, Statement
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Child, Html, collapsible, element, fact_row, join, table
from kg.publish.markup.phrases import SEEN, count_of
from kg.publish.page import WHOLE_CORPUS, Page, PageDraft
from kg.publish.page_builder import PageBuilder
from kg.report import render_signed

if TYPE_CHECKING:
    from kg.reasoning.answers.gaps import Gap

THIN_SHOWN = 3  # claims of a line before the rest is folded
_FAR = ((0.2, "far"), (0.05, "some way"), (0.005, "a little"))  # from so much of its scale on
UNFOLDED = 6  # of each list before the rest is folded
GAPS_SHOWN = 200  # of each list: the first are worth filling first


def gap_pages(context: SiteContext) -> Iterator[PageDraft]:
    """One page of gaps and open questions."""
    yield PageDraft("gaps.html", partial(_gaps, context), WHOLE_CORPUS)


def _gaps(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "gaps.html")
    bare, asked = unsupported(context), _questions(builder)
    unseen, thin = _unseen(corpus), thin_claims(context)
    unsure = [one for one in _with_open_questions(corpus) if one not in bare]  # these say so above
    builder.add(
        fact_row(
            f"{count_of(len(bare), 'claim')} without evidence",
            f"{count_of(len(thin), 'claim')} on hardly more than one independent source"
            if thin
            else None,
            count_of(len(asked), "open question"),
            f"{count_of(len(unseen), 'piece of evidence', 'pieces of evidence')} not seen in "
            f"{'its source' if len(unseen) == 1 else 'their sources'}",
        ),
    )
    builder.section(
        "thin",
        "Where one more study would tell most",
        _thin(builder, thin),
        lead="Claims that rest on hardly more than one independent source, first those that would "
        "move the answer of an inquiry line most, were it known whether they are true.",
    )
    builder.section(
        "questions",
        "Questions the inquiry leaves open",
        element("ul", *asked, class_="kg-plain") if asked else None,
    )
    builder.section(
        "unsupported",
        "Claims no evidence leads to",
        _statement_section(builder, bare),
        lead="No chain of support leads to them from a piece of evidence. Some cite a source "
        "themselves.",
    )
    builder.section(
        "unsettled", "What statements say is not settled", _statement_section(builder, unsure)
    )
    builder.section(
        "unseen",
        "Evidence whose figures were not seen in its own source",
        _statement_section(builder, unseen),
    )
    return builder.overview(
        "Gaps and open questions",
        f"{count_of(len(bare), 'claim')} without evidence and "
        f"{count_of(len(asked), 'open question')}.",
        "gaps",
        "What do the notes not know, and where would it be worth looking next?",
    )


def unsupported(context: SiteContext) -> list[Statement]:
    """Claims that no chain of support reaches from a piece of evidence; the busiest first."""
    corpus = context.corpus
    bare = [corpus.statements[id] for id in context.strengths.unsupported]
    return sorted(
        bare,
        key=lambda s: (
            -len(corpus.edges_from.get(s.id, ())) - len(corpus.edges_to.get(s.id, ())),
            s.id,
        ),
    )


def thin_claims(context: SiteContext) -> list[Gap]:
    """Claims that rest on hardly more than one source, the ones that matter most first."""
    found = context.strengths.gaps
    return [gap for gap in found.gaps if gap.kind == "thin"] if found else []


def _thin(builder: PageBuilder, thin: Sequence[Gap]) -> list[Html]:
    """A table for each inquiry line, first the line with the claim that would move it most."""
    by_line: dict[str | None, list[Gap]] = {}
    for gap in thin[:GAPS_SHOWN]:
        by_line.setdefault(gap.line, []).append(gap)
    parts: list[Html] = []
    for line, gaps in by_line.items():
        title = builder.context.corpus.lines[line].title if line else "Of no inquiry line"
        rows = [_thin_row(builder, gap) for gap in gaps]
        head = ("Claim", "Would move the answer")
        parts.append(element("h3", builder.any(line) if line else title))
        parts.append(table(head, rows[:THIN_SHOWN], f"Thin claims: {title}", "kg-thin"))
        if rest := rows[THIN_SHOWN:]:
            more = table(head, rest, f"Thin claims, continued: {title}", "kg-thin")
            parts.append(collapsible(count_of(len(rest), "more claim"), more, class_="kg-on-paper"))
    return parts


def _thin_row(builder: PageBuilder, gap: Gap) -> list[Child]:
    gain = gap.gain or 0.0
    far = next((word for least, word in _FAR if abs(gain) >= least), "hardly")
    return [
        element("th", builder.statement(gap.statement), scope="row"),
        element("span", far, title=f"by {render_signed(gain)} on its scale from 0 to 1"),
    ]


def _questions(builder: PageBuilder) -> list[Html]:
    """Next questions of the lines that no line takes up yet."""
    return [
        element(
            "li",
            builder.words(step.question, step.span.path),
            element("span", "asked in ", builder.any(line.id), class_="kg-reason"),
        )
        for line in builder.context.corpus.lines.values()
        for step in line.next
        if step.target is None
    ]


def _with_open_questions(corpus: Corpus) -> list[Statement]:
    return [s for s in corpus.statements.values() if s.open]


def _unseen(corpus: Corpus) -> list[Statement]:
    return [s for s in corpus.evidence if s.seen_in not in (None, SeenIn.PRIMARY)]


def _statement_section(builder: PageBuilder, statements: Sequence[Statement]) -> Html | None:
    if not statements:
        return None
    items: list[Child] = [_item(builder, s) for s in statements[:GAPS_SHOWN]]
    if len(statements) > GAPS_SHOWN:
        items.append(
            element(
                "li",
                f"and {len(statements) - GAPS_SHOWN:,} more, on the pages of their topics",
                class_="kg-more",
            )
        )
    shown, rest = items[:UNFOLDED], items[UNFOLDED:]
    if len(rest) < 2:
        return element("ul", *items, class_="kg-plain")
    more = element("ul", *rest, class_="kg-plain")
    folded = collapsible(f"{len(rest):,} more", more, class_="kg-on-paper")
    return join("", [element("ul", *shown, class_="kg-plain"), folded])


def _item(builder: PageBuilder, statement: Statement) -> Html:
    backing = reasons_by_side(builder.context.corpus, statement.id).pro
    note: Child = "backed by claims alone, with no evidence beneath" if backing else None
    if statement.open:
        note = builder.words(statement.open, statement.span.path)
    elif statement.kind is not Kind.EVIDENCE and statement.sources:
        note = ["argued in ", builder.link_maker.sources(statement.sources, builder.root)]
    elif statement.seen_in:
        where = f"figures seen only in {SEEN[statement.seen_in]}"
        if statement.seen_in is SeenIn.NOT_SEEN:
            where = f"figures seen in {SEEN[statement.seen_in]}"
        note = [builder.link_maker.sources(statement.sources, builder.root), "; ", where]
    return element(
        "li",
        builder.statement(statement.id),
        element("span", note, class_="kg-reason") if note else None,
    )
