"""The extras of a page: files to download, a picture, and how to cite it."""

from __future__ import annotations

import datetime as dt
import posixpath
from collections.abc import Iterable, Sequence

import msgspec

from kg.exchange.writers.bibliographies import bibtex_entry, bibtex_text, csl_text
from kg.exchange.writers.data_set import bibtex_authors
from kg.exchange.writers.reports import line_report, report_latex, report_markdown
from kg.model import InquiryLine, Kind, Source, Statement
from kg.model.settings.config import Config
from kg.publish.components.note_record import day_of_page
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.card import PNG, CampMark, Card, draw_card
from kg.publish.graphics.dial import (
    place_on_scale,
    scale_of,
    steps_of_scale,
    strength_shown,
)
from kg.publish.markup.camp_and_relation_styles import LIGHT, camp_shape, make_legible
from kg.publish.markup.html import Html, collapsible, element, join, join_children
from kg.publish.markup.linked_data import iri_of, is_example
from kg.publish.markup.phrases import capitalize_first
from kg.publish.markup.short_answers import answer_at_end
from kg.publish.page import Alternate

BIBTEX, CSL = "application/x-bibtex", "application/vnd.citationstyles.csl+json"
_FILE_LABELS = {
    BIBTEX: "Sources: BibTeX",
    CSL: "Sources: CSL JSON",
    "text/markdown": "Report: Markdown",
    "application/x-tex": "Report: LaTeX",
}
# With more claims, no claim has its own picture: drawing would dominate a first build.
MAX_CLAIMS_PICTURED = 300

SHARE_OR_CITE = "Share or cite"  # the collapsible that holds these


def line_files(
    context: SiteContext, line: InquiryLine, keys: Iterable[str]
) -> tuple[Alternate, ...]:
    """Downloads of a line's page: its sources, and a report on the line."""
    sources_by_key = context.corpus.sources
    sources = {
        key: _without_independence(sources_by_key[key]) for key in keys if key in sources_by_key
    }
    report = line_report(context.corpus, line, context.answers.verdict(line.id))
    bibliographies = (
        Alternate(".bib", BIBTEX, bibtex_text(sources)),
        Alternate(".csl.json", CSL, csl_text(sources)),
    )
    return (
        *(bibliographies if sources else ()),
        Alternate(".md", "text/markdown", report_markdown(report)),
        Alternate(".tex", "application/x-tex", report_latex(report)),
    )


def download_links(url: str, files: Sequence[Alternate]) -> Html:
    """Download links for these files."""
    name = posixpath.basename(url).removesuffix(".html")
    links = [
        element(
            "a",
            _FILE_LABELS[each.media_type],
            href=name + each.suffix,
            download=True,
            class_="kg-button",
        )
        for each in files
    ]
    command = element("code", f"pandoc --citeproc {name}.md -o {name}.docx")
    return join_children(
        (
            element("p", join(" ", links)),
            element("p", "The Markdown is for Pandoc, which makes Word of it: ", command),
        )
    )


# -- pictures ----------------------------------------------------------------------------


def line_picture(context: SiteContext, line: InquiryLine) -> tuple[Alternate, ...]:
    """A picture of a line's question, and its answer on the scale."""
    config = context.corpus.config
    if not config.site.url:
        return ()
    verdict = context.answers.verdict(line.id)
    scale = scale_of(config, verdict)
    colours = {camp.id: make_legible(camp.colour, LIGHT) for camp in config.camps}
    marks = tuple(
        CampMark(
            place=scale.place_of(view.strength),
            shape=camp_shape(config, view.camp),
            colour=colours[view.camp],
            name=context.link_maker.camp_label(view.camp),
        )
        for view in (verdict.camps if verdict else ())
        if view.strength is not None and view.camp in colours
    )
    return _draw_picture(
        Card(
            site=config.site.name,
            title=line.title,
            word=capitalize_first(answer_at_end(line, verdict.sureness, verdict.side))
            if verdict
            else "",
            place=scale.place_of(strength_shown(scale.steps, verdict))
            if verdict and verdict.strength is not None
            else None,
            marks=marks,
        )
    )


