"""A page per source: its record, any notices against it, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from kg.model import Integrity, Relation, Source, Statement
from kg.publish.components.alternates import cite_source
from kg.publish.components.evidence import folded_backlinks
from kg.publish.components.statement_lists import notices_of_statement
from kg.publish.components.strength_bar import MEANING
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import SourceLoss
from kg.publish.markup.evidence_words import render_sample
from kg.publish.markup.html import (
    BLANK,
    EMPTY,
    Child,
    Html,
    collapsible,
    definition_list,
    drop_blank_columns,
    element,
    fact_row,
    join,
    page_kind_line,
    row_name,
    table,
    web_address,
)
from kg.publish.markup.link_maker import EXTERNAL_LINK_ATTRIBUTES, linked_title, published_address
from kg.publish.markup.linked_data import source_data
from kg.publish.markup.phrases import (
    FORWARD,
    NOTICES,
    SOURCE_TYPES,
    capitalize_first,
    count_of,
    describe_shared,
    is_visible_move,
    method_name,
    render_authors,
    shown_move,
    topic_in_words,
)
from kg.publish.page import LazyPage, Page
from kg.publish.page_builder import PageBuilder

BEARINGS = 2  # things that a statement bears on; the rest is folded
_FALLS = "What each answer would be without this source."
_GROUP_FALLS = "What each answer would be without this source and those that count as one with it."
_REVIEW: dict[bool | None, str] = {True: "peer reviewed", False: "not peer reviewed"}
_ONE_SIDE_ALONE = "only that side carries weight"
_GROUP = "For one claim they and it count as one source, not several."
_BANNERS = {
    Integrity.CORRECTED: "This source has been corrected since it appeared.",
    Integrity.CONCERN: "Its publisher has expressed a concern about this source: read what rests "
    "on it with care until that is settled.",
    Integrity.RETRACTED: "This source has been retracted. Nothing should rest on it.",
}


def source_pages(context: SiteContext) -> Iterator[LazyPage]:
    """A page for each source, cited or not."""
    for source in context.corpus.sources.values():
        about = ("sources", source.key)
        yield LazyPage(
            context.addresses.of(source.key), partial(source_page, context, source), about
        )


def source_page(context: SiteContext, source: Source) -> Page:
    """The page of one source, with the notes that cite it."""
    builder = PageBuilder(context, context.addresses.of(source.key))
    citing = context.corpus.statements_citing.get(source.key, ())
    name = context.link_maker.names[source.key]
    builder.add(
        page_kind_line("Source", SOURCE_TYPES.get(source.type)),
        element("h1", linked_title(source)),
        element("p", _authors_and_year(source), class_="kg-standfirst"),
        _banner_of_integrity(source),
        fact_row(
            f"{_count_resting(len(citing))} on it",
            source.venue,
            _REVIEW.get(source.peer_reviewed),
        ),
        element("div", builder.prose(source.body, source.span.path, in_toc=True), class_="kg-body")
        if source.body
        else None,
    )
    builder.section(
        "rests-on-it",
        "What rests on it",
        _statements_citing_it(builder, citing, source),
    )
    builder.section("quotations", "Quoted word for word", _quotations(builder, citing, source))
    group = _sources_beside(builder, source)
    builder.section("group", "Sources that share a team or data", group, lead=_GROUP)
    builder.section(
        "falls",
        "If this source falls",
        _answers_without(builder, source),
        lead=_GROUP_FALLS if group else _FALLS,
    )
    builder.section(
        "about",
        "About this page",
        folded_backlinks(builder, source.key),
        collapsible("Record", _record_of_source(builder, source)),
        collapsible("Cite this", cite_source(source)),
    )
    return builder.page(
        "source",
        source.title,
        f"{name}: {source.title}. {_count_resting(len(citing))} on it.",
        search_text=f"{render_authors(source, 50)} {source.year or ''} "
        f"{source.venue}\n{source.body}".strip(),
        names=(name,),
        facets={"kind": ("Source",), "topic": tuple(map(topic_in_words, source.topics))},
        linked_data=source_data(context.corpus, source),
        record=context.record_addresses[source.key],
        aliases=source.aliases,
    )


def _authors_and_year(source: Source) -> str:
    year = f", {source.year}" if source.year else ""
    return f"{render_authors(source) or 'Author not recorded'}{year}"


def _banner_of_integrity(source: Source) -> Html | None:
    words = _BANNERS.get(source.integrity) if source.integrity else None
    if not words:
        return None
    href = published_address(source)
    notice = (
        element("a", "the published version", href=href, **EXTERNAL_LINK_ATTRIBUTES)
        if href
        else None
    )
    return element(
        "p",
        words,
        [" Look for its notice beside ", notice, "."] if notice else None,
        class_=f"kg-banner kg-banner-{source.integrity}",
        role="note",
    )


def _count_resting(number: int) -> str:
    """`3 statements rest`, `1 statement rests`."""
    return f"{count_of(number, 'statement')} rest{'s' if number == 1 else ''}"


def _statements_citing_it(
    builder: PageBuilder, citing: tuple[Statement, ...], source: Source
) -> Html:
    rows = [_row_of_statement(builder, statement, source) for statement in citing]
    head = ("Statement", "Where", "For or against")
    return table(*drop_blank_columns(head, rows), "Statements that cite this source", "kg-rests")


def _row_of_statement(builder: PageBuilder, statement: Statement, source: Source) -> list[Child]:
    corpus = builder.context.corpus
    places = [c.locator for c in statement.citations if c.key == source.key and c.locator]
    ends = {
        edge.target: edge.relation
        for edge in corpus.edges_from.get(statement.id, ())
        if edge.target in corpus.statements
    }
    bearings = [element("div", _side_of(each), builder.statement(id)) for id, each in ends.items()]
    rest = bearings[BEARINGS:]
    folded_rest = (
        collapsible(f"and {len(rest)} more", *rest, class_="kg-on-paper") if rest else None
    )
    return [
        element("th", builder.statement(statement.id), _method_and_sample(statement), scope="row"),
        "; ".join(places) or BLANK,
        [*bearings[:BEARINGS], folded_rest] if bearings else BLANK,
    ]


def _method_and_sample(statement: Statement) -> Html | None:
    """The method and sample size of a piece of evidence, as far as they are recorded."""
    words = [method_name(statement, "")]
    if statement.sample is not None:
        words.append(render_sample(statement))
    words = [*filter(None, words)]
    if not words:
        return None
    return element("span", ", ".join(words), class_="kg-reason")


def _side_of(relation: Relation) -> list[Child]:
    """“for” or “against” before what a statement bears on, else the relation in words."""
    side = relation.side
    words = side if relation.entry.side else FORWARD[relation]
    return [element("span", words, class_=f"kg-side kg-side-{side}"), " "]


def _answers_without(builder: PageBuilder, source: Source) -> Html:
    """The lines' answers without this source."""
    falls = builder.context.strengths.falls(source.key)
    rows, is_any_unmoved = [], False
    for fall in falls:
        line = builder.link_maker.line(fall.line_id, builder.root)
        if fall.undoes or fall.word_without or is_visible_move(fall.before, fall.after):
            strength_now, strength_without, _ = shown_move(fall.before, fall.after)
            rows.append(
                [
                    row_name(line),
                    strength_now,
                    strength_without,
                    _describe_side_change(builder, fall),
                ]
            )
        else:
            is_any_unmoved = True
    head = ("Inquiry line", "Strength now", "Without it", "The answer")
    words = "No other answer moves visibly." if rows else "No answer moves visibly."
    rest = element("p", words, class_="kg-small") if is_any_unmoved else None
    losses = table(head, rows, "If this source falls")
    return join(
        "",
        [
            losses,
            rest,
            _weakened_statements(builder, source),
        ],
    )


