"""Each request of an editor is answered, whatever is wrong with it; nothing else is."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from lsprotocol.types import LogMessageParams, MessageType
from pygls.exceptions import FeatureRequestError, JsonRpcException, JsonRpcParseError
from pygls.lsp.server import LanguageServer

from kg.files.read_files import NotesFolder
from kg.lsp.messages import (
    MAX_MESSAGE_BYTES,
    AnsweringServer,
    BoundedFrames,
    OutputUntilClosed,
)
from kg.lsp.protocol import make_server
from kg.lsp.workspace import Workspace
from tests.support.patience import PATIENCE
from tests.support.split_off import run_split_off

ODD: tuple[Any, ...] = (None, True, -1.5, "x", [], {}, [[]], {"a": 1}, 10**30, 1e400, "\ud800")
ODD_PLACES = ((2**31, 0), (0, 2**31 - 1), (-1, -1), (10**9, 10**9))
ODD_URIS = ("file:///etc/passwd", "untitled:x", "file://%00", "http://x/y.md", "", "\0")
NO_MESSAGES = [b"nonsense", b"null", b"5", b"[]", b"{}", b'"x"', b"\xff", b"[" * 10**5]
ODD_IDS = [None, True, 1.5, [], {}]


def _requests(uri: str) -> Iterator[tuple[str, Any]]:
    """Requests that are well-formed, as methods and parameters."""
    document, start = {"uri": uri}, {"line": 6, "character": 3}
    place = {"textDocument": document, "position": start}
    for method in ("hover", "completion", "definition", "prepareRename"):
        yield f"textDocument/{method}", place
    yield "textDocument/references", {**place, "context": {"includeDeclaration": True}}
    yield "textDocument/rename", {**place, "newName": "other"}
    stretch = {"start": start, "end": start}
    yield (
        "textDocument/codeAction",
        {"textDocument": document, "range": stretch, "context": {"diagnostics": []}},
    )
    for method in ("documentSymbol", "codeLens", "formatting"):
        yield f"textDocument/{method}", {"textDocument": document}
    yield "workspace/symbol", {"query": "x"}
    yield "workspace/executeCommand", {"command": "x"}


def _notifications(uri: str) -> Iterator[tuple[str, Any]]:
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# So"}
    yield "textDocument/didOpen", {"textDocument": document}
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "# No"}]}
    yield "textDocument/didChange", changed
    yield "textDocument/didClose", {"textDocument": {"uri": uri}}
    yield "workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]}
    yield "$/cancelRequest", {"id": 1}
    yield "no/such", {}


def _made_odd(params: Any) -> Iterator[Any]:
    """The same with something odd in place of each field in turn."""
    yield from ODD
    for field, value in params.items() if isinstance(params, dict) else ():
        for odd in _made_odd(value) if isinstance(value, dict) else ODD:
            yield {**params, field: odd}


def _frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _message(**parts: Any) -> bytes:
    return _frame(json.dumps({"jsonrpc": "2.0", **parts}).encode())


def _read(stream: BinaryIO) -> Any:
    size = 0
    while (header := stream.readline().strip()) or not size:
        name, _, value = header.partition(b":")
        size = int(value) if name.lower() == b"content-length" else size
    return json.loads(stream.read(size))


def _storm(uri: str) -> Iterator[tuple[Any, bytes]]:
    """Messages, each with the id of the answer that it shall have, if any."""
    number = 0
    for method, params in _requests(uri):
        places = [{**params, "position": {"line": a, "character": b}} for a, b in ODD_PLACES]
        documents = [{**params, "textDocument": {"uri": odd}} for odd in ODD_URIS]
        for odd in (
            *_made_odd(params),
            *(places if "position" in params else ()),
            *(documents if "textDocument" in params else ()),
        ):
            number += 1
            yield number, _message(id=number, method=method, params=odd)
    for method, params in _notifications(uri):
        for odd in (*_made_odd(params), params):
            yield (), _message(method=method, params=odd)
    yield from ((None, _frame(body)) for body in NO_MESSAGES)
    for id in ODD_IDS:
        yield None, _message(id=id, method="workspace/symbol", params={"query": "x"})
    for method in ("no/such", "$/x", "__class__", "", "\x1b[31m"):
        yield f"unknown {method}", _message(id=f"unknown {method}", method=method)
    for name in ("os.system", "", "\x1b[31m"):
        command = {"command": name, "arguments": []}
        id = f"no command {name}"
        yield id, _message(id=id, method="workspace/executeCommand", params=command)
    yield "no method", _message(id="no method")
    yield "other version", _frame(b'{"jsonrpc":"1.0","id":"other version","method":"x"}')
    yield (), _message(id="nothing asked", result={})
    yield (), _message(id="nothing asked", error=5)
    yield "huge", _message(id="huge", method="workspace/symbol", params={"query": "x" * 10**6})


@pytest.mark.integration
def test_a_language_server_answers_all_that_is_asked_and_nothing_else(root: Path) -> None:
    uri = (root / "notes" / "rest.md").as_uri()
    storm = list(_storm(uri))
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "lsp"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        late = threading.Timer(2 * PATIENCE, server.kill)
        late.start()
        complaints: list[bytes] = []
        listening = threading.Thread(target=complaints.extend, args=(server.stderr,), daemon=True)
        listening.start()
        hello = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}}
        sent = [
            _message(id="hello", method="initialize", params=hello),
            _message(method="initialized", params={}),
            *(message for _, message in storm),
            _message(id="bye", method="shutdown"),
            _message(id="too late", method="workspace/symbol", params={"query": "x"}),
        ]
        sending = threading.Thread(target=server.stdin.write, args=(b"".join(sent),))
        sending.start()
        answered: list[Any] = []
        while "too late" not in answered:
            data = _read(server.stdout)
            if "method" not in data:
                answered.append(data["id"])
                assert "Traceback" not in str(data)
        sending.join()
        server.stdin.write(_message(method="exit"))
        server.stdin.flush()
        assert server.wait(PATIENCE) == 0
        late.cancel()
        listening.join()
    assert b"Command name 'os.system' is not defined\n" in b"".join(complaints)
    assert not any(b"Traceback" in line or b"\x1b" in line for line in complaints)
    expected = ["hello", *(id for id, _ in storm if id != ()), "bye", "too late"]
    assert sorted(map(str, answered)) == sorted(map(str, expected))


def _ends(uri: str) -> Iterator[tuple[str, bytes, list[Any], int]]:
    """Where input may end: what was sent, the ids that it shall have answers to, the exit code."""
    hello = {"processId": None, "rootUri": uri, "capabilities": {}}
    first = _message(id=1, method="initialize", params=hello)
    begun = first + _message(method="initialized", params={})
    message = _message(id=2, method="workspace/symbol", params={"query": "x"})
    bye = _message(id=3, method="shutdown")
    yield "at once", b"", [], 1
    yield "in a header", first[:9], [], 1
    yield "after a header", first[: first.index(b"{")], [], 1
    yield "in a message", first[:-9], [], 1
    yield "in a message that is too large", b"Content-Length: 9%s\r\n\r\n{" % (b"9" * 30), [], 1
    yield "before it begins", message, [2], 1
    yield "while notes are read", begun, [1], 1
    yield "in a later message", begun + message + message[:-9], [1, 2], 1
    yield "after a question", begun + message, [1, 2], 1
    yield "at an exit that nothing announced", begun + _message(method="exit"), [1], 1
    yield "after the shutdown", begun + bye, [1, 3], 0
    yield "at the exit", begun + bye + _message(method="exit"), [1, 3], 0


@pytest.mark.integration
@pytest.mark.parametrize("where", [where for where, *_ in _ends("")])
def test_wherever_input_ends_the_server_ends_quietly(root: Path, where: str) -> None:
    sent, answered, code = next(
        answered_ids for each, *answered_ids in _ends(root.as_uri()) if each == where
    )
    ended = run_split_off(["lsp"], root, os.environ, sent=sent, patience=PATIENCE)
    assert (ended.stderr, ended.returncode) == (b"", code)
    bytes_io, answered_ids = io.BytesIO(ended.stdout), []
    while bytes_io.tell() < len(ended.stdout):
        message = _read(bytes_io)
        if "method" not in message:
            answered_ids.append(message["id"])
    assert answered_ids == answered


@pytest.mark.integration
def test_an_editor_that_no_longer_listens_is_sent_nothing(root: Path) -> None:
    *_, (_, sent, _, code) = _ends(root.as_uri())
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "lsp"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdout
        server.stdout.close()
        server.stdout = None
        _, complaints = server.communicate(sent, PATIENCE)
    assert (complaints, server.returncode) == (b"", code)


def test_messages_go_out_at_once_until_nobody_listens() -> None:
    class Pipe(io.BytesIO):
        is_open = True

        def write(self, data: Any) -> int:
            if not self.is_open:
                raise BrokenPipeError
            return super().write(data)

    pipe = Pipe()
    stream = io.BufferedWriter(pipe)
    output = OutputUntilClosed(stream)  # type: ignore[arg-type]
    assert output.write(b"told") == 4
    assert pipe.getvalue() == b"told"
    pipe.is_open = False
    assert output.write(b"lost") == 4
    pipe.is_open = True
    assert output.write(b"late") == 4
    assert pipe.getvalue() == b"told"


@pytest.mark.parametrize(
    ("error", "source", "refused"),
    [
        (ValueError("no JSON"), JsonRpcException, True),
        (RecursionError(), JsonRpcException, True),
        (ValueError("ours"), FeatureRequestError, False),
        (KeyError("ours"), JsonRpcException, False),
    ],
)
def test_only_what_is_no_json_is_refused_as_such(
    error: Exception, source: type, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, answers = make_server(lambda _: Workspace(NotesFolder.from_path("."))), list[Any]()
    monkeypatch.setattr(server.protocol, "refuse", answers.append)
    monkeypatch.setattr(LanguageServer, "report_server_error", lambda *_: answers.append(None))
    server.report_server_error(error, source)
    [answer] = answers
    assert isinstance(answer, JsonRpcParseError) is refused


def test_half_a_letter_does_not_stop_the_log(root: Path) -> None:
    workspace = Workspace(NotesFolder.from_path(root / "notes"))
    workspace.open()
    workspace.type("rest.md", "---\ntype: claim\n---\n\n# Rest \ud83d is enough\n\n[[nix]]\n")
    workspace.join()
    workspace.check()
    assert workspace.text("rest.md").line(5) == "# Rest ? is enough"
    assert "dead-link" in {each.rule for each in workspace.problems("rest.md")}


@pytest.mark.parametrize(
    ("size", "value", "follows"),
    [
        (MAX_MESSAGE_BYTES + 1, MAX_MESSAGE_BYTES + 1, b"Content-Length: 2\r\n"),
        (2 * MAX_MESSAGE_BYTES, 2 * MAX_MESSAGE_BYTES, b"Content-Length: 2\r\n"),
    ],
)
def test_a_message_that_is_too_large_is_passed_over(size: int, value: int, follows: bytes) -> None:
    frames = BoundedFrames(io.BytesIO(b"x" * value + b"Content-Length: 2\r\n\r\n{}"))
    assert frames.read(size) == b"{"  # which is answered as what is no JSON
    assert frames.readline() == follows
    assert BoundedFrames(io.BytesIO(b"{}\n")).read(2) == b"{}"


def test_the_largest_message_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.lsp.messages.MAX_MESSAGE_BYTES", 4)
    frames = BoundedFrames(io.BytesIO(b"[12][123]"))
    assert [frames.read(4), frames.read(5)] == [b"[12]", b"{"]


@pytest.mark.parametrize(("size", "value"), [(10**12, 5_000_000), (10**18, 0), (9, 8)])
def test_a_message_that_breaks_off_is_none(size: int, value: int) -> None:
    frames = BoundedFrames(io.BytesIO(b"x" * value))
    assert (frames.read(size), frames.readline()) == (b"", b"")


def test_a_header_without_end_is_read_in_parts() -> None:
    frames = BoundedFrames(io.BytesIO(b"A" * 3_000_000 + b"\r\n"))
    assert max(map(len, iter(frames.readline, b""))) <= 1024 * 1024


def test_a_failure_to_send_is_not_reported_to_the_client() -> None:
    attempts: list[bytes] = []

    class FullDisk:
        def write(self, data: bytes) -> None:
            attempts.append(data)
            raise OSError("full")

    server = AnsweringServer("kg", "0", 1)
    server.protocol.set_writer(FullDisk())  # type: ignore[arg-type]
    server.protocol.notify("window/logMessage", LogMessageParams(MessageType.Info, "hello"))
    assert len(attempts) == 1


def test_an_output_that_is_closed_takes_what_comes_late() -> None:
    output = OutputUntilClosed(io.BytesIO())
    output.close()
    assert output.write(b"late") == 4
    output.flush()
