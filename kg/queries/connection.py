"""A corpus in a SPARQL engine, asked as the one in memory is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pyoxigraph import Literal, NamedNode

from kg.queries.engines.remote import Remote, Select, over
from kg.queries.language.builders import statements
from kg.queries.language.selection import Selection
from kg.rdf.bindings import as_term
from kg.rdf.sparql import Answer, ask

if TYPE_CHECKING:
    from pyoxigraph import Store

    from kg.queries.language.ask import Question

Answering = Callable[[str, Mapping[str, NamedNode | Literal]], Answer]


class Connection:
    """A corpus in a SPARQL engine: what it is asked, in selections or in SPARQL, it answers."""

    def __init__(self, engine: Remote, answering: Answering, place: str) -> None:
        self.engine = engine
        self.answering = answering
        self.place = place

    def find(self, wanted: Question | str = "", **words: Any) -> Any:
        """What a selection holds, as `Corpus.find` says. Raises `UnknownId`."""
        from kg.queries.run import find

        if isinstance(wanted, str):
            wanted = statements().text(wanted)
        if words and isinstance(wanted, Selection):
            wanted = wanted.where(**words)
        return find(self.engine, wanted)

    def ask(self, question: str) -> Any:
        """What a text query finds, as `Corpus.ask` says."""
        from kg.queries.language.ask import parse_question

        return self.find(parse_question(question))

    def sparql(self, query: str, /, **bindings: Any) -> Answer:
        """What a SPARQL query finds, as `Corpus.sparql` says."""
        values = {name: as_term(value, self.engine.iris) for name, value in bindings.items()}
        return self.answering(query, values)

    def iri_of(self, name: str) -> NamedNode:
        """The IRI of what an id or an alias stands for. Raises `UnknownId`."""
        return self.engine.iri_of(name)

    @property
    def base(self) -> str:
        """What the IRIs of the corpus begin with."""
        return self.engine.iris.base

    def __repr__(self) -> str:
        return f"<Connection to {self.place}>"


def connection(select: Select, answering: Answering, place: str) -> Connection:
    """The corpus behind whatever runs a SELECT. Raises `NotACorpus` where there is none."""
    engine = Remote(select)
    _ = engine.iris
    return Connection(engine, answering, place)


def connect_store(store: Store) -> Connection:
    """The corpus in an Oxigraph store."""
    return Connection(over(store), lambda query, values: ask(store, query, values), "a store")
