"""Find the problems of one note from that note and those it links to.

Joining all notes takes longer than the time between two keystrokes. The findings of a rule whose
scope is not the corpus depend on the note, on what it links to, and on names, which are looked up
in the latest whole corpus; other findings are shown as they were last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

from kg.checks import RULES
from kg.checks.rule import RuleScope
from kg.corpus import Corpus, assemble
from kg.editing.references.resolve_reference import linkable_names_of
from kg.loader import with_unsaved_files
from kg.model import Diagnostic, InquiryLine, Relation, Source, Statement
from kg.model.ids import note_id_of
from kg.notes.parsed_note import ParsedNote

RULES_OF_NOTE_AND_LINKS = frozenset(
    rule.name for rule in RULES if rule.scope is not RuleScope.CORPUS
)
RULES_OF_NOTE = frozenset(rule.name for rule in RULES if rule.scope is RuleScope.NOTE)


@dataclass(frozen=True)
class NeighbouringNotes(Corpus):
    """A few joined notes that resolve names in the whole corpus."""

    whole_corpus: Corpus = field(default_factory=lambda: Corpus({}))

    def find_id(self, name: str) -> str | None:
        """The id in these notes, else in the whole corpus."""
        return super().find_id(name) or self.whole_corpus.find_id(name)

    def note_of(self, name: str) -> str | None:
        """The path in these notes, else in the whole corpus."""
        return super().note_of(name) or self.whole_corpus.note_of(name)

    def suggest(self, name: str) -> tuple[str, ...]:
        """Suggestions from the whole corpus, else from these notes."""
        return self.whole_corpus.suggest(name) or super().suggest(name)

    @property
    def searched_name_count(self) -> int:
        """The number of names in the whole corpus and in these notes."""
        return self.whole_corpus.searched_name_count + super().searched_name_count


def find_neighbours(corpus: Corpus, note: ParsedNote) -> list[str]:
    """The files of the notes to which a note links, and of the ends of edges that it undercuts."""
    paths: dict[str, None] = {}
    names = linkable_names_of(corpus)
    for target, relation in _targets_and_words(note):
        ids = list(names.find_mentioned(target))
        if relation == Relation.UNDERCUTS and (edge := names.find_edge(target)):
            ids += (corpus.edges_by_id[edge].source, corpus.edges_by_id[edge].target)
        for id in ids:
            if record := corpus.record(id):
                paths[record.span.path] = None
        if not ids:  # a note that exists but cannot be read has no id
            stem = note_id_of(target).rpartition("/")[2].removesuffix(".md")
            paths |= dict.fromkeys(corpus.derive(_broken_files).get(stem, ()))
    paths.pop(note.path, None)
    return list(paths)


def _targets_and_words(note: ParsedNote) -> Iterator[tuple[str, str]]:
    for each in (note, note.best_guess):
        if each is None:
            continue
        for edge in each.edges:
            yield edge.target, edge.relation
            yield from ((target, "") for target in edge.together)
        yield from ((mention.target, "") for mention in each.mentions)
        if each.line and each.line.proposition:
            yield each.line.proposition, ""


def _broken_files(corpus: Corpus) -> dict[str, list[str]]:
    """Files with a problem, by the names that links would use for them."""
    paths_by_name: dict[str, list[str]] = {}
    for path in {problem.span.path for problem in corpus.diagnostics}:
        if path.endswith(".md"):
            paths_by_name.setdefault(path.rpartition("/")[2].removesuffix(".md"), []).append(path)
    return paths_by_name


def own_diagnostics(
    whole_corpus: Corpus,
    note: ParsedNote,
    linked_notes: Sequence[ParsedNote],
    unsaved: Mapping[str, bytes],
    other_problems: Iterable[Diagnostic],
    rules: frozenset[str] = RULES_OF_NOTE_AND_LINKS,
) -> list[Diagnostic]:
    """The current problems of `note`; `unsaved` are the contents of open files, and
    `other_problems` the last findings that need the whole corpus.
    """
    notes = sorted((note, *linked_notes), key=lambda each: each.path)
    joined_paths = {each.path for each in notes}
    small_corpus = assemble(
        notes,
        _sources_referred_to(whole_corpus, notes, joined_paths),
        (),
        whole_corpus.config,
        whole_corpus.folder,
    )
    small_corpus = with_unsaved_files(small_corpus, unsaved)
    view = _neighbouring_notes(small_corpus.best_guess or small_corpus, whole_corpus, note.path)
    problems = [problem for problem in small_corpus.diagnostics if problem.span.path == note.path]
    for rule in RULES:
        if rule.name in rules:
            problems += (each for each in rule.run(view) if each.span.path == note.path)
    return sorted([*problems, *other_problems], key=lambda problem: (problem.span, problem.rule))


def _neighbouring_notes(small_corpus: Corpus, whole_corpus: Corpus, path: str) -> NeighbouringNotes:
    """A view of a few notes that resolves links as in the whole corpus.

    Only the links of the note at `path` are resolved again: targets of the other notes may not be
    among the few, so their dead links are taken from the whole.
    """
    values_of_fields = {
        each.name: getattr(small_corpus, each.name) for each in fields(small_corpus) if each.init
    }
    values_of_fields["sources"] = {**whole_corpus.sources, **small_corpus.sources}
    values_of_fields["aliases"] = {**whole_corpus.aliases, **small_corpus.aliases}
    values_of_fields["duplicates"] = whole_corpus.duplicates
    own_unresolved = (link for link in small_corpus.unresolved if link.edge.span.path == path)
    unresolved_elsewhere = (
        link for link in whole_corpus.unresolved if link.edge.block and link.edge.span.path != path
    )
    values_of_fields["unresolved"] = (*own_unresolved, *unresolved_elsewhere)
    for name in ("dead_links", "loose_links"):
        values_of_fields[name] = tuple(
            link for link in values_of_fields[name] if link.span.path == path
        )
    return NeighbouringNotes(**values_of_fields, whole_corpus=whole_corpus)


def _sources_referred_to(
    whole_corpus: Corpus, notes: Sequence[ParsedNote], joined_paths: set[str]
) -> list[Source]:
    """The sources to which some notes refer, except those that are among these notes."""
    keys: dict[str, None] = {}
    for note in notes:
        for each in (note, note.best_guess):
            if each is None:
                continue
            records: list[Statement | InquiryLine] = [*each.statements]
            if each.line:
                records.append(each.line)
            for record in records:
                keys |= dict.fromkeys(citation.key for citation in record.citations)
            keys |= dict.fromkeys(
                target.removeprefix("@") for target, _ in _targets_and_words(each)
            )
    sources = (whole_corpus.sources.get(whole_corpus.find_id(key) or key) for key in keys)
    return list(
        {
            source.key: source
            for source in sources
            if source and source.span.path not in joined_paths
        }.values()
    )
