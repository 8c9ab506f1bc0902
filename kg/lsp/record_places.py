"""Find what is at a place of a note: a reference, the record that it names, a statement's title."""

from __future__ import annotations

from collections.abc import Sequence

from kg.corpus import Corpus
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import resolve
from kg.lsp.text_ranges import DocumentText, TextRange
from kg.model import InquiryLine, Statement
from kg.runtime.memoize import memoize

_LONG_REFERENCES = (ReferenceKind.TITLE, ReferenceKind.HEADING)


def reference_at(
    text: DocumentText, line_number: int, column: int
) -> tuple[Reference, TextRange] | None:
    """The reference at a place, and its range; of several the shortest."""
    offset = text.offset(line_number, column)
    references = [
        each
        for each in find_references(text.text, text.path)
        if each.start <= offset <= each.end + len(each.fragment)
    ]
    if not references:
        return None
    best = min(references, key=lambda each: (each.kind in _LONG_REFERENCES, each.end - each.start))
    return best, text.range(best.start, best.end)


def id_of_reference(corpus: Corpus, reference: Reference) -> str | None:
    """The id of the thing that a reference names, also for headings and titles."""
    if reference.kind in _LONG_REFERENCES or reference.kind is ReferenceKind.ID:
        return reference.holder or None
    return resolve(corpus, reference)


def statement_at(corpus: Corpus, path: str, line_number: int) -> Statement | InquiryLine | None:
    """The statement or inquiry line with its title on this line of a file."""
    statements: Sequence[Statement] = statements_by_file(corpus).get(path, ())
    records: tuple[Statement | InquiryLine, ...] = (*statements, *corpus.lines.values())
    for record in records:
        if record.span.path == path and record.span.line == line_number:
            return record
    return None


@memoize
def statements_by_file(corpus: Corpus) -> dict[str, list[Statement]]:
    """In the order of the notes; a file without statements is missing."""
    statements: dict[str, list[Statement]] = {}
    for each in corpus.statements.values():
        statements.setdefault(each.span.path, []).append(each)
    return statements
