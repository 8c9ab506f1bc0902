"""Edge labels in `judgements/*.csv`: by people, which set weights, and by models, which do not."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from kg.corpus import Corpus
from kg.corpus.record_file import DamagedRecords
from kg.files.cache_files import CacheEntry, read_sealed_as, write_sealed
from kg.files.read_files import StrPath
from kg.judgements.label_table import (
    LABELS,
    MODEL_PREFIX,
    PERSON_PREFIX,
    EdgeLabel,
    LabelAmounts,
    LabelRow,
    annotator_of,
    label_table_problem,
    parse_column_name,
    parse_label,
    parse_shares,
    read_label_table,
)
from kg.model import Diagnostic, EdgeId, Severity, Span, Value
from kg.notes.note_listing import JUDGEMENTS_FOLDER, list_judgements
from kg.runtime.memoize import memoize
from kg.text.spelling import BoundedNameSearch, similar_names

JUDGEMENT_COLUMNS = ("edge", "annotator", "label", "date", "note")
REQUIRED_COLUMNS = ("edge", "annotator", "label")
_HELP = (
    f"columns: {', '.join(JUDGEMENT_COLUMNS)}, "
    f"or edge and `{PERSON_PREFIX}NAME`, `{MODEL_PREFIX}NAME`; labels: {', '.join(LABELS)}"
)

_STORED_KIND = "judgements 1"

# Per edge, the share a model gives to supports, contradicts, neutral.
Model = Mapping[EdgeId, LabelAmounts]


class Judgement(Value, frozen=True):
    """One annotator's label of one edge: `str(judgements.rows[0].label)`."""

    edge: EdgeId
    annotator: str
    label: EdgeLabel
    span: Span
    date: dt.date | None = None
    note: str = ""


class Judgements(Value, frozen=True):
    """People's labels in reading order, models' shares by name, and what cannot be read.

    Only people's labels are weighed.

    `reasoning.judgements_of(corpus)`
    """

    rows: tuple[Judgement, ...] = ()
    models: dict[str, Model] = {}
    diagnostics: tuple[Diagnostic, ...] = ()


class _JudgedCells(NamedTuple):
    """The content of one row: labels by people, and samples of models."""

    edge: EdgeId
    span: Span
    people: list[Judgement]
    models: list[tuple[str, LabelAmounts]]


def load_judgements(
    folder: StrPath, edges: Collection[EdgeId] | None = None, unwritten: Mapping[str, bytes] = {}
) -> Judgements:
    """Judgements in `folder`/judgements/*.csv: a row per label, or a column per annotator, or both.

    What cannot be read becomes a diagnostic, never an exception. `unwritten` maps paths to
    contents that replace those of files. With `edges`, the ids that exist, rows about others are
    reported. If an annotator labels an edge twice, the later label counts and the earlier is
    reported; a model's labels of one edge in several rows are added up.

    `reasoning.load_judgements(Path("notes"))`
    """
    edge_ids = None if edges is None else frozenset(edges)
    name_search = BoundedNameSearch(
        partial(similar_names, candidates=edge_ids or ()), len(edge_ids or ())
    )
    by_edge_and_annotator: dict[tuple[EdgeId, str], Judgement] = {}
    samples: defaultdict[str, dict[EdgeId, LabelAmounts]] = defaultdict(dict)
    problems: list[Diagnostic] = []
    for file in list_judgements(folder):
        path = f"{JUDGEMENTS_FOLDER}/{file.name}"
        for cells in _read_judgements(folder, path, unwritten.get(path, file)):
            if isinstance(cells, Diagnostic):
                problems.append(cells)
            elif edge_ids is not None and cells.edge not in edge_ids:
                problems.append(_unknown_edge_problem(cells, name_search))
            else:
                problems += _add_judgements(by_edge_and_annotator, cells.people)
                for name, label_counts in cells.models:
                    add_shares(samples[name], cells.edge, label_counts)
    models = {name: as_proportions(samples[name]) for name in sorted(samples)}
    return Judgements(
        rows=tuple(by_edge_and_annotator.values()), models=models, diagnostics=tuple(problems)
    )


@memoize
def judgements_of(corpus: Corpus) -> Judgements:
    """The judgements beside the notes of `corpus`, read once; none if it has no folder.

    `reasoning.judgements_of(corpus).rows`
    """
    if corpus.provenance.record_file is not None:
        return _read_stored_judgements(corpus.provenance.record_file)
    if corpus.folder is None:
        return Judgements()
    return load_judgements(corpus.folder, corpus.edges_by_id, corpus.unwritten)


def store_judgements(corpus: Corpus, judgements: Judgements) -> None:
    """Keep judgements beside the file that a corpus is read from."""
    if (place := corpus.provenance.record_file) is not None:
        payload = msgspec.msgpack.encode(judgements)
        write_sealed(_file_beside(place), _STORED_KIND, payload, place.fingerprint)


def _read_stored_judgements(place: CacheEntry) -> Judgements:
    decode = msgspec.msgpack.Decoder(Judgements).decode
    file = _file_beside(place)
    judgements = read_sealed_as(file, _STORED_KIND, decode, place.fingerprint)
    if judgements is None:  # without them, strengths might be others
        raise DamagedRecords(f"{file} is missing or damaged: store the notes again")
    return judgements


def _file_beside(place: CacheEntry) -> Path:
    return place.file.with_suffix(".judgements")


def add_shares(sums: dict[EdgeId, LabelAmounts], edge: EdgeId, label_counts: LabelAmounts) -> None:
    """Add a sample of a model's labels of an edge."""
    a, b, c = sums.get(edge, (0.0, 0.0, 0.0))
    sums[edge] = (a + label_counts[0], b + label_counts[1], c + label_counts[2])


