"""Import discussions from Kialo: a numbered outline of theses, with pros and cons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from kg.importing.import_records import (
    ImportedNote,
    ImportInput,
    ImportResult,
    InputFile,
    escape_text,
    id_placeholder,
    printable_line,
)
from kg.notes.new_note import NewEdge, NewNote

_HEAD = re.compile(r"Discussion (?:Title|Name):\s*(.*)", re.IGNORECASE)
_ENTRY = re.compile(r"\s*((?:\d+\.)+)\s+(?:(Pro|Con)\s*:\s*)?(.*)", re.IGNORECASE)
_SEE = re.compile(r"->\s*See\s+((?:\d+\.)+)\.?\s*", re.IGNORECASE)
_MARKDOWN_LINK = re.compile(r"\[([^\[\]]*)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)")
_RELATIONS = {"pro": "supports", "con": "contradicts"}


@dataclass
class _Entry:
    """A numbered row and the lines of text that belong to it."""

    number: str
    stance: str
    rows: list[str]
    line: int

    @cached_property
    def text(self) -> str:
        """All its rows joined; use only once they are complete."""
        return "\n".join(self.rows)

    @property
    def parent(self) -> str:
        return self.number[: self.number.rstrip(".").rfind(".") + 1]

    @property
    def stands_for(self) -> str:
        """The number of the claim it refers to; empty if it has text of its own."""
        match = _SEE.fullmatch(self.text.strip())
        return match[1] if match else ""


def read_kialo(input: ImportInput) -> ImportResult:
    """Read a claim for each row, and a line for each discussion."""
    notes: list[ImportedNote] = []
    remarks: list[str] = []
    for file in input.files:
        notes += _notes_of_discussion(file, remarks)
    return ImportResult(tuple(notes), remarks=tuple(remarks))


def _notes_of_discussion(file: InputFile, remarks: list[str]) -> Iterator[ImportedNote]:
    title, entries = _parse_outline(file, remarks)
    edges: dict[str, list[NewEdge]] = {number: [] for number in entries}
    theses = []
    for entry in entries.values():
        number = entry.stands_for or entry.number
        if number not in entries or entries[number].stands_for:
            remarks.append(f"{file.place(entry.line)}: not carried: {entry.text!r} leads nowhere")
        elif entry.stance and entry.parent in entries and not entries[entry.parent].stands_for:
            if number != entry.parent:
                target = id_placeholder(_note_key(file, entry.parent))
                edges[number].append(NewEdge(_RELATIONS[entry.stance], target))
        elif entry.stance:
            remarks.append(f"{file.place(entry.line)}: not carried: what {entry.number} bears on")
        else:
            theses.append(entry)
    for entry in entries.values():
        if not entry.stands_for:
            yield _claim_note(file, entry, edges[entry.number])
    if title:
        yield _line_note(file, title, theses)


def _parse_outline(file: InputFile, remarks: list[str]) -> tuple[str, dict[str, _Entry]]:
    title = ""
    entries: dict[str, _Entry] = {}
    last: _Entry | None = None
    for line_number, row in enumerate(file.text.splitlines(), 1):
        if head := _HEAD.match(row) if not entries else None:
            title = printable_line(head[1])
        elif match := _ENTRY.fullmatch(row):
            last = _Entry(match[1], (match[2] or "").casefold(), [match[3]], line_number)
            if last.number in entries:
                raise file.error_at(line_number, f"{last.number} is used twice")
            entries[last.number] = last
        elif row.strip() and last:
            last.rows.append(row.strip())
        elif row.strip():
            remarks.append(
                f"{file.place(line_number)}: not understood: {printable_line(row)[:80]!r}"
            )
    if not entries:
        raise file.error_at(1, "no row such as `1.1. Pro: …`", "export the discussion as text")
    return title, entries


def _note_key(file: InputFile, number: str) -> str:
    return f"{number} in {file.name}"


def _claim_note(file: InputFile, entry: _Entry, edges: list[NewEdge]) -> ImportedNote:
    first, _, rest = _SEE.sub("", entry.text).strip().partition("\n")
    title = printable_line(_MARKDOWN_LINK.sub(r"\1", first)) or entry.number
    links = [
        f"- {escape_text(f'{printable_line(match[1])}, {match[2]}')}"
        for match in _MARKDOWN_LINK.finditer(entry.text)
    ]
    text = escape_text(_MARKDOWN_LINK.sub(r"\1", rest))
    body = "\n\n".join(filter(None, (text, "\n".join(links))))
    new_note = NewNote("claim", title, body=body, edges=edges)
    return ImportedNote(file.name, _note_key(file, entry.number), new_note, entry.line)


def _line_note(file: InputFile, title: str, theses: list[_Entry]) -> ImportedNote:
    refs = [id_placeholder(_note_key(file, entry.number)) for entry in theses]
    fields: dict[str, str] = {"proposition": refs[0]} if len(refs) == 1 else {}
    rows = [NewEdge("relates", each, "a thesis of the discussion") for each in refs]
    new_note = NewNote("line", title, "", {**fields}, edges=rows)
    return ImportedNote(file.name, f"discussion {file.name}", new_note, 1)
