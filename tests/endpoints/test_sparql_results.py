"""Answers of servers, as each writes them."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest

from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.rdf.sparql_answer import Rows


@pytest.mark.parametrize("name", ["b10001", "_:b10001", "nodeID://b10001"])
def test_blank_nodes_are_read_as_each_server_names_them(name: str) -> None:
    node = {"type": "bnode", "value": name}
    answer = {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": node}]}}
    reply = ServerReply(json.dumps(answer).encode(), "application/sparql-results+json")
    assert parse_results(reply) == Rows(("s",), ((ox.BlankNode("b10001"),),))
