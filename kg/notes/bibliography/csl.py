"""CSL JSON, as Zotero and others write it, and Better BibTeX JSON as sources."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from kg.model import Source, Span
from kg.notes.bibliography import identifiers
from kg.notes.bibliography.parsed_bibliography import (
    Bibliography,
    broken_entry_problem,
    merge_by_key,
    public_fields,
    unread_bibliography,
)
from kg.notes.bibliography.people import (
    AND_OTHERS,
    PersonName,
    join_name,
    organisation_name,
    person_name,
    render_names,
)
from kg.text.figures_in_text import figures_of_text

_ITEM_TYPES_WITHOUT_WORK = frozenset(("attachment", "note", "annotation"))
_CSL_TYPES_BY_ZOTERO_TYPE = {
    "journalArticle": "article-journal",
    "magazineArticle": "article-magazine",
    "newspaperArticle": "article-newspaper",
    "bookSection": "chapter",
    "conferencePaper": "paper-conference",
    "encyclopediaArticle": "entry-encyclopedia",
    "preprint": "article",
    "blogPost": "post-weblog",
    "presentation": "speech",
}
_ZOTERO_FIELDS_BY_CSL_FIELD = {
    "container-title": "publicationTitle bookTitle proceedingsTitle encyclopediaTitle websiteTitle",
    "publisher": "publisher university institution repository",
    "collection-title": "series",
    "citation-key": "citationKey citekey",
    "id": "citationKey citekey itemID",
    "page": "pages",
    "note": "extra",
    "abstract": "abstractNote",
    "event-title": "conferenceName",
    "publisher-place": "place",
    "number": "archiveID number reportNumber",
    "URL": "url",
}
_SAME_FIELD_NAMES = ["title", "DOI", "ISBN", "ISSN", "volume", "issue", "edition", "language"]
_KEY_PATTERN = re.compile(r'"(?:id|citation-?[kK]ey|citekey)"\s*:\s*("(?:[^"\\]|\\.)*"|\d{1,18}\b)')
_RICH_TEXT_TAG_PATTERN = re.compile(r"</?(?:i|b|sup|sub|sc|em|strong|u|span)>|<span\s[^<>]*>")
_ZOTERO_ITEM_PATTERN = re.compile(
    r"https?://(?:www\.)?zotero\.org/.*/items/(\w+)/?|zotero://.*/items/(\w+)"
)
_PEOPLE = ("author", "editor", "director", "editorial-director", "translator")
_VENUE = ("container-title", "publisher", "event-title", "authority", "event")
_BEGINNING_OF_LIST_PATTERN = re.compile(r'\s*(?:\{\s*"items"\s*:\s*)?\[\s*\{')
_TYPE_PATTERN = re.compile(r'"type"\s*:\s*"[a-z_-]+"')
_BETTER_BIBTEX = '"BetterBibTeX JSON"'
_ITEM_LIST_PATTERN = re.compile(r'"items"\s*:\s*\[\s*[{\]]')
_FIELD_OF_WORKS_PATTERN = re.compile(r'"(?:issued|author|container-title|DOI)"\s*:')
_SEPARATOR_PATTERN = re.compile(r"[\s,]*")


def as_csl(item: Mapping[str, object]) -> dict[str, Any] | None:
    """An item as a CSL entry; None for attachments and notes, which are not works."""
    kind = item.get("itemType")
    if kind in _ITEM_TYPES_WITHOUT_WORK or not isinstance(kind, str):
        return None
    entry: dict[str, Any] = {"type": _CSL_TYPES_BY_ZOTERO_TYPE.get(kind, kind.lower())}
    entry |= {name: item[name] for name in _SAME_FIELD_NAMES if item.get(name)}
    for name, zotero_names in _ZOTERO_FIELDS_BY_CSL_FIELD.items():
        value = next((item[each] for each in zotero_names.split() if item.get(each)), None)
        if value is not None:
            entry[name] = value
    if item.get("date"):
        entry["issued"] = {"raw": item["date"]}
    creators = item.get("creators")
    for creator in creators if isinstance(creators, list) else ():
        if isinstance(creator, dict):
            person = {"given": creator.get("firstName"), "family": creator.get("lastName")}
            name_fields = {"literal": creator.get("name")} if creator.get("name") else person
            entry.setdefault(str(creator.get("creatorType")), []).append(name_fields)
    return entry


def is_csl(text: str) -> bool:
    """Return whether a text looks like entries of a bibliography rather than other JSON."""
    start = text[:100_000]
    if _BEGINNING_OF_LIST_PATTERN.match(start):
        return all(
            sign.search(start) for sign in (_KEY_PATTERN, _TYPE_PATTERN, _FIELD_OF_WORKS_PATTERN)
        )
    return _BETTER_BIBTEX in start


def parse_csl(text: str, path: str) -> Bibliography:
    """The sources of one file, and the problems in it."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        span = Span(path, getattr(error, "lineno", 1), getattr(error, "colno", 1))
        return unread_bibliography(span, "this is not JSON", str(error).splitlines()[0])
    entries = document.get("items", document) if isinstance(document, dict) else document
    if isinstance(entries, list) and _BETTER_BIBTEX in text[:100_000]:
        entries = [as_csl(item) if isinstance(item, dict) else item for item in entries]
    if not isinstance(entries, list):
        return unread_bibliography(
            Span(path),
            "this is not a list of CSL entries",
            "export it as Better CSL JSON, or CSL JSON",
        )
    problems = []
    sources = []
    abstracts: dict[str, str] = {}
    for number, (entry, line_of) in enumerate(zip(entries, _line_finders(text), strict=False), 1):
        if entry is None:
            continue
        fields = _text_fields(entry) if isinstance(entry, dict) else {}
        key = _citation_key(fields)
        span = Span(path, line_of(key))
        if key:
            sources.append(_source_of_entry(entry, fields, key, span))
            if figures := figures_of_text(_strip_tags(fields.get("abstract", ""))):
                abstracts.setdefault(key, figures)
        else:
            help = "give each entry an `id`"
            problems.append(broken_entry_problem(span, f"entry {number} has no `id`", help))
    merged, repeated_keys = merge_by_key(sources, is_one_file=True)
    problems += [*repeated_keys, *identifiers.unknown_integrity_problems(merged)]
    sorted_problems = tuple(sorted(problems, key=lambda problem: problem.span))
    return Bibliography(merged, sorted_problems, abstracts)


