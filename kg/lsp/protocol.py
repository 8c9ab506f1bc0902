"""The requests of the language server protocol, each answered by a `NotesServer`."""

from __future__ import annotations

from asyncio import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from kg.editing.folder_files import FolderFiles
from kg.lsp import symbols
from kg.lsp.completion import Suggestion, find_completions
from kg.lsp.hover_text import hover_at
from kg.lsp.notes_server import HelpOf, NotesServer, OpenWorkspace
from kg.model.errors import KgError
from kg.text.printable import printable_lines

TRIGGERS = ("[", "@", "#", "^", "(", ":", " ", "!", "/")
_ITEM_KINDS = {
    "note": lsp.CompletionItemKind.Reference,
    "source": lsp.CompletionItemKind.Reference,
    "key": lsp.CompletionItemKind.Property,
    "word": lsp.CompletionItemKind.EnumMember,
}
_SYMBOL_KINDS = {
    "claim": lsp.SymbolKind.Interface,
    "counter-claim": lsp.SymbolKind.Interface,
    "evidence": lsp.SymbolKind.Constant,
    "line": lsp.SymbolKind.Namespace,
}
_WATCHED_GLOB = "**/{*.md,*.bib,*.json,kg.toml}"


def make_server(open_workspace: OpenWorkspace, help_of: HelpOf = lambda rule: "") -> NotesServer:
    """A server, not yet started, for the corpus that `open_workspace` finds in a folder."""
    server = NotesServer(open_workspace, help_of)
    _register_document_handlers(server)
    _register_editing_help(server)
    _register_navigation(server)
    _register_renaming(server)
    return server


