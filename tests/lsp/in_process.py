"""A server in the process of a test: what it tells an editor that sends it a few messages."""

from __future__ import annotations

import io
import json
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from kg.lsp.protocol import make_server
from kg.lsp.workspace import Workspace
from tests.support.patience import PATIENCE

Message = dict[str, Any]


def ask(
    workspace: Workspace, *query: tuple[str, Any], before: Sequence[Message] = ()
) -> tuple[list[Any], list[Message]]:
    """The answers to requests of method and parameters, in order, and what else is told."""
    requests = [
        {"id": number, "method": method, "params": params}
        for number, (method, params) in enumerate(query)
    ]
    messages = talk(
        workspace, [*before, *requests], until=lambda each: each.get("id") == len(query) - 1
    )
    answers = {each["id"]: each for each in messages if "method" not in each}
    responses = [answers[number] for number in range(len(query))]
    rest = [each for each in messages if "method" in each]
    return [each.get("result", each.get("error")) for each in responses], rest


def talk(
    workspace: Workspace,
    messages: Sequence[Message],
    *,
    until: Callable[[Message], bool],
    capabilities: Message | None = None,
) -> list[Message]:
    """All that is told to an editor that leaves when it hears what it waits for."""
    hello = {"processId": None, "rootUri": None, "capabilities": capabilities or {}}
    first = {"id": "hello", "method": "initialize", "params": hello}
    last = [{"id": "bye", "method": "shutdown"}, {"method": "exit"}]
    server = make_server(lambda _: workspace, lambda rule: f"help:{rule}")
    with _pipe() as (heard, say):
        say([first, *messages])
        editor = _Editor(until, lambda: say(last))
        server.start_io(heard, editor)  # type: ignore[arg-type]
    return [each for each in editor.told if each.get("id") not in ("hello", "bye")]


class _Editor(io.RawIOBase):
    """The end at which an editor reads."""

    def __init__(self, until: Callable[[Message], bool], leave: Callable[[], None]) -> None:
        self.told: list[Message] = []
        self._until, self._leave = until, leave

    def write(self, data: Any) -> int:
        self.told.append(json.loads(bytes(data).partition(b"\r\n\r\n")[2]))
        if self._until(self.told[-1]):
            self._leave()
        return len(data)


@contextmanager
def _pipe() -> Iterator[tuple[BinaryIO, Callable[[Sequence[Message]], None]]]:
    """What an editor says, and how it says it; after a while it is gone."""
    end, begin = os.pipe()
    with os.fdopen(end, "rb") as heard, os.fdopen(begin, "wb") as fdopen:

        def say(messages: Sequence[Message]) -> None:
            for message in messages:
                body = json.dumps({"jsonrpc": "2.0", **message}).encode()
                fdopen.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            fdopen.flush()

        late = threading.Timer(PATIENCE, fdopen.close)
        late.start()
        yield heard, say
        late.cancel()
