"""Merge two citation keys of one work."""

from __future__ import annotations

import re

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import add_words
from kg.editing.folder_files import FileText, FolderFiles, NotEditable, TextEdit
from kg.editing.reference_edits import NoteRenaming, may_refer_to
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import note_paths
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
    entries = _rewrite_references(builder, corpus, keep, drop)
    kept_source = corpus.sources[keep]
    old_source = corpus.sources[drop]
    kept_fields = {name.casefold(): value for name, value in kept_source.entry.items()}
    kept_fields = find_entry_fields(entries.get(keep, "")) or kept_fields
    if lost_names := [*fields_only_in_first(kept_fields, find_entry_fields(entries.get(drop, "")))]:
        listed = ", ".join(f"`{name}`" for name in lost_names)
        builder.remarks.append(f"only the entry of {drop} had {listed}: `kg undo` restores it")
    if keep in paths:
        add_words(builder, paths[keep], "aliases", (drop, *old_source.aliases))
    builder.new_ids[drop] = keep
    return builder.change(f"merge {drop} into {keep}")


def _rewrite_references(
    builder: ChangeBuilder, corpus: Corpus, keep: str, drop: str
) -> dict[str, str]:
    """Rewrite what refers to `drop`, and return the entries of both keys as they were."""
    entries: dict[str, str] = {}
    renaming = NoteRenaming(builder.files, corpus, drop, keep)
    texts = (
        text
        for text in builder.files.texts()
        if may_refer_to(text.text, drop, drop) or may_refer_to(text.text, keep, keep)
    )
    for text in texts:
        for each in find_references(text.text, text.path):
            is_key_of_entry = each.kind is ReferenceKind.KEY
            is_inside_dropped_entry = each.holder == drop and each.path.endswith(
                BIBLIOGRAPHY_SUFFIXES
            )
            if is_key_of_entry and each.name == drop:
                removal = _edit_removing_entry(text, drop, each.start)
                entries.setdefault(drop, text.text[removal.start : removal.end])
                builder.edit(text.path, *removal)
            elif is_key_of_entry and each.name == keep:
                # fields are added to the first entry alone, and to none in JSON
                if keep not in entries and not each.path.endswith(".json"):
                    kept_entry = _edit_removing_entry(text, keep, each.start)
                    entries[keep] = text.text[kept_entry.start : kept_entry.end]
                    _keep_ids(builder, corpus, each, kept_entry, drop)
            elif repeated_key := _edit_dropping_repeated_key(text.text, each, keep, drop):
                builder.edit(text.path, *repeated_key)
            elif not is_inside_dropped_entry and (new_name := renaming.edit_of(each)):
                builder.edit(text.path, *new_name)
    return entries


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


def _keep_ids(
    builder: ChangeBuilder, corpus: Corpus, key: Reference, entry: TextEdit, drop: str
) -> None:
    """Add the other keys of the dropped entry to the kept one."""
    ids = ", ".join(corpus.sources[drop].aliases)
    if not ids or key.name in note_paths(corpus):
        return
    text = builder.files.text(key.path).text
    ids_field = _IDS.search(text, key.end, entry.end)
    if ids_field:
        builder.edit(key.path, ids_field.end(), ids_field.end(), f"{ids}, ")
    else:
        comma = "," if text[key.end : entry.end].lstrip().startswith(",") else ""
        builder.edit(key.path, key.end, key.end, f",\n  ids = {{{ids}}}{'' if comma else ','}")


def _edit_removing_entry(file: FileText, key: str, offset: int) -> TextEdit:
    """The edit that removes the BibTeX entry whose key is at `offset`, with its line end."""
    text = file.text
    start = text.rfind("@", 0, offset)
    if file.path.endswith(".json") or start < 0:
        raise NotEditable(f"first remove the entry {key!r} from {file.shown_path} by hand")
    pair = "()" if "(" in text[start:offset] else "{}"
    depth = 0
    end = len(text)
    for match in re.finditer(rf"\\.|[{pair}]", text[start:]):
        depth += (match[0] == pair[0]) - (match[0] == pair[1])
        if depth == 0 and match[0] == pair[1]:
            end = start + match.end()
            break
    return TextEdit(start, len(text) - len(text[end:].lstrip("\n")), "")
