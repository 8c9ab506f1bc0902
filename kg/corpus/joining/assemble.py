"""Join parsed notes into a corpus: the only step that sees all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from kg.corpus.corpus import Corpus
from kg.corpus.joining.join_records import (
    Records,
    cite_source_keys,
    source_keys_by_alias,
    with_known_methods,
)
from kg.corpus.joining.resolve_links import LinkResolver
from kg.corpus.names.linkable_names import LinkableNames
from kg.files.read_files import NotesFolder
from kg.model import Diagnostic, Source
from kg.model.settings.config import Config
from kg.notes.parsed_note import ParsedNote


def assemble(
    parsed_notes: Iterable[ParsedNote],
    bibliography: Iterable[Source] = (),
    diagnostics: Iterable[Diagnostic] = (),
    config: Config | None = None,
    folder: NotesFolder | None = None,
) -> Corpus:
    """Assemble one immutable corpus of all notes; what cannot be resolved is recorded for the
    checks.
    """
    config = config or Config()
    parsed_notes = [with_known_methods(note, config.quality) for note in parsed_notes]
    bibliography = list(bibliography)
    problems = (*diagnostics, *(d for note in parsed_notes for d in note.diagnostics))
    corpus = _join_notes(parsed_notes, bibliography, problems, config, folder)
    if all(note.best_guess is None for note in parsed_notes):
        return corpus
    # joined twice, rather than taken in as its likely type: a guess may not move a verdict (0006)
    parsed_notes = [note.best_guess or note for note in parsed_notes]
    best_guess = _join_notes(parsed_notes, bibliography, problems, config, folder)
    return dataclasses.replace(corpus, best_guess=best_guess)


def _join_notes(
    parsed_notes: list[ParsedNote],
    bibliography: list[Source],
    problems: tuple[Diagnostic, ...],
    config: Config,
    folder: NotesFolder | None,
) -> Corpus:
    records = Records(bibliography, lambda statement: statement)
    parsed_notes = [note for note in parsed_notes if records.add(note)]
    names = LinkableNames(parsed_notes, records.statements, records.lines, records.sources)
    resolver = LinkResolver(records, names, config)
    resolver.resolve_all(parsed_notes)
    lines = {id: resolver.finished_line(line) for id, line in records.lines.items()}
    links = resolver.links
    aliases = names.aliases()
    keys_by_alias = source_keys_by_alias(records.sources, aliases)
    return Corpus(
        statements=cite_source_keys(records.statements, keys_by_alias),
        edges=tuple(edge for edge in links.edges if edge is not None),
        sources=records.sources,
        lines=cite_source_keys(lines, keys_by_alias),
        mentions=tuple(links.mentions),
        terms=tuple(term for note in parsed_notes for term in note.terms),
        aliases=aliases,
        diagnostics=problems,
        unresolved_edges=tuple(links.unresolved_edges),
        duplicates=tuple(records.duplicates),
        dead_links=tuple(links.dead_links),
        loose_links=tuple(links.loose_links),
        files=tuple(link for note in parsed_notes for link in note.files),
        left_out=tuple(note.path for note in parsed_notes if note.left_out),
        guessed_types=frozenset(note.id for note in parsed_notes if note.has_guessed_type),
        config=config,
        folder=folder,
    )
