"""A server's answer, parsed: what is much larger than its bytes is refused."""

from __future__ import annotations

from typing import Literal

import msgspec
import pyoxigraph as ox

from kg.exchange.connections import variable_of
from kg.rdf.sparql_answer import RdfTerm, Rows, SparqlAnswer, Triples, Truth

MAX_EMPTY_CELLS = 10_000_000  # of rows: more only where the answer has as many bytes


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


def parse_json(body: bytes) -> SparqlAnswer:
    """Rows, or whether something is so. Raises `ValueError` and `RecursionError`."""
    found = msgspec.json.decode(body, type=_Answer)
    if found.boolean is not None:
        return Truth(found.boolean)
    if found.results is None:
        raise ValueError("it has neither rows nor a boolean")
    variables = found.head.vars
    cells = len(variables) * len(found.results.bindings)
    if cells > max(len(body), MAX_EMPTY_CELLS):  # rows of nothing are filled up
        raise ValueError(f"{cells:,} cells in {len(body):,} bytes")
    return Rows(
        variables,
        tuple(
            tuple(_as_term(term) if (term := row.get(name)) else None for name in variables)
            for row in found.results.bindings
        ),
    )


def _as_term(term: _ResultTerm) -> RdfTerm:
    if term.type == "uri":
        return ox.NamedNode(term.value)
    if term.type == "bnode":
        return ox.BlankNode(term.value.removeprefix("_:").replace("nodeID://", ""))
    if term.language:
        return ox.Literal(term.value, language=term.language)
    if term.datatype:
        return ox.Literal(term.value, datatype=ox.NamedNode(term.datatype))
    return ox.Literal(term.value)


def parse_graph(body: bytes, format: ox.RdfFormat, most: int) -> Triples:
    """A graph whose terms, written out, have so many characters at most.

    A prefix of Turtle is written once and stands for a long address everywhere. Raises `ValueError`
    and `SyntaxError`.
    """
    triples, size = [], 0
    for quad in ox.parse(body, format=format):
        triples.append(quad.triple)
        size += len(str(quad)) if format == ox.RdfFormat.TURTLE else 0
        if size > most:
            raise ValueError(f"it is a graph of more than {most:,} bytes ({variable_of('bytes')})")
    return Triples(tuple(triples))
