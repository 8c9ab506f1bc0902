"""A client for SPARQL 1.1 servers, to query them like the corpus."""

from __future__ import annotations

import base64
import http.client
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from typing import Any, cast
from urllib.parse import quote, urlencode, urlsplit

import pyoxigraph as ox

from kg.exchange.connections import (
    DEFAULT_LIMITS,
    NOBODY,
    Deadline,
    EndpointError,
    Limits,
    NobodyThere,
    Unanswered,
    handlers_until,
    limits_of,
    usual_update_url,
    variable_of,
)
from kg.exchange.parsed_answers import parse_graph, parse_json
from kg.rdf.bindings import (
    bind_variables,
    has_from_clause,
    is_graph_query,
    selected_variables,
)
from kg.rdf.run_query import with_prefixes
from kg.rdf.sparql_answer import RdfTerm, Rows, SparqlAnswer, Truth
from kg.text.printable import printable

FORM_TYPE = "application/x-www-form-urlencoded"
RESULTS_TYPE = "application/sparql-results+json"
GRAPH_TYPES = "application/n-triples, text/turtle;q=0.8"
ROWS_PER_PAGE = 5000  # rows per request: many servers limit the size of an answer
UNION_GRAPH_PARAMETERS: tuple[dict[str, str], ...] = ({}, {"union-default-graph": "true"})


def connect_endpoint(url: str, update_url: str = "") -> Endpoint:
    """A server by its query URL; updates go to `update_url`, or to the usual update URL."""
    return Endpoint(url, update_url or usual_update_url(url))


