"""A server's endpoint without a server or a network: a store in this process."""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from kg.endpoints.connections import NoReply
from kg.endpoints.endpoint import Endpoint, ServerReply


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
