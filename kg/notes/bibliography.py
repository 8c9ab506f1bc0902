"""Bibliographies, BibTeX and CSL JSON, as sources; the only module that names a BibTeX library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from kg.model import Diagnostic, Severity, Source, Span
from kg.notes.discover import NoteFile

_YEAR = re.compile(r"\d{4}")
_VENUE = (
    "journal",
    "booktitle",
    "journaltitle",
    "howpublished",
    "publisher",
    "institution",
    "school",
)


def parse_bibliography(file: NoteFile) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    """The sources that a `references.bib` or `references.json` lists, and what is wrong in it."""
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        return (), (
            _broken(Span(file.path, line), "this file is not UTF-8", "save it again as UTF-8"),
        )
    return (
        _parse_csl(text, file.path)
        if file.path.endswith(".json")
        else _parse_bibtex(text, file.path)
    )


def _broken(span: Span, message: str, help: str) -> Diagnostic:
    return Diagnostic(
        rule="broken-bibliography", severity=Severity.ERROR, message=message, span=span, help=help
    )


# -- BibTeX --------------------------------------------------------------------------------


def _parse_bibtex(text: str, path: str) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    import logging

    import bibtexparser

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    library = bibtexparser.parse_string(text)
    problems = []
    for block in library.failed_blocks:
        duplicate = type(block).__name__ == "DuplicateBlockKeyBlock"
        message = (
            f"the key `{getattr(block, 'key', '')}` stands twice"
            if duplicate
            else "this entry is not BibTeX"
        )
        help = "keep one of them" if duplicate else "check its braces, commas and equals signs"
        problems.append(_broken(Span(path, (block.start_line or 0) + 1), message, help))
    return tuple(_bibtex_source(entry, path) for entry in library.entries), tuple(problems)


def _bibtex_source(entry: Any, path: str) -> Source:
    fields = {field.key.casefold(): _plain(str(field.value)) for field in entry.fields}
    people = next(
        (
            str(f.value)
            for key in ("author", "editor")
            for f in entry.fields
            if f.key.casefold() == key
        ),
        "",
    )
    year = _YEAR.search(fields.get("year", "") or fields.get("date", ""))
    arxiv = (
        fields.get("eprint", "")
        if fields.get("archiveprefix", "arxiv").casefold() == "arxiv"
        else ""
    )
    return Source(
        key=entry.key,
        title=fields.get("title", entry.key),
        span=Span(path, entry.start_line + 1),
        type=entry.entry_type.casefold(),
        authors=tuple(_name(_plain(name)) for name in _split_names(people)),
        year=int(year[0]) if year else None,
        venue=next((fields[key] for key in _VENUE if fields.get(key)), ""),
        doi=fields.get("doi", ""),
        arxiv=arxiv,
        url=_web(fields.get("url", "")),
        entry=fields,
    )


def _split_names(people: str) -> list[str]:
    """Names, split at the `and`s that stand outside braces."""
    names, depth, start = [], 0, 0
    for match in re.finditer(r"[{}]|\s+and\s+", people):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
        elif depth == 0:
            names.append(people[start : match.start()])
            start = match.end()
    return [name for name in [*names, people[start:]] if name.strip()]


def _name(name: str) -> str:
    """`Last, First` as `First Last`; `others` as `et al.`"""
    if name.strip() == "others":
        return "et al."
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma else name.strip()


def _plain(value: str) -> str:
    """A BibTeX value without braces and TeX, on one line."""
    if "\\" in value or "$" in value:
        from pylatexenc.latex2text import LatexNodes2Text

        value = LatexNodes2Text().latex_to_text(value)
    value = value.replace("``", "“").replace("''", "”")
    return " ".join(value.replace("{", "").replace("}", "").split())


def _web(url: str) -> str:
    """The address, if a page may link to it."""
    return url if re.match(r"https?://[^\s\"'<>]+$", url) else ""


# -- CSL JSON ------------------------------------------------------------------------------


def _parse_csl(text: str, path: str) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    try:
        entries = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        span = Span(path, getattr(error, "lineno", 1), getattr(error, "colno", 1))
        return (), (_broken(span, "this is not JSON", str(error)),)
    entries = entries.get("items", entries) if isinstance(entries, dict) else entries
    if not isinstance(entries, list):
        return (), (
            _broken(Span(path), "this is not a list of CSL entries", "export it as CSL JSON"),
        )
    return _csl_sources(entries, text, path)


def _csl_sources(
    entries: list[Any], text: str, path: str
) -> tuple[tuple[Source, ...], tuple[Diagnostic, ...]]:
    sources, problems = [], []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or not entry.get("id"):
            problems.append(
                _broken(Span(path), f"entry {number} has no `id`", "give each entry an `id`")
            )
            continue
        key = str(entry.get("citation-key") or entry["id"])
        place = text.find(json.dumps(key, ensure_ascii=False))
        line = text.count("\n", 0, place) + 1 if place >= 0 else 1
        sources.append(_csl_source(entry, key, Span(path, line)))
    return tuple(sources), tuple(problems)


def _csl_source(entry: dict[str, Any], key: str, span: Span) -> Source:
    def word(name: str) -> str:
        value = entry.get(name, "")
        return " ".join(str(value).split()) if isinstance(value, str | int | float) else ""

    url = word("URL")
    arxiv = re.search(r"arxiv\.org/abs/([\w.]+)", url)
    return Source(
        key=key,
        title=word("title") or key,
        span=span,
        type=word("type") or "misc",
        authors=tuple(_csl_names(entry.get("author") or entry.get("editor") or ())),
        year=_csl_year(entry.get("issued")),
        venue=word("container-title") or word("publisher"),
        doi=word("DOI"),
        arxiv=arxiv[1] if arxiv else "",
        url=_web(url),
        entry={name: word(name) for name in entry if word(name)},
    )


def _csl_names(people: Any) -> Iterable[str]:
    for person in people if isinstance(people, list) else ():
        if isinstance(person, dict):
            name = person.get("literal") or f"{person.get('given', '')} {person.get('family', '')}"
            yield " ".join(str(name).split())


def _csl_year(issued: Any) -> int | None:
    if isinstance(issued, dict):
        parts = issued.get("date-parts") or [[issued.get("raw", issued.get("literal", ""))]]
        found = _YEAR.search(str(parts[0][0])) if parts and parts[0] else None
        return int(found[0]) if found else None
    return None
