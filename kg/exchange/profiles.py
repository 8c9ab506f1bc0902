"""The corpus in the vocabularies of others, made by the ontology's CONSTRUCT queries."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.model import Statement
from kg.ontology import load_text
from kg.views.bindings import as_term
from kg.views.iris import STATEMENTS, Iris
from kg.views.rdf import as_store
from kg.views.sparql import Triples, ask

PROFILES: tuple[tuple[str, str], ...] = (
    ("cito", "Citation Typing Ontology: who supports, disputes, qualifies, cites whom"),
    ("prov", "PROV-O: what was derived from which note and source, and who said so"),
    ("schema", "schema.org: claims, questions and scholarly articles"),
    ("discourse-graph", "Discourse Graphs: questions, claims, evidence, sources"),
    ("nanopub", "Nanopublications: one for each statement with a source, unsigned"),
)
NANOPUB_GRAPHS = ("head", "assertion", "provenance", "pubinfo")
NANOPUBS = "nanopubs/"


class UnknownProfile(ValueError):
    """No profile of that name; the message lists those there are."""


def profile_quads(corpus: Corpus, profile: str) -> Iterator[ox.Quad]:
    """The corpus in a profile's vocabulary. Raises `UnknownProfile`."""
    if profile not in dict(PROFILES):
        known = ", ".join(name for name, _ in PROFILES)
        raise UnknownProfile(f"there is no profile {profile!r}: use one of {known}")
    store = as_store(corpus)
    if profile == "nanopub":
        return _nanopubs(corpus, store)
    return _construct(store, load_text("profiles", f"{profile}.rq"))


def _construct(store: ox.Store, query: str) -> Iterator[ox.Quad]:
    answer = ask(store, query)
    assert isinstance(answer, Triples)
    for triple in dict.fromkeys(answer.triples):
        yield ox.Quad(triple.subject, triple.predicate, triple.object)


def _nanopubs(corpus: Corpus, store: ox.Store) -> Iterator[ox.Quad]:
    queries = {name: load_text("profiles", "nanopub", f"{name}.rq") for name in NANOPUB_GRAPHS}
    for statement in corpus.statements.values():
        if statement.citations:
            yield from _nanopub(corpus, store, statement, queries)


def _nanopub(
    corpus: Corpus, store: ox.Store, statement: Statement, queries: dict[str, str]
) -> Iterator[ox.Quad]:
    iris = Iris(corpus.config.base_iri)
    own = iris.of(STATEMENTS, statement.id).removeprefix(iris.base + STATEMENTS)
    name = f"{iris.base}{NANOPUBS}{own.replace('#', '/')}"
    graphs = {graph: ox.NamedNode(iris.section(name, graph)) for graph in NANOPUB_GRAPHS}
    values = {"statement": as_term(statement, iris), "np": ox.NamedNode(name), **graphs}
    for graph, query in queries.items():
        held = {key: value for key, value in values.items() if f"?{key} " in query}
        answer = ask(store, query, held)
        assert isinstance(answer, Triples)
        for triple in dict.fromkeys(answer.triples):
            yield ox.Quad(triple.subject, triple.predicate, triple.object, graphs[graph])
