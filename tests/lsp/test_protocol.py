"""What an editor is sent, in the words of the protocol.

Of `kg/lsp/notes_server.py`, too.
"""

from __future__ import annotations

from typing import Any

import pytest

from kg.lsp.workspace import Workspace
from kg.model import Diagnostic, Severity, Span
from tests.lsp.conftest import REST
from tests.lsp.in_process import Message, ask, talk

WRONG = f"{REST}\n- suports:: [[rest]] — so\n\n😀 [[nap]]\n"
INFORMATION, WARNING, ERROR = 3, 2, 1
CLAIM, EVIDENCE = 11, 14  # an interface and a constant, among the kinds of symbols


def _range(line: int, start: int, end: int) -> Message:
    return {
        "start": {"line": line, "character": start},
        "end": {"line": line, "character": end},
    }


def _uri(workspace: Workspace, name: str) -> str:
    return (workspace.folder.real / name).as_uri()


def _document(workspace: Workspace, name: str) -> Message:
    return {"textDocument": {"uri": _uri(workspace, name)}}


def _position_params(workspace: Workspace, name: str, line: int, character: int) -> Message:
    place = {"position": {"line": line, "character": character}}
    return _document(workspace, name) | place


def _opening_message(workspace: Workspace, name: str, text: str) -> Message:
    uri = _uri(workspace, name)
    document = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


def _fixes(workspace: Workspace, line: int) -> tuple[str, Message]:
    query = {"range": _range(line, 0, 0), "context": {"diagnostics": []}}
    return "textDocument/codeAction", _document(workspace, "rest.md") | query


RELATION = {
    "range": _range(10, 2, 9),
    "message": "there is no relation `suports`\ndid you mean `supports`?",
    "severity": ERROR,
    "code": "unknown-relation",
    "codeDescription": {"href": "help:unknown-relation"},
    "source": "kg",
}


def test_a_problem_has_its_rule_its_help_and_its_page(workspace: Workspace) -> None:
    opened = [_opening_message(workspace, "rest.md", WRONG)]
    _, [notification] = ask(workspace, _fixes(workspace, 0), before=opened)
    assert notification["method"] == "textDocument/publishDiagnostics"
    assert notification["params"]["uri"] == _uri(workspace, "rest.md")
    assert notification["params"]["diagnostics"] == [RELATION]


def test_a_dead_link_is_reported_when_all_notes_are_checked(workspace: Workspace) -> None:
    hello = {"method": "initialized", "params": {}}

    def dead_links_in(message: Message) -> list[Message]:
        params = message.get("params", {})
        is_of_note = params.get("uri") == _uri(workspace, "rest.md")
        return params.get("diagnostics", []) if is_of_note else []

    messages = talk(
        workspace,
        [hello, _opening_message(workspace, "rest.md", WRONG)],
        until=lambda each: len(dead_links_in(each)) > 1,
    )
    relation, link = max(map(dead_links_in, messages), key=len)
    assert relation == RELATION
    assert (link["code"], link["severity"]) == ("dead-link", WARNING)
    assert link["range"] == _range(12, 3, 10)  # the smiling face counts as two


