"""Answers of servers, as each writes them."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest

from kg.endpoints.connections import EndpointError, EndpointLimits
from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.rdf.sparql_result import Rows, Triples, Truth


@pytest.mark.parametrize("name", ["b10001", "_:b10001", "nodeID://b10001"])
def test_blank_nodes_are_read_as_each_server_names_them(name: str) -> None:
    node = {"type": "bnode", "value": name}
    answer = {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": node}]}}
    reply = ServerReply(json.dumps(answer).encode(), "application/sparql-results+json")
    assert parse_results(reply) == Rows(("s",), ((ox.BlankNode("b10001"),),))


def test_answers_of_every_kind_are_read() -> None:
    typed = b"""{"head": {"vars": ["a", "b", "c", "d", "e"]}, "results": {"bindings": [{
        "a": {"type": "typed-literal", "value": "1",
            "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
        "b": {"type": "literal", "xml:lang": "en", "value": "x"},
        "d": {"type": "literal", "value": "y"}, "e": {"type": "uri", "value": "a:b"}}]}}"""
    answer = parse_results(ServerReply(typed, "application/sparql-results+json"))
    assert isinstance(answer, Rows)
    literals = (ox.Literal(1), ox.Literal("x", language="en"), None, ox.Literal("y"))
    assert answer.rows == ((*literals, ox.NamedNode("a:b")),)
    assert parse_results(ServerReply(b'{"boolean": true}', "application/json")) == Truth(True)
    graph = parse_results(ServerReply(b"<a:b> <a:b> <a:b> .", "text/turtle"))
    assert isinstance(graph, Triples)
    assert len(graph) == 1


def test_what_is_in_no_format_of_answers_is_an_error() -> None:
    with pytest.raises(EndpointError, match="text/html, which is not a format"):
        parse_results(ServerReply(b"<html>", "text/html"))


_TERM = '{"head":{"vars":["a"]},"results":{"bindings":[{"a":%s}]}}'


@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "[]",
        "5",
        "{}",
        '{"head":{"vars":5}}',
        '{"boolean":"yes"}',
        "[" * 100_000,
        '{"a":' * 100_000,
        _TERM % "5",
        _TERM % '{"type":"triple","value":"x"}',
        _TERM % '{"type":"uri","value":"x y"}',
        _TERM % '{"type":"literal","value":"x","xml:lang":"!"}',
        '{"head":{"vars":["a"]},"results":{"bindings":{"a":1}}}',
    ],
)
def test_an_answer_of_a_wrong_kind_is_one_error(body: str) -> None:
    with pytest.raises(EndpointError, match="cannot be read"):
        parse_results(ServerReply(body.encode(), "application/sparql-results+json"))


@pytest.mark.parametrize("type", ["application/n-triples", "text/turtle"])
@pytest.mark.parametrize("levels", [1_000, 100_000])
def test_a_graph_that_nests_without_end_is_one_error(type: str, levels: int) -> None:
    body = "<a:b> <a:b> " + "<<( <a:b> <a:b> " * levels + "<a:b> " + ")>> " * levels + " ."
    with pytest.raises(EndpointError, match="triples within triples"):
        parse_results(ServerReply(body.encode(), type))


def test_a_graph_much_larger_than_its_bytes_is_one_error() -> None:
    """A prefix is written once, and is a part of each address."""
    graph = f"@prefix a: <http://x.y/{'z' * 100}> . " + "a:b a:b a:b . " * 50
    server_reply = ServerReply(graph.encode(), "text/turtle")
    parse_results(server_reply, EndpointLimits(bytes=20_000))
    with pytest.raises(EndpointError, match=r"more than 10,000 bytes .*KG_ENDPOINT_BYTES"):
        parse_results(server_reply, EndpointLimits(bytes=10_000))


def test_rows_that_are_filled_up_without_end_are_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    names, rows = json.dumps([f"v{number}" for number in range(300)]), ",".join(["{}"] * 300)
    body = f'{{"head":{{"vars":{names}}},"results":{{"bindings":[{rows}]}}}}'
    server_reply = ServerReply(body.encode(), "application/sparql-results+json")
    assert len(parse_results(server_reply)) == 300
    monkeypatch.setattr("kg.endpoints.sparql_results.MAX_EMPTY_CELLS", 80_000)
    with pytest.raises(EndpointError, match="90,000 cells"):
        parse_results(server_reply)


@pytest.mark.parametrize(
    ("begin", "end"), [("(", ")"), ("[ <a:b> ", "]"), ("<< <a:b> <a:b> ", ">>")]
)
def test_a_graph_of_deep_lists_is_read(begin: str, end: str) -> None:
    body = "<a:b> <a:b> " + begin * 50_000 + "1" + end * 50_000 + " ."
    answer = parse_results(ServerReply(body.encode(), "text/turtle"))
    assert isinstance(answer, Triples)
    assert len(answer) >= 50_000
