"""Sources in the terms of BibTeX and CSL: types, fields and people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import find_bearings
from kg.model import Source, SourceKey
from kg.model.source import ET_AL
from kg.notes.bibliography import (
    ENTRY_TYPES_WITHOUT_WORK,
    OWN_FIELDS,
    PUBLIC_FIELDS,
    VENUES,
    join_title,
    parse_doi,
    parse_names,
    year_in,
)

PEOPLE = ("author", "editor")
_LOWER_CASE_WORD = re.compile(r"[a-z]+")
# Types of BibTeX and biblatex, with their CSL names.
TYPES = {
    "article": "article-journal",
    "inproceedings": "paper-conference",
    "incollection": "chapter",
    "book": "book",
    "phdthesis": "thesis",
    "techreport": "report",
    "online": "webpage",
    "unpublished": "manuscript",
    "dataset": "dataset",
    "software": "software",
    "patent": "patent",
    "misc": "document",
}
_CSL_TYPES_OF_BIBTEX = {
    "conference": "paper-conference",
    "inbook": "chapter",
    "mastersthesis": "thesis",
    "thesis": "thesis",
    "report": "report",
    "proceedings": "book",
    "collection": "book",
    "www": "webpage",
}
_FROM_CSL = {csl: word for word, csl in TYPES.items()} | {
    "article-magazine": "article",
    "article-newspaper": "article",
    "article": "unpublished",  # a preprint
    "post": "online",
    "post-weblog": "online",
}
# CSL fields, with their BibTeX or biblatex names; containers have several, and are not here.
FIELDS_OF_WORKS = {
    "publisher-place": "address",
    "page": "pages",
    "issue": "number",
    "collection-title": "series",
    "container-title-short": "shortjournal",
    "event-title": "eventtitle",
    "event-place": "venue",
    "authority": "institution",
    "genre": "type",
    "title-short": "shorttitle",
    "chapter-number": "chapter",
    "number-of-pages": "pagetotal",
    "number-of-volumes": "volumes",
    "original-title": "origtitle",
    "original-publisher": "origpublisher",
    "original-publisher-place": "origlocation",
    "part-number": "part",
    "status": "pubstate",
    **{name.upper(): name for name in ("doi", "url", "isbn", "issn", "pmid", "pmcid")},
    **{name: name for name in ("title", "volume", "number", "edition", "version", "publisher")},
    **{name: name for name in ("language", "section", "division", "scale", "dimensions")},
}


class Person(NamedTuple):
    """A name in its parts, or only a `literal`."""

    family: str = ""
    given: str = ""
    suffix: str = ""
    literal: str = ""


class Work(NamedTuple):
    """A source: its BibTeX type, its people, and its other fields.

    `people_field` is their field as in the entry, if it names just these people.
    """

    key: str
    type: str
    role: str
    people: tuple[Person, ...]
    people_field: str
    fields: dict[str, str]


def cited_sources(part: Corpus, whole_corpus: Corpus) -> dict[SourceKey, Source]:
    """The sources of a part, and those of the direct reasons for its statements."""
    reasons = (each for id in part.statements for _, each in find_bearings(whole_corpus, id))
    keys = {*part.sources, *(key for reason in reasons for key in reason.sources)}
    return {key: source for key, source in whole_corpus.sources.items() if key in keys}


def is_of_csl(source: Source) -> bool:
    """Return whether a source was read from CSL JSON, whose entries have their type as a field."""
    return bool(source.entry) and source.entry.get("type") == source.type


def csl_type(source: Source) -> str:
    """The CSL type of a source."""
    return (
        source.type
        if is_of_csl(source)
        else (TYPES | _CSL_TYPES_OF_BIBTEX).get(source.type, "document")
    )


def as_work(source: Source) -> Work:
    """The work from a source's bibliography entry, corrected by its own note."""
    entry_type = _FROM_CSL.get(source.type, "misc") if is_of_csl(source) else source.type.casefold()
    entry = {
        name: value
        for name, value in source.entry.items()
        if value and name.casefold() in PUBLIC_FIELDS and name != "crossref"  # already inherited
    }
    if is_of_csl(source):
        entry = dict(_in_bibtex(entry, entry_type))
    role = next((role for role in PEOPLE if entry.get(role)), "author")
    people_field = entry.pop(role, "")
    people = tuple(_authors_of_source(source))
    if "{" in people_field or [*source.authors] != [
        each.spoken_name for each in parse_names(_without_backslashes(people_field))
    ]:
        people_field = ""
    _update_from_source(source, entry, entry_type)
    fields = {name: value for name, value in entry.items() if value}
    if not _LOWER_CASE_WORD.fullmatch(entry_type) or entry_type in ENTRY_TYPES_WITHOUT_WORK:
        entry_type = "misc"
    return Work(source.key, entry_type, role, people, people_field, fields)


