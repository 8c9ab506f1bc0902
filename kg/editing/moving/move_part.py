"""Move part of a note to another note, and rewrite all links to and in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from urllib.parse import quote

from kg.corpus import Corpus
from kg.editing.change import ChangeBuilder
from kg.editing.folder_files import FolderFiles, TextEdit
from kg.editing.reference_edits import (
    NewIds,
    linked_note_id,
    may_refer_to,
    rename_in_judgements,
    rename_in_link,
)
from kg.editing.references import find_references
from kg.editing.references.reference import LINK_KINDS, Reference, ReferenceForm, ReferenceKind
from kg.editing.references.resolve_reference import note_paths, resolve
from kg.model import Edge, RecordId, Relation
from kg.model.ids import edge_id, is_part, link_target, note_id_of, part_id, split_id
from kg.notes.body import Headings

_DEFINED = re.compile(r"^ {0,3}\[(\^?[^\[\]\n]+)\]:[^\n]*", re.MULTILINE)


class HeadingFate(Enum):
    """The effect of a move on a heading in the old note."""

    STAYS = "it stays in the old note"
    MOVES = "it is a heading of the new note"
    BECOMES_NOTE = "it stands for the whole new note, as its title"


@dataclass(frozen=True)
class PartMove:
    """A move of the range from `start` to `end` in the note `old_id` to the note `new_id`.

    `names` are the names in the old note that move along; `ids` maps other changed ids, including
    edges; `headings` move along, and the first stands for the whole new note.
    """

    old_id: RecordId
    old_path: str
    start: int
    end: int
    new_id: RecordId
    new_path: str
    names: frozenset[str] = frozenset()
    ids: Mapping[RecordId, RecordId] = field(default_factory=dict)
    headings: tuple[str, ...] = ()

    def fate_of_heading(self, fragment: str) -> HeadingFate:
        """Decide what becomes of the heading that a link's fragment names."""
        if "^" in fragment or fragment not in self._headings:
            return HeadingFate.STAYS
        return HeadingFate.BECOMES_NOTE if fragment in self._title else HeadingFate.MOVES

    @cached_property
    def _headings(self) -> Headings:
        return Headings(self.headings)

    @cached_property
    def _title(self) -> Headings:
        """The heading that stands for the whole new note."""
        return Headings(self.headings[:1])


class IdsAfterMove(NewIds):
    """New ids by old ones: those of the moved part, and of the edges that stand in it."""

    def __init__(self, corpus: Corpus, move: PartMove, text: str) -> None:
        """`text` is the text of the file from which the part moves."""
        moved_parts = {
            part_id(move.old_id, name): part_id(move.new_id, name) for name in move.names
        }
        super().__init__(corpus, {**moved_parts, **move.ids})
        self.move = move
        self.line_numbers = tuple(
            text.count("\n", 0, place) + 1 for place in (move.start, move.end)
        )

    def _new_edge_id(self, edge: Edge) -> str:
        old_ends = (edge.origin, edge.relation, edge.target)
        if not edge.id.startswith(edge_id(*old_ends)):
            return edge.id  # a name that does not move; the others are in `ids`
        # of several with the same ends all but the first have a number, and these may part
        new_ends, number = self._new_ends(edge), 1
        for other in self.corpus.edges_from[edge.origin]:
            if other.id == edge.id:
                break
            is_unnamed = other.id.startswith(edge_id(*old_ends))
            number += is_unnamed and self._new_ends(other) == new_ends
        return edge_id(*new_ends) + (f"--{number}" if number > 1 else "")

    def _new_ends(self, edge: Edge) -> tuple[str, str, str]:
        first, last = self.line_numbers
        is_inside = edge.span.path == self.move.old_path and first <= edge.span.line <= last
        premise, target = self.new_id(edge.origin), self.new_id(edge.target)
        if is_inside and edge.origin == self.move.old_id:
            premise = self.move.new_id
        # a callout that moves speaks for the note around it, which is the new one then
        if is_inside and edge.nested and edge.target == self.move.old_id:
            target = self.move.new_id
        return premise, edge.relation, target


