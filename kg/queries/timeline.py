"""The case for a statement by the year in which its evidence was published."""

from __future__ import annotations

from collections.abc import Iterable, Set
from operator import attrgetter

import msgspec

from kg.corpus import Corpus
from kg.corpus.drafts import lost_edges
from kg.corpus.independent_sources import newest_year
from kg.model import EdgeId, Kind, Relation, StatementId, Value
from kg.queries.line_scope import statement_or_proposition
from kg.queries.results.edges_behind import corpus_excerpt
from kg.queries.results.reported_result import ReportedResult, captions_of, report_under
from kg.queries.support_groups import (
    GroupedSupport,
    group_evidence,
    opposition_of,
    support_of,
)
from kg.reasoning.strength_words import strength_in_table
from kg.reporting.plots import Axes, draw_note, draw_years
from kg.reporting.report import Report, Table, aside_lines
from kg.text.plurals import pluralize

NO_SUPPORT = GroupedSupport(evidence=(), evidence_groups=())
AGAINST_TERM = "against: what contradicts, qualifies or undercuts it or a reason for it"
_SIDES = (attrgetter("added_for"), attrgetter("added_against"))


class TimelineYear(Value, frozen=True, omit_defaults=False):
    """The evidence that one year added, and all evidence up to its end.

    `strength` is how far the corpus would back the statement on the evidence published so far.
    """

    year: int
    added_for: tuple[StatementId, ...]
    added_against: tuple[StatementId, ...]
    support: GroupedSupport
    opposition: GroupedSupport
    strength: float | None

    def cells(self) -> tuple[str, ...]:
        """A row of the table of years."""
        return (
            str(self.year),
            f"+{len(self.added_for)}",
            f"+{len(self.added_against)}",
            str(self.support),
            str(self.opposition),
            "" if self.strength is None else strength_in_table(self.strength),
        )


