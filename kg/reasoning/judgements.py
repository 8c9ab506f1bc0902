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
from kg.files.read import Place, read_file, read_input
from kg.model import Diagnostic, EdgeId, Severity, Span, Value
from kg.model.spelling import nearest
from kg.notes.discover import JUDGEMENTS, list_judgements

PERSON, MODEL = "annotator:", "model:"
LARGEST_FILE = 64 * 1024 * 1024
MOST = 1e9  # of one label in one cell: sums of what people write stay finite


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
    file: Path | bytes, path: str, known: Collection[str], within: Place | None = None
) -> LabelTable | Diagnostic:
    """The table in `file`, or with this content, called `path` in diagnostics.

    A file of a corpus is read only if it stands `within` its folder. `known` are the plain columns
    it may have, beside those called `annotator:NAME` and `model:NAME`. Any other is in doubt, and
    left out; a row with more cells than there are columns is a problem. The rows are read as
    they are asked for. A file that cannot be read is a diagnostic.
    """
    try:
        if isinstance(file, Path):
            most = LARGEST_FILE
            file = read_input(file, most, within) if within else read_file(file, most)
        lines = csv.reader(io.StringIO(file.decode("utf-8-sig")))
        header = [column_of(name) for name in next(lines, [])]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        return problem("judgement-file", f"cannot be read: {why}", Span(path))
    kept = {name: at for at, name in enumerate(header) if name in known or judge_of(name)}
    first = {name: header.index(name) for name in kept}
    doubts = tuple(_strange(header, Span(path), known))
    return LabelTable(tuple(first), doubts, _rows(lines, first, len(header), path))


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
                cut = ((name, cells[at].strip()) for name, at in places.items() if at < len(cells))
                yield Row(span, {name: cell for name, cell in cut if cell})
    except csv.Error as error:
        text = f"cannot be read from here on: {error}"
        yield problem("judgement-file", text, Span(path, lines.line_num))


def column_of(written: str) -> str:
    """A column's name without its blanks; all but what somebody is called in small letters."""
    head, colon, name = written.strip().partition(":")
    return f"{head.strip().casefold()}:{name.strip()}" if colon else head.casefold()


def judge_of(column: str) -> str:
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
        elif name not in known and not judge_of(name):
            close = nearest(name, known)
            hint = f"did you mean {' or '.join(f'`{each}`' for each in close)}?" if close else ""
            text = f"column {name!r} is none of ours, and is not read"
            yield problem("judgement-column", text, span, hint or _called(name.strip(":")))


def _called(name: str) -> str:
    return f"a model's labels stand in `{MODEL}{name}`, a person's in `{PERSON}{name}`"


def label_of(written: str) -> EdgeLabel | None:
    """The label that a cell names, in any case; `None` where it names none."""
    folded = written.casefold()
    return EdgeLabel(folded) if folded in _PLACES else None


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


def one_hot(label: EdgeLabel) -> Shares:
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


