"""The links between the records of all notes, each resolved to the one thing that it means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import msgspec

from kg.corpus.joining.join_records import Records
from kg.corpus.names.linkable_names import (
    LinkableNames,
    Unresolved,
    UnresolvedReason,
    resolve_undercuts,
)
from kg.model import (
    LINKABLE,
    CampPlacement,
    Edge,
    InquiryLine,
    Mention,
    NextStep,
    Relation,
    RelationEnds,
)
from kg.model.ids import edge_id, is_part, note_id_of, part_id
from kg.model.settings.config import Config
from kg.notes.body import WITH
from kg.notes.parsed_note import NEXT, PROPOSITION, ParsedNote, PendingEdge, PendingMention

_RELATIONS = {relation.value: relation for relation in Relation}
_BETWEEN_STATEMENTS = {
    word: relation
    for word, relation in _RELATIONS.items()
    if relation.entry.joins in (RelationEnds.STATEMENTS, RelationEnds.ANY)
}
_RELATIONS_OF_LINES = frozenset((NEXT, Relation.RELATES, Relation.SUPERSEDES))


class PendingUndercut(NamedTuple):
    """An undercut of a note, and its position among the edges."""

    path: str
    position: int
    edge: PendingEdge


@dataclass(slots=True)
class ResolvedLinks:
    """The links of one note or of all, in reading order; those of lines by the id of the line."""

    edges: list[Edge | None] = field(default_factory=list)
    """None for an undercut still to be resolved."""
    mentions: list[Mention] = field(default_factory=list)
    placements: defaultdict[str, list[CampPlacement]] = field(
        default_factory=partial(defaultdict, list)
    )
    next_steps: defaultdict[str, list[NextStep]] = field(default_factory=partial(defaultdict, list))
    unresolved_edges: list[Unresolved] = field(default_factory=list)
    dead_links: list[PendingMention] = field(default_factory=list)
    loose_links: list[PendingMention] = field(default_factory=list)
    edges_of_unknown_words: list[PendingEdge] = field(default_factory=list)


class ResolvedUndercut(NamedTuple):
    """The edge of an undercut, and its position among the edges of its note."""

    path: str
    position: int
    edge: Edge


class LinkResolver:
    """Resolves the links between the records of all notes, note by note, into `links`.

    A link may lead to any note, so links are resolved after the names of all are known; an undercut
    may lead to any edge, so undercuts are resolved after all other edges.
    """

    def __init__(self, records: Records[Any], names: LinkableNames, config: Config) -> None:
        self.statements = records.statements
        self.lines = records.lines
        self.sources = records.sources
        self.names = names
        self.camps = frozenset(config.camp_ids)
        self.links = ResolvedLinks()
        # the last number tried after each id, so that many equal ids are not each counted from 1
        self.last_number: dict[str, int] = {}
        self.undercuts: list[PendingUndercut] = []

    def resolve_all(self, parsed_notes: Iterable[ParsedNote]) -> None:
        """Resolve the edges, mentions, placements and next steps of all notes."""
        for note in parsed_notes:
            self.resolve_note(note)
        if self.undercuts:
            self.register_edges()
            for undercut in self.resolve_undercuts():
                self.links.edges[undercut.position] = undercut.edge
        if self.links.edges_of_unknown_words:
            self._check_targets_of_unknown_words()

    def resolve_note(self, note: ParsedNote) -> None:
        """Resolve the links of one note except its undercuts, whose positions are kept."""
        statements = self.statements
        for pending in note.edges:
            relation = _BETWEEN_STATEMENTS.get(pending.relation)
            if relation and pending.target in statements and pending.origin in statements:
                self._add_edge(pending, relation, pending.target)  # fast path for most edges
            elif pending.origin in self.lines:
                self._read_line_entry(pending)
            elif pending.relation == Relation.UNDERCUTS:
                # reserve its position, so that edges stay in reading order
                self.undercuts.append(PendingUndercut(note.path, len(self.links.edges), pending))
                self.links.edges.append(None)
            else:
                self._resolve_edge(pending)
        for mention in note.mentions:
            self._resolve_mention(mention)

    def register_edges(self) -> None:
        """Let undercuts lead to the edges that have been resolved."""
        self.names.add_edges(edge for edge in self.links.edges if edge is not None)

    def take(self) -> ResolvedLinks:
        """The links resolved since the last call; only undercuts and ids of edges stay."""
        links, self.links = self.links, ResolvedLinks()
        return links

    # -- lines -----------------------------------------------------------------------------

    def finished_line(self, line: InquiryLine) -> InquiryLine:
        """A line with its placements, next steps and resolved proposition."""
        return msgspec.structs.replace(
            line,
            placements=tuple(self.links.placements[line.id]),
            next=tuple(self.links.next_steps[line.id]),
            proposition=self._proposition_of_line(line),
        )

    def _proposition_of_line(self, line: InquiryLine) -> str | None:
        if line.proposition is None:
            return None
        # treated as an edge, so that problems with it are reported like those of other links
        pending = PendingEdge(
            origin=line.id, relation=PROPOSITION, target=line.proposition, span=line.span
        )
        target = self._resolve_target(pending)
        return target if target is None or self._accept_statement(pending, target) else None

    # -- edges -------------------------------------------------------------------------

    def _resolve_edge(self, pending: PendingEdge) -> None:
        relation = _RELATIONS.get(pending.relation)
        if relation is None:
            self._record_unknown_word(pending)
            return
        target = self._resolve_target(pending)
        if target is None:
            return
        if relation.entry.joins is RelationEnds.ALIKE:
            is_accepted = self._accept_same_kind(pending, target)
        elif relation.entry.joins is RelationEnds.ANY:
            is_accepted = True
        else:
            ends = (target, pending.origin)
            is_accepted = all(self._accept_statement(pending, end) for end in ends)
        if is_accepted:
            self._add_edge(pending, relation, target)

    def _accept_statement(self, pending: PendingEdge, id: str) -> bool:
        if id in self.statements:
            return True
        self._record_unresolved(pending, UnresolvedReason.WRONG_KIND, id)
        return False

    def _accept_same_kind(self, pending: PendingEdge, target: str) -> bool:
        for records in (self.statements, self.lines, self.sources):
            if pending.origin in records and target in records:
                return True
        self._record_unresolved(pending, UnresolvedReason.WRONG_KIND, target)
        return False

    def _add_edge(self, pending: PendingEdge, relation: Relation, target: str) -> None:
        edge = self._make_edge(pending, relation, target)
        if edge is not None:
            self.links.edges.append(edge)

    def _make_edge(self, pending: PendingEdge, relation: Relation, target: str) -> Edge | None:
        """The edge, or None (and recorded as unresolved) if one of its premises is no statement."""
        together: tuple[str, ...] | None = ()
        if pending.together:
            together = self._resolve_together(pending, relation, target)
        if together is None:
            return None
        premise = pending.origin
        if pending.backward:
            premise, target = target, premise
            # a name that its author gave belongs to the note in which the edge is written
            pending = msgspec.structs.replace(pending, origin=premise, block="")
        return Edge(
            id=self._free_edge_id(_edge_id(pending, target)),
            origin=premise,
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

    def _free_edge_id(self, id: str) -> str:
        """An unused edge id: `id` itself, or numbered if it is already in use."""
        if id in self.last_number:
            plain = id
            number = self.last_number[id] + 1
            while (id := f"{plain}--{number}") in self.last_number:
                number += 1
            self.last_number[plain] = number
        self.last_number[id] = 1
        return id

    def _resolve_together(
        self, pending: PendingEdge, relation: Relation, target: str
    ) -> tuple[str, ...] | None:
        """The other premises of an edge, each once; `None` (and recorded as unresolved) if any is
        not a statement.
        """
        if relation not in LINKABLE:
            self._record_unresolved(pending, UnresolvedReason.NOT_LINKABLE)
            return None
        premises: dict[str, None] = {}
        for name in pending.together:
            # each is resolved like the target of an edge, so that problems are reported alike
            link = msgspec.structs.replace(pending, relation=WITH, target=name, together=())
            premise = self._resolve_target(link)
            if premise is None or not self._accept_statement(link, premise):
                return None
            if premise in (pending.origin, target):
                self._record_unresolved(link, UnresolvedReason.OWN_PREMISE, premise)
                return None
            premises[premise] = None
        return tuple(premises)

    def resolve_undercuts(self) -> Iterator[ResolvedUndercut]:
        """Yield the edges of undercuts; call this last, as they lead to other edges."""
        undercuts = [each for each in self.undercuts if self._accept_premises(each.edge)]
        targets = resolve_undercuts([each.edge for each in undercuts], self.names, _edge_id)
        for number, (path, position, pending) in enumerate(undercuts):
            if pending.origin not in self.statements:
                self._record_unresolved(pending, UnresolvedReason.WRONG_KIND, pending.origin)
            elif number in targets:
                edge = self._make_edge(pending, Relation.UNDERCUTS, targets[number])
                if edge is not None:
                    yield ResolvedUndercut(path, position, edge)
            elif (target := self._resolve_target(pending)) is not None:
                # it leads to a note or statement; if it leads nowhere, that was already reported
                self._record_unresolved(pending, UnresolvedReason.NOT_AN_EDGE, target)

    def _accept_premises(self, pending: PendingEdge) -> bool:
        """Return whether all premises of an undercut exist; checked first, as others may undercut
        it.
        """
        return (
            not pending.together
            or self._resolve_together(pending, Relation.UNDERCUTS, "") is not None
        )

    # -- lines' edges ------------------------------------------------------------------

    def _read_line_entry(self, pending: PendingEdge) -> None:
        """Read an entry of a line's list: a placement, a next step, or a relation of the line."""
        word = pending.relation
        if pending.together:
            self._record_unresolved(pending, UnresolvedReason.NOT_LINKABLE)
            return
        if word not in _RELATIONS_OF_LINES and word not in self.camps:
            self._record_unknown_word(pending)
            return
        # a next step may be a question in words, without a target
        target = self._resolve_target(pending) if pending.target else None
        if target is None and pending.target:
            return
        if word == NEXT:
            self._add_next_step(pending, target)
        elif target is None:
            return
        elif word == Relation.RELATES:
            self._add_edge(pending, Relation.RELATES, target)
        elif word == Relation.SUPERSEDES:
            if self._accept_same_kind(pending, target):
                self._add_edge(pending, Relation.SUPERSEDES, target)
        elif self._accept_statement(pending, target):
            self.links.placements[pending.origin].append(
                CampPlacement(
                    line=pending.origin,
                    statement=target,
                    camp=word,
                    span=pending.span,
                    reason=pending.reason,
                )
            )

    def _add_next_step(self, pending: PendingEdge, target: str | None) -> None:
        if target is not None and target not in self.lines:
            self._record_unresolved(pending, UnresolvedReason.WRONG_KIND, target)
            return
        self.links.next_steps[pending.origin].append(
            NextStep(
                span=pending.span,
                target=target,
                question="" if target else pending.reason,
                reason=pending.reason if target else "",
            )
        )

    # -- targets -----------------------------------------------------------------------

    def _resolve_target(self, pending: PendingEdge) -> str | None:
        """The one id that an edge's target means; if there are none or several, `None`, and the
        edge is recorded as unresolved.
        """
        ids = self.names.find_ids(pending.target)
        if len(ids) != 1:
            reason = UnresolvedReason.AMBIGUOUS if ids else UnresolvedReason.UNKNOWN_TARGET
            self._record_unresolved(pending, reason, *ids)
            return None
        # a link to a heading means the note; whether the heading exists is checked elsewhere
        if is_part(pending.target) and not is_part(ids[0]):
            link = PendingMention(pending.origin, pending.target, pending.span)
            self.links.loose_links.append(link)
        return ids[0]

    def _record_unresolved(
        self, pending: PendingEdge, reason: UnresolvedReason, *candidates: str
    ) -> None:
        if pending.loose:
            link = PendingMention(
                pending.origin, pending.target, pending.span, context=pending.reason
            )
            self._resolve_mention(link)
            return
        self.links.unresolved_edges.append(
            Unresolved(edge=pending, reason=reason, candidates=candidates)
        )

    def _record_unknown_word(self, pending: PendingEdge) -> None:
        in_line = pending.origin in self.lines
        self._record_unresolved(
            pending, UnresolvedReason.UNKNOWN_CAMP if in_line else UnresolvedReason.UNKNOWN_RELATION
        )
        self.links.edges_of_unknown_words.append(pending)

    def _check_targets_of_unknown_words(self) -> None:
        """Report unknown targets of edges whose relation is unknown too."""
        self.register_edges()
        for pending in self.links.edges_of_unknown_words:
            # an edge is a valid target too, as `undercuts` may have been meant
            if pending.target and self.names.find_edge(pending.target) is None:
                self._resolve_target(pending)

    def _resolve_mention(self, pending: PendingMention) -> None:
        ids = self.names.find_mentioned(pending.target)
        if len(ids) == 1:
            self.links.mentions.append(
                Mention(
                    origin=pending.origin,
                    target=ids[0],
                    span=pending.span,
                    text=pending.text,
                    context=pending.context,
                )
            )
            if is_part(pending.target) and not is_part(ids[0]):
                self.links.loose_links.append(pending)
        elif not self.names.is_left_out(pending.target):
            self.links.dead_links.append(pending)


def _edge_id(pending: PendingEdge, target: str) -> str:
    """An edge's id, from the name that its author gave it or else from what it links."""
    if pending.block:
        return part_id(note_id_of(pending.origin), pending.block)
    return edge_id(pending.origin, pending.relation, target)
