"""Every line that a program sends is answered, but for notifications; none ends the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp_types import JSONRPCError

from kg.mcp import message_streams
from kg.mcp.message_streams import CANCELLED, InvalidMessage, OpenRequests, read_message
from tests.support.every_row import every_row
from tests.support.patience import PATIENCE
from tests.support.split_off import run_split_off

NOTE = "---\ntype: claim\nopen: nobody pauses\n---\n\n# Naps help memory\n\nThey do.\n"
ODD: tuple[Any, ...] = (None, True, 5, -1.5, "x", [], {}, [[]], {"a": 1}, 10**30, 1e400)
NO_JSON = ["nonsense", "{", "\0", "\ufffd{}", "\ufeff{}", "Content-Length: 20", "[" * 10**5]
NO_JSON += ['{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', '{"a":' * 3000 + "1" + "}" * 3000]
NO_REQUEST = ["[]", "null", "5", '"x"', "{}", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]']
ODD_IDS = ["true", "null", "1.5", "1.0", "[]", "{}", "1e400", "NaN"]


def _line(**parts: object) -> str:
    return json.dumps({"jsonrpc": "2.0", **parts})


def _call(name: str, tool: str, **arguments: object) -> str:
    return _line(id=name, method="tools/call", params={"name": tool, "arguments": arguments})


def _refusal_of(line: str) -> JSONRPCError | None:
    try:
        read_message(line)
    except InvalidMessage as refused:
        return refused.error
    return None


@every_row("line", NO_JSON)
def test_what_is_no_json_is_answered(line: str) -> None:
    refused = _refusal_of(line)
    assert refused
    assert (refused.id, refused.error.code) == (None, -32700)


@every_row("id", [5, "a\nb"])
def test_half_a_letter_is_refused_by_the_id_of_its_request(id: int | str) -> None:
    refused = _refusal_of(_line(id=id, method="ping", params={"a": "\ud800"}))
    assert refused
    assert (refused.id, refused.error.code) == (id, -32700)


@every_row("line", NO_REQUEST)
def test_what_is_no_request_is_answered(line: str) -> None:
    refused = _refusal_of(line)
    assert refused
    assert (refused.id, refused.error.code) == (None, -32600)


@every_row("id", ODD_IDS)
def test_a_request_with_an_odd_id_is_no_notification(id: str) -> None:
    for method in ('"ping"', "5"):
        refused = _refusal_of(f'{{"jsonrpc":"2.0","id":{id},"method":{method}}}')
        assert refused
        assert (refused.id, refused.error.code) == (None, -32600)


@every_row(
    "parts",
    [{"jsonrpc": "1.0"}, {"method": 5}, {"method": None}, {"params": [1]}, {"params": "x"}],
)
def test_a_refusal_names_the_request(parts: dict[str, Any]) -> None:
    for id in ("a", 0, 2**70):
        refused = _refusal_of(_line(**{"id": id, "method": "ping", **parts}))
        assert refused
        assert (refused.id, refused.error.code) == (id, -32600)


@every_row(
    "line",
    [
        _line(id=1, method="ping"),
        _line(method="notifications/nothing"),
        _line(id=1, result={}),
        _line(id=None, error={"code": 1, "message": "x"}),
    ],
)
def test_a_valid_message_is_passed_on_unrefused(line: str) -> None:
    assert _refusal_of(line) is None


def _requests() -> list[str]:
    """Requests with something odd in each field, which have ids of their own."""
    lines = [_line(id=method, method=method) for method in ("", "no/such", "__class__", "\x1b[31m")]
    for number, odd in enumerate(ODD):
        query: list[tuple[str, Any]] = [
            ("tools/call", odd),
            ("tools/call", {"name": odd}),
            ("tools/call", {"name": "show", "arguments": odd}),
            ("tools/call", {"name": "show", "arguments": {}, "_meta": odd}),
            ("tools/call", {"name": "show", "_meta": {"progressToken": odd}}),
            ("tools/list", {"cursor": odd}),
            ("resources/read", {"uri": odd}),
            ("prompts/get", odd),
            ("prompts/get", {"name": odd}),
            ("prompts/get", {"name": "no", "arguments": odd}),
            ("prompts/list", {"cursor": odd}),
            ("resources/list", {"cursor": odd}),
            ("resources/templates/list", {"cursor": odd}),
            ("resources/subscribe", {"uri": odd}),
            ("ping", odd),
            ("initialize", odd),
            ("logging/setLevel", {"level": odd}),
            ("completion/complete", {"ref": odd, "argument": odd}),
        ]
        lines += [
            _line(id=f"{number}-{position}", method=method, params=params)
            for position, (method, params) in enumerate(query)
        ]
        for tool, field in (
            *(("show", field) for field in ("id", "as_written", "limit", "cursor")),
            *(("search", "text"), ("find", "query"), ("why", "against"), ("crux", "id")),
            *(("check_text", "path"), ("propose_note", "more"), ("propose_edit", "note")),
        ):
            expected = {"text": "x", "path": "a.md", "why": "y", "id": "naps"}
            lines.append(_call(f"{number}-{tool}-{field}", tool, **{**expected, field: odd}))
            lines.append(_call(f"{number}-{tool}-{field}-alone", tool, **{field: odd}))
    return lines


@pytest.mark.integration
def test_a_server_of_tools_answers_all_that_is_asked_and_nothing_else(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "naps.md").write_text(NOTE, "utf-8")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello["clientInfo"] = {"name": "x", "version": "1"}
    requests = _requests()
    lines = [
        _line(id="hello", method="initialize", params=hello),
        _line(method="notifications/initialized"),
        *requests,
        *("", "  ", _line(id=77, result={}), _line(method="notifications/nothing", params={})),
        *(_line(method="notifications/cancelled", params={"requestId": odd}) for odd in ODD),
        *(_line(method="notifications/progress", params={"progressToken": odd}) for odd in ODD),
        *NO_JSON,
        *NO_REQUEST,
        _call("huge", "show", id="x" * 10**6),
    ]
    arguments = ["hello", *(json.loads(line)["id"] for line in requests), "huge"]
    expected = sorted([*arguments, *["None"] * len(NO_JSON + NO_REQUEST)])
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "mcp", "--propose", "--notes", str(notes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin
        assert server.stdout
        late = threading.Timer(2 * PATIENCE, server.kill)
        late.start()
        sending = threading.Thread(
            target=server.stdin.write, args=("".join(f"{line}\n" for line in lines).encode(),)
        )
        sending.start()
        answers = [json.loads(server.stdout.readline()) for _ in expected]
        sending.join()
        rest, complaints = server.communicate()  # a program that leaves is waited for no longer
        late.cancel()
    assert (server.returncode, rest, complaints) == (0, b"", b"")
    assert sorted(str(each["id"]) for each in answers) == expected
    assert "Traceback" not in str(answers)


CLIENT = {"name": "x", "version": "1"}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}
BEGIN = _line(id="hello", method="initialize", params=HELLO)
BEGIN += f"\n{_line(method='notifications/initialized')}\n"
CALLS = [_call(f"call {number}", "verdict", id="naps") for number in range(30)]
BACK = _line(method="notifications/cancelled", params={"requestId": "call 29"})


def _run_to_end(folder: Path, sent: str) -> tuple[list[str], str, int]:
    """The ids that were answered, what was complained, and the exit code."""
    folder.mkdir(exist_ok=True)
    (folder / "naps.md").write_text(NOTE, "utf-8")
    ended = run_split_off(["mcp", "--notes", "."], folder, os.environ, sent=sent.encode())
    answered = [json.loads(line) for line in ended.stdout.splitlines()]
    ids = [str(each["id"]) for each in answered if "result" in each]
    return ids, ended.stderr.decode(), ended.returncode


@pytest.mark.integration
def test_calls_received_whole_are_answered_before_the_server_ends(tmp_path: Path) -> None:
    sent = BEGIN + "\n".join([*CALLS, CALLS[0], CALLS[1][:-9]])
    answered, complaints, code = _run_to_end(tmp_path, sent)
    arguments = ["hello", *(f"call {number}" for number in range(30)), "call 0"]
    assert (sorted(answered), complaints, code) == (sorted(arguments), "", 0)


@pytest.mark.integration
@pytest.mark.parametrize("sent", ["", BEGIN[:20], BEGIN[: BEGIN.index("\n")], BEGIN])
def test_wherever_input_ends_the_server_ends_quietly(tmp_path: Path, sent: str) -> None:
    answered, complaints, code = _run_to_end(tmp_path, sent)
    assert (answered, complaints, code) == (["hello"] * (len(sent) > 20), "", 0)


@pytest.mark.integration
def test_a_cancelled_call_delays_no_other_answer(tmp_path: Path) -> None:
    answered, complaints, code = _run_to_end(tmp_path, BEGIN + "\n".join([*CALLS, BACK]))
    assert {"hello", *(f"call {number}" for number in range(29))} <= set(answered)
    assert (complaints, code) == ("", 0)


@pytest.mark.integration
def test_a_program_that_no_longer_listens_is_sent_nothing(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "kg", "mcp", "--notes", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdout
        server.stdout.close()
        server.stdout = None
        _, complaints = server.communicate((BEGIN + CALLS[0]).encode(), 2 * PATIENCE)
    assert (complaints, server.returncode) == (b"", 0)


@every_row(
    ("messages", "looks"),
    [
        ([], 0),
        (["a"], 3),
        (["a", "a answered"], 0),
        (["a", "a refused"], 0),
        (["a", "b", "a answered"], 3),
        (["a", "a cancelled"], 0),
        (["a", "b cancelled"], 3),
        (["a", "notified"], 3),
        (["b answered"], 0),
    ],
)
def test_an_end_waits_for_what_is_neither_answered_nor_taken_back(
    messages: list[str], looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(message_streams.anyio, "sleep", sleep)
    monkeypatch.setattr(message_streams, "MAX_IDLE_LOOKS", 3)
    requests = OpenRequests()
    for message in messages:
        id, _, what = message.partition(" ")
        if what == "answered":
            requests.remove(read_message(_line(id=id, result={})))
        elif what == "refused":
            error = {"code": 1, "message": "x"}
            requests.remove(read_message(_line(id=id, error=error)))
        elif what == "cancelled":
            parameters = {"requestId": id}
            requests.add(read_message(_line(method=CANCELLED, params=parameters)))
        elif id == "notified":
            requests.add(read_message(_line(method="notifications/x", params={"requestId": "a"})))
        else:
            requests.add(read_message(_line(id=id, method="ping")))
    with pytest.raises(StopIteration):
        requests.wait().send(None)
    assert len(pauses) == looks


def test_each_answer_begins_the_wait_for_the_others_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    requests = OpenRequests()
    looks = 0

    async def sleep(_: float) -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            requests.remove(read_message(_line(id="a", result={})))

    monkeypatch.setattr(message_streams.anyio, "sleep", sleep)
    monkeypatch.setattr(message_streams, "MAX_IDLE_LOOKS", 3)
    for id in "ab":
        requests.add(read_message(_line(id=id, method="ping")))
    with pytest.raises(StopIteration):
        requests.wait().send(None)
    assert looks == 6
