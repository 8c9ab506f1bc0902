"""Rename a note, something within one, a citation key, a topic or a camp: whether the new name can
be had, and which files change. `reference_edits` says how each reference follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from kg.corpus import Corpus
from kg.editing.change import Change, ChangeBuilder
from kg.editing.edit_front_matter import add_words, remove_word, replace_value, require_no_conflict
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.named_things import get_block_id, topics_of
from kg.editing.new_names import BLOCK_NAME, require_linkable
from kg.editing.reference_edits import (
    BlockRenaming,
    NoteRenaming,
    may_refer_to,
)
from kg.editing.references import find_references
from kg.editing.references.reference import Reference, ReferenceKind
from kg.editing.references.resolve_reference import (
    is_camp_word,
    linkable_names_of,
    note_paths,
    resolve,
)
from kg.model import RecordId, Relation
from kg.model.glossary_term import fold_term
from kg.model.ids import id_of_title, is_part, part_id, split_id
from kg.notes.mapping.mapped_note import is_parsed_alike
from kg.notes.markdown import CITATION_KEY

# What a rename renames; a `name` is that of a callout or an edge.
RenamedKind = Literal["name", "note", "topic", "camp"]
_PLAIN_ID = re.compile(r"[\w.-]+")
_CAMP = re.compile(r"[a-z][a-z0-9-]*")
_RESERVED_WORDS = frozenset(("next", *Relation))


def rename(
    files: FolderFiles,
    corpus: Corpus,
    old: str,
    new: str,
    *,
    kind: RenamedKind | None = None,
    alias: bool = True,
    new_is_title: bool = False,
) -> Change:
    """Rename something everywhere.

    `old` is the id of a note or a citation key, `note#name` of a callout or edge, a camp's id, or
    a topic; `kind` says which if it is ambiguous. With `new_is_title`, a `new` name with spaces is
    turned into an id, unless the old id also has spaces. Raises `NotEditable`, and `UnknownId`.
    """
    meant_kind = kind or _kind_of_name(corpus, old)
    if meant_kind == "name":
        return _rename_block(files, corpus, old, new)
    if meant_kind == "topic":
        return _rename_topic(files, corpus, old, new)
    if meant_kind == "camp":
        return _rename_camp(files, corpus, old, new)
    return _rename_note(
        files, corpus, old.removeprefix("@"), new.removeprefix("@"), alias, new_is_title
    )


def _kind_of_name(corpus: Corpus, old: str) -> RenamedKind:
    if is_part(old):
        return "name"
    name = old.removeprefix("@")
    uses: dict[RenamedKind, bool] = {
        "note": corpus.find_id(name) is not None,
        "topic": old in topics_of(corpus),
        "camp": old in corpus.config.camp_ids,
    }
    kinds = [each for each, is_used in uses.items() if is_used]
    if not kinds:
        among = [*corpus.statements, *topics_of(corpus)]
        raise corpus.unknown_id_error(old, among, "note, topic or camp")
    if len(kinds) > 1:
        listed_kinds = " and a ".join(kinds)
        raise NotEditable(f"{old!r} is a {listed_kinds}: choose one with `--kind {kinds[0]}`")
    return kinds[0]


def _rename_note(
    files: FolderFiles, corpus: Corpus, old: str, new: str, alias: bool, new_is_title: bool
) -> Change:
    id = corpus.find_id(old)
    if id is None or is_part(id):
        among = [*corpus.statements, *corpus.lines, *corpus.sources]
        raise corpus.unknown_id_error(old, among, "note")
    builder = ChangeBuilder(files)
    if new_is_title and _is_title_for(corpus, id, new):
        require_linkable(new)
        new = id_of_title(new)
        builder.remarks.append(f"the id is {new}, made from the title as in `kg new`")
    _require_free_id(corpus, id, new)
    path = note_paths(corpus).get(id)
    to = _new_path(files, corpus, path, id, new) if path else None
    renaming = NoteRenaming(files, corpus, id, new, file_stem=None if to is None else new)
    for text in files.texts():
        if may_refer_to(text.text, id, path or id):
            for each in find_references(text.text, text.path):
                if edit := renaming.edit_of(each):
                    builder.edit(each.path, *edit)
    if path is not None:
        _change_aliases(builder, corpus, path, id, new, alias)
        if to is not None:
            builder.move(path, to)
    elif alias:
        builder.remarks.append(
            f"citations of {id} elsewhere need the new key, or `ids = {{{id}}}` in the entry"
        )
    builder.new_ids[id] = new
    return builder.change(f"rename {id} to {new}")


def _is_title_for(corpus: Corpus, id: RecordId, new: str) -> bool:
    """Return whether a new name is words for a note whose id is not, and none of its aliases."""
    in_words = _PLAIN_ID.fullmatch(id) and not _PLAIN_ID.fullmatch(new)
    return bool(in_words) and id not in corpus.sources and new not in _own_aliases(corpus, id)


def _change_aliases(
    builder: ChangeBuilder, corpus: Corpus, path: str, id: RecordId, new: str, alias: bool
) -> None:
    """Keep the old id as an alias if `alias`; the new id is none any more."""
    if new in _own_aliases(corpus, id):
        _restore_alias(builder, path, new, id if alias else "")
    elif alias:
        add_words(builder, path, "aliases", (id,))


def _restore_alias(builder: ChangeBuilder, path: str, alias: str, id: RecordId) -> None:
    """Replace an alias that becomes the note's id by its old id; remove it if `id` is empty."""
    text = builder.files.text(path).text
    for each in find_references(text, path) if id else ():
        if each.kind is ReferenceKind.ALIAS and each.name == alias:
            builder.edit(path, *replace_value(text, each.start, each.end, id))
            return
    remove_word(builder, path, "aliases", alias)


