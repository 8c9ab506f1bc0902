"""References in bibliographies, tables of judgements and the settings."""

from __future__ import annotations

import csv
import json
import re
import tomllib
from collections.abc import Iterator

from kg.editing.references.reference import Reference, ReferenceKind
from kg.judgements.label_table import parse_column_name
from kg.model import SourceKey
from kg.model.settings.config import lines_of_keys
from kg.notes.bibliography import parse_bibliography
from kg.notes.note_files import NoteFile
from kg.text.line_starts import TextLineStarts

_ENTRY = re.compile(r"@\s*[\w-]+\s*[{(]\s*")
_INHERITS = re.compile(r"\b(?:crossref|xdata|xref|ids)\s*=\s*[{\"]([^{}\"]*)[}\"]", re.IGNORECASE)
_LISTED = re.compile(r"[^,\s]+")
_CSL_KEY = re.compile(r'"(?:id|citation-key)"\s*:\s*("(?:[^"\\]|\\.)*")')
_CAMP_ID = re.compile(r"\bid\s*=\s*([\"'])([^\"'\n]*)\1")
_CELL = re.compile(r'"(?:[^"]|"")*"|[^",\n]*')


def references_in_bibliography(text: str, path: str) -> Iterator[Reference]:
    """The keys of all entries, and the keys from which entries inherit."""
    bibliography = parse_bibliography(NoteFile(path, text.encode("utf-8"), b""))
    keys = {source.key: source.span.line for source in bibliography.sources}
    if path.endswith(".json"):
        for match in _CSL_KEY.finditer(text):
            if (key := json.loads(match[1])) in keys:
                yield _key_reference(path, match.start(1) + 1, key, match[1][1:-1])
        return
    starts = TextLineStarts(text)
    entries = sorted((starts.offset(line_number), key) for key, line_number in keys.items())
    ends = [entry_start for entry_start, _ in entries[1:]] + [len(text)]
    for (entry_start, key), end in zip(entries, ends, strict=True):
        entry_match = _ENTRY.search(text, entry_start, end)
        if entry_match is None or not text.startswith(key, entry_match.end()):
            continue
        yield _key_reference(path, entry_match.end(), key, key)
        for match in _INHERITS.finditer(text, entry_match.end(), end):
            for word in _LISTED.finditer(match[1]):
                start = match.start(1) + word.start()
                yield Reference(
                    path,
                    start,
                    start + len(word[0]),
                    ReferenceKind.INHERITED,
                    word[0],
                    word[0],
                    holder=key,
                )


def _key_reference(path: str, offset: int, key: SourceKey, written_key: str) -> Reference:
    return Reference(
        path, offset, offset + len(written_key), ReferenceKind.KEY, key, key, holder=key
    )


def references_in_judgements(text: str, path: str) -> Iterator[Reference]:
    """The edges that are judged."""
    column = None
    for row_number, cells in _cells_by_row(text):
        if column is None:
            names = [parse_column_name(_value_of_cell(text[start:end])) for start, end in cells]
            if "edge" not in names:
                return
            column = names.index("edge")
        elif column < len(cells):
            start, end = cells[column]
            cell = text[start:end]
            if value := _value_of_cell(cell).strip():
                value_start = start + cell.index(value) if value in cell else start
                yield Reference(
                    path,
                    value_start,
                    value_start + len(value),
                    ReferenceKind.JUDGED_EDGE,
                    value,
                    value,
                    word=f"row {row_number}",
                )


def _value_of_cell(cell: str) -> str:
    return next(csv.reader([cell], strict=False), [""])[0] if cell else ""


def _cells_by_row(text: str) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield each row's number and the ranges of its cells; quoted cells may hold line breaks."""
    offset = 0
    row_number = 0
    while offset < len(text):
        cells = []
        while True:
            cell = _CELL.match(text, offset)
            assert cell is not None  # it also matches the empty string
            end = cell.end()
            # text after a closing quote belongs to the cell, as CSV readers treat it
            while end < len(text) and text[end] not in ",\n":
                end += 1
            cells.append((offset, end))
            offset = end + 1
            if end >= len(text) or text[end] == "\n":
                break
        row_number += 1
        yield row_number, cells


def references_in_settings(text: str, path: str) -> Iterator[Reference]:
    """The ids of the camps."""
    try:
        camps = tomllib.loads(text).get("camps", [])
    except ValueError:
        return
    lines = lines_of_keys(text)
    starts = TextLineStarts(text)
    for number, camp in enumerate(camps if isinstance(camps, list) else []):
        line_number = lines.get(("camps", number, "id"))
        if line_number is None or not isinstance(camp, dict):
            continue
        for match in _CAMP_ID.finditer(text, starts.offset(line_number)):
            if match[2] == camp.get("id"):
                yield Reference(
                    path, match.start(2), match.end(2), ReferenceKind.CAMP_ID, match[2], match[2]
                )
                break
