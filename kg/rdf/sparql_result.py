"""Results of SPARQL queries as values, and as text: CSV, JSON, Turtle, and readable rows."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from kg.model.errors import KgError
from kg.rdf.iris import CAMPS, EDGES, LINES, NOTES, SOURCES, STATEMENTS, Iris
from kg.rdf.ontology import PREFIXES
from kg.rdf.vocabulary import XSD, XSD_STRING
from kg.reporting.csv_cells import escape_formula, render_csv_rows
from kg.reporting.data_frames import as_frame

_NUMBER = re.compile(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?")

RdfTerm = ox.NamedNode | ox.Literal | ox.BlankNode | ox.Triple


# Conversions of literals of these datatypes to Python values.
VALUE_OF_DATATYPE: Mapping[str, Callable[[str], int | float | bool]] = {
    f"{XSD}integer": int,
    f"{XSD}decimal": float,
    f"{XSD}double": float,
    f"{XSD}float": float,
    f"{XSD}boolean": lambda text: text in ("true", "1"),
}


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a SELECT: a row for each solution, None for an unbound variable."""

    variables: tuple[str, ...]
    rows: tuple[tuple[RdfTerm | None, ...], ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<Rows of {', '.join(self.variables)}: {len(self.rows)}>"

    def __str__(self) -> str:
        """The rows as tab-separated lines, without control characters."""
        rows = [
            "\t".join("" if term is None else term_text(term) for term in row) for row in self.rows
        ]
        return "\n".join(
            "".join(c if c.isprintable() or c == "\t" else " " for c in text_line)
            for text_line in ("\t".join(self.variables), *rows)
        )

    def __iter__(self) -> Iterator[dict[str, str]]:
        """Yield each row by variable, terms as plain text."""
        for row in self.rows:
            yield {
                name: term_text(term)
                for name, term in zip(self.variables, row, strict=True)
                if term
            }

    def to_frame(self, library: str | None = None) -> Any:
        """A data frame with a column for each variable, of pandas or else polars, or of the one
        named: numbers and booleans as such, other terms as text. Raises `MissingLibrary`.

        `corpus.sparql("SELECT ?s ?t { ?s kg:topic ?t }").to_frame()`
        """
        columns = zip(*self.rows, strict=True) if self.rows else ((),) * len(self.variables)
        return as_frame(
            {
                name: [_python_value(term) for term in terms]
                for name, terms in zip(self.variables, columns, strict=True)
            },
            library,
        )

    def to_csv(self) -> str:
        """The rows as CSV, with full IRIs.

        `corpus.sparql("SELECT ?s ?t { ?s kg:topic ?t }").to_csv()`
        """
        return render_csv(self)


def _python_value(term: RdfTerm | None) -> str | int | float | bool | None:
    if term is None:
        return None
    if isinstance(term, ox.Literal) and (convert := VALUE_OF_DATATYPE.get(term.datatype.value)):
        with suppress(ValueError):  # a server may declare any text a number
            return convert(term.value)
    return term_text(term)


@dataclass(frozen=True, slots=True)
class Triples:
    """The result of a CONSTRUCT or DESCRIBE."""

    triples: tuple[ox.Triple, ...]

    def __len__(self) -> int:
        return len(self.triples)


@dataclass(frozen=True, slots=True)
class Truth:
    """The result of an ASK."""

    value: bool

    def __bool__(self) -> bool:
        return self.value


SparqlResult = Rows | Triples | Truth


def read_result(result: ox.QuerySolutions | ox.QueryTriples | ox.QueryBoolean) -> SparqlResult:
    """Oxigraph's result as a value."""
    if isinstance(result, ox.QueryBoolean):
        return Truth(bool(result))
    if isinstance(result, ox.QueryTriples):
        return Triples(tuple(result))
    variables = tuple(variable.value for variable in result.variables)
    return Rows(variables, tuple(tuple(solution) for solution in result))


def term_text(term: RdfTerm) -> str:
    """A term's text: an IRI, or a literal without its datatype."""
    return str(term) if isinstance(term, ox.Triple) else term.value


# -- as text --------------------------------------------------------------------------------


class NotAGraph(KgError, ValueError):
    """A graph was requested, but the query returns rows."""


def render_csv(result: SparqlResult) -> str:
    """The result as CSV, one line per row."""
    columns, rows = columns_and_rows(result)
    return render_csv_rows(columns, ([_cell_for_spreadsheet(term) for term in row] for row in rows))


def _cell_for_spreadsheet(term: RdfTerm | None) -> str:
    if term is None:
        return ""
    is_plain_text = isinstance(term, ox.Literal) and term.datatype.value == XSD_STRING
    # also by its text, as an endpoint may declare any text a number; other text is escaped, so
    # that no spreadsheet takes it for a formula
    is_number = not is_plain_text and _NUMBER.fullmatch(term_text(term))
    return term_text(term) if is_number else escape_formula(term_text(term))


def columns_and_rows(
    result: SparqlResult,
) -> tuple[tuple[str, ...], Sequence[tuple[RdfTerm | None, ...]]]:
    """Any result as a table."""
    match result:
        case Rows(variables, rows):
            return variables, rows
        case Triples(triples):
            return ("subject", "predicate", "object"), [
                (triple.subject, triple.predicate, triple.object) for triple in triples
            ]
        case Truth(value):
            return ("answer",), [(ox.Literal(value),)]


def render_json(result: SparqlResult) -> str:
    """The result in SPARQL's JSON results format, or as JSON-LD for a graph."""
    match result:
        case Rows(variables, rows):
            value: Any = {
                "head": {"vars": list(variables)},
                "results": {"bindings": [_bindings_of_row(variables, row) for row in rows]},
            }
        case Truth(is_true):
            value = {"head": {}, "boolean": is_true}
        case Triples(triples):
            value = json.loads(ox.serialize(triples, format=ox.RdfFormat.JSON_LD) or b"[]")
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _bindings_of_row(
    variables: Sequence[str], row: Sequence[RdfTerm | None]
) -> dict[str, dict[str, str]]:
    return {
        name: _json_term(term)
        for name, term in zip(variables, row, strict=True)
        if term is not None
    }


def _json_term(term: RdfTerm) -> dict[str, str]:
    match term:
        case ox.NamedNode():
            return {"type": "uri", "value": term.value}
        case ox.Literal():
            term_object = {"type": "literal", "value": term.value}
            if term.language:
                term_object["xml:lang"] = term.language
            elif term.datatype.value != XSD_STRING:
                term_object["datatype"] = term.datatype.value
            return term_object
        case ox.BlankNode():
            return {"type": "bnode", "value": term.value}
    return {"type": "triple", "value": str(term)}


def render_graph(result: SparqlResult) -> str:
    """The result of a CONSTRUCT or DESCRIBE in Turtle. Raises `NotAGraph` for other results."""
    if not isinstance(result, Triples):
        raise NotAGraph("only CONSTRUCT and DESCRIBE answer with a graph: ask for csv or json")
    triples = sorted(set(result.triples), key=str)
    return (ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=PREFIXES) or b"").decode()