def _own_aliases(corpus: Corpus, id: RecordId) -> tuple[str, ...]:
    for things in (corpus.statements, corpus.lines, corpus.sources):
        if id in things:
            aliases: tuple[str, ...] = things[id].aliases
            return aliases
    return ()


def _require_free_id(corpus: Corpus, id: RecordId, new: str) -> None:
    """Raise `NotEditable` if the new id is taken or invalid."""
    require_linkable(new)
    if new == id:
        raise NotEditable(f"{new!r} is not a new name for {id!r}")
    for other_id in linkable_names_of(corpus).find_ids(new):
        if other_id != id:
            raise NotEditable(f"{new!r} is taken: it leads to {other_id!r}")
    if id in corpus.sources and not CITATION_KEY.fullmatch(new):
        raise NotEditable(f"{new!r} cannot be cited: a key has letters and digits without spaces")


def _new_path(files: FolderFiles, corpus: Corpus, path: str, id: RecordId, new: str) -> str | None:
    """The new path of a note's file; None if the file does not have the note's name."""
    folder, slash, name = path.rpartition("/")
    to = f"{folder}{slash}{new}.md" if name == f"{id}.md" else None
    require_no_conflict(files, path)
    if to and not is_parsed_alike(corpus.config, files.text(path).text, path, to):
        raise NotEditable(
            f"{files.shown_path(path)} has its type from its name: keep the beginning"
        )
    return to


# -- names within a note -----------------------------------------------------------------


