"""Read tables of what models say of edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from kg.judgements.edge_labels import Model, add_shares, as_proportions
from kg.judgements.label_table import (
    LABELS,
    MODEL_PREFIX,
    LabelAmounts,
    LabelRow,
    annotator_of,
    label_table_problem,
    one_hot,
    parse_count,
    parse_label,
    parse_shares,
    read_label_table,
)
from kg.model import Diagnostic, EdgeId, Span

MODEL_COLUMNS = ("edge", "label", *LABELS, "date", "note")


def load_models(file: Path) -> tuple[dict[str, Model], tuple[Diagnostic, ...]]:
    """Labels by model name, from columns edge and `model:NAME`, one for each model.

    A file may also hold one model, named after the file: columns edge and label (a row per
    sample), or edge, supports, contradicts, neutral (shares). What cannot be read becomes a
    diagnostic.

    `reasoning.load_models(Path("models.csv"))`
    """
    sheet = read_label_table(file, file.name, MODEL_COLUMNS)
    if isinstance(sheet, Diagnostic):
        return {}, (sheet,)
    names = [name for name in sheet.columns if name.startswith(MODEL_PREFIX)]
    if "edge" not in sheet.columns or len(sheet.columns) < 2:
        text = "no column edge with a column of labels beside it"
        return {}, (label_table_problem("judgement-file", text, Span(file.name)),)
    problems = list(sheet.warnings)
    models = dict[str, dict[EdgeId, LabelAmounts]]()
    for row in sheet.rows:
        if isinstance(row, Diagnostic):
            problems.append(row)
            continue
        shares_by_model = _parse_row(row, names, file.stem)
        edge = row.cells.get("edge")
        if not edge or not shares_by_model or None in shares_by_model.values():
            problems.append(
                label_table_problem("judgement-row", "no edge, or no valid label", row.span)
            )
        for name, shares in shares_by_model.items():
            if edge and shares is not None:
                add_shares(models.setdefault(name, {}), edge, shares)
    return {name: as_proportions(models[name]) for name in sorted(models)}, tuple(problems)


def holds_one_model(file: Path) -> bool:
    """Return whether a file holds a single model, without columns called `model:NAME`."""
    sheet = read_label_table(file, file.name, MODEL_COLUMNS)
    return isinstance(sheet, Diagnostic) or not any(map(annotator_of, sheet.columns))


def _parse_row(
    row: LabelRow, names: Sequence[str], model_name: str
) -> Mapping[str, LabelAmounts | None]:
    """The shares in a row by model; `None` for a cell that is not valid."""
    if names:
        return {
            annotator_of(name): parse_shares(row.cells[name]) for name in names if name in row.cells
        }
    if "label" in row.cells:
        label = parse_label(row.cells["label"])
        return {model_name: None if label is None else one_hot(label)}
    a, b, c = (parse_count(row.cells.get(name, "")) for name in LABELS)
    has_amounts = a is not None and b is not None and c is not None and a + b + c > 0.0
    return {model_name: (a, b, c) if has_amounts else None}  # type: ignore[dict-item]
