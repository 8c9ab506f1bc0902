"""Compare two corpora: what both hold, what only one holds, and where their judgements differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import TypeVar

from kg.corpus import Corpus
from kg.model import OPPOSING, CampId, Edge, InquiryLine, Source, StatementId, Value
from kg.queries.answers.notebook import ReportedAnswer, edge_table, labels_of, report_under
from kg.queries.history.changes import (
    LEAST_MOVE_REMARKED,
    VerdictChange,
    moved_verdicts,
    word_with_strength,
)
from kg.queries.history.difference import (
    STATEMENT_FIELDS,
    differing_fields,
    match_edges,
    match_statements,
)
from kg.report import MAX_ROWS, Report, Table, render_cell

Ids = Mapping[str, str]
Held = TypeVar("Held")
SOURCE_FIELDS = (
    *("integrity", "peer_reviewed", "independence", "title", "authors", "year", "venue"),
    *("doi", "arxiv", "type", "verification", "topics", "body"),
)
"""Fields compared in a source of both, first those that can change an answer."""
EDGE_FIELDS_COMPARED = ("reason", "strength", "scope", "together")
"""Fields compared in an edge of both."""
LINE_FIELDS = {
    "title": "question",
    "proposition": "proposition",
    "answers": "answers",
    "doubt": "chief doubt",
    "essay": "essay",
}
"""Fields compared in a line of both, and their names in reports."""


class MatchedRecord(Value, frozen=True, omit_defaults=False):
    """A record of one corpus or both: its ids, how it was matched, and the fields that differ."""

    first: str | None
    second: str | None
    by: str = ""
    differing: tuple[str, ...] = ()


class JudgedDifferently(Value, frozen=True, omit_defaults=False):
    """A statement of both corpora with different camps or strengths."""

    first: StatementId
    second: StatementId
    first_camp: CampId | None
    second_camp: CampId | None
    first_strength: float | None
    second_strength: float | None


class CorpusComparison(ReportedAnswer, frozen=True, omit_defaults=False):
    """Two corpora side by side.

    Statements are matched by id, then by alias, title or text; sources by key, DOI or title;
    edges by their ends. `judged` are statements of both with different camps or strengths,
    `verdicts` lines of both whose answers differ, with the first corpus as before.
    `first_against` are edges of only the first that oppose a statement of both, `second_against`
    those of only the second.
    """

    first: str
    second: str
    statements: tuple[MatchedRecord, ...]
    sources: tuple[MatchedRecord, ...]
    lines: tuple[MatchedRecord, ...]
    edges: tuple[MatchedRecord, ...]
    judged: tuple[JudgedDifferently, ...]
    verdicts: tuple[VerdictChange, ...]
    first_against: tuple[Edge, ...]
    second_against: tuple[Edge, ...]

    def report(self) -> Report:
        """How much they share, where they differ, then what only one of them holds."""
        first, second = self.first, self.second
        kinds = ("statements", "sources", "lines", "edges")
        counts = [(kind, *self._counts(getattr(self, kind))) for kind in kinds]
        tables = (
            Table("", ("", "in both", f"only in {first}", f"only in {second}"), counts),
            Table("Lines whose answers differ", ("line", f"in {first}", f"in {second}"), [
                (
                    each.line,
                    word_with_strength(each.word_before, each.before),
                    word_with_strength(each.word_after, each.after),
                )
                for each in self.verdicts
            ]),
            self._judged_table(),
            edge_table(f"What {first} holds against what both hold", self.first_against),
            edge_table(f"What {second} holds against what both hold", self.second_against),
            *(self._differing_table(kind) for kind in kinds),
            *(self._lone_rows(kind, where) for kind in kinds[:3] for where in ("first", "second")),
        )  # fmt: skip
        return report_under([f"{first} and {second}"], [t for t in tables if t.rows])

    def _counts(self, matched: Iterable[MatchedRecord]) -> tuple[str, ...]:
        presence = [(each.first is not None, each.second is not None) for each in matched]
        return tuple(
            str(presence.count(in_)) for in_ in ((True, True), (True, False), (False, True))
        )

    def _judged_table(self) -> Table:
        names = (f"camp in {self.first}", f"in {self.second}")
        rows = [
            (
                *(each.first_camp or "–", each.second_camp or "–"),
                *(render_cell(each.first_strength), render_cell(each.second_strength)),
                *(self.labels[each.second].title, each.second),
            )
            for each in self.judged
        ]
        heads = (*names, f"strength in {self.first}", f"in {self.second}", "title", "id")
        title = (
            f"Judged differently: another camp, or a strength {LEAST_MOVE_REMARKED} apart or more"
        )
        return Table(title, heads, rows)

    def _differing_table(self, kind: str) -> Table:
        """Records of both that were not matched by id, or whose fields differ."""
        rows = [
            (each.first, each.second, each.by, ", ".join(each.differing).replace("_", " "))
            for each in getattr(self, kind)
            if each.first and each.second and (each.by != "id" or each.differing)
            if kind != "edges" or each.differing
        ]
        heads = (f"in {self.first}", f"in {self.second}", "known by", "differing")
        return Table(f"{kind.title()} of both that read differently", heads, rows)

    def _lone_rows(self, kind: str, where: str) -> Table:
        other = "second" if where == "first" else "first"
        ids = [getattr(e, where) for e in getattr(self, kind) if getattr(e, other) is None]
        titles = [self.labels[id].title if id in self.labels else "" for id in ids]
        rows = list(zip(ids, titles, strict=True)) if any(titles) else [(id,) for id in ids]
        title = f"{kind.title()} only in {getattr(self, where)}"
        return Table(title, ("id", "title")[: len(rows[0]) if rows else 1], rows, MAX_ROWS)


def compare_corpora(one: Corpus, other: Corpus) -> CorpusComparison:
    """Compare two corpora: `compare_corpora(load_corpus("ours"), load_corpus("theirs"))`."""
    now = match_statements(one, other)
    sources, lines = _match_sources(one, other), _match_lines(one, other)
    statements = {
        old: MatchedRecord(
            first=old,
            second=new,
            by=_how_matched(one, other, old, new),
            differing=_differing_fields(one, other, old, new, sources),
        )
        for old, new in now.items()
    }
    line_pairs = {str(match.second): str(match.first) for match in lines.values()}
    edge_pairs = match_edges(one, other, now)
    edges = _match_edges_by_ends(one, other, now, edge_pairs)
    return CorpusComparison(
        labels=labels_of(one, (*one.statements, *one.lines))
        | labels_of(other, (*other.statements, *other.lines)),
        first=_distinct_name(one, other),
        second=_distinct_name(other, one),
        statements=_split_by_holder(one.statements, other.statements, statements),
        sources=_split_by_holder(one.sources, other.sources, sources),
        lines=_split_by_holder(one.lines, other.lines, lines),
        edges=_split_by_holder(one.edges_by_id, other.edges_by_id, edges),
        judged=_compare_strengths(one, other, now),
        verdicts=moved_verdicts(one, other, now, line_pairs),
        first_against=_opposing_edges(one, {*edge_pairs}, {*now}),
        second_against=_opposing_edges(other, {*edge_pairs.values()}, {*now.values()}),
    )


def _distinct_name(corpus: Corpus, other: Corpus) -> str:
    """A name for a corpus: the shortest end of its folder's path that differs from the other's."""
    places = [each.folder.shown.resolve() if each.folder else None for each in (corpus, other)]
    if places[0] is None:
        return corpus.config.name
    if places[1] is None or places[0].name != places[1].name:
        return places[0].name
    return "/".join(places[0].parts[-2:])


def _split_by_holder(
    one: Iterable[str], other: Iterable[str], both: Mapping[str, MatchedRecord]
) -> tuple[MatchedRecord, ...]:
    """Records of both, then those of only one."""
    matched = {held.second for held in both.values()}
    return (
        *both.values(),
        *(MatchedRecord(first=id, second=None) for id in one if id not in both),
        *(MatchedRecord(first=None, second=id) for id in other if id not in matched),
    )


def _how_matched(one: Corpus, other: Corpus, old: str, new: str) -> str:
    if old == new:
        return "id"
    same = one.statements[old].title == other.statements[new].title
    return "title" if same else "alias" if other.find_id(old) == new else "text"


def _differing_fields(
    one: Corpus, other: Corpus, old: str, new: str, sources: Mapping[str, MatchedRecord]
) -> tuple[str, ...]:
    """The fields that differ between the two notes."""
    first, second = one.statements[old], other.statements[new]
    keys = {sources[key].second if key in sources else key for key in first.sources}
    names = [
        n for n in STATEMENT_FIELDS if n != "sources" and getattr(first, n) != getattr(second, n)
    ]
    return (*names, *(["sources"] if keys != {*second.sources} else []))


def _match_sources(one: Corpus, other: Corpus) -> dict[str, MatchedRecord]:
    """Sources of both, matched by key, then by DOI, then by title; each is matched once."""
    marks = {
        "DOI": lambda x: _comparable_text(x, "doi"),
        "title": lambda x: _comparable_text(x, "title"),
    }
    return _match_by(one.sources, other.sources, marks, _differing_source_fields)


def _match_by(
    one: Mapping[str, Held],
    other: Mapping[str, Held],
    marks: Mapping[str, Callable[[Held], str]],
    differing: Callable[[Held, Held], tuple[str, ...]],
) -> dict[str, MatchedRecord]:
    """Records of both by their id, then by what each of `marks` says; each is matched once."""
    pairs = {id: (id, "id") for id in one if id in other}
    for by, mark in marks.items():
        matched_ids = {second for second, _ in pairs.values()}
        there = {
            word: id for id, held in other.items() if id not in matched_ids and (word := mark(held))
        }
        for id, held in one.items():
            if id not in pairs and (match := there.pop(mark(held), None)):
                pairs[id] = match, by
    return {
        id: MatchedRecord(first=id, second=match, by=by, differing=differing(one[id], other[match]))
        for id, (match, by) in pairs.items()
    }


def _differing_source_fields(one: Source, other: Source) -> tuple[str, ...]:
    return tuple(
        name
        for name in SOURCE_FIELDS
        if _comparable_text(one, name) != _comparable_text(other, name)
    )


def _comparable_text(source: Source, by: str) -> str:
    return " ".join(str(getattr(source, by)).casefold().split())


def _match_lines(one: Corpus, other: Corpus) -> dict[str, MatchedRecord]:
    return _match_by(
        one.lines, other.lines, {"title": lambda line: line.title}, _differing_line_fields
    )


def _differing_line_fields(one: InquiryLine, other: InquiryLine) -> tuple[str, ...]:
    unlike = [
        word for name, word in LINE_FIELDS.items() if getattr(one, name) != getattr(other, name)
    ]
    return (
        (*unlike, "placements") if _placements_of(one) != _placements_of(other) else tuple(unlike)
    )


def _placements_of(line: InquiryLine) -> set[tuple[CampId, StatementId]]:
    return {(placement.camp, placement.statement) for placement in line.placements}


def _match_edges_by_ends(
    one: Corpus, other: Corpus, now: Ids, edge_pairs: Ids
) -> dict[str, MatchedRecord]:
    """The edges of both, by their ids in the first."""
    return {
        old: MatchedRecord(
            first=old,
            second=new,
            by="ends",
            differing=differing_fields(
                one.edges_by_id[old], other.edges_by_id[new], now, EDGE_FIELDS_COMPARED
            ),
        )
        for old, new in edge_pairs.items()
    }


def _opposing_edges(
    corpus: Corpus, shared_edges: Set[str], shared_statements: Set[str]
) -> tuple[Edge, ...]:
    """Edges that only this corpus has, and that oppose a statement of both."""
    opposing = []
    for edge in corpus.edges:
        undercut = corpus.edges_by_id.get(edge.target)
        opposed = undercut.target if undercut else edge.target
        if edge.id in shared_edges or edge.relation not in OPPOSING:
            continue
        if opposed in shared_statements:
            opposing.append(edge)
    return tuple(opposing)


def _compare_strengths(one: Corpus, other: Corpus, now: Ids) -> tuple[JudgedDifferently, ...]:
    """Statements of both with different camps or strengths, the largest difference first."""
    if not now:
        return ()
    from kg.reasoning import strengths

    first, second = strengths(one), strengths(other)
    judged_differently = [
        JudgedDifferently(
            first=old,
            second=new,
            first_camp=one.default_camps.get(old),
            second_camp=other.default_camps.get(new),
            first_strength=first.get(old),
            second_strength=second.get(new),
        )
        for old, new in now.items()
    ]
    return tuple(
        sorted(
            (
                j
                for j in judged_differently
                if j.first_camp != j.second_camp
                or _difference_in_strength(j) >= LEAST_MOVE_REMARKED
            ),
            key=lambda judged: -_difference_in_strength(judged),
        )
    )


def _difference_in_strength(judged: JudgedDifferently) -> float:
    one, other = judged.first_strength, judged.second_strength
    if one is None or other is None:
        return float(one is not other)
    return abs(one - other)
