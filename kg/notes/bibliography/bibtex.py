"""BibTeX and biblatex as sources; the only module that uses a BibTeX parser."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypedDict

from kg.model import Diagnostic, Source, Span
from kg.model.errors import KgError
from kg.notes.bibliography import identifiers
from kg.notes.bibliography.inherited_fields import (
    InheritingEntries,
    WrittenEntry,
    inherits,
    report_missing_parents,
)
from kg.notes.bibliography.parsed_bibliography import (
    Bibliography,
    broken_entry_problem,
    fields_without_local_paths,
    merge_by_key,
    public_names,
)
from kg.notes.bibliography.people import PersonName, parse_names, render_names
from kg.notes.bibliography.tex import tex_to_plain_text, unescape_tex
from kg.text.figures_in_text import figures_of_text

VENUES = (
    "journal",
    "journaltitle",
    "booktitle",
    "howpublished",
    "publisher",
    "institution",
    "school",
    "organization",
    "eventtitle",
)
# Fields whose values are read literally, not as TeX.
LITERAL_FIELDS = frozenset(
    ("doi", "url", "eprint", "isbn", "issn", "pages", "eid", "urldate", "date")
)
_AUTHORS = ("author", "editor")
_PEOPLE = (*_AUTHORS, "translator", "bookauthor")
# Words in the place of an entry's type that do not begin a work.
ENTRY_TYPES_WITHOUT_WORK = frozenset(("xdata", "comment", "preamble", "string"))
_ENTRY_WITHOUT_SIGN = re.compile(r"\s*[A-Za-z]+\s*\{\s*([^\s,{}]+)\s*,[^=]*=")
_KEY_OF_BROKEN = re.compile(r"@[A-Za-z]+\s*[{(]\s*([^\s,{}()=]+)")
_HELP_WITHOUT_SIGN = "an entry begins with `@`"
_BRACE = re.compile(r"[{}]")
MAX_STRING_LETTERS = 10_000  # characters that the `@string`s of one value may add
_HELP_WITH_LONG_STRINGS = "write it out; use strings only to abbreviate names and titles"
_PIECE = re.compile(r'\{|"([^"{}]*)"|[^#\s{}"]+')
# Fields that say the same under another name.
_SAME_FIELDS = {
    "journal": ("journaltitle", "container-title"),
    "journaltitle": ("journal", "container-title"),
    "booktitle": ("container-title",),
    "pages": ("page",),
    "year": ("date",),
    "month": ("date",),
    "address": ("location", "publisher-place"),
    "location": ("address", "publisher-place"),
}


_ANNOTATIONS = ("annote", "annotation")


@cache
def _bibtexparser() -> Any:
    """The parser, imported late as it is slow to load; problems are reported, not logged."""
    import logging

    import bibtexparser

    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    return bibtexparser


def parse_bibtex(text: str, path: str) -> Bibliography:
    """The sources of one file, and the problems in it."""
    bibliography = _bibtexparser().parse_string(text, parse_stack=[])
    problems: list[Diagnostic] = []
    unread_keys: set[str] = set()
    for comment in bibliography.comments:
        if match := _ENTRY_WITHOUT_SIGN.match(getattr(comment, "comment", "")):
            span = Span(path, comment.start_line + 1)
            problems.append(
                broken_entry_problem(span, "this text is not in an entry", _HELP_WITHOUT_SIGN)
            )
            unread_keys.add(match[1])
    for block in bibliography.failed_blocks:
        if not _entry_in(block):
            problems.append(_broken_block_problem(block, path))
            unread_keys.update(_KEY_OF_BROKEN.findall(block.raw or ""))
    blocks = [*bibliography.entries, *filter(None, map(_entry_in, bibliography.failed_blocks))]
    blocks.sort(key=lambda block: block.start_line)
    strings: dict[str, str] = {}
    for string in bibliography.strings:
        try:
            strings[string.key.casefold()] = _expanded_value(str(string.value), strings)
        except _StringsGrowTooLong as error:
            problems.append(
                broken_entry_problem(
                    Span(path, string.start_line + 1), str(error), _HELP_WITH_LONG_STRINGS
                )
            )
    entries = [(block.key, _entry_as_written(block, path, strings, problems)) for block in blocks]
    read_sources = _sources_of_entries(entries, problems, unread_keys, text.split("\n"))
    sources, repeated_keys = merge_by_key(read_sources, is_one_file=True)
    problems += [*repeated_keys, *identifiers.unknown_integrity_problems(sources)]
    abstracts = {
        key: figures
        for key, entry in reversed(entries)
        if (figures := figures_of_text(tex_to_plain_text(entry.fields.get("abstract", ""))))
    }
    sorted_problems = tuple(sorted(problems, key=lambda problem: problem.span))
    return Bibliography(sources, sorted_problems, abstracts)


def find_annotations(text: str) -> dict[str, str]:
    """Annotations by citation key; `Source` does not carry them."""
    bibliography = _bibtexparser().parse_string(text, parse_stack=[])
    annotations = {}
    for block in bibliography.entries:
        fields = _fields_of_entry(block)
        if annotation := "\n\n".join(filter(None, map(fields.get, _ANNOTATIONS))):
            annotations[block.key] = annotation
    return annotations


def find_entry_fields(entry: str) -> dict[str, str]:
    """The fields of one entry as written, including private ones."""
    blocks = _bibtexparser().parse_string(entry, parse_stack=[]).blocks
    entries = (each if hasattr(each, "entry_type") else _entry_in(each) for each in blocks)
    return next(map(_fields_of_entry, filter(None, entries)), {})


def _fields_of_entry(entry: Any) -> dict[str, str]:
    return {field.key.casefold(): _expanded_value(str(field.value), {}) for field in entry.fields}


def _entry_in(block: object) -> Any:
    """The entry in a block that failed to parse; None if the block is not an entry."""
    entry = getattr(block, "ignore_error_block", None)
    return entry if hasattr(entry, "entry_type") else None


def _broken_block_problem(block: Any, path: str) -> Diagnostic:
    span = Span(path, (block.start_line or 0) + 1)
    return broken_entry_problem(
        span, "this entry is not BibTeX", "check its braces, commas and equals signs"
    )


def _entry_as_written(
    block: Any, path: str, strings: Mapping[str, str], problems: list[Diagnostic]
) -> WrittenEntry:
    """An entry with its fields as written; the first wins where one is repeated."""
    span = Span(path, block.start_line + 1)
    fields: dict[str, str] = {}
    repeated_names = set()
    for field in block.fields:
        name = field.key.casefold()
        if name in fields:
            repeated_names.add(name)
        else:
            try:
                fields[name] = _expanded_value(str(field.value), strings)
            except _StringsGrowTooLong as error:
                problems.append(broken_entry_problem(span, str(error), _HELP_WITH_LONG_STRINGS))
    if repeated_names:
        listed_names = ", ".join(f"`{name}`" for name in sorted(repeated_names))
        message = f"the field {listed_names} is given twice in this entry"
        problems.append(broken_entry_problem(span, message, "keep one of them"))
    return WrittenEntry(block.entry_type.casefold(), fields, span)


class _StringsGrowTooLong(KgError, ValueError):
    """Nested `@string`s that would grow without bound."""


def _expanded_value(raw: str, strings: Mapping[str, str]) -> str:
    """A value without its delimiters, its macros expanded and its pieces joined."""
    if "#" not in raw or (raw[:1] == "{" and "#" not in raw[_end_of_group(raw, 0) :]):
        if raw[:1] in ('"', "{") and len(raw) > 1:
            return raw[1:-1]
        return strings.get(raw.casefold(), raw)
    pieces = []
    offset = 0
    letters_left = len(raw) + MAX_STRING_LETTERS
    while piece := _PIECE.search(raw, offset):
        offset = piece.end()
        if piece[0] == "{":
            offset = _end_of_group(raw, piece.start())
            pieces.append(raw[piece.end() : offset - 1])
        elif piece[1] is not None:
            pieces.append(piece[1])
        else:
            pieces.append(strings.get(piece[0].casefold(), piece[0]))
            if (letters_left := letters_left - len(pieces[-1])) < 0:
                raise _StringsGrowTooLong(
                    f"its strings expand to more than {MAX_STRING_LETTERS} characters"
                )
    return "".join(pieces)


def _end_of_group(raw: str, start: int) -> int:
    """The end of the group whose opening brace is at `start`."""
    depth = 0
    for sign in _BRACE.finditer(raw, start):
        depth += 1 if sign[0] == "{" else -1
        if depth == 0:
            return sign.end()
    return len(raw)


def _sources_of_entries(
    written_entries: list[tuple[str, WrittenEntry]],
    problems: list[Diagnostic],
    unread_keys: set[str],
    text_lines: list[str],
) -> list[Source]:
    entries: dict[str, WrittenEntry] = {}
    for key, entry in written_entries:
        entries.setdefault(key, entry)
    sources = []
    inheriting_entries = InheritingEntries(entries)
    for key, entry in written_entries:
        if not key:
            problems.append(
                broken_entry_problem(entry.span, "this entry has no key", "write `@article{key, …`")
            )
        elif entry.type not in ENTRY_TYPES_WITHOUT_WORK:
            if " " in key:
                message = f"the key `{key}` holds a space, so nothing can cite it"
                problems.append(broken_entry_problem(entry.span, message, "write it without"))
            if inherits(entry.fields):
                problems += report_missing_parents(key, entry, entries, unread_keys, text_lines)
                entry = entry._replace(fields=inheriting_entries.fields(entry))
            sources.append(_source_of_entry(key, entry))
    return sources


def _source_of_entry(key: str, entry: WrittenEntry) -> Source:
    written_fields = entry.fields
    if "note" in written_fields:
        written_fields = {**identifiers.parse_extra(written_fields["note"]), **written_fields}
    names_by_field = {
        each: parse_names(written_fields[each]) for each in _PEOPLE if written_fields.get(each)
    }
    people = next((names_by_field[each] for each in _AUTHORS if each in names_by_field), [])
    fields = _plain_fields(written_fields, names_by_field)
    value_of = fields.get
    venues = (value_of(name, "") for name in VENUES)
    return Source(
        key=key,
        title=join_title(value_of("title", ""), value_of("subtitle", "")) or key,
        span=entry.span,
        type=entry.type,
        authors=tuple(name.spoken_name for name in people),
        year=identifiers.year_in(f"{value_of('year', '')} {value_of('date', '')}"),
        venue=next(
            (venue for venue in venues if venue and not identifiers.web_address_of(venue)), ""
        ),
        **_identifiers_of(fields, written_fields.get("arxiv", "")),
        aliases=_other_keys(written_fields.get("ids", ""), key),
        entry=fields,
        independence=identifiers.parse_independence(fields),
        integrity=identifiers.parse_integrity(fields),
    )


def _plain_fields(
    written_fields: Mapping[str, str], names_by_field: Mapping[str, Sequence[PersonName]]
) -> dict[str, str]:
    """The fields that may be published, without TeX."""

    def plain_value(name: str) -> str:
        if name in names_by_field:
            return render_names(names_by_field[name])
        value = written_fields[name]
        return unescape_tex(value) if name in LITERAL_FIELDS else tex_to_plain_text(value)

    return fields_without_local_paths(
        {name: plain_value(name) for name in public_names(written_fields)}
    )


class _Identifiers(TypedDict):
    """Fields of a source: what identifies the work."""

    doi: str
    arxiv: str
    url: str


def _identifiers_of(fields: Mapping[str, str], own_arxiv_id: str) -> _Identifiers:
    """The identifiers in an entry's fields; `own_arxiv_id` is in a field for it alone."""
    archive = (fields.get("eprinttype") or fields.get("archiveprefix") or "").casefold()
    eprint = fields.get("eprint", "")
    doi = identifiers.parse_doi(fields.get("doi", ""), fields.get("url", ""))
    web_addresses = (
        identifiers.web_address_of(fields.get(name, "")) for name in ("url", "howpublished")
    )
    url = next(filter(None, web_addresses), "")
    on_arxiv = archive == "arxiv" or (not archive and identifiers.is_arxiv(eprint))
    return {
        "doi": doi,
        "arxiv": identifiers.parse_arxiv_id(eprint if on_arxiv else own_arxiv_id, doi, url),
        "url": url or identifiers.repository_address(archive, eprint),
    }


def join_title(title: str, subtitle: str) -> str:
    """A title with its subtitle."""
    if not title or not subtitle:
        return title
    return f"{title} {subtitle}" if title[-1] in ".:?!" else f"{title}: {subtitle}"


def _other_keys(ids: str, key: str) -> tuple[str, ...]:
    """The other keys of an entry."""
    names = (name.strip() for name in ids.replace("{", "").replace("}", "").split(","))
    return tuple(dict.fromkeys(name for name in names if name and name != key))


def fields_only_in_first(
    fields: Mapping[str, str], other_fields: Mapping[str, str]
) -> Iterator[str]:
    """The fields of `other_fields` that `fields` lacks, under this or another name."""
    for name, value in other_fields.items():
        has_synonym = any(each in fields for each in _SAME_FIELDS.get(name, ()))
        has_year = name == "date" and fields.get("year") == value
        if name not in fields and name != "ids" and not has_synonym and not has_year:
            yield name
