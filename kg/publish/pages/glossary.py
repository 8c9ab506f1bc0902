"""The glossary: what topics, names and terms of art mean, group by group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import groupby

from kg.model.records import Term, fold_term
from kg.publish.markup.html import Html, element, facts, page_kind_line
from kg.publish.markup.words import count_of
from kg.publish.page import NOTHING, Draft, Page
from kg.publish.page_builder import PageBuilder
from kg.publish.site_context import SiteContext

GLOSSARY = "glossary.html"


def glossary_pages(context: SiteContext) -> Iterator[Draft]:
    """One page of all terms, where notes explain any."""
    if context.corpus.terms:
        yield Draft(GLOSSARY, partial(_glossary, context), NOTHING)


def _glossary(context: SiteContext) -> Page:
    builder = PageBuilder(context, GLOSSARY)
    terms = context.corpus.terms
    size = count_of(len(terms), "entry", "entries")
    builder.add(page_kind_line("Overview"), element("h1", "Glossary"), facts(size))
    groups = groupby(terms, key=lambda term: (term.span.path, term.group))
    for number, ((_, group), held) in enumerate(groups, 1):
        rows = [part for term in held for part in _entry(builder, term)]
        builder.section(f"group-{number}", group or "Terms", element("dl", *rows))
    return Page(
        url=GLOSSARY,
        kind="index",
        title="Glossary",
        html=builder.html("glossary"),
        toc=tuple(builder.toc),
        description=f"What {size} mean: topics, names and terms of art.",
        facets={"kind": ("Overview",)},
    )


def _entry(builder: PageBuilder, term: Term) -> tuple[Html, Html]:
    others = f" · {' · '.join(term.names[1:])}" if term.names[1:] else ""
    names = element("strong", term.name), element("span", others, class_="kg-small")
    text = builder.words(term.text, term.span.path)
    used = [part for tag in _used(builder, term) for part in (" ", tag)]
    return element("dt", *names, id=anchor(term)), element("dd", text, *used)


def _used(builder: PageBuilder, term: Term) -> list[Html]:
    """Links to the pages of what the term names."""
    corpus, links = builder.context.corpus, builder.link_maker
    topics = [links.topic(name, builder.root) for name in _named(corpus.topics, term)]
    return [
        *topics,
        *(links.about(name, builder.root) for name in _named(corpus.about, term)),
    ]


def _named(among: Iterable[str], term: Term) -> list[str]:
    names = {fold_term(name) for name in term.names}
    return [name for name in among if fold_term(name) in names]


def anchor(term: Term) -> str:
    """Where a term stands on the page of the glossary."""
    return "term-" + fold_term(term.name).replace(" ", "-")
