"""All statements in one table that can be sorted and filtered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from kg.corpus import Corpus
from kg.model import Kind, SourceKey, Statement
from kg.publish.components.argument import edges_against, edges_for
from kg.publish.components.evidence import table
from kg.publish.context.page_builder import PageBuilder, kicker
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Child, Html, as_script_json, element
from kg.publish.markup.words import KINDS, in_words
from kg.publish.page import NOTHING, Draft, Page, Twin

STATIC_ROWS = 200
HEAD = ("Statement", "Kind", "Camp", "For", "Against", "Studies", "Year")

# What the table says of a statement, and its topics.
_Row = tuple[tuple[object, ...], tuple[str, ...]]


def statements_pages(context: SiteContext) -> Iterator[Draft]:
    """The table of statements; its rows are in the twin, so the page itself stays light."""
    yield Draft("statements/index.html", partial(_statements, context), NOTHING)


def _statements(context: SiteContext) -> Page:
    corpus = context.corpus
    sheet = PageBuilder(context, "statements/index.html")
    found = sorted(
        corpus.statements.values(), key=lambda s: (s.kind is Kind.EVIDENCE, -_load(corpus, s), s.id)
    )
    sheet.add(
        kicker("Overview"),
        element("h1", "Statements"),
        _explained(len(found)),
        _table(sheet, found),
    )
    rows = [(_values(context, s), s.topics) for s in found]
    return Page(
        url=sheet.url,
        kind="index",
        title="Statements",
        html=sheet.html("statements"),
        description=f"All {len(found):,} statements, to sort and filter.",
        twins=(
            Twin(
                suffix=".rows.js",
                media_type="text/javascript",
                content=f"kgRows({as_script_json(_shared(context, rows))});\n",
            ),
            Twin(
                suffix=".json",
                media_type="application/json",
                content=json.dumps(
                    [_named((*row, topics)) for row, topics in rows], ensure_ascii=False
                ),
            ),
        ),
        facets={"kind": ("Overview",)},
    )


def _load(corpus: Corpus, statement: Statement) -> int:
    return len(corpus.edges_to.get(statement.id, ())) + len(corpus.edges_from.get(statement.id, ()))


def _explained(total: int) -> Html:
    words = f"All {total:,} of them, claims first, the ones with most links on top."
    rest = (
        f" Without scripts the first {STATIC_ROWS} are listed here; topics and inquiry "
        f"lines lead to all others."
    )
    hint = element("noscript", rest) if total > STATIC_ROWS else None
    return element("p", words, hint, class_="kg-standfirst")


def _table(sheet: PageBuilder, found: list[Statement]) -> Html:
    rows = [_row(sheet, s) for s in found[:STATIC_ROWS]]
    whole = table(HEAD, rows, "Statements", "kg-rows")
    return element(
        "div", whole, data_kg_rows="index.rows.js", data_kg_root=sheet.root, class_="kg-big-table"
    )


def _row(sheet: PageBuilder, statement: Statement) -> list[Child]:
    corpus = sheet.context.corpus
    camp = corpus.camp_of(statement.id)
    return [
        element("th", sheet.statement(statement.id), scope="row"),
        KINDS[statement.kind],
        sheet.chips.camp_label(camp) if camp else "–",
        len(edges_for(corpus, statement.id)),
        len(edges_against(corpus, statement.id)),
        sheet.context.studies.get(statement.id, 0),
        _year(corpus, statement) or "–",
    ]


def _values(context: SiteContext, statement: Statement) -> tuple[object, ...]:
    corpus = context.corpus
    return (
        statement.title,
        context.addresses.statement(statement.id),
        KINDS[statement.kind],
        corpus.camp_of(statement.id),
        len(edges_for(corpus, statement.id)),
        len(edges_against(corpus, statement.id)),
        context.studies.get(statement.id, 0),
        _year(corpus, statement),
    )


def _shared(context: SiteContext, found: list[_Row]) -> dict[str, object]:
    camps = [
        {
            "id": camp.id,
            "label": camp.label,
            "mark": context.chips.mark_classes(camp.id),
            "class": context.chips.camp_class(camp.id),
        }
        for camp in context.corpus.config.camps
    ]
    rows = [(*row, tuple(map(in_words, topics))) for row, topics in found]
    return {"camps": camps, "kinds": [KINDS[kind] for kind in Kind], "rows": rows}


def _named(row: tuple[object, ...]) -> dict[str, object]:
    names = ("title", "page", "kind", "camp", "for", "against", "sources", "year", "topics")
    return dict(zip(names, row, strict=True))


def _year(corpus: Corpus, statement: Statement) -> int | None:
    """The year of the latest source that a statement rests on."""
    years = [corpus.sources[key].year or 0 for key in _sources(corpus, statement)]
    return max(years, default=0) or None


def _sources(corpus: Corpus, statement: Statement) -> set[SourceKey]:
    """What a statement and the evidence that supports it directly cite."""
    below = (corpus.statements.get(edge.source) for edge in edges_for(corpus, statement.id))
    evidence = [s for s in below if s and s.kind is Kind.EVIDENCE]
    return {key for s in (statement, *evidence) for key in s.sources if key in corpus.sources}
