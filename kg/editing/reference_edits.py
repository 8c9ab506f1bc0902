"""The edit by which one reference follows what it names to a new id, in the reference's own form:
in links, citations, keys and tables of judgements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote, unquote

from kg.corpus import Corpus
from kg.editing.edit_front_matter import replace_value
from kg.editing.folder_files import FolderFiles, TextEdit
from kg.editing.references.reference import LINK_KINDS, Reference, ReferenceForm, ReferenceKind
from kg.editing.references.resolve_reference import linkable_names_of, resolve
from kg.model import Edge, RecordId, Relation
from kg.model.ids import edge_id, note_id_of, part_id, part_name_of, split_id


class NewIds:
    """Maps old to new ids; `ids` are the renamed notes and parts of notes."""

    def __init__(self, corpus: Corpus, ids: Mapping[RecordId, RecordId]) -> None:
        self.corpus = corpus
        self.ids = ids

    def new_id(self, id: RecordId) -> RecordId:
        """The new id of a note, a part of a note, or an edge."""
        if id in self.ids:
            return self.ids[id]
        if id in self.corpus.edges_by_id:
            return self._new_edge_id(self.corpus.edges_by_id[id])
        note, mark, name = split_id(id)
        return f"{self.ids.get(note, note)}{mark}{name}"

    def _new_edge_id(self, edge: Edge) -> str:
        generated_id = edge_id(edge.origin, edge.relation, edge.target)
        if edge.id.startswith(generated_id):
            number = edge.id[len(generated_id) :]
            premise = self.new_id(edge.origin)
            target = self.new_id(edge.target)
            return f"{premise}--{edge.relation}--{target}{number}"
        note, mark, name = split_id(edge.id)
        return f"{self.ids.get(note, note)}{mark}{name}"


def linked_note_id(corpus: Corpus, reference: Reference) -> str | None:
    """The note to which a link leads, whatever its fragment."""
    base = note_id_of(reference.target)
    if not base or not reference.name:
        return None
    ids = linkable_names_of(corpus).find_mentioned(base)
    return ids[0] if len(ids) == 1 else None


def may_refer_to(text: str, id: RecordId, path: str) -> bool:
    """Return whether a text may refer to a note; most do not, and need not be parsed."""
    folded = text.casefold()
    stem = path.rpartition("/")[2].removesuffix(".md")
    return "%" in text or id.casefold() in folded or stem.casefold() in folded


class NoteRenaming(NamedTuple):
    """A note or source that gets another id; `file_stem` is the new name of its file, without
    `.md`, and None if the file keeps its name.
    """

    files: FolderFiles
    corpus: Corpus
    old_id: RecordId
    new_id: RecordId
    file_stem: str | None = None

    def edit_of(self, reference: Reference) -> TextEdit | None:
        """The edit by which a reference follows; None if it does not name the note."""
        rename = _RENAME_BY_KIND.get(reference.kind)
        return rename(self, reference) if rename else None


class BlockRenaming(NamedTuple):
    """A callout or edge, written in the file at `path`, that gets another `^name`."""

    files: FolderFiles
    corpus: Corpus
    path: str
    old_id: RecordId
    new_name: str

    @property
    def new_ids(self) -> NewIds:
        """The new id, and with it those of edges."""
        new_id = part_id(note_id_of(self.old_id), self.new_name)
        return NewIds(self.corpus, {self.old_id: new_id})

    def edit_of(self, reference: Reference) -> TextEdit | None:
        """The edit by which a reference follows; None if it does not name the block."""
        name = part_name_of(self.old_id)
        if reference.kind is ReferenceKind.BLOCK:
            is_own_name = reference.path == self.path and reference.name == name
            return TextEdit(reference.start, reference.end, self.new_name) if is_own_name else None
        if reference.kind is ReferenceKind.JUDGED_EDGE:
            return rename_in_judgements(self.files, self.corpus, reference, self.new_ids)
        return self._edit_of_link(reference, name) if reference.kind in LINK_KINDS else None

    def _edit_of_link(self, reference: Reference, name: str) -> TextEdit | None:
        if _names_undercut_edge(self.corpus, reference) and not reference.fragment:
            new_edge_id = self.new_ids.new_id(reference.target)
            return TextEdit(reference.start, reference.end, new_edge_id)
        note_id: RecordId | None = note_id_of(
            reference.holder
        )  # of `[[#^name]]`, which names no note
        if reference.name:
            note_id = linked_note_id(self.corpus, reference)
        names_block = reference.fragment.strip() in (f"#^{name}", f"#{name}")
        if note_id != note_id_of(self.old_id) or not names_block:
            return None
        start = reference.end + reference.fragment.index(name)
        return TextEdit(start, start + len(name), self.new_name)


def _names_undercut_edge(corpus: Corpus, reference: Reference) -> bool:
    return reference.target in corpus.edges_by_id and reference.word == Relation.UNDERCUTS


def _rename_judged_edge(renaming: NoteRenaming, reference: Reference) -> TextEdit | None:
    new_ids = NewIds(renaming.corpus, {renaming.old_id: renaming.new_id})
    return rename_in_judgements(renaming.files, renaming.corpus, reference, new_ids)


def _rename_link(renaming: NoteRenaming, reference: Reference) -> TextEdit | None:
    corpus, old_id, new_id = renaming.corpus, renaming.old_id, renaming.new_id
    if _names_undercut_edge(corpus, reference):
        end = reference.end + len(reference.fragment)
        new_edge_id = NewIds(corpus, {old_id: new_id}).new_id(reference.target)
        return TextEdit(reference.start, end, new_edge_id)
    if linked_note_id(corpus, reference) != old_id:
        return None
    name = rename_in_link(reference.name, old_id, new_id)
    if reference.form is ReferenceForm.PATH:
        bracketed = renaming.files.text(reference.path).text[reference.start - 1] == "<"
        stem = renaming.file_stem
        name = None if stem is None else _path_to(reference.name, stem, bracketed)
    return None if name is None else TextEdit(reference.start, reference.end, name)


def _rename_id(renaming: NoteRenaming, reference: Reference) -> TextEdit | None:
    is_of_note = reference.holder == renaming.old_id
    return _replace_with_new_id(renaming, reference) if is_of_note else None


def _rename_key(renaming: NoteRenaming, reference: Reference) -> TextEdit | None:
    if not _is_key_of_source(renaming, reference):
        return None
    return TextEdit(reference.start, reference.end, renaming.new_id)


def _rename_holder(renaming: NoteRenaming, reference: Reference) -> TextEdit | None:
    is_key = _is_key_of_source(renaming, reference)
    return _replace_with_new_id(renaming, reference) if is_key else None


def _is_key_of_source(renaming: NoteRenaming, reference: Reference) -> bool:
    return renaming.old_id in renaming.corpus.sources and reference.name == renaming.old_id


def _replace_with_new_id(renaming: NoteRenaming, reference: Reference) -> TextEdit:
    text = renaming.files.text(reference.path).text
    return replace_value(text, reference.start, reference.end, renaming.new_id)


_RENAME_BY_KIND: Mapping[ReferenceKind, Callable[[NoteRenaming, Reference], TextEdit | None]] = {
    **dict.fromkeys(LINK_KINDS, _rename_link),
    **dict.fromkeys(
        (ReferenceKind.CITATION, ReferenceKind.KEY, ReferenceKind.INHERITED), _rename_key
    ),
    ReferenceKind.HOLDER: _rename_holder,
    ReferenceKind.ID: _rename_id,
    ReferenceKind.JUDGED_EDGE: _rename_judged_edge,
}


def rename_in_judgements(
    files: FolderFiles, corpus: Corpus, reference: Reference, renaming: NewIds
) -> TextEdit | None:
    """The edit that renames an edge in a table of judgements."""
    new_id = renaming.new_id(reference.name)
    if resolve(corpus, reference) is None or new_id == reference.name:
        return None
    quoted = files.text(reference.path).text[reference.start - 1 : reference.start] == '"'
    if not quoted and re.search('[,"]', new_id):
        new_id = '"' + new_id.replace('"', '""') + '"'
    return TextEdit(reference.start, reference.end, new_id)


def rename_in_link(name: str, id: RecordId, new: str) -> str | None:
    """A wikilink's name with the new id, keeping folder and `.md`; None if it is an alias."""
    folder, slash, last = re.fullmatch(r"(?s)(?:(.*)([/\\]))?(.*)", name).groups("")  # type: ignore[union-attr]
    at_sign = "@" if last.startswith("@") else ""
    suffix = ".md" if last.endswith(".md") else ""
    plain = last.removeprefix(at_sign).removesuffix(".md").strip()
    if plain.casefold() != id.casefold():
        return None
    return f"{folder}{slash}{at_sign}{new}{suffix}"


def _path_to(old_path: str, new: str, bracketed: bool) -> str:
    """A relative path with another file name, percent-encoded as the old one was."""
    folder, slash, last = old_path.rpartition("/")
    encoded = last != unquote(last) or (not bracketed and re.search("[ ()%]", new))
    name = quote(new, safe="@!$&'*+,;=:~") if encoded else new
    return f"{folder}{slash}{name}.md"
