"""Merge two citation keys of one work."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import add_words
from kg.editing.folder_files import FileText, FolderFiles, NotEditable, TextEdit
from kg.editing.reference_edits import NoteRenaming, may_refer_to
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import note_paths
from kg.model import SourceKey
from kg.notes.bibliography import fields_only_in_first, find_entry_fields
from kg.notes.markdown import find_citations
from kg.notes.note_listing import BIBLIOGRAPHY_SUFFIXES

_IDS = re.compile(r"\bids\s*=\s*[{\"]\s*", re.IGNORECASE)


def merge_sources(files: FolderFiles, corpus: Corpus, keep: str, drop: str) -> Change:
    """Merge two keys of one work: citations of `drop` become citations of `keep`."""
    if keep == drop:
        raise NotEditable(f"{keep!r} and {drop!r} are already one source")
    paths = note_paths(corpus)
    if drop in paths:
        remedy = f"`kg merge {drop} {keep}` keeps it"
        if keep in paths:
            remedy = f"move its text into the note of {keep!r}, delete it, and merge again"
        raise NotEditable(f"{drop!r} has a note: {remedy}")
    builder = ChangeBuilder(files)
    entries = _find_entries(files, (keep, drop))
    dropped_entries = [each for each in entries if each.key.name == drop]
    for entry in dropped_entries:
        builder.edit(entry.file.path, *_edit_removing_entry(entry))
    # fields are added to the first entry alone, and to none in JSON
    kept_entries = (each for each in entries if each.key.name == keep and not each.is_json)
    if kept_entry := next(kept_entries, None):
        _keep_ids(builder, corpus, kept_entry, drop)
    _rewrite_references(builder, corpus, keep, drop)
    kept_fields = kept_entry and kept_entry.fields
    kept_fields = kept_fields or {
        name.casefold(): value for name, value in corpus.sources[keep].entry.items()
    }
    dropped_fields = dropped_entries[0].fields if dropped_entries else {}
    if lost_names := [*fields_only_in_first(kept_fields, dropped_fields)]:
        listed = ", ".join(f"`{name}`" for name in lost_names)
        builder.remarks.append(f"only the entry of {drop} had {listed}: `kg undo` restores it")
    if keep in paths:
        add_words(builder, paths[keep], "aliases", (drop, *corpus.sources[drop].aliases))
    builder.new_ids[drop] = keep
    return builder.change(f"merge {drop} into {keep}")


class _EntryInFile(NamedTuple):
    """An entry of a bibliography: its file, and its key there."""

    file: FileText
    key: Reference

    @property
    def is_json(self) -> bool:
        return self.file.path.endswith(".json")

    @property
    def fields(self) -> Mapping[str, str]:
        removal = _edit_removing_entry(self)
        return find_entry_fields(self.file.text[removal.start : removal.end])


def _find_entries(files: FolderFiles, keys: Sequence[SourceKey]) -> list[_EntryInFile]:
    """The entries with these keys, in the order of the files."""
    return [
        _EntryInFile(file, each)
        for file in files.texts()
        if file.path.endswith(BIBLIOGRAPHY_SUFFIXES)
        if any(may_refer_to(file.text, key, key) for key in keys)
        for each in find_references(file.text, file.path)
        if each.kind is ReferenceKind.KEY and each.name in keys
    ]


def _rewrite_references(builder: ChangeBuilder, corpus: Corpus, keep: str, drop: str) -> None:
    """Rewrite what refers to `drop`, but for the keys of entries and what its own entry holds."""
    renaming = NoteRenaming(builder.files, corpus, drop, keep)
    for text in builder.files.texts():
        if not may_refer_to(text.text, drop, drop):
            continue
        is_bibliography = text.path.endswith(BIBLIOGRAPHY_SUFFIXES)
        for each in find_references(text.text, text.path):
            if each.kind is ReferenceKind.KEY and each.name in (keep, drop):
                continue
            edit = _edit_dropping_repeated_key(text.text, each, keep, drop)
            if edit is None and not (is_bibliography and each.holder == drop):
                edit = renaming.edit_of(each)
            if edit:
                builder.edit(text.path, *edit)


def _edit_dropping_repeated_key(
    text: str, citation: Reference, keep: str, drop: str
) -> TextEdit | None:
    """The edit that removes a bare key from a citation that also cites the kept key."""
    if citation.kind is not ReferenceKind.CITATION or citation.name != drop:
        return None
    bracket_start = text.rindex("[", 0, citation.start) + 1
    end = text.index("]", citation.end)
    start = max(text.rfind(";", bracket_start, citation.start), bracket_start - 1) + 1
    stop = text.find(";", citation.end, end)
    both = any(each.key == keep for each in find_citations(f"[{text[bracket_start:end]}]"))
    if not both or text[start : end if stop < 0 else stop].strip() != f"@{drop}":
        return None
    return TextEdit(start - 1, end, "") if stop < 0 else TextEdit(citation.start - 1, stop + 2, "")


def _keep_ids(builder: ChangeBuilder, corpus: Corpus, entry: _EntryInFile, drop: str) -> None:
    """Add the other keys of the dropped entry to the kept one."""
    ids = ", ".join(corpus.sources[drop].aliases)
    file, key = entry
    if not ids or key.name in note_paths(corpus):
        return
    entry_end = _edit_removing_entry(entry).end
    ids_field = _IDS.search(file.text, key.end, entry_end)
    if ids_field:
        builder.edit(file.path, ids_field.end(), ids_field.end(), f"{ids}, ")
    else:
        comma = "," if file.text[key.end : entry_end].lstrip().startswith(",") else ""
        builder.edit(file.path, key.end, key.end, f",\n  ids = {{{ids}}}{'' if comma else ','}")


def _edit_removing_entry(entry: _EntryInFile) -> TextEdit:
    """The edit that removes an entry, with its line end; `NotEditable` for one in JSON."""
    text, offset = entry.file.text, entry.key.start
    start = text.rfind("@", 0, offset)
    if entry.is_json or start < 0:
        file_name = entry.file.shown_path
        raise NotEditable(f"first remove the entry {entry.key.name!r} from {file_name} by hand")
    pair = "()" if "(" in text[start:offset] else "{}"
    depth = 0
    end = len(text)
    for match in re.finditer(rf"\\.|[{pair}]", text[start:]):
        depth += (match[0] == pair[0]) - (match[0] == pair[1])
        if depth == 0 and match[0] == pair[1]:
            end = start + match.end()
            break
    return TextEdit(start, len(text) - len(text[end:].lstrip("\n")), "")