def rewrite_links_to_part(
    files: FolderFiles, corpus: Corpus, builder: ChangeBuilder, move: PartMove
) -> list[TextEdit]:
    """Rewrite all links to the moved part; return the edits within it."""
    text = files.text(move.old_path).text
    ids_after = IdsAfterMove(corpus, move, text)
    inner_edits: list[TextEdit] = []
    for reference in _references_to_rewrite(files, corpus, move):
        is_inside = reference.path == move.old_path and move.start <= reference.start < move.end
        edit = _point_link_to(files, corpus, reference, move, ids_after, is_inside)
        if edit is None:
            continue
        if is_inside:
            inner_edits.append(edit)
        else:
            builder.edit(reference.path, *edit)
    return inner_edits


def _references_to_rewrite(
    files: FolderFiles, corpus: Corpus, move: PartMove
) -> Iterable[Reference]:
    path = note_paths(corpus).get(move.old_id, move.old_path)
    aliases = [alias for alias, id in corpus.aliases.items() if id == move.old_id]
    for text in files.texts():
        names_alias = any(alias.casefold() in text.text.casefold() for alias in aliases)
        if text.path == move.old_path or names_alias or may_refer_to(text.text, move.old_id, path):
            yield from find_references(text.text, text.path)


def _point_link_to(
    files: FolderFiles,
    corpus: Corpus,
    reference: Reference,
    move: PartMove,
    ids_after: IdsAfterMove,
    is_inside: bool,
) -> TextEdit | None:
    """The edit after which a reference still leads to what it led to; None if it needs none.

    `is_inside` says whether the reference is in the part that moves.
    """
    if reference.kind is ReferenceKind.JUDGED_EDGE:
        return rename_in_judgements(files, corpus, reference, ids_after)
    if reference.kind not in LINK_KINDS:
        return None
    if not reference.name:  # `[[#…]]`, within one note
        moves_whole = move.old_id in move.ids  # and with it whatever is linked to
        if moves_whole or reference.path != move.old_path:
            return None
        return _edit_within_note(corpus, reference, move, ids_after, is_inside)
    names_edge = reference.target in corpus.edges_by_id and not reference.fragment
    if _is_undercut(reference) and names_edge:
        return TextEdit(reference.start, reference.end, ids_after.new_id(reference.target))
    new_path = move.new_path if is_inside else reference.path
    if linked_note_id(corpus, reference) != move.old_id:
        elsewhere = posixpath.dirname(move.new_path) != posixpath.dirname(move.old_path)
        if is_inside and elsewhere and reference.form is ReferenceForm.PATH:
            target = note_id_of(reference.target).removeprefix("/")
            return TextEdit(reference.start, reference.end, link_path(target, new_path))
        return None
    if move.old_id in move.ids:
        return _edit_to_moved_note(reference, move, new_path)
    return _edit_to_part_of_note(corpus, reference, move, ids_after, is_inside)


def _is_undercut(reference: Reference) -> bool:
    """Return whether a reference is to the edge that an undercut denies."""
    return reference.word == Relation.UNDERCUTS and reference.kind is ReferenceKind.TARGET


def _edit_to_part_of_note(
    corpus: Corpus, reference: Reference, move: PartMove, ids_after: IdsAfterMove, is_inside: bool
) -> TextEdit | None:
    """The edit of a link to the note that a part is taken from. The link leads to a heading or
    block that moves with the part, or, from within the part, back to the note by its path.
    """
    end = reference.end + len(reference.fragment)
    new_path = move.new_path if is_inside else reference.path
    id = resolve(corpus, reference)
    fragment = reference.fragment.strip()
    fate = move.fate_of_heading(fragment) if fragment else HeadingFate.STAYS
    if fate is not HeadingFate.STAYS:
        target = (
            link_path(move.new_path, new_path)
            if reference.form is ReferenceForm.PATH
            else move.new_id
        )
        heading = f"#{fragment.rpartition('#')[2]}" if fate is HeadingFate.MOVES else ""
        return TextEdit(reference.start, end, f"{target}{heading}")
    if fragment.removeprefix("#").removeprefix("^") in move.names:
        new_id = ids_after.new_id(f"{move.old_id}#{fragment.lstrip('#^')}")
    elif id is not None and id != move.old_id and ids_after.new_id(id) != id and fragment:
        new_id = ids_after.new_id(id)
    elif is_inside and reference.form is ReferenceForm.PATH:
        return TextEdit(reference.start, reference.end, link_path(move.old_path, new_path))
    else:
        return None
    note, mark, name = split_id(new_id)
    if note != move.new_id:
        return None
    note_or_path = (
        link_path(move.new_path, new_path) if reference.form is ReferenceForm.PATH else note
    )
    return TextEdit(reference.start, end, f"{note_or_path}{'#^' if mark else ''}{name}")


