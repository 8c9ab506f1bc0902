"""Notes that were not written for `kg`, parsed and joined by the settings of a test."""

from __future__ import annotations

from collections.abc import Callable
from inspect import cleandoc

import pytest

from kg.corpus import Corpus, assemble
from kg.model.settings.config import parse_config
from kg.notes.mapping.mapped_note import note_parser
from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import note_file_of

ParseMapped = Callable[..., ParsedNote]
ReadMapped = Callable[..., Corpus]


def _parse(settings: str, text: str, path: str = "a note.md") -> ParsedNote:
    config = parse_config(cleandoc(settings), "kg.toml")
    return note_parser(config)(note_file_of(path, cleandoc(text)))


def _read(settings: str, notes: dict[str, str]) -> Corpus:
    config = parse_config(cleandoc(settings), "kg.toml")
    parse = note_parser(config)
    parsed = [parse(note_file_of(path, cleandoc(text))) for path, text in notes.items()]
    return assemble(parsed, config=config)


@pytest.fixture
def parse_mapped() -> ParseMapped:
    """`parse_mapped(settings, text, path)`."""
    return _parse


@pytest.fixture
def read_mapped() -> ReadMapped:
    """`read_mapped(settings, {path: text})`."""
    return _read
