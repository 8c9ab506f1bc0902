"""Another name for what is under the cursor, wherever it is named: `kg rename` in an editor."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cached_property

from kg.corpus import Corpus
from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles
from kg.editing.rename import rename
from kg.editing.source_text import SourceText
from kg.files.read import NotesFolder
from kg.lsp.describe import reference_at
from kg.lsp.places import thing_at
from kg.lsp.text_ranges import Range, Text
from kg.model import Edit
from kg.model.ids import is_part


class TypedFiles(FolderFiles):
    """The files of a corpus, those that are open as they are typed."""

    def __init__(self, folder: NotesFolder, typed: Mapping[str, bytes]) -> None:
        super().__init__(folder)
        self._typed = typed

    @cached_property
    def _data(self) -> dict[str, bytes]:
        return {**super()._data, **self._typed}


def find_name_at(corpus: Corpus, text: Text, line: int, column: int) -> tuple[Range, str] | None:
    """The name at a place that may be changed, and where it stands."""
    found = thing_at(corpus, text, line, column)
    if found is None:
        return None
    id, sort = found
    if sort == "id" and id not in corpus.edges_by_id and corpus.find_id(id) is None:
        return None
    named = reference_at(text, line, column)
    place = named[1] if named else Range(text.path, line, column, line, column)
    return place, id.rpartition("#")[2] if sort == "id" else id


def rename_at(
    corpus: Corpus, files: TypedFiles, text: Text, line: int, column: int, new: str
) -> Change | None:
    """The change that calls what is named at a place `new`; raises `NotEditable`."""
    found = thing_at(corpus, text, line, column)
    if found is None:
        return None
    id, sort = found
    kind = sort if sort != "id" else "name" if is_part(id) else "note"
    return rename(files, corpus, id, new, kind=kind, made=True)


def edits_of(change: Change) -> Iterator[tuple[str, list[Edit]]]:
    """What a change does within each file, under its old name; files that it makes are left out."""
    origin = {new: old for old, new in change.moves.items()}
    for path, data in change.after.items():
        old = origin.get(path, path)
        before = change.before.get(old)
        if data is not None and before is not None and data != before:
            one, other = SourceText(old, before).text, SourceText(old, data).text
            yield old, list(_edits(old, one.split("\n"), other.split("\n")))


def _edits(path: str, before: list[str], after: list[str]) -> Iterator[Edit]:
    """The lines that differ, each run of them as one edit."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for what, first, last, start, end in matcher.get_opcodes():
        if what == "equal":
            continue
        new = "".join(f"{line}\n" for line in after[start:end])
        line, stop, column, end_column = first + 1, last + 1, 1, 1
        if last == len(before):  # the last line has no end of its own
            new = new[:-1]
            stop, end_column = len(before), len(before[-1]) + 1
            if first == len(before):
                line, column, new = stop, end_column, f"\n{new}"
            elif start == end:
                line, column = first, len(before[first - 1]) + 1
        yield Edit(
            path=path, line=line, column=column, end_line=stop, end_column=end_column, text=new
        )
