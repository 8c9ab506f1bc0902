"""The columns of a table."""

from __future__ import annotations

import csv
import io
import json

from rich.console import Console

from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, edges, evidence, statements
from kg.queries.language.parse_query import parse_request
from kg.queries.results.tables import (
    ALL_FIELDS,
    as_table,
    csv_names,
    default_columns_of,
    render_value,
    table_of,
    value_columns,
)
from tests.queries.results.conftest import Ask
from tests.support.corpora import corpus_of_notes
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
def test_a_cell_with_two_values_becomes_two_columns_in_csv(
    columns: tuple[str, ...], rows: list[list[str]]
) -> None:
    answer = find(MemoryEngine(corpus_of_notes(e=NOTE)), evidence())
    assert csv_names(answer, columns) == tuple(rows[0])
    assert list(csv.reader(answer.to_csv(*columns).splitlines())) == rows


def test_a_camp_beside_a_line_is_that_of_the_line() -> None:
    answer = find(MemoryEngine(corpus_of_notes(**CAMPS)), claims())
    assert table_of(answer, ("line", "camp")).rows == [("one, two", "optimist, skeptic")]


@every_row(
    ("kinds", "sample"), [("evidence", ["120 people", "7", ""]), ("statements", ["120", "7", ""])]
)
def test_a_sample_has_its_unit_beside_it_where_all_is_evidence(
    kinds: str, sample: list[str]
) -> None:
    texts = [
        f"---\ntype: evidence\n{x}---\n\n# E\n" for x in ("sample: 120 people\n", "sample: 7\n", "")
    ]
    corpus = corpus_of_notes(**dict(zip("efg", texts, strict=True)), z=CAMPS["a"])
    rows = table_of(find(MemoryEngine(corpus), parse_request(kinds)), ("id", "sample")).rows
    assert [shown_sample for id, shown_sample in rows if id != "z"] == sample


def test_markup_in_cells_is_shown_as_text(ask: Ask) -> None:
    answer = ask(claims())
    assert "\x1b" not in repr(answer)
    stream = io.StringIO()
    Console(file=stream, width=200, force_terminal=True).print(answer)
    assert "[red]x[/red]" in stream.getvalue()
    assert "\x1b[31m" not in stream.getvalue()
    html = answer._repr_html_()
    assert "<img" not in html
    assert "&lt;img" in html
    markdown = answer.to_markdown()
    assert "<img" not in markdown.replace("\\<img", "")
    assert "\\|" in markdown
    assert markdown.endswith("4 claims\n")


def test_no_cell_of_csv_is_a_formula(ask: Ask) -> None:
    rows = list(csv.reader(io.StringIO(ask(claims()).to_csv("title"))))
    assert rows[0] == ["title"]
    assert rows[2] == ["B"]
    titles = ask(edges().origin("b")).to_csv("reason")
    assert titles == 'reason\n"""so"""\n'


def test_csv_names_the_unit_of_a_sample() -> None:
    note = "---\ntype: evidence\nmethod: survey\nsample: 9 talks\n---\n\n# Talks\n"
    memory = MemoryEngine(corpus_of_notes(e=note, c="---\ntype: claim\n---\n\n# C\n"))
    answer = find(memory, evidence())
    assert answer.to_csv() == "id,method,sample,unit,source,title\ne,survey,9,talks,,Talks\n"
    assert answer.to_csv("unit", "sample") == "unit,sample\ntalks,9\n"
    assert answer.to_csv("id") == "id\ne\n"
    assert answer.to_csv("all").partition("\n")[0].split(",") == list(
        value_columns(answer, ALL_FIELDS)
    )
    assert find(memory, statements()).to_csv("sample").startswith("sample\n")


def test_a_column_of_what_may_be_several_is_of_lists_though_no_record_has_two(ask: Ask) -> None:
    columns = value_columns(ask(claims()), ("id", "topic"))
    assert columns == {"id": ["a", "b", "c", "d"], "topic": [[], [], [], []]}


