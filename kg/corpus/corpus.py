"""The corpus: all notes joined, immutable, indexed on first use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from kg.corpus.camps_by_note import camps_by_note
from kg.corpus.lazy_collections import LazyMapping
from kg.corpus.look_ups import LookUps, claims_among, evidence_among
from kg.corpus.names.asked_names import (
    UnknownId,
    describe_kind_of_record,
    find_by_name,
    fold_case_and_spacing,
    ids_by_title,
    unknown_name_error,
)
from kg.corpus.names.linkable_names import Duplicate, Unresolved
from kg.files.cache_files import CacheEntry
from kg.files.read_files import NotesFolder
from kg.grouping import group_by, group_by_each
from kg.model import (
    CampId,
    CampPlacement,
    Diagnostic,
    Edge,
    EdgeId,
    InquiryLine,
    LineId,
    Mention,
    Source,
    SourceKey,
    Statement,
    StatementId,
)
from kg.model.errors import require_type
from kg.model.glossary_term import GlossaryTerm, fold_term
from kg.model.ids import is_part
from kg.model.settings.config import Config
from kg.notes.parsed_note import FileLink, PendingMention
from kg.runtime.memoize import ResultsKeeper
from kg.text.spelling import similar_names

Key = TypeVar("Key")
Item = TypeVar("Item")


class Provenance(NamedTuple):
    """The origin of a corpus that is read from a file: what is computed from the corpus may be
    cached under it.
    """

    cache_fingerprint: bytes | None = None
    """That of the cache of a folder."""
    record_file: CacheEntry | None = None
    """The file of the records of a store."""
    indexes: Mapping[str, Mapping[str, Any]] = {}
    """Properties of the corpus that the file holds, by name: they are not computed again."""


NOT_KEPT = Provenance()  # of a corpus joined from its notes


@dataclass(frozen=True)
class CorpusRecords:
    """What stands in notes, and the problems in it: where a draft, or a link to one, may stand.

    `without_drafts` (`kg/corpus/drafts.py`) knows what of each field goes with the drafts.
    """

    statements: Mapping[StatementId, Statement]
    edges: Sequence[Edge] = ()
    sources: Mapping[SourceKey, Source] = field(default_factory=dict)
    lines: Mapping[LineId, InquiryLine] = field(default_factory=dict)
    mentions: Sequence[Mention] = ()
    terms: Sequence[GlossaryTerm] = ()
    diagnostics: Sequence[Diagnostic] = ()
    """Problems seen while files were read one by one; `check` finds those of all together."""
    unresolved_edges: Sequence[Unresolved] = ()
    duplicates: Sequence[Duplicate] = ()
    dead_links: Sequence[PendingMention] = ()
    loose_links: Sequence[PendingMention] = ()
    """Links to a note, and to a heading in it or a `^name` that is no statement's."""
    files: Sequence[FileLink] = ()