class Timeline(ReportedResult, frozen=True, omit_defaults=False):
    """The years of a statement's case, and the evidence without a known year.

    `retracted` evidence is in no year, since it does not count.
    """

    statement: StatementId
    years: tuple[TimelineYear, ...]
    undated: tuple[StatementId, ...]
    retracted: tuple[StatementId, ...]

    @property
    def on_both_sides(self) -> int:
        """The number of pieces of evidence that count both for it and against it."""
        pro, con = ({id for y in self.years for id in side(y)} for side in _SIDES)
        return len(pro & con)

    def report(self) -> Report:
        """The statement, a row for each year, and the evidence that has none."""
        head = [self.title_with_id(self.statement)]
        if self.undated:
            head.append(f"without a year: {', '.join(self.undated)}")
        if not self.years and not self.undated:
            head.append("no evidence bears on it")
        if self.on_both_sides:
            head.append(
                "for it and against it, so in both columns: "
                + pluralize(self.on_both_sides, "item")
            )
        if self.retracted:
            head.append(f"retracted, and not counted: {', '.join(self.retracted)}")
        names = ("year", "for", "against", "by then for", "by then against", "strength")
        report = report_under(head, [Table("", names, [year.cells() for year in self.years])])
        return Report(
            (*report.parts, *(aside_lines([AGAINST_TERM]) if self.years else ())), report.edges
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """The strength by year, from 0 to 1, and the evidence of each year for and against.

        Draws with matplotlib, on `ax` if it is given: years are its x and strengths its y; counts
        of evidence have a y axis of their own. Raises `MissingLibrary`.

        `corpus.timeline("gap-is-a-matter-of-incentives").plot()`
        """
        title = self.captions[self.statement].title
        if not self.years:
            return draw_note(title, "no evidence that bears on it has a year", ax)
        years, strengths = zip(*((each.year, each.strength) for each in self.years), strict=True)
        pro, con = ([len(side(each)) for each in self.years] for side in _SIDES)
        return draw_years(title, years, strengths, (pro, con), ax)


def timeline(corpus: Corpus, name: str) -> Timeline:
    """Return how the case for a statement, or a line's proposition, developed. Raises `UnknownId`.

    Evidence is dated by its latest source, since a review follows what it reviews. The evidence
    against includes that against its reasons (`opposition_of` with `include_beneath`); evidence
    on both sides is in both columns. Objections to the opponents, and reasons about a premise, are
    in neither column, but affect the strength. Superseded evidence counts until it was superseded.
    """
    root = statement_or_proposition(corpus, name).id
    sides = support_of(corpus, root), opposition_of(corpus, root, include_beneath=True)
    years = _years_of(corpus, root)
    bearing_ids = dict.fromkeys(id for side in sides for id in side.evidence)
    undated_ids = tuple(id for id in bearing_ids if newest_year(corpus, id) is None)
    retracted_ids = tuple(dict.fromkeys(id for side in sides for id in side.retracted))
    dated_ids = (id for year in years for id in (*year.added_for, *year.added_against))
    return Timeline(
        captions=captions_of(corpus, (root, *dated_ids, *undated_ids, *retracted_ids)),
        statement=root,
        years=years,
        undated=undated_ids,
        retracted=retracted_ids,
    )


def _years_of(corpus: Corpus, root: StatementId) -> tuple[TimelineYear, ...]:
    """The years in which evidence was added or superseded."""
    years: list[TimelineYear] = []
    for year in _years_of_change(corpus, root):
        corpus_then = corpus_as_of(corpus, year, root)
        row = _make_year(corpus_then, root, year)
        previous = (years[-1].support, years[-1].opposition) if years else (NO_SUPPORT, NO_SUPPORT)
        if (row.support, row.opposition) != previous:
            years.append(msgspec.structs.replace(row, strength=_strength_then(corpus_then, root)))
    return tuple(years)


def _years_of_change(corpus: Corpus, root: StatementId) -> list[int]:
    """The years of evidence that bears or once bore on it, and of superseding statements."""
    # what is superseded today bore on it before, so nothing is superseded here
    superseding_edges = [edge for edge in corpus.edges if edge.relation is Relation.SUPERSEDES]
    unsuperseded_corpus = (
        _corpus_without(corpus, (), {edge.id for edge in superseding_edges})
        if superseding_edges
        else corpus
    )
    sides = (
        support_of(unsuperseded_corpus, root),
        opposition_of(unsuperseded_corpus, root, include_beneath=True),
    )
    bearing_ids = [id for side in sides for id in side.evidence]
    bearing_ids += [edge.origin for edge in superseding_edges if edge.origin in corpus.statements]
    return sorted({year for id in bearing_ids if (year := newest_year(corpus, id)) is not None})


def _make_year(corpus_then: Corpus, root: StatementId, year: int) -> TimelineYear:
    sides = support_of(corpus_then, root), opposition_of(corpus_then, root, include_beneath=True)
    years_by_id = [{id: newest_year(corpus_then, id) for id in side.evidence} for side in sides]
    pro, con = (
        tuple(id for id, year_cited in side.items() if year_cited == year) for side in years_by_id
    )
    support, opposition = (
        group_evidence(
            corpus_then, (id for id, year_cited in side.items() if year_cited is not None)
        )
        for side in years_by_id
    )
    return TimelineYear(year, pro, con, support, opposition, None)


def corpus_as_of(corpus: Corpus, year: int, root: StatementId) -> Corpus:
    """The corpus without evidence published after a year, and without supersedes edges from
    statements dated later. `root` is always kept.
    """
    years = ((id, newest_year(corpus, id)) for id in corpus.statements if id != root)
    later_ids = {
        id for id, year_published in years if year_published is not None and year_published > year
    }
    removed_ids = {id for id in later_ids if corpus.statements[id].kind is Kind.EVIDENCE}
    edge_ids = {
        edge.id
        for edge in corpus.edges
        if edge.relation is Relation.SUPERSEDES and edge.origin in later_ids
    }
    return _corpus_without(corpus, removed_ids, edge_ids)


def _strength_then(corpus_then: Corpus, root: StatementId) -> float | None:
    from kg.reasoning import strengths

    return strengths(corpus_then)[root]


def _corpus_without(
    corpus: Corpus, statement_ids: Iterable[StatementId], edge_ids: Set[EdgeId]
) -> Corpus:
    """The corpus without some statements and edges, and without edges that depend on them."""
    absent_ids = {*statement_ids, *edge_ids}
    absent_ids |= lost_edges(corpus.edges, absent_ids)
    ids = [id for id in corpus.statements if id not in absent_ids]
    kept_edges = tuple(edge for edge in corpus.edges if edge.id not in absent_ids)
    return corpus_excerpt(corpus, [*ids, *corpus.lines, *corpus.sources], kept_edges)
