"""What `judgements/*.csv` say about edges: labels of people, which weigh, and of models."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kg.corpus import Corpus
from kg.files.read import Place
from kg.model import Diagnostic, EdgeId, Severity, Span, Value
from kg.model.spelling import nearest
from kg.notes.discover import JUDGEMENTS, list_judgements
from kg.reasoning.network.sheets import (
    LABELS,
    MODEL,
    PERSON,
    Label,
    Row,
    Shares,
    column_of,
    label_of,
    named,
    problem,
    read_sheet,
    shares_of,
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
    """One annotator's label of one edge."""

    edge: EdgeId
    annotator: str
    label: Label
    span: Span
    date: dt.date | None = None
    note: str = ""


class Judgements(Value, frozen=True):
    """What people say, in reading order, what models say, by name, and what cannot be read.

    Only what people say is weighed.
    """

    rows: tuple[Judgement, ...] = ()
    models: dict[str, Model] = {}
    diagnostics: tuple[Diagnostic, ...] = ()


class _Said(NamedTuple):
    """What one row says: labels of people, and samples of models."""

    edge: EdgeId
    span: Span
    people: list[Judgement]
    models: list[tuple[str, Shares]]


def load_judgements(folder: Place, edges: Collection[EdgeId] | None = None) -> Judgements:
    """Judgements in `folder`/judgements/*.csv: a row per label, or a column per judge, or both.

    What cannot be read becomes a diagnostic, never an exception. With `edges`, the ids
    that exist, rows about others are reported. The later of two labels by one annotator of
    one edge counts, and the first is reported; what a model says of one edge in several
    rows adds up to its shares.
    """
    known = None if edges is None else frozenset(edges)
    kept: dict[tuple[EdgeId, str], Judgement] = {}
    samples: defaultdict[str, dict[EdgeId, Shares]] = defaultdict(dict)
    problems: list[Diagnostic] = []
    for file in list_judgements(folder):
        for said in _read(folder, f"{JUDGEMENTS}/{file.name}"):
            if isinstance(said, Diagnostic):
                problems.append(said)
            elif known is not None and said.edge not in known:
                problems.append(_unknown(said, known))
            else:
                problems += _keep(kept, said.people)
                for name, shares in said.models:
                    add(samples[name], said.edge, shares)
    models = {name: normal(samples[name]) for name in sorted(samples)}
    return Judgements(rows=tuple(kept.values()), models=models, diagnostics=tuple(problems))


def judgements_of(corpus: Corpus) -> Judgements:
    """The judgements beside the notes of `corpus`, read once; none where it has no folder."""
    return corpus.derive(_of_folder)


def _of_folder(corpus: Corpus) -> Judgements:
    return Judgements() if corpus.folder is None else load_judgements(corpus.folder, corpus.edge)


def add(model: dict[EdgeId, Shares], edge: EdgeId, shares: Shares) -> None:
    """Count one more sample of what a model says of an edge."""
    a, b, c = model.get(edge, (0.0, 0.0, 0.0))
    model[edge] = (a + shares[0], b + shares[1], c + shares[2])


def normal(model: Mapping[EdgeId, Shares]) -> Model:
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


def _read(folder: Place, path: str) -> Iterator[_Said | Diagnostic]:
    sheet = read_sheet(Path(folder) / path, path, COLUMNS, folder)
    if isinstance(sheet, Diagnostic):
        yield sheet
        return
    judges = [name for name in sheet.columns if named(name)]
    long = not judges or not {"annotator", "label"}.isdisjoint(sheet.columns)
    missing = [name for name in NEEDED[: 3 if long else 1] if name not in sheet.columns]
    if missing:
        yield problem("judgement-file", f"no column {', '.join(missing)}", Span(path), _HELP)
        return
    yield from sheet.doubts
    for row in sheet.rows:
        yield from (row,) if isinstance(row, Diagnostic) else _parse(row, judges)


def _parse(row: Row, judges: list[str]) -> Iterator[_Said | Diagnostic]:
    cells = row.cells
    said = _Said(cells.get("edge", ""), row.span, [], [])
    labels = [(name, cells[name]) for name in judges if name in cells]
    wide = bool(labels)
    empty = [name for name in NEEDED if name not in cells]
    if not said.edge or (empty and not (wide and len(empty) == 2)):
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
        if not _take(said, name, cell, date, cells.get("note", "")):
            whose = f" of {name}" if wide else ""
            text = f"label {cell!r}{whose} is not one of ours"
            yield problem("judgement-row", text, row.span, _HELP)
    if said.people or said.models:
        yield said


def _judge(annotator: str) -> str:
    """The column that would hold an annotator's labels; a model's where the name says so."""
    column = column_of(annotator)
    return column if column.startswith(MODEL) and named(column) else PERSON + annotator


def _take(said: _Said, name: str, cell: str, date: dt.date | None, note: str) -> bool:
    """Take down what somebody's cell says; false where it says nothing of ours."""
    who, label = named(name), label_of(cell)
    if name.startswith(MODEL):
        shares = shares_of(cell)
        said.models.extend([] if shares is None else [(who, shares)])
        return shares is not None
    if label is not None:
        found = Judgement(
            edge=said.edge, annotator=who, label=label, span=said.span, date=date, note=note
        )
        said.people.append(found)
    return label is not None


def _unknown(said: _Said, known: Collection[str]) -> Diagnostic:
    close = " or ".join(f"`{name}`" for name in nearest(said.edge, known))
    hint = (
        f"did you mean {close}?" if close else "`kg find edges --format ids` lists those there are"
    )
    text = f"no edge {said.edge!r} in the corpus"
    return problem("judged-edge-unknown", text, said.span, hint)


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
    tally: defaultdict[EdgeId, Counter[Label]] = defaultdict(Counter)
    for row in rows:
        tally[row.edge][row.label] += 1
    return {
        edge: (n[Label.SUPPORTS], n[Label.CONTRADICTS], n[Label.NEUTRAL])
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
