"""The queries that are known by name find what their titles say.

Of `kg/rdf/ontology.py`, too.
"""

from __future__ import annotations

import re

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.rdf.ontology import NamedQuery, named_queries, named_query
from kg.rdf.query_bindings import bind_variables, named_node_of
from kg.rdf.run_query import sparql
from kg.rdf.sparql_result import columns_and_rows, short_term
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

BASE = "https://example.org/inquiry-lines/"


ANSWERS = {
    "around": ("statement=grows", {"statements/reward", "statements/undone", "statements/grows"}),
    "camps": ("", {"camps/optimist", "camps/skeptic"}),
    "clashes": ("line=line", {"statements/reward", "statements/grows"}),
    "evidence": ("claim=reward", {"statements/reward", "kg:method-benchmark"}),
    "fallen-sources": ("", {"statements/reward#few", "statements/grows", "sources/old"}),
    "one-source": ("", {"statements/reward", "sources/old"}),
    "reasons": ("statement=grows", {"statements/undone"}),
    "shared-sources": ("", {"sources/old"}),
    "unanswered": ("line=line", {"statements/alone"}),
    "unsupported": ("", {"statements/alone", "statements/undone"}),
}


def test_there_are_ten_kept_queries_and_each_is_tested() -> None:
    assert {query.name for query in named_queries()} == set(ANSWERS)
    assert len(ANSWERS) == 10


@every_row("name", ANSWERS)
def test_kept_queries_find_what_their_titles_say(two_camps: Corpus, name: str) -> None:
    binding, expected = ANSWERS[name]
    bindings = {
        name: named_node_of(two_camps, id) for name, _, id in [binding.partition("=")] if name
    }
    _, rows = columns_and_rows(sparql(two_camps, named_query(name).text, bindings))
    assert expected <= {short_term(term, BASE) for row in rows for term in row}
    others = {"statements/grows", "statements/alone", "statements/reward"} - expected
    assert not others & {short_term(term, BASE) for row in rows for term in row}


def test_a_mutual_contradiction_is_one_clash() -> None:
    notes = {
        name: f"---\ntype: claim\n---\n# {name}\n\n- contradicts:: [[{other}]] (mutual:: yes)\n"
        for name, other in (("a", "b"), ("c", "d"))
    }
    notes |= {name: f"---\ntype: claim\n---\n# {name}\n" for name in ("b", "d")}
    placed = "- optimist:: [[a]]\n- skeptic:: [[b]]\n- skeptic:: [[c]]\n- optimist:: [[d]]\n"
    line = f"---\ntype: line\n---\n# L?\n\nNow.\n\n## Camps\n\n{placed}"
    answer = sparql(corpus_of_notes(line=line, **notes), named_query("clashes").text)
    assert [(row["title"], row["againstTitle"]) for row in answer] == [("a", "b"), ("c", "d")]


def test_a_query_says_what_its_parameters_mean_and_which_it_needs() -> None:
    query = NamedQuery("q", "T", "# T\n# ?x: the x, as it is\n# ?y (needed): a y\nASK { ?x ?y ?z }")
    assert query.parameters == {"x": "the x, as it is", "y": "a y"}
    assert query.required_variables == ("y",)


@every_row("query", named_queries())
def test_kept_queries_name_their_parameters_truly(query: NamedQuery) -> None:
    for name in query.parameters:
        bind_variables(query.text, {name: ox.Literal("x")})
    inside = re.findall(r"NOT EXISTS \{([^{}]*)\}", query.text)
    assert not any(mark in pattern.split() for pattern in inside for mark in ".;")
