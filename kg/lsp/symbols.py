"""Symbols of the notes: what a name leads to, where it is named, and how it is renamed."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, NamedTuple

from kg.corpus import Corpus
from kg.editing.change import Change
from kg.editing.folder_files import FileText, FolderFiles
from kg.editing.references import find_references
from kg.editing.references.reference import DEFINITIONS, Reference, ReferenceKind
from kg.editing.references.resolve_reference import is_camp_word
from kg.editing.rename import RenamedKind, rename
from kg.lsp.record_places import (
    id_of_reference,
    reference_at,
    statement_at,
    statements_by_file,
)
from kg.lsp.statement_facts import describe_reasons, describe_strength
from kg.lsp.text_ranges import DocumentText, TextRange
from kg.lsp.workspace import find_names
from kg.model import CampId, Edit, InquiryLine, Kind, RecordId, Span, Statement
from kg.model.ids import is_part
from kg.model.settings.config import SETTINGS_PATHS

ReadText = Callable[[str], DocumentText]
# What a name in a text stands for; an `id` is that of any record.
NamedKind = Literal["topic", "camp", "id"]


class Symbol(NamedTuple):
    """Something in a file: its name, kind and range, and the symbols within it."""

    name: str
    kind: Kind | Literal["line"]
    range: TextRange
    within: tuple[Symbol, ...] = ()


class Lens(NamedTuple):
    """A text to show above a line."""

    range: TextRange
    text: str


def name_and_kind_at(
    corpus: Corpus, text: DocumentText, line_number: int, column: int
) -> tuple[str, NamedKind] | None:
    """The thing named at a place: its id or word, and its kind."""
    if reference_and_range := reference_at(text, line_number, column):
        reference = reference_and_range[0]
        if (id := id_of_reference(corpus, reference)) is not None:
            return id, _kind_of_reference(corpus, reference)
    record = statement_at(corpus, text.path, line_number)
    return (record.id, "id") if record else None


def _kind_of_reference(corpus: Corpus, reference: Reference) -> NamedKind:
    if reference.kind in (ReferenceKind.TOPIC, ReferenceKind.ABOUT, ReferenceKind.TERM):
        return "topic"
    is_camp = reference.kind in (ReferenceKind.CAMP, ReferenceKind.CAMP_ID)
    return "camp" if is_camp or is_camp_word(corpus, reference) else "id"


def find_definition(
    corpus: Corpus, text_of: ReadText, name: str, kind: NamedKind
) -> TextRange | None:
    """The range where a thing is defined; None if it is nowhere."""
    if kind == "topic":
        term = corpus.term(name)
        return text_of(term.span.path).range_at(term.span) if term else None
    if kind == "camp":
        return next(
            (
                text_range
                for path in SETTINGS_PATHS
                for text_range in _find_declaration(text_of(path), name)
            ),
            None,
        )
    span = span_of(corpus, name)
    return text_of(span.path).range_at(span) if span else None


def _find_declaration(text: DocumentText, camp: CampId) -> Iterator[TextRange]:
    for each in find_references(text.text, text.path):
        if each.kind is ReferenceKind.CAMP_ID and each.name == camp:
            yield text.range(each.start, each.end)


def span_of(corpus: Corpus, id: RecordId) -> Span | None:
    """The place of a statement, line, source or edge."""
    for records in (corpus.statements, corpus.lines, corpus.sources, corpus.edges_by_id):
        if id in records:
            span: Span = records[id].span
            return span
    return None


def find_uses(
    corpus: Corpus, text_of: ReadText, name: str, kind: NamedKind, *, definitions: bool = False
) -> list[TextRange]:
    """Find all references to a thing; with `definitions`, also those that define its name."""
    ranges: list[TextRange] = []
    for path in sorted(_files_naming(corpus, name, kind)):
        text = text_of(path)
        for each in find_references(text.text, path):
            if each.kind in DEFINITIONS and not (
                definitions and each.kind is not ReferenceKind.TITLE
            ):
                continue
            if id_of_reference(corpus, each) == name and _kind_of_reference(corpus, each) == kind:
                ranges.append(text.range(each.start, each.end))
    return ranges


def _files_naming(corpus: Corpus, name: str, kind: NamedKind) -> set[str]:
    """The files that may refer to a thing, so that not all have to be read."""
    if kind == "camp":
        return {span.path for span in _spans_naming_camp(corpus, name)} | set(SETTINGS_PATHS)
    spans_naming = _spans_naming_topic if kind == "topic" else _spans_naming_record
    return {span.path for span in spans_naming(corpus, name)}


def _spans_naming_camp(corpus: Corpus, camp: CampId) -> Iterator[Span]:
    """The statements of a camp, and all lines, which may place statements in it."""
    yield from (each.span for each in corpus.statements.values() if each.camp == camp)
    yield from (line.span for line in corpus.lines.values())


def _spans_naming_topic(corpus: Corpus, topic: str) -> Iterator[Span]:
    """The records with a topic or name, and the glossary entry that explains it."""
    for table in (corpus.statements, corpus.lines, corpus.sources):
        for each in table.values():
            if topic in each.topics or topic in getattr(each, "about", ()):
                yield each.span
    if term := corpus.term(topic):
        yield term.span


def _spans_naming_record(corpus: Corpus, id: RecordId) -> Iterator[Span]:
    """Everything that refers to a statement, line, source or edge, and the record itself."""
    tables = (
        corpus.edges_to,
        corpus.edges_with,
        corpus.backlinks,
        corpus.placements_of,
        corpus.statements_citing,
    )
    for table in tables:
        yield from (each.span for each in table.get(id, ()))
    for line in corpus.lines.values():
        is_cited = any(citation.key == id for citation in line.citations)
        is_next = any(step.target == id for step in line.next)
        if is_cited or is_next or line.proposition == id:
            yield line.span
    if own_span := span_of(corpus, id):
        yield own_span


# -- symbols and lenses --------------------------------------------------------------------


def symbols_in(corpus: Corpus, text: DocumentText) -> tuple[Symbol, ...]:
    """The note in a file, with its callouts nested in it."""
    records = _records_in_file(corpus, text.path)
    top_records = [each for each in records if not is_part(each.id)]
    nested = tuple(_symbol_of_record(text, each) for each in records if is_part(each.id))
    if not top_records:
        return nested
    first = _symbol_of_record(text, top_records[0])
    return (
        first._replace(within=nested),
        *(_symbol_of_record(text, each) for each in top_records[1:]),
    )


def _records_in_file(corpus: Corpus, path: str) -> list[Statement | InquiryLine]:
    lines = [line for line in corpus.lines.values() if line.span.path == path]
    return [*lines, *statements_by_file(corpus).get(path, ())]


def _symbol_of_record(text: DocumentText, record: Statement | InquiryLine) -> Symbol:
    kind: Kind | Literal["line"] = record.kind if isinstance(record, Statement) else "line"
    return Symbol(record.title, kind, text.range_at(record.span))


def find_symbols(corpus: Corpus, words: str) -> list[tuple[str, str, Span]]:
    """The records found by the typed words, each with its description and place."""
    names_and_spans = ((each, span_of(corpus, each.id)) for each in find_names(corpus, words)[0])
    return [
        (f"{each.title} [{each.id}]", each.description, span)
        for each, span in names_and_spans
        if span
    ]


def find_lenses(corpus: Corpus, text: DocumentText, weighed_corpus: Corpus | None) -> list[Lens]:
    """Show, at each statement in a file, its strength, the reasons for and against it, and its
    links.
    """
    lenses = []
    for each in _records_in_file(corpus, text.path):
        parts: Iterable[str] = (_count_of_links(corpus, each.id),)
        if isinstance(each, Statement):
            parts = (
                describe_strength(weighed_corpus, each),
                describe_reasons(corpus, each),
                *parts,
            )
        lenses.append(Lens(text.range_at(each.span), " · ".join(filter(None, parts))))
    return lenses


def _count_of_links(corpus: Corpus, id: RecordId) -> str:
    number = len(corpus.backlinks.get(id, ())) + len(corpus.placements_of.get(id, ()))
    return f"{number} other links here" if number != 1 else "1 other link here"


def find_name_at(
    corpus: Corpus, text: DocumentText, line_number: int, column: int
) -> tuple[TextRange, str] | None:
    """The name at a place that can be renamed, and its range."""
    id_and_kind = name_and_kind_at(corpus, text, line_number, column)
    if id_and_kind is None:
        return None
    id, kind = id_and_kind
    if kind == "id" and id not in corpus.edges_by_id and corpus.find_id(id) is None:
        return None
    reference_and_range = reference_at(text, line_number, column)
    text_range = (
        reference_and_range[1]
        if reference_and_range
        else TextRange(text.path, line_number, column, line_number, column)
    )
    return text_range, id.rpartition("#")[2] if kind == "id" else id


def rename_at(
    corpus: Corpus, files: FolderFiles, text: DocumentText, line_number: int, column: int, new: str
) -> Change | None:
    """The change that renames the thing at a place to `new`; raises `NotEditable`."""
    id_and_kind = name_and_kind_at(corpus, text, line_number, column)
    if id_and_kind is None:
        return None
    id, kind = id_and_kind
    rename_kind: RenamedKind = kind if kind != "id" else "name" if is_part(id) else "note"
    return rename(files, corpus, id, new, kind=rename_kind, new_is_title=True)


def edits_of(change: Change) -> Iterator[tuple[str, list[Edit]]]:
    """The edits of a change by file, under its old name, without files that it creates."""
    old_paths = {new: old_path for old_path, new in change.moves.items()}
    for path, data in change.files_after.items():
        old_path = old_paths.get(path, path)
        old_data = change.files_before.get(old_path)
        if data is not None and old_data is not None and data != old_data:
            old_text = FileText(old_path, old_data).text
            new_text = FileText(old_path, data).text
            yield (
                old_path,
                list(_edits_of_runs(old_path, old_text.split("\n"), new_text.split("\n"))),
            )


def _edits_of_runs(path: str, old_lines: list[str], new_lines: list[str]) -> Iterator[Edit]:
    """An edit for each run of lines that differ."""
    matcher = difflib.SequenceMatcher(None, old_lines, new_lines, autojunk=False)
    for operation, first, last, start, end in matcher.get_opcodes():
        if operation == "equal":
            continue
        new = "".join(f"{text_line}\n" for text_line in new_lines[start:end])
        line_number = first + 1
        end_line = last + 1
        column = 1
        end_column = 1
        if last == len(old_lines):  # the last line has no line end
            new = new[:-1]
            end_line = len(old_lines)
            end_column = len(old_lines[-1]) + 1
            if first == len(old_lines):
                line_number = end_line
                column = end_column
                new = f"\n{new}"
            elif start == end:
                line_number = first
                column = len(old_lines[first - 1]) + 1
        yield Edit(
            path=path,
            line=line_number,
            column=column,
            end_line=end_line,
            end_column=end_column,
            text=new,
        )
