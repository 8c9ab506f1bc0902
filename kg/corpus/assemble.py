"""Join parsed notes into a corpus: the only step that sees all of them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from kg.corpus.corpus import Corpus
from kg.corpus.names import (
    Duplicate,
    Names,
    Unresolved,
    Why,
    merge_source,
    resolve_undercuts,
    titled,
    with_known_methods,
    with_own_keys,
)
from kg.files.read import NotesFolder
from kg.model import (
    LINKABLE,
    CampPlacement,
    Diagnostic,
    Edge,
    InquiryLine,
    Mention,
    NextStep,
    Relation,
    RelationEnds,
    Source,
    Span,
    Statement,
)
from kg.model.config import Config
from kg.notes.markdown.inline import WITH
from kg.notes.parsed import ParsedNote, PendingEdge, PendingMention

_RELATIONS = {relation.value: relation for relation in Relation}
_BETWEEN_STATEMENTS = {
    word: relation
    for word, relation in _RELATIONS.items()
    if relation.entry.joins is RelationEnds.STATEMENTS
}
NEXT, PROPOSITION = "next", "proposition"


def assemble(
    notes: Iterable[ParsedNote],
    bibliography: Iterable[Source] = (),
    diagnostics: Iterable[Diagnostic] = (),
    config: Config | None = None,
    folder: NotesFolder | None = None,
) -> Corpus:
    """One sealed corpus of all notes; what cannot be resolved is kept aside for the checks."""
    config = config or Config()
    notes = [with_known_methods(note, config.quality) for note in notes]
    bibliography = list(bibliography)
    problems = (*diagnostics, *(d for note in notes for d in note.diagnostics))
    sealed = _assembled(notes, bibliography, problems, config, folder)
    if all(note.best_guess is None for note in notes):
        return sealed
    notes = [note.best_guess or note for note in notes]
    best_guess = _assembled(notes, bibliography, problems, config, folder)
    return dataclasses.replace(sealed, best_guess=best_guess)


def _assembled(
    notes: list[ParsedNote],
    bibliography: list[Source],
    problems: tuple[Diagnostic, ...],
    config: Config,
    folder: NotesFolder | None,
) -> Corpus:
    join = _Join(notes, bibliography, config)
    join.run()
    aliases = join.names.aliases()
    return Corpus(
        statements=with_own_keys(join.statements, join.sources, aliases),
        edges=tuple(edge for edge in join.edges if edge is not None),
        sources=join.sources,
        lines=with_own_keys(join.finished_lines(), join.sources, aliases),
        mentions=tuple(join.mentions),
        terms=tuple(term for note in join.notes for term in note.terms),
        aliases=aliases,
        diagnostics=problems,
        unresolved=tuple(join.unresolved),
        duplicates=tuple(join.duplicates),
        dead_links=tuple(join.dead_links),
        loose_links=tuple(join.loose_links),
        config=join.config,
        folder=folder,
    )


class _Join:
    """The tables that one assembly fills."""

    def __init__(
        self, notes: list[ParsedNote], bibliography: Iterable[Source], config: Config
    ) -> None:
        self.config = config
        self.camps = frozenset(config.camp_ids)
        self.sources: dict[str, Source] = {}
        self.statements: dict[str, Statement] = {}
        self.lines: dict[str, InquiryLine] = {}
        self.edges: list[Edge | None] = []  # None where an undercut still has to be resolved
        self.edge_ids: dict[str, int] = {}  # and the last number tried behind each
        self.mentions: list[Mention] = []
        self.placements: defaultdict[str, list[CampPlacement]] = defaultdict(list)
        self.next: defaultdict[str, list[NextStep]] = defaultdict(list)
        self.unresolved: list[Unresolved] = []
        self.duplicates: list[Duplicate] = []
        self.dead_links: list[PendingMention] = []
        self.loose_links: list[PendingMention] = []
        self.unknown_edges: list[PendingEdge] = []
        for source in bibliography:
            self._add_source(source)
        self.notes = [note for note in notes if self._add(note)]
        self.names = Names(self.notes, self.statements, self.lines, self.sources)

    def run(self) -> None:
        undercuts: list[tuple[int, PendingEdge]] = []
        statements = self.statements
        for note in self.notes:
            for pending in note.edges:
                relation = _BETWEEN_STATEMENTS.get(pending.relation)
                if relation and pending.target in statements and pending.source in statements:
                    self._make(pending, relation, pending.target)  # most edges, without detours
                elif pending.source in self.lines:
                    self._from_line(pending)
                elif pending.relation == Relation.UNDERCUTS:
                    undercuts.append((len(self.edges), pending))
                    self.edges.append(None)
                else:
                    self._edge(pending)
            for mention in note.mentions:
                self._mention(mention)
        if undercuts:
            self._make_undercuts(undercuts)
        if self.unknown_edges:
            self._targets_of_unknown_edges()

    # -- statements, lines, sources ----------------------------------------------------

    def _add(self, note: ParsedNote) -> bool:
        """Take in what a note holds; one whose id is taken is left out with all it says."""
        if note.line:
            if self._taken(note.line.id, note.line.span):
                return False
            self.lines[note.line.id] = note.line
        elif note.source and not self._add_source(note.source):
            return False
        for statement in note.statements:
            if self._taken(statement.id, statement.span):
                return False
            self.statements[statement.id] = statement
        return True

    def _taken(self, id: str, span: Span) -> bool:
        first = self.statements.get(id) or self.lines.get(id) or self.sources.get(id)
        if first is None:
            return False
        self.duplicates.append(Duplicate(id=id, span=span, first=first.span))
        return True

    def _add_source(self, source: Source) -> bool:
        """A source note adds to its bibliography entry; two of either are one too many."""
        known = self.sources.get(source.key)
        if known is not None and source.note and not known.note:
            self.sources[source.key] = merge_source(known, source)
            return True
        if self._taken(source.key, source.span):
            return False
        self.sources[source.key] = source if source.title else titled(source)
        return True

    def finished_lines(self) -> dict[str, InquiryLine]:
        """Lines with their placements, next steps and resolved proposition."""
        return {
            id: msgspec.structs.replace(
                line,
                placements=tuple(self.placements[id]),
                next=tuple(self.next[id]),
                proposition=self._proposition(line),
            )
            for id, line in self.lines.items()
        }

    def _proposition(self, line: InquiryLine) -> str | None:
        if line.proposition is None:
            return None
        name = line.proposition.strip("[]").partition("|")[0].strip()
        pending = PendingEdge(source=line.id, relation=PROPOSITION, target=name, span=line.span)
        target = self._target(pending)
        return target if target is None or self._is_statement(pending, target) else None

    # -- edges -------------------------------------------------------------------------

    def _edge(self, pending: PendingEdge) -> None:
        relation = _RELATIONS.get(pending.relation)
        if relation is None:
            self._unknown_word(pending)
            return
        target = self._target(pending)
        if target is None:
            return
        if relation.entry.joins is RelationEnds.ALIKE:
            fits = self._are_alike(pending, target)
        else:
            fits = self._is_statement(pending, target) and self._is_statement(
                pending, pending.source
            )
        if fits:
            self._make(pending, relation, target)

    def _is_statement(self, pending: PendingEdge, id: str) -> bool:
        if id in self.statements:
            return True
        self._set_aside(pending, Why.WRONG_KIND, id)
        return False

    def _are_alike(self, pending: PendingEdge, target: str) -> bool:
        for things in (self.statements, self.lines, self.sources):
            if pending.source in things and target in things:
                return True
        self._set_aside(pending, Why.WRONG_KIND, target)
        return False

    def _make(self, pending: PendingEdge, relation: Relation, target: str) -> None:
        together: tuple[str, ...] | None = ()
        if pending.together:
            together = self._premises(pending, relation, target)
        if together is None:
            return
        id = _edge_id(pending, target)
        if id in self.edge_ids:
            plain, number = id, self.edge_ids[id] + 1
            while (id := f"{plain}--{number}") in self.edge_ids:
                number += 1
            self.edge_ids[plain] = number
        self.edge_ids[id] = 1
        self.edges.append(
            Edge(
                id=id,
                source=pending.source,
                relation=relation,
                target=target,
                span=pending.span,
                reason=pending.reason,
                strength=pending.strength,
                mutual=pending.mutual,
                nested=pending.nested,
                scope=pending.scope,
                by=pending.by,
                locator=pending.locator,
                together=together,
            )
        )

    def _premises(
        self, pending: PendingEdge, relation: Relation, target: str
    ) -> tuple[str, ...] | None:
        """The other premises of an edge, each once; `None` (and recorded as unresolved) if any is
        not a statement.
        """
        if relation not in LINKABLE:
            self._set_aside(pending, Why.NOT_LINKABLE)
            return None
        found: dict[str, None] = {}
        for name in pending.together:
            link = msgspec.structs.replace(pending, relation=WITH, target=name, together=())
            premise = self._target(link)
            if premise is None or not self._is_statement(link, premise):
                return None
            if premise in (pending.source, target):
                self._set_aside(link, Why.OWN_PREMISE, premise)
                return None
            found[premise] = None
        return tuple(found)

    def _make_undercuts(self, undercuts: list[tuple[int, PendingEdge]]) -> None:
        undercuts = [each for each in undercuts if self._joins(each[1])]
        for edge in self.edges:
            if edge is not None:
                self.names.add_edge(edge.id, edge.source if edge.nested else None)
        waiting = [pending for _, pending in undercuts]
        targets = resolve_undercuts(waiting, self.names, _edge_id)
        for number, (index, pending) in enumerate(undercuts):
            if pending.source not in self.statements:
                self._set_aside(pending, Why.WRONG_KIND, pending.source)
            elif number in targets:
                self._make(pending, Relation.UNDERCUTS, targets[number])
                self.edges[index] = self.edges.pop()
            elif (target := self._target(pending)) is not None:
                self._set_aside(pending, Why.NOT_AN_EDGE, target)

    def _joins(self, pending: PendingEdge) -> bool:
        """Whether all premises of an undercut are there; others may undercut it in turn."""
        linked = bool(pending.together)
        return not linked or self._premises(pending, Relation.UNDERCUTS, "") is not None

    # -- lines' edges ------------------------------------------------------------------

    def _from_line(self, pending: PendingEdge) -> None:
        word = pending.relation
        if pending.together:
            self._set_aside(pending, Why.NOT_LINKABLE)
            return
        if word != NEXT and word != Relation.SUPERSEDES and word not in self.camps:
            self._unknown_word(pending)
            return
        target = self._target(pending) if pending.target else None
        if target is None and pending.target:
            return
        if word == NEXT:
            self._next(pending, target)
        elif target is None:
            return
        elif word == Relation.SUPERSEDES:
            if self._are_alike(pending, target):
                self._make(pending, Relation.SUPERSEDES, target)
        elif self._is_statement(pending, target):
            self.placements[pending.source].append(
                CampPlacement(
                    line=pending.source,
                    statement=target,
                    camp=word,
                    span=pending.span,
                    reason=pending.reason,
                )
            )

    def _next(self, pending: PendingEdge, target: str | None) -> None:
        if target is not None and target not in self.lines:
            self._set_aside(pending, Why.WRONG_KIND, target)
            return
        self.next[pending.source].append(
            NextStep(
                span=pending.span,
                target=target,
                question="" if target else pending.reason,
                reason=pending.reason if target else "",
            )
        )

    # -- targets -----------------------------------------------------------------------

    def _target(self, pending: PendingEdge) -> str | None:
        found = self.names.find(pending.target)
        if len(found) == 1:
            if "#" in pending.target and "#" not in found[0]:
                link = PendingMention(pending.source, pending.target, pending.span)
                self.loose_links.append(link)
            return found[0]
        self._set_aside(pending, Why.AMBIGUOUS if found else Why.UNKNOWN_TARGET, *found)
        return None

    def _set_aside(self, pending: PendingEdge, why: Why, *candidates: str) -> None:
        self.unresolved.append(Unresolved(edge=pending, why=why, candidates=candidates))

    def _unknown_word(self, pending: PendingEdge) -> None:
        in_line = pending.source in self.lines
        self._set_aside(pending, Why.UNKNOWN_CAMP if in_line else Why.UNKNOWN_RELATION)
        self.unknown_edges.append(pending)

    def _targets_of_unknown_edges(self) -> None:
        """Of an edge with an unknown word, the target may be unknown too: both are reported."""
        for edge in self.edges:
            if edge is not None:
                self.names.add_edge(edge.id, edge.source if edge.nested else None)
        for pending in self.unknown_edges:
            if pending.target and self.names.find_edge(pending.target) is None:
                self._target(pending)

    def _mention(self, pending: PendingMention) -> None:
        found = self.names.find_mentioned(pending.target)
        if len(found) == 1:
            self.mentions.append(
                Mention(
                    origin=pending.origin,
                    target=found[0],
                    span=pending.span,
                    text=pending.text,
                    context=pending.context,
                )
            )
            if "#" in pending.target and "#" not in found[0]:
                self.loose_links.append(pending)
        else:
            self.dead_links.append(pending)


def _edge_id(pending: PendingEdge, target: str) -> str:
    if pending.block:
        return f"{pending.source.partition('#')[0]}#{pending.block}"
    return f"{pending.source}--{pending.relation}--{target}"
