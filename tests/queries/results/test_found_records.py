"""An answer is a sequence, converts, and says why it is empty."""

from __future__ import annotations

import importlib
import json

import pytest

from kg.queries.language.builders import claims, evidence, statements
from kg.queries.line_scope import view_line
from tests.queries.results.conftest import BOOKS, NOTES, Ask
from tests.support.corpora import corpus_of_notes


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


def test_graphs_hold_what_was_found_and_why(ask: Ask) -> None:
    answer = ask(claims().contradicting("a"))
    network = answer.to_networkx()
    assert set(network) == {"a", "b"}
    assert list(network.edges(keys=True)) == [("b", "a", "b#e")]
    rdf = answer.to_rdf()
    rows = rdf.query("SELECT ?x { ?e kg:origin ?x ; kg:relation kg:contradicts }")
    assert [str(row[0]).rpartition("/")[2] for row in rows] == ["b"]
    cut = ask(statements().undercutting("b")).to_networkx()
    assert set(cut) >= {"c", "b", "a"}
    assert cut.get_edge_data("c", "b")


def test_an_empty_answer_prints_that_nothing_was_found(ask: Ask) -> None:
    nothing = ask(claims().text("zebra"))
    assert repr(nothing).startswith("There is no claim saying 'zebra'. `kg search zebra` finds")
    assert not nothing
    assert nothing.edges == ()
    assert json.loads(nothing.to_json()) == []
    assert "There is no claim saying" in nothing._repr_html_()


def test_a_position_beyond_the_answer_is_an_index_error(ask: Ask) -> None:
    with pytest.raises(IndexError, match=r"^the result has no \[0\]; it is empty: no statements$"):
        ask(claims().text("zebra"))[0]
    with pytest.raises(IndexError, match=r"no \[4\]; it holds 4$"):
        ask(claims())[4]


def test_the_repr_of_a_view_is_one_line() -> None:
    line = "---\ntype: line\n---\n\n# L?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
    corpus = corpus_of_notes(references=BOOKS, line=line, **NOTES)
    assert repr(view_line(corpus, "line")) == (
        "<line view line: 1 optimist, 1 skeptic; clashes: 1; sources: 1>"
    )


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_answer_becomes_a_data_frame(ask: Ask, library: str) -> None:
    module = importlib.import_module(library)
    frame = ask(evidence()).to_frame(library)
    assert isinstance(frame, module.DataFrame)
    assert list(frame["id"]) == ["a#t"]
    assert list(frame["sample"]) == [9]
    assert list(frame["source"][0]) == ["s"]
    assert list(frame["year"][0]) == [2020]