@dataclass(frozen=True)
class Corpus(CorpusRecords, LookUps, ResultsKeeper):
    """All statements, edges, sources and lines of a folder of notes; frozen.

    All rooms use this class. `kg.Corpus`, which `kg.load` returns, is its subclass in `kg/api.py`,
    with questions as methods: `corpus.why("naps-help")`. Records are in reading order (by path,
    then line). Mappings and sequences of a corpus that was kept between runs are read from its file
    when they are first asked for something.

    A changed copy (`dataclasses.replace`) has no `origin`, as its contents are others.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    figures_in_abstracts: Mapping[SourceKey, str] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    """The paths of ignored notes."""
    guessed_types: frozenset[str] = frozenset()
    """The ids of notes of which even the type is a guess, in a `best_guess` alone."""
    config: Config = field(default_factory=Config)
    folder: NotesFolder | None = None
    best_guess: Corpus | None = None
    """For the checks: the corpus with the notes that are left out as not understood, each read as
    what it most likely is.
    """
    drafts: Mapping[str, str] | None = None
    """The names of drafts that were left out, with their ids; None if drafts are included."""
    known_camps: Mapping[StatementId, CampId] | None = field(default=None, compare=False)
    """The default camps of the whole corpus, in an excerpt, which may lack notes."""
    unwritten: Mapping[str, bytes] = field(default_factory=dict, compare=False)
    """File contents that replace those on disk."""
    origin: InitVar[Provenance] = NOT_KEPT
    provenance: Provenance = field(init=False, repr=False, compare=False)

    @property
    def with_guesses(self) -> Corpus:
        """The `best_guess`, if there is one, else the corpus itself. (A corpus of lines alone has
        length 0, so `or` would not do.)
        """
        return self if self.best_guess is None else self.best_guess

    def __post_init__(self, origin: Provenance) -> None:
        for name in ("statements", "sources", "lines", "aliases"):
            mapping = getattr(self, name)
            if not isinstance(mapping, LazyMapping):  # copied, as callers may change what they give
                object.__setattr__(self, name, MappingProxyType(dict(mapping)))
        for name, value in {"provenance": origin, **origin.indexes}.items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return (
            f"<Corpus of {len(self.lines)} lines, {len(self.statements)} statements, "
            f"{len(self.edges)} edges, {len(self.sources)} sources>"
        )

    # -- ids ---------------------------------------------------------------------------

    def find_id(self, name: str) -> str | None:
        """The id that `name` stands for: `name` itself, or the id of which it is an alias.

        `corpus.find_id("gap-is-a-matter-of-incentives")`
        """
        if name in self.statements or name in self.lines or name in self.sources:
            return name
        return self.aliases.get(name)

    def record(self, id: str) -> Statement | InquiryLine | Source | None:
        """The statement, inquiry line or source with this id; None if there is none.

        `corpus.record("shaikh2024")`
        """
        return self.statements.get(id) or self.lines.get(id) or self.sources.get(id)

    def look_up(self, name: str) -> str | None:
        """The id meant by `name`, which may be an id, an alias or a title; None if there is none.

        `corpus.look_up("@shaikh2024")`
        """
        tables = (self.statements, self.lines, self.sources)
        return find_by_name(name, self.aliases, lambda: self._ids_by_title, *tables)

    @cached_property
    def _ids_by_title(self) -> Mapping[str, Sequence[str]]:
        return ids_by_title(self.statements, self.lines, self.sources)

    def statement(self, name: str) -> Statement:
        """The statement called `name`, by id, alias or title; raises `UnknownId`.

        `corpus.statement("gap-is-a-matter-of-incentives")`
        """
        return self._record_named(name, self.statements, "statement")

    def source(self, name: str) -> Source:
        """The source called `name`, by citation key, alias or title; raises `UnknownId`.

        `corpus.source("shaikh2024")`
        """
        return self._record_named(name, self.sources, "source")

    def line(self, name: str) -> InquiryLine:
        """The inquiry line called `name`, by id, alias or title; raises `UnknownId`.

        `corpus.line("social-grounding")`
        """
        return self._record_named(name, self.lines, "inquiry line")

    def _record_named(self, name: str, records: Mapping[str, Item], kind: str) -> Item:
        record_id = find_by_name(name, self.aliases, lambda: self._ids_by_title, records)
        if record_id is None:
            raise self.unknown_id_error(name, records, kind)
        return records[record_id]

    def unknown_id_error(self, name: str, candidates: Iterable[str], kind: str) -> UnknownId:
        """The error for a name that is none of `candidates`, the names of the kind expected.

        It says what else has the name, or suggests the nearest names, or lists all if they are few.
        For a title of several records it lists their ids.

        `corpus.unknown_id_error("sycofancy", corpus.lines, "inquiry line")`
        """
        if other_id := self.look_up(name):
            other = self.statements.get(other_id) or self.lines.get(other_id)
            return UnknownId(
                name, (), kind, f" in the corpus: that is {describe_kind_of_record(other)}"
            )
        return unknown_name_error(name, candidates, kind, self._ids_by_title)

    def suggest(self, name: str) -> tuple[str, ...]:
        """Up to three ids similar to `name`, of callouts if it has a `#`; or else one by title.

        `corpus.suggest("social-groundin")`
        """
        require_type(name, str, "what ids should look like is text")
        if nearest_ids := similar_names(name, self._all_ids if is_part(name) else self._note_ids):
            return nearest_ids
        titles = self._ids_by_title if " " in name else {}
        return tuple(
            titles[title][0] for title in similar_names(fold_case_and_spacing(name), titles)[:1]
        )

    @property
    def searched_name_count(self) -> int:
        """The number of names that `suggest` searches."""
        return len(self._all_ids)

    def note_of(self, name: str) -> str | None:
        """The path of the note that contains `name`, an id or alias; None if no note does.

        `corpus.note_of("gap-is-a-matter-of-incentives")`
        """
        record = self.record(self.find_id(name) or "")
        return record.span.path if record and record.span.path.endswith(".md") else None

    @cached_property
    def _all_ids(self) -> list[str]:
        return [*self.statements, *self.lines, *self.sources, *self.aliases]

    @cached_property
    def _note_ids(self) -> list[str]:
        return [id for id in self._all_ids if not is_part(id)]

    @cached_property
    def glossary(self) -> Mapping[str, GlossaryTerm]:
        """The terms in glossaries, by all their names in the form of `fold_term`."""
        terms: dict[str, GlossaryTerm] = {}
        for term in self.terms:
            for name in term.names:
                terms.setdefault(fold_term(name), term)
        return MappingProxyType(terms)

    # -- kinds -------------------------------------------------------------------------

    @cached_property
    def claims(self) -> tuple[Statement, ...]:
        """Claims and counter-claims."""
        return claims_among(self.statements)

    @cached_property
    def evidence(self) -> tuple[Statement, ...]:
        """All pieces of evidence."""
        return evidence_among(self.statements)

    # -- edges -------------------------------------------------------------------------

    @cached_property
    def edges_by_id(self) -> Mapping[EdgeId, Edge]:
        """In the order of the notes, undercuts among them."""
        return {edge.id: edge for edge in self.edges}

    @cached_property
    def edges_from(self) -> Mapping[StatementId, tuple[Edge, ...]]:
        """Edges by the premise that states them; further ones are in `edges_with`."""
        return group_by(self.edges, attrgetter("origin"))

    @cached_property
    def edges_to(self) -> Mapping[StatementId | EdgeId, tuple[Edge, ...]]:
        """Edges by target (a statement, or an edge for `undercuts`)."""
        return group_by(self.edges, attrgetter("target"))

    @cached_property
    def edges_with(self) -> Mapping[StatementId, tuple[Edge, ...]]:
        """Edges by each joint premise other than that of the edge."""
        return group_by_each(self.edges, attrgetter("together"))

    @cached_property
    def edges_by_relation(self) -> Mapping[str, tuple[Edge, ...]]:
        """The edges of each relation: `Relation.SUPPORTS` → all supports."""
        return group_by(self.edges, attrgetter("relation"))

    # -- lines and camps ---------------------------------------------------------------

    @cached_property
    def placements(self) -> tuple[CampPlacement, ...]:
        """All placements of a statement in a camp of a line."""
        return tuple(placement for line in self.lines.values() for placement in line.placements)

    @cached_property
    def placements_of(self) -> Mapping[StatementId, tuple[CampPlacement, ...]]:
        """In the order of the lines; a statement in no camp is missing."""
        return group_by(self.placements, attrgetter("statement"))

    @cached_property
    def default_camps(self) -> Mapping[StatementId, CampId]:
        """The camp that a statement's own note gives it, including nested evidence."""
        if self.known_camps is not None:
            return self.known_camps
        return camps_by_note(self.statements, self.edges)

    # -- sources, topics, links --------------------------------------------------------

    @cached_property
    def statements_citing(self) -> Mapping[SourceKey, tuple[Statement, ...]]:
        """Statements by the sources they cite."""
        return group_by_each(self.statements.values(), lambda statement: statement.sources)

    @cached_property
    def topics(self) -> Mapping[str, tuple[Statement, ...]]:
        """Statements by topic, topics in alphabetical order."""
        grouped = group_by_each(self.statements.values(), lambda statement: statement.topics)
        return dict(sorted(grouped.items()))

    @cached_property
    def about(self) -> Mapping[str, tuple[Statement, ...]]:
        """Statements by the named things they are about, in alphabetical order."""
        grouped = group_by_each(self.statements.values(), lambda statement: statement.about)
        return dict(sorted(grouped.items(), key=lambda item: item[0].casefold()))

    @cached_property
    def mentions_from(self) -> Mapping[str, tuple[Mention, ...]]:
        """The links in the text of each note or statement, by the id that they start from."""
        return group_by(self.mentions, attrgetter("origin"))

    @cached_property
    def backlinks(self) -> Mapping[str, tuple[Mention, ...]]:
        """The links in texts that lead to each thing, by its id."""
        return group_by(self.mentions, attrgetter("target"))
