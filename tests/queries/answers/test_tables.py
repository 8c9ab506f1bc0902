"""The columns of a table."""

from __future__ import annotations

import csv
from collections.abc import Callable

from kg.corpus import Corpus
from kg.queries.answers.tables import csv_names
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import evidence
from tests.support.every_row import every_row

NOTE = "---\ntype: evidence\neffect: d=0.5\np: <.05\n---\n\n# Talks\n"


@every_row(
    ("columns", "rows"),
    [
        (
            ("effect", "p"),
            [["effect", "effect_kind", "p", "p_sign"], ["0.5", "d", "0.05", "<"]],
        ),
        (("effect_kind", "effect"), [["effect_kind", "effect"], ["d", "0.5"]]),
        (("p", "id"), [["p", "p_sign", "id"], ["0.05", "<", "e"]]),
    ],
)
def test_the_second_value_of_a_cell_has_the_column_to_its_right(
    columns: tuple[str, ...], rows: list[list[str]], corpus_of: Callable[..., Corpus]
) -> None:
    answer = find(MemoryEngine(corpus_of(e=NOTE)), evidence())
    assert csv_names(answer, columns) == tuple(rows[0])
    assert list(csv.reader(answer.to_csv(*columns).splitlines())) == rows
