"""A server asked in SPARQL, with ids and texts put in as they are for the notes."""

from __future__ import annotations

from collections.abc import Mapping

from kg.exchange.endpoint import connect
from kg.queries.remote import NotACorpus, Remote
from kg.views.sparql import Answer
from kg.views.terms import text


def sparql_at(
    url: str, query: str, ids: Mapping[str, str], texts: Mapping[str, str]
) -> tuple[Answer, str]:
    """What a server answers, and the base of its corpus's IRIs, empty where it holds no corpus.

    Variables are held to what `ids` name on that server, and to `texts`. Raises `EndpointError`,
    `UnknownId` and `BadBinding`.
    """
    server = connect(url)
    engine = Remote(lambda wanted: server.select(wanted).rows)
    named = {name: engine.iri_of(id) for name, id in ids.items()}
    words = {name: text(word) for name, word in texts.items()}
    return server.ask(query, {**named, **words}), _base(engine)


def _base(engine: Remote) -> str:
    try:
        return engine.iris.base
    except NotACorpus:
        return ""
