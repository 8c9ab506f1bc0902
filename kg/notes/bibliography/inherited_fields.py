"""Fields that an entry inherits from another, as in biblatex: `crossref`, `xdata`, sets."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from kg.model import Diagnostic, Severity, Span
from kg.notes.bibliography.parsed_bibliography import place_of_field
from kg.text.spelling import most_similar_name

MAX_STEPS = 8  # a chapter to its series takes three
_XDATA_PREFIX = "xdata="
_FIELD_REFERENCE = re.compile(
    r"\bxdata=(?P<key>[^\s{},]+?)-(?P<field>[A-Za-z]+)(?:-(?P<number>\d{1,3}))?(?![\w-])"
)
_AND = re.compile(r"\s+and\s+")
_WHOLE_TYPES = frozenset(("mvbook", "mvcollection", "mvproceedings", "mvreference"))
_PARTS = "inbook bookinbook suppbook incollection inreference suppcollection inproceedings"
_PART_TYPES = frozenset((*_PARTS.split(), "conference"))
_ARTICLE_TYPES = frozenset(("article", "suppperiodical"))
# What identifies or describes one work: a chapter with its book's DOI would be the same work.
_IDENTIFIERS = "doi url eprint eprinttype eprintclass archiveprefix urldate pages pagetotal isbn"
_LINKS = "ids crossref xref xdata entryset related relatedoptions relatedstring relatedtype"
_LABELS = "execute label options presort shorthand shorttitle sorttitle sortkey sortname sortyear"
_REMARKS = "abstract annotation annote note file keywords independence integrity entrysubtype"
_SHORT_FORMS = "shortauthor shorteditor indextitle indexsorttitle"
_NEVER_INHERITED = frozenset(f"{_IDENTIFIERS} {_LINKS} {_LABELS} {_REMARKS} {_SHORT_FORMS}".split())


class WrittenEntry(NamedTuple):
    """An entry as written: its type, its fields with their TeX, and its place."""

    type: str
    fields: dict[str, str]
    span: Span


class InheritingEntries:
    """The entries of one file with the fields they inherit; each is resolved once."""

    def __init__(self, entries: Mapping[str, WrittenEntry]) -> None:
        self.entries = entries
        self._resolved_fields: dict[str, dict[str, str]] = {}

    def fields(self, entry: WrittenEntry, steps: int = 0) -> dict[str, str]:
        """The fields of an entry, its own before those it inherits."""
        fields = dict(entry.fields)
        for kind, name in find_parent_entries(entry.fields):
            parent = self.entries.get(name)
            if parent is None or parent is entry or steps == MAX_STEPS:
                continue
            if name not in self._resolved_fields:
                self._resolved_fields[name] = parent.fields  # for circular references
                self._resolved_fields[name] = self.fields(parent, steps + 1)
            parent_fields = self._resolved_fields[name]
            if kind == "crossref":
                parent_fields = dict(_inherited_fields(parent_fields, parent.type, entry.type))
            _add_missing_fields(fields, parent_fields)
        return {name: self._fill_in_references(value) for name, value in fields.items()}

    def _fill_in_references(self, value: str) -> str:
        """A value with references to other entries' fields filled in: `xdata=press-location-2`."""
        return _FIELD_REFERENCE.sub(self._look_up_field, value) if _XDATA_PREFIX in value else value

    def _look_up_field(self, match: re.Match[str]) -> str:
        entry = self.entries.get(match["key"])
        value = entry.fields.get(match["field"].casefold(), "") if entry else ""
        parts = _AND.split(value)
        number = int(match["number"] or 0)
        if not number:
            return value or match[0]
        return parts[number - 1] if value and number <= len(parts) else match[0]


def inherits(fields: Mapping[str, str]) -> bool:
    """Return whether an entry inherits anything from another."""
    return any(find_parent_entries(fields)) or any(
        _XDATA_PREFIX in value for value in fields.values()
    )


def find_parent_entries(fields: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The entries from which an entry inherits, each after the name of the field that says so."""
    for kind in ("xdata", "crossref", "entryset"):
        if kind in fields:
            keys = fields[kind].replace("{", "").replace("}", "").split(",")
            yield from ((kind, name.strip()) for name in keys[: 1 if kind == "entryset" else None])


def _inherited_fields(
    fields: Mapping[str, str], parent_type: str, child_type: str
) -> Iterator[tuple[str, str]]:
    if child_type in _ARTICLE_TYPES:
        prefix = "journal" if parent_type == "periodical" else ""
    elif parent_type in _WHOLE_TYPES:
        prefix = "main"
    else:
        prefix = "book" if child_type in _PART_TYPES else ""
    for name, value in fields.items():
        if name in _NEVER_INHERITED:
            continue
        if prefix and name in ("title", "subtitle", "titleaddon"):
            yield prefix + name, value
        elif name == "author" and prefix == "book" and parent_type in ("book", "mvbook"):
            yield "bookauthor", value
            if child_type in ("inbook", "bookinbook", "suppbook"):
                yield "author", value
        elif name != "author" or prefix != "book":
            yield name, value


def _add_missing_fields(fields: dict[str, str], parent_fields: Mapping[str, str]) -> None:
    has_date = "date" in fields or "year" in fields
    for name, value in parent_fields.items():
        if not (has_date and name in ("date", "year", "month")):
            fields.setdefault(name, value)


def report_missing_parents(
    key: str,
    entry: WrittenEntry,
    entries: Mapping[str, WrittenEntry],
    unread_keys: Collection[str],
    text_lines: Sequence[str],
) -> Iterator[Diagnostic]:
    """A problem for each missing entry from which this one inherits.

    `unread_keys` are the keys of entries that exist but are reported as broken.
    """
    keys = (
        reference["key"]
        for value in entry.fields.values()
        for reference in _FIELD_REFERENCE.finditer(value)
    )
    for kind, name in dict.fromkeys(
        (*find_parent_entries(entry.fields), *(("xdata", key) for key in keys))
    ):
        if name and name not in entries and name not in unread_keys:
            close = most_similar_name(name, (*entries, *sorted(unread_keys)))
            lines_from_entry = islice(text_lines, entry.span.line - 1, None)
            yield Diagnostic(
                rule="lost-crossref",
                severity=Severity.WARNING,
                message=f"the `{kind}` of `{key}` names `{name}`, but there is no such entry",
                span=place_of_field(lines_from_entry, entry.span, kind, name),
                help=f"did you mean `{close}`?" if close else "export it too, into the same file",
            )
