"""Servers that answer something else than they were asked, or without end."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kg.endpoints.client import Client
from kg.endpoints.connections import EndpointError, EndpointLimits, variable_of
from kg.endpoints.endpoint import open_endpoint
from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.rdf.sparql_result import Triples


def test_rows_of_other_variables_are_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"bindings": [{"g": {"type": "literal", "value": "x"}}]}
    answer = json.dumps({"head": {"vars": ["g"]}, "results": rows}).encode()
    reply = ServerReply(answer, "application/sparql-results+json")
    monkeypatch.setattr(Client, "post", lambda *_: reply)
    server = open_endpoint("http://127.0.0.1:1/x?key=secret")
    assert repr(server) == "<Endpoint http://127.0.0.1:1/x>"
    for query, names in (
        ("?e ?d ?c ?b ?a {}", "?a, ?b, ?c, ?d, ?e"),
        ("(COUNT(?g) AS ?n) { ?g ?p ?o }", "?n"),
    ):
        with pytest.raises(EndpointError, match=re.escape(f"answers other variables than {names}")):
            server.select(f"SELECT {query}")
    assert len(server.select("SELECT ?g WHERE { ?g ?p ?o }")) == 1


class _SameRows:
    """A server that never comes to an end of its rows, the same or ever new ones."""

    def __init__(self, new: bool) -> None:
        self.new, self.asked = new, 0

    def post(self, url: str, body: bytes, type: str, accept: str) -> ServerReply:
        self.asked += 1
        assert self.asked < 50
        value = str(self.asked * self.new)
        row = {"a": {"type": "literal", "value": value}}
        reply: dict[str, Any] = {
            "head": {"vars": ["a"]},
            "boolean": None,
            "results": {"bindings": [row] * 30},
        }
        if b"ASK" in body:
            reply = {"head": {}, "boolean": True}
        return ServerReply(json.dumps(reply).encode(), "application/sparql-results+json")


def test_rows_without_end_are_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = {"rows": "more than 1,000 rows .*KG_ENDPOINT_ROWS", "pages": "KG_ENDPOINT_PAGES"}
    for limit, why in (("rows", "ignores OFFSET"), *endless.items()):
        monkeypatch.setenv(variable_of("rows"), "1000")
        monkeypatch.setenv(variable_of("pages"), "9" if limit == "pages" else "1000")
        server = open_endpoint("http://127.0.0.1/q")
        monkeypatch.setattr(server, "client", _SameRows(new=why in endless.values()))
        with pytest.raises(EndpointError, match=why):
            list(server.pages("?s ?p ?a", "?a"))


def test_the_depth_of_an_answer_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "<a:b> <a:b> <<( <a:b> <a:b> <<( <a:b> <a:b> <a:b> )>> )>> ."
    server_reply = ServerReply(deep.encode(), "application/n-triples")
    assert isinstance(parse_results(server_reply, EndpointLimits(depth=2)), Triples)
    monkeypatch.setenv(variable_of("depth"), "1")
    server = open_endpoint("http://127.0.0.1:1/x")
    monkeypatch.setattr(Client, "post", lambda *_: server_reply)
    with pytest.raises(EndpointError, match=r"more than 1 triples .*KG_ENDPOINT_DEPTH"):
        server.ask("DESCRIBE <a:b> FROM <a:b>")