def claim_picture(context: SiteContext, statement: Statement) -> tuple[Alternate, ...]:
    """A picture of a claim, and how far the notes back it."""
    corpus = context.corpus
    if not corpus.config.site.url or statement.kind is Kind.EVIDENCE:
        return ()
    if len(corpus.claims) > MAX_CLAIMS_PICTURED:
        return ()
    standing = context.standings.of(statement.id)
    name, word = corpus.config.site.name, capitalize_first(standing.answer_phrase)
    place = standing.held_strength
    if place is not None:
        place = place_on_scale(steps_of_scale(corpus.config.reasoning), place)
    return _draw_picture(Card(site=name, title=statement.title, word=word, place=place))


def _draw_picture(card: Card) -> tuple[Alternate, ...]:
    """The picture as an alternate; none if the font lacks some of its letters."""
    picture = draw_card(card)
    return (Alternate(suffix=".png", media_type=PNG, content=picture),) if picture else ()


# -- quoting and citing --------------------------------------------------------------------


def cite_page(context: SiteContext, url: str, record: InquiryLine | Statement) -> Html:
    """Render how to cite a page: its permanent address or its identifier, and BibTeX. The entry has
    the day on which its note last changed and, if git knows it, the commit that changed it: then
    its day, whatever the note says, since that is the version.
    """
    config = context.corpus.config
    iri = "" if is_example(config) else iri_of(context.corpus, record.id)
    address = f"{config.site.url.rstrip('/')}/{url}" if config.site.url else ""
    commit = next(iter(context.history.of(record.span.path)), None)
    page_day = day_of_page(context, record)
    day = commit.day if commit else page_day
    version = _describe_version(config, "Its note as of", day, commit.short_hash if commit else "")
    # the address, if there is one, is a field of its own
    name, place = ("Permanent address", address) if address else ("Identifier", iri)
    identifier = "" if address or not iri else f"{name}: {iri}"
    fields = {
        "title": record.title,
        "year": str(page_day.year) if page_day else "",
        "howpublished": config.site.name,
        "url": address,
        "note": ". ".join(filter(None, (version, identifier))),
    }
    entry = _copyable_text("BibTeX", bibtex_entry(record.id, bibtex_authors(config), fields))
    return Html(element("p", f"{name}: ", element("code", place)) + entry) if place else entry


def _describe_version(config: Config, as_of: str, day: dt.date | None, commit: str = "") -> str:
    version = config.dataset.version
    parts = ((as_of, day), ("version", version), ("commit", commit))
    return ", ".join(f"{name} {value}" for name, value in parts if value)


def cite_site(context: SiteContext, day: dt.date | None) -> Html:
    """BibTeX of the site as a whole, as of `day`."""
    config = context.corpus.config
    fields = {
        "title": config.site.name,
        "year": str(day.year) if day else "",
        "doi": config.dataset.doi,
        "url": config.site.url,
        "note": _describe_version(config, "As of", day),
    }
    return _copyable_text("BibTeX", bibtex_entry("site", bibtex_authors(config), fields))


def cite_source(source: Source) -> Html:
    """A source to copy as BibTeX, or as CSL JSON for Zotero and Pandoc."""
    sources = {source.key: _without_independence(source)}
    entry, items = bibtex_text(sources), csl_text(sources)
    return Html(
        _copyable_text("BibTeX", entry) + collapsible("CSL JSON", _copyable_text("CSL JSON", items))
    )


def _without_independence(source: Source) -> Source:
    """A source without `independence`, which has a meaning only in these notes."""
    entry = {name: value for name, value in source.entry.items() if name != "independence"}
    return msgspec.structs.replace(source, entry=entry, independence=())


def _copyable_text(format: str, text: str) -> Html:
    """A text with a button that copies it."""
    return element(
        "pre",
        element("code", text.rstrip()),
        tabindex="0",
        role="region",
        aria_label=format,
        class_="kg-code",
        data_kg_copy=f"Copy {format}",
    )


def copyable_sentence(
    context: SiteContext, url: str, title: str, verdict_word: str, source_text: str = ""
) -> Html:
    """A sentence with a copy button: `“It helps” (probably; Doe 2024), …`."""
    site = context.corpus.config.site
    remark = "; ".join(filter(None, (verdict_word, source_text)))
    page_address = f"{site.name}, {site.url.rstrip('/')}/{url}" if site.url else site.name
    text = f"“{title.rstrip('.')}”{f' ({remark})' if remark else ''}. {page_address}"
    return element("p", text, class_="kg-quote", data_kg_copy="Quote this")
