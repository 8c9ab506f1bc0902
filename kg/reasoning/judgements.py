"""What `judgements/*.csv` say about edges: labels of people, which weigh, and of models."""

from __future__ import annotations

import csv
import datetime as dt
import enum
import io
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kg.corpus import Corpus
from kg.files.read import StrPath, read_file, read_input
from kg.model import Diagnostic, EdgeId, Severity, Span, Value
from kg.model.merge_conflicts import conflict_problem, settle_conflicts
from kg.model.spelling import nearest_names
from kg.notes.discover import JUDGEMENTS_FOLDER, list_judgements

PERSON_PREFIX, MODEL_PREFIX = "annotator:", "model:"
MOST_BYTES = 64 * 1024 * 1024
MOST_IN_A_CELL = 1e9  # of one label in one cell: sums of what people write stay finite


class EdgeLabel(enum.StrEnum):
    """What an annotator may say that an edge's source does to its target.

    `reasoning.EdgeLabel("supports")`
    """

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"


LABELS = tuple(EdgeLabel)
_PLACES = {label.value: place for place, label in enumerate(LABELS)}
Shares = tuple[float, float, float]
"""How much is said of supports, contradicts and neutral."""


class Row(NamedTuple):
    """One line of a table: where it stands, and its cells by column; what is empty is left out."""

    span: Span
    cells: Mapping[str, str]


class LabelTable(NamedTuple):
    """A table that can be read: its columns, those in doubt, and its rows, problems among them."""

    columns: tuple[str, ...]
    doubts: tuple[Diagnostic, ...]
    rows: Iterator[Row | Diagnostic]


def read_label_table(
    file: Path, path: str, known: Collection[str], within: StrPath | None = None
) -> LabelTable | Diagnostic:
    """The table in `file`, called `path` in diagnostics; `known` are the plain columns it may have.

    A file of a corpus is read only if it stands `within` its folder.

    Columns called `annotator:NAME` and `model:NAME` are known too. Any other is in doubt and left
    out; a row with more cells than columns is a problem. The rows are read as they are asked for.
    A file that cannot be read is a diagnostic.
    """
    try:
        data = read_input(file, MOST_BYTES, within) if within else read_file(file, MOST_BYTES)
        text, conflicts = settle_conflicts(data.decode("utf-8-sig"))
        lines = csv.reader(io.StringIO(text))
        header = list(map(parse_column_name, next(filter(None, lines), [])))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return table_warning("judgement-file", f"cannot be read: {why}", Span(path))
    kept = {name: at for at, name in enumerate(header) if name in known or judge_of(name)}
    first = {name: header.index(name) for name in kept}
    doubts = tuple(_strange(header, Span(path), known))
    doubts += (conflict_problem(path, conflicts),) if conflicts else ()
    return LabelTable(tuple(first), doubts, _rows(lines, first, len(header), path))


def _rows(
    lines: Any, places: Mapping[str, int], width: int, path: str
) -> Iterator[Row | Diagnostic]:
    try:
        for cells in lines:
            span = Span(path, lines.line_num)
            if any(cell.strip() for cell in cells[width:]):
                text = "more cells than columns"
                yield table_warning("judgement-row", text, span, "quote a cell that has a comma")
            elif cells:
                cut = ((name, cells[at].strip()) for name, at in places.items() if at < len(cells))
                yield Row(span, {name: cell for name, cell in cut if cell})
    except csv.Error as error:
        text = f"cannot be read from here on: {error}"
        yield table_warning("judgement-file", text, Span(path, lines.line_num))


def parse_column_name(written: str) -> str:
    """A column's name without its blanks; all but what somebody is called in small letters."""
    head, colon, name = written.strip().partition(":")
    return f"{head.strip().casefold()}:{name.strip()}" if colon else head.casefold()


def judge_of(column: str) -> str:
    """Whom a column of labels belongs to; empty for a plain column."""
    for kind in (PERSON_PREFIX, MODEL_PREFIX):
        if column.startswith(kind):
            return column.removeprefix(kind)
    return ""


def _strange(header: list[str], span: Span, known: Collection[str]) -> Iterator[Diagnostic]:
    """Columns that say nothing here, or say it twice."""
    for place, name in enumerate(header):
        if not name:
            text = f"column {place + 1} has no name, and is not read"
            yield table_warning("judgement-column", text, span, _called("NAME"))
        elif name in header[:place]:
            text = f"a second column {name!r}, which is not read"
            yield table_warning("judgement-column", text, span, "keep one, or call them apart")
        elif name not in known and not judge_of(name):
            close = nearest_names(name, known)
            hint = f"did you mean {' or '.join(f'`{each}`' for each in close)}?" if close else ""
            text = f"column {name!r} is none of ours, and is not read"
            yield table_warning("judgement-column", text, span, hint or _called(name.strip(":")))


def _called(name: str) -> str:
    model, person = MODEL_PREFIX + name, PERSON_PREFIX + name
    return f"a model's labels stand in `{model}`, a person's in `{person}`"


