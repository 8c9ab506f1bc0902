"""A change of files as a value, rendered as a diff, and built from edits of ranges."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kg.editing.folder_files import FileText, FolderFiles, NotEditable, TextEdit
from kg.files.read_files import NotesFolder
from kg.git import NoHistory, get_repository
from kg.model import RecordId
from kg.notes.body import gap_before_relation

FileContent = bytes | None  # A file's content; None where there is no file.

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_CHARACTERS_TO_QUOTE = re.compile(r'[\x00-\x1f\x7f"\\]')


@dataclass(frozen=True)
class Change:
    """Contents of files when they were read and after the change, by path in the notes folder.

    `title` says what is done, `moves` and `new_ids` map old to new paths and ids, and `remarks`
    are for the user.
    """

    title: str
    files_before: Mapping[str, FileContent]
    files_after: Mapping[str, FileContent]
    moves: Mapping[str, str] = field(default_factory=dict)
    new_ids: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def render_diff(self, folder: NotesFolder) -> str:
        """The change as a unified diff in git's format, which `git apply` accepts here."""
        parts: list[str] = []
        origin = {new: old for old, new in self.moves.items()}
        for path in sorted(self.files_after):
            if path in self.moves and self.files_after[path] is None:
                continue  # shown with its new path
            old = origin.get(path, path)
            names = path_in_diff(folder, old), path_in_diff(folder, path)
            parts += _diff_of_file(*names, self.files_before.get(old), self.files_after[path])
        return "".join(parts)

    @property
    def paths(self) -> tuple[str, ...]:
        """Every file that is written, moved or removed."""
        return tuple(sorted(self.files_after))


def path_in_diff(folder: NotesFolder, path: str) -> str:
    """A file's path as in git diffs: relative to the top of the repository, if there is one."""
    shown_file = folder.shown_path(path)
    try:
        top = get_repository("").top
        return (
            Path(os.path.realpath(shown_file.parent), shown_file.name).relative_to(top).as_posix()
        )
    except (NoHistory, ValueError):
        return shown_file.as_posix()


def _diff_of_file(
    old: str, new: str, old_content: FileContent, new_content: FileContent
) -> Iterator[str]:
    yield f"diff --git {_render_path('a', old)} {_render_path('b', new)}\n"
    if old != new:
        yield f"rename from {_render_path('', old)}\nrename to {_render_path('', new)}\n"
    elif old_content is None:
        yield "new file mode 100644\n"
    elif new_content is None:
        yield "deleted file mode 100644\n"
    lines = difflib.unified_diff(
        _LINE.findall((old_content or b"").decode("utf-8", "replace")),
        _LINE.findall((new_content or b"").decode("utf-8", "replace")),
        "/dev/null" if old_content is None else _render_path("a", old, "\t"),
        "/dev/null" if new_content is None else _render_path("b", new, "\t"),
    )
    for text_line in lines:
        yield (
            text_line
            if text_line.endswith("\n")
            else f"{text_line}\n\\ No newline at end of file\n"
        )


def _render_path(side: str, path: str, end: str = "") -> str:
    """A path in the header of a diff; after one with spaces, `end` marks its end."""
    full_path = f"{side}/{path}" if side else path
    if _CHARACTERS_TO_QUOTE.search(full_path):
        quoted = _CHARACTERS_TO_QUOTE.sub(lambda match: f"\\{ord(match[0]):03o}", full_path)
        return f'"{quoted}"'
    return full_path + end if " " in full_path else full_path


class ChangeBuilder:
    """Collects edits into a change; nothing is written."""

    def __init__(self, files: FolderFiles) -> None:
        self.files = files
        self._edits: dict[str, dict[TextEdit, None]] = {}
        self._moves: dict[str, str] = {}
        self._new_files: dict[str, str] = {}
        self._removed_paths: dict[str, None] = {}
        self._endings: dict[str, Callable[[str], str]] = {}
        self.new_ids: dict[RecordId, RecordId] = {}
        self.remarks: list[str] = []

    def edit(self, path: str, start: int, end: int, text: str) -> None:
        """Replace a range by `text`; a repeated edit is made once."""
        if self.files.text(path).text[start:end] != text:
            self._edits.setdefault(path, {})[TextEdit(start, end, text)] = None

    def edits(self, path: str) -> Iterable[TextEdit]:
        """The edits of a file so far."""
        return tuple(self._edits.get(path, ()))

    def remove_edits(self, path: str, start: int, end: int) -> list[TextEdit]:
        """Remove and return the edits within a range of a file, to apply them elsewhere."""
        edits = self._edits.get(path, {})
        edits_within = [edit for edit in edits if start <= edit.start and edit.end <= end]
        for edit in edits_within:
            del edits[edit]
        return edits_within

    def move(self, path: str, to: str) -> None:
        """Give a file another name."""
        self._moves[path] = to

    def create(self, path: str, text: str) -> None:
        """Have the change write a new file with this text."""
        self._new_files[path] = text

    def append_at_end(self, path: str, ending: Callable[[str], str]) -> None:
        """Append to a file what `ending` returns for its edited text."""
        self._endings[path] = ending

    def append_relations(self, path: str, relation_lines: str) -> None:
        """Append list items of relations to a note, directly below any that end it."""
        self.append_at_end(path, lambda text: f"{gap_before_relation(text)}{relation_lines}\n")

    def remove(self, path: str) -> None:
        """Remove a file, and drop its edits."""
        self._removed_paths[path] = None
        self._edits.pop(path, None)

    def text_of(self, path: str) -> str:
        """A file's text with its edits applied."""
        file = self.files.text(path)
        return FileText(path, file.apply_edits(self.edits(path))).text

    def _edited_bytes(self, path: str, edits: Iterable[TextEdit]) -> bytes:
        data = self.files.text(path).apply_edits(edits)
        if path not in self._endings:
            return data
        edited = FileText(path, data)
        end = len(edited.text.rstrip())
        ending = self._endings[path](edited.text[:end])
        return edited.apply_edits([TextEdit(end, len(edited.text), ending)])

    def change(self, title: str) -> Change:
        """The change as a value; raises `NotEditable` if a new file already exists."""
        files_before: dict[str, FileContent] = {}
        files_after: dict[str, FileContent] = {}
        edited = {path: edits for path, edits in self._edits.items() if edits}
        for path in self._endings:
            edited.setdefault(path, {})
        for path in (*edited, *self._moves, *self._removed_paths):
            files_before[path] = self.files.text(path).data
        for path, edits in edited.items():
            files_after[path] = self._edited_bytes(path, edits)
        for path, to in self._moves.items():
            files_after[to] = files_after.get(path, files_before[path])
            files_after[path] = None
        files_after |= dict.fromkeys(self._removed_paths)  # None: there will be no file
        files_after |= {path: text.encode("utf-8") for path, text in self._new_files.items()}
        for path in (*self._moves.values(), *self._new_files):
            if self.files.holds(path) and files_before.get(path) is None:
                raise NotEditable(f"{self.files.shown_path(path)} already exists")
            files_before.setdefault(path, None)
        remarks = tuple(self.remarks)
        return Change(
            title, files_before, files_after, dict(self._moves), dict(self.new_ids), remarks
        )
