"""SPARQL endpoints for tests: a server on a port of its own, and a store without a server."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pyoxigraph as ox

from kg.endpoints.connections import NoReply
from kg.endpoints.endpoint import Endpoint
from kg.endpoints.sparql_results import ServerReply
from tests.support.patience import PATIENCE


@contextmanager
def serve_store(store: ox.Store, union: bool = True) -> Iterator[str]:
    """A SPARQL endpoint for a store, on a port of its own."""
    with serve_store_by_token(lambda _: store, union) as url:
        yield url


@contextmanager
def serve_store_by_token(store_of: Callable[[str], ox.Store], union: bool = True) -> Iterator[str]:
    """An endpoint that asks and changes the store of whoever sends a bearer token."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            body = self.rfile.read(length)
            if len(body) < length:
                return  # whoever sent it is gone
            form = parse_qs(body.decode())
            query = "union-default-graph" in form
            store = store_of((self.headers["Authorization"] or "").removeprefix("Bearer "))
            if "update" in form:
                store.update(form["update"][0])
                self.send_response(204)
                self.end_headers()
                return
            try:
                rows = store.query(form["query"][0], use_default_graph_as_union=union or query)
                body = rows.serialize(format=ox.QueryResultsFormat.JSON)
                self.send_response(200)
                self.send_header("Content-Type", "application/sparql-results+json")
            except SyntaxError as error:
                body = str(error).encode()
                self.send_response(400)
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/query"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(PATIENCE)


class MemoryEndpoint(Endpoint):
    """A store behind an endpoint's face, which can break off an update half-way."""

    def __init__(self) -> None:
        super().__init__("http://memory.test/query", "http://memory.test/update")
        self.store = ox.Store()
        self.left: int | None = None
        self.texts: list[str] = []

    def _post_text(self, text: str, accept: str, extra: Mapping[str, str]) -> ServerReply:
        answer = self.store.query(text, use_default_graph_as_union=True)
        assert not isinstance(answer, ox.QueryTriples)  # nobody here asks for a graph
        content = answer.serialize(format=ox.QueryResultsFormat.JSON)
        assert content is not None
        return ServerReply(content, "application/sparql-results+json")

    def update(self, text: str) -> None:
        """Run an update, unless `left` operations were run before."""
        self.texts.append(text)
        for operation in text.split(" ;\n"):
            if self.left is not None:
                if self.left == 0:
                    raise NoReply("gone")
                self.left -= 1
            self.store.update(operation)
