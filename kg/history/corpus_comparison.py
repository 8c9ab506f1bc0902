"""Compare two corpora: what both hold, what only one holds, and where their judgements differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import Literal, TypeVar, get_args

from kg.corpus import Corpus
from kg.history.find_changes import STATEMENT_FIELDS
from kg.history.match_records import differing_edge_fields, match_edges, match_statements
from kg.history.moved_answers import MovedAnswer, find_moved_answers
from kg.model import OPPOSING, CampId, Edge, InquiryLine, Source, StatementId, Value
from kg.queries.results.reported_result import ReportedResult, captions_of, edge_table, report_under
from kg.reasoning import strengths
from kg.reasoning.line_answers import LEAST_MOVE_REMARKED
from kg.reporting.report import MAX_ROWS, Report, Table, render_cell

_RecordsField = Literal["statements", "sources", "lines", "edges"]
StatementPairs = Mapping[str, str]
Record = TypeVar("Record")
# Fields compared in a source of both, first those that can change an answer.
SOURCE_FIELDS = (
    *("integrity", "peer_reviewed", "independence", "title", "authors", "year", "venue"),
    *("doi", "arxiv", "type", "verification", "topics", "body"),
)
# Fields compared in an edge of both.
EDGE_FIELDS_COMPARED = ("reason", "strength", "scope", "together")
# Fields compared in a line of both, and their names in reports.
LINE_FIELDS = {
    "title": "question",
    "proposition": "proposition",
    "answers": "answers",
    "doubt": "chief doubt",
    "essay": "essay",
}


class MatchedRecord(Value, frozen=True, omit_defaults=False):
    """A record of one corpus or both: its ids, how it was matched, and the fields that differ."""

    first: str | None
    second: str | None
    by: str = ""
    differing: tuple[str, ...] = ()


class JudgementDifference(Value, frozen=True, omit_defaults=False):
    """A statement of both corpora with different camps or strengths."""

    first: StatementId
    second: StatementId
    first_camp: CampId | None
    second_camp: CampId | None
    first_strength: float | None
    second_strength: float | None


class CorpusComparison(ReportedResult, frozen=True, omit_defaults=False):
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
    judged: tuple[JudgementDifference, ...]
    verdicts: tuple[MovedAnswer, ...]
    first_against: tuple[Edge, ...]
    second_against: tuple[Edge, ...]

    def report(self) -> Report:
        """Report how much they share, where they differ, then what only one of them holds."""
        first = self.first
        second = self.second
        kinds = get_args(_RecordsField)
        counts = [(kind, *self._counts_of_holders(getattr(self, kind))) for kind in kinds]
        tables = (
            Table("", ("", "in both", f"only in {first}", f"only in {second}"), counts),
            Table("Lines whose answers differ", ("line", f"in {first}", f"in {second}"), [
                (each.line, *each.in_words)
                for each in self.verdicts
            ]),
            self._judged_table(),
            edge_table(f"What {first} holds against what both hold", self.first_against),
            edge_table(f"What {second} holds against what both hold", self.second_against),
            *(self._differing_table(kind) for kind in kinds),
            *(self._lone_table(kind, side) for kind in kinds[:3] for side in ("first", "second")),
        )  # fmt: skip
        return report_under([f"{first} and {second}"], [t for t in tables if t.rows])

    def _counts_of_holders(self, records: Iterable[MatchedRecord]) -> tuple[str, ...]:
        presence = [(each.first is not None, each.second is not None) for each in records]
        return tuple(
            str(presence.count(holders)) for holders in ((True, True), (True, False), (False, True))
        )

    def _judged_table(self) -> Table:
        rows = [
            (
                each.first_camp or "–",
                each.second_camp or "–",
                render_cell(each.first_strength),
                render_cell(each.second_strength),
                self.captions[each.second].title,
                each.second,
            )
            for each in self.judged
        ]
        headings = (
            f"camp in {self.first}",
            f"in {self.second}",
            f"strength in {self.first}",
            f"in {self.second}",
            "title",
            "id",
        )
        title = (
            f"Judged differently: another camp, or a strength {LEAST_MOVE_REMARKED} apart or more"
        )
        return Table(title, headings, rows)

    def _differing_table(self, kind: _RecordsField) -> Table:
        """Records of both that were not matched by id, or whose fields differ."""
        rows = [
            (each.first, each.second, each.by, ", ".join(each.differing).replace("_", " "))
            for each in getattr(self, kind)
            if each.first and each.second and (each.by != "id" or each.differing)
            if kind != "edges" or each.differing
        ]
        headings = (f"in {self.first}", f"in {self.second}", "known by", "differing")
        return Table(f"{kind.title()} of both that read differently", headings, rows)

    def _lone_table(self, kind: _RecordsField, side: Literal["first", "second"]) -> Table:
        other_side = "second" if side == "first" else "first"
        ids = [getattr(e, side) for e in getattr(self, kind) if getattr(e, other_side) is None]
        titles = [self.captions[id].title if id in self.captions else "" for id in ids]
        rows = list(zip(ids, titles, strict=True)) if any(titles) else [(id,) for id in ids]
        title = f"{kind.title()} only in {getattr(self, side)}"
        return Table(title, ("id", "title")[: len(rows[0]) if rows else 1], rows, MAX_ROWS)


def compare_corpora(first: Corpus, second: Corpus) -> CorpusComparison:
    """Compare two corpora: `compare_corpora(load_corpus("ours"), load_corpus("theirs"))`."""
    statement_pairs = match_statements(first, second)
    sources = _match_sources(first, second)
    lines = _match_by(
        first.lines, second.lines, {"title": lambda line: line.title}, _differing_line_fields
    )
    statements = {
        first_id: MatchedRecord(
            first=first_id,
            second=second_id,
            by=_basis_of_match(first, second, first_id, second_id),
            differing=_differing_statement_fields(first, second, first_id, second_id, sources),
        )
        for first_id, second_id in statement_pairs.items()
    }
    line_pairs = {str(match.second): str(match.first) for match in lines.values()}
    edge_pairs = match_edges(first, second, statement_pairs)
    edges = {
        first_id: MatchedRecord(
            first=first_id,
            second=second_id,
            by="ends",
            differing=differing_edge_fields(
                first.edges_by_id[first_id],
                second.edges_by_id[second_id],
                statement_pairs,
                EDGE_FIELDS_COMPARED,
            ),
        )
        for first_id, second_id in edge_pairs.items()
    }
    return CorpusComparison(
        captions=captions_of(first, (*first.statements, *first.lines))
        | captions_of(second, (*second.statements, *second.lines)),
        first=_distinct_name(first, second),
        second=_distinct_name(second, first),
        statements=_split_by_holder(first.statements, second.statements, statements),
        sources=_split_by_holder(first.sources, second.sources, sources),
        lines=_split_by_holder(first.lines, second.lines, lines),
        edges=_split_by_holder(first.edges_by_id, second.edges_by_id, edges),
        judged=_compare_strengths(first, second, statement_pairs),
        verdicts=find_moved_answers(first, second, statement_pairs, line_pairs),
        first_against=_opposing_edges(first, {*edge_pairs}, {*statement_pairs}),
        second_against=_opposing_edges(second, {*edge_pairs.values()}, {*statement_pairs.values()}),
    )


def _distinct_name(corpus: Corpus, other: Corpus) -> str:
    """A name for a corpus: the shortest end of its folder's path that differs from the other's."""
    places = [
        each.folder.display_path.resolve() if each.folder else None for each in (corpus, other)
    ]
    if places[0] is None:
        return corpus.config.name
    if places[1] is None or places[0].name != places[1].name:
        return places[0].name
    return "/".join(places[0].parts[-2:])


def _split_by_holder(
    first_ids: Iterable[str], second_ids: Iterable[str], matches: Mapping[str, MatchedRecord]
) -> tuple[MatchedRecord, ...]:
    """Records of both, then those of only one."""
    matched_second_ids = {match.second for match in matches.values()}
    return (
        *matches.values(),
        *(MatchedRecord(first=id, second=None) for id in first_ids if id not in matches),
        *(
            MatchedRecord(first=None, second=id)
            for id in second_ids
            if id not in matched_second_ids
        ),
    )


def _basis_of_match(first: Corpus, second: Corpus, first_id: str, second_id: str) -> str:
    if first_id == second_id:
        return "id"
    if first.statements[first_id].title == second.statements[second_id].title:
        return "title"
    return "alias" if second.find_id(first_id) == second_id else "text"


def _differing_statement_fields(
    first: Corpus,
    second: Corpus,
    first_id: str,
    second_id: str,
    sources: Mapping[str, MatchedRecord],
) -> tuple[str, ...]:
    """The fields that differ between the two notes."""
    first_statement = first.statements[first_id]
    second_statement = second.statements[second_id]
    keys = {sources[key].second if key in sources else key for key in first_statement.sources}
    names = [
        name
        for name in STATEMENT_FIELDS
        if name != "sources" and getattr(first_statement, name) != getattr(second_statement, name)
    ]
    if keys != {*second_statement.sources}:
        names.append("sources")
    return tuple(names)


def _match_sources(first: Corpus, second: Corpus) -> dict[str, MatchedRecord]:
    """Sources of both, matched by key, then by DOI, then by title; each is matched once."""
    match_keys = {
        "DOI": lambda x: _comparable_text(x, "doi"),
        "title": lambda x: _comparable_text(x, "title"),
    }
    return _match_by(first.sources, second.sources, match_keys, _differing_source_fields)


def _match_by(
    first_records: Mapping[str, Record],
    second_records: Mapping[str, Record],
    match_keys: Mapping[str, Callable[[Record], str]],
    differing_fields: Callable[[Record, Record], tuple[str, ...]],
) -> dict[str, MatchedRecord]:
    """Records of both by their id, then by what each of `match_keys` says; each is matched once."""
    pairs = {id: (id, "id") for id in first_records if id in second_records}
    for basis, key_of in match_keys.items():
        matched_ids = {second for second, _ in pairs.values()}
        # an empty key matches nothing: two works without a DOI are not one
        unmatched_by_key = {
            match_key: id
            for id, record in second_records.items()
            if id not in matched_ids and (match_key := key_of(record))
        }
        for id, record in first_records.items():
            if id not in pairs and (match := unmatched_by_key.pop(key_of(record), None)):
                pairs[id] = match, basis
    return {
        id: MatchedRecord(
            first=id,
            second=match,
            by=basis,
            differing=differing_fields(first_records[id], second_records[match]),
        )
        for id, (match, basis) in pairs.items()
    }


def _differing_source_fields(first: Source, second: Source) -> tuple[str, ...]:
    return tuple(
        name
        for name in SOURCE_FIELDS
        if _comparable_text(first, name) != _comparable_text(second, name)
    )


def _comparable_text(source: Source, field: str) -> str:
    return " ".join(str(getattr(source, field)).casefold().split())


def _differing_line_fields(first: InquiryLine, second: InquiryLine) -> tuple[str, ...]:
    field_words = [
        word for name, word in LINE_FIELDS.items() if getattr(first, name) != getattr(second, name)
    ]
    return (
        (*field_words, "placements")
        if _placements_of(first) != _placements_of(second)
        else tuple(field_words)
    )


def _placements_of(line: InquiryLine) -> set[tuple[CampId, StatementId]]:
    return {(placement.camp, placement.statement) for placement in line.placements}


def _opposing_edges(
    corpus: Corpus, shared_edges: Set[str], shared_statements: Set[str]
) -> tuple[Edge, ...]:
    """Edges that only this corpus has, and that oppose a statement of both."""
    opposing_edges = []
    for edge in corpus.edges:
        undercut_edge = corpus.edges_by_id.get(edge.target)
        opposed_statement = undercut_edge.target if undercut_edge else edge.target
        if edge.id in shared_edges or edge.relation not in OPPOSING:
            continue
        if opposed_statement in shared_statements:
            opposing_edges.append(edge)
    return tuple(opposing_edges)


def _compare_strengths(
    first: Corpus, second: Corpus, statement_pairs: StatementPairs
) -> tuple[JudgementDifference, ...]:
    """Statements of both with different camps or strengths, the largest difference first."""
    if not statement_pairs:
        return ()
    first_strengths = strengths(first)
    second_strengths = strengths(second)
    judged_statements = [
        JudgementDifference(
            first=first_id,
            second=second_id,
            first_camp=first.default_camps.get(first_id),
            second_camp=second.default_camps.get(second_id),
            first_strength=first_strengths.get(first_id),
            second_strength=second_strengths.get(second_id),
        )
        for first_id, second_id in statement_pairs.items()
    ]
    differing = [
        each
        for each in judged_statements
        if each.first_camp != each.second_camp
        or _difference_in_strength(each) >= LEAST_MOVE_REMARKED
    ]
    return tuple(sorted(differing, key=lambda each: -_difference_in_strength(each)))


def _difference_in_strength(judged: JudgementDifference) -> float:
    first = judged.first_strength
    second = judged.second_strength
    if first is None or second is None:
        return float(first is not second)
    return abs(first - second)
