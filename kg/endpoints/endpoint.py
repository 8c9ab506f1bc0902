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

from kg.endpoints.connections import (
    DEFAULT_LIMITS,
    NOBODY_THERE_ERRORS,
    Deadline,
    EndpointError,
    EndpointLimits,
    NoReply,
    ServerUnreachable,
    handlers_until,
    read_limits,
    usual_update_url,
    variable_of,
)
from kg.endpoints.sparql_results import ServerReply, parse_results
from kg.rdf.query_bindings import (
    bind_variables,
    has_from_clause,
    is_graph_query,
    selected_variables,
)
from kg.rdf.run_query import with_prefixes
from kg.rdf.sparql_answer import RdfTerm, Rows, SparqlAnswer, Truth
from kg.text.printable import printable

USER_VARIABLE = "KG_ENDPOINT_USER"
PASSWORD_VARIABLE = "KG_ENDPOINT_PASSWORD"
TOKEN_VARIABLE = "KG_ENDPOINT_TOKEN"
SECRET_VARIABLES = (USER_VARIABLE, PASSWORD_VARIABLE, TOKEN_VARIABLE)

# Without a byte for so long, a connection counts as lost: a server, or a proxy before it, mostly
# gives up a query itself after a minute. The whole answer is bounded by `EndpointLimits.seconds`.
MAX_SILENCE_SECONDS = 120.0
RETRIED_STATUSES = {408, 425, 429, 502, 503, 504}  # of HTTP: what a server says of itself for now
MAX_ATTEMPTS = 5  # of a request: with the waits between them, a server has 7.5 s to start again
FIRST_RETRY_WAIT_SECONDS = 0.5  # doubled before each further attempt
MAX_RETRY_WAIT_SECONDS = 30.0  # so that many attempts do not wait for hours
MAX_ERROR_BYTES = 8000  # read of an error message, which may be a page of HTML
MAX_SHOWN_REPLY_CHARACTERS = 300  # of an error message: about four lines of a terminal
CHUNK_BYTES = 1024 * 1024  # read at once, so that a limit is passed by no more
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
        self.limits = read_limits()
        self.client = Client(limits=self.limits)
        self._union: dict[str, str] | None = None

    def __repr__(self) -> str:
        return f"<Endpoint {self.url.partition('?')[0]}>"

    def select(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> Rows:
        """The rows of a SELECT query."""
        answer = self._parse_reply(self._ask_query(query, values or {}, RESULTS_TYPE))
        if not isinstance(answer, Rows):
            raise EndpointError("this query is not a SELECT")
        asked_variables = selected_variables(query)
        answered_variables = {*answer.variables}
        if (
            asked_variables
            and answer.rows
            and not asked_variables - {*(values or {})} <= answered_variables <= asked_variables
        ):
            names = ", ".join(f"?{name}" for name in sorted(asked_variables))
            raise EndpointError(f"{self!r} answers other variables than {names}")
        return answer

    def ask(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal] | None = None
    ) -> SparqlAnswer:
        """The answer to a query of any form, as from the corpus itself."""
        accept = GRAPH_TYPES if is_graph_query(query) else RESULTS_TYPE
        return self._parse_reply(self._ask_query(query, values or {}, accept))

    def pages(
        self, pattern: str, variables: str, size: int = ROWS_PER_PAGE
    ) -> Iterator[tuple[RdfTerm | None, ...]]:
        """Every row for a pattern, requested in pages small enough for servers with a limit.

        Raises `EndpointError` if the server repeats rows.
        """
        offset = 0
        last_row = None
        for _ in range(self.limits.pages):
            distinct_rows = f"SELECT DISTINCT {variables} WHERE {{ {pattern} }}"
            # sorted within, so that no server limits what is sorted
            in_order = f"{distinct_rows} ORDER BY {variables}"
            page = f"SELECT {variables} WHERE {{ {{ {in_order} }} }} LIMIT {size} OFFSET {offset}"
            rows = self.select(page).rows
            if not rows:
                return
            if rows[-1] == last_row:  # else each page would be the same, without end
                raise EndpointError(f"{self!r} repeats rows: it ignores OFFSET")
            last_row = rows[-1]
            yield from rows
            offset += len(rows)
            if offset > self.limits.rows:
                raise self._limit_error("rows")
            # asked without order: a server would sort all rows for a page of none
            if (
                offset == len(rows) < size
                and not self.select(f"{distinct_rows} LIMIT 1 OFFSET {offset}").rows
            ):
                return
        raise self._limit_error("pages")

    def _limit_error(self, limit: str) -> EndpointError:
        excess = f"more than {getattr(self.limits, limit):,} {limit} for one question"
        return EndpointError(f"{self!r} gives {excess} ({variable_of(limit)})")

    def update(self, text: str) -> None:
        """Run an update."""
        body = urlencode({"update": text}).encode()
        self.client.post(self.update_url, body, FORM_TYPE, "*/*")

    def _ask_query(
        self, query: str, values: Mapping[str, ox.NamedNode | ox.Literal], accept: str
    ) -> ServerReply:
        text = with_prefixes(bind_variables(query, values))
        extra = {} if has_from_clause(text) else self._union_graph_parameters()
        return self._post_text(text, accept, extra)

    def _post_text(self, text: str, accept: str, extra: Mapping[str, str]) -> ServerReply:
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

    def _parse_reply(self, reply: ServerReply) -> SparqlAnswer:
        return parse_results(reply, self.limits)

    def _is_true(self, query: str, extra: Mapping[str, str]) -> bool:
        answer = self._parse_reply(self._post_text(query, RESULTS_TYPE, extra))
        return isinstance(answer, Truth) and answer.value


