"""Bibliographies, BibTeX and CSL JSON, as sources; the only module that names a BibTeX library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from kg.model import Diagnostic, Integrity, Severity, Source, Span, Value
from kg.model.records import ET_AL, fold_independence_keys
from kg.notes.discover import NoteFile

_KEYS_APART = re.compile(r"[,;]")
_YEAR = re.compile(r"\d{4}")
_CSL_KEY = re.compile(r'"(?:id|citation-key)"\s*:\s*("(?:[^"\\]|\\.)*"|\d{1,18}\b)')
_VENUE_FIELDS = (
    "journal",
    "booktitle",
    "journaltitle",
    "howpublished",
    "publisher",
    "institution",
    "school",
)


class Bibliography(Value, frozen=True):
    """The sources that bibliographies list, and what is wrong in them."""

    sources: tuple[Source, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def join_bibliographies(
    bibliographies: Iterable[Bibliography], problems: Iterable[Diagnostic] = ()
) -> Bibliography:
    """All sources of several bibliographies, and all problems with them."""
    bibliographies = list(bibliographies)
    return Bibliography(
        sources=tuple(source for each in bibliographies for source in each.sources),
        diagnostics=(*problems, *(p for each in bibliographies for p in each.diagnostics)),
    )


@lru_cache(maxsize=8)
def parse_bibliography(file: NoteFile) -> Bibliography:
    """What one `references.bib` or `references.json` holds; the latest few are kept at hand."""
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = file.data.count(b"\n", 0, error.start) + 1
        return _unread(Span(file.path, line), "this file is not UTF-8", "save it again as UTF-8")
    parse = _parse_csl if file.path.endswith(".json") else _parse_bibtex
    return parse(text, file.path)


def _unread(span: Span, message: str, help: str) -> Bibliography:
    return Bibliography(diagnostics=(_broken(span, message, help),))


def _broken(span: Span, message: str, help: str) -> Diagnostic:
    return Diagnostic(
        rule="broken-bibliography", severity=Severity.ERROR, message=message, span=span, help=help
    )


# -- BibTeX --------------------------------------------------------------------------------


@cache
def _bibtexparser() -> Any:
    """The library, which takes long to load; what it logs is reported as problems."""
    import logging

    import bibtexparser

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    return bibtexparser


def _parse_bibtex(text: str, path: str) -> Bibliography:
    library = _bibtexparser().parse_string(text)
    problems = [_failed(block, path) for block in library.failed_blocks]
    problems += [
        _broken(Span(path, comment.start_line + 1), "this text is in no entry", _NO_SIGN)
        for comment in library.comments
        if _ENTRY_WITHOUT_SIGN.match(getattr(comment, "comment", ""))
    ]
    sources = []
    for entry in library.entries:
        if entry.key:
            sources.append(_bibtex_source(entry, path))
            problems += _unknown_integrity(sources[-1])
        else:
            span = Span(path, entry.start_line + 1)
            problems.append(_broken(span, "this entry has no key", "write `@article{key, …`"))
    problems.sort(key=lambda problem: problem.span)
    return Bibliography(sources=tuple(sources), diagnostics=tuple(problems))


_NO_SIGN = "an entry begins with `@`"
_ENTRY_WITHOUT_SIGN = re.compile(r"\s*[A-Za-z]+\s*\{\s*[^\s,{}]+\s*,[^=]*=")


def _failed(block: Any, path: str) -> Diagnostic:
    span = Span(path, (block.start_line or 0) + 1)
    kind = type(block).__name__
    if kind == "DuplicateBlockKeyBlock":
        return _broken(span, f"the key `{block.key}` stands twice", "keep one of them")
    if kind == "DuplicateFieldKeyBlock":
        names = ", ".join(f"`{name}`" for name in sorted(block.duplicate_keys))
        return _broken(span, f"the field {names} stands twice in this entry", "keep one of them")
    return _broken(span, "this entry is not BibTeX", "check its braces, commas and equals signs")


def _bibtex_source(entry: Any, path: str) -> Source:
    written = {field.key.casefold(): str(field.value) for field in entry.fields}
    fields = {key: _without_braces_and_tex(value) for key, value in written.items()}
    year = _YEAR.search(fields.get("year", "") or fields.get("date", ""))
    on_arxiv = fields.get("archiveprefix", "arxiv").casefold() == "arxiv"
    people = written.get("author") or written.get("editor", "")
    return Source(
        key=entry.key,
        title=fields.get("title") or entry.key,
        span=Span(path, entry.start_line + 1),
        type=entry.entry_type.casefold(),
        authors=tuple(_name(_without_braces_and_tex(name)) for name in _split_names(people)),
        year=int(year[0]) if year else None,
        venue=next((fields[key] for key in _VENUE_FIELDS if fields.get(key)), ""),
        doi=fields.get("doi", ""),
        arxiv=fields.get("eprint", "") if on_arxiv else "",
        url=_web_address(fields.get("url", "")),
        entry=fields,
        independence=fold_independence_keys(_KEYS_APART.split(fields.get("independence", ""))),
        integrity=_integrity(fields),
    )


def _integrity(fields: Mapping[str, str]) -> Integrity | None:
    """What became of the publication, as an entry records it; None for no word that names it."""
    word = fields.get("integrity", "").casefold()
    return Integrity(word) if word in set(Integrity) else None


def _unknown_integrity(source: Source) -> Iterator[Diagnostic]:
    if source.entry.get("integrity") and source.integrity is None:
        message = f"`integrity` is `{source.entry['integrity'][:60]}`"
        yield _broken(source.span, message, f"write one of {', '.join(Integrity)}")


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
    """`Last, First` as `First Last`, with any `Jr.` behind it; `others` as `et al.`"""
    if name.strip() == "others":
        return ET_AL
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 3:
        last, suffix, first = parts
        return f"{first} {last}, {suffix}"
    return " ".join([*parts[1:], parts[0]]).strip()


def _without_braces_and_tex(value: str) -> str:
    """A BibTeX value without braces and TeX, on one line."""
    if "\\" in value or "$" in value:
        value = _without_tex(value)
    value = value.replace("``", "“").replace("''", "”")
    return " ".join(value.replace("{", "").replace("}", "").split())


def _without_tex(value: str) -> str:
    """Accents, symbols and formulas as Unicode; TeX that cannot be read stays as it is."""
    from pylatexenc.latex2text import LatexNodes2Text

    try:
        text: str = LatexNodes2Text().latex_to_text(value)
    except Exception:  # pylatexenc fails in many ways on TeX that is not well formed
        return value
    return text


def _web_address(url: str) -> str:
    """The address, if a page may link to it."""
    return url if re.match(r"https?://[^\s\"'<>]+$", url) else ""


# -- CSL JSON ------------------------------------------------------------------------------


def _parse_csl(text: str, path: str) -> Bibliography:
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        span = Span(path, getattr(error, "lineno", 1), getattr(error, "colno", 1))
        return _unread(span, "this is not JSON", str(error).splitlines()[0])
    entries = entries.get("items", entries) if isinstance(entries, dict) else entries
    if not isinstance(entries, list):
        return _unread(Span(path), "this is not a list of CSL entries", "export it as CSL JSON")
    return _csl_sources(entries, text, path)


def _csl_sources(entries: list[Any], text: str, path: str) -> Bibliography:
    sources: dict[str, Source] = {}
    problems = []
    lines = _csl_lines(text)
    for number, entry in enumerate(entries, 1):
        key = _text(entry.get("citation-key") or entry.get("id")) if type(entry) is dict else ""
        if not key:
            problems.append(
                _broken(Span(path), f"entry {number} has no `id`", "give each entry an `id`")
            )
            continue
        places = lines.get(key)
        span = Span(path, places.pop() if places else 1)
        if key in sources:
            problems.append(_broken(span, f"the key `{key}` stands twice", "keep one of them"))
        else:
            sources[key] = _csl_source(entry, key, span)
    return Bibliography(sources=tuple(sources.values()), diagnostics=tuple(problems))


def _csl_lines(text: str) -> dict[str, list[int]]:
    """The lines on which each key is given, the last one first."""
    lines: dict[str, list[int]] = {}
    line, at = 1, 0
    for found in _CSL_KEY.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        lines.setdefault(_text(json.loads(found[1])), []).insert(0, line)
    return lines


def _text(value: Any) -> str:
    """A word of JSON on one line, half characters replaced; empty for what is no word."""
    if not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).encode("utf-8", "replace").decode("utf-8").split())


def _csl_source(entry: dict[str, Any], key: str, span: Span) -> Source:
    def word(name: str) -> str:
        return _text(entry.get(name))

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
        url=_web_address(url),
        entry={name: word(name) for name in entry if word(name)},
    )


def _csl_names(people: Any) -> Iterable[str]:
    for person in people if isinstance(people, list) else ():
        if isinstance(person, dict):
            name = (
                person.get("literal") or f"{person.get('given') or ''} {person.get('family') or ''}"
            )
            if shown := _text(name):
                yield shown


def _csl_year(issued: Any) -> int | None:
    if not isinstance(issued, dict):
        return None
    found = _YEAR.search(
        str(issued.get("date-parts") or issued.get("raw") or issued.get("literal"))
    )
    return int(found[0]) if found else None