def _in_bibtex(entry: dict[str, str], entry_type: str) -> Iterator[tuple[str, str]]:
    for name, value in entry.items():
        if name == "container-title":
            yield "journal" if entry_type == "article" else "booktitle", value
        elif name != "type":
            yield FIELDS_OF_WORKS.get(name, name), value


def _update_from_source(source: Source, entry: dict[str, str], entry_type: str) -> None:
    """Update the entry's fields where the source differs from them."""
    if source.title not in (
        join_title(entry.get("title", ""), entry.get("subtitle", "")),
        source.key,
    ):
        entry.pop("subtitle", None)
        entry["title"] = source.title
    year = year_in(f"{entry.get('year', '')} {entry.get('date', '')}")
    if source.year and year != source.year:
        entry.pop("date", None)
        entry["year"] = f"{source.year:04d}"
    if source.venue and source.venue not in map(entry.get, VENUES):
        venue_field = {"article": "journal", "misc": "howpublished"}.get(entry_type, "booktitle")
        entry[next((name for name in VENUES if name in entry), venue_field)] = source.venue
    if source.url and source.url not in (entry.get("url"), entry.get("howpublished")):
        entry["url"] = source.url
    if source.doi and parse_doi(entry.get("doi", ""), entry.get("url", "")) != source.doi:
        entry["doi"] = source.doi
    if source.arxiv and "eprint" not in entry:
        entry |= {"eprint": source.arxiv, "archiveprefix": "arXiv"}
    own_values = (
        ", ".join(source.independence),
        source.integrity.value if source.integrity else "",
    )
    entry |= {
        name: value for name, value in zip(OWN_FIELDS.split(), own_values, strict=True) if value
    }


def _authors_of_source(source: Source) -> Iterator[Person]:
    """The authors, in parts as in the entry."""
    written_names = source.written_authors
    literal_names = {*source.organisations, ET_AL}
    for name in filter(str.strip, source.authors):
        yield (
            Person(literal=name)
            if name in literal_names
            else split_name(name, written_names.get(name, ""))
        )


def parse_people(field_text: str) -> Iterator[Person]:
    """The people in another field of an entry."""
    for name in parse_names(_without_backslashes(field_text)):
        is_literal = name.is_organisation or name.spoken_name == ET_AL
        yield (
            Person(literal=name.spoken_name)
            if is_literal
            else split_name(name.spoken_name, name.name_as_written)
        )


def _without_backslashes(names: str) -> str:
    """Names without backslashes, so that nothing in them is read as TeX."""
    return names.replace("\\", "")


def split_name(name: str, written_name: str) -> Person:
    """The parts of a name, split at the commas in `written_name` if it has them, else as spoken."""
    parts = [*map(str.strip, written_name.split(","))]
    if len(parts) not in (2, 3) or not all(part in name for part in parts):
        return _split_spoken_name(name)
    family, *suffix, given_name = parts
    return Person(family, given_name, *suffix)


def _split_spoken_name(name: str) -> Person:
    """The parts of a name as people say it: `Ludwig van Beethoven, Jr.`"""
    person, _, suffix = name.partition(", ")
    words = person.split()
    if not words or "," in suffix or " and " in f" {person.casefold()} ":
        return Person(literal=name)
    family_start = next(
        (i for i, word in enumerate(words[1:-1], 1) if word[:1].islower()), len(words) - 1
    )
    return Person(" ".join(words[family_start:]), " ".join(words[:family_start]), suffix)
