"""Tables that would become far larger than their text are text."""

from __future__ import annotations

import pytest

from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.parser_events import read_events
from kg.notes.markdown.wide_tables import FEWEST_CELLS, has_oversized_table
from tests.support.every_row import every_row


def table(columns: int, rows: list[str], mark: str = "") -> str:
    head = "|".join("a" * columns)
    delimiters = "|".join("-" * columns)
    return "".join(f"{mark}{line}\n" for line in (head, delimiters, *rows))


@pytest.mark.parametrize("mark", ["", "> ", "  "])
def test_short_rows_are_not_filled_up_without_end(mark: str) -> None:
    text = table(400, ["x"] * 400, mark)
    assert has_oversized_table(text)
    assert len(scan_blocks(text).blocks) < 10
    assert len(list(read_events(text))) < 2000


def test_many_tables_count_together() -> None:
    text = "\n".join([table(60, ["x"] * 60)] * 20)
    assert has_oversized_table(text)


def test_a_table_whose_cells_are_written_is_one_however_large() -> None:
    text = table(100, ["|".join("x" * 100)] * 200)
    assert FEWEST_CELLS < 100 * 200
    assert not has_oversized_table(text)
    assert sum(block.kind == "cell" for block in scan_blocks(text).blocks) == 100 * 201


@every_row(
    "text",
    [
        table(30, ["x"] * 100),
        "a | b\n--|--\n" + "long words in a row | and more\n" * 2000,
        "x\n---\n" * 20_000,
        "[[a|b]]\n" * 20_000,
        "a|b\n-|-\n\n" + "x\n" * 20_000,
    ],
)
def test_what_people_write_is_no_such_table(text: str) -> None:
    assert not has_oversized_table(text)
