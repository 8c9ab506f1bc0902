"""The language server, driven over standard input and output by an editor without a window.

Of `kg/lsp/protocol.py`, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.lsp.client import Editor, editing
from tests.lsp.conftest import NAPS, REST, write_corpus

pytestmark = pytest.mark.integration

Work = Callable[[Editor], Coroutine[Any, Any, None]]
OfReader = Callable[[Work], None]


@pytest.fixture(scope="module")
def of_reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OfReader]:
    """Asks an editor that has opened `naps.md` and alters nothing: one for all."""
    root = write_corpus(tmp_path_factory.mktemp("read"))
    with asyncio.Runner() as runner:
        around = editing(root)
        editor = runner.run(around.__aenter__())
        editor.open("naps.md")
        runner.run(editor.ready())
        yield lambda work: runner.run(work(editor))
        runner.run(around.__aexit__(None, None, None))


def _with_editor(root: Path, work: Work) -> None:
    async def run() -> None:
        async with editing(root) as editor:
            await work(editor)

    asyncio.run(run())


def _document(editor: Editor, name: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(editor.uri(name))


def test_problems_are_published_while_someone_types(root: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("rest.md")
        assert await editor.rules("rest.md", set()) == []
        await editor.ready()
        editor.type("rest.md", REST + "\n- suports:: [[nap]] — so\n")
        relation, target = await editor.rules("rest.md", {"unknown-relation", "unknown-target"})
        assert relation.range == lsp.Range(lsp.Position(10, 2), lsp.Position(10, 9))
        assert target.range == lsp.Range(lsp.Position(10, 12), lsp.Position(10, 19))
        assert relation.severity is lsp.DiagnosticSeverity.Error
        assert relation.code_description is not None
        page = Path(relation.code_description.href.removeprefix("file://"))
        assert page.read_text("utf-8").startswith("# unknown-relation\n")
        editor.type("rest.md", REST)
        assert await editor.rules("rest.md", set()) == []

    _with_editor(root, work)


def test_what_a_text_breaks_in_other_notes_is_reported_there(root: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("rest.md")
        await editor.ready()
        editor.type("rest.md", REST.replace("type: claim", "type: line"))
        await editor.rules("naps.md", {"wrong-target"})

    _with_editor(root, work)


def test_a_fix_is_offered_and_mends(root: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("rest.md")
        await editor.ready()
        broken = REST.replace("Says who?", "As in [[nap]].")
        editor.type("rest.md", broken)
        rules = await editor.rules("rest.md", {"dead-link"})
        problem = next(each for each in rules if each.code == "dead-link")
        # what stands before it counts in units of the protocol: the smiling face is two
        assert problem.range.start == lsp.Position(8, 16)
        params = lsp.CodeActionParams(
            _document(editor, "rest.md"), problem.range, lsp.CodeActionContext([problem])
        )
        actions = await editor.text_document_code_action_async(params)
        assert actions is not None
        action = actions[0]
        assert isinstance(action, lsp.CodeAction)
        assert action.edit
        assert action.edit.changes
        (edit,) = action.edit.changes[editor.uri("rest.md")]
        assert edit == lsp.TextEdit(lsp.Range(lsp.Position(8, 18), lsp.Position(8, 21)), "naps")

    _with_editor(root, work)


def test_completion_replaces_the_words_typed_inside_brackets(root: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("rest.md")
        await editor.ready()
        editor.type("rest.md", f"{REST}\n😀 [[memory]]")
        here = editor.params_at("rest.md", 10, 11)
        completions = await editor.text_document_completion_async(lsp.CompletionParams(**here))
        assert isinstance(completions, lsp.CompletionList)
        item = next(item for item in completions.items if item.label == "naps")
        place = lsp.Range(lsp.Position(10, 5), lsp.Position(10, 11))
        assert item.text_edit == lsp.TextEdit(place, "naps")
        assert (item.filter_text, completions.is_incomplete) == ("memory", False)

    _with_editor(root, work)


@pytest.mark.parametrize(
    ("line", "character", "message"),
    [
        (9, 17, "**Rest is enough**"),
        (9, 30, "On naps"),
        (7, 4, "0 against"),
        (14, 4, "**contradicts**"),
        (2, 2, "**camp**"),
    ],
)
def test_hovering_tells_what_a_word_means(
    of_reader: OfReader, line: int, character: int, message: str
) -> None:
    async def work(editor: Editor) -> None:
        params = lsp.HoverParams(**editor.params_at("naps.md", line, character))
        hover = await editor.text_document_hover_async(params)
        assert hover is not None
        assert isinstance(hover.contents, lsp.MarkupContent)
        assert message in hover.contents.value

    of_reader(work)


def test_a_link_leads_to_its_note_and_a_note_to_its_links(of_reader: OfReader) -> None:
    async def work(editor: Editor) -> None:
        here = editor.params_at("naps.md", 14, 18)
        place = await editor.text_document_definition_async(lsp.DefinitionParams(**here))
        assert isinstance(place, lsp.Location)
        assert (place.uri, place.range.start.line) == (editor.uri("rest.md"), 6)
        context = lsp.ReferenceContext(include_declaration=False)
        uses = await editor.text_document_references_async(
            lsp.ReferenceParams(context=context, **editor.params_at("rest.md", 6, 3))
        )
        rows = sorted((use.uri.rpartition("/")[2], use.range.start.line) for use in uses or ())
        assert rows == [("line.md", 7), ("naps.md", 9), ("naps.md", 14)]

    of_reader(work)


def test_statements_are_found_in_a_file_and_in_all(of_reader: OfReader) -> None:
    async def work(editor: Editor) -> None:
        (symbol,) = await editor.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(_document(editor, "naps.md"))
        )
        assert isinstance(symbol, lsp.DocumentSymbol)
        assert [each.name for each in symbol.children or ()] == ["It was seen"]
        symbols = await editor.workspace_symbol_async(lsp.WorkspaceSymbolParams("enough"))
        assert "Rest is enough [rest]" in [each.name for each in symbols or ()]

    of_reader(work)


def test_reasons_are_counted_above_a_statement(of_reader: OfReader) -> None:
    async def work(editor: Editor) -> None:
        (lens, *_) = await editor.text_document_code_lens_async(
            lsp.CodeLensParams(_document(editor, "naps.md"))
        )
        assert lens.command is not None
        assert "1 for, 0 against" in lens.command.title

    of_reader(work)


def test_renaming_follows_every_link(root: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("naps.md")
        await editor.ready()
        editor.type("naps.md", NAPS.replace("They do.", "They do, unlike [[rest]]."))
        here = editor.params_at("naps.md", 14, 18)
        rename_range = await editor.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(**here)
        )
        assert isinstance(rename_range, lsp.PrepareRenamePlaceholder)
        assert rename_range.placeholder == "rest"
        edit = await editor.text_document_rename_async(
            lsp.RenameParams(new_name="Quiet rest", **here)
        )
        assert edit is not None
        assert edit.document_changes
        edited = [step for step in edit.document_changes if isinstance(step, lsp.TextDocumentEdit)]
        moved_document_changes = [
            step for step in edit.document_changes if isinstance(step, lsp.RenameFile)
        ]
        texts = {
            step.text_document.uri.rpartition("/")[2]: "".join(e.new_text for e in step.edits)
            for step in edited
        }
        assert texts["naps.md"].count("[[quiet-rest]]") == 3  # what is not saved, too
        assert "[[quiet-rest]]" in texts["line.md"]
        assert [(step.old_uri, step.new_uri) for step in moved_document_changes] == [
            (editor.uri("rest.md"), editor.uri("quiet-rest.md"))
        ]
        taken = await editor.text_document_rename_async(lsp.RenameParams(new_name="naps", **here))
        assert taken is None
        assert editor.messages

    _with_editor(root, work)


def test_a_folder_without_notes_is_reported_and_left_alone(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        editor.open("x.md", "# Something\n")
        assert (
            await editor.text_document_hover_async(
                lsp.HoverParams(**editor.params_at("x.md", 0, 3))
            )
            is None
        )
        everywhere = lsp.ReferenceContext(include_declaration=True)
        uses = lsp.ReferenceParams(context=everywhere, **editor.params_at("x.md", 0, 3))
        assert not await editor.text_document_references_async(uses)
        place = lsp.DefinitionParams(**editor.params_at("x.md", 0, 3))
        assert await editor.text_document_definition_async(place) is None
        assert any("notes" in message for message in editor.messages)

    _with_editor(tmp_path, work)
