"""Rename single references: in links, citations, keys and tables of judgements."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from kg.corpus import Corpus
from kg.editing.change import ChangeBuilder
from kg.editing.edit_front_matter import replace_value
from kg.editing.folder_files import FolderFiles, TextEdit
from kg.editing.references.reference import LINKS, Reference, ReferenceForm, ReferenceKind
from kg.editing.references.resolve_reference import linkable_names_of, resolve
from kg.model import Edge, Relation
from kg.model.ids import edge_id, note_id_of, split_id


class NewIds:
    """Maps old to new ids; `ids` are the renamed notes and parts of notes."""

    def __init__(self, corpus: Corpus, ids: dict[str, str]) -> None:
        self.corpus = corpus
        self.ids = ids

    def new_id(self, id: str) -> str:
        """The new id of a note, a part of a note, or an edge."""
        if id in self.ids:
            return self.ids[id]
        if id in self.corpus.edges_by_id:
            return self._new_edge_id(self.corpus.edges_by_id[id])
        note, mark, name = split_id(id)
        return f"{self.ids.get(note, note)}{mark}{name}"

    def _new_edge_id(self, edge: Edge) -> str:
        generated_id = edge_id(edge.source, edge.relation, edge.target)
        if edge.id.startswith(generated_id):
            number = edge.id[len(generated_id) :]
            source = self.new_id(edge.source)
            target = self.new_id(edge.target)
            return f"{source}--{edge.relation}--{target}{number}"
        note, mark, name = split_id(edge.id)
        return f"{self.ids.get(note, note)}{mark}{name}"


def linked_note_id(corpus: Corpus, reference: Reference) -> str | None:
    """The note to which a link leads, whatever its fragment."""
    base = note_id_of(reference.target)
    if not base or not reference.name:
        return None
    ids = linkable_names_of(corpus).find_mentioned(base)
    return ids[0] if len(ids) == 1 else None


def may_refer_to(text: str, id: str, path: str) -> bool:
    """Whether a text may refer to a note; most do not, and need not be parsed."""
    folded = text.casefold()
    stem = path.rpartition("/")[2].removesuffix(".md")
    return "%" in text or id.casefold() in folded or stem.casefold() in folded


def rename_reference(
    builder: ChangeBuilder,
    corpus: Corpus,
    reference: Reference,
    id: str,
    new: str,
    is_file_renamed: bool = False,
) -> None:
    """Rename one reference; `is_file_renamed` tells whether the note's file is, too."""
    renaming = NewIds(corpus, {id: new})
    kind = reference.kind
    if kind is ReferenceKind.JUDGED_EDGE:
        rename_judged(builder, corpus, reference, renaming)
    elif (
        kind in LINKS
        and reference.target in corpus.edges_by_id
        and reference.word == Relation.UNDERCUTS
    ):
        end = reference.end + len(reference.fragment)
        builder.edit(reference.path, reference.start, end, renaming.new_id(reference.target))
    elif kind in LINKS and linked_note_id(corpus, reference) == id:
        name = rename_in_link(reference.name, id, new)
        if reference.form is ReferenceForm.PATH:
            bracketed = builder.files.text(reference.path).text[reference.start - 1] == "<"
            name = _path_to(reference.name, new, bracketed) if is_file_renamed else None
        if name is not None:
            builder.edit(reference.path, reference.start, reference.end, name)
    elif kind is ReferenceKind.ID and reference.holder == id:
        text = builder.files.text(reference.path).text
        builder.edit(reference.path, *replace_value(text, reference.start, reference.end, new))
    elif id in corpus.sources and reference.name == id:
        if kind in (ReferenceKind.CITATION, ReferenceKind.KEY, ReferenceKind.INHERITED):
            builder.edit(reference.path, reference.start, reference.end, new)
        elif kind is ReferenceKind.HOLDER:
            text = builder.files.text(reference.path).text
            builder.edit(reference.path, *replace_value(text, reference.start, reference.end, new))


def rename_judged(
    builder: ChangeBuilder, corpus: Corpus, reference: Reference, renaming: NewIds
) -> None:
    """Rename an edge in a table of judgements, if it is renamed."""
    if edit := rename_in_judgements(builder.files, corpus, reference, renaming):
        builder.edit(reference.path, *edit)


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


def rename_in_link(name: str, id: str, new: str) -> str | None:
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
