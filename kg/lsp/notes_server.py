"""The server of one session: its notes, and its answers in the terms of the protocol."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from kg.corpus import Corpus
from kg.lsp.messages import AnsweringServer
from kg.lsp.session import Session
from kg.lsp.text_ranges import Text, TextRange
from kg.lsp.workspace import Workspace
from kg.model import Diagnostic, Edit, Fix, Severity
from kg.model.errors import KgError
from kg.text.printable import printable_lines
from kg.version import VERSION

OpenWorkspace = Callable[[Path | None], Workspace]
HelpOf = Callable[[str], str]
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
RequestPlace = tuple[Workspace, Corpus, Text, int, int]
"""The place of a request: the notes, their last joined corpus, a text, its line and column."""


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

    def _client_position(self, text: Text, line_number: int, column: int) -> lsp.Position:
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

    def note_at(self, uri: str) -> tuple[Workspace, Corpus, Text] | None:
        """A note as typed, with the corpus; None outside the notes, or until they are read."""
        path = self.path_of(uri)
        if self.notes is None or self.notes.corpus is None or path is None:
            return None
        return self.notes, self.notes.corpus, self.notes.text(path)

    def place_at(self, params: Any) -> RequestPlace | None:
        """The place of a request; None as in `note_at`."""
        note = self.note_at(params.text_document.uri)
        if note is None:
            return None
        codec = self.workspace.position_codec
        position = params.position
        own_position = codec.position_from_client_units(note[2].lines, position)
        return *note, own_position.line + 1, own_position.character + 1

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
            text_edit = lsp.TextEdit(range=self.range(TextRange.of(edit)), new_text=edit.text)
            edits_by_uri.setdefault(self.uri_of(edit.path), []).append(text_edit)
        return edits_by_uri

    def quick_fix(self, fix: Fix, problem: Diagnostic) -> lsp.CodeAction:
        """A fix as a code action."""
        return lsp.CodeAction(
            title=printable_lines(fix.title),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[self.diagnostic(problem)],
            is_preferred=True,
            edit=lsp.WorkspaceEdit(changes=self.edits(fix.edits)),
        )
