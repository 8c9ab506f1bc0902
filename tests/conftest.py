"""Fixtures that show a test's input in the test."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus, assemble
from kg.model.config import Config
from kg.notes.bibliography import parse_bibliography
from kg.notes.discover import NoteFile
from kg.notes.parse import parse_note


@pytest.fixture
def corpus_of() -> Callable[..., Corpus]:
    """A corpus of notes given as text: `corpus_of(a="…", references="…")`."""

    def make(references: str = "", config: Config | None = None, **notes: str) -> Corpus:
        files = [NoteFile(f"{name}.md", text.encode(), b"") for name, text in notes.items()]
        sources, problems = parse_bibliography(NoteFile("references.bib", references.encode(), b""))
        return assemble([parse_note(file) for file in files], sources, problems, config)

    return make
