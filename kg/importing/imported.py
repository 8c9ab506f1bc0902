"""The input of importers, and their output: items that refer to each other by the names in the
file.

What a file says is text: none of it may become a link, an edge or a comment of a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kg.model import Source
from kg.model.config import Camp
from kg.model.errors import KgError
from kg.model.value import printable
from kg.notes.new_note import DraftNote
from kg.report import escape_markdown

_BEGIN, _END = "\ue000", "\ue001"
_REF = re.compile(f"{_BEGIN}([^{_END}]*){_END}")
_MARKS = str.maketrans("", "", _BEGIN + _END)
_RISKY = re.compile(r"[\[\]<>`$\\|~*{}@]|::|%%|(?<!\w)_|\^[\w-]+\s*$|^(?:[#=>+-]|\d+[.)])")
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

    def bad(self, line: int, why: str, help: str = "") -> BadInput:
        """The error that this file makes, at a line of it; 0 where it is no line in particular."""
        return BadInput(self.place(line), why, help)

    def place(self, line: int) -> str:
        """A line of the file, as messages name it: `file:line`."""
        return f"{self.name}:{line}" if line else self.name

    def json(self) -> Any:
        """What it says as JSON; raises `BadInput`."""
        try:
            return msgspec.json.decode(self.text)
        except RecursionError:
            raise self.bad(0, "its lists are nested too deeply") from None
        except msgspec.MsgspecError as error:
            byte = re.search(r"byte (\d+)", str(error))
            before = self.text.encode("utf-8")[: int(byte[1]) if byte else 0]
            why = str(error).partition(" (")[0]
            raise self.bad(before.count(b"\n") + 1, why, "save it again as JSON") from None


@dataclass(frozen=True)
class Given:
    """All files of one import, and the camps of the corpus that they go into."""

    files: tuple[InputFile, ...]
    camps: tuple[Camp, ...] = ()

    def only(self) -> InputFile:
        """The one file that a format wants; raises `BadInput` for several."""
        if len(self.files) > 1:
            raise BadInput(self.files[1].name, "one file at a time", "name the file")
        return self.files[0]


@dataclass(frozen=True)
class Item:
    """A note to be: `key` is what its file calls it.

    In `draft`, targets, premises and links in the body are `id_slot(key)`. An `id` is a wish.
    """

    file: str
    key: str
    draft: DraftNote
    line: int = 0


@dataclass(frozen=True)
class Imported:
    """The items that an importer found, and remarks on what it did not take over; `judgements` are
    rows of the table of judgements.
    """

    items: tuple[Item, ...] = ()
    sources: tuple[Source, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    judgements: tuple[tuple[str, ...], ...] = ()


def id_slot(key: str) -> str:
    """The place of an item's id in a text, until it has one."""
    return f"{_BEGIN}{key.translate(_MARKS)}{_END}"


def find_id_slots(text: str) -> list[str]:
    """The keys whose ids a text waits for."""
    return _REF.findall(text)


def fill_id_slots(text: str, ids: dict[str, str]) -> str:
    """The text with ids in their places."""
    return _REF.sub(lambda found: ids[found[1]], text)


def as_key(value: object) -> str:
    """What a file calls something, as a key of ours."""
    return " ".join(str(value).translate(_MARKS).split())


def as_line(text: object) -> str:
    """Words of a file on one line, such as a title."""
    return printable(" ".join(str(text).translate(_MARKS).split()))


def escape_text(text: object) -> str:
    """Words of a file as Markdown in which nothing is a mark; a line that has none stays as is."""
    lines = (line.strip() for line in str(text).translate(_MARKS).splitlines())
    return "\n".join(map(_inert_line, lines)).strip()


def _inert_line(line: str) -> str:
    if not _RISKY.search(line):
        return printable(line)
    # an address with its sign escaped would still be a citation within brackets
    line = escape_markdown(line).replace("\\@", "&#64;").replace("%%", "%\\%")
    line = re.sub(r"\^(?=[\w-]+\s*$)", r"\\^", line)
    return _BEGINS_BLOCK.sub(lambda found: _escaped_start(found[0]), line)


def _escaped_start(start: str) -> str:
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def escape_line(text: object) -> str:
    """The same on one line, such as a reason."""
    return escape_text(as_line(text))


def paragraphs(parts: Iterable[str]) -> str:
    """Parts of a body, those that say something, with a blank line between them."""
    return "\n\n".join(part for part in parts if part.strip())
