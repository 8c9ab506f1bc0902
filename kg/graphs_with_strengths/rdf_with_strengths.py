"""Strengths and verdicts as RDF, and the notes with them asked in SPARQL."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.rdf.iris import LINES, STATEMENTS, Iris
from kg.rdf.ontology import KG
from kg.rdf.quad_store import as_store
from kg.rdf.query_bindings import Bindable, term_of_value
from kg.rdf.query_limits import QueryLimits
from kg.rdf.run_query import ask_store
from kg.rdf.sparql_result import SparqlResult
from kg.reasoning import reading_of, strengths
from kg.reasoning.strength_words import strength_word
from kg.reasoning.word_and_side import outcome_of
from kg.runtime.memoize import memoize

STRENGTH, VERDICT = (ox.NamedNode(KG + name) for name in ("weighedStrength", "verdict"))


def strength_quads(part: Corpus, corpus: Corpus) -> Iterator[ox.Quad]:
    """Strengths of the statements in a part of a corpus, and verdicts on its lines.

    A line has a verdict if it weighs a claim.
    """
    iris = Iris(corpus.config.base_iri)
    reading = reading_of(corpus)
    graph = ox.NamedNode(iris.base + "weighed")
    for id, strength in strengths(reading).items():
        if id in part.statements and strength is not None:
            statement = ox.NamedNode(iris.iri_of(STATEMENTS, id))
            yield ox.Quad(statement, STRENGTH, ox.Literal(strength), graph)
    for id in part.lines:
        question = reading.question(id)
        if question.statement and question.graph.is_claim[question.node]:
            word = strength_word(outcome_of(question), question.settings)
            line = ox.NamedNode(iris.iri_of(LINES, id))
            yield ox.Quad(line, VERDICT, ox.Literal(word), graph)


@memoize
def store_with_strengths(corpus: Corpus) -> ox.Store:
    """A store in memory with the notes, strengths and verdicts."""
    store = as_store(corpus)
    store.extend(strength_quads(corpus, corpus))
    return store


def sparql_with_strengths(
    corpus: Corpus,
    query: str,
    bindings: Mapping[str, Bindable] = {},
    limits: QueryLimits | None = None,
) -> SparqlResult:
    """Run a SPARQL query on both. Raises `BadQuery`, `BadBinding` and `QueryStopped`."""
    iris = Iris(corpus.config.base_iri)
    values = {name: term_of_value(value, iris) for name, value in bindings.items()}
    return ask_store(store_with_strengths(corpus), query, values, limits)
