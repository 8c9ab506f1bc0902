"""The values that a query is held to."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given

from kg.corpus import Corpus
from kg.corpus.names.asked_names import UnknownId
from kg.rdf.quad_store import as_store
from kg.rdf.query_bindings import (
    BadBinding,
    bind_variables,
    has_from_clause,
    named_node_of,
    names_with_prefix,
    render_literal,
    render_term,
)
from kg.rdf.run_query import ask_store, sparql
from tests.support.corpora import HOSTILE, random_corpora, words
from tests.support.effort import examples
from tests.support.every_row import every_row


def test_bindings_take_records_and_plain_values(two_camps: Corpus) -> None:
    query = "SELECT ?title { ?s kg:topic ?topic ; dcterms:title ?title }"
    answer = sparql(two_camps, query, {"topic": "reward", "s": two_camps.statement("reward")})
    assert [row["title"] for row in answer] == ["Rewards cut questions"]
    assert not len(sparql(two_camps, query, {"topic": "reward", "s": two_camps.statement("alone")}))
    year = "SELECT ?s { ?s dcterms:issued ?year FILTER (?year = ?wanted) }"
    assert len(sparql(two_camps, year, {"wanted": ox.Literal("1999", datatype=_xsd("gYear"))})) == 1


def _xsd(name: str) -> ox.NamedNode:
    return ox.NamedNode("http://www.w3.org/2001/XMLSchema#" + name)


@every_row(
    ("value", "kind"),
    [(3, "integer"), (True, "boolean"), (0.5, "double"), (dt.date(2026, 1, 2), "date")],
)
def test_values_keep_their_types(two_camps: Corpus, value: object, kind: str) -> None:
    answer = sparql(two_camps, "SELECT (DATATYPE(?x) AS ?kind) { BIND(?x AS ?y) }", {"x": value})
    assert [row["kind"] for row in answer] == [_xsd(kind).value]


def test_a_date_with_a_time_is_bound_as_its_day(two_camps: Corpus) -> None:
    query = "SELECT (STR(?x) AS ?day) { BIND(?x AS ?y) }"
    (row,) = sparql(two_camps, query, {"x": dt.datetime(2026, 1, 2, 3, 4)})
    assert row["day"] == "2026-01-02"


def test_a_value_that_is_no_term_is_refused(two_camps: Corpus) -> None:
    with pytest.raises(BadBinding, match="list"):
        sparql(two_camps, "SELECT ?x { ?x ?y ?z }", {"x": []})


def test_an_unknown_variable_is_named_with_those_there_are(two_camps: Corpus) -> None:
    with pytest.raises(BadBinding, match=r"no variable \?clam; it has \?claim"):
        sparql(two_camps, "SELECT ?claim { ?claim a kg:Claim }", {"clam": "x"})


def test_a_construct_without_a_template_takes_no_values() -> None:
    with pytest.raises(BadBinding, match="template"):
        bind_variables("CONSTRUCT WHERE { ?x ?z ?y }", {"x": ox.Literal("y")})


def test_a_query_without_a_pattern_is_refused() -> None:
    with pytest.raises(BadBinding, match="no pattern"):
        bind_variables("DESCRIBE ?x", {"x": ox.Literal("y")})


@every_row(
    ("query", "start"),
    [
        ("SELECT ?x { ?x a kg:Claim }", "SELECT ?x {"),
        ("SELECT ?x WHERE{ ?x a kg:Claim }", "SELECT ?x WHERE{"),
        (
            "SELECT (EXISTS { ?x ?y ?z } AS ?e) WHERE { ?x a ?y }",
            "SELECT (EXISTS { ?x ?y ?z } AS ?e) WHERE {",
        ),
        ("# {?x\nASK { ?x a ?y }", "# {?x\nASK {"),
        ("CONSTRUCT { ?x a ?y } WHERE { ?x ?z ?y }", "CONSTRUCT { ?x a ?y } WHERE {"),
        ("CONSTRUCT { ?x a ?y } { ?x ?z ?y }", "CONSTRUCT { ?x a ?y } {"),
        (
            "PREFIX where: <http://x/{> SELECT ?x { ?x where:is '{' }",
            "PREFIX where: <http://x/{> SELECT ?x {",
        ),
        ("SELECT ?x FROM <urn:{> { ?x ?z ?y }", "SELECT ?x FROM <urn:{> {"),
    ],
)
def test_values_go_into_the_outermost_pattern(query: str, start: str) -> None:
    query, start = query.replace("{>", ">"), start.replace("{>", ">")
    bound = bind_variables(query, {"x": ox.Literal("v")})
    assert bound.startswith(start + ' VALUES (?x) { ("v") }')
    ox.Store().query(bound, prefixes={"kg": "urn:kg#"})


@given(random_corpora(), words, words)
@examples(3)
def test_a_value_never_becomes_query(corpus: Corpus, title: str, other: str) -> None:
    store = as_store(corpus)
    query = "SELECT ?s { ?s dcterms:title ?t }"
    every = {(q.subject, q.object) for q in store.quads_for_pattern(None, _title, None)}
    for value in (title, other):
        rows = {row[0] for row in ask_store(store, query, {"t": ox.Literal(value)}).rows}
        assert rows == {subject for subject, object in every if object == ox.Literal(value)}


_title = ox.NamedNode("http://purl.org/dc/terms/title")


@every_row("word", HOSTILE)
def test_hostile_values_come_back_as_they_went_in(word: str) -> None:
    store = ask_store(ox.Store(), "SELECT ?x { BIND(?x AS ?y) }", {"x": ox.Literal(word)})
    assert [row["x"] for row in store] == [word]


@given(words)
def test_no_rendered_term_shows_an_escape_behind_a_backslash(word: str) -> None:
    rendered = render_term(ox.Literal(word))
    assert render_literal(word) == rendered
    assert "\\\\u" not in rendered.replace("\\\\\\u0075", "").replace("\\\\\\u0055", "")


def test_a_from_clause_is_found_but_not_in_names_texts_or_comments() -> None:
    assert has_from_clause("SELECT * from <urn:x> { ?s ?p ?o }")
    assert not has_from_clause('SELECT * { ?from kg:origin "from" } # from <urn:x>')


def test_a_name_with_a_prefix_ends_before_the_full_stop_of_its_triple() -> None:
    query = 'ASK { ?s a kg:Claim. ?s kg:v1.0 "kg:text" . # kg:comment\n ?t a kg:Claim ; akg:x kg: }'
    assert names_with_prefix(query, "kg") == ("Claim", "v1.0")


def test_any_variable_can_be_held(two_camps: Corpus, tmp_path: Path) -> None:
    for name in ("store", "query", "corpus"):
        answer = sparql(two_camps, f"SELECT ?{name} {{ ?s kg:topic ?{name} }}", {name: "reward"})
        assert {row[name] for row in answer} == {"reward"}


@every_row(
    ("name", "end"),
    [
        ("reward", "statements/reward"),
        ("line", "lines/line"),
        ("old", "sources/old"),
        ("reward#no", "edges/reward#no"),
        ("skeptic", "camps/skeptic"),
    ],
)
def test_whatever_has_an_id_and_each_camp_has_an_iri(
    two_camps: Corpus, name: str, end: str
) -> None:
    assert named_node_of(two_camps, name).value.endswith(end)


def test_a_name_of_nothing_has_no_iri(two_camps: Corpus) -> None:
    with pytest.raises(UnknownId, match="nobody"):
        named_node_of(two_camps, "nobody")


def test_the_variables_that_there_are_are_named_in_order() -> None:
    query = "SELECT ?z { ?z ?a ?m }"
    with pytest.raises(BadBinding, match=r"no variable \?x; it has \?a, \?m, \?z"):
        bind_variables(query, {"x": ox.Literal("1")})
    with pytest.raises(BadBinding, match="it has no variables"):
        bind_variables("ASK { <a:b> <a:b> <a:b> }", {"x": ox.Literal("1")})