def _weakened_statements(builder: PageBuilder, source: Source) -> Html | None:
    """The statements on it that have objections, with or without weight, or are replaced."""
    citing = builder.context.corpus.statements_citing.get(source.key, ())
    rows = [
        element("li", builder.statement(statement.id), *remarks)
        for statement in citing
        if (remarks := notices_of_statement(builder, statement.id))
    ]
    if not rows:
        return None
    lead = f"Objected to, or replaced: {count_of(len(rows), 'statement')}"
    return collapsible(lead, element("ul", *rows, class_="kg-plain"), class_="kg-on-paper")


def _describe_side_change(builder: PageBuilder, fall: SourceLoss) -> Child:
    """What happens to an answer's side; where its strength is near the middle, why it has one."""
    from kg.reasoning.verdict_words import describe_undecided, side_of

    if fall.undoes:
        return element("strong", "would leave its side")
    if not side_of(fall.word):
        return f"is {describe_undecided(fall.word)}"
    sureness_note = (
        f", “{fall.sureness}” would become “{fall.word_without}”" if fall.word_without else ""
    )
    least_strength = builder.context.corpus.config.reasoning.contested_below
    parts: list[Child] = ["stays on its side", sureness_note]
    if fall.after is not None and max(fall.after, 1.0 - fall.after) < least_strength:
        parts += [": ", element("a", _ONE_SIDE_ALONE, href=builder.root + MEANING)]
    return join("", parts)


