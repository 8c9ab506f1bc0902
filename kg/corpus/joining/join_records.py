"""The records of all notes by id, and the changes that joining makes to them.

The first use of an id keeps it; undeclared methods are dropped; a note on a source adds to its
bibliography entry; citations by another name of a source get its key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

import msgspec

from kg.corpus.drafts import drafts_among
from kg.corpus.names.linkable_names import Duplicate
from kg.corpus.note_records import KnownRecord
from kg.model import Citation, Diagnostic, InquiryLine, Quotation, Severity, Source, Span, Statement
from kg.model.diagnostic import fix_at
from kg.model.settings.note_map import WORK_FIELDS
from kg.model.settings.quality_settings import QualityLadder
from kg.notes.corrections import METHOD_SYNONYMS
from kg.notes.parsed_note import ParsedNote, PendingMethod
from kg.text.spelling import most_similar_name

KeptStatement = TypeVar("KeptStatement", bound=KnownRecord)
# A misspelling, and not a part of another name: `analysis` is no `meta-analysis`.
_LEAST_METHOD_SIMILARITY = 0.8


class Records(Generic[KeptStatement]):
    """Statements, lines and sources by id, filled with one note after the other; of a statement,
    only what `keep` makes of it is held.
    """

    def __init__(
        self, bibliography: Iterable[Source], keep: Callable[[Statement], KeptStatement]
    ) -> None:
        self.sources: dict[str, Source] = {}
        self.statements: dict[str, KeptStatement] = {}
        self.lines: dict[str, InquiryLine] = {}
        self._keep = keep
        self.duplicates: list[Duplicate] = []
        # before the notes, so that a note on a source adds to its entry, not the reverse
        for source in bibliography:
            self._add_source(source)

    def add(self, note: ParsedNote) -> bool:
        """Add the records of a note; a note whose id is taken is left out as a whole."""
        if note.line:
            if self._record_if_taken(note.line.id, note.line.span, note):
                return False
            self.lines[note.line.id] = note.line
        elif note.source and not self._add_source(note.source):
            return False
        for statement in note.statements:
            if self._record_if_taken(statement.id, statement.span, note):
                return False
            self.statements[statement.id] = self._keep(statement)
        return True

    def find_record(self, id: str) -> KnownRecord | None:
        """The statement, line or source with this id."""
        return self.statements.get(id) or self.lines.get(id) or self.sources.get(id)

    def _record_if_taken(self, id: str, span: Span, note: ParsedNote | None = None) -> bool:
        """Return whether an id is already in use by any sort of record; if so, record the
        duplicate.
        """
        first = self.find_record(id)
        if first is None:
            return False
        lines = [note.line] if note and note.line else []
        is_draft = id in drafts_among(lines, note.statements if note else ())
        self.duplicates.append(Duplicate(id=id, span=span, first=first.span, is_draft=is_draft))
        return True

    def _add_source(self, source: Source) -> bool:
        """Add a source; a source note is merged into its bibliography entry, other repeats fail."""
        entry = self.sources.get(source.key)
        if entry is not None and source.note and not entry.note:
            self.sources[source.key] = merge_source(entry, source)
            return True
        if self._record_if_taken(source.key, source.span):
            return False
        self.sources[source.key] = source if source.title else with_default_title(source)
        return True


def with_known_methods(note: ParsedNote, ladder: QualityLadder) -> ParsedNote:
    """`note` without methods that `quality` does not declare, with a diagnostic for each."""
    unknown = [method for method in note.methods if method.word not in ladder.methods]
    if not unknown:
        return note
    without_method = {method.statement for method in unknown}
    diagnostics = (
        *note.diagnostics,
        *(_undeclared_method_problem(method, ladder) for method in unknown),
    )
    # of a note that was not understood, also what it most likely says
    best_guess = note.best_guess and with_known_methods(note.best_guess, ladder)
    return msgspec.structs.replace(
        note,
        statements=tuple(
            msgspec.structs.replace(each, method=None) if each.id in without_method else each
            for each in note.statements
        ),
        diagnostics=tuple(sorted(diagnostics, key=lambda problem: problem.span)),
        # its problems are those of the note, and are reported once
        best_guess=best_guess and msgspec.structs.replace(best_guess, diagnostics=()),
    )


def _undeclared_method_problem(method: PendingMethod, ladder: QualityLadder) -> Diagnostic:
    intended_method = _find_intended_method(method.word, ladder)
    written_text = method.written
    *first_methods, last_method = ladder.methods
    choices = f"{', '.join(first_methods)} or {last_method}"
    help = f"write {choices}, or declare it in kg.toml, `[quality.kinds]`"
    return Diagnostic(
        rule="bad-value",
        severity=Severity.ERROR,
        message=f"`method` cannot be {method.word!r}",
        span=method.span,
        help=f"did you mean `{intended_method}`?" if intended_method else help,
        fix=fix_at(method.span, written_text, intended_method)
        if intended_method and written_text
        else None,
        about="method",
    )


def _find_intended_method(word: str, ladder: QualityLadder) -> str | None:
    """The method with a similar spelling, or else the one of which the word is a synonym.

    That is a guess by meaning, so the synonym is left out if its method would grade the evidence
    higher than no method does.
    """
    if close := most_similar_name(word, ladder.methods, _LEAST_METHOD_SIMILARITY):
        return close
    other = METHOD_SYNONYMS.get(word, "")
    return other if ladder.methods.get(other, ladder.top) <= ladder.unrecorded else None


def with_default_title(source: Source) -> Source:
    """A source without a title, with its key as the title."""
    return msgspec.structs.replace(source, title=source.key)


def merge_source(entry: Source, note: Source) -> Source:
    """A bibliography entry with the values that its note adds or changes.

    Fields missing in the note are kept; for fields of the work, the entry takes precedence.
    """
    note_values = {
        name: value
        for name in note.__struct_fields__
        if name not in {"key", "type", "entry", "title"}
        and (value := getattr(note, name)) not in ((), "", None, {})
        and not (name in WORK_FIELDS and getattr(entry, name))
    }
    return msgspec.structs.replace(entry, **note_values)


CitingRecord = TypeVar("CitingRecord", Statement, InquiryLine)
CitationOrQuotation = TypeVar("CitationOrQuotation", Citation, Quotation)


def source_keys_by_alias(
    sources: Mapping[str, Source], aliases: Mapping[str, str]
) -> dict[str, str]:
    """The keys of sources by their other names."""
    return {name: key for name, key in aliases.items() if key in sources and name not in sources}


def cite_source_keys(
    records: dict[str, CitingRecord], keys_by_alias: Mapping[str, str]
) -> dict[str, CitingRecord]:
    """The records, with each citation and quotation under the key of its source."""
    if not keys_by_alias:
        return records
    return {id: with_source_keys(record, keys_by_alias) for id, record in records.items()}


def with_source_keys(record: CitingRecord, keys_by_alias: Mapping[str, str]) -> CitingRecord:
    """A record with each citation and quotation under the key of its source."""
    keys = {citation.key for citation in record.citations} | {
        quotation.key for quotation in record.quotations
    }
    if keys.isdisjoint(keys_by_alias):
        return record
    return msgspec.structs.replace(
        record,
        citations=tuple(_with_source_key(citation, keys_by_alias) for citation in record.citations),
        quotations=tuple(
            _with_source_key(quotation, keys_by_alias) for quotation in record.quotations
        ),
    )


def _with_source_key(
    reference: CitationOrQuotation, keys_by_alias: Mapping[str, str]
) -> CitationOrQuotation:
    key: str = reference.key
    return msgspec.structs.replace(reference, key=keys_by_alias.get(key, key))
