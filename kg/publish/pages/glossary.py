"""The page of all terms that notes explain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from kg.corpus import Corpus
from kg.model.glossary_term import GlossaryTerm, fold_term
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import Child, Html, element, join
from kg.publish.markup.phrases import first_sentence
from kg.publish.markup.prose import TextPlace
from kg.publish.page import WHOLE_CORPUS, LazyPage, Page, Passage
from kg.publish.page_builder import PageBuilder
from kg.text.plurals import count_of

GLOSSARY = "glossary.html"
MAX_TERMS_UNDIVIDED = 30  # terms of a group; larger groups are divided by letters


def glossary_pages(context: SiteContext) -> Iterator[LazyPage]:
    """Yield one page of all terms, if notes explain any."""
    if context.corpus.terms:
        yield LazyPage(GLOSSARY, partial(_glossary_page, context), WHOLE_CORPUS)


def _glossary_page(context: SiteContext) -> Page:
    builder = PageBuilder(context, GLOSSARY)
    terms = context.corpus.terms
    size = count_of(len(terms), "entry")
    builder.add(Html("<div data-kg-filter>"))
    groups = groupby(terms, key=lambda term: (term.span.path, term.group))
    for number, ((_, group), group_terms) in enumerate(groups, 1):
        builder.section(
            f"group-{number}", group or "Terms", _term_lists(builder, list(group_terms), number)
        )
    builder.add(Html("</div>"))
    jumps = [element("a", each.text, href=f"#{each.id}") for each in builder.toc]
    builder.parts[:0] = (element("p", join(" · ", jumps), class_="kg-jumps"),)
    description = f"What {size} mean: topics, names and terms of art."
    passages = tuple(
        _passage_of_term(builder, term) for term in terms if not _pages_of(context.corpus, term)
    )
    return builder.overview("Glossary", description, "glossary", passages=passages)


def _passage_of_term(builder: PageBuilder, term: GlossaryTerm) -> Passage:
    context = builder.context
    prose = context.renderer.render(term.text, TextPlace(path=term.span.path, flat=True))
    corpus = context.corpus
    targets = [corpus.statements.get(id) or corpus.lines.get(id) for id in prose.linked_ids]
    return Passage(
        id=_anchor_of_term(term),
        facet="Term",
        names=term.names,
        text=term.text,
        links=tuple((context.addresses.of(each.id), each.title) for each in targets if each),
    )


def _pages_of(corpus: Corpus, term: GlossaryTerm) -> list[str]:
    return _names_of_term(corpus.topics, term) + _names_of_term(corpus.about, term)


def _term_lists(builder: PageBuilder, terms: Sequence[GlossaryTerm], number: int) -> list[Html]:
    """The terms of group `number`; a long one is divided by first letters, after links to
    the letters.
    """
    if len(terms) <= MAX_TERMS_UNDIVIDED:
        return [_list_of_terms(builder, terms)]
    links, lists = list[Child](), list[Html]()
    in_order = sorted(terms, key=lambda term: fold_term(term.name))
    for letter, letter_terms in groupby(in_order, lambda term: fold_term(term.name)[:1].upper()):
        id = f"letter-{number}-{len(lists)}"
        links.append(element("a", letter, href=f"#{id}"))
        lists.append(_list_of_terms(builder, letter_terms, element("h3", letter, id=id)))
    return [element("p", join(" ", links), class_="kg-letters"), *lists]


def _list_of_terms(
    builder: PageBuilder, terms: Iterable[GlossaryTerm], heading: Html | None = None
) -> Html:
    entries = element("dl", *[_entry_of_term(builder, term) for term in terms])
    return element("div", heading, entries, class_="kg-letter")


def _entry_of_term(builder: PageBuilder, term: GlossaryTerm) -> Html:
    others = [each for each in term.names[1:] if _tells_more(term.name, each)]
    searched = " ".join(each for each in term.names[1:] if each not in others)
    address = _address_of(builder, term)
    name = element("a", term.name, href=builder.root + address) if address else term.name
    # the rest is on its own page
    shown_text = first_sentence(term.text) if address else term.text
    text = builder.inline_html(shown_text, term.span.path)
    return element(
        "div",
        element(
            "dt",
            element("strong", name),
            element("span", f" ({', '.join(others)})", class_="kg-small") if others else None,
            element("span", searched, hidden=True) if searched else None,
            id=_anchor_of_term(term),
        ),
        element("dd", text),
        class_="kg-entry",
    )


def _tells_more(name: str, other: str) -> bool:
    """Return whether another name helps a reader of the term: a fuller one, or what either is short
    for. Other names only serve to find it.
    """
    initials = {"".join(word[0] for word in re.findall(r"\w+", each)) for each in (name, other)}
    is_short = not {each.casefold() for each in initials}.isdisjoint(
        {name.casefold(), other.casefold()}
    )
    return is_short or other.casefold().endswith(f" {name.casefold()}")


def _address_of(builder: PageBuilder, term: GlossaryTerm) -> str:
    """The address of the topic, else of the thing, that a term names; empty if it has no page."""
    context = builder.context
    topics = _names_of_term(context.corpus.topics, term)
    things = _names_of_term(context.statements_by_name, term)
    if topics:
        return context.addresses.topic(topics[0])
    return context.addresses.about(things[0]) if things else ""


def _names_of_term(names: Iterable[str], term: GlossaryTerm) -> list[str]:
    folded_names = {fold_term(name) for name in term.names}
    return [name for name in names if fold_term(name) in folded_names]


def _anchor_of_term(term: GlossaryTerm) -> str:
    """The anchor of a term on the glossary page."""
    return "term-" + fold_term(term.name).replace(" ", "-")
