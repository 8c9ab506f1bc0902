"""The connection to a corpus in a store or on a server, for selections and SPARQL queries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode, Store

from kg.corpus import Corpus
from kg.graphs_with_strengths.stored_notes import open_stored_notes
from kg.queries.engines.engine import Engine, MemoryEngine
from kg.queries.engines.sparql_engine import SelectRunner, SparqlEngine, engine_of_store
from kg.queries.find import FindResult, find
from kg.queries.language.parse_query import FindRequest
from kg.queries.results.found_records import Findable
from kg.rdf.query_bindings import term_of_value
from kg.rdf.run_query import ask_store
from kg.rdf.sparql_result import SparqlResult

RunSparql = Callable[[str, Mapping[str, NamedNode | Literal]], SparqlResult]


class Connection(Findable):
    """A corpus in a SPARQL engine, for selections and SPARQL queries.

    `corpus` holds its records if they are beside a store: then selections are answered from them.
    """

    def __init__(
        self,
        engine: SparqlEngine,
        run_sparql: RunSparql,
        place: str,
        corpus: Corpus | None = None,
    ) -> None:
        self.sparql_engine = engine
        self.run_sparql = run_sparql
        self.place = place
        self.corpus = corpus
        self.engine: Engine = engine if corpus is None else MemoryEngine(corpus)

    def _find(self, request: FindRequest) -> FindResult:
        return find(self.engine, request)

    def sparql(self, query: str, /, **bindings: Any) -> SparqlResult:
        """The results of a SPARQL query, as by `Corpus.sparql`."""
        iris = self.sparql_engine.iris
        values = {name: term_of_value(value, iris) for name, value in bindings.items()}
        return self.run_sparql(query, values)

    def iri_of(self, name: str) -> NamedNode:
        """The IRI of the record with this id or alias. Raises `UnknownId`."""
        return self.sparql_engine.iri_of(name)

    @property
    def base(self) -> str:
        """The prefix of the corpus's IRIs."""
        return self.sparql_engine.iris.base

    def __repr__(self) -> str:
        return f"<Connection to {self.place}>"


def engine_of_server(select: SelectRunner) -> SparqlEngine:
    """The engine that asks a server through `select`. Raises `NotACorpus` if it has no corpus."""
    engine = SparqlEngine(select)
    _ = engine.iris  # asked for now, so that what is no corpus is refused before any question
    return engine


def connect_store(store: Store | Path) -> Connection:
    """The corpus in an Oxigraph store, or in the folder of one, which is only read.

    A folder that `store_notes` made answers selections from the records beside its quads.
    """
    store, corpus = open_stored_notes(store) if isinstance(store, Path) else (store, None)

    def run_sparql(query: str, values: Mapping[str, NamedNode | Literal]) -> SparqlResult:
        return ask_store(store, query, values)

    return Connection(engine_of_store(store), run_sparql, "a store", corpus)
