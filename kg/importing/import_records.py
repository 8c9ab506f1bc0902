"""The input and output of importers: files, and notes that refer to each other by key.

Text from a file stays text: none of it may become a link, an edge or a comment in a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kg.model import Source
from kg.model.errors import KgError
from kg.model.ids import is_given_name, part_name_of
from kg.model.settings.config import Camp
from kg.notes.new_note import NewNote
from kg.reporting.report import escape_markdown
from kg.text.printable import printable

_BEGIN, _END = "\ue000", "\ue001"
_ID_PLACEHOLDER = re.compile(f"{_BEGIN}([^{_END}]*){_END}")
_MARKS = str.maketrans("", "", _BEGIN + _END)
_RISKY = re.compile(r"[\[\]<>`$\\|~*{}@]|::|%%|(?<!\w)_|\^[\w-]+\s*$|^(?:[#=>+-]|\d+[.)])")
_BLOCK_NAME = re.compile(r"[A-Za-z0-9][\w-]*")
_BEGINS_BLOCK = re.compile(r"^(?:[-+=]|\d+(?=[.)]))")


class BadInput(KgError, ValueError):
    """A file that cannot be imported; the message says where, why, and what would help."""

    def __init__(self, place: str, why: str, help: str = "") -> None:
        super().__init__(printable(f"{place}: {why}" + (f"; {help}" if help else "")))


@dataclass(frozen=True)
class InputFile:
    """One file to import: its name without folders, and its text."""

    name: str
    text: str

    def error_at(self, line_number: int, why: str, help: str = "") -> BadInput:
        """The error for a line of this file; line 0 means the whole file."""
        return BadInput(self.place(line_number), why, help)

    def place(self, line_number: int) -> str:
        """The place of a line for messages: `file:line`."""
        return f"{self.name}:{line_number}" if line_number else self.name

    def json(self) -> Any:
        """Decode the file as JSON; raises `BadInput`."""
        try:
            return msgspec.json.decode(self.text)
        except RecursionError:
            raise self.error_at(0, "its lists are nested too deeply") from None
        except msgspec.MsgspecError as error:
            byte = re.search(r"byte (\d+)", str(error))
            text_before = self.text.encode("utf-8")[: int(byte[1]) if byte else 0]
            why = str(error).partition(" (")[0]
            raise self.error_at(
                text_before.count(b"\n") + 1, why, "save it again as JSON"
            ) from None


@dataclass(frozen=True)
class ImportInput:
    """All files of one import, and the camps of the target corpus."""

    files: tuple[InputFile, ...]
    camps: tuple[Camp, ...] = ()

    def only_file(self) -> InputFile:
        """The only file; raises `BadInput` if there are several."""
        if len(self.files) > 1:
            raise BadInput(self.files[1].name, "one file at a time", "name the file")
        return self.files[0]


@dataclass(frozen=True)
class ImportedNote:
    """A future note; `key` is its name in the file.

    In `new_note`, targets, premises and links in the body are `id_placeholder(key)`; `id` is only a
    preference.
    """

    file: str
    key: str
    new_note: NewNote
    line: int = 0


@dataclass(frozen=True)
class ImportResult:
    """The notes that an importer made, and remarks on what it did not import; `judgements` are
    rows for a table of judgements.
    """

    notes: tuple[ImportedNote, ...] = ()
    sources: tuple[Source, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    judgements: tuple[tuple[str, ...], ...] = ()


def given_block_name(id: str) -> str:
    """The name that a note gives to its part with this id; empty if it gives none that a link can
    lead to.
    """
    name = part_name_of(id)
    return name if name and is_given_name(name) and _BLOCK_NAME.fullmatch(name) else ""


def id_placeholder(key: str) -> str:
    """A placeholder for a note's id in a text."""
    return f"{_BEGIN}{key.translate(_MARKS)}{_END}"


def find_id_placeholders(text: str) -> list[str]:
    """The keys of the id placeholders in a text."""
    return _ID_PLACEHOLDER.findall(text)


def fill_id_placeholders(text: str, ids: dict[str, str]) -> str:
    """The text with its placeholders replaced by ids."""
    return _ID_PLACEHOLDER.sub(lambda match: ids[match[1]], text)


def key_from_text(value: object) -> str:
    """A name in a file as a key: one line, without the marks of placeholders."""
    return " ".join(str(value).translate(_MARKS).split())


def printable_line(text: object) -> str:
    """Text from a file on one line, such as a title."""
    return printable(" ".join(str(text).translate(_MARKS).split()))


def escape_text(text: object) -> str:
    """Text from a file as Markdown in which all markup is escaped."""
    lines = (text_line.strip() for text_line in str(text).translate(_MARKS).splitlines())
    return "\n".join(map(_inert_line, lines)).strip()


def escape_marks(text_line: str) -> str:
    """A line as Markdown in which no mark within it means anything."""
    # an `@` escaped by a backslash would still be read as a citation within brackets, and what
    # hides comments takes `<!--` for one wherever it is
    text_line = escape_markdown(text_line).replace("\\@", "&#64;").replace("%%", "%\\%")
    return text_line.replace("<!--", "<\\!--")


def _inert_line(text_line: str) -> str:
    if not _RISKY.search(text_line):
        return printable(text_line)
    escaped_line = re.sub(r"\^(?=[\w-]+\s*$)", r"\\^", escape_marks(text_line))
    return _BEGINS_BLOCK.sub(lambda match: _escaped_start(match[0]), escaped_line)


def _escaped_start(start: str) -> str:
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def escape_line(text: object) -> str:
    """Escape a text as `escape_text` does, and put it on one line, such as a reason."""
    return escape_text(printable_line(text))


def join_paragraphs(parts: Iterable[str]) -> str:
    """The non-empty parts of a body, joined by blank lines."""
    return "\n\n".join(part for part in parts if part.strip())
