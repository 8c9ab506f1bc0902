"""What every test may use: corpora and notes made of text, without a disk."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from inspect import cleandoc

import pytest
from hypothesis import settings

from kg.corpus import Corpus, assemble
from kg.model.config import Config
from kg.notes.bibliography import parse_bibliography
from kg.notes.discover import NoteFile
from kg.notes.parse import parse_note
from kg.notes.parsed import ParsedNote

settings.register_profile("kg", deadline=None, max_examples=60)
settings.load_profile("kg")


def _file(path: str, text: str | bytes) -> NoteFile:
    data = text if isinstance(text, bytes) else text.encode()
    return NoteFile(path, data, blake2b(data, digest_size=16).digest())


def _note_of(text: str | bytes, path: str = "note.md") -> ParsedNote:
    return parse_note(_file(path, text))


def _corpus_of(references: str = "", config: Config | None = None, **notes: str) -> Corpus:
    parsed = [_note_of(cleandoc(text), f"{id}.md") for id, text in notes.items()]
    kind = "references.json" if references.lstrip().startswith(("[", "{")) else "references.bib"
    sources, problems = parse_bibliography(_file(kind, cleandoc(references)))
    return assemble(parsed, sources if references else (), problems if references else (), config)


@pytest.fixture(scope="session")
def corpus_of() -> Callable[..., Corpus]:
    """`corpus_of(**notes)`: a corpus of notes given as id (or path without `.md`) → Markdown.

    `references` is a bibliography (BibTeX or CSL JSON), `config` the corpus's settings.
    """
    return _corpus_of


@pytest.fixture(scope="session")
def note_of() -> Callable[..., ParsedNote]:
    """`note_of(text, path="note.md")`: one parsed note."""
    return _note_of


@pytest.fixture(scope="session")
def file_of() -> Callable[..., NoteFile]:
    """`file_of(path, text)`: a file as reading a folder gives it."""
    return _file
