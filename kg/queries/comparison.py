"""Compare two statements or two lines: what they share, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable

from kg.corpus import Corpus
from kg.model import (
    OPPOSING,
    SIDES,
    CampId,
    Edge,
    InquiryLine,
    LineId,
    SourceKey,
    StatementId,
    Value,
)
from kg.queries.line_scope import LineScope, statement_or_proposition
from kg.queries.results.reported_result import ReportedResult, captions_of, edge_table, report_under
from kg.queries.support_groups import GroupedSupport, group_evidence, support_of
from kg.reporting.report import Report, Table

COMPARED_PARTS = {
    "both_favour": "Both are reasons for",
    "both_oppose": "Both speak against",
    "differ_on": "One is for and the other against",
    "shared_reasons": "Bears on both alike",
    "dividing_reasons": "Speaks for one and against the other",
    "shared_evidence": "Evidence beneath both",
}


class CampsInLine(Value, frozen=True, omit_defaults=False):
    """An inquiry line, and the camp that each of two statements argues for in it."""

    line: LineId
    first: CampId | None
    second: CampId | None


class Comparison(ReportedResult, frozen=True, omit_defaults=False):
    """Two statements side by side.

    `both_favour` and `both_oppose` are statements that both support or both oppose, `differ_on`
    those that one supports and the other opposes; `shared_reasons` bear on both in the same way,
    `dividing_reasons` speak for one and against the other. `shared_groups` counts the separate
    groups of evidence under both; `edges` join the two with each other or with what they share.
    """

    first: StatementId
    second: StatementId
    between: tuple[Edge, ...]
    both_favour: tuple[StatementId, ...]
    both_oppose: tuple[StatementId, ...]
    differ_on: tuple[StatementId, ...]
    shared_reasons: tuple[StatementId, ...]
    dividing_reasons: tuple[StatementId, ...]
    shared_evidence: tuple[StatementId, ...]
    shared_sources: tuple[SourceKey, ...]
    shared_topics: tuple[str, ...]
    shared_about: tuple[str, ...]
    lines: tuple[CampsInLine, ...]
    first_support: GroupedSupport
    second_support: GroupedSupport
    shared_groups: int
    edges: tuple[Edge, ...]

    def report(self) -> Report:
        """The two statements, the evidence beneath both, and what they share or differ in."""
        sides = ((self.first, self.first_support), (self.second, self.second_support))
        head = [
            f"{self.title_with_id(id)} — {self._describe_side(id, support)}"
            for id, support in sides
        ]
        head.append(f"separate groups of evidence beneath both: {self.shared_groups}")
        for name in ("sources", "topics", "about"):
            shared_names = getattr(self, f"shared_{name}")
            head.append(f"{name} of both: {', '.join(shared_names) or 'none'}")
        camps = [(i.line, i.first or "not placed", i.second or "not placed") for i in self.lines]
        tables = (
            edge_table("Between them", self.between),
            *(
                self.statement_table(title, getattr(self, name))
                for name, title in COMPARED_PARTS.items()
            ),
            Table("Camps in shared lines", ("line", self.first, self.second), camps),
        )
        return report_under(head, tables, self.edges)

    def _describe_side(self, id: StatementId, support: GroupedSupport) -> str:
        camp = self.captions[id].camp
        return f"{camp}, {support}" if camp else str(support)


class PlacedByBoth(Value, frozen=True, omit_defaults=False):
    """A statement that belongs to two lines, and the camp in which each of them places it."""

    statement: StatementId
    first: CampId | None
    second: CampId | None


class LineComparison(ReportedResult, frozen=True, omit_defaults=False):
    """Two lines side by side: what belongs to both, and where one conflicts with the other.

    To a line belongs what it weighs, places or links to in its essay (`LineScope`). `clashes`
    are the edges by which a statement of only one line opposes a statement of only the other.
    `shared_evidence` bears on both; `shared_sources` are those of both.
    """

    first: LineId
    second: LineId
    shared: tuple[PlacedByBoth, ...]
    clashes: tuple[Edge, ...]
    shared_evidence: tuple[StatementId, ...]
    shared_sources: tuple[SourceKey, ...]
    shared_topics: tuple[str, ...]

    @property
    def differ_on(self) -> tuple[StatementId, ...]:
        """Statements that the two place in different camps."""
        return tuple(
            p.statement for p in self.shared if p.first and p.second not in (None, p.first)
        )

    def report(self) -> Report:
        """The two questions, the conflicts between them, then what they share."""
        head = [
            self.title_with_id(self.first),
            self.title_with_id(self.second),
            f"placed in different camps: {', '.join(self.differ_on) or 'none'}",
            f"sources of both: {', '.join(self.shared_sources) or 'none'}",
            f"topics of both: {', '.join(self.shared_topics) or 'none'}",
        ]
        shared_rows = [
            (p.statement, p.first or "–", p.second or "–", self.captions[p.statement].title)
            for p in self.shared
        ]
        tables = (
            edge_table("Where one opposes the other", self.clashes),
            Table("In both", ("id", f"in {self.first}", f"in {self.second}", "title"), shared_rows),
            self.statement_table("Evidence near both", self.shared_evidence),
        )
        return report_under(head, tables, self.clashes)


def compare(corpus: Corpus, first_name: str, second_name: str) -> Comparison | LineComparison:
    """Compare two statements, or two lines; a line and a statement by the line's proposition.

    Raises `UnknownId`.
    """
    names = first_name, second_name
    if {corpus.look_up(name) for name in names} <= corpus.lines.keys():
        return _compare_lines(corpus, *(corpus.line(name) for name in names))
    first, second = (statement_or_proposition(corpus, name) for name in names)
    ids = first.id, second.id
    first_targets, first_reasons = _signs_of_links(corpus, first.id)
    second_targets, second_reasons = _signs_of_links(corpus, second.id)
    targets = (first_targets, second_targets)
    reasons = (first_reasons, second_reasons)
    supports = support_of(corpus, first.id), support_of(corpus, second.id)
    edges = _joining_edges(corpus, *ids)
    ends = [id for edge in edges for id in (edge.origin, edge.target)]
    shared_evidence = _in_both(supports[0].evidence, supports[1].evidence)
    lines = _shared_lines(corpus, *ids)
    return Comparison(
        captions=captions_of(
            corpus, dict.fromkeys((*ids, *ends, *shared_evidence, *(i.line for i in lines)))
        ),
        first=first.id,
        second=second.id,
        between=_edges_between(corpus, *ids),
        both_favour=_on_same_side(*targets, 1),
        both_oppose=_on_same_side(*targets, -1),
        differ_on=_on_other_side(*targets),
        shared_reasons=(*_on_same_side(*reasons, 1), *_on_same_side(*reasons, -1)),
        dividing_reasons=_on_other_side(*reasons),
        shared_evidence=shared_evidence,
        shared_sources=_in_both(
            _sources_beneath(corpus, first.id, supports[0]),
            _sources_beneath(corpus, second.id, supports[1]),
        ),
        shared_topics=_in_both(first.topics, second.topics),
        shared_about=_in_both(first.about, second.about),
        lines=lines,
        first_support=supports[0],
        second_support=supports[1],
        shared_groups=_shared_groups(corpus, *supports),
        edges=edges,
    )


def _joining_edges(corpus: Corpus, first: StatementId, second: StatementId) -> tuple[Edge, ...]:
    """Edges between the two, and edges that join both with a third statement."""
    edges_of_first, edges_of_second = (
        {
            edge.id: ({edge.origin, edge.target} - {id}, edge)
            for edge in (*corpus.edges_from.get(id, ()), *corpus.edges_to.get(id, ()))
        }
        for id in (first, second)
    )
    neighbours = [
        {end for ends, _ in edges.values() for end in ends}
        for edges in (edges_of_first, edges_of_second)
    ]
    joining_ids = (neighbours[0] & neighbours[1]) | {first, second}
    edges_by_id = {
        edge.id: edge
        for ends, edge in (*edges_of_first.values(), *edges_of_second.values())
        if ends <= joining_ids
    }
    return tuple(edges_by_id.values())


Signs = dict[StatementId, int]


def _signs_of_links(corpus: Corpus, id: StatementId) -> tuple[Signs, Signs]:
    """The statements that `id` speaks for (1) or against (-1), and those that do so for `id`."""
    targets = {b.target: b.side for b in corpus.bearings_from(id) if b.edge.relation in SIDES}
    return targets, {b.origin: b.side for b in corpus.bearings_on(id) if b.edge.relation in SIDES}


def _on_same_side(first: Signs, second: Signs, sign: int) -> tuple[StatementId, ...]:
    return tuple(id for id in first if first[id] == second.get(id) == sign)


def _on_other_side(first: Signs, second: Signs) -> tuple[StatementId, ...]:
    return tuple(id for id in first if first[id] == -second.get(id, 0))


def _in_both(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    names_in_second = set(second)
    return tuple(dict.fromkeys(each for each in first if each in names_in_second))


def _edges_between(corpus: Corpus, first: StatementId, second: StatementId) -> tuple[Edge, ...]:
    edges_from_either = (*corpus.edges_from.get(first, ()), *corpus.edges_from.get(second, ()))
    return tuple(
        edge for edge in edges_from_either if {edge.origin, edge.target} == {first, second}
    )


def _sources_beneath(
    corpus: Corpus, id: StatementId, support: GroupedSupport
) -> tuple[SourceKey, ...]:
    """The sources cited by a statement and the evidence beneath it."""
    statements = (corpus.statements[each] for each in (id, *support.evidence))
    return tuple(dict.fromkeys(key for s in statements for key in s.sources))


def _clashes_across(
    edge: Edge, first_members: set[StatementId], second_members: set[StatementId]
) -> bool:
    """Return whether an edge from a statement of one line alone opposes one of the other alone."""
    if edge.relation not in OPPOSING:
        return False
    only_in_first = first_members - second_members
    only_in_second = second_members - first_members
    return (edge.origin in only_in_first and edge.target in only_in_second) or (
        edge.origin in only_in_second and edge.target in only_in_first
    )


def _compare_lines(corpus: Corpus, first: InquiryLine, second: InquiryLine) -> LineComparison:
    scopes = LineScope(corpus, first), LineScope(corpus, second)
    first_members, second_members = (set(scope.members) for scope in scopes)
    shared_ids = _in_both(scopes[0].members, scopes[1].members)
    # reversed, so that of several placements the first stays
    camps = [{p.statement: p.camp for p in reversed(line.placements)} for line in (first, second)]
    edges = dict.fromkeys(edge for scope in scopes for edge in scope.edges)
    clashes = tuple(edge for edge in edges if _clashes_across(edge, first_members, second_members))
    ends = [id for edge in clashes for id in (edge.origin, edge.target)]
    evidence = _in_both(scopes[0].evidence, scopes[1].evidence)
    return LineComparison(
        captions=captions_of(
            corpus, dict.fromkeys((first.id, second.id, *shared_ids, *ends, *evidence))
        ),
        first=first.id,
        second=second.id,
        shared=tuple(
            PlacedByBoth(statement=id, first=camps[0].get(id), second=camps[1].get(id))
            for id in shared_ids
        ),
        clashes=clashes,
        shared_evidence=evidence,
        shared_sources=_in_both(scopes[0].statements_by_source, scopes[1].statements_by_source),
        shared_topics=_in_both(first.topics, second.topics),
    )


def _shared_lines(
    corpus: Corpus, first: StatementId, second: StatementId
) -> tuple[CampsInLine, ...]:
    camps = [
        {placement.line: placement.camp for placement in reversed(corpus.placements_of.get(id, ()))}
        for id in (first, second)
    ]
    return tuple(
        CampsInLine(line=line_id, first=camps[0].get(line_id), second=camps[1].get(line_id))
        for line_id in corpus.lines
        if line_id in camps[0] and line_id in camps[1]
    )


def _shared_groups(corpus: Corpus, first: GroupedSupport, second: GroupedSupport) -> int:
    """The number of separate groups, of all evidence under either, that have some under both."""
    evidence_groups = group_evidence(corpus, {*first.evidence, *second.evidence}).evidence_groups
    either = set(first.evidence), set(second.evidence)
    return sum(not any(each.isdisjoint(group) for each in either) for group in evidence_groups)
