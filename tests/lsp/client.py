"""A headless editor: it starts `kg lsp`, and speaks to it over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from tests.support.patience import PATIENCE


class Editor(LanguageClient):
    """An editor without a window."""

    def __init__(self, root: Path) -> None:
        super().__init__("headless", "1")
        self.root = root
        self.problems: dict[str, list[lsp.Diagnostic]] = {}
        self.messages: list[str] = []
        self.news = asyncio.Event()
        self.versions: dict[str, int] = {}

    def uri(self, name: str) -> str:
        """The address of a note."""
        return (self.root / "notes" / name).as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        """Open a note, with what the file holds unless a text is given."""
        if text is None:
            text = (self.root / "notes" / name).read_text("utf-8")
        document = lsp.TextDocumentItem(self.uri(name), "markdown", 1, text)
        self.versions[name] = 1
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(document))

    def type(self, name: str, text: str) -> None:
        """Change the whole text of a note that is open."""
        self.versions[name] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    async def rules(self, name: str, expected: set[str]) -> list[lsp.Diagnostic]:
        """The problems of a note, once they are those that are wanted."""

        def matching_problems() -> list[lsp.Diagnostic]:
            return self.problems.get(self.uri(name), [])

        async with asyncio.timeout(PATIENCE):
            while (
                self.uri(name) not in self.problems
                or {str(p.code) for p in matching_problems()} != expected
            ):
                self.news.clear()
                await self.news.wait()
        return matching_problems()

    async def ready(self) -> None:
        """Wait until the server has read the notes."""
        async with asyncio.timeout(PATIENCE):
            while not await self.workspace_symbol_async(lsp.WorkspaceSymbolParams("")):
                await asyncio.sleep(0.02)

    def params_at(self, name: str, line: int, character: int) -> dict[str, Any]:
        """What every request about a place says."""
        document = lsp.TextDocumentIdentifier(self.uri(name))
        return {"text_document": document, "position": lsp.Position(line, character)}


@asynccontextmanager
async def editing(root: Path, *options: str) -> AsyncIterator[Editor]:
    """An editor that opened a folder; the server ends with it."""
    editor = Editor(root)

    @editor.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    def take_problems(params: lsp.PublishDiagnosticsParams) -> None:
        editor.problems[params.uri] = list(params.diagnostics)
        editor.news.set()

    @editor.feature(lsp.WINDOW_SHOW_MESSAGE)
    def take_message(params: lsp.ShowMessageParams) -> None:
        editor.messages.append(params.message)

    @editor.feature(lsp.WINDOW_LOG_MESSAGE)
    def take_log(params: lsp.LogMessageParams) -> None:
        editor.messages.append(params.message)

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    await editor.start_io(sys.executable, "-m", "kg", "lsp", *options, env=environment, cwd=root)
    try:
        async with asyncio.timeout(PATIENCE):
            folder = lsp.WorkspaceFolder(root.as_uri(), root.name)
            client_capabilities = lsp.ClientCapabilities()
            params = lsp.InitializeParams(
                client_capabilities, root_uri=root.as_uri(), workspace_folders=[folder]
            )
            await editor.initialize_async(params)
            editor.initialized(lsp.InitializedParams())
            yield editor
            await editor.shutdown_async(None)
    finally:
        editor.exit(None)
        await editor.stop()