class Endpoint:
    """Runs queries over all named graphs, and updates; methods raise `EndpointError`."""

    def __init__(self, url: str, update_url: str) -> None:
        self.url = url
        self.update_url = update_url
        self.limits = limits_of()
        self.client = Client(limits=self.limits)
        self._union: dict[str, str] | None = None

    def __repr__(self) -> str:
        return f"<Endpoint {self.url.partition('?')[0]}>"

    def select(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Rows:
        """The rows of a SELECT query."""
        answer = self._parse(self._ask(query, values or {}, RESULTS_TYPE))
        if not isinstance(answer, Rows):
            raise EndpointError("this query is not a SELECT")
        wanted, found = selected_variables(query), {*answer.variables}
        if wanted and answer.rows and not wanted - {*(values or {})} <= found <= wanted:
            names = ", ".join(f"?{name}" for name in sorted(wanted))
            raise EndpointError(f"{self!r} answers other variables than {names}")
        return answer

    def ask(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> SparqlAnswer:
        """The answer to a query of any form, as from the corpus itself."""
        accept = GRAPH_TYPES if is_graph_query(query) else RESULTS_TYPE
        return self._parse(self._ask(query, values or {}, accept))

    def pages(
        self, pattern: str, variables: str, size: int = ROWS_PER_PAGE
    ) -> Iterator[tuple[RdfTerm | None, ...]]:
        """Every row for a pattern, requested in pages small enough for servers with a limit.

        Raises `EndpointError` if the server repeats rows.
        """
        start, before = 0, None
        for _ in range(self.limits.pages):
            inner = f"SELECT DISTINCT {variables} WHERE {{ {pattern} }}"
            page = f"{inner} ORDER BY {variables}"  # within, so that none limits what is sorted
            page = f"SELECT {variables} WHERE {{ {{ {page} }} }} LIMIT {size} OFFSET {start}"
            rows = self.select(page).rows
            if not rows:
                return
            if rows[-1] == before:  # else each page would be the same, without end
                raise EndpointError(f"{self!r} repeats rows: it ignores OFFSET")
            before = rows[-1]
            yield from rows
            start += len(rows)
            if start > self.limits.rows:
                raise self._limit_error("rows")
            # asked without order: a server would sort all rows for a page of none
            if (
                start == len(rows) < size
                and not self.select(f"{inner} LIMIT 1 OFFSET {start}").rows
            ):
                return
        raise self._limit_error("pages")

    def _limit_error(self, limit: str) -> EndpointError:
        most = f"more than {getattr(self.limits, limit):,} {limit} for one question"
        return EndpointError(f"{self!r} gives {most} ({variable_of(limit)})")

    def update(self, text: str) -> None:
        """Run an update."""
        body = urlencode({"update": text}).encode()
        self.client.post(self.update_url, body, FORM_TYPE, "*/*")

    def _ask(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal], accept: str
    ) -> Reply:
        text = with_prefixes(bind_variables(query, values))
        extra = {} if has_from_clause(text) else self._union_graph_parameters()
        return self._post(text, accept, extra)

    def _post(self, text: str, accept: str, extra: Mapping[str, str]) -> Reply:
        body = urlencode({"query": text, **extra}).encode()
        return self.client.post(self.url, body, FORM_TYPE, accept)

    def _union_graph_parameters(self) -> dict[str, str]:
        """Parameters that make the server query all named graphs, found by trial queries."""
        if self._union is not None:
            return self._union
        if not self._is_true("ASK { GRAPH ?g { ?s ?p ?o } }", {}):
            return {}  # an empty server cannot tell: ask again once it has data
        for extra in UNION_GRAPH_PARAMETERS:
            if self._is_true("ASK { ?s ?p ?o }", extra):
                self._union = extra
                return extra
        raise EndpointError(
            f"{self!r} queries only its default graph: configure the server to use the union "
            "of all named graphs as its default graph"
        )

    def _parse(self, reply: Reply) -> SparqlAnswer:
        return parse_results(reply, self.limits)

    def _is_true(self, query: str, extra: Mapping[str, str]) -> bool:
        answer = self._parse(self._post(query, RESULTS_TYPE, extra))
        return isinstance(answer, Truth) and answer.value


def parse_results(reply: Reply, limits: Limits = DEFAULT_LIMITS) -> SparqlAnswer:
    """Parse a server's answer: JSON results, or a graph. Raises `EndpointError`."""
    if reply.body.count(b"<<(") > limits.depth:
        most = f"more than {limits.depth} triples within triples ({variable_of('depth')})"
        raise EndpointError(f"the server's answer cannot be read: it may hold {most}")
    try:
        if "json" in reply.type:
            return parse_json(reply.body)
        for format in (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.TURTLE):
            if format.media_type == reply.type or reply.type == "text/plain":
                return parse_graph(reply.body, format, limits.bytes)
    except (ValueError, SyntaxError, RecursionError) as error:
        raise EndpointError(f"the server's answer cannot be read: {error}") from None
    raise EndpointError(f"the server answered in {reply.type}, which is not a format for answers")


USER_VARIABLE = "KG_ENDPOINT_USER"
PASSWORD_VARIABLE = "KG_ENDPOINT_PASSWORD"
TOKEN_VARIABLE = "KG_ENDPOINT_TOKEN"
SECRET_VARIABLES = (USER_VARIABLE, PASSWORD_VARIABLE, TOKEN_VARIABLE)

RETRIED_STATUSES = {408, 425, 429, 502, 503, 504}
MAX_RETRY_WAIT_SECONDS = 30.0  # seconds
MAX_ERROR_BYTES = 8000  # bytes read of an error message
MAX_SHOWN_REPLY_CHARACTERS = 300  # characters shown of an error message
CHUNK_BYTES = 1024 * 1024  # bytes read at once


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's answer: its body and media type."""

    body: bytes
    type: str


@dataclass(frozen=True)
class Client:
    """Sends requests, and repeats them while a server that is there does not answer.

    Basic and digest authentication come from KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD, a bearer
    token from KG_ENDPOINT_TOKEN.
    """

    timeout: float = 120.0
    attempts: int = 5
    wait: float = 0.5
    limits: Limits = DEFAULT_LIMITS
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    sleep: Callable[[float], None] = time.sleep

    def post(self, url: str, body: bytes, type: str, accept: str) -> Reply:
        """The answer to a POST. Retries temporary errors; raises `EndpointError`."""
        _check_url(url)
        for attempt in range(1, self.attempts + 1):
            try:
                return self._send(url, body, type, accept)
            except NobodyThere:
                raise
            except Unanswered as error:
                if attempt == self.attempts:
                    raise Unanswered(f"{error} (asked {attempt} times)") from None
                self.sleep(min(MAX_RETRY_WAIT_SECONDS, self.wait * 2 ** (attempt - 1)))
        raise AssertionError("unreachable")

    def _send(self, url: str, body: bytes, type: str, accept: str) -> Reply:
        headers = {"Content-Type": type, "Accept": accept, "User-Agent": "inquiry-lines"}
        if token := self.environment.get(TOKEN_VARIABLE):
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(url, body, headers, method="POST")
        place, secrets = _without_secrets(url), tuple(self._secrets())
        with Deadline(self.limits.seconds) as deadline:
            try:
                opener = self._opener(url, deadline)
                with opener.open(request, timeout=self.timeout) as answer:
                    media_type = answer.headers.get_content_type()
                    reply = Reply(self._read_bounded(answer, place), media_type)
            except urllib.error.HTTPError as error:
                with error:
                    raise _refusal_error(url, error, secrets) from None
            except ValueError:  # of the library, whose own words may hold a secret
                why = "unusable challenge or address, password or token"
                raise EndpointError(f"{place}: {why}") from None
            except (OSError, http.client.HTTPException) as error:
                if not deadline.passed:
                    cause = getattr(error, "reason", None) or error
                    kind = NobodyThere if isinstance(cause, NOBODY) else Unanswered
                    raise kind(
                        f"{place} does not answer: {_safe_excerpt(str(cause), secrets)}"
                    ) from None
        if deadline.passed:  # a cut body of unknown length looks complete
            late = f"had not answered in whole after {self.limits.seconds:.0f} s"
            raise EndpointError(f"{place} {late} ({variable_of('seconds')})")
        return reply

    def _read_bounded(self, answer: http.client.HTTPResponse, place: str) -> bytes:
        """The whole answer; raises `EndpointError` if it is too large."""
        parts, size = [], 0
        while part := answer.read1(CHUNK_BYTES):
            parts.append(part)
            size += len(part)
            if size > self.limits.bytes:
                most = f"more than {self.limits.bytes:,} bytes ({variable_of('bytes')})"
                raise EndpointError(f"{place} answered {most}: ask for less, by LIMIT")
        if answer.length:  # announced bytes are missing
            raise http.client.IncompleteRead(b"", answer.length)
        return b"".join(parts)

    def _secrets(self) -> Iterator[str]:
        """Secrets as they are sent, which no message may show: a server may echo them."""
        user, password, token = map(self.environment.get, SECRET_VARIABLES)
        if user and password:
            yield base64.b64encode(f"{user}:{password}".encode()).decode()
        yield from filter(None, (password, token))

    def _opener(self, url: str, deadline: Deadline) -> urllib.request.OpenerDirector:
        handlers: list[Any] = handlers_until(deadline)
        host = urlsplit(url).hostname or ""
        if host == "localhost" or host.startswith("127.") or host == "::1":
            handlers.append(urllib.request.ProxyHandler({}))
        if user := self.environment.get(USER_VARIABLE):
            passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
            passwords.add_password(None, url, user, self.environment.get(PASSWORD_VARIABLE, ""))
            handlers.append(urllib.request.HTTPBasicAuthHandler(passwords))
            handlers.append(urllib.request.HTTPDigestAuthHandler(passwords))
        return urllib.request.build_opener(*handlers)


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise EndpointError(
            f"{url!r} is not a server's URL: it must begin with http:// or https://"
        )
    if parts.username or parts.password:
        raise EndpointError(
            f"keep the password out of the address: set {USER_VARIABLE} and {PASSWORD_VARIABLE}"
        )


def _safe_excerpt(reply: str, secrets: Iterable[str]) -> str:
    """A server's reply on one line, without secrets that it echoes, broken or encoded."""
    for secret in secrets:
        in_base64 = base64.b64encode(secret.encode()).decode()
        for form in (secret, escape(secret), quote(secret, safe=""), in_base64):
            reply = re.sub(r"\s*".join(map(re.escape, form)), "…", reply, flags=re.IGNORECASE)
    return printable(" ".join(reply.split())[:MAX_SHOWN_REPLY_CHARACTERS])


def _read_beginning(answer: http.client.HTTPResponse, margin: int) -> str:
    """The beginning of an answer; if cut, without its last `margin` bytes, which may be secret."""
    read = b""
    with suppress(OSError, http.client.HTTPException):
        while len(read) < MAX_ERROR_BYTES and (part := answer.read1(MAX_ERROR_BYTES - len(read))):
            read += part
        # an answer to a digest is read already, and has no length
        if len(read) < MAX_ERROR_BYTES and not getattr(answer, "length", 0):
            margin = 0
    return read[: max(0, len(read) - margin)].decode("utf-8", "replace")


def _refusal_error(
    url: str, error: urllib.error.HTTPError, secrets: Collection[str]
) -> EndpointError:
    said = _read_beginning(
        cast(http.client.HTTPResponse, error.fp),
        max((len(secret.encode()) for secret in secrets), default=0),
    )
    moved = error.headers.get("Location", "?")
    message, moved = _safe_excerpt(said, secrets), _safe_excerpt(moved, secrets)
    place = _without_secrets(url)
    if error.code in RETRIED_STATUSES:
        return Unanswered(f"{place} answered {error.code}: {message}")
    if error.code in {401, 403}:
        return EndpointError(
            f"{place} refuses access ({error.code}): set {USER_VARIABLE} and {PASSWORD_VARIABLE}, "
            f"or {TOKEN_VARIABLE}. {message}"
        )
    if 300 <= error.code < 400:
        return EndpointError(f"{place} has moved to {moved}: use that")
    return EndpointError(f"{place} answered {error.code}: {message}")


def _without_secrets(url: str) -> str:
    """A URL without its query, which may contain secrets."""
    return url.partition("?")[0]
