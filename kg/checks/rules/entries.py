"""Rules about entries of the bibliography that notes cite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.checks.citations import list_citations
from kg.checks.rule import Finding, rule
from kg.corpus import Corpus
from kg.model import Severity, Source

_PRINTED = re.compile(r"([A-Za-z]{0,9})(\d{1,20})\s*[-–—]+\s*\1(\d{1,20})")
_CITED = re.compile(r"\b(?:pp?|pages?|S)\.?\s*(\d+)(?:\s*[-–—]+\s*(\d+))?(?!\d)")


def cited_pages(locator: str) -> list[tuple[int, int]]:
    """The first and last pages that a locator names: `p. 3`, `pp. 823–8`."""
    return [_range(first, last or first) for first, last in _CITED.findall(locator)]


def printed_pages(pages: str) -> list[tuple[int, int]]:
    """The ranges of an entry's `pages`; none where it is left open (`823+`), or where pages have
    letters before their numbers.
    """
    if "+" in pages:
        return []
    return [_range(*found.group(2, 3)) for found in _PRINTED.finditer(pages) if not found[1]]


def _range(first: str, last: str) -> tuple[int, int]:
    """Where pages begin and end; `823–8` ends on page 828."""
    if len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return int(first), int(last)


_ORGANISATION = ("organization", "institution", "school", "authority", "holder")
_BY_PUBLISHER = frozenset(
    ("report", "webpage", "software", "dataset", "online", "legislation", "standard", "manual")
)
# a law, a case and a reference work are cited by their titles
_LAWS = ("legislation", "legal_case", "jurisdiction", "bill", "treaty", "patent")
_REFERENCE_WORKS = ("collection", "periodical", "proceedings", "reference", "mvreference", "set")
_BY_NOBODY = frozenset((*_LAWS, *_REFERENCE_WORKS))


@rule(Severity.WARNING)
def missing_author(corpus: Corpus) -> Iterator[Finding]:
    """A source that is cited, and whose entry names nobody: no author, editor or organisation.

    It is cited by its title then, and put in order by it.
    """
    cited = {citation.key for citation in list_citations(corpus)}
    for source in corpus.sources.values():
        if source.key in cited and source.entry and not _names_somebody(source):
            help = "add `author`, in double braces for an organisation: `{{World Bank}}`"
            yield Finding(source.span, f"`{source.key}` has no author", help)


def _names_somebody(source: Source) -> bool:
    if source.authors or source.type in _BY_NOBODY:
        return True
    if source.type in _BY_PUBLISHER and source.entry.get("publisher"):
        return True
    return any(source.entry.get(name) for name in (*_ORGANISATION, "translator"))


@rule(Severity.WARNING)
def page_out_of_range(corpus: Corpus) -> Iterator[Finding]:
    """A citation of a page that lies outside the `pages` of the entry, or of pages backwards.

    Often it is the page of a PDF, or of another edition; nobody finds the passage by it.
    """
    for citation in list_citations(corpus):
        cited = cited_pages(citation.locator)
        for low, high in cited:
            if high < low:
                message = f"pages {low}–{high} run backwards"
                yield Finding(citation.span, message, "correct one of the two")
        source = corpus.sources.get(citation.key)
        if source is None or not citation.locator:
            continue
        pages = source.entry.get("pages") or source.entry.get("page") or ""
        ranges = printed_pages(pages)
        if not ranges:
            continue
        for first, last in cited:
            outside = [
                page
                for page in (first, last)
                if not any(low <= page <= high for low, high in ranges)
            ]
            if outside:
                yield Finding(
                    citation.span,
                    f"page {outside[0]} is not among pages {pages.replace('--', '–')} "
                    f"of `{source.key}`",
                    "give the page as printed, not that of a PDF",
                    (source.span,),
                )
                break
