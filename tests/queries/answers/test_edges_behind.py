"""The edges by which what is found meets a question."""

from __future__ import annotations

import pytest

from kg.queries.language.builders import claims, edges, evidence, sources, statements
from kg.queries.language.selection import Selection
from tests.queries.answers.conftest import Ask


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
