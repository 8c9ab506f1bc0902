"""Write the sources of a corpus, or of a part, as BibTeX and CSL JSON."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.corpus import Corpus
from kg.exchange.escaped_text import (
    JsonObject,
    assign_safe_names,
    escape_tex,
    escape_verbatim,
    render_readable_json,
    without_controls,
)
from kg.exchange.writers.bibliographic_works import (
    FIELDS_OF_WORKS,
    Person,
    Work,
    as_work,
    cited_sources,
    csl_type,
    parse_people,
)
from kg.model import Source
from kg.model.source import ET_AL
from kg.notes.bibliography import LITERAL_FIELDS, UNNAMED_PEOPLE, VENUES, parse_arxiv_id, parse_doi

_NOT_IN_KEYS = re.compile(
    r"[\s,{}\"#%'()=~\\@\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]"
)
_RICH_TEXT_TAG = re.compile(
    r"(<(i|b|sup|sub)>[^<>]*</\2>)|<(?=/?(?:i|b|sup|sub|sc|em|strong|u|span)\b)([^<>]*)(>?)"
)
_DAY = re.compile(r"(\d{4})(?:-(\d\d?))?(?:-(\d\d?))?")
_MANY_DIGITS = 10  # more than any day or month has; of thousands Python makes no number
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_DATES = {"urldate": "accessed", "origdate": "original-date", "eventdate": "event-date"}
_OTHER_PEOPLE = {"editor": "editor", "translator": "translator", "bookauthor": "container-author"}
_IN_CSL = {ours: name for name, ours in FIELDS_OF_WORKS.items()} | {"location": "publisher-place"}


def write_bibtex(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write a BibTeX entry for each cited source."""
    file.write_text(bibtex_text(cited_sources(corpus, whole_corpus)), "utf-8")


def bibtex_text(sources: Mapping[str, Source]) -> str:
    """The BibTeX of any sources."""
    keys = bibtex_keys(sources)
    return "\n".join(_bibtex_of_work(as_work(source), keys[key]) for key, source in sources.items())


def bibtex_keys(names: Collection[str], bad: re.Pattern[str] = _NOT_IN_KEYS) -> dict[str, str]:
    """Keys that are valid in BibTeX: characters that are not allowed become `_`."""
    return assign_safe_names(names, bad)


def _bibtex_of_work(work: Work, key: str) -> str:
    fields = {name: _render_field(name, value) for name, value in work.fields.items()}
    if work.people:
        people_text = escape_tex(work.people_field) or " and ".join(map(_bibtex_name, work.people))
        fields = {work.role: people_text, **fields}
    return _bibtex_entry(work.type, key, fields)


def _bibtex_entry(type: str, key: str, fields: Mapping[str, str]) -> str:
    rows = [f"  {name} = {{{value}}}" for name, value in fields.items() if value]
    return ",\n".join([f"@{type}{{{key}", *rows]) + "\n}\n"


def bibtex_entry(id: str, authors: Iterable[Person], fields: Mapping[str, str]) -> str:
    """BibTeX for a work that is not a source, such as a page of the site."""
    bibtex_fields = {"author": " and ".join(map(_bibtex_name, authors))}
    bibtex_fields |= {name: _render_field(name, value) for name, value in fields.items()}
    return _bibtex_entry("misc", bibtex_keys([id])[id], bibtex_fields)


def _render_field(name: str, value: str) -> str:
    if name in LITERAL_FIELDS:
        return escape_verbatim(value)
    text = escape_tex(value)
    return f"{{{text}}}" if name.endswith("title") else text  # which keeps its capitals


def _bibtex_name(person: Person) -> str:
    if person.literal:
        return "others" if person.literal == ET_AL else f"{{{escape_tex(person.literal)}}}"
    parts = filter(None, (person.family, person.suffix, person.given))
    return ", ".join(map(escape_tex, parts))


# -- CSL JSON ----------------------------------------------------------------------------------


