"""Join parsed notes into a corpus: the only step that sees all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import msgspec

from kg.corpus.corpus import Corpus
from kg.corpus.names import Names
from kg.corpus.unresolved import Duplicate, Unresolved, Why
from kg.model import (
    CampPlacement,
    Diagnostic,
    Edge,
    InquiryLine,
    Mention,
    NextStep,
    Relation,
    Source,
    Span,
    Statement,
)
from kg.model.config import Config
from kg.notes.parsed import ParsedNote, PendingEdge, PendingMention

_RELATIONS = {relation.value: relation for relation in Relation}
NEXT = "next"


def assemble(
    notes: Iterable[ParsedNote],
    bibliography: Iterable[Source] = (),
    diagnostics: Iterable[Diagnostic] = (),
    config: Config | None = None,
    folder: Path | None = None,
) -> Corpus:
    """One sealed corpus of all notes; what cannot be resolved is kept aside for the checks."""
    join = _Join(list(notes), list(bibliography), config or Config())
    join.run()
    return Corpus(
        statements=join.statements,
        edges=tuple(join.edges),
        sources=join.sources,
        lines=join.finished_lines(),
        mentions=tuple(join.mentions),
        aliases=join.names.aliases,
        diagnostics=(*diagnostics, *(d for note in join.notes for d in note.diagnostics)),
        unresolved=tuple(join.unresolved),
        duplicates=tuple(join.duplicates),
        dead_links=tuple(join.dead_links),
        config=join.config,
        folder=folder,
    )


class _Join:
    """The tables that one assembly fills."""

    def __init__(self, notes: list[ParsedNote], bibliography: list[Source], config: Config) -> None:
        self.notes = notes
        self.config = config
        self.camps = frozenset(config.camp_ids)
        self.sources: dict[str, Source] = {}
        self.statements: dict[str, Statement] = {}
        self.lines: dict[str, InquiryLine] = {}
        self.edges: list[Edge] = []
        self.edge_ids: set[str] = set()
        self.mentions: list[Mention] = []
        self.placements: defaultdict[str, list[CampPlacement]] = defaultdict(list)
        self.next: defaultdict[str, list[NextStep]] = defaultdict(list)
        self.unresolved: list[Unresolved] = []
        self.duplicates: list[Duplicate] = []
        self.dead_links: list[PendingMention] = []
        for source in bibliography:
            self._add_source(source)

    def run(self) -> None:
        for note in self.notes:
            self._add(note)
        self.names = Names(self.notes, self.statements, self.lines, self.sources)
        late: list[PendingEdge] = []
        for note in self.notes:
            for pending in note.edges:
                if pending.relation == Relation.UNDERCUTS:
                    late.append(pending)
                else:
                    self._edge(pending)
            for mention in note.mentions:
                self._mention(mention)
        self.names.add_edges(self.edges)
        for pending in late:
            self._undercut(pending)
        if late:
            self.edges.sort(key=lambda edge: edge.span)

    # -- statements, lines, sources ----------------------------------------------------

    def _add(self, note: ParsedNote) -> None:
        for statement in note.statements:
            if self._taken(statement.id, statement.span):
                break  # what is nested in a note that is left out is left out with it
            self.statements[statement.id] = statement
        if note.line and not self._taken(note.line.id, note.line.span):
            self.lines[note.line.id] = note.line
        if note.source:
            self._add_source(note.source)

    def _taken(self, id: str, span: Span) -> bool:
        first = self.statements.get(id) or self.lines.get(id) or self.sources.get(id)
        if first is None:
            return False
        self.duplicates.append(Duplicate(id=id, span=span, first=first.span))
        return True

    def _add_source(self, source: Source) -> None:
        """A source note adds to its bibliography entry; two of either are one too many."""
        known = self.sources.get(source.key)
        if known is None:
            self.sources[source.key] = source if source.title else _titled(source)
        elif source.note and not known.note:
            self.sources[source.key] = _merged(known, source)
        else:
            self.duplicates.append(Duplicate(id=source.key, span=source.span, first=known.span))

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
        found = self.names.find(line.proposition.strip("[]"))
        if len(found) == 1 and found[0] in self.statements:
            return found[0]
        self._aside(
            PendingEdge(
                source=line.id, relation="proposition", target=line.proposition, span=line.span
            ),
            found,
        )
        return None

    # -- edges and links ---------------------------------------------------------------

    def _edge(self, pending: PendingEdge) -> None:
        if pending.source in self.lines:
            self._from_line(pending)
            return
        relation = _RELATIONS.get(pending.relation)
        if relation is None:
            self._unknown_word(pending)
            return
        target = pending.target if pending.nested else self._target(pending)
        if target is None:
            return
        if target not in self.statements and relation is not Relation.SUPERSEDES:
            self.unresolved.append(
                Unresolved(edge=pending, why=Why.WRONG_KIND, candidates=(target,))
            )
            return
        self._append(pending, relation, target)

    def _append(self, pending: PendingEdge, relation: Relation, target: str) -> None:
        note = pending.source.partition("#")[0]
        id = (
            f"{note}#{pending.block}"
            if pending.block
            else f"{pending.source}--{relation}--{target}"
        )
        if id in self.edge_ids:
            id = next(
                new
                for n in range(2, len(self.edge_ids) + 3)
                if (new := f"{id}--{n}") not in self.edge_ids
            )
        self.edge_ids.add(id)
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
            )
        )

    def _undercut(self, pending: PendingEdge) -> None:
        if pending.source in self.lines:
            self._unknown_word(pending)
            return
        found = self.names.find_edge(pending.target)
        if found is not None:
            self._append(pending, Relation.UNDERCUTS, found)
            return
        target = self._target(pending)
        if target is not None:
            self.unresolved.append(
                Unresolved(edge=pending, why=Why.NOT_AN_EDGE, candidates=(target,))
            )

    def _from_line(self, pending: PendingEdge) -> None:
        word = pending.relation
        if word == NEXT:
            self._next(pending)
        elif word == Relation.SUPERSEDES:
            if (target := self._target(pending)) is not None:
                self._append(pending, Relation.SUPERSEDES, target)
        elif word not in self.camps:
            self._unknown_word(pending)
        elif (target := self._target(pending)) is not None:
            if target not in self.statements:
                self.unresolved.append(
                    Unresolved(edge=pending, why=Why.WRONG_KIND, candidates=(target,))
                )
                return
            self.placements[pending.source].append(
                CampPlacement(
                    line=pending.source,
                    statement=target,
                    camp=word,
                    span=pending.span,
                    reason=pending.reason,
                )
            )

    def _next(self, pending: PendingEdge) -> None:
        target = self._target(pending) if pending.target else None
        if pending.target and target is None:
            return
        self.next[pending.source].append(
            NextStep(
                span=pending.span,
                target=target,
                question="" if target else pending.reason,
                reason=pending.reason if target else "",
            )
        )

    def _target(self, pending: PendingEdge) -> str | None:
        found = self.names.find(pending.target)
        if len(found) == 1:
            return found[0]
        self._aside(pending, found)
        return None

    def _aside(self, pending: PendingEdge, found: tuple[str, ...]) -> None:
        why = Why.AMBIGUOUS if found else Why.UNKNOWN_TARGET
        candidates = found or self.names.nearest(pending.target)
        self.unresolved.append(Unresolved(edge=pending, why=why, candidates=candidates))

    def _unknown_word(self, pending: PendingEdge) -> None:
        why = Why.UNKNOWN_CAMP if pending.source in self.lines else Why.UNKNOWN_RELATION
        self.unresolved.append(Unresolved(edge=pending, why=why))

    def _mention(self, pending: PendingMention) -> None:
        found = self.names.find(pending.target)
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
        else:
            self.dead_links.append(pending)


def _titled(source: Source) -> Source:
    return msgspec.structs.replace(source, title=source.key)


def _merged(entry: Source, note: Source) -> Source:
    """A bibliography entry with what its note says laid over it."""
    said = {
        name: value
        for name in note.__struct_fields__
        if name not in {"key", "type", "entry", "title"}
        and (value := getattr(note, name)) not in ((), "", None, {})
    }
    return msgspec.structs.replace(entry, **said)