@every_row(
    ("lines", "camps"),
    [("line:one", "optimist"), ("(line:one OR line:two)", ["optimist", "skeptic"])],
)
def test_camps_in_the_lines_asked_for_are_lists_if_a_claim_has_two(
    lines: str, camps: object
) -> None:
    answer = find(MemoryEngine(corpus_of_notes(**CAMPS)), parse_request(f"claims {lines}"))
    assert value_columns(answer, ("camp",)) == {"camp": [camps]}


def test_json_holds_the_records(ask: Ask) -> None:
    data = json.loads(ask(evidence()).to_json())
    assert [(item["id"], item["method"], item["sample"]) for item in data] == [
        ("a#t", "experiment", 9)
    ]


def test_rows_have_a_cell_for_each_column(ask: Ask) -> None:
    names = ("id", "camp", "studies", "support", "supporters", "line", "year")
    assert ask(claims().camp("optimist")).rows(*names) == [
        ("a", "optimist", "1", "1 item from 1 separate group", "1", "", "2020"),
        ("c", "optimist", "0", "no evidence", "1", "", ""),
    ]


def test_in_a_narrow_terminal_ids_are_whole() -> None:
    long = "a-long-id-that-one-may-want-to-copy-in-one-piece"
    corpus = corpus_of_notes(
        **{long: "---\ntype: claim\n---\n\n# Quite a long title, too, by the way\n"}
    )
    answer = find(MemoryEngine(corpus), claims())
    for width, shape in ((76, ("title and id",)), (80, ("title and id",)), (160, ("id", "title"))):
        table = as_table(answer, width=width)
        assert [column.header for column in table.columns if column.header in shape] == list(shape)
        printed = io.StringIO()
        console = Console(width=width, file=printed)
        console.print(table)
        assert long in printed.getvalue()
    far_longer = corpus_of_notes(**{"x" * 90: "---\ntype: claim\n---\n\n# Title\n"})
    narrow = as_table(find(MemoryEngine(far_longer), claims()), width=60)
    assert narrow.columns[0].min_width == 40, "the other columns keep a third of the width"
    assert [column.header for column in as_table(answer, ("id",), 80).columns] == ["id"]
    narrow_headings = [column.header for column in as_table(answer, width=80).columns]
    assert narrow_headings == ["title and id", "kind", "camp"]


@every_row(
    ("question", "columns"),
    [
        ("claims", "id kind camp title"),
        ("evidence", "id method sample source title"),
        ("statements", "id kind camp title"),
        ("claims text:zebra", "id kind camp title"),  # no record, so not all are evidence
        ("sources", "id year author title integrity"),
        ("edges", "origin relation target reason"),
        ("claims sort:-studies", "id kind camp support title"),
        ("claims supporters:0..", "id kind camp supporters support title"),
        ("claims studies:0.. supporters:0..", "id kind camp support supporters title"),
        ("claims -opponents:5..", "id kind camp opponents title"),
        ("evidence quality:0..", "id method sample source quality title"),
    ],
)
def test_the_usual_columns_have_what_the_question_counts_by(
    question: str, columns: str, ask: Ask
) -> None:
    assert " ".join(default_columns_of(ask(parse_request(question)))) == columns


@every_row(
    ("value", "cell"),
    [
        *((0.0, "0.00"), (0.01, "0.01"), (0.0099, "0.0099"), (-0.01, "-0.01"), (-0.004, "-0.004")),
        *((-0.4, "-0.40"), (0.126, "0.13"), (3, "3"), ("a", "a")),
    ],
)
def test_fractions_have_two_places_unless_they_are_smaller(value: object, cell: str) -> None:
    assert render_value(value) == cell


@every_row(
    ("columns", "names"),
    [
        (("sample", "title"), ("sample", "unit", "title")),
        (("samples",), ("samples", "unit")),
        (("sample", "units"), ("sample", "units")),
        (("sample", "samples"), ("sample", "samples")),
    ],
)
def test_units_stand_beside_the_only_column_of_samples(
    columns: tuple[str, ...], names: tuple[str, ...], ask: Ask
) -> None:
    assert csv_names(ask(evidence()), columns) == names
    assert csv_names(ask(statements()), columns) == columns
