"""The corpus as a plain rdflib graph."""

from __future__ import annotations

import pyoxigraph as ox
import rdflib
from rdflib.term import Literal

from kg.corpus import Corpus
from kg.rdf.ontology import PREFIXES
from kg.rdf.quads import as_quads
from kg.rdf.vocabulary import XSD_STRING


def as_rdflib_graph(corpus: Corpus) -> rdflib.Graph:
    """The corpus as a plain rdflib graph, for tools that read one triple at a time."""
    graph = rdflib.Graph()
    for prefix, iri in PREFIXES.items():
        graph.bind(prefix, iri)
    graph.addN((*_plain_triple(quad), graph) for quad in as_quads(corpus))
    return graph


def _plain_triple(quad: ox.Quad) -> tuple[rdflib.URIRef, rdflib.URIRef, rdflib.URIRef | Literal]:
    subject = quad.subject
    predicate = quad.predicate
    value = quad.object
    assert isinstance(subject, ox.NamedNode)
    return rdflib.URIRef(subject.value), rdflib.URIRef(predicate.value), _plain_term(value)


def _plain_term(value: object) -> rdflib.URIRef | Literal:
    if isinstance(value, ox.NamedNode):
        return rdflib.URIRef(value.value)
    assert isinstance(value, ox.Literal)
    kind = value.datatype.value
    return Literal(value.value, datatype=None if kind == XSD_STRING else rdflib.URIRef(kind))
