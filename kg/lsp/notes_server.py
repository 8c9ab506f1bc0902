"""The server of one session: its notes, and its answers in the terms of the protocol."""

from __future__ import annotations

import asyncio
import gc
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from kg.corpus import Corpus
from kg.lsp.messages import AnsweringServer
from kg.lsp.text_ranges import DocumentText, TextRange
from kg.lsp.workspace import Problems, Workspace
from kg.model import Diagnostic, Edit, Fix, Severity
from kg.model.errors import KgError
from kg.text.printable import printable_lines
from kg.version import VERSION

PAUSE_OF_TYPING = 0.01  # seconds: keystrokes that come faster are handled together
PAUSE_BEFORE_ALL = 0.2  # seconds without a keystroke before all notes are checked again
MAX_TURN_SECONDS = 0.0005  # for which background work may delay a keystroke
FILES_AT_ONCE = 50  # published before requests are handled again
_SEVERITY = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}
_TAGS = {
    "retracted-source": lsp.DiagnosticTag.Deprecated,
    "unread-words": lsp.DiagnosticTag.Unnecessary,
    "unknown-key": lsp.DiagnosticTag.Unnecessary,
}


class Session:
    """One editor's session on one corpus."""

    def __init__(
        self,
        workspace: Workspace,
        publish: Callable[[str, Sequence[Diagnostic]], None],
        on_weighed: Callable[[], None],
    ) -> None:
        self.workspace = workspace
        self.shown: dict[str, list[Diagnostic]] = {}
        self._publish = publish
        self._on_weighed = on_weighed
        self._pending_checks: dict[str, asyncio.TimerHandle] = {}
        self._pending_full_check: asyncio.TimerHandle | None = None
        self._stop = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._settled = False

    async def start(self) -> None:
        """Read the corpus, and publish the problems of open files, then of all."""
        gc.disable()  # a collection takes longer than the time between two keystrokes
        sys.setswitchinterval(MAX_TURN_SECONDS)
        await asyncio.get_running_loop().run_in_executor(None, self.workspace.open)
        for path in self.workspace.texts:
            self.tell(path)
        self.schedule_full_check(0)

    def type_text(self, path: str, text: str) -> None:
        """Take in what is typed, and publish its problems at the next pause."""
        self._stop.set()  # work in progress is outdated
        self.workspace.type(path, text)
        self._check_after_typing_pause(path)

    def close_file(self, path: str) -> None:
        """Handle the closing of a file."""
        self.workspace.close(path)
        self.schedule_full_check()

    def handle_changes(self, paths: Sequence[str]) -> None:
        """Handle changes of files on disk."""
        self.workspace.forget(paths)
        self.schedule_full_check()

    def _check_after_typing_pause(self, path: str) -> None:
        if handle := self._pending_checks.pop(path, None):
            handle.cancel()
        loop = asyncio.get_running_loop()
        self._pending_checks[path] = loop.call_later(
            PAUSE_OF_TYPING, self._publish_after_pause, path
        )

    def _publish_after_pause(self, path: str) -> None:
        self._pending_checks.pop(path, None)
        self.tell(path)
        self.schedule_full_check()

    def tell(self, path: str) -> list[Diagnostic]:
        """Publish and return the current problems of one note."""
        return self._publish_if_changed(path, self.workspace.problems(path))

    def current_problems(self, path: str) -> list[Diagnostic]:
        """The current problems of a note, published at once if it was just typed."""
        if handle := self._pending_checks.pop(path, None):
            handle.cancel()
            self.schedule_full_check()
            return self.tell(path)
        return self.shown.get(path, [])

    def _publish_if_changed(self, path: str, problems: list[Diagnostic]) -> list[Diagnostic]:
        if problems != self.shown.get(path, []) or path in self.workspace.texts:
            self.shown[path] = problems
            self._publish(path, problems)
        return problems

    # -- all notes ---------------------------------------------------------------------

    def schedule_full_check(self, pause: float = PAUSE_BEFORE_ALL) -> None:
        """Join and check all notes after a pause, unless something is typed before that."""
        self._stop.set()
        if self._pending_full_check is not None:
            self._pending_full_check.cancel()
        self._pending_full_check = asyncio.get_running_loop().call_later(
            pause, self._begin_full_check
        )

    def _begin_full_check(self) -> None:
        self._pending_full_check = None
        if self._task is not None and not self._task.done():
            self.schedule_full_check(PAUSE_OF_TYPING)  # it is stopping
            return
        self._stop = threading.Event()
        self._task = asyncio.get_running_loop().create_task(self._run_full_check(self._stop))

    async def _run_full_check(self, stop: threading.Event) -> None:
        loop = asyncio.get_running_loop()
        try:
            problems = await loop.run_in_executor(None, self._join_and_check, stop)
        except asyncio.CancelledError:  # the editor is gone
            stop.set()
            raise
        if problems is None:
            return
        await self._publish_all(problems, stop)
        await loop.run_in_executor(None, self._weigh_corpus)
        self._on_weighed()

    def _join_and_check(self, stop: threading.Event) -> Problems | None:
        self.workspace.join()
        return self.workspace.check(stop.is_set)

    def _weigh_corpus(self) -> None:
        self.workspace.weigh()
        gc.collect()  # the last corpus
        if not self._settled:
            self._settled = True
            gc.freeze()  # the notes stay, and are most of the objects

    async def _publish_all(self, problems: Problems, stop: threading.Event) -> None:
        paths = [*self.workspace.texts, *sorted({*problems, *self.shown} - {*self.workspace.texts})]
        for number, path in enumerate(paths):
            if stop.is_set():
                return  # something was typed, so all will be published again soon
            self._publish_if_changed(path, list(problems.get(path, ())))
            if number % FILES_AT_ONCE == FILES_AT_ONCE - 1:
                await asyncio.sleep(0)

    def stop(self) -> None:
        """End the check of all notes that is running, and cancel the one that waits."""
        self._stop.set()
        if self._pending_full_check is not None:
            self._pending_full_check.cancel()