COLUMNS = ("edge", "annotator", "label", "date", "note")
NEEDED = ("edge", "annotator", "label")
_HELP = (
    f"columns: {', '.join(COLUMNS)}, or edge and `{PERSON}NAME`, `{MODEL}NAME`; "
    f"labels: {', '.join(LABELS)}"
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


def load_judgements(
    folder: Place, edges: Collection[EdgeId] | None = None, unwritten: Mapping[str, bytes] = {}
) -> Judgements:
    """Judgements in `folder`/judgements/*.csv: a row per label, or a column per judge, or both.

    What cannot be read becomes a diagnostic, never an exception. `unwritten` are contents that
    count in the place of what the files hold. With `edges`, the ids that exist, rows about others
    are reported. The later of two labels by one annotator of one edge counts, and the first is
    reported; what a model says of one edge in several rows adds up to its shares.

    `reasoning.load_judgements(Path("notes"))`
    """
    known = None if edges is None else frozenset(edges)
    kept: dict[tuple[EdgeId, str], Judgement] = {}
    samples: defaultdict[str, dict[EdgeId, Shares]] = defaultdict(dict)
    problems: list[Diagnostic] = []
    for file in list_judgements(folder):
        path = f"{JUDGEMENTS}/{file.name}"
        for judged in _read(folder, path, unwritten.get(path, file)):
            if isinstance(judged, Diagnostic):
                problems.append(judged)
            elif known is not None and judged.edge not in known:
                problems.append(_unknown(judged, known))
            else:
                problems += _keep(kept, judged.people)
                for name, shares in judged.models:
                    add_shares(samples[name], judged.edge, shares)
    models = {name: normalised(samples[name]) for name in sorted(samples)}
    return Judgements(rows=tuple(kept.values()), models=models, diagnostics=tuple(problems))


def judgements_of(corpus: Corpus) -> Judgements:
    """The judgements beside the notes of `corpus`, read once; none where it has no folder.

    `reasoning.judgements_of(corpus).rows`
    """
    return corpus.derive(_of_folder)


def _of_folder(corpus: Corpus) -> Judgements:
    here = corpus.folder
    return load_judgements(here, corpus.edge, corpus.unwritten) if here else Judgements()


def add_shares(model: dict[EdgeId, Shares], edge: EdgeId, shares: Shares) -> None:
    """Count one more sample of what a model says of an edge."""
    a, b, c = model.get(edge, (0.0, 0.0, 0.0))
    model[edge] = (a + shares[0], b + shares[1], c + shares[2])


def normalised(model: Mapping[EdgeId, Shares]) -> Model:
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


def _read(folder: Place, path: str, file: Path | bytes) -> Iterator[_JudgedCells | Diagnostic]:
    sheet = read_label_table(file, path, COLUMNS, folder)
    if isinstance(sheet, Diagnostic):
        yield sheet
        return
    judges = [name for name in sheet.columns if judge_of(name)]
    long = not judges or not {"annotator", "label"}.isdisjoint(sheet.columns)
    missing = [name for name in NEEDED[: 3 if long else 1] if name not in sheet.columns]
    if missing:
        yield problem("judgement-file", f"no column {', '.join(missing)}", Span(path), _HELP)
        return
    yield from sheet.doubts
    for row in sheet.rows:
        yield from (row,) if isinstance(row, Diagnostic) else _parse(row, judges)


def _parse(row: Row, judges: list[str]) -> Iterator[_JudgedCells | Diagnostic]:
    cells = row.cells
    judged = _JudgedCells(cells.get("edge", ""), row.span, [], [])
    labels = [(name, cells[name]) for name in judges if name in cells]
    wide = bool(labels)
    empty = [name for name in NEEDED if name not in cells]
    if not judged.edge or (empty and not (wide and len(empty) == 2)):
        yield problem("judgement-row", f"{', '.join(empty)} is empty", row.span, _HELP)
        return
    try:
        date = dt.date.fromisoformat(cells["date"]) if "date" in cells else None
    except ValueError:
        text = f"date {cells['date']!r} is not YYYY-MM-DD"
        yield problem("judgement-row", text, row.span, _HELP)
        return
    if not empty:
        labels.insert(0, (_judge(cells["annotator"]), cells["label"]))
    for name, cell in labels:
        if not _take(judged, name, cell, date, cells.get("note", "")):
            whose = f" of {name}" if wide else ""
            text = f"label {cell!r}{whose} is not one of ours"
            yield problem("judgement-row", text, row.span, _HELP)
    if judged.people or judged.models:
        yield judged


def _judge(annotator: str) -> str:
    """The column that would hold an annotator's labels; a model's where the name says so."""
    column = column_of(annotator)
    return column if column.startswith(MODEL) and judge_of(column) else PERSON + annotator


def _take(judged: _JudgedCells, name: str, cell: str, date: dt.date | None, note: str) -> bool:
    """Take down what somebody's cell says; false where it says nothing of ours."""
    who, label = judge_of(name), label_of(cell)
    if name.startswith(MODEL):
        shares = shares_of(cell)
        judged.models.extend([] if shares is None else [(who, shares)])
        return shares is not None
    if label is not None:
        found = Judgement(
            edge=judged.edge, annotator=who, label=label, span=judged.span, date=date, note=note
        )
        judged.people.append(found)
    return label is not None


def _unknown(judged: _JudgedCells, known: Collection[str]) -> Diagnostic:
    close = " or ".join(f"`{name}`" for name in nearest(judged.edge, known))
    hint = (
        f"did you mean {close}?" if close else "`kg find edges --format ids` lists those there are"
    )
    text = f"no edge {judged.edge!r} in the corpus"
    return problem("judged-edge-unknown", text, judged.span, hint)


def _repeated(before: Judgement, after: Judgement) -> Diagnostic:
    return Diagnostic(
        rule="judged-twice",
        severity=Severity.INFO,
        message=f"{before.annotator} judges {before.edge} again later; the later label counts",
        span=before.span,
        related=(after.span,),
    )


def counts(rows: Iterable[Judgement]) -> Mapping[EdgeId, tuple[int, int, int]]:
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
        for edge, n in counts(rows).items()
    }
