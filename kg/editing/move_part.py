"""Move part of a note to another note, and rewrite all links to and in it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

from kg.corpus import Corpus
from kg.editing.change import ChangeBuilder
from kg.editing.folder_files import FolderFiles, NotEditable, TextEdit
from kg.editing.references import find_references
from kg.editing.references.reference import LINKS, Form, Reference, ReferenceKind
from kg.editing.references.resolve_reference import names_of, note_paths, resolve
from kg.editing.rename import (
    NewIds,
    linked_note,
    may_refer_to,
    rename_in_judgements,
    rename_in_link,
)
from kg.model import Edge, Relation
from kg.model.ids import edge_id, is_part, link_target, note_id_of, part_id, split_id
from kg.notes.markdown.body_parts import Headings

_DEFINED = re.compile(r"^ {0,3}\[(\^?[^\[\]\n]+)\]:[^\n]*", re.MULTILINE)


@dataclass(frozen=True)
class PartMove:
    """A move of the range from `start` to `end` in the note `old` at `path` to the note `new` at
    `to`. `names` are the names in the old note that move along; `ids` maps other changed ids,
    including edges; `headings` move along, and the first stands for the whole new note.
    """

    old: str
    path: str
    start: int
    end: int
    new: str
    to: str
    names: frozenset[str] = frozenset()
    ids: Mapping[str, str] = field(default_factory=dict)
    headings: tuple[str, ...] = ()

    def heading(self, fragment: str) -> str | None:
        """A link's fragment to a moved heading, after the new note's name; None if it stays."""
        if "^" in fragment or fragment not in Headings(self.headings):
            return None
        own = fragment in Headings(self.headings[:1])
        return "" if own else f"#{fragment.rpartition('#')[2]}"


class IdsAfterMove(NewIds):
    """The ids after a move."""

    def __init__(self, corpus: Corpus, move: PartMove, text: str) -> None:
        """`text` is the text of the file from which the part moves."""
        moved = {part_id(move.old, name): part_id(move.new, name) for name in move.names}
        super().__init__(corpus, {**moved, **move.ids})
        self.move = move
        self.lines = text.count("\n", 0, move.start) + 1, text.count("\n", 0, move.end) + 1

    def _edge(self, edge: Edge) -> str:
        made = edge_id(edge.source, edge.relation, edge.target)
        if not edge.id.startswith(made):
            return edge.id  # a name that does not move; the others are in `ids`
        first, last = self.lines
        here = edge.span.path == self.move.path and first <= edge.span.line <= last
        source = (
            self.move.new if here and edge.source == self.move.old else self.new_id(edge.source)
        )
        target = self.new_id(edge.target)
        if here and edge.nested and edge.target == self.move.old:
            target = self.move.new
        return f"{source}--{edge.relation}--{target}{edge.id[len(made) :]}"


def rewrite_links_to_part(
    files: FolderFiles, corpus: Corpus, builder: ChangeBuilder, move: PartMove
) -> list[TextEdit]:
    """Rewrite all links to the moved part; return the edits within it."""
    text = files.text(move.path).text
    names = IdsAfterMove(corpus, move, text)
    inside: list[TextEdit] = []
    for each in _references_to_rewrite(files, corpus, move):
        within = each.path == move.path and move.start <= each.start < move.end
        edit = _point_link_to(files, corpus, each, move, names, within)
        if edit is None:
            continue
        if within:
            inside.append(edit)
        else:
            builder.edit(each.path, *edit)
    return inside


def _references_to_rewrite(
    files: FolderFiles, corpus: Corpus, move: PartMove
) -> Iterable[Reference]:
    path = note_paths(corpus).get(move.old, move.path)
    aliases = [alias for alias, id in corpus.aliases.items() if id == move.old]
    for text in files.texts():
        known = any(alias.casefold() in text.text.casefold() for alias in aliases)
        if text.path == move.path or known or may_refer_to(text.text, move.old, path):
            yield from find_references(text.text, text.path)


def _point_link_to(
    files: FolderFiles,
    corpus: Corpus,
    each: Reference,
    move: PartMove,
    names: IdsAfterMove,
    within: bool,
) -> TextEdit | None:
    """The edit after which a reference still leads to what it led to; None if it needs none.

    `within` says whether the reference is in the part that moves.
    """
    if each.kind is ReferenceKind.JUDGED_EDGE:
        return rename_in_judgements(files, corpus, each, names)
    if each.kind not in LINKS:
        return None
    if not each.name and move.old in move.ids:
        return None  # whatever it links to moves along
    if not each.name:  # `[[#…]]`, within one note
        return (
            _edit_within_note(corpus, each, move, names, within) if each.path == move.path else None
        )
    end = each.end + len(each.fragment)
    undercut = each.word == Relation.UNDERCUTS and each.kind is ReferenceKind.TARGET
    if undercut and not each.fragment and each.target in corpus.edges_by_id:
        return TextEdit(each.start, end, names.new_id(each.target))
    new_path = move.to if within else each.path
    if linked_note(corpus, each) != move.old:
        elsewhere = posixpath.dirname(move.to) != posixpath.dirname(move.path)
        if within and elsewhere and each.form is Form.PATH:
            target = note_id_of(each.target).removeprefix("/")
            return TextEdit(each.start, each.end, link_path(target, new_path))
        return None
    if move.old in move.ids:
        return _edit_to_moved_note(each, move, new_path)
    return _edit_to_part_of_note(corpus, each, move, names, within)


def _edit_to_part_of_note(
    corpus: Corpus, each: Reference, move: PartMove, names: IdsAfterMove, within: bool
) -> TextEdit | None:
    """The edit of a link to the note that a part is taken from: to a heading or block that moves
    with the part, or, from within the part, back to the note by its path.
    """
    end, new_path = each.end + len(each.fragment), move.to if within else each.path
    undercut = each.word == Relation.UNDERCUTS and each.kind is ReferenceKind.TARGET
    edge = names_of(corpus).find_edge(each.target) if undercut else None
    id = edge if edge is not None else resolve(corpus, each)
    fragment = each.fragment.strip()
    heading = move.heading(fragment) if fragment else None
    if heading is not None:
        place = link_path(move.to, new_path) if each.form is Form.PATH else move.new
        return TextEdit(each.start, end, f"{place}{heading}")
    if fragment.removeprefix("#").removeprefix("^") in move.names:
        now = names.new_id(f"{move.old}#{fragment.lstrip('#^')}")
    elif id is not None and id != move.old and names.new_id(id) != id and fragment:
        now = names.new_id(id)
    elif within and each.form is Form.PATH:
        return TextEdit(each.start, each.end, link_path(move.path, new_path))
    else:
        return None
    note, mark, name = split_id(now)
    if note != move.new:
        return None
    shown = link_path(move.to, new_path) if each.form is Form.PATH else note
    return TextEdit(each.start, end, f"{shown}{'#^' if mark else ''}{name}")


def _edit_to_moved_note(each: Reference, move: PartMove, path: str) -> TextEdit | None:
    """The edit of a link to a note that moves whole; None for an alias, which moves along."""
    if each.form is Form.PATH:
        return TextEdit(each.start, each.end, link_path(move.to, path))
    name = rename_in_link(each.name, move.old, move.new)
    return None if name is None else TextEdit(each.start, each.end, name)


def _edit_within_note(
    corpus: Corpus, each: Reference, move: PartMove, names: IdsAfterMove, within: bool
) -> TextEdit | None:
    """The edit of a link within the note that the part leaves or joins."""
    fragment = each.fragment.strip()
    name = fragment.removeprefix("#").removeprefix("^")
    end = each.end + len(each.fragment)
    own = part_id(move.old, name)
    if own in move.ids and not is_part(move.ids[own]):
        undercut = each.word == Relation.UNDERCUTS and each.kind is ReferenceKind.TARGET
        edge = names_of(corpus).find_edge(each.target) if undercut else None
        now = names.new_id(edge) if edge else move.ids[own]
        return TextEdit(each.start, end, link_target(now))
    heading = move.heading(fragment)
    goes = (fragment.startswith("#^") and name in move.names) or heading is not None
    if goes == within and heading != "":
        return None
    if heading == "":
        path = each.form is Form.PATH
        return TextEdit(each.start, end, posixpath.basename(move.to) if path else move.new)
    other = move.old if within else move.new
    if each.form is Form.PATH:
        place = (move.path, move.to) if within else (move.to, move.path)
        return TextEdit(each.start, each.end, link_path(*place))
    return TextEdit(each.start, each.end, other)


def link_path(target: str, path: str) -> str:
    """The file `target` as a relative link in the note at `path`."""
    found = posixpath.relpath(target, posixpath.dirname(path) or ".")
    return quote(found, safe="/@!$&'*+,;=:~") if re.search("[ ()%]", found) else found


def definitions_for(moved: str, text: str, start: int, end: int) -> str:
    """Definitions of links and footnotes outside the moved part that it uses."""
    found = [
        definition[0].strip()
        for definition in _DEFINED.finditer(text)
        if not start <= definition.start() < end and f"[{definition[1]}]" in moved
    ]
    return "\n".join(dict.fromkeys(found))


def cut_text(text: str, start: int, end: int, edits: Iterable[TextEdit]) -> str:
    """The text from `start` to `end` with edits applied."""
    pieces, at = [], start
    for edit in sorted(edits):
        if edit.start < at:
            raise NotEditable("two edits of one place")
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*pieces, text[at:end]])
