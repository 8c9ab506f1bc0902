"""Tables of labels as people keep them: CSV files, their columns, and what a cell says."""

from __future__ import annotations

import csv
import enum
import io
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kg.files.read import Place, read_file, read_input
from kg.model import Diagnostic, Severity, Span
from kg.model.spelling import nearest

PERSON, MODEL = "annotator:", "model:"
LARGEST = 64 * 1024 * 1024
MOST = 1e9  # of one label in one cell: sums of what people write stay finite


class Label(enum.StrEnum):
    """What an annotator may say that an edge's source does to its target."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"


LABELS = tuple(Label)
_PLACES = {label.value: place for place, label in enumerate(LABELS)}
Shares = tuple[float, float, float]
"""How much is said of supports, contradicts and neutral."""


class Row(NamedTuple):
    """One line of a table: where it stands, and its cells by column; what is empty is left out."""

    span: Span
    cells: Mapping[str, str]


class Sheet(NamedTuple):
    """A table that can be read: its columns, those in doubt, and its rows, problems among them."""

    columns: tuple[str, ...]
    doubts: tuple[Diagnostic, ...]
    rows: Iterator[Row | Diagnostic]


def read_sheet(
    file: Path, path: str, known: Collection[str], within: Place | None = None
) -> Sheet | Diagnostic:
    """The table in `file`, called `path` in diagnostics; `known` are the plain columns it may have.

    A file of a corpus is read only if it stands `within` its folder.

    Columns called `annotator:NAME` and `model:NAME` are known too. Any other is in doubt, and
    left out; a row with more cells than there are columns is a problem. The rows are read as
    they are asked for. A file that cannot be read is a diagnostic.
    """
    try:
        data = read_input(file, LARGEST, within) if within else read_file(file, LARGEST)
        lines = csv.reader(io.StringIO(data.decode("utf-8-sig")))
        header = [column_of(name) for name in next(lines, [])]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return problem("judgement-file", f"cannot be read: {why}", Span(path))
    kept = {name: at for at, name in enumerate(header) if name in known or named(name)}
    first = {name: header.index(name) for name in kept}
    doubts = tuple(_strange(header, Span(path), known))
    return Sheet(tuple(first), doubts, _rows(lines, first, len(header), path))


def _rows(
    lines: Any, places: Mapping[str, int], width: int, path: str
) -> Iterator[Row | Diagnostic]:
    try:
        for cells in lines:
            span = Span(path, lines.line_num)
            if any(cell.strip() for cell in cells[width:]):
                text = "more cells than columns"
                yield problem("judgement-row", text, span, "quote a cell that has a comma")
            elif cells:
                said = ((name, cells[at].strip()) for name, at in places.items() if at < len(cells))
                yield Row(span, {name: cell for name, cell in said if cell})
    except csv.Error as error:
        text = f"cannot be read from here on: {error}"
        yield problem("judgement-file", text, Span(path, lines.line_num))


def column_of(written: str) -> str:
    """A column's name without its blanks; all but what somebody is called in small letters."""
    head, colon, name = written.strip().partition(":")
    return f"{head.strip().casefold()}:{name.strip()}" if colon else head.casefold()


def named(column: str) -> str:
    """Whom a column of labels belongs to; empty for a plain column."""
    for kind in (PERSON, MODEL):
        if column.startswith(kind):
            return column.removeprefix(kind)
    return ""


def _strange(header: list[str], span: Span, known: Collection[str]) -> Iterator[Diagnostic]:
    """Columns that say nothing here, or say it twice."""
    for place, name in enumerate(header):
        if not name:
            text = f"column {place + 1} has no name, and is not read"
            yield problem("judgement-column", text, span, _called("NAME"))
        elif name in header[:place]:
            text = f"a second column {name!r}, which is not read"
            yield problem("judgement-column", text, span, "keep one, or call them apart")
        elif name not in known and not named(name):
            close = nearest(name, known)
            hint = f"did you mean {' or '.join(f'`{each}`' for each in close)}?" if close else ""
            text = f"column {name!r} is none of ours, and is not read"
            yield problem("judgement-column", text, span, hint or _called(name.strip(":")))


def _called(name: str) -> str:
    return f"a model's labels stand in `{MODEL}{name}`, a person's in `{PERSON}{name}`"


def label_of(written: str) -> Label | None:
    """The label that a cell names, in any case; `None` where it names none."""
    folded = written.casefold()
    return Label(folded) if folded in _PLACES else None


def shares_of(written: str) -> Shares | None:
    """What a model's cell says: labels with blanks or `;` between, each with `=` and a number.

    `supports`, `supports supports neutral` and `supports=0.7 neutral=0.3` are such cells. `None`
    where a label is none of ours or a number is not one that can be counted.
    """
    found = [0.0] * len(LABELS)
    for part in written.replace(";", " ").split():
        name, equals, number = part.partition("=")
        label = label_of(name)
        amount = amount_of(number) if equals else 1.0
        if label is None or amount is None:
            return None
        found[_PLACES[label]] += amount
    a, b, c = found
    return (a, b, c) if any(found) else None


def amount_of(written: str) -> float | None:
    """A number from 0 that labels can be counted by; `None` where it is none."""
    try:
        number = float(written)
    except ValueError:
        return None
    return number if 0.0 <= number <= MOST else None


def one_hot(label: Label) -> Shares:
    """The whole of one label."""
    a, b, c = (float(label is each) for each in LABELS)
    return a, b, c


def problem(rule: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    """A warning about a table of labels, with what may stand there as its help."""
    return Diagnostic(
        rule=rule,
        severity=Severity.WARNING,
        message=message,
        span=span,
        help=hint or f"labels: {', '.join(LABELS)}",
    )
