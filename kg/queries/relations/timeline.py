"""How the case for a statement grew, by the year in which its evidence was published."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from kg.corpus import Corpus
from kg.corpus.corpus import mutual_edges
from kg.corpus.units import one_with, superseded
from kg.model import OPPOSING, Kind, Relation, StatementId, Value
from kg.queries.answers.excerpt import excerpt
from kg.queries.answers.report import ReportedAnswer, headed, labels_of
from kg.queries.conditions.support_groups import Support, grouped, support_of
from kg.report import Report, Table


class Year(Value, frozen=True, omit_defaults=False):
    """What one year added, and what there was by its end.

    `strength` is how far the corpus would back the statement on the evidence published so far.
    """

    year: int
    added_for: tuple[StatementId, ...]
    added_against: tuple[StatementId, ...]
    support: Support
    opposition: Support
    strength: float | None

    def cells(self) -> tuple[str, ...]:
        """A row of the table of years."""
        return (
            str(self.year),
            f"+{len(self.added_for)}",
            f"+{len(self.added_against)}",
            str(self.support),
            str(self.opposition),
            "" if self.strength is None else f"{self.strength:.2f}",
        )


class Timeline(ReportedAnswer, frozen=True, omit_defaults=False):
    """The years of a statement's case, and the evidence whose year is not known.

    What is `retracted` belongs to no year, since it counts for nothing.
    """

    statement: StatementId
    years: tuple[Year, ...]
    undated: tuple[StatementId, ...]
    retracted: tuple[StatementId, ...]

    def report(self) -> Report:
        """The statement, a row for each year, and the evidence that has none."""
        head = [self.named(self.statement)]
        if self.undated:
            head.append(f"without a year: {', '.join(self.undated)}")
        if not self.years and not self.undated:
            head.append("no evidence bears on it")
        if self.retracted:
            head.append(f"retracted, and not counted: {', '.join(self.retracted)}")
        names = ("year", "for", "against", "by then for", "by then against", "strength")
        return headed(head, [Table("", names, [year.cells() for year in self.years])])


def timeline(corpus: Corpus, name: str) -> Timeline:
    """How the case for a statement, or for what a line weighs, grew. Raises `UnknownId`.

    Evidence is dated by the last of its sources, since a review follows what it reviews. Against a
    statement speaks what opposes it, what supports it or an edge by which that does, and what
    supports those opponents. What objects to the opponents, or bears on a premise, is in neither
    column; the strength takes it into account.
    """
    line = corpus.lines.get(corpus.find_id(name) or "")
    root = corpus.statement(line.proposition if line and line.proposition else name).id
    support, against = support_of(corpus, root), _opposing(corpus, root)
    backing = support.evidence
    opposing = tuple(id for id in against.evidence if id not in backing)
    lost = tuple(dict.fromkeys((*support.retracted, *against.retracted)))
    known = {id: year_of(corpus, id) for id in (*backing, *opposing)}
    dated: defaultdict[int, list[StatementId]] = defaultdict(list)
    for id, year in known.items():
        if year is not None:
            dated[year].append(id)
    years = tuple(
        _year(corpus, root, year, dated, set(backing), set(opposing)) for year in sorted(dated)
    )
    undated = tuple(id for id, year in known.items() if year is None)
    return Timeline(
        labels=labels_of(corpus, (root, *known, *lost)),
        statement=root,
        years=years,
        undated=undated,
        retracted=lost,
    )


def year_of(corpus: Corpus, id: StatementId) -> int | None:
    """The year of the last work that a piece of evidence cites, as far as years are known."""
    cited = (corpus.sources.get(key) for key in corpus.statements[id].sources)
    years = [source.year for source in cited if source is not None and source.year is not None]
    return max(years, default=None)


def _opposing(corpus: Corpus, root: StatementId) -> Support:
    """Evidence against a statement or what supports it: opponents that are evidence, and what
    supports the rest.
    """
    found: dict[StatementId, None] = {}
    for opponent in _opponents(corpus, root):
        if corpus.statements[opponent].kind is Kind.EVIDENCE:
            found[opponent] = None
        beneath = support_of(corpus, opponent)
        found.update(dict.fromkeys((*beneath.evidence, *beneath.retracted)))
    return grouped(corpus, found)


def _opponents(corpus: Corpus, root: StatementId) -> Iterable[StatementId]:
    """Who opposes a statement, or what supports it, or undercuts such support."""
    cuts: defaultdict[str, list[StatementId]] = defaultdict(list)
    for edge in corpus.edges:
        if edge.relation is Relation.UNDERCUTS and edge.source in corpus.statements:
            cuts[edge.target].append(edge.source)
    waiting, replaced = list(one_with(corpus, root)), corpus.derive(superseded)
    known = {*waiting}
    while waiting:
        id = waiting.pop()
        yield from (edge.target for edge in mutual_edges(corpus, id))
        for edge in corpus.edges_to.get(id, ()):
            premises = {*edge.premises}
            if not corpus.statements.keys() >= premises or replaced.keys() & premises:
                continue
            if edge.relation in OPPOSING:
                yield from edge.premises
            elif edge.relation is Relation.SUPPORTS:
                yield from cuts[edge.id]
                for premise in edge.premises:
                    fresh = {*one_with(corpus, premise)} & {*corpus.statements} - known
                    known |= fresh
                    waiting += sorted(fresh)


def _year(
    corpus: Corpus,
    root: StatementId,
    year: int,
    dated: Mapping[int, list[StatementId]],
    backing: set[StatementId],
    opposing: set[StatementId],
) -> Year:
    by_then = [id for each in sorted(dated) if each <= year for id in dated[each]]
    return Year(
        year=year,
        added_for=tuple(id for id in dated[year] if id in backing),
        added_against=tuple(id for id in dated[year] if id in opposing),
        support=grouped(corpus, (id for id in by_then if id in backing)),
        opposition=grouped(corpus, (id for id in by_then if id in opposing)),
        strength=strength_by(corpus, root, year),
    )


def strength_by(corpus: Corpus, root: StatementId, year: int) -> float | None:
    """How far the corpus backs a statement without the evidence that was published later."""
    from kg.reasoning import strengths

    return strengths(_without(corpus, _later(corpus, year)))[root]


def _later(corpus: Corpus, year: int) -> frozenset[StatementId]:
    later = ((item.id, year_of(corpus, item.id)) for item in corpus.evidence)
    return frozenset(id for id, published in later if published is not None and published > year)


def _without(corpus: Corpus, gone: Iterable[StatementId]) -> Corpus:
    """The corpus without some statements, and without the edges that need them."""
    absent = set(gone)
    kept = {e.id: e for e in corpus.edges if absent.isdisjoint((*e.premises, e.target))}
    while True:
        whole = {id: e for id, e in kept.items() if e.target not in corpus.edge or e.target in kept}
        if len(whole) == len(kept):
            break
        kept = whole
    ids = [id for id in corpus.statements if id not in absent]
    return excerpt(corpus, [*ids, *corpus.lines, *corpus.sources], tuple(kept.values()))
