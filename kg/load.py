"""Folder → corpus: the whole flow in one place."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kg.corpus import Corpus, assemble
from kg.model import Diagnostic, Source
from kg.model.config import load_config
from kg.notes.bibliography import parse_bibliography
from kg.notes.discover import NoteFile, find_notes
from kg.notes.parse import parse_note
from kg.notes.parsed import ParsedNote


def load_corpus(
    folder: Path | str, parse: Callable[[NoteFile], ParsedNote] = parse_note
) -> Corpus:
    """Read, parse and join every note under `folder`.

    A broken note never stops the rest: its problems are the corpus's `diagnostics`. `parse`
    may remember notes it has seen, since a parsed note depends on one file alone.
    Raises `NoSuchFolder` where there is no such folder, and `ConfigError` for a broken `kg.toml`.
    """
    folder = Path(folder)
    found = find_notes(folder)
    with _no_collection():
        sources, problems = _bibliography(found.bibliographies)
        return assemble(
            [parse(file) for file in found.notes],
            sources,
            (*found.diagnostics, *problems),
            load_config(folder),
            folder,
        )


def _bibliography(files: tuple[NoteFile, ...]) -> tuple[list[Source], list[Diagnostic]]:
    sources: list[Source] = []
    problems: list[Diagnostic] = []
    for file in files:
        found, wrong = parse_bibliography(file)
        sources += found
        problems += wrong
    return sources, problems


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector: a load makes many values, no cycles, and scans cost half."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
