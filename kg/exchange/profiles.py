"""The corpus in other vocabularies (profiles), as nanopublications too."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.model import Statement
from kg.model.errors import KgError
from kg.rdf.iris import STATEMENTS, Iris
from kg.rdf.ontology import load_text
from kg.rdf.quad_store import as_store
from kg.rdf.query_bindings import term_of_value, variables_of
from kg.rdf.run_query import ask_store
from kg.rdf.sparql_result import Triples

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
    result = ask_store(store, query, values)
    assert isinstance(result, Triples)
    for triple in dict.fromkeys(result.triples):
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
        names = variables_of(query)
        query_values = {name: value for name, value in values.items() if name in names}
        yield from _construct_quads(store, query, query_values, graphs[graph])


def _creation_date(statement: Statement) -> dt.date:
    """The date of a statement if its note has one; else today, as a date is required."""
    return statement.created or statement.updated or dt.datetime.now(dt.UTC).date()
