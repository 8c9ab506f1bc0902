"""A page per source: its record, any notices against it, and what rests on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kg.model import Integrity, Kind, Method, Source, Statement
from kg.publish.components.answers_without_source import answers_without
from kg.publish.components.downloads_and_citation import SHARE_OR_CITE, cite_source
from kg.publish.components.evidence import objection_in_short
from kg.publish.components.reasons import relation_label
from kg.publish.components.statement_lists import collapsed_backlinks
from kg.publish.components.strength_bar import standing_words
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.html import (
    BLANK,
    Child,
    Html,
    collapse_after,
    collapsible,
    definition_list,
    element,
    fact_row,
    item_list,
    join_children,
    page_kind_line,
    remark,
    row_name,
    table,
    web_address,
)
from kg.publish.markup.link_maker import EXTERNAL_LINK_ATTRIBUTES, linked_title, published_address
from kg.publish.markup.linked_data import source_data
from kg.publish.markup.phrases import (
    NOTICES,
    SOURCE_TYPES,
    capitalize_first,
    describe_shared,
    method_name,
    render_authors,
    render_sample,
    second_hand,
    topic_label,
)
from kg.publish.page import LazyPage, Page
from kg.publish.page_builder import PageBuilder

BEARINGS = 2  # things that a statement bears on; the rest is collapsed
FINDINGS_IN_HEAD = 2  # titles of findings that other programs show of the page
_FALLS = "What each answer would be if this source were left out."
_GROUP_FALLS = (
    "What each answer would be if this source and those that count as one with it were left out."
)
_REVIEW: dict[bool | None, str] = {True: "peer reviewed", False: "not peer reviewed"}
_GROUP = "For any one claim, they and this source count as one source."
_BANNERS = {
    Integrity.CORRECTED: "This source has been corrected since it appeared.",
    Integrity.CONCERN: "Its publisher has expressed a concern about this source. Until that is "
    "settled, read what rests on it with care.",
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
    """The page of one source: what it found, who wrote it, and what rests on it."""
    builder = PageBuilder(context, context.addresses.of(source.key))
    name = context.link_maker.names[source.key]
    citing = context.corpus.statements_citing.get(source.key, ())
    findings = sorted((s for s in citing if s.kind is Kind.EVIDENCE), key=partial(_rank, context))
    claims = [s for s in citing if s.kind is not Kind.EVIDENCE]
    builder.add(
        page_kind_line("Source", SOURCE_TYPES.get(source.type), name),
        element("h1", linked_title(source)),
        _banner_of_integrity(source),
    )
    heading = "What it found"
    if findings and all(s.method == Method.ARGUMENT for s in findings):
        heading = "What it argues"
    findings_table = _statements_citing_it(builder, findings, source, "Finding")
    builder.section("found", heading, findings_table)
    group = _sources_beside(builder, source)
    builder.section(
        "falls",
        "The answers without it",
        answers_without(builder, source),
        lead=_GROUP_FALLS if group else _FALLS,
    )
    builder.section("work", "The source", *_parts_of_work(builder, source, is_cited=bool(citing)))
    claims_table = _statements_citing_it(builder, claims, source, "Claim")
    builder.section("claims", "Claims that cite it", claims_table)
    builder.section("quotations", "Quoted word for word", _quotations(builder, citing, source))
    builder.section("group", "Sources that share a team or data", group, lead=_GROUP)
    builder.section(
        "about",
        "About this page",
        collapsed_backlinks(builder, source.key),
        collapsible("Record", _record_of_source(builder, source)),
        collapsible(SHARE_OR_CITE, cite_source(source)),
    )
    titles = [f"{name}: {source.title}", *(each.title for each in findings[:FINDINGS_IN_HEAD])]
    return builder.page(
        "source",
        source.title,
        " ".join(f"{each.rstrip('.')}." for each in titles),
        search_text=f"{render_authors(source, 50)} {source.year or ''} "
        f"{source.venue}\n\n{source.body}".strip(),
        names=(name,),
        facets={"kind": ("Source",), "topic": tuple(map(topic_label, source.topics))},
        linked_data=source_data(context.corpus, source),
        record=context.record_addresses[source.key],
        aliases=source.aliases,
    )


def _rank(context: SiteContext, finding: Statement) -> tuple[bool, float]:
    """Findings that move most come first, arguments last."""
    edges = context.corpus.edges_from.get(finding.id, ())
    weight = sum(abs(context.standings.share(edge.id)) for edge in edges)
    return finding.method == Method.ARGUMENT, -round(weight, 6)


def _parts_of_work(builder: PageBuilder, source: Source, *, is_cited: bool) -> Iterator[Html]:
    """Yield who wrote it, where it appeared, and what its note says of it."""
    year = f", {source.year}" if source.year else ""
    authors = render_authors(source) or "Author not recorded"
    yield element("p", f"{authors}{year}", class_="kg-standfirst")
    yield fact_row(
        source.venue,
        _REVIEW.get(source.peer_reviewed),
        None if is_cited else "no statement cites it yet",
    )
    if source.body:
        body = builder.prose(source.body, source.span.path, in_toc=True)
        yield element("div", body, class_="kg-body")


def _banner_of_integrity(source: Source) -> Html | None:
    words = _BANNERS.get(source.integrity) if source.integrity else None
    if not words:
        return None
    where: list[Child] = []
    if href := published_address(source):
        version = element("a", "the published version", href=href, **EXTERNAL_LINK_ATTRIBUTES)
        where = [" Look for its notice beside ", version, "."]
    classes = f"kg-banner kg-banner-{source.integrity}"
    return element("p", words, where, class_=classes, role="note")


def _statements_citing_it(
    builder: PageBuilder, citing: Sequence[Statement], source: Source, noun: str
) -> Html:
    rows = [_row_of_statement(builder, statement, source) for statement in citing]
    return table(
        (noun, "What it speaks for and against"), rows, f"{noun}s of this source", "kg-rests"
    )


def _row_of_statement(builder: PageBuilder, statement: Statement, source: Source) -> list[Child]:
    corpus, standings = builder.context.corpus, builder.context.standings
    edges = [
        edge for edge in corpus.edges_from.get(statement.id, ()) if edge.target in corpus.statements
    ]
    edges.sort(key=lambda edge: -round(abs(standings.share(edge.id)), 6))
    bearings = [
        element("div", relation_label(edge.relation), " ", builder.statement(edge.target))
        for edge in edges
    ]
    label = f"and {len(bearings) - BEARINGS} more"
    bearing_list = collapse_after(bearings, BEARINGS, label, join_children, least_collapsed=1)
    remarks = _remarks(builder, statement, source)
    return [
        row_name(join_children((builder.statement(statement.id), remarks))),
        bearing_list or BLANK,
    ]


def _remarks(builder: PageBuilder, statement: Statement, source: Source) -> Iterator[Html | None]:
    """Yield how a finding was made and seen, where it stands in the source, and the best reply to
    it; of a claim its sureness.
    """
    is_evidence = statement.kind is Kind.EVIDENCE
    facts = [c.locator for c in statement.citations if c.key == source.key]
    if is_evidence:
        method_and_sample = method_name(statement, ""), render_sample(statement)
        facts = [*method_and_sample, *facts, second_hand(statement)]
    if words := ", ".join(filter(None, facts)):
        yield remark(words)
    if is_evidence:
        yield objection_in_short(builder, statement.id)
    else:
        yield remark(standing_words(builder, statement.id))


def _sources_beside(builder: PageBuilder, source: Source) -> Html:
    """The sources that share a team or data with this one, by what they share."""
    rows: list[Child] = []
    sharing_keys = {source.key}
    for name in source.independence:
        keys = builder.context.sources_by_independence_key.get(name, ())
        sharing_keys.update(keys)
        others = [key for key in keys if key != source.key]
        if others:
            links = builder.names_of(others, keys[0], keys[0] == source.key)
            shared = describe_shared(name, builder.link_maker.names, source.key)
            rows.append([element("strong", capitalize_first(shared)), ": ", links])
    losses = builder.context.answers.losses_of(source.key)
    counted_keys = dict.fromkeys(key for loss in losses for key in loss.sources)
    if indirect_keys := [key for key in counted_keys if key not in sharing_keys]:
        links = builder.link_maker.sources(indirect_keys, builder.root)
        rows.append([element("strong", "Through other sources"), ": ", links])
    return item_list(rows)


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
    is_known = any(id and id in source.url for id in (source.doi, source.arxiv))
    other_url = "" if is_known else source.url
    return definition_list(
        [
            ("All authors", all_authors if all_authors != render_authors(source) else ""),
            ("DOI", _external_link("https://doi.org/", source.doi)),
            ("arXiv", _external_link("https://arxiv.org/abs/", source.arxiv)),
            ("Address", _external_link("", other_url)),
            ("Notice of its publisher", NOTICES.get(source.integrity, "")),
            ("How it was checked", _verification_level(builder, source)),
            ("Citation key", element("code", source.key)),
        ]
    )


def _verification_level(builder: PageBuilder, source: Source) -> Child:
    """Say how well the record was checked: explained as in the glossary, else only by name."""
    level, page = source.verification, builder.context.readme_page
    meaning = builder.link_maker.meaning(f"level {level}") if level else ""
    words = f"Level {level}" if len(level) == 1 else level
    if meaning:
        return f"{words}: {meaning}"
    if not level or not page:
        return words
    return [words, " (", element("a", "what this means", href=builder.root + page), ")"]


def _external_link(base: str, name: str) -> Child:
    """A link to the thing with a name, whose address begins with `base`; empty without a name."""
    href = web_address(base + name) if name else None
    return element("a", name, href=href, **EXTERNAL_LINK_ATTRIBUTES) if href else name