def shorten_terms(rows: Iterable[Sequence[RdfTerm | None]], base: str) -> list[list[str]]:
    """Rows for people: ids without their folder, unless two records share an id."""
    rows = list(rows)
    # a statement and a source may have the same id; then both are shown with their folder
    iris = {term.value for row in rows for term in row if isinstance(term, ox.NamedNode)}
    ids = {iri: _id_of_iri(iri, base) for iri in iris}
    id_counts = Counter(ids.values())
    return [[_shorten_term(term, ids, id_counts, base) for term in row] for row in rows]


def _shorten_term(
    term: RdfTerm | None, ids: Mapping[str, str], id_counts: Counter[str], base: str
) -> str:
    id = ids[term.value] if isinstance(term, ox.NamedNode) else ""
    return id if id and id_counts[id] == 1 else short_term(term, base)


def _id_of_iri(iri: str, base: str) -> str:
    """The id in an IRI of the corpus; empty for other IRIs."""
    iris = Iris(base)
    if base and iri.startswith(base + NOTES):
        return iris.path_of(iri)
    things = tuple(base + folder for folder in (STATEMENTS, SOURCES, LINES, EDGES, CAMPS))
    return iris.id_of(iri) if base and iri.startswith(things) else ""


def short_term(term: RdfTerm | None, base: str) -> str:
    """A term for people: IRIs of the corpus without base, prefixed names for known IRIs."""
    if term is None:
        return ""
    if not isinstance(term, ox.NamedNode):
        return term_text(term)
    for prefix, iri in PREFIXES.items():
        if term.value.startswith(iri) and term.value[len(iri) :].replace("-", "").isalnum():
            return f"{prefix}:{term.value[len(iri) :]}"
    return term.value.removeprefix(base) if base else term.value