OpenWorkspace = Callable[[Path | None], Workspace]
HelpOf = Callable[[str], str]


class OpenNote(NamedTuple):
    """A note as typed, with all notes, and their last joined corpus."""

    notes: Workspace
    corpus: Corpus
    text: DocumentText


class RequestPlace(NamedTuple):
    """Where in which note an editor asks."""

    notes: Workspace
    corpus: Corpus
    text: DocumentText
    line_number: int
    column: int


class NotesServer(AnsweringServer):
    """Answers an editor's requests about one corpus, which is found on `begin`."""

    def __init__(self, open_workspace: OpenWorkspace, help_of: HelpOf) -> None:
        super().__init__("kg", VERSION, max_workers=2)
        self.open_workspace = open_workspace
        self.help_of = help_of
        self.session: Session | None = None

    def begin(self, root: Path | None) -> None:
        """Find the corpus of the folder that an editor opened."""
        try:
            self.session = Session(self.open_workspace(root), self.publish, self.refresh_lenses)
        except (KgError, OSError) as error:
            message = lsp.LogMessageParams(type=lsp.MessageType.Warning, message=f"kg: {error}")
            self.window_log_message(message)

    @property
    def notes(self) -> Workspace | None:
        """The workspace, once the corpus is found."""
        return self.session.workspace if self.session else None

    def path_of(self, uri: str) -> str | None:
        """The path of a file within the notes."""
        path = to_fs_path(uri)
        return self.notes.path_of(path) if self.notes and path else None

    def uri_of(self, path: str) -> str:
        """The URI of a file in the editor."""
        assert self.notes is not None
        return from_fs_path(self.notes.place_of(path)) or ""

    # -- places ------------------------------------------------------------------------

    def _client_position(self, text: DocumentText, line_number: int, column: int) -> lsp.Position:
        position = lsp.Position(line=line_number - 1, character=column - 1)
        if line_number > len(text.lines):
            return position
        return self.workspace.position_codec.position_to_client_units(text.lines, position)

    def range(self, text_range: TextRange) -> lsp.Range:
        """A range in the editor's units."""
        assert self.notes is not None
        text = self.notes.text(text_range.path)
        start = self._client_position(text, text_range.line, text_range.column)
        end = self._client_position(text, text_range.end_line, text_range.end_column)
        return lsp.Range(start=start, end=end)

    def location(self, text_range: TextRange) -> lsp.Location:
        """A range with its file."""
        return lsp.Location(uri=self.uri_of(text_range.path), range=self.range(text_range))

    def note_at(self, uri: str) -> OpenNote | None:
        """A note; None outside the notes, or until they are read."""
        path = self.path_of(uri)
        if self.notes is None or self.notes.corpus is None or path is None:
            return None
        return OpenNote(self.notes, self.notes.corpus, self.notes.text(path))

    def place_at(self, params: Any) -> RequestPlace | None:
        """The place of a request; None as in `note_at`."""
        note = self.note_at(params.text_document.uri)
        if note is None:
            return None
        codec = self.workspace.position_codec
        position = params.position
        own_position = codec.position_from_client_units(note.text.lines, position)
        return RequestPlace(*note, own_position.line + 1, own_position.character + 1)

    # -- problems ----------------------------------------------------------------------

    def publish(self, path: str, problems: Sequence[Diagnostic]) -> None:
        """Show the problems of one file."""
        items = [self.diagnostic(problem) for problem in problems]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=self.uri_of(path), diagnostics=items)
        )

    def diagnostic(self, problem: Diagnostic) -> lsp.Diagnostic:
        """A problem in the protocol's form."""
        assert self.notes is not None
        related = [
            lsp.DiagnosticRelatedInformation(
                location=self.location(self.notes.text(span.path).range_at(span)), message="see"
            )
            for span in problem.related
        ]
        message = f"{problem.message}\n{problem.help}" if problem.help else problem.message
        page = self.help_of(problem.rule)
        return lsp.Diagnostic(
            range=self.range(self.notes.text(problem.span.path).range_at(problem.span)),
            message=printable_lines(message),
            severity=_SEVERITY[problem.severity],
            code=problem.rule,
            code_description=lsp.CodeDescription(href=page) if page else None,
            source="kg",
            tags=[_TAGS[problem.rule]] if problem.rule in _TAGS else None,
            related_information=related or None,
        )

    def refresh_lenses(self) -> None:
        """Ask the editor to refresh code lenses, which show strengths."""
        capabilities = self.client_capabilities.workspace
        if capabilities and capabilities.code_lens and capabilities.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    def edits(self, edits: Sequence[Edit]) -> dict[str, list[lsp.TextEdit]]:
        """Edits by the URI of their file."""
        edits_by_uri: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            text_edit = lsp.TextEdit(
                range=self.range(TextRange.from_edit(edit)), new_text=edit.text
            )
            edits_by_uri.setdefault(self.uri_of(edit.path), []).append(text_edit)
        return edits_by_uri

    def quick_fix(self, fix: Fix, problem: Diagnostic) -> lsp.CodeAction:
        return lsp.CodeAction(
            title=printable_lines(fix.title),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(problem)],
            is_preferred=True,
            edit=lsp.WorkspaceEdit(changes=self.edits(fix.edits)),
        )
