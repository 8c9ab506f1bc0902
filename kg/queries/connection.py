"""A corpus in a SPARQL engine, asked as the one in memory is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg.queries.engine import Engine
from kg.queries.remote import Remote, Select, over
from kg.queries.selection import Selection
from kg.queries.starts import statements

if TYPE_CHECKING:
    from pyoxigraph import Store

    from kg.queries.ask import Question


class Connection:
    """A corpus in a SPARQL engine: what it is asked in selections, it answers."""

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
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
        from kg.queries.ask import parse_question

        return self.find(parse_question(question))

    def __repr__(self) -> str:
        return f"<Connection to {self.place}>"


def connection(select: Select, place: str) -> Connection:
    """The corpus behind whatever runs a SELECT. Raises `NotACorpus` where there is none."""
    engine = Remote(select)
    _ = engine.iris
    return Connection(engine, place)


def connect_store(store: Store) -> Connection:
    """The corpus in an Oxigraph store."""
    return Connection(over(store), "a store")
