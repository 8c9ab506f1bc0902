"""The table of lines under conventions, computed anew. `UPDATE_SPECS=1` writes it."""

from __future__ import annotations

import os
from pathlib import Path

from kg.reasoning import robustness
from kg.reasoning.answers.robustness import Robustness
from kg.report import Table, markdown_table
from tests.support.own import own_reading

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "conventions.md"


def cell(word: str, strength: float | None) -> str:
    return word if strength is None else f"{word} {strength:.2f}"


def computed() -> str:
    """A row per convention, a column per line; the first row is what is in force."""
    reading = own_reading()
    found = {id: robustness(reading, id, 1) for id in reading.corpus.lines}
    weighed = {id: one for id, one in found.items() if isinstance(one, Robustness)}
    columns = list(weighed.values())
    rows = [("as it is", *(cell(one.word, one.strength) for one in columns))]
    for each in zip(*(one.conventions for one in columns), strict=True):
        assert len({one.convention for one in each}) == 1
        rows.append((each[0].convention, *(cell(one.word, one.strength) for one in each)))
    return markdown_table(Table("", ("convention", *weighed), rows)).strip() + "\n"


def test_the_table_shows_what_is_computed() -> None:
    text = PAGE.read_text("utf-8")
    head, bar, table = text.partition("| convention |")
    if os.environ.get("UPDATE_SPECS"):
        PAGE.write_text(head + computed(), "utf-8")
    else:
        assert bar + table == computed()