def _sources_counted_with(
    builder: PageBuilder, source: Source, falls: list[SourceLoss]
) -> tuple[list[str], list[str]]:
    """The sources that count as one with this one: those that share something with it, and those
    that do with these alone.
    """
    keys = dict.fromkeys(key for fall in falls for key in fall.sources if key != source.key)
    groups = builder.context.sources_by_group
    sharing_keys = {key for name in source.independence for key in groups.get(name, ())}
    return [key for key in keys if key in sharing_keys], [
        key for key in keys if key not in sharing_keys
    ]


def _sources_beside(builder: PageBuilder, source: Source) -> Html:
    """The sources that share a team or data with this one, by what they share."""
    rows = []
    for name in source.independence:
        keys = builder.context.sources_by_group.get(name, ())
        others = [key for key in keys if key != source.key]
        if others:
            links = builder.names_of(others, keys[0], keys[0] == source.key)
            label = element(
                "strong",
                capitalize_first(describe_shared(name, builder.link_maker.names, source.key)),
            )
            rows.append(element("li", label, ": ", links))
    indirect_keys = _sources_counted_with(
        builder, source, builder.context.strengths.falls(source.key)
    )[1]
    if indirect_keys:
        links = builder.link_maker.sources(indirect_keys, builder.root)
        rows.append(element("li", element("strong", "By way of other works"), ": ", links))
    return element("ul", *rows, class_="kg-plain") if rows else EMPTY


def _quotations(builder: PageBuilder, citing: tuple[Statement, ...], source: Source) -> list[Html]:
    return [
        element(
            "figure",
            element("blockquote", element("p", quotation.text)),
            element(
                "figcaption",
                f"{quotation.locator}, " if quotation.locator else None,
                "quoted in ",
                builder.statement(statement.id),
            ),
            class_="kg-quotation",
        )
        for statement in citing
        for quotation in statement.quotations
        if quotation.key == source.key
    ]


def _record_of_source(builder: PageBuilder, source: Source) -> Html:
    all_authors = render_authors(source, 40)
    return definition_list(
        [
            ("All authors", all_authors if all_authors != render_authors(source) else ""),
            (
                "DOI",
                _external_link(f"https://doi.org/{source.doi}", source.doi) if source.doi else "",
            ),
            (
                "arXiv",
                _external_link(f"https://arxiv.org/abs/{source.arxiv}", source.arxiv)
                if source.arxiv
                else "",
            ),
            (
                "Address",
                _external_link(source.url, source.url) if _has_other_address(source) else "",
            ),
            ("Notice of its publisher", NOTICES.get(source.integrity, "")),
            ("How it was checked", _verification_level(builder, source)),
            ("Citation key", element("code", source.key)),
        ]
    )


def _verification_level(builder: PageBuilder, source: Source) -> Child:
    """How well the record was checked: explained as in the glossary, else only by name."""
    level, page = source.verification, builder.context.readme_page
    meaning = builder.link_maker.meaning(f"level {level}") if level else ""
    words = f"Level {level}" if len(level) == 1 else level
    if meaning:
        return f"{words}: {meaning}"
    if not level or not page:
        return words
    return [words, " (", element("a", "what this means", href=builder.root + page), ")"]


def _has_other_address(source: Source) -> bool:
    """Whether its address differs from those of its DOI and its open copy."""
    return bool(source.url) and not any(n and n in source.url for n in (source.doi, source.arxiv))


def _external_link(url: str, words: str) -> Child:
    address = web_address(url)
    return (
        element("a", words, href=address, rel="noopener noreferrer external", class_="kg-out")
        if address
        else words
    )
