"""Requests that fail, and what becomes of them.

Of `kg/endpoints/connections.py`, too.
"""

from __future__ import annotations

import socketserver
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from kg.endpoints.client import (
    MAX_ERROR_BYTES,
    PASSWORD_VARIABLE,
    TOKEN_VARIABLE,
    USER_VARIABLE,
    Client,
)
from kg.endpoints.connections import (
    MAX_LIMITS,
    EndpointError,
    EndpointLimits,
    NoReply,
    usual_update_url,
    variable_of,
)
from kg.endpoints.endpoint import open_endpoint
from tests.support.every_row import every_row
from tests.support.sparql_servers import free_port

pytestmark = pytest.mark.integration


class Scripted(HTTPServer):
    """Answers with the statuses it is given, in turn, and remembers what was asked."""

    statuses: list[int]
    authorizations: list[str | None]
    body: Iterable[bytes] = ()
    announced = ""  # as the length of the body
    challenge = 'Basic realm="x"'
    location = "http://127.0.0.1:1/elsewhere"
    type = "text/plain"


class _Handler(BaseHTTPRequestHandler):
    server: Scripted

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.authorizations.append(self.headers.get("Authorization"))
        status = self.server.statuses.pop(0)
        self.send_response(status)
        if status == 401:
            self.send_header("WWW-Authenticate", self.server.challenge)
        if status == 301:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Type", self.server.type)
        if self.server.announced:
            self.send_header("Content-Length", self.server.announced)
        self.end_headers()
        with suppress(OSError):  # who asked has heard enough
            for part in self.server.body or [f"said {status}".encode()]:
                self.wfile.write(part)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[Scripted]:
    server = Scripted(("127.0.0.1", 0), _Handler)
    server.statuses, server.authorizations = [], []
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def _post(server: Scripted, *statuses: int, **environment: str) -> tuple[str, list[float]]:
    server.statuses[:] = statuses
    waits: list[float] = []
    client = Client(environment=environment, sleep=waits.append, attempts=3)
    body = client.post(f"http://127.0.0.1:{server.server_port}/x", b"q", "text/plain", "*/*").body
    return body.decode(), waits


def test_what_may_pass_is_tried_again_with_longer_waits(server: Scripted) -> None:
    assert _post(server, 503, 429, 200) == ("said 200", [0.5, 1.0])


def test_a_busy_server_is_given_up_after_three_attempts(server: Scripted) -> None:
    with pytest.raises(NoReply, match=r"answered 503: said 503 \(asked 3 times\)"):
        _post(server, 503, 503, 503)


@pytest.mark.parametrize("host", ["127.0.0.1:{free_port}", "nobody.invalid"])
def test_where_no_server_is_it_is_asked_once(host: str) -> None:
    waits: list[float] = []
    client = Client(environment={"no_proxy": "*"}, sleep=waits.append)
    address = f"http://{host.format(free_port=free_port())}/x"
    with pytest.raises(NoReply, match="does not answer") as caught:
        client.post(address, b"q", "text/plain", "*/*")
    assert (waits, "times" in str(caught.value)) == ([], False)


def test_a_refusal_is_not_tried_again(server: Scripted) -> None:
    with pytest.raises(EndpointError, match="answered 400: said 400"):
        _post(server, 400)
    assert len(server.authorizations) == 1


def test_a_server_that_wants_a_name_is_given_it(server: Scripted) -> None:
    assert (
        _post(server, 401, 200, **{USER_VARIABLE: "ann", PASSWORD_VARIABLE: "secret"})[0]
        == "said 200"
    )
    assert server.authorizations == [None, "Basic YW5uOnNlY3JldA=="]


