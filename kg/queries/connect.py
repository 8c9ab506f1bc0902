"""SPARQL endpoints over HTTP, as engines for selections."""

from __future__ import annotations

from http.client import HTTPException
from typing import TYPE_CHECKING, Any, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

from pyoxigraph import QueryResultsFormat, QuerySolutions, parse_query_results

from kg.queries.engine import Engine
from kg.queries.misuse import Misuse
from kg.queries.remote import NotACorpus, Remote, Rows, over
from kg.queries.selection import Selection
from kg.queries.sorts import statements

if TYPE_CHECKING:
    from pyoxigraph import Store

    from kg.queries.answer import Answer
    from kg.queries.ask import Question

TIMEOUT = 60.0
SAID = 300
UNION = "union-default-graph"


class EndpointError(Misuse):
    """An endpoint that cannot be reached, or that refuses a query."""


class Connection:
    """A corpus in a SPARQL engine: what it is asked in selections, it answers."""

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
        self.place = place

    def find(self, wanted: Question | str = "", **words: Any) -> Any:
        """What a selection holds, as `Corpus.find` says. Raises `UnknownId` and `EndpointError`."""
        from kg.queries.run import find

        if isinstance(wanted, str):
            wanted = statements().text(wanted)
        if words and isinstance(wanted, Selection):
            wanted = wanted.where(**words)
        return find(self.engine, wanted)

    def ask(self, question: str) -> Answer[Any] | Any:
        """What a text query finds, as `Corpus.ask` says."""
        from kg.queries.ask import parse_question

        return self.find(parse_question(question))

    def __repr__(self) -> str:
        return f"<Connection to {self.place}>"


def connect(url: str, timeout: float = TIMEOUT) -> Connection:
    """The corpus behind a SPARQL endpoint: `connect("http://localhost:7878/query")`.

    Raises `EndpointError` where nothing answers, and `NotACorpus` where none of ours does.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise EndpointError(f"an endpoint's address begins with http:// or https://: {url!r}")
    return Connection(_engine(url, timeout), url)


def connect_store(store: Store) -> Connection:
    """The corpus in an Oxigraph store."""
    return Connection(over(store), "a store")


def _engine(url: str, timeout: float) -> Remote:
    """An engine whose default graph is the union of its graphs, asked for if need be."""
    engine = Remote(lambda query: select(url, query, timeout))
    try:
        _ = engine.iris
    except NotACorpus:
        union = f"{url}{'&' if '?' in url else '?'}{UNION}=true"
        engine = Remote(lambda query: select(union, query, timeout))
        _ = engine.iris
    return engine


def select(url: str, query: str, timeout: float = TIMEOUT) -> Rows:
    """The rows that an endpoint answers to a SELECT; raises `EndpointError`."""
    request = Request(
        url,
        data=urlencode({"query": query}).encode(),
        headers={"Accept": "application/sparql-results+json", "User-Agent": "kg"},
    )
    try:
        with urlopen(request, timeout=timeout) as response:
            body = response.read()
        found = parse_query_results(body, format=QueryResultsFormat.JSON)
    except HTTPError as error:
        said = error.read(SAID).decode("utf-8", "replace").strip()
        raise EndpointError(f"{url} refused the query: {error.code} {said}") from None
    except (URLError, TimeoutError, HTTPException, OSError) as error:
        raise EndpointError(f"{url} does not answer: {error}") from None
    except SyntaxError as error:
        raise EndpointError(f"{url} does not answer in SPARQL's JSON: {error}") from None
    if not isinstance(found, QuerySolutions):
        raise EndpointError(f"{url} answered yes or no where rows were asked for")
    return [tuple(cast(Any, row)) for row in found]
