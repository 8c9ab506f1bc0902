"""The engines by name, how to start them, and how to reach them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from kg.endpoints.client import PASSWORD_VARIABLE, USER_VARIABLE, Client
from kg.endpoints.endpoint import Endpoint, open_endpoint
from tests.support.sparql_servers import Server, oxigraph, virtuoso

Start = Callable[[Path], AbstractContextManager[Server]]
ENGINES: dict[str, Start] = {"oxigraph": oxigraph, "virtuoso": virtuoso}


def endpoint_of(server: Server, attempts: int = 3) -> Endpoint:
    """A server's endpoint, with the credentials that the tests' own Virtuoso starts with."""
    endpoint = open_endpoint(server.url, server.update_url)
    endpoint.client = Client(
        environment={USER_VARIABLE: "dba", PASSWORD_VARIABLE: "dba"},
        attempts=attempts,
        sleep=lambda _: None,
    )
    return endpoint