def test_a_proxy_is_asked_for_other_machines_and_not_for_this_one(
    server: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{free_port()}")
    assert _post(server, 200)[0] == "said 200"
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
    for host in ("localhost", "127.0.0.2", "[::1]"):
        server.statuses[:] = [200]
        with pytest.raises(EndpointError, match="does not answer"):
            Client(environment={}).post(f"http://{host}:{free_port()}/x", b"", "text/plain", "*/*")
    reply = Client(environment={}).post("http://nobody.invalid/x", b"q", "text/plain", "*/*")
    assert reply.body == b"said 200"


def test_a_token_goes_along(server: Scripted) -> None:
    _post(server, 200, **{TOKEN_VARIABLE: "t0ken"})
    assert server.authorizations == ["Bearer t0ken"]


@pytest.mark.parametrize("status", [401, 403])
def test_without_credentials_the_message_says_how_to_give_them(
    server: Scripted, status: int
) -> None:
    with pytest.raises(
        EndpointError, match=f"{USER_VARIABLE}.*{PASSWORD_VARIABLE}.*{TOKEN_VARIABLE}"
    ):
        _post(server, status)


def test_redirects_are_not_followed(server: Scripted) -> None:
    with pytest.raises(EndpointError, match="has moved to http://127"):
        _post(server, 301, **{TOKEN_VARIABLE: "t0ken"})


def test_an_answer_without_end_is_refused(server: Scripted) -> None:
    server.statuses[:] = [200, 200]
    url = f"http://127.0.0.1:{server.server_port}/x?key=secret"
    assert (
        Client(limits=EndpointLimits(bytes=8)).post(url, b"q", "text/plain", "*/*").body
        == b"said 200"
    )
    with pytest.raises(EndpointError, match=r"/x answered more than 7 bytes .*: ask for less"):
        Client(limits=EndpointLimits(bytes=7)).post(url, b"q", "text/plain", "*/*")


def test_a_server_that_is_not_there_is_named_without_its_secrets() -> None:
    client = Client(attempts=1)
    with pytest.raises(NoReply, match="does not answer") as caught:
        client.post(f"http://127.0.0.1:{free_port()}/x?key=secret", b"", "text/plain", "*/*")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://x/y", "localhost:1/x", "http://"])
def test_only_web_addresses_are_asked(url: str) -> None:
    with pytest.raises(EndpointError, match="begin with http"):
        Client().post(url, b"", "text/plain", "*/*")


@pytest.mark.parametrize("who", ["ann:secret", "ann", ":secret"])
def test_passwords_do_not_belong_in_addresses(who: str) -> None:
    with pytest.raises(EndpointError, match=USER_VARIABLE):
        Client().post(f"http://{who}@127.0.0.1/", b"", "text/plain", "*/*")


def _ask(server: Scripted, status: int = 200, **limits: Any) -> bytes:
    server.statuses[:] = [status]
    client = Client(attempts=1, **limits)
    return client.post(f"http://127.0.0.1:{server.server_port}/x", b"q", "text/plain", "*/*").body


def test_a_response_that_trickles_in_past_the_time_limit_is_abandoned(server: Scripted) -> None:
    server.body = (b"x" for _ in iter(lambda: time.sleep(0.02), 1))
    with pytest.raises(EndpointError, match="had not answered in whole"):
        _ask(server, limits=EndpointLimits(seconds=0.3))


class _Raw(socketserver.BaseRequestHandler):
    """Sends what its server says, again and again or once, and no answer in the end."""

    def handle(self) -> None:
        self.request.recv(65536)
        text, times = self.server.claims_to_be  # type: ignore[attr-defined]
        with suppress(OSError):
            for _ in range(times):
                self.request.sendall(text)
                time.sleep(0.01)


@contextmanager
def _saying(text: bytes, times: int = 1) -> Iterator[str]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Raw) as server:
        server.claims_to_be = text, times  # type: ignore[attr-defined]
        server.daemon_threads, server.block_on_close = True, False
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/x"
        server.shutdown()


@pytest.mark.parametrize("text", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b"H"])
def test_an_answer_that_never_begins_is_let_go_of(text: bytes) -> None:
    with _saying(text, 3000) as url, pytest.raises(EndpointError, match="had not answered"):
        Client(attempts=1, limits=EndpointLimits(seconds=0.3)).post(url, b"q", "text/plain", "*/*")


def test_what_is_no_answer_shows_no_secret_and_no_escape_code() -> None:
    client = Client(attempts=1, environment={TOKEN_VARIABLE: "t0ken"})
    with _saying(b"Bearer t0ken \x1b[31m\r\n\r\n") as url, pytest.raises(NoReply) as caught:
        client.post(url, b"q", "text/plain", "*/*")
    assert "does not answer: Bearer …" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_body_that_is_cut_short_is_no_answer(server: Scripted) -> None:
    server.body, server.announced = [b"<a> <b> <c> .\n"], "28"
    with pytest.raises(NoReply, match="does not answer"):
        _ask(server)


@pytest.mark.parametrize("status", [400, 403, 500, 503, 301])
def test_a_secret_that_is_echoed_is_not_shown(server: Scripted, status: int) -> None:
    known = {USER_VARIABLE: "ann", PASSWORD_VARIABLE: "s3cret", TOKEN_VARIABLE: "t0ken"}
    server.body = [b"you said Basic YW5uOnMzY3JldA== (s3cret), Bearer t0ken"]
    with pytest.raises(EndpointError) as caught:
        _ask(server, status, environment=known)
    assert not any(word in str(caught.value) for word in ("s3cret", "t0ken", "YW5uOnMzY3JldA"))


@pytest.mark.parametrize(
    "echo", ["t0k%26n%3D%3D", "T0K&N==", "t0\nk&n==", "dDBrJm49PQ==", "t0k&amp;n=="]
)
def test_a_secret_echoed_broken_or_encoded_is_not_shown(server: Scripted, echo: str) -> None:
    server.body = [f"you said {echo}.".encode()]
    with pytest.raises(EndpointError, match="you said …") as caught:
        _ask(server, 500, environment={TOKEN_VARIABLE: "t0k&n=="})
    assert str(caught.value).endswith("you said ….")


