"""Read a client's messages and count what is not answered yet; invalid ones get an error."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self, TextIO

import anyio
from mcp.shared._stream_protocols import WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from mcp_types.jsonrpc import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter
from pydantic import TypeAdapter, ValidationError

from kg.model.errors import KgError

ANY_JSON = TypeAdapter[Any](Any)
CANCELLED = "notifications/cancelled"
SECONDS_PER_LOOK = 0.01  # between two looks whether all is answered
MAX_IDLE_LOOKS = 500  # without any answer; a call that works holds up the looks
_HALF_A_LETTER = re.compile("[\ud800-\udfff]")  # of a surrogate pair; UTF-8 cannot hold it


class OpenRequests:
    """The requests that have no answer yet."""

    def __init__(self) -> None:
        self._requests: Counter[str] = Counter()  # an id may be used twice

    def add(self, message: Any) -> None:
        """Count a request; one that the client takes back is answered by nobody."""
        if isinstance(message, JSONRPCRequest):
            self._requests[str(message.id)] += 1
        elif isinstance(message, JSONRPCNotification) and message.method == CANCELLED:
            self._requests.pop(str((message.params or {}).get("requestId")), None)

    def remove(self, message: Any) -> None:
        """Count the request that a message answers, if it answers one, as open no longer."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._requests -= Counter([str(message.id)])

    async def wait(self) -> None:
        """Return when all is answered, or when no answer comes any more."""
        open_count = self._requests.total()
        idle_looks = 0
        while open_count and idle_looks < MAX_IDLE_LOOKS:
            await anyio.sleep(SECONDS_PER_LOOK)
            idle_looks = idle_looks + 1 if self._requests.total() == open_count else 0
            open_count = self._requests.total()


class RequestStream(anyio.AsyncFile[str]):
    """Lines with a message of the protocol; anything else is answered by `refuse`.

    The library drops it silently, and a client would wait for the answer. The end of the lines
    waits for the answers too, since there the library gives up what it works on.
    """

    def __init__(
        self,
        lines: TextIO,
        open_requests: OpenRequests,
        refuse: Callable[[SessionMessage], Awaitable[None]],
    ) -> None:
        super().__init__(lines)
        self._open_requests = open_requests
        self._refuse = refuse

    async def readline(self) -> str:
        while line := await super().readline():
            if not line.strip():
                continue
            try:
                self._open_requests.add(read_message(line))
            except InvalidMessage as invalid:
                await self._refuse(SessionMessage(invalid.error))
            else:
                return line
        await self._open_requests.wait()
        return ""


class AnswerStream:
    """The library's stream of answers, each counted once it is on its way."""

    def __init__(self, stream: WriteStream[SessionMessage], open_requests: OpenRequests) -> None:
        self._stream = stream
        self._open_requests = open_requests

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message, and forget the request that it answers."""
        await self._stream.send(item)
        self._open_requests.remove(item.message)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        await self._stream.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool | None:
        return await self._stream.__aexit__(kind, error, trace)


class InvalidMessage(KgError):
    """A line that is no message, with the error that answers it (JSON-RPC 2.0, 5.1)."""

    def __init__(self, id: str | int | None, code: int, why: str) -> None:
        super().__init__(why)
        error = ErrorData(code=code, message=why)
        self.error = JSONRPCError(jsonrpc="2.0", id=id, error=error)


def read_message(text_line: str) -> JSONRPCMessage:
    """The message in a line; raises `InvalidMessage`."""
    try:
        value = ANY_JSON.validate_json(text_line)
    except ValidationError:
        why = "this line is not JSON in UTF-8, has half a letter, or nests too deeply"
        raise InvalidMessage(_message_id(_lenient_json(text_line)), PARSE_ERROR, why) from None
    try:
        message = jsonrpc_message_adapter.validate_json(text_line, by_name=False)
    except ValidationError:
        why = "this line is not a JSON-RPC 2.0 request"
        raise InvalidMessage(_message_id(value), INVALID_REQUEST, why) from None
    if isinstance(message, JSONRPCNotification) and "id" in value:  # the library ignores this
        raise InvalidMessage(None, INVALID_REQUEST, "an id is a string or an integer")
    return message


def _lenient_json(text_line: str) -> Any:
    """A line as Python alone reads it, which also takes half a letter; None if it is no JSON."""
    try:
        return json.loads(text_line)
    except (ValueError, RecursionError):
        return None


def _message_id(value: Any) -> str | int | None:
    """The id of a message, if it has one that an answer can repeat: one without half a letter."""
    id = value.get("id") if isinstance(value, dict) else None
    if isinstance(id, str):
        return id if _HALF_A_LETTER.search(id) is None else None
    return id if type(id) is int else None
