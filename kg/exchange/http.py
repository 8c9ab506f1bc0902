"""Requests to a server: credentials from the environment, patience, and errors one can act on."""

from __future__ import annotations

import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

USER = "KG_ENDPOINT_USER"
PASSWORD = "KG_ENDPOINT_PASSWORD"
TOKEN = "KG_ENDPOINT_TOKEN"

PASSING = {408, 425, 429, 502, 503, 504}
LONGEST_WAIT = 30.0
SHOWN = 300


class EndpointError(RuntimeError):
    """A server that cannot be used as asked; the message says why and what to do."""


class Unanswered(EndpointError):
    """A server that did not answer, or only with errors that may pass."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered."""

    body: bytes
    type: str


@dataclass(frozen=True)
class Client:
    """Sends requests, and sends them again while the server is out of reach.

    Basic and digest authentication come from KG_ENDPOINT_USER and KG_ENDPOINT_PASSWORD, a bearer
    token from KG_ENDPOINT_TOKEN.
    """

    timeout: float = 120.0
    attempts: int = 5
    wait: float = 0.5
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    sleep: Callable[[float], None] = time.sleep

    def post(self, url: str, body: bytes, type: str, accept: str) -> Reply:
        """The answer to a POST. Raises `EndpointError`; what a retry may cure is retried first."""
        _check(url)
        for attempt in range(1, self.attempts + 1):
            try:
                return self._send(url, body, type, accept)
            except Unanswered as error:
                if attempt == self.attempts:
                    raise Unanswered(f"{error} (asked {attempt} times)") from None
                self.sleep(min(LONGEST_WAIT, self.wait * 2 ** (attempt - 1)))
        raise AssertionError("unreachable")

    def _send(self, url: str, body: bytes, type: str, accept: str) -> Reply:
        headers = {"Content-Type": type, "Accept": accept, "User-Agent": "inquiry-lines"}
        if token := self.environment.get(TOKEN):
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(url, body, headers, method="POST")
        try:
            with self._opener(url).open(request, timeout=self.timeout) as answer:
                return Reply(answer.read(), answer.headers.get_content_type())
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(url, error) from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise Unanswered(f"{_shown(url)} does not answer: {reason}") from None

    def _opener(self, url: str) -> urllib.request.OpenerDirector:
        handlers: list[Any] = [_NoRedirect()]
        host = urlsplit(url).hostname or ""
        if host == "localhost" or host.startswith("127.") or host == "::1":
            handlers.append(urllib.request.ProxyHandler({}))
        if user := self.environment.get(USER):
            passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
            passwords.add_password(None, url, user, self.environment.get(PASSWORD, ""))
            handlers.append(urllib.request.HTTPBasicAuthHandler(passwords))
            handlers.append(urllib.request.HTTPDigestAuthHandler(passwords))
        return urllib.request.build_opener(*handlers)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Credentials and updates go where they were addressed, or nowhere."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


def _check(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise EndpointError(
            f"{url!r} is no address of a server: it must begin with http:// or https://"
        )
    if parts.username or parts.password:
        raise EndpointError(f"keep the password out of the address: set {USER} and {PASSWORD}")


def _refusal(url: str, error: urllib.error.HTTPError) -> EndpointError:
    said = " ".join(error.read(4000).decode("utf-8", "replace").split())[:SHOWN]
    place = _shown(url)
    if error.code in PASSING:
        return Unanswered(f"{place} answered {error.code}: {said}")
    if error.code in {401, 403}:
        return EndpointError(
            f"{place} refuses us ({error.code}): set {USER} and {PASSWORD}, or {TOKEN}. {said}"
        )
    if 300 <= error.code < 400:
        return EndpointError(f"{place} has moved to {error.headers.get('Location', '?')}: use that")
    return EndpointError(f"{place} answered {error.code}: {said}")


def _shown(url: str) -> str:
    """An address without what may be secret in it."""
    return url.partition("?")[0]
