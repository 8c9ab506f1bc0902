"""A SPARQL 1.1 server, asked as if it were the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import pyoxigraph as ox

from kg.exchange.http import Client, EndpointError, Reply
from kg.rdf.bindings import asks_for_graph, bind, chooses_graphs
from kg.rdf.sparql import Answer, Rows, Term, Triples, Truth, with_prefixes

FORM = "application/x-www-form-urlencoded"
RESULTS = "application/sparql-results+json"
GRAPH = "application/n-triples, text/turtle;q=0.8"
PAGE = 5000
UNIONS: tuple[dict[str, str], ...] = ({}, {"union-default-graph": "true"})


def connect(url: str, update_url: str = "") -> Endpoint:
    """A server by the address of its queries; updates go to `update_url`, or where is usual."""
    return Endpoint(url, update_url or usual_update_url(url))


def usual_update_url(url: str) -> str:
    """Where servers of the known makes take updates, given where they take queries."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if path.endswith("/query"):
        path = path.removesuffix("query") + "update"
    elif path.rpartition("/")[0].endswith("/repositories"):
        path += "/statements"
    return urlunsplit(parts._replace(path=path))


class Endpoint:
    """Answers queries over all named graphs, and takes updates, or raises `EndpointError`."""

    def __init__(self, url: str, update_url: str, client: Client | None = None) -> None:
        self.url = url
        self.update_url = update_url
        self.client = client or Client()
        self._union: dict[str, str] | None = None

    def __repr__(self) -> str:
        return f"<Endpoint {self.url.partition('?')[0]}>"

    def select(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Rows:
        """The rows that a SELECT finds."""
        answer = parse_results(self._ask(query, values or {}, RESULTS))
        if not isinstance(answer, Rows):
            raise EndpointError("this query is no SELECT")
        return answer

    def ask(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Answer:
        """The answer to a query of any form, as the corpus itself would give it."""
        accept = GRAPH if asks_for_graph(query) else RESULTS
        return parse_results(self._ask(query, values or {}, accept))

    def pages(
        self, pattern: str, variables: str, size: int = PAGE
    ) -> Iterator[tuple[Term | None, ...]]:
        """Every row for a pattern, in pieces that servers with a limit still give whole."""
        start = 0
        while True:
            inner = f"SELECT DISTINCT {variables} WHERE {{ {pattern} }} ORDER BY {variables}"
            query = f"SELECT {variables} WHERE {{ {{ {inner} }} }} LIMIT {size} OFFSET {start}"
            rows = self.select(query).rows
            yield from rows
            if not rows:
                return
            start += len(rows)

    def update(self, text: str) -> None:
        """Run an update."""
        body = urlencode({"update": text}).encode()
        self.client.post(self.update_url, body, FORM, "*/*")

    def _ask(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal], accept: str
    ) -> Reply:
        text = with_prefixes(bind(query, values))
        extra = {} if chooses_graphs(text) else self._looks_everywhere()
        return self._post(text, accept, extra)

    def _post(self, text: str, accept: str, extra: Mapping[str, str]) -> Reply:
        body = urlencode({"query": text, **extra}).encode()
        return self.client.post(self.url, body, FORM, accept)

    def _looks_everywhere(self) -> dict[str, str]:
        """What makes the server look into all named graphs, found out by asking for a triple."""
        if self._union is not None:
            return self._union
        if not self._true("ASK { GRAPH ?g { ?s ?p ?o } }", {}):
            return {}  # an empty server cannot show how it looks: ask again when it holds something
        for extra in UNIONS:
            if self._true("ASK { ?s ?p ?o }", extra):
                self._union = extra
                return extra
        raise EndpointError(
            f"{self!r} answers from its default graph alone: tell the server to take the union "
            "of all named graphs as its default graph"
        )

    def _true(self, query: str, extra: Mapping[str, str]) -> bool:
        answer = parse_results(self._post(query, RESULTS, extra))
        return isinstance(answer, Truth) and answer.value


def parse_results(reply: Reply) -> Answer:
    """A server's answer as a value: JSON results, or a graph."""
    try:
        if "json" in reply.type:
            return _parse_json(json.loads(reply.body))
        for format in (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.TURTLE):
            if format.media_type == reply.type or reply.type == "text/plain":
                return Triples(tuple(quad.triple for quad in ox.parse(reply.body, format=format)))
    except (ValueError, KeyError, SyntaxError) as error:
        raise EndpointError(f"the server's answer cannot be read: {error}") from None
    raise EndpointError(f"the server answered in {reply.type}, which is no format for answers")


def _parse_json(found: Any) -> Answer:
    if "boolean" in found:
        return Truth(bool(found["boolean"]))
    variables = tuple(found["head"].get("vars", ()))
    return Rows(
        variables,
        tuple(
            tuple(_term(row[name]) if row.get(name) else None for name in variables)
            for row in found["results"]["bindings"]
        ),
    )


def _term(found: Mapping[str, str]) -> Term:
    kind, value = found["type"], found["value"]
    if kind == "uri":
        return ox.NamedNode(value)
    if kind == "bnode":
        return ox.BlankNode(value.removeprefix("_:").replace("nodeID://", ""))
    if language := found.get("xml:lang"):
        return ox.Literal(value, language=language)
    datatype = found.get("datatype")
    return ox.Literal(value, datatype=ox.NamedNode(datatype)) if datatype else ox.Literal(value)
