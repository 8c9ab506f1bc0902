"""Pages per topic and per named thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kg.corpus import Corpus
from kg.corpus.glossary_names import other_names
from kg.model import Statement, StatementId
from kg.model.records import GlossaryTerm
from kg.publish.components.answer.answer import answer_in_short
from kg.publish.components.statement_lists import (
    add_claims_by_camp,
    add_evidence,
    kind_counts,
)
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import file_name
from kg.publish.markup.html import EMPTY, Html, element, fact_row, page_kind_line
from kg.publish.markup.phrases import count_of, topic_in_words
from kg.publish.page import LazyPage, Page
from kg.publish.page_builder import PageBuilder


def topic_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each topic with a statement."""
    for name, statements in context.corpus.topics.items():
        url = context.addresses.topic(name)
        make = partial(_group_page, context, url, "topic", "Topic", name, statements)
        yield LazyPage(url, make, ("topics", name))


def named_thing_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each study, method or work that statements name."""
    for name, ids in context.statements_by_name.items():
        url = context.addresses.about(name)
        make = partial(_about_page, context, url, name, ids)
        yield LazyPage(url, make, ("statements_by_name", name))


def _about_page(context: SiteContext, url: str, name: str, ids: Sequence[StatementId]) -> Page:
    statements = [context.corpus.statements[id] for id in ids]
    return _group_page(context, url, "about", "What the notes say about", name, statements)


def _group_page(
    context: SiteContext,
    url: str,
    kind: str,
    label: str,
    name: str,
    statements: Sequence[Statement],
) -> Page:
    builder = PageBuilder(context, url)
    counts = kind_counts(statements)
    lines = lines_with(context.corpus, statements)
    if kind == "topic":
        counts[0] = f"tagged: {counts[0]}"
        lines = lines_of_topic(context, name, statements)
    title = topic_in_words(name) if kind == "topic" else name
    term = context.corpus.term(name)
    builder.add(
        page_kind_line(label),
        element("h1", title),
        element("p", builder.inline_html(term.text, term.span.path), class_="kg-standfirst")
        if term
        else None,
        fact_row(
            *counts,
            f"in {count_of(len(lines), 'inquiry line')}" if lines else None,
        ),
    )
    line_list = element("ul", *[_line_in_short(builder, id) for id in lines], class_="kg-plain")
    add_findings = partial(add_evidence, builder, statements)
    add_lines = partial(builder.section, "lines", "Inquiry lines", line_list if lines else EMPTY)
    # for a name, readers look for findings; for a topic, for questions
    first, last = (add_findings, add_lines) if kind == "about" else (add_lines, add_findings)
    first()
    add_claims_by_camp(builder, statements)
    last()
    return builder.page(
        kind,
        title,
        f"{label} {title}: {count_of(len(statements), 'statement')}.",
        search_text=term.text if term else "",
        names=tuple(other_names(context.corpus, [name])),
        aliases=tuple(_redirect_addresses(context, term, name)) if term and kind == "about" else (),
        facets={"kind": ("Topic" if kind == "topic" else "Name",)},
    )


def _redirect_addresses(context: SiteContext, term: GlossaryTerm, name: str) -> Iterator[str]:
    """Addresses for the other names of a topic, which redirect to its page."""
    used_names = (each for each in term.names if each != name and each in context.corpus.about)
    return (f"about/{file_name(each)}.html" for each in used_names)


def lines_with(corpus: Corpus, statements: Sequence[Statement]) -> list[str]:
    """The lines that place one of the statements."""
    places = [
        placement.line for s in statements for placement in corpus.placements_of.get(s.id, ())
    ]
    return list(dict.fromkeys(places))


def lines_of_topic(context: SiteContext, name: str, statements: Sequence[Statement]) -> list[str]:
    """The lines that name a topic, then those that place one of its statements."""
    placing_lines = lines_with(context.corpus, statements)
    return list(dict.fromkeys([*context.lines_by_topic.get(name, ()), *placing_lines]))


def _line_in_short(builder: PageBuilder, id: str) -> Html:
    """A line's question and its current answer."""
    short_answer = answer_in_short(builder, builder.context.corpus.lines[id])
    answer = element("span", short_answer, class_="kg-reason") if short_answer else None
    return element("li", builder.link_of(id), answer)
