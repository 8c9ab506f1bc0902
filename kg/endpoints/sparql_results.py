"""A server's answer to a SPARQL query, parsed: JSON results, or a graph; what would be much larger
than its bytes is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec
import pyoxigraph as ox

from kg.endpoints.connections import DEFAULT_LIMITS, EndpointError, EndpointLimits, variable_of
from kg.rdf.sparql_result import RdfTerm, Rows, SparqlResult, Triples, Truth

MAX_EMPTY_CELLS = 10_000_000  # of rows: more only where the answer has as many bytes


@dataclass(frozen=True, slots=True)
class ServerReply:
    """A server's answer: its body and media type."""

    body: bytes
    type: str


class _ResultTerm(msgspec.Struct):
    """A value in the SPARQL 1.1 Query Results JSON Format (W3C, 2013), section 3.2.2."""

    type: Literal["uri", "literal", "typed-literal", "bnode"]
    value: str
    language: str | None = msgspec.field(default=None, name="xml:lang")
    datatype: str | None = None


class _Head(msgspec.Struct, frozen=True):
    vars: tuple[str, ...] = ()


class _Results(msgspec.Struct):
    bindings: list[dict[str, _ResultTerm | None]]


class _Answer(msgspec.Struct):
    head: _Head = _Head()
    results: _Results | None = None
    boolean: bool | None = None


def parse_results(reply: ServerReply, limits: EndpointLimits = DEFAULT_LIMITS) -> SparqlResult:
    """Parse a server's answer: JSON results, or a graph. Raises `EndpointError`."""
    if reply.body.count(b"<<(") > limits.depth:
        excess = f"more than {limits.depth} triples within triples ({variable_of('depth')})"
        raise EndpointError(f"the server's answer cannot be read: it may hold {excess}")
    try:
        if "json" in reply.type:
            return _parse_json(reply.body)
        for format in (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.TURTLE):
            if format.media_type == reply.type or reply.type == "text/plain":
                return _parse_graph(reply.body, format, limits.bytes)
    except (ValueError, SyntaxError, RecursionError) as error:
        raise EndpointError(f"the server's answer cannot be read: {error}") from None
    raise EndpointError(f"the server answered in {reply.type}, which is not a format for answers")


def _parse_json(body: bytes) -> SparqlResult:
    """Raises `ValueError` and `RecursionError`."""
    answer = msgspec.json.decode(body, type=_Answer)
    if answer.boolean is not None:
        return Truth(answer.boolean)
    if answer.results is None:
        raise ValueError("it has neither rows nor a boolean")
    variables = answer.head.vars
    cell_count = len(variables) * len(answer.results.bindings)
    if cell_count > max(len(body), MAX_EMPTY_CELLS):  # rows of nothing are filled up
        raise ValueError(f"{cell_count:,} cells in {len(body):,} bytes")
    return Rows(
        variables,
        tuple(
            tuple(_as_term(term) if (term := row.get(name)) else None for name in variables)
            for row in answer.results.bindings
        ),
    )


def _as_term(term: _ResultTerm) -> RdfTerm:
    if term.type == "uri":
        return ox.NamedNode(term.value)
    if term.type == "bnode":
        # Virtuoso names a blank node `nodeID://b10001`
        return ox.BlankNode(term.value.removeprefix("_:").removeprefix("nodeID://"))
    if term.language:
        return ox.Literal(term.value, language=term.language)
    if term.datatype:
        return ox.Literal(term.value, datatype=ox.NamedNode(term.datatype))
    return ox.Literal(term.value)


def _parse_graph(body: bytes, format: ox.RdfFormat, max_characters: int) -> Triples:
    """A graph whose terms, written out, have at most so many characters.

    A prefix of Turtle is written once and stands for a long address everywhere. Raises `ValueError`
    and `SyntaxError`.
    """
    triples = []
    character_count = 0
    for quad in ox.parse(body, format=format):
        triples.append(quad.triple)
        character_count += len(str(quad)) if format == ox.RdfFormat.TURTLE else 0
        if character_count > max_characters:
            limit = f"{max_characters:,} bytes ({variable_of('bytes')})"
            raise ValueError(f"it is a graph of more than {limit}")
    return Triples(tuple(triples))
