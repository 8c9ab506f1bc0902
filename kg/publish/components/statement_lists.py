"""Statements in lists: with where each stands, and camp by camp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kg.model import Kind, Statement
from kg.publish.components.strength_bar import standing_words, study_in_short
from kg.publish.markup.html import EMPTY, Html, element
from kg.publish.markup.phrases import count_of
from kg.publish.page_builder import PageBuilder


def kind_counts(statements: Sequence[Statement]) -> list[str]:
    """`4 claims, 1 of them a counter-claim`, `4 pieces of evidence`."""
    counts = Counter(s.kind for s in statements)
    replies, evidence = counts[Kind.COUNTER_CLAIM], counts[Kind.EVIDENCE]
    claims = counts[Kind.CLAIM] + replies
    among = f", {replies} of them {'a counter-claim' if replies == 1 else 'counter-claims'}"
    return [
        *([count_of(claims, "claim") + (among if replies else "")] if claims else []),
        *([count_of(evidence, "piece of evidence", "pieces of evidence")] if evidence else []),
    ]


def add_claims_by_camp(builder: PageBuilder, statements: Sequence[Statement]) -> None:
    """Claims in a column per camp, then those of no camp."""
    corpus = builder.context.corpus
    claims = [s for s in statements if s.kind is not Kind.EVIDENCE]
    columns = [
        element(
            "section",
            element(
                "h3",
                builder.link_maker.camp(camp.id, builder.root),
                element("span", len(held), class_="kg-count"),
            ),
            statement_list(builder, held) or element("p", "Nothing yet.", class_="kg-none"),
            class_=f"kg-camp {builder.link_maker.camp_class(camp.id)}",
        )
        for camp in corpus.config.camps
        for held in [[s for s in claims if corpus.camp_of(s.id) == camp.id]]
    ]
    loose = [s for s in claims if corpus.camp_of(s.id) is None]
    if claims:
        builder.section("claims", "Claims by camp", element("div", *columns, class_="kg-camps"))
    builder.section("no-camp", "Claims of no camp", statement_list(builder, loose))


def add_evidence(builder: PageBuilder, statements: Sequence[Statement]) -> None:
    """Pieces of evidence, each at a glance."""
    evidence = [s for s in statements if s.kind is Kind.EVIDENCE]
    builder.section("evidence", "Evidence", statement_list(builder, evidence))


def statement_list(builder: PageBuilder, statements: Sequence[Statement]) -> Html:
    """Statements in a list, each with where it stands."""
    if not statements:
        return EMPTY
    return element(
        "ul",
        *[element("li", builder.statement(s.id), standing_of(builder, s)) for s in statements],
        class_="kg-plain",
    )


def standing_of(builder: PageBuilder, statement: Statement) -> Html:
    """Where a claim stands, or a piece of evidence at a glance."""
    if statement.kind is Kind.EVIDENCE:
        found = study_in_short(builder, statement)
    else:
        found = [standing_words(builder, statement.id)]
    return element("span", *found, class_="kg-small")
