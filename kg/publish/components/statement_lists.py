"""Statements in lists: with what speaks for and against each, and camp by camp."""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus.sides import sides_of
from kg.model import Kind, Statement
from kg.publish.markup.html import EMPTY, Html, element
from kg.publish.markup.phrases import KINDS_COUNTED, count_of
from kg.publish.page_builder import PageBuilder


def kind_counts(statements: Sequence[Statement]) -> list[str]:
    """`3 claims`, `1 counter-claim`, `4 pieces of evidence`."""
    return [
        count_of(number, *KINDS_COUNTED[kind])
        for kind in Kind
        if (number := sum(s.kind is kind for s in statements))
    ]


def add_by_camp(builder: PageBuilder, statements: Sequence[Statement]) -> None:
    """Claims in a column per camp, then those of no camp, then evidence."""
    corpus = builder.context.corpus
    claims = [s for s in statements if s.kind is not Kind.EVIDENCE]
    evidence = [s for s in statements if s.kind is Kind.EVIDENCE]
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
    builder.section("evidence", "Evidence", statement_list(builder, evidence))


def statement_list(builder: PageBuilder, statements: Sequence[Statement]) -> Html:
    """Statements in a list, each with what speaks for and against it."""
    if not statements:
        return EMPTY
    return element(
        "ul",
        *[element("li", builder.statement(s.id), reason_counts(builder, s)) for s in statements],
        class_="kg-plain",
    )


def reason_counts(builder: PageBuilder, statement: Statement) -> Html:
    """`3 for · 1 against`, or the sources of a piece of evidence."""
    if statement.kind is Kind.EVIDENCE:
        return element(
            "span", builder.link_maker.sources(statement.sources, builder.root), class_="kg-small"
        )
    sides = sides_of(builder.context.corpus, statement.id)
    words = f"{len(sides.pro)} for · {len(sides.con)} against"
    return element("span", words, class_="kg-small")
