"""Records read back from what is said of them."""

from __future__ import annotations

import pytest

from kg.ontology import KG
from kg.rdf.quads import as_quads
from kg.rdf.reader import BrokenGraph, Records, group_triples
from kg.rdf.vocabulary import Iris
from tests.support.corpora import read

BASE = "https://example.org/inquiry-lines/"


def _records(without: str = "", **notes: str) -> Records:
    triples = ((q.subject, q.predicate, q.object) for q in as_quads(read(**notes)))
    return Records(group_triples(t for t in triples if t[1].value != without), Iris(BASE))


ARGUMENT = {
    "a": "---\ntype: claim\n---\n# A\n\nSee [[b]].\n",
    "b": "---\ntype: evidence\n---\n# B\n\n- supports:: [[a]] — so ^e\n",
}


def test_an_edge_is_written_where_its_statement_is() -> None:
    edge = _records(**ARGUMENT).edge(BASE + "edges/b#e")
    assert (edge.span.path, edge.span.line, edge.reason) == ("b.md", 6, "so")


def test_links_of_a_note_come_back_with_their_words() -> None:
    (link,) = _records(**ARGUMENT).mentions(BASE + "notes/a.md")
    assert (link.origin, link.target, link.context) == ("a", "b", "See [[b]].")


@pytest.mark.parametrize("lost", ["from", "to", "relation"])
def test_an_edge_that_lacks_an_end_is_told(lost: str) -> None:
    with pytest.raises(BrokenGraph, match="edges/b#e"):
        _records(KG + lost, **ARGUMENT).edge(BASE + "edges/b#e")


def test_a_statement_of_no_kind_is_told() -> None:
    with pytest.raises(BrokenGraph, match="of 0 kinds"):
        _records("http://www.w3.org/1999/02/22-rdf-syntax-ns#type", **ARGUMENT).statement(
            BASE + "statements/a"
        )
