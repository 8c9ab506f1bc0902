"""What annotators say about edges: rows from `judgements/*.csv`, and the weights they give."""

from __future__ import annotations

import csv
import datetime as dt
import enum
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kg.corpus import Corpus, nearest
from kg.files.read import read_input
from kg.model import Diagnostic, EdgeId, Severity, Span, Value
from kg.notes.discover import JUDGEMENTS, list_judgements

LARGEST = 64 * 1024 * 1024
COLUMNS = ("edge", "annotator", "label", "date", "note")
NEEDED = ("edge", "annotator", "label")


class Label(enum.StrEnum):
    """What an annotator may say that an edge's source does to its target."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEUTRAL = "neutral"


LABELS = tuple(Label)


class Judgement(Value, frozen=True):
    """One annotator's label of one edge."""

    edge: EdgeId
    annotator: str
    label: Label
    span: Span
    date: dt.date | None = None
    note: str = ""


class Judgements(Value, frozen=True):
    """The rows read, in reading order, and the problems with those that were not."""

    rows: tuple[Judgement, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def load_judgements(folder: Path, edges: Iterable[EdgeId] | None = None) -> Judgements:
    """Judgements in `folder`/judgements/*.csv; columns edge, annotator, label, date, note.

    A row that cannot be read becomes a diagnostic, never an exception. With `edges`, the ids
    that exist, rows about others are reported. The later of two rows by one annotator about
    one edge counts, and the first is reported.
    """
    known = None if edges is None else frozenset(edges)
    kept: dict[tuple[EdgeId, str], Judgement] = {}
    problems: list[Diagnostic] = []
    for file in list_judgements(folder):
        for found in _read(folder, f"{JUDGEMENTS}/{file.name}"):
            if isinstance(found, Diagnostic):
                problems.append(found)
            elif known is not None and found.edge not in known:
                message = f"no edge {found.edge!r} in the corpus"
                close = " or ".join(f"`{name}`" for name in nearest(found.edge, known))
                hint = (
                    f"did you mean {close}?"
                    if close
                    else "`kg find edges --format ids` lists those there are"
                )
                problems.append(_problem("judged-edge-unknown", message, found.span, hint))
            else:
                before = kept.pop((found.edge, found.annotator), None)
                if before is not None:
                    problems.append(_repeated(before, found))
                kept[(found.edge, found.annotator)] = found
    return Judgements(rows=tuple(kept.values()), diagnostics=tuple(problems))


def judgements_of(corpus: Corpus) -> Judgements:
    """The judgements beside the notes of `corpus`, read once; none where it has no folder."""
    kept: Judgements | None = vars(corpus).get("_judgements")
    if kept is None:
        folder = corpus.folder
        kept = Judgements() if folder is None else load_judgements(folder, corpus.edge)
        vars(corpus)["_judgements"] = kept
    return kept


def _read(folder: Path, path: str) -> Iterator[Judgement | Diagnostic]:
    try:
        text = read_input(folder / path, LARGEST, folder).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        yield _problem("judgement-file", f"cannot be read: {why}", Span(path))
        return
    reader = csv.DictReader(text.splitlines())
    try:
        missing = [name for name in NEEDED if name not in (reader.fieldnames or ())]
        if missing:
            yield _problem("judgement-file", f"no column {', '.join(missing)}", Span(path))
            return
        for row in reader:
            yield _parse(row, Span(path, reader.line_num))
    except csv.Error as error:
        message = f"cannot be read on: {error}"
        yield _problem("judgement-file", message, Span(path, reader.line_num + 1))


def _parse(row: Mapping[str, str | None], span: Span) -> Judgement | Diagnostic:
    said = {name: (row.get(name) or "").strip() for name in COLUMNS}
    empty = [name for name in NEEDED if not said[name]]
    if empty:
        return _problem("judgement-row", f"{', '.join(empty)} is empty", span)
    label = said["label"].casefold()
    if label not in set(LABELS):
        return _problem("judgement-row", f"label {said['label']!r} is not one of ours", span)
    try:
        date = dt.date.fromisoformat(said["date"]) if said["date"] else None
    except ValueError:
        return _problem("judgement-row", f"date {said['date']!r} is not YYYY-MM-DD", span)
    return Judgement(
        edge=said["edge"],
        annotator=said["annotator"],
        label=Label(label),
        span=span,
        date=date,
        note=said["note"],
    )


def _problem(rule: str, message: str, span: Span, hint: str = "") -> Diagnostic:
    return Diagnostic(
        rule=rule,
        severity=Severity.WARNING,
        message=message,
        span=span,
        help=hint or f"columns: {', '.join(COLUMNS)}; labels: {', '.join(LABELS)}",
    )


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
