"""What is told of the thing at a place, where it is named, and how it gets another name.

Of `kg/lsp/symbols.py`, `kg/lsp/hover_text.py` and `kg/lsp/text_ranges.py`.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles
from kg.lsp.hover_text import describe_source, hover_at, hover_text, rule_pages
from kg.lsp.symbols import (
    edits_of,
    find_definition,
    find_lenses,
    find_name_at,
    find_uses,
    name_and_kind_at,
    rename_at,
    symbols_in,
)
from kg.lsp.text_ranges import DocumentText, TextRange
from kg.lsp.workspace import Workspace
from kg.model import Source, Span
from tests.support.every_row import every_row

CLAIM = "**Naps help memory**\n\nclaim `naps` · optimist · 1 for, 0 against\n\nThey do."
SEEN = "**It was seen**\n\nevidence `naps#seen` · optimist · 0 for, 0 against\n\nIn a trial."
SPAN = Span("x.bib")
RULE_NAMES = ("dead-link", "unknown-relation")


@pytest.mark.parametrize(
    ("name", "line", "column", "until", "told"),
    [
        ("line.md", 7, 16, 20, CLAIM),
        ("line.md", 7, 20, 20, CLAIM),  # right behind its last letter
        ("naps.md", 8, 3, 19, CLAIM),
        ("naps.md", 12, 20, 32, f"{SEEN}\n\nSource: On naps"),
        ("naps.md", 10, 31, 36, "Doe (2024). **On naps**. book.\n\n`@doe2024`"),
        ("naps.md", 3, 2, 5, "**camp**: The camp, for lines that do not place it."),
        ("naps.md", 3, 8, 15, "**Optimists**\n\ncamp `optimist`"),
        ("naps.md", 4, 10, 15, "**sleep**\n\ntopic of 2 statements"),
        ("naps.md", 13, 33, 33, "**method**: How the evidence was obtained."),
        ("naps.md", 15, 5, 14, "**contradicts**: a reason against; one-way as written, "
         "`(mutual:: yes)` makes it both"),
        ("naps.md", 13, 26, 0, None),
        ("naps.md", 13, 27, 33, "**method**: How the evidence was obtained."),
        ("naps.md", 13, 34, 0, None),
        ("naps.md", 15, 30, 0, None),
        ("rest.md", 9, 1, 0, None),
    ],
)  # fmt: skip
def test_what_is_told(
    workspace: Workspace, name: str, line: int, column: int, until: int, told: str | None
) -> None:
    assert workspace.corpus is not None
    found = hover_at(workspace.corpus, workspace.text(name), line, column)
    assert (found and found.text) == told
    if found is not None:
        assert (found.range.line, found.range.end_line, found.range.end_column) == (
            line,
            line,
            until,
        )


def test_in_a_title_a_link_is_told_and_else_the_title(workspace: Workspace) -> None:
    workspace.type("rest.md", "---\ntype: claim\n---\n\n# As [[naps]] say\n")
    corpus, text = workspace.join(), workspace.text("rest.md")
    link, title = hover_at(corpus, text, 5, 8), hover_at(corpus, text, 5, 15)
    assert link
    assert title
    assert "`naps`" in link.text
    assert "`rest`" in title.text


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("It *is* [[x|so]]. And so on.", "It is so."),
        ("Words\nwithout an end", "Words without an end"),
        ("Words\n\nand more", "Words"),
        ("w" * 300, "w" * 300),
        ("w" * 301, "w" * 300 + "…"),
    ],
)
def test_of_a_body_the_first_sentence_is_told(workspace: Workspace, body: str, told: str) -> None:
    workspace.type("rest.md", f"---\ntype: claim\n---\n\n# Rest\n\n{body}\n")
    assert hover_text(workspace.join(), "rest").split("\n\n")[2:] == [told]


@every_row(
    ("source", "told"),
    [
        (Source("a", "A", SPAN), "**A**. misc."),
        (Source("a", "A", SPAN, year=1999), "(1999). **A**. misc."),
        (
            Source("a", "A", SPAN, authors=("Doe, Jo",), year=1999, venue="V", doi="10.1/x"),
            "Doe (1999). **A**. *V*. [doi:10.1/x](https://doi.org/10.1/x)",
        ),
    ],
)
def test_a_source_is_told_as_in_a_bibliography(source: Source, told: str) -> None:
    assert describe_source(source) == f"{told}\n\n`@a`"


def test_pages_of_rules_are_written_where_they_are_missing_or_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path))
    one, other = (Path(url2pathname(urlsplit(rule_pages()(rule)).path)) for rule in RULE_NAMES)
    written = one.read_text("utf-8"), other.read_text("utf-8")
    assert written[0].startswith(f"# {RULE_NAMES[0]}\n\n")
    os.utime(one, (1, 1))
    other.write_text("of an earlier version", "utf-8")
    rule_pages()
    assert (one.read_text("utf-8"), other.read_text("utf-8")) == written
    assert one.stat().st_mtime == 1  # it was right, and is left alone


def test_strengths_stand_above_statements_once_they_are_worked_out(workspace: Workspace) -> None:
    corpus, text = workspace.corpus, workspace.text("naps.md")
    assert corpus is not None
    assert [each.text for each in find_lenses(corpus, text, None)] == [
        "1 for, 0 against · 1 other link here",
        "0 for, 0 against · 0 other links here",
    ]
    assert [each.text for each in find_lenses(corpus, text, workspace.weighed)] == [
        "at most probably 0.646 · 1 for, 0 against · 1 other link here",
        "strength 0.600 · 0 for, 0 against · 0 other links here",
    ]
    [line] = find_lenses(corpus, workspace.text("line.md"), workspace.weighed)
    assert (line.text, line.range.line) == ("0 other links here", 5)
    [symbol] = symbols_in(corpus, text)
    assert (symbol.name, [each.name for each in symbol.within]) == (
        "Naps help memory",
        ["It was seen"],
    )


@pytest.mark.parametrize(
    ("name", "line", "column", "thing", "uses", "definition"),
    [
        ("naps.md", 10, 16, "rest", "line:8 naps:10 naps:15", "rest.md:7"),
        ("naps.md", 10, 30, "doe2024", "naps:10 naps:13 +references:1", "references.bib:1"),
        ("naps.md", 12, 5, "naps#seen", "+naps:12", "naps.md:12"),
        ("naps.md", 4, 12, "sleep", "naps:4 rest:3", None),
        ("line.md", 7, 5, "optimist", "line:7 naps:3 +kg:2", "../kg.toml:2"),
    ],
)
def test_each_use_of_a_thing_is_found_and_where_it_is_defined(
    workspace: Workspace,
    name: str,
    line: int,
    column: int,
    thing: str,
    uses: str,
    definition: str | None,
) -> None:
    corpus = workspace.corpus
    assert corpus is not None
    found = name_and_kind_at(corpus, workspace.text(name), line, column)
    assert found is not None
    assert found[0] == thing
    named = set(find_uses(corpus, workspace.text, *found))
    given = set(find_uses(corpus, workspace.text, *found, definitions=True)) - named
    assert named == {each for each in named if workspace.text(each.path).line(each.line)}
    places = [(_place(each), "") for each in named] + [(_place(each), "+") for each in given]
    assert sorted(mark + place for place, mark in places) == sorted(uses.split())
    place = find_definition(corpus, workspace.text, *found)
    assert (place and f"{place.path}:{place.line}") == definition


def _place(each: TextRange) -> str:
    return f"{each.path.rpartition('/')[2].partition('.')[0]}:{each.line}"


def test_another_name_is_written_wherever_the_thing_is_named(workspace: Workspace) -> None:
    corpus, text = workspace.corpus, workspace.text("naps.md")
    assert corpus is not None
    assert find_name_at(corpus, text, 12, 29) == (TextRange("naps.md", 12, 28, 12, 32), "seen")
    assert find_name_at(corpus, text, 4, 12) == (TextRange("naps.md", 4, 10, 4, 15), "sleep")
    assert find_name_at(corpus, text, 15, 5) is find_name_at(corpus, text, 10, 1) is None
    files = FolderFiles(workspace.folder).with_changes(workspace.typed_contents())
    change = rename_at(corpus, files, text, 4, 12, "rest")
    assert change is not None
    assert [
        (path, edit.line, edit.end_line, edit.column, edit.end_column, edit.text)
        for path, edits in edits_of(change)
        for edit in edits
    ] == [
        ("naps.md", 4, 5, 1, 1, "topics: [rest]\n"),
        ("rest.md", 3, 4, 1, 1, "topics: [rest]\n"),
    ]
    assert rename_at(corpus, files, text, 10, 1, "rest") is None
    note = rename_at(corpus, files, text, 10, 16, "Quiet rest")
    assert note is not None
    assert note.moves == {"rest.md": "quiet-rest.md"}
    assert [path for path, _ in edits_of(note)] == ["line.md", "naps.md", "rest.md"]
    block = rename_at(corpus, files, text, 12, 29, "slept")
    assert block is not None
    assert [(path, edit.text) for path, edits in edits_of(block) for edit in edits] == [
        ("naps.md", "> [!evidence] It was seen ^slept\n")
    ]


rows = st.lists(st.sampled_from(["", "a", "bc"]), min_size=1, max_size=5)


@given(rows, rows)
def test_edits_make_one_text_the_other(before: list[str], after: list[str]) -> None:
    text = DocumentText("x.md", "\n".join(before))
    made = text.text
    change = Change("", {"x.md": text.text.encode()}, {"x.md": "\n".join(after).encode()})
    for _, edits in edits_of(change):
        for edit in reversed(edits):
            start, end = (
                text.offset(edit.line, edit.column),
                text.offset(edit.end_line, edit.end_column),
            )
            made = made[:start] + edit.text + made[end:]
    assert made == "\n".join(after)


@every_row(
    ("line", "column", "marked"),
    [
        (1, 1, "# A title"),
        (2, 4, "[[naps]]"),
        (2, 13, "word"),
        (2, 20, "a"),
        (2, 23, "[@doe2024]"),
        (3, 1, "- supports::"),
        (4, 3, "[!evidence] Seen"),
        (5, 1, ""),
        (6, 2, "nd"),
        (6, 4, ""),
    ],
)
def test_a_problem_is_marked_to_the_end_of_what_stands_there(
    line: int, column: int, marked: str
) -> None:
    rows = ("# A title  \r", "In [[naps]] word, (a) [@doe2024]", "- supports:: [[naps]]")
    text = DocumentText(
        "x.md", "\n".join(("\ufeff" + rows[0], *rows[1:], "> [!evidence] Seen", "", "end"))
    )
    found = text.range_at(Span("x.md", line, column))
    assert text.line(line)[found.column - 1 : found.end_column - 1] == marked
    assert (found.line, found.end_line) == (line, line)