def _line_finders(text: str) -> Iterator[Callable[[str], int]]:
    """Yield for each entry a function from its key to the line with that key, or to its first
    line.
    """
    decode = json.JSONDecoder().raw_decode
    items = _ITEM_LIST_PATTERN.search(text) if text.lstrip()[:1] == "{" else None
    offset = text.index("[", items.start() if items else 0) + 1
    line_number = 1
    counted_end = 0
    while True:
        start = _SEPARATOR_PATTERN.match(text, offset).end()  # type: ignore[union-attr]
        try:
            offset = decode(text, start)[1]
        except ValueError:  # after the last one
            return
        line_number += text.count("\n", counted_end, start)
        counted_end = start
        yield partial(_line_of_key, text, start, offset, line_number)


def _line_of_key(text: str, start: int, end: int, first_line: int, key: str) -> int:
    for match in _KEY_PATTERN.finditer(text, start, end):
        if _text_of_value(json.loads(match[1])) == key:
            return first_line + text.count("\n", start, match.start())
    return first_line


def _text_of_value(value: object) -> str:
    """A JSON string or number on one line, lone surrogates replaced; empty for anything else."""
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).encode("utf-8", "replace").decode("utf-8").split())


def _strip_tags(value: str) -> str:
    """Text without the tags that CSL allows in it."""
    if "<" in value:
        value = " ".join(_RICH_TEXT_TAG_PATTERN.sub("", value).split())
    return html.unescape(value) if "&" in value else value


def _text_fields(entry: dict[str, Any]) -> dict[str, str]:
    """Return all text fields of an entry, with those written in `note` and `custom`."""
    note = entry.get("note")
    custom = entry.get("custom")
    fields = identifiers.parse_extra(note) if isinstance(note, str) else {}
    if isinstance(custom, dict):
        lines = (f"{name}: {_text_of_value(value)}" for name, value in custom.items())
        fields |= identifiers.parse_extra("\n".join(lines))
    for name, value in entry.items():
        if word := _text_of_value(value):
            fields[name] = word
    return fields


def _citation_key(fields: dict[str, str]) -> str:
    key = fields.get("citation-key") or fields.get("citation key") or fields.get("id", "")
    item = _ZOTERO_ITEM_PATTERN.fullmatch(key)
    return item[1] or item[2] if item else key


def _source_of_entry(entry: dict[str, Any], fields: dict[str, str], key: str, span: Span) -> Source:
    value_of = fields.get
    url = value_of("URL", "")
    doi = identifiers.parse_doi(value_of("DOI") or value_of("doi", ""), url)
    people_field = next((each for each in _PEOPLE if entry.get(each)), "author")
    people = list(_names_of_people(entry.get(people_field)))
    if value_of(identifiers.UNNAMED_PEOPLE) == people_field:
        people.append(AND_OTHERS)
    shown_fields = {name: _strip_tags(value) for name, value in fields.items()}
    if people:
        shown_fields["author"] = render_names(people)
    shown_fields = public_fields(shown_fields)
    numbers = (value_of("arxiv", ""), value_of("number", ""), value_of("archive_location", ""))
    eprint = next((each for each in numbers if identifiers.is_arxiv(each)), "")
    id = value_of("id", "")
    return Source(
        key=key,
        title=shown_fields.get("title") or key,
        span=span,
        type=value_of("type") or "misc",
        authors=tuple(name.spoken_name for name in people),
        year=_year_of_date(entry.get("issued")),
        venue=next((shown_fields[name] for name in _VENUE if shown_fields.get(name)), ""),
        doi=doi,
        arxiv=identifiers.parse_arxiv_id(eprint, doi, url),
        url=identifiers.web_address_of(url),
        aliases=() if id in ("", key) or id.isdigit() or ":" in id or "/" in id else (id,),
        entry=shown_fields,
        independence=identifiers.parse_independence(fields),
        integrity=identifiers.parse_integrity(fields),
    )


def _names_of_people(people: object) -> Iterator[PersonName]:
    for each in people if isinstance(people, list) else ():
        if not isinstance(each, dict):
            continue
        values = {name: _text_of_value(value) for name, value in each.items()}
        if literal := values.get("literal"):
            yield organisation_name(literal)
            continue
        family_name = values.get("family", "")
        given_name = values.get("given", "")
        particles = (values.get("dropping-particle", ""), values.get("non-dropping-particle", ""))
        # Zotero exports a name in one field, an organisation's, as a family name
        if " " in family_name and not given_name and not any(particles):
            yield organisation_name(family_name)
        elif given_name or family_name:
            yield person_name(
                join_name(*particles, family_name), given_name, values.get("suffix", "")
            )


def _year_of_date(issued: object) -> int | None:
    if isinstance(issued, dict):
        issued = issued.get("date-parts") or issued.get("raw") or issued.get("literal")
    return identifiers.year_in(str(issued))
