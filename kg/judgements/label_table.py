"""Read tables of edge labels, filled in by people and models, with warnings about bad cells."""

from __future__ import annotations

import csv
import enum
import io
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kg.files.read_files import StrPath, read_file, read_input
from kg.model import Diagnostic, Severity, Span
from kg.model.diagnostic import conflict_problem
from kg.text.merge_conflicts import keep_first_versions
from kg.text.spelling import similar_names

PERSON_PREFIX, MODEL_PREFIX = "annotator:", "model:"
MAX_TABLE_BYTES = 64 * 1024 * 1024  # far more than any panel of annotators fills
MAX_COUNT_IN_CELL = 1e9  # per label and cell, so that sums stay finite


class EdgeLabel(enum.StrEnum):
    """The effect of an edge's premise on its target, in the view of an annotator.

    `reasoning.EdgeLabel("supports")`
    """

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"


LABELS = tuple(EdgeLabel)
_PLACES = {label.value: place for place, label in enumerate(LABELS)}
LabelAmounts = tuple[float, float, float]  # the amounts of supports, contradicts and neutral


class LabelRow(NamedTuple):
    """One row of a table: its place, and its cells by column, without empty ones."""

    span: Span
    cells: Mapping[str, str]


class LabelTable(NamedTuple):
    """A readable table: its columns, warnings about it as a whole, and its rows or warnings."""

    columns: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]
    rows: Iterator[LabelRow | Diagnostic]


def read_label_table(
    file: Path | bytes, path: str, column_names: Collection[str], within: StrPath | None = None
) -> LabelTable | Diagnostic:
    """Read the table in `file`, a path or its content, called `path` in diagnostics.

    A file must lie `within` that folder, if one is given. `column_names` are the valid column names
    besides `annotator:NAME` and `model:NAME`. Other columns are left out with a warning; so are
    rows with more cells than there are columns. Rows are read lazily. A file that cannot be read
    gives a diagnostic.
    """
    try:
        if isinstance(file, Path):
            file = (
                read_input(file, MAX_TABLE_BYTES, within)
                if within
                else read_file(file, MAX_TABLE_BYTES)
            )
        text, conflicts = keep_first_versions(file.decode("utf-8-sig"))
        lines = csv.reader(io.StringIO(text))
        header = list(map(parse_column_name, next(filter(None, lines), [])))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return label_table_problem("judgement-file", f"cannot be read: {why}", Span(path))
    positions: dict[str, int] = {}
    for position, name in enumerate(header):
        if name in column_names or annotator_of(name):
            positions.setdefault(name, position)
    warnings = tuple(_column_problems(header, Span(path), column_names))
    warnings += (conflict_problem(path, conflicts),) if conflicts else ()
    return LabelTable(
        tuple(positions), warnings, _rows_or_problems(lines, positions, len(header), path)
    )


def _rows_or_problems(
    lines: Any, positions: Mapping[str, int], width: int, path: str
) -> Iterator[LabelRow | Diagnostic]:
    try:
        for cells in lines:
            span = Span(path, lines.line_num)
            if any(cell.strip() for cell in cells[width:]):
                text = "more cells than columns"
                yield label_table_problem(
                    "judgement-row", text, span, "quote a cell that has a comma"
                )
            elif cells:
                named_cells = (
                    (name, cells[position].strip())
                    for name, position in positions.items()
                    if position < len(cells)
                )
                yield LabelRow(span, {name: cell for name, cell in named_cells if cell})
    except csv.Error as error:
        text = f"cannot be read from here on: {error}"
        yield label_table_problem("judgement-file", text, Span(path, lines.line_num))


def parse_column_name(column: str) -> str:
    """A column's name without surrounding blanks, in lower case except for an annotator's name."""
    head, colon, name = column.strip().partition(":")
    return f"{head.strip().casefold()}:{name.strip()}" if colon else head.casefold()


def annotator_of(column: str) -> str:
    """The name of the annotator whose labels a column holds; empty for a plain column."""
    for kind in (PERSON_PREFIX, MODEL_PREFIX):
        if column.startswith(kind):
            return column.removeprefix(kind)
    return ""


def _column_problems(
    header: list[str], span: Span, column_names: Collection[str]
) -> Iterator[Diagnostic]:
    """Warn about unnamed, repeated and unknown columns."""
    names_seen: set[str] = set()
    for position, name in enumerate(header):
        if not name:
            text = f"column {position + 1} has no name and is ignored"
            yield label_table_problem("judgement-column", text, span, _column_help("NAME"))
        elif name in names_seen:
            text = f"duplicate column {name!r} is ignored"
            yield label_table_problem(
                "judgement-column", text, span, "keep one, or rename the other"
            )
        elif name not in column_names and not annotator_of(name):
            close = similar_names(name, column_names)
            hint = f"did you mean {' or '.join(f'`{each}`' for each in close)}?" if close else ""
            text = f"unknown column {name!r} is ignored"
            yield label_table_problem(
                "judgement-column", text, span, hint or _column_help(name.strip(":"))
            )
        names_seen.add(name)


def _column_help(name: str) -> str:
    model = MODEL_PREFIX + name
    person = PERSON_PREFIX + name
    return f"put a model's labels in `{model}`, a person's in `{person}`"


def parse_label(text: str) -> EdgeLabel | None:
    """The label named in a cell, in any letter case; `None` if there is none."""
    folded = text.casefold()
    return EdgeLabel(folded) if folded in _PLACES else None


def parse_shares(text: str) -> LabelAmounts | None:
    """The amounts in a model's cell: labels between blanks or `;`, each alone or with `=NUMBER`.

    `supports`, `supports supports neutral` and `supports=0.7 neutral=0.3` are such cells. `None`
    if a label is unknown, a number is not a valid amount, or all amounts are 0.
    """
    amounts = [0.0] * len(LABELS)
    for part in text.replace(";", " ").split():
        name, equals, number = part.partition("=")
        label = parse_label(name)
        amount = parse_count(number) if equals else 1.0
        if label is None or amount is None:
            return None
        amounts[_PLACES[label]] += amount
    a, b, c = amounts
    return (a, b, c) if any(amounts) else None


def parse_count(text: str) -> float | None:
    """A number from 0 to `MAX_COUNT_IN_CELL`; `None` for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0.0 <= number <= MAX_COUNT_IN_CELL else None


def one_hot(label: EdgeLabel) -> LabelAmounts:
    """Return all of the amount on one label."""
    a, b, c = (float(label is each) for each in LABELS)
    return a, b, c


def label_table_problem(rule: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    """A warning about a table of labels; by default its help lists the valid labels."""
    return Diagnostic(
        rule=rule,
        severity=Severity.WARNING,
        message=message,
        span=span,
        help=hint or f"labels: {', '.join(LABELS)}",
    )
