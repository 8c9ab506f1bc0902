"""A client for SPARQL 1.1 servers, to query them like the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode

import pyoxigraph as ox

from kg.endpoints.client import Client
from kg.endpoints.connections import EndpointError, read_limits, usual_update_url, variable_of
from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.rdf.query_bindings import (
    bind_variables,
    has_from_clause,
    is_graph_query,
    selected_variables,
)
from kg.rdf.run_query import with_prefixes
from kg.rdf.sparql_result import RdfTerm, Rows, SparqlResult, Truth

FORM_TYPE = "application/x-www-form-urlencoded"
RESULTS_TYPE = "application/sparql-results+json"
GRAPH_TYPES = "application/n-triples, text/turtle;q=0.8"
ROWS_PER_PAGE = 5000  # rows per request: many servers limit the size of an answer
UNION_GRAPH_PARAMETERS: tuple[dict[str, str], ...] = ({}, {"union-default-graph": "true"})


def open_endpoint(url: str, update_url: str = "") -> Endpoint:
    """A server by its query URL; updates go to `update_url`, or to the usual update URL."""
    return Endpoint(url, update_url or usual_update_url(url))


class Endpoint:
    """Runs queries over all named graphs, and updates; methods raise `EndpointError`."""

    def __init__(self, url: str, update_url: str) -> None:
        self.url = url
        self.update_url = update_url
        self.limits = read_limits()
        self.client = Client(limits=self.limits)
        self._union: dict[str, str] | None = None

    def __repr__(self) -> str:
        return f"<Endpoint {self.url.partition('?')[0]}>"

    def select(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Rows:
        """The rows of a SELECT query."""
        result = self._parse_reply(self._ask_query(query, values or {}, RESULTS_TYPE))
        if not isinstance(result, Rows):
            raise EndpointError("this query is not a SELECT")
        asked_variables = selected_variables(query)
        answered_variables = {*result.variables}
        if (
            asked_variables
            and result.rows
            and not asked_variables - {*(values or {})} <= answered_variables <= asked_variables
        ):
            names = ", ".join(f"?{name}" for name in sorted(asked_variables))
            raise EndpointError(f"{self!r} answers other variables than {names}")
        return result

    def ask(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> SparqlResult:
        """The result of a query of any form, as from the corpus itself."""
        accept = GRAPH_TYPES if is_graph_query(query) else RESULTS_TYPE
        return self._parse_reply(self._ask_query(query, values or {}, accept))

    def pages(
        self, pattern: str, variables: str, size: int = ROWS_PER_PAGE
    ) -> Iterator[tuple[RdfTerm | None, ...]]:
        """Yield every row for a pattern, requested in pages small enough for servers with a limit.

        Raises `EndpointError` if the server repeats rows.
        """
        offset = 0
        last_row = None
        for _ in range(self.limits.pages):
            distinct_rows = f"SELECT DISTINCT {variables} WHERE {{ {pattern} }}"
            # sorted within, so that no server limits what is sorted
            in_order = f"{distinct_rows} ORDER BY {variables}"
            page = f"SELECT {variables} WHERE {{ {{ {in_order} }} }} LIMIT {size} OFFSET {offset}"
            rows = self.select(page).rows
            if not rows:
                return
            if rows[-1] == last_row:  # else each page would be the same, without end
                raise EndpointError(f"{self!r} repeats rows: it ignores OFFSET")
            last_row = rows[-1]
            yield from rows
            offset += len(rows)
            if offset > self.limits.rows:
                raise self._limit_error("rows")
            # asked without order: a server would sort all rows for a page of none
            if (
                offset == len(rows) < size
                and not self.select(f"{distinct_rows} LIMIT 1 OFFSET {offset}").rows
            ):
                return
        raise self._limit_error("pages")

    def _limit_error(self, limit: str) -> EndpointError:
        excess = f"more than {getattr(self.limits, limit):,} {limit} for one question"
        return EndpointError(f"{self!r} gives {excess} ({variable_of(limit)})")

    def update(self, text: str) -> None:
        """Have the server run a SPARQL update. Raises `EndpointError`."""
        body = urlencode({"update": text}).encode()
        self.client.post(self.update_url, body, FORM_TYPE, "*/*")

    def _ask_query(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal], accept: str
    ) -> ServerReply:
        text = with_prefixes(bind_variables(query, values))
        extra = {} if has_from_clause(text) else self._union_graph_parameters()
        return self._post_text(text, accept, extra)

    def _post_text(self, text: str, accept: str, extra: Mapping[str, str]) -> ServerReply:
        body = urlencode({"query": text, **extra}).encode()
        return self.client.post(self.url, body, FORM_TYPE, accept)

    def _union_graph_parameters(self) -> dict[str, str]:
        """Parameters that make the server query all named graphs, found by trial queries."""
        if self._union is not None:
            return self._union
        if not self._is_true("ASK { GRAPH ?g { ?s ?p ?o } }", {}):
            return {}  # an empty server cannot tell: ask again once it has data
        for extra in UNION_GRAPH_PARAMETERS:
            if self._is_true("ASK { ?s ?p ?o }", extra):
                self._union = extra
                return extra
        raise EndpointError(
            f"{self!r} queries only its default graph: configure the server to use the union "
            "of all named graphs as its default graph"
        )

    def _parse_reply(self, reply: ServerReply) -> SparqlResult:
        return parse_results(reply, self.limits)

    def _is_true(self, query: str, extra: Mapping[str, str]) -> bool:
        result = self._parse_reply(self._post_text(query, RESULTS_TYPE, extra))
        return isinstance(result, Truth) and result.value
