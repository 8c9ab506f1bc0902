"""Answers of servers, as each writes them."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest

from kg.endpoints.connections import EndpointError
from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.rdf.sparql_answer import Rows, Triples, Truth
from tests.support.every_row import every_row


@pytest.mark.parametrize("name", ["b10001", "_:b10001", "nodeID://b10001"])
def test_blank_nodes_are_read_as_each_server_names_them(name: str) -> None:
    node = {"type": "bnode", "value": name}
    answer = {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": node}]}}
    reply = ServerReply(json.dumps(answer).encode(), "application/sparql-results+json")
    assert parse_results(reply) == Rows(("s",), ((ox.BlankNode("b10001"),),))


def test_answers_of_every_kind_are_read() -> None:
    typed = b"""{"head": {"vars": ["a", "b", "c"]}, "results": {"bindings": [{
        "a": {"type": "typed-literal", "value": "1",
            "datatype": "http://www.w3.org/2001/XMLSchema#integer"},
        "b": {"type": "literal", "xml:lang": "en", "value": "x"}}]}}"""
    answer = parse_results(ServerReply(typed, "application/sparql-results+json"))
    assert isinstance(answer, Rows)
    assert answer.rows == ((ox.Literal(1), ox.Literal("x", language="en"), None),)
    assert parse_results(ServerReply(b'{"boolean": true}', "application/json")) == Truth(True)
    graph = parse_results(ServerReply(b"<a:b> <a:b> <a:b> .", "text/turtle"))
    assert isinstance(graph, Triples)
    assert len(graph) == 1


@every_row(
    "reply",
    [
        ServerReply(b"<html>", "text/html"),
        ServerReply(b"{", "application/json"),
        ServerReply(b"{}", "application/json"),
    ],
)
def test_what_is_no_answer_is_an_error(reply: ServerReply) -> None:
    with pytest.raises(EndpointError):
        parse_results(reply)
