"""Disputes in the corpus: every contradiction, with both sides and the support of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import reasons_by_side
from kg.model import Edge, Relation
from kg.publish.components.clashes import Clash, clash_list, group_by_pair, is_answered
from kg.publish.components.reasons import nats_of, sort_by_weight
from kg.publish.components.strength_bar import standing_words
from kg.publish.context.dispute_order import most_disputed
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import (
    Child,
    Html,
    collapse_after,
    element,
    item_list,
    join_children,
    table_collapsed_after,
)
from kg.publish.markup.phrases import capitalize_first
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import count_of, number_in_words

TENSIONS_SHOWN_AT_FIRST = 8  # statements before the rest is collapsed
PAIRS_SHOWN_AT_FIRST = 3  # pairs of each list; the rest is collapsed
ROWS_SHOWN = 150  # of each table: the most important; `kg tensions` lists the rest
_EVEN = "The reasons on both sides count, and neither side clearly wins."
_WAITING = "In each pair a claim objects, and nothing but the other one speaks against it."
_BOTH = "In each pair something else, too, speaks against the claim that objects."
_REPLACED = "One of the two statements is superseded and no longer counts."


def dispute_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one page of contradictions, the most important first."""
    yield LazyPage("disputes.html", partial(_disputes_page, context), WHOLE_CORPUS)


def _disputes_page(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "disputes.html")
    pairs = group_by_pair(corpus, contradictions(corpus))
    live_clashes = [clash for clash in pairs if clash.is_live(corpus)]
    superseded_clashes = [clash for clash in pairs if not clash.is_live(corpus)]
    answered_clashes = [clash for clash in live_clashes if is_answered(corpus, clash)]
    waiting_clashes = [clash for clash in live_clashes if clash not in answered_clashes]
    builder.section("tensions", "Much said on both sides", _list_of_tensions(builder), lead=_EVEN)
    unanswered = _clash_section(builder, waiting_clashes, name_unanswered=True)
    builder.section("open", "Not answered yet", unanswered, lead=_WAITING)
    builder.section(
        "answered", "Answered, not settled", _clash_section(builder, answered_clashes), lead=_BOTH
    )
    builder.section(
        "superseded", "Superseded", _clash_section(builder, superseded_clashes), lead=_REPLACED
    )
    finding = _describe_pairs(len(live_clashes), len(waiting_clashes))
    lead = [_describe_tensions(len(most_disputed(context))), finding]
    names = ("Where the notes disagree", "Disagreements")
    return builder.overview("Disputes", finding, "disputes", lead, search_text=finding, names=names)


def _describe_pairs(live_count: int, waiting_count: int) -> str:
    """Count the pairs of claims that contradict each other, and those in which nothing answers."""
    if not live_count:
        return "No claim of this corpus contradicts another yet."
    if live_count == 1:
        replies = "the objection has no reply yet" if waiting_count else "each side has a reply"
        return f"One claim contradicts another; {replies}."
    has = "has" if waiting_count == 1 else "have"
    replies = f"{number_in_words(waiting_count)} {has} no reply yet"
    if not waiting_count:
        replies = "all have replies on both sides"
    elif waiting_count == live_count:
        replies = "none has a reply yet"
    number = capitalize_first(number_in_words(live_count))
    return f"{number} pairs of claims contradict each other; {replies}."


def _describe_tensions(count: int) -> str:
    """`On 15 claims much is said on both sides. `; empty for none."""
    return f"On {count_of(count, 'claim')} much is said on both sides. " if count else ""


def _list_of_tensions(builder: PageBuilder) -> Html:
    """Statements with heavy reasons on both sides."""
    disputed_ids = most_disputed(builder.context)
    rows: list[list[Child]] = [
        [
            element("th", builder.statement(id), scope="row"),
            standing_words(builder, id),
            item_list(_heaviest_by_side(builder, id)),
        ]
        for id in disputed_ids[:ROWS_SHOWN]
    ]
    label = count_of(len(rows) - TENSIONS_SHOWN_AT_FIRST, "more statement")
    head = ("Statement", "How sure", "Strongest reasons")
    rows_shown = table_collapsed_after(head, rows, TENSIONS_SHOWN_AT_FIRST, label, "Tensions")
    return join_children([rows_shown, _describe_omitted(len(disputed_ids) - len(rows))])


def _heaviest_by_side(builder: PageBuilder, id: str) -> Iterator[Html]:
    """Yield `4 for, the strongest: …` and the same against, of the reasons that have weight."""
    sides = reasons_by_side(builder.context.corpus, id)
    for side, reasons in (("for", sides.pro), ("against", sides.con)):
        counted = [each for each in sort_by_weight(builder, reasons) if nats_of(builder, each)]
        if counted:
            heaviest = builder.statement(counted[0].origin)
            label = f"{len(counted)} {side}{', the strongest' if len(counted) > 1 else ''}: "
            yield element("li", label, heaviest, class_="kg-small")


def contradictions(corpus: Corpus) -> list[Edge]:
    """Contradictions of claims, the most disputed first; those of evidence are on its pages."""
    edges = [
        edge
        for edge in corpus.edges
        if edge.relation is Relation.CONTRADICTS
        and edge.target in corpus.statements
        and corpus.statements[edge.origin].kind != "evidence"
    ]

    def replies(edge: Edge) -> int:
        return sum(len(reasons_by_side(corpus, id).both) for id in (edge.origin, edge.target))

    return sorted(edges, key=lambda edge: (-replies(edge), edge.id))


def _clash_section(
    builder: PageBuilder, clashes: Sequence[Clash], name_unanswered: bool = False
) -> Html | None:
    if not clashes:
        return None
    clashes_shown = clashes[:ROWS_SHOWN]
    label = count_of(len(clashes_shown) - PAIRS_SHOWN_AT_FIRST, "more pair")
    list_clashes = partial(clash_list, builder, name_unanswered=name_unanswered)
    pairs = collapse_after(
        clashes_shown, PAIRS_SHOWN_AT_FIRST, label, list_clashes, least_collapsed=1
    )
    return element("div", pairs, _describe_omitted(len(clashes) - len(clashes_shown)))


def _describe_omitted(count: int) -> Html | None:
    """`2 more are on the pages of their statements.`; None for none."""
    words = f"{count:,} more {'is' if count == 1 else 'are'} on the pages of their statements."
    return element("p", words, class_="kg-more") if count else None