def test_a_problem_may_have_no_help_other_places_and_a_tag(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is superfluous, an editor shows the words pale."""
    problem = Diagnostic(
        rule="unknown-key",
        severity=Severity.INFO,
        message="see there",
        span=Span("rest.md", 7, 1),
        related=(Span("naps.md", 8, 3),),
    )
    monkeypatch.setattr(workspace, "problems", lambda _: [problem])
    opened = [_opening_message(workspace, "rest.md", REST)]
    _, [notification] = ask(workspace, _fixes(workspace, 0), before=opened)
    [diagnostic] = notification["params"]["diagnostics"]
    other = {"uri": _uri(workspace, "naps.md"), "range": _range(7, 2, 6)}
    assert (diagnostic["message"], diagnostic["severity"]) == ("see there", INFORMATION)
    assert diagnostic["tags"] == [1]
    assert diagnostic["relatedInformation"] == [{"location": other, "message": "see"}]


@pytest.mark.parametrize(
    ("line", "titles"), [(9, []), (10, ["Write `supports` for `suports`"]), (11, [])]
)
def test_fixes_are_those_of_the_lines_that_are_asked_for(
    workspace: Workspace, line: int, titles: list[str]
) -> None:
    opened = [_opening_message(workspace, "rest.md", WRONG)]
    [fixes], _ = ask(workspace, _fixes(workspace, line), before=opened)
    assert [fix["title"] for fix in fixes] == titles
    for fix in fixes:
        edit = {"range": _range(10, 2, 9), "newText": "supports"}
        assert fix["edit"] == {"changes": {_uri(workspace, "rest.md"): [edit]}}
        assert (fix["kind"], fix["isPreferred"]) == ("quickfix", True)
        assert fix["diagnostics"] == [RELATION]


def test_what_is_outside_the_notes_is_neither_typed_nor_closed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts: list[tuple[str, str]] = []
    monkeypatch.setattr(workspace, "type", lambda path, _: acts.append(("type", path)))
    monkeypatch.setattr(workspace, "close", lambda path: acts.append(("close", path)))
    closing = "textDocument/didClose"
    messages = [
        message
        for name in ("../other.md", "rest.md")
        for message in (
            _opening_message(workspace, name, REST),
            {"method": closing, "params": _document(workspace, name)},
        )
    ]
    ask(workspace, ("workspace/symbol", {"query": "x"}), before=messages)
    assert acts == [("type", "rest.md"), ("close", "rest.md")]


def test_definition_references_and_symbols_have_their_places(workspace: Workspace) -> None:
    rest = _position_params(workspace, "rest.md", 6, 3)
    [definition, uses, all_uses, outline, symbols], _ = ask(
        workspace,
        ("textDocument/definition", _position_params(workspace, "naps.md", 14, 18)),
        ("textDocument/references", rest | {"context": {"includeDeclaration": False}}),
        ("textDocument/references", rest | {"context": {"includeDeclaration": True}}),
        ("textDocument/documentSymbol", _document(workspace, "naps.md")),
        ("workspace/symbol", {"query": "enough"}),
    )
    title = {"uri": _uri(workspace, "rest.md"), "range": _range(6, 0, 16)}
    assert definition == title
    assert uses == [
        {"uri": _uri(workspace, name), "range": place}
        for name, place in (
            ("line.md", _range(7, 14, 18)),
            ("naps.md", _range(9, 15, 19)),
            ("naps.md", _range(14, 18, 22)),
        )
    ]
    assert all_uses == uses
    [claim] = outline
    [evidence] = claim["children"]
    assert (claim["name"], claim["kind"], claim["detail"]) == ("Naps help memory", CLAIM, "claim")
    assert claim["range"] == claim["selectionRange"] == _range(7, 0, 18)
    assert (evidence["name"], evidence["kind"]) == ("It was seen", EVIDENCE)
    assert evidence["range"] == _range(11, 2, 31)
    assert symbols == [{"name": "Rest is enough [rest]", "kind": CLAIM, "location": title}]


def test_hover_and_code_lenses_have_their_ranges_and_texts(workspace: Workspace) -> None:
    [hover, nothing, lenses], _ = ask(
        workspace,
        ("textDocument/hover", _position_params(workspace, "naps.md", 9, 17)),
        ("textDocument/hover", _position_params(workspace, "naps.md", 5, 0)),
        ("textDocument/codeLens", _document(workspace, "naps.md")),
    )
    assert hover["range"] == _range(9, 15, 19)
    assert hover["contents"]["kind"] == "markdown"
    assert hover["contents"]["value"].startswith("**Rest is enough**\n\nclaim · rest")
    assert nothing is None
    assert [lens["range"] for lens in lenses] == [_range(7, 0, 18), _range(11, 2, 31)]
    assert "1 for, 0 against" in lenses[0]["command"]["title"]


def test_names_and_callouts_are_offered_while_one_types(workspace: Workspace) -> None:
    opened = [_opening_message(workspace, "rest.md", f"{REST}\n😀 [[memory\n\n> [!ev\n")]
    [names, words, nothing], _ = ask(
        workspace,
        ("textDocument/completion", _position_params(workspace, "rest.md", 10, 11)),
        ("textDocument/completion", _position_params(workspace, "rest.md", 12, 6)),
        ("textDocument/completion", _position_params(workspace, "rest.md", 8, 2)),
        before=opened,
    )
    assert names["isIncomplete"] is False
    assert names["items"][0] == {
        "label": "naps",
        "labelDetails": {"description": "claim"},
        "kind": 18,  # a reference
        "detail": "claim: Naps help memory",
        "sortText": "00000",
        "filterText": "memory",
        "textEdit": {"range": _range(10, 5, 11), "newText": "naps]]"},
    }
    assert [item["sortText"] for item in words["items"]] == [
        f"{number:05}" for number in range(len(words["items"]))
    ]
    assert all(item["filterText"] == item["label"] for item in words["items"])
    assert nothing is None


def test_another_name_is_given_in_all_files(workspace: Workspace) -> None:
    here = _position_params(workspace, "naps.md", 14, 18)
    [query, nowhere, change, refused], notifications = ask(
        workspace,
        ("textDocument/prepareRename", here),
        ("textDocument/prepareRename", _position_params(workspace, "naps.md", 8, 0)),
        ("textDocument/rename", here | {"newName": "Quiet rest"}),
        ("textDocument/rename", here | {"newName": "naps"}),
    )
    assert query == {"range": _range(14, 18, 22), "placeholder": "rest"}
    assert nowhere is None
    *edits, move = change["documentChanges"]
    assert move == {
        "kind": "rename",
        "oldUri": _uri(workspace, "rest.md"),
        "newUri": _uri(workspace, "quiet-rest.md"),
    }
    assert [
        (step["textDocument"]["uri"], [edit["newText"] for edit in step["edits"]]) for step in edits
    ] == [
        (_uri(workspace, "line.md"), ["- skeptic:: [[quiet-rest]] — it is enough\n"]),
        (
            _uri(workspace, "naps.md"),
            [
                "They do. See [[quiet-rest]] and [@doe2024].\n",
                "- contradicts:: [[quiet-rest]] — rest is not enough\n",
            ],
        ),
        (_uri(workspace, "rest.md"), ["aliases: [rest]\n"]),
    ]
    assert refused is None
    [diagnostic] = notifications
    assert diagnostic["method"] == "window/showMessage"
    assert diagnostic["params"] == {"type": ERROR, "message": "'naps' is taken: it leads to 'naps'"}


@pytest.mark.parametrize("query", [True, False])
def test_an_editor_is_asked_only_for_what_it_can_do(workspace: Workspace, query: bool) -> None:
    """To watch files, and to ask for the strengths again once they are worked out."""
    can: dict[str, Any] = {
        "codeLens": {"refreshSupport": query},
        "didChangeWatchedFiles": {"dynamicRegistration": query},
    }
    text = "workspace/codeLens/refresh" if query else "textDocument/publishDiagnostics"
    messages = talk(
        workspace,
        [{"method": "initialized", "params": {}}],
        until=lambda each: each.get("method") == text,
        capabilities={"workspace": can},
    )
    requests = [each for each in messages if "id" in each]
    expected = ["client/registerCapability", "workspace/codeLens/refresh"] if query else []
    assert [each["method"] for each in requests] == expected
    if query:
        [registration] = requests[0]["params"]["registrations"]
        assert registration["method"] == "workspace/didChangeWatchedFiles"
        [watcher] = registration["registerOptions"]["watchers"]
        assert watcher["globPattern"] == "**/{*.md,*.bib,*.json,kg.toml}"


def test_what_cannot_be_read_is_refused_if_an_answer_is_expected(workspace: Workspace) -> None:
    notifications = [{"method": "textDocument/didOpen", "params": 5}, {"id": "x", "result": {}}]
    [wrong, nothing], other_messages = ask(
        workspace,
        ("textDocument/hover", 5),
        ("workspace/symbol", {"query": "nothing of this name"}),
        before=notifications,
    )
    assert wrong["code"] == -32602
    assert nothing == []
    assert other_messages == []