def _rename_block(files: FolderFiles, corpus: Corpus, old: str, new: str) -> Change:
    id = get_block_id(corpus, old)
    note, _, name = split_id(id)
    new = new.rpartition("#")[2].removeprefix("^")
    if not BLOCK_NAME.fullmatch(new):
        raise NotEditable(f"`^{new}` is not a name: use letters, digits and hyphens")
    if part_id(note, new) in corpus.statements or part_id(note, new) in corpus.edges_by_id:
        raise NotEditable(f"`^{new}` is taken in {note!r}")
    if not (path := note_paths(corpus).get(note)):  # the file's name has a `#`
        raise NotEditable(f"{id!r} is not a name within a note")
    builder = ChangeBuilder(files)
    renaming = BlockRenaming(files, corpus, path, id, new)
    is_name_written = False
    for text in files.texts():
        if text.path == path or name in text.text or may_refer_to(text.text, note, path):
            for each in find_references(text.text, text.path):
                if edit := renaming.edit_of(each):
                    builder.edit(each.path, *edit)
                    is_name_written |= each.kind is ReferenceKind.BLOCK
    if not is_name_written:
        _append_block_name(builder, corpus, id, new)
    builder.new_ids[id] = part_id(note, new)
    return builder.change(f"rename {id} to {note}#{new}")


def _append_block_name(builder: ChangeBuilder, corpus: Corpus, id: RecordId, new: str) -> None:
    """Append a name to the title of a callout without one."""
    statement = corpus.statements[id]
    text = builder.files.text(statement.path).text
    lines = text.split("\n")
    above = sum(len(text_line) + 1 for text_line in lines[: statement.span.line - 1])
    title_end = above + len(lines[statement.span.line - 1].rstrip())
    builder.edit(statement.path, title_end, title_end, f" ^{new}")


def _rename_topic(files: FolderFiles, corpus: Corpus, old: str, new: str) -> Change:
    if old not in topics_of(corpus):
        raise corpus.unknown_id_error(old, topics_of(corpus), "topic")
    if new in topics_of(corpus):
        raise NotEditable(f"there is a topic {new!r}: `kg merge {new} {old}` merges them")
    return build_topic_renaming(files, corpus, old, new).change(f"rename topic {old} to {new}")


def build_topic_renaming(files: FolderFiles, corpus: Corpus, old: str, new: str) -> ChangeBuilder:
    """A builder that renames a topic everywhere."""
    if not new.strip() or re.search(r"[,;\[\]\n]", new) or new != " ".join(new.split()):
        raise NotEditable(f"{new!r} is not a topic: use a few words without commas and brackets")
    builder = ChangeBuilder(files)
    explained = corpus.term(new) is not None
    for each in _find_texts_naming(files, old):
        text = files.text(each.path).text
        if each.kind is ReferenceKind.TOPIC and each.name == old:
            in_head = each.word == "topics" and not is_part(each.holder)
            edit = replace_value(text, each.start, each.end, new)
            builder.edit(each.path, *(edit if in_head else edit._replace(text=new)))
        explains = each.kind is ReferenceKind.TERM and fold_term(each.name) == fold_term(old)
        if explains and not explained:
            builder.edit(each.path, each.start, each.end, new)
    return builder


def _find_texts_naming(files: FolderFiles, word: str) -> Iterator[Reference]:
    for text in files.texts():
        if word.casefold() in text.text.casefold():
            yield from find_references(text.text, text.path)


def _rename_camp(files: FolderFiles, corpus: Corpus, old: str, new: str) -> Change:
    if old not in corpus.config.camp_ids:
        raise corpus.unknown_id_error(old, corpus.config.camp_ids, "camp")
    if not _CAMP.fullmatch(new) or new in _RESERVED_WORDS:
        raise NotEditable(f"{new!r} is not a camp's name: lower case, no word of the format")
    if new in corpus.config.camp_ids:
        raise NotEditable(f"there is already a camp {new!r}")
    builder = ChangeBuilder(files)
    declared = False
    for each in _find_texts_naming(files, old):
        placed = is_camp_word(corpus, each) or each.kind is ReferenceKind.CAMP
        if each.kind is ReferenceKind.CAMP_ID and each.name == old:
            declared = True
        elif not placed or resolve(corpus, each) != old:
            continue
        builder.edit(each.path, each.start, each.end, new)
    if not declared:
        raise NotEditable(f"no kg.toml declares the camp {old!r}: add `[[camps]]` there")
    return builder.change(f"rename camp {old} to {new}")
