"""Nodes as text in N-Triples syntax, which makes comparisons fast."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pyoxigraph as ox

from kg.rdf.ontology import PREFIXES
from kg.rdf.vocabulary import XSD as XSD

RDF, RDFS = (PREFIXES[name] for name in ("rdf", "rdfs"))
SH = "http://www.w3.org/ns/shacl#"
_LITERAL = re.compile(
    r'"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^<([^>]*)>)?', re.S
)  # as pyoxigraph writes one
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.S)
_DIGITS = re.compile(r"\d{1,18}", re.A)
_ESCAPED = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


class Literal(NamedTuple):
    """A literal's lexical form, the IRI of its datatype, and its language or an empty string."""

    lexical: str
    datatype: str
    language: str


def iri(name: str) -> str:
    """The text of an IRI as a node."""
    return f"<{name}>"


def is_blank(node: str) -> bool:
    """Return whether a node has no name."""
    return node[0] == "_"


def read_literal(node: str) -> Literal | None:
    """The parts of a literal; None for other nodes."""
    match = _LITERAL.fullmatch(node) if node[0] == '"' else None
    if match is None:
        return None
    lexical, language, kind = match.groups()
    if "\\" in lexical:
        lexical = _ESCAPE.sub(_unescape_match, lexical)
    kind = RDF + "langString" if language else kind or XSD + "string"
    return Literal(lexical, kind, language or "")


def _unescape_match(match: re.Match[str]) -> str:
    mark = match[1]
    return chr(int(mark[1:], 16)) if len(mark) > 1 else _ESCAPED.get(mark, mark)


def read_string(node: str) -> str:
    """The result of SPARQL's “STR”: the lexical form of a literal, the IRI of a resource."""
    literal = read_literal(node)
    return literal.lexical if literal else node.strip("<>")


def as_integer(node: str) -> int | None:
    """The integer of a literal; None for other nodes, and for more than 18 digits."""
    literal = read_literal(node)
    if literal is None or literal.datatype != XSD + "integer":
        return None
    digits = literal.lexical.lstrip("+-")
    return int(literal.lexical) if _DIGITS.fullmatch(digits) else None


def string_text(lexical: str) -> str:
    """A string literal in pyoxigraph's syntax."""
    return str(ox.Literal(lexical, datatype=ox.NamedNode(XSD + "string")))


def as_term(node: str) -> Any:
    """The node as a pyoxigraph term. Raises `ValueError` for an invalid IRI."""
    literal = read_literal(node)
    if literal is None:
        return ox.BlankNode(node[2:]) if is_blank(node) else ox.NamedNode(node[1:-1])
    if literal.language:
        return ox.Literal(literal.lexical, language=literal.language)
    return ox.Literal(literal.lexical, datatype=ox.NamedNode(literal.datatype))


def from_columns(answer: Any) -> Iterator[list[str]]:
    """The columns of the answer to a SELECT query; '' for unbound variables."""
    head, _, rows = answer.serialize(format=ox.QueryResultsFormat.TSV).decode().partition("\n")
    width = head.count("\t") + 1
    cells = rows.replace("\n", "\t").split("\t")
    cells.pop()  # after the last line end
    for column in range(width):
        yield list(plain_nodes(cells[column::width]))


def plain_nodes(cells: list[str]) -> Iterable[str]:
    """Cells with datatypes added to the numbers and booleans that TSV writes bare."""
    firsts = {cell[:1] for cell in cells}
    return cells if firsts <= {"<", '"', "_", ""} else map(_plain_node, cells)


def _plain_node(cell: str) -> str:
    if cell[:1] in {"<", '"', "_", ""}:
        return cell
    kind = "boolean" if cell in ("true", "false") else "double" if "e" in cell.lower() else ""
    kind = kind or ("decimal" if "." in cell else "integer")
    return f'"{cell}"^^<{XSD}{kind}>'
