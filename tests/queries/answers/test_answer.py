"""An answer shows itself and converts.

Of `kg/queries/answers/tables.py` and `kg/queries/answers/counts_and_summaries.py`, too.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import json
from collections.abc import Callable

import pytest
from rich.console import Console

from kg.corpus import Corpus
from kg.queries.answers.counts_and_summaries import count_corpus
from kg.queries.answers.tables import as_table, frame_columns
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, edges, evidence, statements
from kg.queries.line_scope import view_line
from kg.reporting.data_frames import MissingLibrary
from tests.queries.answers.conftest import BOOKS, NOTES, Ask


def test_an_answer_is_a_sequence(ask: Ask) -> None:
    answer = ask(claims())
    assert len(answer) == 4
    assert [claim.id for claim in answer] == ["a", "b", "c", "d"]
    assert answer[1:3].ids == ("b", "c")
    assert answer[-1].id == "d"
    assert "a" in answer
    assert answer[0] in answer
    assert "a#t" not in answer
    assert answer == ask(claims())
    assert answer != ask(evidence())


def test_tables_are_inert(ask: Ask) -> None:
    answer = ask(claims())
    assert "\x1b" not in repr(answer)
    out = io.StringIO()
    Console(file=out, width=200, force_terminal=True).print(answer)
    assert "[red]x[/red]" in out.getvalue()
    assert "\x1b[31m" not in out.getvalue()
    html = answer._repr_html_()
    assert "<img" not in html
    assert "&lt;img" in html
    markdown = answer.to_markdown()
    assert "<img" not in markdown.replace("\\<img", "")
    assert "\\|" in markdown
    assert markdown.endswith("4 claims\n")


def test_csv_is_no_formula(ask: Ask) -> None:
    found = list(csv.reader(io.StringIO(ask(claims()).to_csv("title"))))
    assert found[0] == ["title"]
    assert found[2] == ["B"]
    titles = ask(edges().from_("b")).to_csv("reason")
    assert titles == 'reason\n"""so"""\n'


def test_csv_names_the_unit_of_a_sample(corpus_of: Callable[..., Corpus]) -> None:
    note = "---\ntype: evidence\nmethod: survey\nsample: 9 talks\n---\n\n# Talks\n"
    memory = MemoryEngine(corpus_of(e=note, c="---\ntype: claim\n---\n\n# C\n"))
    seen = find(memory, evidence())
    assert seen.to_csv() == "id,method,sample,unit,source,title\ne,survey,9,talks,,Talks\n"
    assert seen.to_csv("unit", "sample") == "unit,sample\ntalks,9\n"
    assert seen.to_csv("id") == "id\ne\n"
    assert seen.to_csv("all").partition("\n")[0].split(",") == list(frame_columns(seen))
    assert find(memory, statements()).to_csv("sample").startswith("sample\n")


def test_json_holds_the_records(ask: Ask) -> None:
    found = json.loads(ask(evidence()).to_json())
    assert [(item["id"], item["method"], item["sample"]) for item in found] == [
        ("a#t", "experiment", 9)
    ]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_answer_becomes_a_data_frame(ask: Ask, library: str) -> None:
    module = importlib.import_module(library)
    frame = ask(evidence()).to_frame(library)
    assert isinstance(frame, module.DataFrame)
    assert list(frame["id"]) == ["a#t"]
    assert list(frame["sample"]) == [9]
    assert list(frame["source"][0]) == ["s"]
    assert list(frame["year"][0]) == [2020]


def test_frames_without_a_library_say_what_to_install(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingLibrary, match="pip install pandas"):
        ask(claims()).to_frame()
    with pytest.raises(ValueError, match="pandas or polars"):
        ask(claims()).to_frame("excel")


def test_groups_show_themselves(ask: Ask) -> None:
    memory_groups = ask(claims()).engine
    groups = find(memory_groups, claims().group_by("camp"))
    assert repr(groups).splitlines() == [
        "camp          count",
        "optimist      2",
        "skeptic       1",
        "not recorded  1",
    ]
    assert "<td>optimist</td>" in groups._repr_html_()


def test_nothing_found_says_so(ask: Ask) -> None:
    nothing = ask(claims().text("zebra"))
    assert repr(nothing).startswith("There is no claim saying 'zebra'. `kg search zebra` finds")
    assert not nothing
    assert nothing.edges == ()
    assert json.loads(nothing.to_json()) == []
    assert "There is no claim saying" in nothing._repr_html_()


def test_a_place_that_is_not_there_is_told(ask: Ask) -> None:
    with pytest.raises(IndexError, match=r"^the answer has no \[0\]; it is empty: no statements$"):
        ask(claims().text("zebra"))[0]
    with pytest.raises(IndexError, match=r"no \[4\]; it holds 4$"):
        ask(claims())[4]


def test_the_repr_of_a_view_is_one_line(corpus_of: Callable[..., Corpus]) -> None:
    line = "---\ntype: line\n---\n\n# L?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
    corpus = corpus_of(references=BOOKS, line=line, **NOTES)
    assert repr(view_line(corpus, "line")) == (
        "<line view line: 1 optimist, 1 skeptic; clashes: 1; sources: 1>"
    )
    assert repr(count_corpus(corpus)) == (
        "<stats: lines 1, claims 4, counter-claims 0, evidence 1, sources 2, edges 5>"
    )


def test_no_cell_is_lost(ask: Ask) -> None:
    names = ("id", "camp", "studies", "support", "supporters", "line", "year")
    assert ask(claims().camp("optimist")).rows(*names) == [
        ("a", "optimist", "1", "1 item from 1 separate group", "1", "", "2020"),
        ("c", "optimist", "0", "no evidence", "1", "", ""),
    ]


def test_in_a_narrow_terminal_ids_are_whole(corpus_of: Callable[..., Corpus]) -> None:
    long = "a-long-id-that-one-may-want-to-copy-in-one-piece"
    corpus = corpus_of(**{long: "---\ntype: claim\n---\n\n# Quite a long title, too, by the way\n"})
    answer = find(MemoryEngine(corpus), claims())
    for width, shape in ((76, ("title and id",)), (80, ("title and id",)), (160, ("id", "title"))):
        table = as_table(answer, width=width)
        assert [column.header for column in table.columns if column.header in shape] == list(shape)
        printed = io.StringIO()
        console = Console(width=width, file=printed)
        console.print(table)
        assert long in printed.getvalue()
    assert [column.header for column in as_table(answer, ("id",), 80).columns] == ["id"]