@dataclass(frozen=True)
class Client:
    """Sends requests, and repeats them while a server that is there does not answer.

    Basic and digest authentication come from KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD, a bearer
    token from KG_ENDPOINT_TOKEN.
    """

    timeout: float = MAX_SILENCE_SECONDS
    attempts: int = MAX_ATTEMPTS
    wait: float = FIRST_RETRY_WAIT_SECONDS
    limits: EndpointLimits = DEFAULT_LIMITS
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    sleep: Callable[[float], None] = time.sleep

    def post(self, url: str, body: bytes, type: str, accept: str) -> ServerReply:
        """The answer to a POST. Retries temporary errors; raises `EndpointError`."""
        _check_url(url)
        for attempt in range(1, self.attempts + 1):
            try:
                return self._send_request(url, body, type, accept)
            except ServerUnreachable:
                raise
            except NoReply as error:
                if attempt == self.attempts:
                    raise NoReply(f"{error} (asked {attempt} times)") from None
                self.sleep(min(MAX_RETRY_WAIT_SECONDS, self.wait * 2 ** (attempt - 1)))
        raise AssertionError("unreachable")

    def _send_request(self, url: str, body: bytes, type: str, accept: str) -> ServerReply:
        headers = {"Content-Type": type, "Accept": accept, "User-Agent": "inquiry-lines"}
        if token := self.environment.get(TOKEN_VARIABLE):
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(url, body, headers, method="POST")
        shown_url = _url_without_secrets(url)
        secrets = tuple(self._secrets_as_sent())
        with Deadline(self.limits.seconds) as deadline:
            try:
                opener = self._opener_for_url(url, deadline)
                with opener.open(request, timeout=self.timeout) as answer:
                    media_type = answer.headers.get_content_type()
                    reply = ServerReply(self._read_bounded(answer, shown_url), media_type)
            except urllib.error.HTTPError as error:
                with error:
                    raise _refusal_error(url, error, secrets) from None
            except ValueError:  # of the library, whose own words may hold a secret
                fault = "unusable challenge or address, password or token"
                raise EndpointError(f"{shown_url}: {fault}") from None
            except (OSError, http.client.HTTPException) as error:
                if not deadline.has_passed:
                    cause = getattr(error, "reason", None) or error
                    kind = ServerUnreachable if isinstance(cause, NOBODY_THERE_ERRORS) else NoReply
                    raise kind(
                        f"{shown_url} does not answer: {_safe_excerpt(str(cause), secrets)}"
                    ) from None
        if deadline.has_passed:  # a cut body of unknown length looks complete
            delay = f"had not answered in whole after {self.limits.seconds:.0f} s"
            raise EndpointError(f"{shown_url} {delay} ({variable_of('seconds')})")
        return reply

    def _read_bounded(self, answer: http.client.HTTPResponse, shown_url: str) -> bytes:
        """The whole answer; raises `EndpointError` if it is too large."""
        parts = []
        size = 0
        while part := answer.read1(CHUNK_BYTES):
            parts.append(part)
            size += len(part)
            if size > self.limits.bytes:
                excess = f"more than {self.limits.bytes:,} bytes ({variable_of('bytes')})"
                raise EndpointError(f"{shown_url} answered {excess}: ask for less, by LIMIT")
        if answer.length:  # announced bytes are missing
            raise http.client.IncompleteRead(b"", answer.length)
        return b"".join(parts)

    def _secrets_as_sent(self) -> Iterator[str]:
        """Secrets as they are sent, which no message may show: a server may echo them."""
        user, password, token = map(self.environment.get, SECRET_VARIABLES)
        if user and password:
            yield base64.b64encode(f"{user}:{password}".encode()).decode()
        yield from filter(None, (password, token))

    def _opener_for_url(self, url: str, deadline: Deadline) -> urllib.request.OpenerDirector:
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
    beginning = b""
    with suppress(OSError, http.client.HTTPException):
        while len(beginning) < MAX_ERROR_BYTES and (
            part := answer.read1(MAX_ERROR_BYTES - len(beginning))
        ):
            beginning += part
        # an answer to a digest is read already, and has no length
        if len(beginning) < MAX_ERROR_BYTES and not getattr(answer, "length", 0):
            margin = 0
    return beginning[: max(0, len(beginning) - margin)].decode("utf-8", "replace")


def _refusal_error(
    url: str, error: urllib.error.HTTPError, secrets: Collection[str]
) -> EndpointError:
    reply = _read_beginning(
        cast(http.client.HTTPResponse, error.fp),
        max((len(secret.encode()) for secret in secrets), default=0),
    )
    location = error.headers.get("Location", "?")
    message = _safe_excerpt(reply, secrets)
    location = _safe_excerpt(location, secrets)
    shown_url = _url_without_secrets(url)
    if error.code in RETRIED_STATUSES:
        return NoReply(f"{shown_url} answered {error.code}: {message}")
    if error.code in {401, 403}:
        return EndpointError(
            f"{shown_url} refuses access ({error.code}): set {USER_VARIABLE} and "
            f"{PASSWORD_VARIABLE}, or {TOKEN_VARIABLE}. {message}"
        )
    if 300 <= error.code < 400:
        return EndpointError(f"{shown_url} has moved to {location}: use that")
    return EndpointError(f"{shown_url} answered {error.code}: {message}")


def _url_without_secrets(url: str) -> str:
    """A URL without its query, which may contain secrets."""
    return url.partition("?")[0]
