"""`llms.txt` and `llms-full.txt`: the corpus as text for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from kg.model import Edge, Kind, Source, Statement
from kg.model.settings.config import Config
from kg.publish.build.for_programs.api_files import API
from kg.publish.build.for_programs.record_files import DataFile
from kg.publish.build.for_programs.sitemap_and_feed import SitemapEntry
from kg.publish.context.site_context import SiteContext
from kg.publish.page import WHOLE_CORPUS
from kg.publish.page_head import site_address
from kg.reasoning.strength_words import render_strength
from kg.reasoning.sureness_words import is_held_back
from kg.text.plurals import describe_rest

SHORT_FILE, FULL_FILE = "llms.txt", "llms-full.txt"
_OPENS_TAG = re.compile("<(?=[A-Za-z/!?])")  # or an address that is a link
MAX_CLAIMS_IN_SHORT = 200  # in the short file, those with most reasons first


class LlmsContents(NamedTuple):
    """The pages that the short file lists."""

    overviews: list[SitemapEntry]
    lines: list[SitemapEntry]


def llms_contents(entries: Iterable[SitemapEntry], sections: Iterable[str]) -> LlmsContents:
    """The pages for the short file, of all pages and the `sections` of the site."""
    by_url = {entry.url: entry for entry in entries}
    overviews = [by_url[url] for url in sections if url in by_url]
    return LlmsContents(overviews, [entry for entry in by_url.values() if entry.kind == "line"])


def text_files(context: SiteContext, contents: LlmsContents) -> Iterator[DataFile]:
    """Both files. The short one depends on `contents`, which no table tracks."""
    yield DataFile(SHORT_FILE, partial(render_llms, context, contents), WHOLE_CORPUS)
    yield DataFile(FULL_FILE, partial(render_llms_full, context), WHOLE_CORPUS)


def render_llms(context: SiteContext, contents: LlmsContents) -> str:
    """A short map of the site in Markdown, with the answers and the claims with most reasons."""
    config = context.corpus.config
    parts = [*_head_of_file(config)]
    for name, members in (("Overviews", contents.overviews), ("Inquiry lines", contents.lines)):
        if members:
            rows = [
                _link_with_description(config, each.title, each.url, each.description)
                for each in members
            ]
            parts.append("\n".join([f"## {name}", "", *rows]))
    claims = _claims_by_reasons(context)
    if claims:
        rows = [_claim_in_one_line(context, each) for each in claims[:MAX_CLAIMS_IN_SHORT]]
        if rest := describe_rest(claims, MAX_CLAIMS_IN_SHORT):
            rows.append(f"- {rest}, in {FULL_FILE}")
        parts.append("\n".join(["## Claims", "", *rows]))
    links = [
        _link_with_description(
            config,
            FULL_FILE,
            FULL_FILE,
            "every claim with its reasons, and all evidence and sources",
        )
    ]
    links += [_link_with_description(config, "JSON", f"{API}index.json", "the same as data")]
    return "\n\n".join([*parts, "\n".join(["## More", "", *links])]) + "\n"


def render_llms_full(context: SiteContext) -> str:
    """Render each question with its answer, each claim with its reasons, all evidence and all
    sources.
    """
    corpus = context.corpus
    parts = [
        *_head_of_file(corpus.config),
        "\n".join(["## Inquiry lines", "", *_items_of_lines(context)]),
    ]
    parts += [
        "## Claims",
        *("\n".join(_claim_with_reasons(context, each)) for each in _claims_by_reasons(context)),
    ]
    evidence = [_claim_in_one_line(context, each) for each in corpus.evidence]
    parts.append("\n".join(["## Evidence", "", *evidence]))
    sources = [_source_link(corpus.config, each, context) for each in corpus.sources.values()]
    parts.append("\n".join(["## Sources", "", *sources]))
    return "\n\n".join(parts) + "\n"


def _head_of_file(config: Config) -> Iterator[str]:
    yield f"# {_inert_text(config.site.name)}"
    yield f"> {_inert_text(config.site.description)}"


def _items_of_lines(context: SiteContext) -> Iterator[str]:
    corpus = context.corpus
    for line in corpus.lines.values():
        verdict = context.answers.verdict(line.id)
        summary = verdict.sentence if verdict else line.standfirst
        yield _link_with_description(
            corpus.config, line.title, context.addresses.of(line.id), summary
        )
        for placement in line.placements:
            if statement := corpus.statements.get(placement.statement):
                yield f"  - {placement.camp}: {_inert_text(statement.title)} ({statement.id})"


def _claims_by_reasons(context: SiteContext) -> list[Statement]:
    """Claims, those with most reasons on either side first."""
    corpus = context.corpus
    claims = (each for each in corpus.statements.values() if each.kind is not Kind.EVIDENCE)
    return sorted(claims, key=lambda each: (-len(corpus.edges_to.get(each.id, ())), each.id))


def _claim_in_one_line(context: SiteContext, statement: Statement) -> str:
    """A statement on one line: its title, its verdict, and what it and its evidence cite."""
    corpus, standing = context.corpus, context.standings.of(statement.id)
    # the word of evidence says a quality; a number beside a word held back would contradict it
    is_worded = standing.quality is not None or is_held_back(
        standing.strength, standing.held_strength
    )
    strength = ""
    if standing.strength is not None and not is_worded:
        strength = f" {render_strength(standing.strength, corpus.config.reasoning)}"
    evidence = (corpus.statements.get(e.origin) for e in corpus.edges_to.get(statement.id, ()))
    keys_below = (key for e in evidence if e and e.kind is Kind.EVIDENCE for key in e.sources)
    sources = dict.fromkeys([*statement.sources, *keys_below])
    citation_text = f"; sources: {', '.join(sources)}" if sources else ""
    camp = corpus.camp_of(statement.id)
    words = f"{standing.word_with_reason}{strength}{f'; {camp}' if camp else ''}{citation_text}"
    address = context.addresses.of(statement.id)
    return _link_with_description(corpus.config, statement.title, address, words)


def _claim_with_reasons(context: SiteContext, statement: Statement) -> Iterator[str]:
    corpus = context.corpus
    yield _claim_in_one_line(context, statement)
    for edge in corpus.edges_to.get(statement.id, ()):
        yield f"  - {_edge_in_one_line(context, edge)}"


def _edge_in_one_line(context: SiteContext, edge: Edge) -> str:
    start = context.corpus.statements.get(edge.origin)
    reason = f" ({_inert_text(edge.reason)})" if edge.reason else ""
    title = _inert_text(start.title if start else edge.origin)
    return f"{edge.relation.entry.inverse}: {title}{reason}"


def _source_link(config: Config, source: Source, context: SiteContext) -> str:
    facts = (", ".join(source.authors), str(source.year or ""), source.venue, source.doi)
    words = "; ".join(filter(None, (source.key, *facts, source.integrity)))
    return _link_with_description(config, source.title, context.addresses.of(source.key), words)


def _link_with_description(config: Config, title: str, url: str, description: str) -> str:
    name = _inert_text(title.replace("\\", "\\\\").replace("[", "(").replace("]", ")"))
    words = f": {_inert_text(description)}" if description else ""
    return f"- [{name}]({site_address(config, url) or url}){words}"


def _inert_text(value: str) -> str:
    """Text on one line, in which no link or HTML element from a note is active."""
    return _OPENS_TAG.sub("&lt;", " ".join(value.split()).replace("](", "] ("))
