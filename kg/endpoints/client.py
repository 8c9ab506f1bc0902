"""Requests to a server: repeated while it is busy, and errors that show no password or token."""

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
from urllib.parse import quote, urlsplit

from kg.endpoints.connections import (
    DEFAULT_LIMITS,
    NOBODY_THERE_ERRORS,
    Deadline,
    EndpointError,
    EndpointLimits,
    NoReply,
    ServerUnreachable,
    handlers_until,
    variable_of,
)
from kg.endpoints.sparql_results import ServerReply
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
