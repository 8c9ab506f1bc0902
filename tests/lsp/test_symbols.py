"""Where a thing is named, and how it gets another name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles
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
from tests.lsp.conftest import LINE


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
        ("line.md", 8, 5, "skeptic", "line:8 +kg:6", "../kg.toml:6"),
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
    name_and_kind = name_and_kind_at(corpus, workspace.text(name), line, column)
    assert name_and_kind is not None
    assert name_and_kind[0] == thing
    found_uses = set(find_uses(corpus, workspace.text, *name_and_kind))
    definitions = (
        set(find_uses(corpus, workspace.text, *name_and_kind, definitions=True)) - found_uses
    )
    assert found_uses == {each for each in found_uses if workspace.text(each.path).line(each.line)}
    places = [(_place(each), "") for each in found_uses] + [
        (_place(each), "+") for each in definitions
    ]
    assert sorted(mark + place for place, mark in places) == sorted(uses.split())
    place = find_definition(corpus, workspace.text, *name_and_kind)
    assert (place and f"{place.path}:{place.line}") == definition


def test_a_source_that_a_line_cites_beside_another_is_found(workspace: Workspace) -> None:
    workspace.type("line.md", f"{LINE}\nSee [@doe2024] and [@roe2020].\n")
    uses = find_uses(workspace.join(), workspace.text, "doe2024", "id")
    assert "line:10" in map(_place, uses)


def test_a_line_that_goes_on_to_a_thing_among_others_is_found(workspace: Workspace) -> None:
    text = "---\ntype: line\n---\n\n# And then?\n"
    workspace.type("more.md", text)
    workspace.type("other.md", f"{text}\n- next:: [[line]]\n- next:: [[more]]\n")
    corpus = workspace.join()
    for id, row in (("line", 7), ("more", 8)):
        assert f"other:{row}" in map(_place, find_uses(corpus, workspace.text, id, "id"))


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
    note_text = text.text
    change = Change("", {"x.md": text.text.encode()}, {"x.md": "\n".join(after).encode()})
    for _, edits in edits_of(change):
        for edit in reversed(edits):
            for line, column in ((edit.line, edit.column), (edit.end_line, edit.end_column)):
                assert 1 <= column <= len(text.line(line)) + 1
            start, end = (
                text.offset(edit.line, edit.column),
                text.offset(edit.end_line, edit.end_column),
            )
            note_text = note_text[:start] + edit.text + note_text[end:]
    assert note_text == "\n".join(after)
