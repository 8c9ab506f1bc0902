"""An answer shows itself, converts, and carries the edges that justify it.

Of `kg/queries/answers/tables.py`, `kg/queries/answers/notebook.py`,
`kg/queries/answers/edges_behind.py` and `kg/queries/answers/counts_and_summaries.py`, too.
"""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from kg.corpus import Corpus
from kg.queries.answers.answer import Answer
from kg.queries.answers.counts_and_summaries import count_corpus
from kg.queries.answers.tables import as_table, frame_columns
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.builders import claims, edges, evidence, sources, statements
from kg.queries.language.selection import Selection
from kg.queries.line_scope import view_line
from kg.reporting.data_frames import MissingLibrary

HOSTILE = "<img src=x onerror=alert(1)> [red]x[/red] | `a` =1+1 \x1b[31m"
NOTES = {
    "a": f"---\ntype: claim\ncamp: optimist\n---\n\n# A {HOSTILE}\n\n"
    "> [!evidence] Tried ^t\n> [@s] (method:: experiment) (sample:: 9) (independence:: lab-x)\n",
    "b": '---\ntype: claim\ncamp: skeptic\n---\n\n# B\n\n- contradicts:: [[a]] — "so" ^e\n',
    "c": "---\ntype: claim\ncamp: optimist\n---\n\n# C\n\n- undercuts:: [[b#^e]]\n",
    "d": "---\ntype: claim\n---\n\n# D\n\n- supports:: [[b]]\n- supports:: [[c]]\n",
}
BOOKS = (
    "@misc{s, title={<b>S</b>}, year={2020}, url={https://example.org/s}}\n"
    "@misc{t, title={T}, url={javascript:alert(1)}}"
)


@pytest.fixture
def ask(corpus_of: Callable[..., Corpus]) -> Callable[[Selection], Answer[Any]]:
    memory = MemoryEngine(corpus_of(references=BOOKS, **NOTES))
    return lambda selection: find(memory, selection)


Ask = Callable[[Selection], "Answer[object]"]


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


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (claims().contradicting("a"), "b#e"),
        (claims().supported_by(evidence()), "a#t--supports--a"),
        (claims().undercut_by("c"), "c--undercuts--b#e"),
        (
            claims().contradicted_by(claims().supported_by("d")),
            "b#e d--supports--b",
        ),
        (claims().reaching("a", ("supports", "contradicts")), "b#e d--supports--b"),
        (claims().contradicting("a") | claims().supported_by(evidence()), "a#t--supports--a b#e"),
        (claims() - claims().contradicted_by(), ""),
        (sources().cited_by(claims()), ""),
        (edges().to("a"), "a#t--supports--a b#e"),
    ],
    ids=repr,
)
def test_an_answer_holds_the_edges_that_justify_it(
    ask: Ask, selection: Selection, expected: str
) -> None:
    assert [edge.id for edge in ask(selection).edges] == expected.split()


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


def test_links_lead_to_sources_on_the_web_alone(ask: Ask) -> None:
    html = ask(sources())._repr_html_()
    assert 'href="https://example.org/s"' in html
    assert "javascript:" not in html
    assert "&lt;b&gt;S" in html


def test_a_drawing_shows_the_edges(ask: Ask) -> None:
    html = ask(claims().contradicting("a"))._repr_html_()
    assert html.count("<line ") == 1
    assert html.count("<circle ") == 2
    assert "<svg" not in ask(claims().camp("skeptic"))._repr_html_()


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


def test_graphs_hold_what_was_found_and_why(ask: Ask) -> None:
    answer = ask(claims().contradicting("a"))
    network = answer.to_networkx()
    assert set(network) == {"a", "b"}
    assert list(network.edges(keys=True)) == [("b", "a", "b#e")]
    rdf = answer.to_rdf()
    asked = rdf.query("SELECT ?x { ?e kg:from ?x ; kg:relation kg:contradicts }")
    assert [str(row[0]).rpartition("/")[2] for row in asked] == ["b"]
    cut = ask(statements().undercutting("b")).to_networkx()
    assert set(cut) >= {"c", "b", "a"}
    assert cut.get_edge_data("c", "b")


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
