"""Connections to servers: bounded by what the environment sets, following no redirect."""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import threading
import urllib.request
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlsplit, urlunsplit

from kg.model.errors import KgError
from kg.text.printable import printable

NOBODY_THERE_ERRORS = (ConnectionRefusedError, socket.gaierror, ssl.SSLCertVerificationError)
LARGEST_NUMBER = 10**15 - 1  # of the digits that `_parse_limit` takes
MAX_SHOWN_CHARACTERS = 40  # of a wrong limit: enough to find it


class Deadline:
    """Closes a connection when its time is up. A socket timeout is not enough, as a server may
    send an endless answer in small pieces, each of them in time.
    """

    def __init__(self, seconds: float) -> None:
        self.has_passed = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._close_connection)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def watch(self, connection: socket.socket) -> None:
        """Set the connection to close."""
        self._socket = connection
        if self.has_passed:
            self._close_connection()

    def _close_connection(self) -> None:
        self.has_passed = True
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


def handlers_until(deadline: Deadline) -> list[urllib.request.BaseHandler]:
    """Handlers for connections that end at a deadline and follow no redirects."""

    class PlainConnection(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            deadline.watch(self.sock)

    class SecureConnection(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            deadline.watch(self.sock)

    class PlainHandler(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(PlainConnection, req)

    class SecureHandler(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(SecureConnection, req)

    return [_NoRedirect(), PlainHandler(), SecureHandler()]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, so that credentials and updates are sent nowhere else."""

    def redirect_request(
        self, req: object, fp: object, code: int, msg: str, headers: object, newurl: str
    ) -> None:
        return None


class EndpointError(KgError, RuntimeError):
    """A server that cannot be used as asked; the message says why and what to do."""


class NoReply(EndpointError):
    """A server that did not answer, or only with temporary errors."""


class ServerUnreachable(NoReply):
    """An address where no server is: to ask again makes no sense."""


class EndpointLimits(NamedTuple):
    """Limits on an answer. KG_ENDPOINT_SECONDS sets the first, and so on."""

    seconds: float = 600  # from a request to the end of its answer
    bytes: int = 256 * 1024 * 1024  # far more than a page of a pull
    rows: int = 100_000_000  # of all pages of a query together
    pages: int = 100_000  # of a query
    depth: int = 500  # of nested triples: thousands of levels would crash the program


DEFAULT_LIMITS = EndpointLimits()
MAX_LIMITS = EndpointLimits(
    threading.TIMEOUT_MAX, LARGEST_NUMBER, LARGEST_NUMBER, LARGEST_NUMBER, depth=1_000
)


def variable_of(limit: str) -> str:
    """The environment variable that sets a limit."""
    return f"KG_ENDPOINT_{limit.upper()}"


def read_limits() -> EndpointLimits:
    """The limits from the environment. Raises `EndpointError`."""
    text_by_limit = {
        limit: os.environ.get(variable_of(limit), "").strip() for limit in EndpointLimits._fields
    }
    return EndpointLimits(
        **{limit: _parse_limit(limit, text) for limit, text in text_by_limit.items() if text}
    )


def _parse_limit(limit: str, text: str) -> int:
    maximum = int(getattr(MAX_LIMITS, limit))
    if re.fullmatch("0*[1-9][0-9]{0,14}", text) and int(text) <= maximum:
        return int(text)
    expectation = f"{variable_of(limit)} is not an integer from 1 to {maximum:,}"
    raise EndpointError(f"{expectation}: {printable(text[:MAX_SHOWN_CHARACTERS])}")


def usual_update_url(url: str) -> str:
    """The update URL of well-known servers for a query URL."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    if path.endswith("/query"):
        path = path.removesuffix("query") + "update"
    elif path.rpartition("/")[0].endswith("/repositories"):
        path += "/statements"
    return urlunsplit(parts._replace(path=path))
