"""The corpus as RDF: a read-only rdflib interface to an Oxigraph store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

import pyoxigraph as ox
import rdflib
from oxrdflib import OxigraphStore
from rdflib.query import Result
from rdflib.term import Identifier, Literal

from kg.corpus import Corpus
from kg.model.errors import KgError
from kg.rdf.ontology import PREFIXES
from kg.rdf.quad_store import as_store
from kg.rdf.query_bindings import BadBinding, bind_variables, has_from_clause
from kg.rdf.query_limits import require_bounded
from kg.rdf.vocabulary import XSD_STRING


class NotRdf(KgError, ValueError):
    """An rdflib graph has a node that is not valid RDF; the message says which."""


def as_rdflib_dataset(corpus: Corpus) -> rdflib.Dataset:
    """The corpus as an rdflib dataset: a named graph for each note, and their union by default."""
    return read_only_view(as_store(corpus))


def read_only_view(store: ox.Store) -> rdflib.Dataset:
    """A store as a read-only rdflib dataset."""
    return DatasetView(store=ReadOnlyStore(store=store), default_union=True)


def triples_of_graph(graph: rdflib.Graph) -> Iterator[tuple[str, str, str]]:
    """The triples of an rdflib graph, with nodes in N-Triples syntax.

    Raises `NotRdf` for an invalid node, as rdflib accepts any text as an IRI.
    """
    for subject, predicate, value in graph:
        yield _as_ntriples(subject), _as_ntriples(predicate), _as_ntriples(value)


def _as_ntriples(node: Any) -> str:
    try:
        return str(
            ox.BlankNode(str(node)) if isinstance(node, rdflib.BNode) else _oxigraph_term(node)
        )
    except ValueError as error:
        raise NotRdf(f"`{node}` is not valid in a graph: {error}") from None


class DatasetView(rdflib.Dataset):
    """A dataset whose truth value does not need a count of all its triples."""

    def __bool__(self) -> bool:
        return next(iter(self.quads((None, None, None, None))), None) is not None


class ReadOnlyStore(OxigraphStore):
    """Oxigraph for rdflib, with strings that compare equal to rdflib's own."""

    def __init__(self, *, store: ox.Store) -> None:
        super().__init__(store=store)
        for prefix, iri in PREFIXES.items():
            OxigraphStore.bind(self, prefix, rdflib.URIRef(iri))

    def triples(self, triple_pattern: Any, context: Any = None) -> Iterator[Any]:
        for triple, contexts in super().triples(triple_pattern, context):
            yield tuple(_as_untyped(node) for node in triple), contexts

    def query(
        self,
        query: Any,
        initNs: Mapping[str, Any],  # noqa: N803
        initBindings: Mapping[str, Identifier],  # noqa: N803
        queryGraph: str,  # noqa: N803
        **kwargs: object,
    ) -> Result:
        if isinstance(query, str):
            require_bounded(query)
            if queryGraph == "__UNION__" and has_from_clause(query):
                # the union would override the graphs that the query names
                queryGraph = "__FROM__"  # noqa: N806
        bound = {str(name): _oxigraph_term(value) for name, value in initBindings.items()}
        result = super().query(bind_variables(query, bound), initNs, {}, queryGraph, **kwargs)
        if result.type == "SELECT":
            result.bindings = [
                {name: _as_untyped(value) for name, value in row.items() if value is not None}
                for row in result.bindings
            ]
        elif result.graph is not None:
            result.graph = _untyped_graph(result.graph)
        return result

    def _refuse_edit(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a view cannot be edited: change the notes, or copy the graph first")

    # the corpus is immutable, and a change here would be lost when notes are read again
    add = addN = remove = update = remove_graph = _refuse_edit  # noqa: N815

    def add_graph(self, graph: rdflib.Graph) -> None:
        """Do nothing: reading a graph by name adds nothing to the store."""


def _as_untyped(node: object) -> Any:
    """A term in rdflib's form: plain strings untyped, unlike Oxigraph's, so that they are equal."""
    if isinstance(node, Literal) and node.datatype is not None and str(node.datatype) == XSD_STRING:
        return Literal(str(node))
    return node


def _oxigraph_term(value: Identifier) -> ox.NamedNode | ox.Literal:
    if isinstance(value, rdflib.URIRef):
        return ox.NamedNode(str(value))
    if not isinstance(value, Literal):
        raise BadBinding("only IRIs and literals can be the values of variables")
    if value.language:
        return ox.Literal(str(value), language=value.language)
    kind = None if value.datatype is None else ox.NamedNode(str(value.datatype))
    return ox.Literal(str(value), datatype=kind)


def _untyped_graph(graph: rdflib.Graph) -> rdflib.Graph:
    plain = rdflib.Graph()
    for subject, predicate, value in graph:
        plain.add((subject, predicate, _as_untyped(value)))
    return plain