def test_a_server_that_wants_a_digest_is_given_one(server: Scripted) -> None:
    server.challenge = 'Digest realm="a", nonce="x", qop="auth"'
    text, _ = _post(server, 401, 200, **{USER_VARIABLE: "ann", PASSWORD_VARIABLE: "secret"})
    assert text == "said 200"
    assert str(server.authorizations[1]).startswith('Digest username="ann"')


@pytest.mark.parametrize("algorithm", ["MD5", "MD5-sess", "MD5, x=1"])
def test_a_digest_that_is_refused_is_one_error(server: Scripted, algorithm: str) -> None:
    server.challenge = f'Digest realm="a", nonce="x", qop="auth", algorithm={algorithm}'
    server.statuses[:] = [401] * 9
    client = Client(attempts=1, environment={USER_VARIABLE: "ann", PASSWORD_VARIABLE: "wrong"})
    with pytest.raises(EndpointError):
        client.post(f"http://127.0.0.1:{server.server_port}/x", b"q", "text/plain", "*/*")


def test_what_cannot_be_sent_or_followed_is_one_error_without_its_secret(server: Scripted) -> None:
    server.location = "http://["
    for status, token in ((301, "t0ken"), (200, "t0ken€"), (200, "t0ken\nmore")):
        with pytest.raises(EndpointError, match="unusable challenge or address") as caught:
            _ask(server, status, environment={TOKEN_VARIABLE: token})
        assert "t0ken" not in str(caught.value)


@pytest.mark.parametrize("cut", [1, 7, 39])
def test_a_secret_is_not_shown_in_part_either(server: Scripted, cut: int) -> None:
    token = "t0ken" * 8
    known = {TOKEN_VARIABLE: token}
    # spaces are shown as one, so that all that is read is shown
    filled = (b"said:" + b" " * MAX_ERROR_BYTES)[: MAX_ERROR_BYTES - cut]
    for body in (
        [filled, token.encode()],
        [b"said:  ", token[:cut].encode(), token[cut:].encode()],
    ):
        server.body = body
        with pytest.raises(EndpointError, match="said:") as caught:
            _ask(server, 400, environment=known)
        assert "t" not in str(caught.value).partition("said:")[2]


def test_a_refusal_that_breaks_off_shows_no_part_of_a_secret(server: Scripted) -> None:
    server.body, server.announced = [b"said: " + b". " * 40 + b"t0ken"], "500"
    with pytest.raises(EndpointError, match="said:") as caught:
        _ask(server, 400, environment={TOKEN_VARIABLE: "t0ken" * 8})
    assert "t0ken" not in str(caught.value)


@pytest.mark.parametrize(
    ("limit", "why"),
    [("seconds", "had not answered in whole after 1 s"), ("bytes", "more than 1 bytes")],
)
def test_limits_are_set_in_the_environment(
    server: Scripted, monkeypatch: pytest.MonkeyPatch, limit: str, why: str
) -> None:
    variable = variable_of(limit)
    monkeypatch.setenv(variable, "1")
    server.statuses[:] = [200]
    server.body = (b"x" for _ in iter(lambda: time.sleep(0.02), 1))
    with pytest.raises(EndpointError, match=rf"{why}.*\({variable}\)"):
        open_endpoint(f"http://127.0.0.1:{server.server_port}/x").update("")


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "inf", "many", "1" * 5000, "\x1b[31m", "٣"])
@pytest.mark.parametrize("variable", [variable_of(limit) for limit in EndpointLimits._fields])
def test_a_limit_that_is_no_number_is_refused(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str
) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(EndpointError, match=f"^{variable} is not an integer from 1 to") as caught:
        open_endpoint("http://127.0.0.1:1/x")
    assert len(str(caught.value)) < 150
    assert str(caught.value).isprintable()


def test_limits_may_be_as_large_as_one_likes(
    server: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, maximum in MAX_LIMITS._asdict().items():
        monkeypatch.setenv(variable_of(limit), str(int(maximum)))
    server.statuses[:] = [200]
    open_endpoint(f"http://127.0.0.1:{server.server_port}/x").update("")
    assert server.statuses == []


@every_row(
    ("query", "update"),
    [
        ("http://h/query", "http://h/update"),
        ("http://h/ds/query?x=1", "http://h/ds/update?x=1"),
        ("http://h/repositories/r", "http://h/repositories/r/statements"),
        ("http://h/sparql", "http://h/sparql"),
    ],
)
def test_updates_go_where_servers_of_known_makes_take_them(query: str, update: str) -> None:
    assert usual_update_url(query) == update
