"""Rows and cells of CSV, none of which a spreadsheet would run as a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

# The full-width signs are from Japanese keyboards; some spreadsheets read them as the usual ones.
# Signs that are not seen may be dropped by what reads the table, so they hide no beginning.
_UNSEEN = r"[\s\x00-\x1f\x7f-\x9f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
_FORMULA = re.compile(rf"[\t\r\n]|{_UNSEEN}*[=+@＝＋－＠-]")


def render_csv_rows(names: Iterable[str], rows: Iterable[Iterable[str]], end: str = "\r\n") -> str:
    """Rows as CSV, with cells that are not escaped as formulas."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator=end)
    writer.writerow(names)
    writer.writerows(rows)
    return buffer.getvalue()


def escape_formula(text: str) -> str:
    """Text that no spreadsheet reads as a formula: an apostrophe is put before text that begins
    like one, even after spaces.
    """
    return "'" + text if _FORMULA.match(text) else text


def unescape_formula(text: str) -> str:
    """A cell of a table as it was before `escape_formula` put `'` in front: `=A1` of `'=A1`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text


def csv_columns(columns: Mapping[str, Sequence[object]]) -> str:
    """Columns of values as CSV."""
    rows = zip(*columns.values(), strict=True)
    return render_csv_rows(columns, (map(csv_cell, row) for row in rows), "\n")


def csv_cell(value: object) -> str:
    """A value as a CSV cell, never cut; the items of a list are joined by `; `."""
    if value is None:
        return ""
    if isinstance(value, tuple | list):
        return escape_formula("; ".join(map(csv_cell, value)))
    if isinstance(value, dict):
        return escape_formula(
            ", ".join(f"{name}: {csv_cell(each)}" for name, each in value.items())
        )
    return str(value) if isinstance(value, int | float) else escape_formula(str(value))
