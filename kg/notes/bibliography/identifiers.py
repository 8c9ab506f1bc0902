"""DOIs, arXiv identifiers and addresses in the forms in which entries give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

from kg.model import Diagnostic, Integrity, Source
from kg.model.source import fold_independence_keys
from kg.notes.bibliography.parsed_bibliography import OWN_FIELDS, broken_entry_problem

_YEAR = re.compile(r"(?<![\d-])\d{4}(?!\d)")
_DOI_ADDRESS = re.compile(r"\s*(?:https?://)?(?:(?:dx|www)\.)?doi\.org/", re.I)
_DOI_WORD = re.compile(r"\s*doi\s*[: ]\s*", re.I)
_ARXIV = re.compile(
    r"(?:arxiv:\s*)?((?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Za-z-]+)?/\d{7})(?:v\d+)?)", re.I
)
_ARXIV_ADDRESS = re.compile(r"arxiv\.org/(?:abs|pdf)/([\w.-]+(?:/\d{7}(?:v\d+)?)?)", re.I)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.I)
# Addresses in the archives that “eprinttype” names.
_ADDRESSES = {
    "jstor": "https://www.jstor.org/stable/{}",
    "pubmed": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmcid": "https://www.ncbi.nlm.nih.gov/pmc/articles/{}/",
    "hdl": "https://hdl.handle.net/{}",
    "ssrn": "https://ssrn.com/abstract={}",
    "googlebooks": "https://books.google.com/books?id={}",
}

_IN_BRACES = re.compile(r"\{:([\w -]{1,40}):([^{}]*)\}")
_SIGN = re.compile(r"[:=]")
UNNAMED_PEOPLE = "unnamed"  # the field that says which list of people ends in `et al.`
_FIELDS_IN_EXTRA = frozenset(
    ("doi", "arxiv", "pmid", "pmcid", "citation key", "original-date", UNNAMED_PEOPLE)
).union(OWN_FIELDS.split())
_KEY_SEPARATOR = re.compile(r"[,;]")


def parse_extra(note: str) -> dict[str, str]:
    """Fields written as lines of a note, as in Zotero's “Extra”: `DOI: 10.1000/x`."""
    lines = (_SIGN.split(text_line, maxsplit=1) for text_line in note.splitlines())
    pairs = [(each[1], each[2]) for each in _IN_BRACES.finditer(note)]
    pairs += [(parts[0].strip().removeprefix("tex."), parts[1]) for parts in lines if parts[1:]]
    folded_pairs = ((name.strip().casefold(), value.strip()) for name, value in pairs)
    return {name: value for name, value in folded_pairs if name in _FIELDS_IN_EXTRA and value}


def year_in(date: str) -> int | None:
    """The first year in a date as entries give it; None if there is none."""
    match = _YEAR.search(date)
    return int(match[0]) if match else None


def parse_doi(raw_doi: str, url: str = "") -> str:
    """A DOI without the resolver before it; if empty, the DOI in `url`."""
    if not raw_doi:
        return unquote(url[match.end() :]) if (match := _DOI_ADDRESS.match(url)) else ""
    if match := _DOI_ADDRESS.match(raw_doi):
        return unquote(raw_doi[match.end() :])
    return raw_doi[match.end() :] if (match := _DOI_WORD.match(raw_doi)) else raw_doi


def parse_arxiv_id(eprint: str, doi: str, url: str) -> str:
    """The arXiv identifier in `eprint`, or in a DOI or an address."""
    if eprint:
        return match[1] if (match := _ARXIV.match(eprint)) else eprint
    match = _ARXIV_DOI.match(doi) or _ARXIV_ADDRESS.search(url)
    return match[1].removesuffix(".pdf") if match else ""


def is_arxiv(eprint: str) -> bool:
    """Return whether an identifier without an archive has the form of arXiv's."""
    return _ARXIV.fullmatch(eprint) is not None


def repository_address(archive: str, eprint: str) -> str:
    """The address of a work in an archive; empty if the archive is unknown."""
    return _ADDRESSES[archive].format(eprint) if eprint and archive in _ADDRESSES else ""


def web_address_of(url: str) -> str:
    """The address, if a page may link to it."""
    return url if re.match(r"https?://[^\s\"'<>]+$", url) else ""


def parse_independence(fields: Mapping[str, str]) -> tuple[str, ...]:
    """The independence keys that an entry records."""
    return fold_independence_keys(_KEY_SEPARATOR.split(fields.get("independence", "")))


def parse_integrity(fields: Mapping[str, str]) -> Integrity | None:
    """The publication's integrity as an entry records it; None if missing or unknown."""
    word = fields.get("integrity", "").casefold()
    return Integrity(word) if word in set(Integrity) else None


def unknown_integrity_problems(sources: Iterable[Source]) -> Iterator[Diagnostic]:
    """A problem for each source whose `integrity` is unknown."""
    for source in sources:
        if source.integrity is None and source.entry.get("integrity"):
            message = f"`integrity` is `{source.entry['integrity'][:60]}`"
            yield broken_entry_problem(source.span, message, f"write one of {', '.join(Integrity)}")