def write_csl(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write a CSL item for each cited source."""
    file.write_text(csl_text(cited_sources(corpus, whole_corpus)), "utf-8")


def csl_text(sources: Mapping[str, Source]) -> str:
    """The CSL JSON of any sources."""
    items = [csl_item(source) for source in sources.values()]
    return render_readable_json(items)


def csl_item(source: Source, escape: Callable[[str], str] | None = None) -> JsonObject:
    """A source as a CSL JSON item; `escape` escapes its text, by default for CSL."""
    work = as_work(source)
    escape = escape or _escape_csl
    fields = dict(work.fields)
    item: JsonObject = {"id": source.key, "type": csl_type(source)}
    fields.pop("subtitle", "")
    if fields.pop("title", ""):
        item["title"] = escape(source.title)
    people = [person for person in work.people if person.literal != ET_AL]
    if people:
        item[work.role] = [*map(_csl_name, people)]
    date_fields = {name: fields.pop(name, "") for name in ("date", "year", "month", "day")}
    if issue_date := _as_csl_date(date_fields, source.year):
        item["issued"] = issue_date
    # Pop all of them, so that a second one does not become a custom field.
    holders = [fields.pop(name, "") for name in ("journal", "journaltitle", "booktitle")]
    issuers = [fields.pop(name, "") for name in VENUES if name != "eventtitle"]
    for name, values in (("container-title", holders), ("publisher", issuers)):
        if value := next(filter(None, values), ""):
            item[name] = escape(value)
    doi = parse_doi(fields.pop("doi", ""), source.url)
    item |= {"DOI": doi} if doi else {}
    if source.arxiv and parse_arxiv_id("", doi, source.url) != source.arxiv:
        item |= {"archive": "arXiv", "archive_location": source.arxiv}
    for name in ("eprint", "archiveprefix", "eprinttype") if source.arxiv else ():
        fields.pop(name, "")
    custom = {UNNAMED_PEOPLE: work.role} if len(people) < len(work.people) else {}
    item |= dict(_remaining_fields(fields, work.type, escape, custom))
    return item


def _remaining_fields(
    fields: dict[str, str], entry_type: str, escape: Callable[[str], str], custom: dict[str, str]
) -> Iterator[tuple[str, Any]]:
    """The remaining fields; those unknown to CSL go into `custom`."""
    for name, value in fields.items():
        if name == "number" and entry_type == "article":
            yield "issue", value
        elif name == "pages":
            yield "page", value.replace("--", "-")
        elif name in _OTHER_PEOPLE:
            yield _OTHER_PEOPLE[name], [*map(_csl_name, parse_people(value))]
        elif name in _DATES and (day := _date_parts(value)):
            yield _DATES[name], {"date-parts": [day]}
        elif name in _IN_CSL:
            word = _IN_CSL[name]
            yield word, without_controls(value) if word.isupper() else escape(value)
        else:
            custom[name] = value
    if custom:
        yield "custom", custom


def _csl_name(person: Person) -> dict[str, str]:
    return {name: without_controls(part) for name, part in person._asdict().items() if part}


def _as_csl_date(date_fields: Mapping[str, str], year: int | None) -> JsonObject:
    parts = _date_parts(date_fields["date"]) or ([year] if year else [])
    if parts and not date_fields["date"]:
        parts += _month_and_day(date_fields["month"], date_fields["day"])
    if parts:
        return {"date-parts": [parts]}
    literal = date_fields["date"] or date_fields["year"]
    return {"literal": literal} if literal else {}


def _month_and_day(month: str, day: str) -> list[int]:
    """Both as numbers; those that a calendar does not have are left out."""
    name = month[:3].casefold()
    number = _MONTHS.index(name) + 1 if name in _MONTHS else _number_up_to(12, month)
    return [*filter(None, [number, _number_up_to(31, day)])] if number else []


def _number_up_to(maximum: int, text: str) -> int:
    """The number that a text is; 0 for any other text and for a greater number."""
    number = int(text) if text.isdecimal() and len(text) < _MANY_DIGITS else 0
    return number if number <= maximum else 0


def _date_parts(date_text: str) -> list[int]:
    match = _DAY.fullmatch(date_text.strip())
    return [int(part) for part in match.groups() if part] if match else []


def _escape_csl(text: str) -> str:
    """Text with character references and all known tags except CSL's escaped.

    Other tags are text to readers of CSL, so escapes of them would be visible.
    """
    text = without_controls(text)
    if html.unescape(text) != text:
        text = text.replace("&", "&amp;")
    return _RICH_TEXT_TAG.sub(_text_of_tag, text)


def _text_of_tag(match: re.Match[str]) -> str:
    return match[1] or f"&lt;{match[3]}{'&gt;' if match[4] else ''}"
