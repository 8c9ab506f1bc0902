"""Read an editor's messages; invalid ones are answered with an error, not shown to the user."""

from __future__ import annotations

import io
import logging
import sys
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import unquote

from lsprotocol.types import TEXT_DOCUMENT_DID_CHANGE
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import RPCRequest

from kg.text.printable import printable

MAX_MESSAGE_BYTES = 64 * 1024 * 1024  # far more than the longest note, written as JSON
_SKIP_CHUNK_BYTES = 1024 * 1024  # bytes
LONG_RECORDS = ("Unable to deserialize message", "Unable to handle message")


class RefusedMessage(NamedTuple):
    """The error for a message that cannot be read, and the id of the request it answers."""

    error: JsonRpcException
    id: str | int | None = None
    is_asked: bool = True  # else no answer is expected


class BoundedFrames(io.RawIOBase):
    """The input from an editor; a message whose stated length is above the limit is skipped."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self, size: int | None = -1) -> bytes:
        """A line of a header, or a part of one that is longer than any."""
        return self._stream.readline(_SKIP_CHUNK_BYTES)

    def read(self, size: int = -1) -> bytes:
        """A message of `size` bytes; for one that is too large, bytes that are no message.

        For one that breaks off, nothing: its sender has gone, and waits for no answer.
        """
        if size <= MAX_MESSAGE_BYTES:
            content = self._stream.read(size)
            return content if len(content) == size else b""
        while size > 0 and (skipped := self._stream.read(min(size, _SKIP_CHUNK_BYTES))):
            size -= len(skipped)
        return b"{" if size == 0 else b""


class OutputUntilClosed(io.RawIOBase):
    """The output to an editor; dropped once the editor is gone."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream: BinaryIO | None = stream

    def write(self, data: Any) -> int:
        """Write a message whole, if somebody is there to read it."""
        try:
            if self._stream is not None:
                self._stream.write(data)
                self._stream.flush()
        except (OSError, ValueError):
            self._stream = None
        return len(data)

    def flush(self) -> None:
        """Nothing: each message is flushed when it is written, and a closed output is no error."""


class AnsweringProtocol(LanguageServerProtocol):
    """The library's protocol, extended to answer messages that it cannot read."""

    @property
    def was_shut_down(self) -> bool:
        """Whether the editor asked for the shutdown."""
        return bool(self._shutdown)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message, or its refusal."""
        id = data.get("id")
        has_method = isinstance(data.get("method"), str)
        if has_method and "id" in data and type(id) not in (int, str):
            return RefusedMessage(JsonRpcInvalidRequest("an id is an integer or a string"))
        try:
            return super().structure_message({"params": None, **data} if has_method else data)
        except JsonRpcException as error:
            shown_error = error if has_method else JsonRpcInvalidRequest("there is no method")
            is_asked = "id" in data if has_method else data.keys().isdisjoint({"result", "error"})
            return RefusedMessage(shown_error, _message_id(data), is_asked)

    def handle_message(self, message: Any) -> None:
        """Answer a message, or say why it is invalid (JSON-RPC 2.0, section 5.1)."""
        if isinstance(message, RefusedMessage):
            if message.is_asked:
                self.refuse(message.error, message.id)
        elif getattr(message, "jsonrpc", None) != self.VERSION:
            error = JsonRpcInvalidRequest("this is not a JSON-RPC 2.0 message")
            self.refuse(error, _message_id(message))
        elif self.was_shut_down and isinstance(message, RPCRequest):
            self.refuse(JsonRpcInvalidRequest("the server was shut down"), message.id)
        elif self._changes_unopened_text(message):
            logging.getLogger(__name__).warning("ignored: a change of what is not open")
        else:
            super().handle_message(message)

    def _changes_unopened_text(self, message: Any) -> bool:
        """Return whether it changes a text that was not opened, or a notebook: there are none."""
        method = getattr(message, "method", None)
        if hasattr(message, "id"):  # is answered
            return False
        if method != TEXT_DOCUMENT_DID_CHANGE:
            return str(method).startswith("notebookDocument/")
        return unquote(message.params.text_document.uri) not in self.workspace.text_documents

    def refuse(self, error: JsonRpcException, id: str | int | None = None) -> None:
        """Answer with an error, with the id “null” if the request is unknown."""
        error_object = {"code": error.code, "message": error.message}
        self._send_data({"jsonrpc": self.VERSION, "id": id, "error": error_object})


def _message_id(message: object) -> str | int | None:
    id = message.get("id") if isinstance(message, dict) else getattr(message, "id", None)
    return id if type(id) in (int, str) else None


class AnsweringServer(LanguageServer):
    """A server that answers every request, and logs each unreadable one in one line."""

    protocol: AnsweringProtocol

    def __init__(self, name: str, version: str, max_workers: int) -> None:
        super().__init__(name, version, protocol_cls=AnsweringProtocol, max_workers=max_workers)
        for logger in ("pygls.protocol.json_rpc", "pygls.server"):
            logging.getLogger(logger).addFilter(_shorten_record)

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve the editor at the other end of input and output, until it asks to stop or is gone.

        Raises `SystemExit` with 1 where it left without asking for the shutdown, as the protocol
        wants; the library would leave with 0.
        """
        frames = BoundedFrames(stdin or sys.stdin.buffer)
        output = OutputUntilClosed(stdout or sys.stdout.buffer)
        super().start_io(frames, output)  # type: ignore[arg-type]
        if not self.protocol.was_shut_down:
            sys.exit(1)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer invalid JSON with an error; the library would show it to the user.

        That a message could not be sent is in the log already: to send that would fail as well, and
        be reported again, without end.
        """
        if source is JsonRpcException and isinstance(error, ValueError | RecursionError):
            self.protocol.refuse(JsonRpcParseError("this is not JSON, or is nested too deeply"))
        elif source is not JsonRpcInternalError:
            super().report_server_error(error, source)


def _shorten_record(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, JsonRpcException):  # reported to the editor, and no error of this program
        text = printable(f"{record.getMessage()}: {error.message}")
        record.msg = text
        record.args = ()
        record.exc_info = None
    if str(record.msg).startswith(LONG_RECORDS):
        record.msg = str(record.msg).split("\n")[0]
        record.args = ()
        record.exc_info = None
    return True
