"""A bibliography as read: one source per key, with public fields alone, and its problems."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

import msgspec

from kg.model import Diagnostic, Severity, Source, SourceKey, Span, Value
from kg.text.spelling import most_similar_name

BIBTEX_FIELDS = (
    "address afterword annotator archiveprefix author bookauthor booksubtitle booktitle "
    "booktitleaddon chapter commentator crossref date day doi edition editor editora editorb "
    "editorc editortype eid entrysubtype eprint eprintclass eprinttype eventdate eventtitle "
    "foreword holder howpublished institution introduction isan isbn ismn isrn issn issue "
    "issuetitle iswc journal journalsubtitle journaltitle langid language location mainsubtitle "
    "maintitle maintitleaddon month nameaddon number organization origdate origlanguage "
    "origlocation origpublisher origtitle pages pagetotal part pmcid pmid primaryclass publisher "
    "pubstate school series shortauthor shortjournal shorttitle subtitle title titleaddon "
    "translator type url urldate venue version volume volumes year"
)
CSL_FIELDS = (
    "authority chapter-number collection-number collection-title container-title "
    "container-title-short dimensions division event event-place event-title genre "
    "journalabbreviation jurisdiction medium number-of-pages number-of-volumes original-date "
    "original-publisher original-publisher-place original-title page page-first part-number "
    "part-title printing publisher-place references reviewed-genre reviewed-title scale section "
    "status supplement title-short volume-title"
)
OWN_FIELDS = "independence integrity"
# All others are private: files, notes, tags, abstracts, and fields of no known format.
PUBLIC_FIELDS = frozenset(f"{BIBTEX_FIELDS} {CSL_FIELDS} {OWN_FIELDS}".split())
_MISSPELLING_SIMILARITY = 0.78  # matches `titel`, but neither `file` nor `subtitle`
_LOCAL = re.compile(
    r"file:|zotero:|(?<![\w/.:])(?:[A-Za-z]:[\\/]|\\\\|~/|/(?:Users|home|mnt|Volumes|tmp|var)/)"
)


class Bibliography(Value, frozen=True):
    """The sources that bibliographies list, and the problems in them.

    `figures_in_abstracts` holds only figures, by key: their text is private.
    """

    sources: tuple[Source, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    figures_in_abstracts: dict[SourceKey, str] = {}


def unread_bibliography(span: Span, message: str, help: str) -> Bibliography:
    """A bibliography that could not be read at all, with the problem."""
    return Bibliography(diagnostics=(broken_entry_problem(span, message, help),))


def broken_entry_problem(
    span: Span, message: str, help: str, related: tuple[Span, ...] = ()
) -> Diagnostic:
    """An error in an entry, or in the text between entries."""
    return Diagnostic(
        rule="broken-bibliography",
        severity=Severity.ERROR,
        message=message,
        span=span,
        help=help,
        related=related,
    )


def place_of_field(text_lines: Iterable[str], entry: Span, field: str, word: str = "") -> Span:
    """The place of a field of a BibTeX entry with `word` in its value; else the entry's place.

    `text_lines` are the lines of its file from the entry on.
    """
    before_name = r"(?:^|[,{]|\sand\s)\s*"  # a name after other words is part of a value
    pattern = re.compile(rf"{before_name}({field})\s*=[^=]*{re.escape(word)}", re.IGNORECASE)
    for number, text_line in enumerate(text_lines, entry.line):
        if number > entry.line and text_line.lstrip().startswith("@"):
            break
        if match := pattern.search(text_line):
            return Span(entry.path, number, match.start(1) + 1)
    return entry


def merge_by_key(
    sources: Iterable[Source], is_one_file: bool
) -> tuple[tuple[Source, ...], list[Diagnostic]]:
    """Return one source per key; a second entry for the same work fills the gaps of the first.

    A repeated key is a problem within one file, and between files only if the works differ.
    """
    sources_by_key: dict[str, Source] = {}
    problems = []
    for source in sources:
        first = sources_by_key.setdefault(source.key, source)
        if first is source:
            continue
        is_same = _is_same_work(first, source)
        if is_same:
            sources_by_key[source.key] = _with_missing_fields(first, source)
        if is_one_file or not is_same:
            problems.append(_duplicate_entry_problem(source, first, is_same))
    return tuple(sources_by_key.values()), problems


def _duplicate_entry_problem(source: Source, first: Source, is_same: bool) -> Diagnostic:
    if is_same or source.title in (source.key, first.title):
        message = f"the key `{source.key}` is used twice"
        help = "keep one of them"
    else:
        message = f"the key `{source.key}` is also used for another work: {source.title[:80]}"
        help = "give this entry a key of its own; until then it is left out"
    return broken_entry_problem(source.span, message, help, (first.span,))


def _is_same_work(first: Source, second: Source) -> bool:
    if first.doi and second.doi:
        return first.doi.casefold() == second.doi.casefold()
    if first.year and second.year and first.year != second.year:
        return False
    return _letters_of_title(first.title) == _letters_of_title(second.title)


def _letters_of_title(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))


def _with_missing_fields(first: Source, second: Source) -> Source:
    missing_values = {
        name: value
        for name in first.__struct_fields__
        if getattr(first, name) in ((), "", None) and (value := getattr(second, name))
    }
    return msgspec.structs.replace(first, **missing_values, entry={**second.entry, **first.entry})


def public_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields that may be published; values with local paths never are."""
    return fields_without_local_paths({name: fields[name] for name in public_names(fields)})


def public_names(fields: Collection[str]) -> list[str]:
    """The names of the fields that may be published."""
    names = PUBLIC_FIELDS
    if "title" not in fields:  # a misspelt one is kept, so that it can be reported
        misspelt_title = most_similar_name("title", fields, _MISSPELLING_SIMILARITY)
        names |= {misspelt_title} if misspelt_title else set()
    return [name for name in fields if name.casefold() in names]


def fields_without_local_paths(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields that have a value, and no path on a disk in it."""
    return {name: value for name, value in fields.items() if value and not _LOCAL.search(value)}
