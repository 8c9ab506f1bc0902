"""A corpus written as quads in each RDF format: TriG, JSON-LD, RDF/XML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.exchange.escaped_text import JsonObject, write_json_file
from kg.rdf.ontology import PREFIXES, load_text
from kg.rdf.quads import as_nquads
from kg.rdf.vocabulary import XSD

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SAFE_INTEGER = 2**53  # JSON readers that use doubles lose digits of larger integers

_JsonldValue: TypeAlias = str | bool | int | JsonObject
# The values of one node's properties, by name.
_PropertyValues: TypeAlias = dict[str, list[_JsonldValue]]


def write_nquads(quads: Iterable[ox.Quad], file: Path) -> None:
    """Write N-Quads in the given order, for files of any size."""
    ox.serialize(quads, str(file), format=ox.RdfFormat.N_QUADS)


def write_corpus_nquads(corpus: Corpus, file: Path) -> None:
    """Write the quads of each note, in the order of the notes, so that they need not fit into
    memory.
    """
    with file.open("w", encoding="utf-8", newline="") as output:
        output.writelines(as_nquads(corpus))


def write_trig(quads: Iterable[ox.Quad], file: Path) -> None:
    """Write TriG, a readable format, graph by graph."""
    ox.serialize(quads, str(file), format=ox.RdfFormat.TRIG, prefixes=PREFIXES)


def write_turtle(quads: Iterable[ox.Quad], file: Path) -> None:
    """Write Turtle, with all graphs merged, subject by subject."""
    ox.serialize(_merge_graphs(quads), str(file), format=ox.RdfFormat.TURTLE, prefixes=PREFIXES)


def write_rdfxml(quads: Iterable[ox.Quad], file: Path) -> None:
    """Write RDF/XML, with all graphs merged. Characters invalid in XML become U+FFFD."""
    triples = (_xml_safe_triple(triple) for triple in _merge_graphs(quads))
    ox.serialize(triples, str(file), format=ox.RdfFormat.RDF_XML, prefixes=PREFIXES)


def write_jsonld(quads: Iterable[ox.Quad], file: Path) -> None:
    """Write JSON-LD, graph by graph, with the ontology's context included."""
    graphs: dict[str, dict[str, _PropertyValues]] = {}
    for quad in quads:
        graph = (
            "" if isinstance(quad.graph_name, ox.DefaultGraph) else _jsonld_name(quad.graph_name)
        )
        node = graphs.setdefault(graph, {}).setdefault(_jsonld_name(quad.subject), {})
        property, value = _jsonld_property(quad.predicate.value, quad.object)
        node.setdefault(property, []).append(value)
    document = {**json.loads(load_text("context.jsonld")), "@graph": list(_jsonld_graphs(graphs))}
    write_json_file(document, file)


def _merge_graphs(quads: Iterable[ox.Quad]) -> list[ox.Triple]:
    return sorted({quad.triple for quad in quads}, key=lambda t: (str(t.subject), str(t)))


def _xml_safe_triple(triple: ox.Triple) -> ox.Triple:
    value = triple.object
    if isinstance(value, ox.Literal) and _NOT_XML.search(value.value):
        value = ox.Literal(remove_unfit_for_xml(value.value))
    return ox.Triple(triple.subject, triple.predicate, value)


def remove_unfit_for_xml(text: str) -> str:
    """Text with characters that are invalid in XML replaced by U+FFFD."""
    return _NOT_XML.sub("\ufffd", text)


# -- JSON-LD -----------------------------------------------------------------------------------


@cache
def _context_names() -> dict[str, str]:
    """The names that the context has for terms, by their IRIs."""
    context = json.loads(load_text("context.jsonld"))["@context"]
    name_by_iri = {}
    for name, meaning in context.items():
        iri = meaning["@id"] if isinstance(meaning, dict) else meaning
        prefix, _, local = iri.partition(":")
        if prefix in context and not local.startswith("//"):
            name_by_iri[context[prefix] + local] = name
    return name_by_iri


def _jsonld_name(node: ox.NamedNode | ox.BlankNode | ox.Triple) -> str:
    return node.value if isinstance(node, ox.NamedNode) else str(node)


def _jsonld_property(
    predicate: str, value: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
) -> tuple[str, _JsonldValue]:
    """A property and its value as JSON-LD has them, by the names of the context."""
    names = _context_names()
    if predicate == PREFIXES["rdf"] + "type" and isinstance(value, ox.NamedNode):
        return "@type", names.get(value.value, value.value)
    name = names.get(predicate, predicate)
    if isinstance(value, ox.Literal):
        return name, _jsonld_literal(value)
    return name, {"@id": _jsonld_name(value)}


def _jsonld_literal(literal: ox.Literal) -> _JsonldValue:
    kind = literal.datatype.value.removeprefix(XSD)
    if kind == "string":
        return literal.value
    if kind == "boolean":
        return literal.value == "true"
    if kind == "integer" and abs(int(literal.value)) < _SAFE_INTEGER:
        return int(literal.value)
    return {"@value": literal.value, "@type": literal.datatype.value}


def _jsonld_graphs(graphs: dict[str, dict[str, _PropertyValues]]) -> Iterator[JsonObject]:
    """The nodes of the default graph, whose name is empty, and the other graphs with theirs."""
    for graph, nodes in graphs.items():
        node_objects = [
            {
                "@id": id,
                **{key: values[0] if len(values) == 1 else values for key, values in node.items()},
            }
            for id, node in nodes.items()
        ]
        if graph:
            yield {"@id": graph, "@graph": node_objects}
        else:
            yield from node_objects
