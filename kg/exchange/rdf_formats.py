"""The corpus in RDF formats, and in other vocabularies (profiles)."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.exchange.escaped_text import write_json_file
from kg.model import Statement
from kg.model.errors import KgError
from kg.rdf.iris import STATEMENTS, Iris
from kg.rdf.ontology import PREFIXES, load_text
from kg.rdf.quad_store import as_store
from kg.rdf.quads import as_nquads
from kg.rdf.query_bindings import term_of_value
from kg.rdf.run_query import ask_store
from kg.rdf.sparql_answer import Triples
from kg.rdf.vocabulary import XSD

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SAFE_INTEGER = 2**53  # JSON readers that use doubles lose digits of larger integers


def write_corpus_nquads(corpus: Corpus, file: Path, whole_corpus: Corpus) -> None:
    """Write the corpus as N-Quads, graph by graph, for corpora of any size."""
    with file.open("w", encoding="utf-8", newline="") as output:
        output.writelines(as_nquads(corpus))


def write_nquads(quads: Iterable[ox.Quad], file: Path) -> None:
    """Write N-Quads in the given order, for files of any size."""
    ox.serialize(quads, str(file), format=ox.RdfFormat.N_QUADS)


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
    graphs: dict[str, dict[str, dict[str, Any]]] = {}
    for quad in quads:
        graph = (
            "" if isinstance(quad.graph_name, ox.DefaultGraph) else _jsonld_name(quad.graph_name)
        )
        node = graphs.setdefault(graph, {}).setdefault(_jsonld_name(quad.subject), {})
        key, value = _jsonld_pair(quad.predicate.value, quad.object)
        node.setdefault(key, []).append(value)
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


def _jsonld_pair(predicate: str, value: Any) -> tuple[str, Any]:
    names = _context_names()
    if predicate == PREFIXES["rdf"] + "type":
        return "@type", names.get(value.value, value.value)
    name = names.get(predicate, predicate)
    if isinstance(value, ox.Literal):
        return name, _jsonld_literal(value)
    return name, {"@id": _jsonld_name(value)}


def _jsonld_literal(literal: ox.Literal) -> Any:
    kind = literal.datatype.value.removeprefix(XSD)
    if kind == "string":
        return literal.value
    if kind == "boolean":
        return literal.value == "true"
    if kind == "integer" and abs(int(literal.value)) < _SAFE_INTEGER:
        return int(literal.value)
    return {"@value": literal.value, "@type": literal.datatype.value}


def _jsonld_graphs(graphs: dict[str, dict[str, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
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


PROFILES: tuple[tuple[str, str], ...] = (
    ("cito", "Citation Typing Ontology: who supports, disputes, qualifies, cites whom"),
    ("prov", "PROV-O: what was derived from which note and source, and who said so"),
    ("schema", "schema.org: claims, questions and scholarly articles"),
    ("discourse-graph", "Discourse Graphs: questions, claims, evidence, sources"),
    ("nanopub", "Nanopublications: one for each statement with a source, unsigned"),
)
NANOPUB_GRAPHS = ("head", "assertion", "provenance", "pubinfo")
NANOPUBS = "nanopubs/"


class UnknownProfile(KgError, ValueError):
    """An unknown profile; the message lists the known ones."""


def profile_quads(corpus: Corpus, profile: str) -> Iterator[ox.Quad]:
    """The corpus in a profile's vocabulary. Raises `UnknownProfile`."""
    if profile not in dict(PROFILES):
        names = ", ".join(name for name, _ in PROFILES)
        raise UnknownProfile(f"there is no profile {profile!r}: use one of {names}")
    store = as_store(corpus)
    if profile == "nanopub":
        return _quads_of_nanopubs(corpus, store)
    return _construct_quads(store, load_text("profiles", f"{profile}.rq"))


def _construct_quads(
    store: ox.Store,
    query: str,
    values: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
    graph: ox.NamedNode | None = None,
) -> Iterator[ox.Quad]:
    answer = ask_store(store, query, values)
    assert isinstance(answer, Triples)
    for triple in dict.fromkeys(answer.triples):
        yield ox.Quad(triple.subject, triple.predicate, triple.object, graph)


def _quads_of_nanopubs(corpus: Corpus, store: ox.Store) -> Iterator[ox.Quad]:
    queries = {name: load_text("profiles", "nanopub", f"{name}.rq") for name in NANOPUB_GRAPHS}
    for statement in corpus.statements.values():
        if statement.citations:
            yield from _quads_of_nanopub(corpus, store, statement, queries)


def _quads_of_nanopub(
    corpus: Corpus, store: ox.Store, statement: Statement, queries: dict[str, str]
) -> Iterator[ox.Quad]:
    iris = Iris(corpus.config.base_iri)
    local_name = iris.iri_of(STATEMENTS, statement.id).removeprefix(iris.base + STATEMENTS)
    name = f"{iris.base}{NANOPUBS}{local_name.replace('#', '/')}"
    graphs = {graph: ox.NamedNode(iris.section(name, graph)) for graph in NANOPUB_GRAPHS}
    values = {
        "statement": term_of_value(statement, iris),
        "np": ox.NamedNode(name),
        "created": term_of_value(_creation_date(statement), iris),
        **graphs,
    }
    for graph, query in queries.items():
        query_values = {key: value for key, value in values.items() if f"?{key} " in query}
        yield from _construct_quads(store, query, query_values, graphs[graph])


def _creation_date(statement: Statement) -> dt.date:
    """The date of a statement if its note has one; else today, as a date is required."""
    return statement.created or statement.updated or dt.datetime.now(dt.UTC).date()
