"""DOIs and the identifiers of archives in entries."""

from __future__ import annotations

from inspect import cleandoc

from kg.model import Source
from kg.notes.entries.bibtex import parse_bibtex
from kg.notes.entries.parsed_bibliography import Bibliography
from tests.support.every_row import every_row


def read(text: str) -> Bibliography:
    return parse_bibtex(cleandoc(text), "My Bibliography.bib")


def one(fields: str) -> Source:
    (source,) = read(f"@misc{{k, {fields}}}").sources
    return source


@every_row(
    ("fields", "doi"),
    [
        ("doi = {10.1/Ab}", "10.1/Ab"),
        ("doi = {https://dx.doi.org/10.1/Ab}", "10.1/Ab"),
        ("doi = {http://www.doi.org/10.1/a%3Cb}", "10.1/a<b"),
        ("doi = {doi.org/10.1/Ab}", "10.1/Ab"),
        ("doi = {DOI: 10.1/Ab}", "10.1/Ab"),
        ("url = {https://doi.org/10.1/Ab}", "10.1/Ab"),
        ("note = {DOI: 10.1/Ab}", "10.1/Ab"),
        ("doi = {10.1/a\\_b}", "10.1/a_b"),
        ("url = {https://x.org/10.1/Ab}", ""),
    ],
)
def test_dois(fields: str, doi: str) -> None:
    assert one(fields).doi == doi


@every_row(
    ("fields", "arxiv", "url"),
    [
        ("eprint = {2401.01234v2}", "2401.01234v2", ""),
        ("eprint = {arXiv:2401.01234}, archiveprefix = {arXiv}", "2401.01234", ""),
        ("doi = {10.48550/arXiv.2401.01234}", "2401.01234", ""),
        ("eprint = {123}, eprinttype = {pubmed}", "", "https://pubmed.ncbi.nlm.nih.gov/123/"),
        ("eprint = {123}, eprinttype = {ours}", "", ""),
        ("eprint = {123}", "", ""),
        ("howpublished = {\\url{https://x.org/a}}", "", "https://x.org/a"),
    ],
)
def test_identifiers_of_archives(fields: str, arxiv: str, url: str) -> None:
    source = one(fields)
    assert (source.arxiv, source.url, source.venue) == (arxiv, url, "")
