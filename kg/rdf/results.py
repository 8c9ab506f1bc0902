"""Answers of SPARQL as text: cells of a table, CSV, JSON, a graph in Turtle."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyoxigraph as ox

from kg.model.errors import KgError
from kg.ontology import PREFIXES
from kg.rdf.run_query import Rows, SparqlAnswer, Term, Triples, Truth, term_text
from kg.rdf.vocabulary import CAMPS, EDGES, LINES, NOTES, SOURCES, STATEMENTS, XSD, Iris
from kg.report import csv_rows, inert

_NUMBER = re.compile(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?")


class NotAGraph(KgError, ValueError):
    """A graph was asked for, but the query answers with rows."""


def render_csv(answer: SparqlAnswer) -> str:
    """The answer as CSV, one line a row."""
    columns, rows = columns_and_rows(answer)
    return csv_rows(columns, ([_cell(term) for term in row] for row in rows))


def _cell(term: Term | None) -> str:
    if term is None:
        return ""
    is_words = isinstance(term, ox.Literal) and term.datatype.value == XSD + "string"
    # an endpoint may call any words a number
    is_number = not is_words and _NUMBER.fullmatch(term_text(term))
    return term_text(term) if is_number else inert(term_text(term))


def columns_and_rows(
    answer: SparqlAnswer,
) -> tuple[tuple[str, ...], Sequence[tuple[Term | None, ...]]]:
    """Any answer as a table."""
    match answer:
        case Rows(variables, rows):
            return variables, rows
        case Triples(triples):
            return ("subject", "predicate", "object"), [
                (triple.subject, triple.predicate, triple.object) for triple in triples
            ]
        case Truth(value):
            return ("answer",), [(ox.Literal(value),)]


def render_json(answer: SparqlAnswer) -> str:
    """The answer in SPARQL's JSON results format, or as JSON-LD where it is a graph."""
    match answer:
        case Rows(variables, rows):
            value: Any = {
                "head": {"vars": list(variables)},
                "results": {"bindings": [_bindings(variables, row) for row in rows]},
            }
        case Truth(found):
            value = {"head": {}, "boolean": found}
        case Triples(triples):
            value = json.loads(ox.serialize(triples, format=ox.RdfFormat.JSON_LD) or b"[]")
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _bindings(variables: Sequence[str], row: Sequence[Term | None]) -> dict[str, dict[str, str]]:
    return {
        name: _json_term(term)
        for name, term in zip(variables, row, strict=True)
        if term is not None
    }


def _json_term(term: Term) -> dict[str, str]:
    match term:
        case ox.NamedNode():
            return {"type": "uri", "value": term.value}
        case ox.Literal():
            found = {"type": "literal", "value": term.value}
            if term.language:
                found["xml:lang"] = term.language
            elif term.datatype.value != XSD + "string":
                found["datatype"] = term.datatype.value
            return found
        case ox.BlankNode():
            return {"type": "bnode", "value": term.value}
    return {"type": "triple", "value": str(term)}


def render_graph(answer: SparqlAnswer) -> str:
    """The answer of a CONSTRUCT or DESCRIBE in Turtle. Raises `NotAGraph` for any other."""
    if not isinstance(answer, Triples):
        raise NotAGraph("only CONSTRUCT and DESCRIBE answer with a graph: ask for csv or json")
    triples = sorted(set(answer.triples), key=str)
    return (ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b"").decode()


def readable(rows: Iterable[Sequence[Term | None]], base: str) -> list[list[str]]:
    """Rows as people read them: ids alone, with their folder only where two things share one."""
    rows = list(rows)
    iris = {term.value for row in rows for term in row if isinstance(term, ox.NamedNode)}
    ids = {iri: _id(iri, base) for iri in iris}
    taken = Counter(ids.values())
    return [[_read(term, ids, taken, base) for term in row] for row in rows]


def _read(term: Term | None, ids: Mapping[str, str], taken: Counter[str], base: str) -> str:
    id = ids[term.value] if isinstance(term, ox.NamedNode) else ""
    return id if id and taken[id] == 1 else short_term(term, base)


def _id(iri: str, base: str) -> str:
    """The id in an IRI of the corpus; empty for any other."""
    iris = Iris(base)
    if base and iri.startswith(base + NOTES):
        return iris.path_of(iri)
    things = tuple(base + folder for folder in (STATEMENTS, SOURCES, LINES, EDGES, CAMPS))
    return iris.id_of(iri) if base and iri.startswith(things) else ""


def short_term(term: Term | None, base: str) -> str:
    """A term as people read it: ids for IRIs of the corpus, prefixed names for known ones."""
    if term is None:
        return ""
    if not isinstance(term, ox.NamedNode):
        return term_text(term)
    for prefix, iri in PREFIXES.items():
        if term.value.startswith(iri) and term.value[len(iri) :].replace("-", "").isalnum():
            return f"{prefix}:{term.value[len(iri) :]}"
    return term.value.removeprefix(base) if base else term.value
