"""Find and resolve every reference to a named thing in the files of a corpus."""

from __future__ import annotations

from kg.editing.references.note_references import references_in_note
from kg.editing.references.reference import Reference
from kg.editing.references.table_references import (
    references_in_bibliography,
    references_in_judgements,
    references_in_settings,
)


def find_references(text: str, path: str) -> tuple[Reference, ...]:
    """Return every reference in the file at `path` with this text, in reading order.

    `path` is relative to the notes folder; it determines whether the file is a note, a
    bibliography, a table of judgements or the settings.
    """
    if path.endswith(".md"):
        references = references_in_note(text, path)
    elif path.endswith(".csv"):
        references = references_in_judgements(text, path)
    elif path.endswith(".toml"):
        references = references_in_settings(text, path)
    else:
        references = references_in_bibliography(text, path)
    return tuple(sorted(references, key=lambda each: (each.start, each.end)))