def _edit_to_moved_note(reference: Reference, move: PartMove, path: str) -> TextEdit | None:
    """The edit of a link to a note that moves whole; None for an alias, which moves along."""
    if reference.form is ReferenceForm.PATH:
        return TextEdit(reference.start, reference.end, link_path(move.new_path, path))
    name = rename_in_link(reference.name, move.old_id, move.new_id)
    return None if name is None else TextEdit(reference.start, reference.end, name)


def _edit_within_note(
    corpus: Corpus, reference: Reference, move: PartMove, ids_after: IdsAfterMove, is_inside: bool
) -> TextEdit | None:
    """The edit of a link without a note's name (`[[#heading]]`, `[[#^block]]`); None if the link
    stays with what it leads to.
    """
    fragment = reference.fragment.strip()
    name = fragment.removeprefix("#").removeprefix("^")
    fate = move.fate_of_heading(fragment)
    new_id = move.ids.get(part_id(move.old_id, name), "")
    if (new_id and not is_part(new_id)) or fate is HeadingFate.BECOMES_NOTE:
        return _edit_to_new_note(corpus, reference, move, ids_after, new_id)
    target_moves = fate is HeadingFate.MOVES or (fragment.startswith("#^") and name in move.names)
    return _edit_across(reference, move, is_inside) if target_moves != is_inside else None


def _edit_to_new_note(
    corpus: Corpus, reference: Reference, move: PartMove, ids_after: IdsAfterMove, new_id: RecordId
) -> TextEdit:
    """The edit of a link within one note to what becomes a note, with `new_id` unless it is a
    heading.
    """
    if new_id and not is_part(new_id):
        edge = resolve(corpus, reference) if _is_undercut(reference) else None
        new_name = link_target(ids_after.new_id(edge) if edge else new_id)
    elif reference.form is ReferenceForm.PATH:
        new_name = posixpath.basename(move.new_path)
    else:
        new_name = move.new_id
    return TextEdit(reference.start, reference.end + len(reference.fragment), new_name)


def _edit_across(reference: Reference, move: PartMove, is_inside: bool) -> TextEdit:
    """The edit of a link within one note that parts from what it leads to: the other note's name
    comes before the fragment.
    """
    if reference.form is not ReferenceForm.PATH:
        return TextEdit(reference.start, reference.end, move.old_id if is_inside else move.new_id)
    target, path = (move.old_path, move.new_path) if is_inside else (move.new_path, move.old_path)
    return TextEdit(reference.start, reference.end, link_path(target, path))


def link_path(target: str, path: str) -> str:
    """The file `target` as a relative link in the note at `path`."""
    relative_path = posixpath.relpath(target, posixpath.dirname(path) or ".")
    if not re.search("[ ()%]", relative_path):
        return relative_path  # as people write it, with umlauts
    return quote(relative_path, safe="/@!$&'*+,;=:~")


def definitions_for(moved_text: str, text: str, start: int, end: int) -> str:
    """Definitions of links and footnotes outside the moved part that it uses."""
    definitions = [
        definition[0].strip()
        for definition in _DEFINED.finditer(text)
        if not start <= definition.start() < end and f"[{definition[1]}]" in moved_text
    ]
    return "\n".join(dict.fromkeys(definitions))
