"""The statements, edges and sources of an inquiry line, by camp; and what a line weighs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kg.corpus import Corpus
from kg.corpus.reasons_for_and_against import group_by_source, ids_with_neighbours
from kg.model import (
    OPPOSING,
    CampPlacement,
    Edge,
    InquiryLine,
    Kind,
    SourceKey,
    Statement,
    StatementId,
    Value,
)
from kg.model.value import render_short


@dataclass(frozen=True)
class LineScope:
    """The statements and sources that belong to a line, as both its page and `kg show` count them.

    Its statements are those that it weighs, places or links to in its essay. They clash if one
    opposes another, whatever their camps. Its sources are those of its essay, of its statements,
    and of the statements that speak directly for or against one of these.
    """

    corpus: Corpus
    line: InquiryLine

    @cached_property
    def members(self) -> list[StatementId]:
        """Its proposition, the statements it places in camps, then those its essay links to."""
        corpus = self.corpus
        line = self.line
        mentioned_ids = [
            mention.target
            for mention in corpus.mentions_from.get(line.id, ())
            if mention.target in corpus.statements
        ]
        proposition = [line.proposition] if line.proposition else []
        return list(
            dict.fromkeys([*proposition, *(p.statement for p in line.placements), *mentioned_ids])
        )

    @cached_property
    def members_and_reasons(self) -> tuple[StatementId, ...]:
        """Its members, and the statements that speak directly for or against one of them."""
        return ids_with_neighbours(self.corpus, self.members)

    @cached_property
    def evidence(self) -> list[StatementId]:
        """The pieces of evidence in `members_and_reasons`."""
        return [
            id
            for id in self.members_and_reasons
            if self.corpus.statements[id].kind is Kind.EVIDENCE
        ]

    @cached_property
    def statements_by_source(self) -> dict[SourceKey, list[StatementId]]:
        """The statements of `members_and_reasons` that cite each source; none if only the essay
        does.
        """
        ids_by_source = group_by_source(self.corpus, self.members_and_reasons)
        for citation in self.line.citations:
            ids_by_source.setdefault(citation.key, [])
        return ids_by_source

    @cached_property
    def clashes(self) -> list[Edge]:
        """Edges by which one member opposes another, in reading order."""
        member_ids = set(self.members)
        return [e for e in self.edges if e.relation in OPPOSING and e.target in member_ids]

    @cached_property
    def undercuts(self) -> list[Edge]:
        """Edges from a member that undercut an edge to a member, in reading order."""
        member_ids = set(self.members)
        edges_by_id = self.corpus.edges_by_id
        return [
            e
            for e in self.edges
            if e.target in edges_by_id and edges_by_id[e.target].target in member_ids
        ]

    @cached_property
    def edges(self) -> list[Edge]:
        """Edges from its members, in reading order."""
        edges = (edge for id in self.members for edge in self.corpus.edges_from.get(id, ()))
        return sorted(edges, key=lambda edge: edge.span)


class LineView(Value, frozen=True):
    """A line's camps, the edges by which its statements clash, and its sources: see `LineScope`."""

    line: InquiryLine
    camps: dict[str, tuple[CampPlacement, ...]]
    clashes: tuple[Edge, ...]
    sources: tuple[SourceKey, ...]

    def __repr__(self) -> str:
        camps = ", ".join(f"{len(placements)} {camp}" for camp, placements in self.camps.items())
        counts = f"{camps}; clashes: {len(self.clashes)}; sources: {len(self.sources)}"
        return render_short("line view", self.line.id, counts)


def view_line(corpus: Corpus, name: str) -> LineView:
    """The line called `name`, camp by camp. Raises `UnknownId`."""
    scope = LineScope(corpus, corpus.line(name))
    return LineView(
        line=scope.line,
        camps={
            camp: tuple(each for each in scope.line.placements if each.camp == camp)
            for camp in corpus.config.camp_ids
        },
        clashes=tuple(scope.clashes),
        sources=tuple(scope.statements_by_source),
    )


def statement_or_proposition(corpus: Corpus, name: str) -> Statement:
    """The statement called `name`, or the proposition of the line `name`. Raises `UnknownId`."""
    line = corpus.lines.get(corpus.look_up(name) or "")
    return corpus.statement(line.proposition if line and line.proposition else name)