def parse_label(written: str) -> EdgeLabel | None:
    """The label that a cell names, in any case; `None` where it names none."""
    folded = written.casefold()
    return EdgeLabel(folded) if folded in _PLACES else None


def parse_shares(written: str) -> Shares | None:
    """What a model's cell says: labels with blanks or `;` between, each with `=` and a number.

    `supports`, `supports supports neutral` and `supports=0.7 neutral=0.3` are such cells. `None`
    where a label is none of ours or a number is not one that can be counted.
    """
    found = [0.0] * len(LABELS)
    for part in written.replace(";", " ").split():
        name, equals, number = part.partition("=")
        label = parse_label(name)
        amount = parse_count(number) if equals else 1.0
        if label is None or amount is None:
            return None
        found[_PLACES[label]] += amount
    a, b, c = found
    return (a, b, c) if any(found) else None


def parse_count(written: str) -> float | None:
    """A number from 0 that labels can be counted by; `None` where it is none."""
    try:
        number = float(written)
    except ValueError:
        return None
    return number if 0.0 <= number <= MOST_IN_A_CELL else None


def one_hot(label: EdgeLabel) -> Shares:
    """The whole of one label."""
    a, b, c = (float(label is each) for each in LABELS)
    return a, b, c


def table_warning(rule: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    """A warning about a table of labels, with what may stand there as its help."""
    return Diagnostic(
        rule=rule,
        severity=Severity.WARNING,
        message=message,
        span=span,
        help=hint or f"labels: {', '.join(LABELS)}",
    )


JUDGEMENT_COLUMNS = ("edge", "annotator", "label", "date", "note")
REQUIRED_COLUMNS = ("edge", "annotator", "label")
_HELP = (
    f"columns: {', '.join(JUDGEMENT_COLUMNS)}, "
    f"or edge and `{PERSON_PREFIX}NAME`, `{MODEL_PREFIX}NAME`; labels: {', '.join(LABELS)}"
)

Model = Mapping[EdgeId, Shares]
"""Per edge, the share a model gives to supports, contradicts, neutral."""


class Judgement(Value, frozen=True):
    """One annotator's label of one edge: `str(judgements.rows[0].label)`."""

    edge: EdgeId
    annotator: str
    label: EdgeLabel
    span: Span
    date: dt.date | None = None
    note: str = ""


class Judgements(Value, frozen=True):
    """What people say, in reading order, what models say, by name, and what cannot be read.

    Only what people say is weighed.

    `reasoning.judgements_of(corpus)`
    """

    rows: tuple[Judgement, ...] = ()
    models: dict[str, Model] = {}
    diagnostics: tuple[Diagnostic, ...] = ()


class _JudgedCells(NamedTuple):
    """What one row says: labels of people, and samples of models."""

    edge: EdgeId
    span: Span
    people: list[Judgement]
    models: list[tuple[str, Shares]]


def load_judgements(folder: StrPath, edges: Collection[EdgeId] | None = None) -> Judgements:
    """Judgements in `folder`/judgements/*.csv: a row per label, or a column per judge, or both.

    What cannot be read becomes a diagnostic, never an exception. With `edges`, the ids
    that exist, rows about others are reported. The later of two labels by one annotator of
    one edge counts, and the first is reported; what a model says of one edge in several
    rows adds up to its shares.

    `reasoning.load_judgements(Path("notes"))`
    """
    known = None if edges is None else frozenset(edges)
    kept: dict[tuple[EdgeId, str], Judgement] = {}
    samples: defaultdict[str, dict[EdgeId, Shares]] = defaultdict(dict)
    problems: list[Diagnostic] = []
    for file in list_judgements(folder):
        for judged in _read(folder, f"{JUDGEMENTS_FOLDER}/{file.name}"):
            if isinstance(judged, Diagnostic):
                problems.append(judged)
            elif known is not None and judged.edge not in known:
                problems.append(_unknown(judged, known))
            else:
                problems += _keep(kept, judged.people)
                for name, shares in judged.models:
                    add_shares(samples[name], judged.edge, shares)
    models = {name: as_proportions(samples[name]) for name in sorted(samples)}
    return Judgements(rows=tuple(kept.values()), models=models, diagnostics=tuple(problems))


def judgements_of(corpus: Corpus) -> Judgements:
    """The judgements beside the notes of `corpus`, read once; none where it has no folder.

    `reasoning.judgements_of(corpus).rows`
    """
    return corpus.derive(_of_folder)


def _of_folder(corpus: Corpus) -> Judgements:
    return Judgements() if corpus.folder is None else load_judgements(corpus.folder, corpus.edge)


def add_shares(model: dict[EdgeId, Shares], edge: EdgeId, shares: Shares) -> None:
    """Count one more sample of what a model says of an edge."""
    a, b, c = model.get(edge, (0.0, 0.0, 0.0))
    model[edge] = (a + shares[0], b + shares[1], c + shares[2])


def as_proportions(model: Mapping[EdgeId, Shares]) -> Model:
    """Samples as shares that sum to 1."""
    return {
        edge: (a / (a + b + c), b / (a + b + c), c / (a + b + c))
        for edge, (a, b, c) in model.items()
    }


def _keep(
    kept: dict[tuple[EdgeId, str], Judgement], found: Iterable[Judgement]
) -> Iterator[Diagnostic]:
    for one in found:
        before = kept.pop((one.edge, one.annotator), None)
        if before is not None:
            yield _repeated(before, one)
        kept[(one.edge, one.annotator)] = one


def _read(folder: StrPath, path: str) -> Iterator[_JudgedCells | Diagnostic]:
    sheet = read_label_table(Path(folder) / path, path, JUDGEMENT_COLUMNS, folder)
    if isinstance(sheet, Diagnostic):
        yield sheet
        return
    judges = [name for name in sheet.columns if judge_of(name)]
    long = not judges or not {"annotator", "label"}.isdisjoint(sheet.columns)
    missing = [name for name in REQUIRED_COLUMNS[: 3 if long else 1] if name not in sheet.columns]
    if missing:
        yield table_warning("judgement-file", f"no column {', '.join(missing)}", Span(path), _HELP)
        return
    yield from sheet.doubts
    for row in sheet.rows:
        yield from (row,) if isinstance(row, Diagnostic) else _parse(row, judges)


def _parse(row: Row, judges: list[str]) -> Iterator[_JudgedCells | Diagnostic]:
    cells = row.cells
    judged = _JudgedCells(cells.get("edge", ""), row.span, [], [])
    labels = [(name, cells[name]) for name in judges if name in cells]
    wide = bool(labels)
    empty = [name for name in REQUIRED_COLUMNS if name not in cells]
    if not judged.edge or (empty and not (wide and len(empty) == 2)):
        yield table_warning("judgement-row", f"{', '.join(empty)} is empty", row.span, _HELP)
        return
    try:
        date = dt.date.fromisoformat(cells["date"]) if "date" in cells else None
    except ValueError:
        text = f"date {cells['date']!r} is not YYYY-MM-DD"
        yield table_warning("judgement-row", text, row.span, _HELP)
        return
    if not empty:
        labels.insert(0, (_judge(cells["annotator"]), cells["label"]))
    for name, cell in labels:
        if not _take(judged, name, cell, date, cells.get("note", "")):
            whose = f" of {name}" if wide else ""
            text = f"label {cell!r}{whose} is not one of ours"
            yield table_warning("judgement-row", text, row.span, _HELP)
    if judged.people or judged.models:
        yield judged


def _judge(annotator: str) -> str:
    """The column that would hold an annotator's labels; a model's where the name says so."""
    column = parse_column_name(annotator)
    is_model = column.startswith(MODEL_PREFIX) and judge_of(column)
    return column if is_model else PERSON_PREFIX + annotator


def _take(judged: _JudgedCells, name: str, cell: str, date: dt.date | None, note: str) -> bool:
    """Take down what somebody's cell says; false where it says nothing of ours."""
    who, label = judge_of(name), parse_label(cell)
    if name.startswith(MODEL_PREFIX):
        shares = parse_shares(cell)
        judged.models.extend([] if shares is None else [(who, shares)])
        return shares is not None
    if label is not None:
        found = Judgement(
            edge=judged.edge, annotator=who, label=label, span=judged.span, date=date, note=note
        )
        judged.people.append(found)
    return label is not None


def _unknown(judged: _JudgedCells, known: Collection[str]) -> Diagnostic:
    close = " or ".join(f"`{name}`" for name in nearest_names(judged.edge, known))
    hint = (
        f"did you mean {close}?" if close else "`kg find edges --format ids` lists those there are"
    )
    text = f"no edge {judged.edge!r} in the corpus"
    return table_warning("judged-edge-unknown", text, judged.span, hint)


def _repeated(before: Judgement, after: Judgement) -> Diagnostic:
    return Diagnostic(
        rule="judged-twice",
        severity=Severity.INFO,
        message=f"{before.annotator} judges {before.edge} again later; the later label counts",
        span=before.span,
        related=(after.span,),
    )


def label_counts(rows: Iterable[Judgement]) -> Mapping[EdgeId, tuple[int, int, int]]:
    """Per edge, how many say supports, contradicts and neutral."""
    tally: defaultdict[EdgeId, Counter[EdgeLabel]] = defaultdict(Counter)
    for row in rows:
        tally[row.edge][row.label] += 1
    return {
        edge: (n[EdgeLabel.SUPPORTS], n[EdgeLabel.CONTRADICTS], n[EdgeLabel.NEUTRAL])
        for edge, n in tally.items()
    }


class Direction(Value, frozen=True):
    """The share that says supports less the share that says contradicts, and how many judged."""

    value: float
    judges: int


def directions(rows: Iterable[Judgement]) -> Mapping[EdgeId, Direction]:
    """The direction of each judged edge, -1 to 1."""
    return {
        edge: Direction(value=(n[0] - n[1]) / sum(n), judges=sum(n))
        for edge, n in label_counts(rows).items()
    }