def _register_document_handlers(server: NotesServer) -> None:
    """Handlers for the start and end of a session, and for open and changed files."""

    @server.feature(lsp.INITIALIZE)
    def on_initialize(ls: NotesServer, params: lsp.InitializeParams) -> None:
        folders = params.workspace_folders
        uri = folders[0].uri if folders else params.root_uri
        root = to_fs_path(uri) if uri else params.root_path
        ls.begin(Path(root) if root else None)

    @server.feature(lsp.INITIALIZED)
    async def on_initialized(ls: NotesServer, params: lsp.InitializedParams) -> None:
        capabilities = ls.client_capabilities.workspace
        watch_capability = capabilities.did_change_watched_files if capabilities else None
        if watch_capability and watch_capability.dynamic_registration:
            watchers = [lsp.FileSystemWatcher(glob_pattern=_WATCHED_GLOB)]
            registration = lsp.Registration(
                id="files",
                method=lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                register_options=lsp.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
            )
            ls.client_register_capability(lsp.RegistrationParams(registrations=[registration]))
        if ls.session:
            with suppress(CancelledError):  # the editor is gone
                await ls.session.start()

    def take_text(ls: NotesServer, uri: str) -> None:
        path = ls.path_of(uri)
        if ls.session and path:
            ls.session.type_text(path, ls.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def on_open(ls: NotesServer, params: lsp.DidOpenTextDocumentParams) -> None:
        take_text(ls, params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def on_change(ls: NotesServer, params: lsp.DidChangeTextDocumentParams) -> None:
        take_text(ls, params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def on_close(ls: NotesServer, params: lsp.DidCloseTextDocumentParams) -> None:
        path = ls.path_of(params.text_document.uri)
        if ls.session and path:
            ls.session.close_file(path)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def on_watched_files(ls: NotesServer, params: lsp.DidChangeWatchedFilesParams) -> None:
        paths = [path for each in params.changes if (path := ls.path_of(each.uri))]
        if ls.session and paths:
            ls.session.handle_changes(paths)

    @server.feature(lsp.SHUTDOWN)
    def on_shutdown(ls: NotesServer, params: None) -> None:
        if ls.session:
            ls.session.stop()


def _register_editing_help(server: NotesServer) -> None:
    """Completion, hover and quick fixes."""
    options = lsp.CompletionOptions(trigger_characters=TRIGGERS)

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    def on_completion(ls: NotesServer, params: lsp.CompletionParams) -> lsp.CompletionList | None:
        request = ls.place_at(params)
        suggestions = find_completions(*request[1:]) if request else None
        if request is None or suggestions is None:
            return None
        typed_range = ls.range(suggestions.range)
        prefix = request.text.line(request.line_number)[
            suggestions.range.column - 1 : request.column - 1
        ]
        completion_items = [
            _lsp_item(s, typed_range, prefix, n) for n, s in enumerate(suggestions.items)
        ]
        return lsp.CompletionList(is_incomplete=not suggestions.complete, items=completion_items)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def on_hover(ls: NotesServer, params: lsp.HoverParams) -> lsp.Hover | None:
        request = ls.place_at(params)
        hover = hover_at(*request[1:], request.notes.weighed) if request else None
        if hover is None:
            return None
        content = lsp.MarkupContent(kind=lsp.MarkupKind.Markdown, value=printable_lines(hover.text))
        return lsp.Hover(contents=content, range=ls.range(hover.range))

    fixes = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, fixes)
    def on_code_action(ls: NotesServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = ls.path_of(params.text_document.uri)
        if ls.session is None or path is None:
            return []
        first = params.range.start.line + 1
        last = params.range.end.line + 1
        return [
            ls.quick_fix(problem.fix, problem)
            for problem in ls.session.current_problems(path)
            if problem.fix and first <= problem.span.line <= last
        ]


def _lsp_item(choice: Suggestion, span: lsp.Range, prefix: str, number: int) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        label=printable_lines(choice.label),
        kind=_ITEM_KINDS[choice.kind],
        label_details=lsp.CompletionItemLabelDetails(description=printable_lines(choice.detail)),
        detail=printable_lines(": ".join(filter(None, (choice.detail, choice.help)))),
        # keep the editor from filtering by id what was found by title
        filter_text=prefix if choice.kind in ("note", "source") and prefix else choice.label,
        sort_text=f"{number:05}",
        text_edit=lsp.TextEdit(range=span, new_text=choice.text),
    )


def _register_navigation(server: NotesServer) -> None:
    """Definitions, references, symbols and code lenses."""

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def on_definition(ls: NotesServer, params: lsp.DefinitionParams) -> lsp.Location | None:
        request = ls.place_at(params)
        if request is None:
            return None
        target = symbols.name_and_kind_at(*request[1:])
        if target is None:
            return None
        definition = symbols.find_definition(request.corpus, request.notes.text, *target)
        return ls.location(definition) if definition else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def on_references(ls: NotesServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
        request = ls.place_at(params)
        if request is None:
            return []
        target = symbols.name_and_kind_at(*request[1:])
        if target is None:
            return []
        with_definitions = params.context.include_declaration
        uses = symbols.find_uses(
            request.corpus, request.notes.text, *target, definitions=with_definitions
        )
        return [ls.location(use) for use in uses]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def on_outline(ls: NotesServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        note = ls.note_at(params.text_document.uri)
        return (
            [_lsp_symbol(ls, each) for each in symbols.symbols_in(note.corpus, note.text)]
            if note
            else []
        )

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def on_symbols(ls: NotesServer, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        if ls.notes is None or ls.notes.corpus is None:
            return []
        return [
            lsp.WorkspaceSymbol(
                name=printable_lines(name),
                kind=_SYMBOL_KINDS.get(description, lsp.SymbolKind.File),
                location=ls.location(ls.notes.text(span.path).range_at(span)),
            )
            for name, description, span in symbols.find_symbols(ls.notes.corpus, params.query)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def on_code_lens(ls: NotesServer, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        note = ls.note_at(params.text_document.uri)
        lenses = symbols.find_lenses(note.corpus, note.text, note.notes.weighed) if note else ()
        return [
            lsp.CodeLens(range=ls.range(each.range), command=lsp.Command(each.text, ""))
            for each in lenses
        ]


def _lsp_symbol(ls: NotesServer, symbol: symbols.Symbol) -> lsp.DocumentSymbol:
    whole_range = ls.range(symbol.range)
    return lsp.DocumentSymbol(
        name=printable_lines(symbol.name) or "untitled",
        kind=_SYMBOL_KINDS[symbol.kind],
        range=whole_range,
        selection_range=whole_range,
        detail=symbol.kind,
        children=[_lsp_symbol(ls, each) for each in symbol.within],
    )


def _register_renaming(server: NotesServer) -> None:
    options = lsp.RenameOptions(prepare_provider=True)

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def on_prepare_rename(
        ls: NotesServer, params: lsp.PrepareRenameParams
    ) -> lsp.PrepareRenamePlaceholder | None:
        request = ls.place_at(params)
        range_and_name = symbols.find_name_at(*request[1:]) if request else None
        if range_and_name is None:
            return None
        return lsp.PrepareRenamePlaceholder(ls.range(range_and_name[0]), range_and_name[1])

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, options)
    def on_rename(ls: NotesServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        request = ls.place_at(params)
        if request is None:
            return None
        notes, _, text, line, column = request
        corpus = notes.join()
        try:
            files = FolderFiles(notes.folder).with_changes(notes.typed_contents())
            change = symbols.rename_at(corpus, files, text, line, column, params.new_name)
        except KgError as error:
            message = printable_lines(str(error))
            ls.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, message))
            return None
        steps: list[Any] = []
        for path, edits in symbols.edits_of(change) if change else ():
            document = lsp.OptionalVersionedTextDocumentIdentifier(uri=ls.uri_of(path))
            text_edits = ls.edits(edits)[ls.uri_of(path)]
            steps.append(lsp.TextDocumentEdit(text_document=document, edits=text_edits))
        for old, new in change.moves.items() if change else ():
            steps.append(lsp.RenameFile(old_uri=ls.uri_of(old), new_uri=ls.uri_of(new)))
        return lsp.WorkspaceEdit(document_changes=steps)
