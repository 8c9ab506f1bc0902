"""A small folder, problems in it, and how they are rendered."""

from __future__ import annotations

from pathlib import Path

from kg.checks.render_diagnostics import render_diagnostics
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.model import Diagnostic, Severity, Span


def write_claim(folder: Path) -> Path:
    (folder / "a.md").write_text("---\ntype: claim\n---\n\n# A \x1b[31mtitle\n", "utf-8")
    return folder


def problem(path: str = "a.md", **more: object) -> Diagnostic:
    fields: dict[str, object] = {"help": "mend it", "related": (Span("a.md", 1, 2),), **more}
    return Diagnostic(
        rule="a-rule",
        severity=fields.pop("severity", Severity.WARNING),
        message="it is wrong",
        span=fields.pop("span", Span(path, 5, 3)),
        **fields,
    )


def rendered_problems(
    folder: Path,
    format: str,
    *problems: Diagnostic,
    unsaved_texts: dict[str, bytes] | None = None,
    show_all: bool = False,
) -> str:
    corpus = load_corpus(write_claim(folder))
    texts = unsaved_texts or {}
    return render_diagnostics(
        problems, corpus, NotesFolder.from_path(folder), format, texts, show_all=show_all
    )