def as_proportions(sums: Mapping[EdgeId, LabelAmounts]) -> Model:
    """Samples as shares that sum to 1."""
    return {
        edge: (a / (a + b + c), b / (a + b + c), c / (a + b + c))
        for edge, (a, b, c) in sums.items()
    }


def _add_judgements(
    by_edge_and_annotator: dict[tuple[EdgeId, str], Judgement], judgements: Iterable[Judgement]
) -> Iterator[Diagnostic]:
    for judgement in judgements:
        previous_judgement = by_edge_and_annotator.pop((judgement.edge, judgement.annotator), None)
        if previous_judgement is not None:
            yield _judged_twice_problem(previous_judgement, judgement)
        by_edge_and_annotator[(judgement.edge, judgement.annotator)] = judgement


def _read_judgements(
    folder: StrPath, path: str, file: Path | bytes
) -> Iterator[_JudgedCells | Diagnostic]:
    sheet = read_label_table(file, path, JUDGEMENT_COLUMNS, folder)
    if isinstance(sheet, Diagnostic):
        yield sheet
        return
    annotators = [name for name in sheet.columns if annotator_of(name)]
    long = not annotators or not {"annotator", "label"}.isdisjoint(sheet.columns)
    missing = [name for name in REQUIRED_COLUMNS[: 3 if long else 1] if name not in sheet.columns]
    if missing:
        yield label_table_problem(
            "judgement-file", f"no column {', '.join(missing)}", Span(path), _HELP
        )
        return
    yield from sheet.warnings
    for row in sheet.rows:
        yield from (row,) if isinstance(row, Diagnostic) else _parse_row(row, annotators)


def _parse_row(row: LabelRow, annotators: list[str]) -> Iterator[_JudgedCells | Diagnostic]:
    cells = row.cells
    judged = _JudgedCells(cells.get("edge", ""), row.span, [], [])
    labels = [(name, cells[name]) for name in annotators if name in cells]
    empty = [name for name in REQUIRED_COLUMNS if name not in cells]
    # a row gives annotator and label in two columns, or has a column for each annotator, or both
    judged_in_columns = bool(labels) and empty == ["annotator", "label"]
    if not judged.edge or (empty and not judged_in_columns):
        yield label_table_problem("judgement-row", f"{', '.join(empty)} is empty", row.span, _HELP)
        return
    try:
        date = dt.date.fromisoformat(cells["date"]) if "date" in cells else None
    except ValueError:
        text = f"date {cells['date']!r} is not YYYY-MM-DD"
        yield label_table_problem("judgement-row", text, row.span, _HELP)
        return
    if not empty:
        labels.insert(0, (_column_of_annotator(cells["annotator"]), cells["label"]))
    for name, cell in labels:
        if not _add_label(judged, name, cell, date, cells.get("note", "")):
            whose = f" of {name}" if annotators else ""
            text = f"label {cell!r}{whose} is not valid"
            yield label_table_problem("judgement-row", text, row.span, _HELP)
    if judged.people or judged.models:
        yield judged


def _column_of_annotator(annotator: str) -> str:
    """The column for an annotator's labels; that of a model if the name has its prefix."""
    column = parse_column_name(annotator)
    is_model = column.startswith(MODEL_PREFIX) and annotator_of(column)
    return column if is_model else PERSON_PREFIX + annotator


def _add_label(judged: _JudgedCells, name: str, cell: str, date: dt.date | None, note: str) -> bool:
    """Record the label in an annotator's cell; False if it is not a valid one."""
    annotator = annotator_of(name)
    label = parse_label(cell)
    if name.startswith(MODEL_PREFIX):
        label_counts = parse_shares(cell)
        judged.models.extend([] if label_counts is None else [(annotator, label_counts)])
        return label_counts is not None
    if label is not None:
        judgement = Judgement(
            edge=judged.edge,
            annotator=annotator,
            label=label,
            span=judged.span,
            date=date,
            note=note,
        )
        judged.people.append(judgement)
    return label is not None


def _unknown_edge_problem(cells: _JudgedCells, name_search: BoundedNameSearch) -> Diagnostic:
    close = " or ".join(f"`{name}`" for name in name_search.nearest(cells.edge) or ())
    hint = f"did you mean {close}?" if close else "`kg find edges --format ids` lists the edges"
    text = f"no edge {cells.edge!r} in the corpus"
    return label_table_problem("judged-edge-unknown", text, cells.span, hint)


def _judged_twice_problem(earlier: Judgement, later: Judgement) -> Diagnostic:
    return Diagnostic(
        rule="judged-twice",
        severity=Severity.INFO,
        message=f"{earlier.annotator} judges {earlier.edge} again later; the later label counts",
        span=earlier.span,
        related=(later.span,),
    )


def label_counts(rows: Iterable[Judgement]) -> Mapping[EdgeId, tuple[int, int, int]]:
    """Count for each edge how many say supports, contradicts and neutral."""
    tally: defaultdict[EdgeId, Counter[EdgeLabel]] = defaultdict(Counter)
    for row in rows:
        tally[row.edge][row.label] += 1
    return {
        edge: (n[EdgeLabel.SUPPORTS], n[EdgeLabel.CONTRADICTS], n[EdgeLabel.NEUTRAL])
        for edge, n in tally.items()
    }


class Direction(Value, frozen=True):
    """The share of supports minus the share of contradicts, and the number of annotators."""

    value: float
    annotators: int


def directions_by_edge(rows: Iterable[Judgement]) -> Mapping[EdgeId, Direction]:
    """The direction of each judged edge, -1 to 1."""
    return {
        edge: Direction(value=(n[0] - n[1]) / sum(n), annotators=sum(n))
        for edge, n in label_counts(rows).items()
    }
