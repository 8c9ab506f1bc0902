"""The columns of a table."""

from __future__ import annotations

import csv
from collections.abc import Callable

from kg.corpus import Corpus
from kg.queries.answers.tables import csv_names, table_of
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, evidence
from kg.queries.language.parse_query import parse_question
from tests.support.every_row import every_row

CAMPS = {
    "a": "---\ntype: claim\n---\n\n# A\n",
    "one": "---\ntype: line\n---\n\n# One?\n\n- optimist:: [[a]]\n",
    "two": "---\ntype: line\n---\n\n# Two?\n\n- skeptic:: [[a]]\n",
}
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


def test_a_camp_beside_a_line_is_that_of_the_line(corpus_of: Callable[..., Corpus]) -> None:
    answer = find(MemoryEngine(corpus_of(**CAMPS)), claims())
    assert table_of(answer, ("line", "camp")).rows == [("one, two", "optimist, skeptic")]


@every_row(
    ("kinds", "sample"), [("evidence", ["120 people", "7", ""]), ("statements", ["120", "7", ""])]
)
def test_a_sample_has_its_unit_beside_it_where_all_is_evidence(
    kinds: str, sample: list[str], corpus_of: Callable[..., Corpus]
) -> None:
    texts = [
        f"---\ntype: evidence\n{x}---\n\n# E\n" for x in ("sample: 120 people\n", "sample: 7\n", "")
    ]
    corpus = corpus_of(**dict(zip("efg", texts, strict=True)), z=CAMPS["a"])
    rows = table_of(find(MemoryEngine(corpus), parse_question(kinds)), ("id", "sample")).rows
    assert [shown for id, shown in rows if id != "z"] == sample
