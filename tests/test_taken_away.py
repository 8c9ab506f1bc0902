"""Every answer can be taken away: its records as a frame and as CSV, its report in Markdown."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner

from kg import api, claims, sources
from kg.cli import main
from kg.reporting.csv_cells import csv_cell
from kg.reporting.data_frames import NoSuchTable
from kg.reporting.report import PrintableAnswer
from tests.support.every_row import every_row
from tests.support.golden import NOTES
from tests.support.own import own_corpus

LINE = "should-one-nap"
ASKED: dict[str, Callable[[api.AskableCorpus], Any]] = {
    "verdict": lambda c: c.verdict(LINE),
    "case": lambda c: c.case(LINE, "wakers"),
    "crux": lambda c: c.crux(LINE),
    "flips": lambda c: c.flips(LINE),
    "robustness": lambda c: c.robustness(LINE),
    "gaps": lambda c: c.gaps(),
    "tensions": lambda _: own_corpus().tensions(),
    "impact": lambda c: c.impact("doe2019"),
    "whatif": lambda c: c.whatif(mute=["short-naps-help"]),
    "timeline": lambda c: c.timeline(LINE),
    "compare": lambda c: c.compare("short-naps-help", "naps-at-work-pay"),
}


@cache
def corpus() -> api.AskableCorpus:
    return api.load(NOTES)


@cache
def answer(name: str) -> PrintableAnswer:
    value = ASKED[name](corpus())
    assert isinstance(value, PrintableAnswer)
    return value


@every_row("name", ASKED)
@every_row("library", ["pandas", "polars"])
def test_a_frame_and_csv_hold_the_same_records(name: str, library: str) -> None:
    pytest.importorskip(library)
    frame = answer(name).to_frame(library)
    heads, *rows = csv.reader(io.StringIO(answer(name).to_csv()))
    assert len(rows) == len(frame) > 0
    assert heads == list(frame.columns)
    assert "…" not in "".join("".join(row[:2]) for row in rows)


def _letters(cell: str) -> str:
    """A cell without signs that Markdown escapes, and without line breaks."""
    return re.sub(r"<br>|\W", "", cell)


@every_row("name", ASKED)
def test_markdown_says_what_the_report_says(name: str) -> None:
    tables = [part for part in answer(name).report().parts if not hasattr(part, "text")]
    to_markdown = answer(name).to_markdown()
    rows = [line for line in to_markdown.splitlines() if line.startswith("| ")]
    assert len(rows) == sum(len(table.rows) + 2 for table in tables if table.rows)
    letters = [{_letters(cell) for cell in re.split(r"(?<!\\)\|", row)} for row in rows]
    for table in tables:
        for row in table.rows:
            words = {_letters(cell) for cell in row if isinstance(cell, str)}
            assert any(words <= cells for cells in letters), row
    assert "\n\n\n" not in to_markdown


def test_numbers_in_a_frame_are_whole_numbers() -> None:
    pytest.importorskip("pandas")
    verdict = corpus().verdict(LINE)
    frame = verdict.to_frame("pandas")
    assert list(frame["share"]) == [reason.share for reason in verdict.reasons]
    assert list(frame["together"]) == [list(reason.together) for reason in verdict.reasons]
    assert {"reason_share", "rebuttal_effect"} <= set(answer("case").to_frame("pandas").columns)


def test_tables_of_one_sort_come_together_and_others_by_name() -> None:
    pytest.importorskip("pandas")
    impact = corpus().impact("doe2019")
    frame = impact.to_frame("pandas")
    assert list(frame["table"]) == ["falls"] * len(impact.falls) + ["rises"] * len(impact.rises)
    assert "table" not in impact.to_frame("pandas", "rises").columns
    assert len(impact.to_frame("pandas", "verdicts")) == len(impact.verdicts)
    with pytest.raises(NoSuchTable, match="there are falls, rises, verdicts"):
        impact.to_csv("Verdicts")


def test_a_table_without_rows_has_its_columns() -> None:
    gaps = corpus().gaps()
    empty = type(gaps)(sentence="None.", asked=gaps.asked, gaps=())
    assert empty.to_csv() == ",".join(gaps.gaps[0].__struct_fields__) + "\n"


def test_the_command_prints_the_same() -> None:
    arguments = ["--notes", str(NOTES), "--format"]
    run = lambda *args: CliRunner().invoke(main, [*args])  # noqa: E731
    assert run("gaps", *arguments, "csv").stdout == answer("gaps").to_csv()
    assert run("gaps", *arguments, "markdown").stdout == answer("gaps").to_markdown()
    result = run("crux", LINE, *arguments, "csv", "--table", "studies")
    assert result.stdout == answer("crux").to_csv("studies")
    assert run("gaps", *arguments, "json", "--table", "gaps").exit_code == 2


COMPUTED = {
    "claims": ("strength", "studies", "supporters", "opponents", "line", "support"),
    "sources": ("id", "key", "citations", "author"),
    "lines": ("placements", "topic"),
    "edges": ("id", "relation", "together"),
}


@every_row("what", COMPUTED)
def test_columns_hold_in_every_format(what: str) -> None:
    columns = COMPUTED[what]
    arguments = [
        "find",
        what,
        "--limit",
        "9",
        "--columns",
        ",".join(columns),
        "--notes",
        str(NOTES),
    ]
    data = json.loads(CliRunner().invoke(main, [*arguments, "--format", "json"]).stdout)
    text = CliRunner().invoke(main, [*arguments, "--format", "csv"]).stdout
    heads, *rows = csv.reader(io.StringIO(text))
    assert heads == list(columns) == list(data[0])
    assert [[csv_cell(value) for value in each.values()] for each in data] == rows
    lead = CliRunner().invoke(main, [*arguments, "--format", "markdown"]).stdout.splitlines()[0]
    assert lead == f"| {' | '.join(columns)} |"


def test_computed_values_are_numbers_and_lists() -> None:
    reply = corpus().find(claims().line(LINE).order_by("-strength").limit(3))
    (first, *_) = json.loads(reply.to_json("strength", "line", "studies"))
    assert first["strength"] == corpus().verdict(reply.ids[0]).strength
    assert LINE in first["line"]
    assert isinstance(first["studies"], int)


def test_a_source_has_one_name_everywhere() -> None:
    reply = corpus().find(sources().limit(2))
    assert [each["id"] for each in json.loads(reply.to_json())] == list(reply.ids)
    assert [source.id for source in reply] == [source.key for source in reply] == list(reply.ids)
    assert reply.rows("key") == reply.rows("id")
