"""Answers in other forms: data frames, JSON, CSV, Markdown."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
from collections.abc import Iterable
from typing import Any

import msgspec

from kg.model.value import printable
from kg.queries.answers.tables import Records, cells, columns_of, counted, rows
from kg.queries.conditions.fields import FIELDS
from kg.queries.conditions.sorts import Misuse

FRAMES = ("pandas", "polars")


class MissingLibrary(Misuse, ImportError):
    """A library that is not installed; the message says how to get it."""

    def __init__(self, names: Iterable[str], purpose: str) -> None:
        wanted = " or ".join(names)
        super().__init__(f"{purpose} need {wanted}: install one, e.g. `pip install pandas`")


def as_frame(answer: Records, library: str | None = None) -> Any:
    """Every field as a column; a field that may hold several values holds a list."""
    wanted = FRAMES if library is None else (library,)
    for name in wanted:
        if name not in FRAMES:
            raise ValueError(f"data frames come from {' or '.join(FRAMES)}, not from {name!r}")
        if importlib.util.find_spec(name):
            return importlib.import_module(name).DataFrame(_columns(answer))
    raise MissingLibrary(wanted, "data frames")


def _columns(answer: Records) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, field in FIELDS[answer.sort].items():
        values = cells(answer, name).values()
        if field.many:
            found[name] = [list(map(_builtin, each)) for each in values]
        else:
            found[name] = [_builtin(each[0]) if each else None for each in values]
    return found


def _builtin(value: Any) -> Any:
    return str(value) if isinstance(value, str) else value


def as_json(answer: Records) -> str:
    """The records as a JSON list, every recorded field present."""
    encoded = msgspec.json.encode(list(answer))
    return msgspec.json.format(encoded, indent=2).decode("utf-8")


def as_csv(answer: Records, columns: Iterable[str] = ()) -> str:
    """A table as CSV; a cell that a spreadsheet would run as a formula is quoted from it."""
    named = tuple(columns) or columns_of(answer)
    return csv_text(named, rows(answer, named))


def csv_text(names: Iterable[str], table: Iterable[Iterable[str]]) -> str:
    """Cells as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_inert(cell) for cell in row] for row in table)
    return out.getvalue()


_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # `kg.rdf.results` says why


def _inert(cell: str) -> str:
    """Spreadsheets run what begins like a formula; a leading apostrophe makes it text."""
    shown = printable(cell)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def as_markdown(answer: Records, columns: Iterable[str] = ()) -> str:
    """A table in Markdown, its cells inert, and the number of records beneath."""
    named = tuple(columns) or columns_of(answer)
    return f"{markdown_table(named, rows(answer, named))}\n\n{counted(answer)}\n"


def markdown_table(names: Iterable[str], table: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    heads = [escape_markdown(name.replace("_", " ")) for name in names]
    lines = [_row(heads), _row("---" for _ in heads)]
    lines += [_row(map(escape_markdown, row)) for row in table]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


_SPECIAL = frozenset("\\`*_{}[]<>|#!~$&@:")


def escape_markdown(text: str) -> str:
    """Text that Markdown, and HTML inside it, shows as it is."""
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in printable(text))
