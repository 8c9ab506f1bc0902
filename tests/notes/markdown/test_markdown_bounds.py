"""Quotes and lists that nest without end are words from a bound on, tables without end are text.

Of `kg/notes/markdown/parser_events.py`, too.
"""

from __future__ import annotations

from kg.checks import check
from kg.editing.format_notes import format_text
from kg.loader import load_changed
from kg.notes.markdown.blocks import scan_blocks
from kg.notes.markdown.markdown_bounds import (
    FEWEST_CELLS,
    MAX_NESTING,
    bound_nesting,
    find_deep_nesting,
    has_oversized_table,
)
from kg.notes.markdown.parser_events import find_links_and_pictures, read_events
from tests.fuzz.growth_places import HEAD, NOTE
from tests.fuzz.targets import corpus
from tests.support.every_row import every_row

MARKS = [">", "> ", "- ", "1. ", "* > ", "12) > "]


@every_row("mark", MARKS)
def test_what_nests_without_end_is_words(mark: str) -> None:
    text = f"{mark * 20_000}é [[work]]\n\n[[nights-suffer]]\n"
    scan = scan_blocks(text)
    assert len(scan.quotes) + sum(block.kind == "item" for block in scan.blocks) == MAX_NESTING
    assert len(list(read_events(text))) < 6 * MAX_NESTING
    rows = [
        (text[position:].partition("]")[0], name)
        for position, name, *_ in find_links_and_pictures(text)
    ]
    assert rows == [("[[work", "work"), ("[[nights-suffer", "nights-suffer")]
    changed = load_changed(corpus().folder, {NOTE: HEAD + text.encode()})
    (problem,) = (each for each in check(changed) if each.rule == "deep-nesting")
    marks = mark.split() if " " in mark else [mark]
    assert problem.span.line == HEAD.count(b"\n") + 1
    assert problem.span.column == 1 + len(mark) * (MAX_NESTING // len(marks))


@every_row("mark", MARKS)
def test_what_nests_no_deeper_is_read(mark: str) -> None:
    text = mark * (MAX_NESTING // len(mark.split())) + "So\n"
    assert bound_nesting(text) is text
    deeper = f"> {text}"
    assert deeper[find_deep_nesting(deeper)[0] :].startswith(mark.split()[-1])


@every_row(
    "text",
    [
        "```\n" + ">" * 300 + "\n```\n",
        "    " + "> " * 300 + "\n",
        "* " * 300 + "\n",
        "> " + "- " * 300 + "\n",
        "-\t" * 300 + "\nSo\n",
        "So " + "> " * 300 + "\n",
        "<!--\n" + ">" * 300 + "\n-->\n",
    ],
)
def test_code_and_rules_nest_nothing(text: str) -> None:
    assert bound_nesting(text) is text


def test_a_rule_stays_one_beside_what_nests() -> None:
    text = ">" * 300 + "\n\n" + "* " * 300 + "\n"
    assert bound_nesting(text) == ">" * 100 + "\\" + ">" * 199 + "\n\n" + "* " * 300 + "\n"


def test_a_note_that_nests_is_formatted_as_it_stands() -> None:
    text = (HEAD + b">" * 5000 + b" So\n").decode()
    assert format_text(text, NOTE) == text


@every_row("mark", [*MARKS, " ", "\t", "> \t"])
def test_nothing_is_looked_at_again_and_again(mark: str) -> None:
    """Each of these lines is over at once, or never was many marks."""
    assert len(find_deep_nesting((mark * 1_000_000)[:4_000_000])) <= 1


def table(columns: int, rows: list[str], mark: str = "") -> str:
    head = "|".join("a" * columns)
    delimiters = "|".join("-" * columns)
    return "".join(f"{mark}{line}\n" for line in (head, delimiters, *rows))


@every_row("mark", ["", "> ", "  "])
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
