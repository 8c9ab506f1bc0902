"""Every place in the corpus's files where something is named, and what it names there."""

from __future__ import annotations

from kg.editing.references.note_references import references_in_note
from kg.editing.references.reference import Reference
from kg.editing.references.table_references import (
    references_in_bibliography,
    references_in_judgements,
    references_in_settings,
)


def find_references(text: str, path: str) -> tuple[Reference, ...]:
    """Every place where the file at `path`, with this text, names something, in reading order.

    `path` is relative to the notes folder; it tells a note from a bibliography, a table of
    judgements and the settings.
    """
    if path.endswith(".md"):
        found = references_in_note(text, path)
    elif path.endswith(".csv"):
        found = references_in_judgements(text, path)
    elif path.endswith(".toml"):
        found = references_in_settings(text, path)
    else:
        found = references_in_bibliography(text, path)
    return tuple(sorted(found, key=lambda each: (each.start, each.end)))
