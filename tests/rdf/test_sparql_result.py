"""Answers of SPARQL as values, as text and as data frames."""

from __future__ import annotations

import csv
import io
import json

import pyoxigraph as ox
import pytest

from kg.corpus import Corpus
from kg.rdf.run_query import ask_store, sparql
from kg.rdf.sparql_result import (
    VALUE_OF_DATATYPE,
    NotAGraph,
    Rows,
    Truth,
    columns_and_rows,
    render_csv,
    render_graph,
    render_json,
    short_term,
    shorten_terms,
)
from kg.rdf.vocabulary import XSD
from tests.support.every_row import every_row

BASE = "https://example.org/inquiry-lines/"


def test_rows_say_what_they_hold() -> None:
    rows = Rows(("s", "t"), ((ox.Literal("a\x1b[31mb\nc"), None),))
    assert repr(rows) == "<Rows of s, t: 1>"
    assert str(rows) == "s\tt\na [31mb c\t"


@pytest.fixture
def hostile() -> Rows:
    row = (ox.NamedNode("urn:x"), ox.Literal('=1+1,"x"\n'), ox.Literal(-5), None)
    return Rows(("iri", "text", "number", "none"), (row,))


def test_csv_is_read_back_and_formulas_are_inert(hostile: Rows) -> None:
    header, row = csv.reader(io.StringIO(render_csv(hostile), newline=""))
    assert header == ["iri", "text", "number", "none"]
    assert row == ["urn:x", '\'=1+1,"x"\n', "-5", ""]


def test_words_that_are_called_a_number_are_no_formula_either() -> None:
    words = ("=1", "-1+2", "＝1", "1")
    row = tuple(ox.Literal(word, datatype=ox.NamedNode(f"{XSD}integer")) for word in words)
    _, cells = csv.reader(io.StringIO(render_csv(Rows(words, (row,)))))
    assert cells == ["'=1", "'-1+2", "'＝1", "1"]


def test_json_is_what_other_tools_read(hostile: Rows) -> None:
    text = render_json(hostile)
    (row,) = ox.parse_query_results(text.encode(), format=ox.QueryResultsFormat.JSON)
    assert tuple(row) == hostile.rows[0]
    assert json.loads(render_json(Truth(True)))["boolean"] is True


def test_graphs_are_turtle_and_rows_are_no_graph(two_camps: Corpus, hostile: Rows) -> None:
    answer = sparql(two_camps, "CONSTRUCT { ?s a kg:Claim } WHERE { ?s a kg:Claim }")
    parsed = set(ox.parse(render_graph(answer).encode(), format=ox.RdfFormat.TURTLE))
    assert len(parsed) == 4
    assert json.loads(render_json(answer))
    with pytest.raises(NotAGraph):
        render_graph(hostile)


def test_people_read_ids_and_prefixed_names() -> None:
    assert short_term(ox.NamedNode(BASE + "statements/a"), BASE) == "statements/a"
    assert short_term(ox.NamedNode("http://purl.org/dc/terms/title"), BASE) == "dcterms:title"
    assert short_term(ox.Literal("x"), BASE) == "x"
    assert short_term(None, BASE) == ""


def test_rows_are_a_frame_of_numbers_texts_and_nothing() -> None:
    query = (
        "SELECT ?n ?d ?t ?x { VALUES (?n ?d ?t ?x) { (1 2.5 true 'a') (UNDEF UNDEF UNDEF 'b') } }"
    )
    rows = ask_store(ox.Store(), query)
    assert isinstance(rows, Rows)
    frame = rows.to_frame("pandas").astype(object)
    first, second = frame.where(frame.notna(), None).to_dict("records")
    assert first == {"n": 1, "d": 2.5, "t": True, "x": "a"}
    assert second == {"n": None, "d": None, "t": None, "x": "b"}
    assert rows.to_csv().splitlines()[0] == "n,d,t,x"
    many = ox.Literal("many", datatype=ox.NamedNode("http://www.w3.org/2001/XMLSchema#integer"))
    assert Rows(("n",), ((many,),)).to_frame("pandas")["n"].to_list() == ["many"]


def test_the_folder_of_an_id_shows_where_two_things_share_it() -> None:
    rows = [tuple(ox.NamedNode(BASE + name) for name in ("statements/a%20b", "notes/x/a.md"))]
    assert shorten_terms(rows, BASE) == [["a b", "x/a.md"]]
    both = [tuple(ox.NamedNode(BASE + name) for name in ("statements/a#e", "edges/a#e"))]
    assert shorten_terms(both, BASE) == [["statements/a#e", "edges/a#e"]]
    other = [(ox.NamedNode("https://other.example/statements/a"), ox.Literal("a"), None)]
    assert shorten_terms(other, BASE) == [["https://other.example/statements/a", "a", ""]]
    assert shorten_terms(other, "") == shorten_terms(other, BASE)


@every_row(
    ("iri", "expected_output"),
    [
        (f"{XSD}date-time", "xsd:date-time"),
        (f"{XSD}date/time", f"{XSD}date/time"),
        (XSD, XSD),
        (f"{BASE}notes/", "notes/"),
        (f"{BASE}elsewhere/a", "elsewhere/a"),
        ("urn:x", "urn:x"),
    ],
)
def test_an_iri_is_shortened_where_it_can_be_read_back(iri: str, expected_output: str) -> None:
    assert short_term(ox.NamedNode(iri), BASE) == expected_output
    assert short_term(ox.NamedNode(iri), "") == (iri if iri.startswith(BASE) else expected_output)


@every_row(("text", "cell"), [("+1", "'+1"), ("-2.5", "'-2.5"), ("3", "3")])
def test_a_plain_text_that_looks_like_a_number_is_escaped_as_text(text: str, cell: str) -> None:
    _, cells = csv.reader(io.StringIO(render_csv(Rows(("x",), ((ox.Literal(text),),)))))
    assert cells == [cell]


@every_row(("text", "value"), [("true", True), ("1", True), ("false", False), ("0", False)])
def test_both_spellings_of_a_truth_value_are_read(text: str, value: bool) -> None:
    assert VALUE_OF_DATATYPE[f"{XSD}boolean"](text) is value


def test_each_form_of_query_has_its_answer_and_each_answer_its_table(two_camps: Corpus) -> None:
    question = "{ ?s dcterms:title 'Nobody says why' }"
    claim = ox.NamedNode(f"{BASE}statements/alone")
    title = ox.NamedNode("http://purl.org/dc/terms/title"), ox.Literal("Nobody says why")
    answers = (
        (f"SELECT ?s {question}", 1, ("s",), [(claim,)]),
        (f"CONSTRUCT WHERE {question}", 1, ("subject", "predicate", "object"), [(claim, *title)]),
        (f"ASK {question}", Truth(True), ("answer",), [(ox.Literal(True),)]),
        ("ASK { ?s dcterms:title 'No' }", Truth(False), ("answer",), [(ox.Literal(False),)]),
    )
    for query, expected, columns, rows in answers:
        answer = sparql(two_camps, query)
        assert (answer if isinstance(answer, Truth) else len(answer)) == expected
        assert (columns, rows) == (columns_and_rows(answer)[0], list(columns_and_rows(answer)[1]))
