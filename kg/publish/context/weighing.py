"""The data from which a browser weighs a line's answer again: statements, works, edges as numbers.

From these, `site/assets/weigh.js` computes what `kg whatif` shows. Whatever depends on settings
is left open: edges have a type but no weight, and evidence has its citations but not the
independent sources that it rests on.

Statements, works, keys and edges are numbered by their places in the lists, source groups (`unit`
in JSON) from 0 to `source_group_count` - 1. Qualities are from 0 to 1, settings as in `kg.toml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping

from msgspec import structs

from kg.corpus import Corpus
from kg.corpus.independent_sources import (
    count_uses_of_keys,
    key_name,
    newest_year,
    source_groups_without,
    work_name,
)
from kg.corpus.quality.evidence_quality import study_design_of
from kg.corpus.same_and_superseded import same_statements
from kg.judgements.edge_labels import directions_by_edge
from kg.model import (
    LINKABLE,
    SIDES,
    CampId,
    Edge,
    EdgeId,
    EdgeStrength,
    Kind,
    LineId,
    Relation,
    SampleClass,
    SeenIn,
    SourceKey,
    StatementId,
    Value,
)
from kg.reachability import walk_from
from kg.reasoning import Reading
from kg.runtime.memoize import memoize

SETTINGS = (
    "gain", "repeat", "moderate", "weak", "qualifies",
    "open_below", "even_within", "contested_below", "leaning_below", "strong_from",
)  # fmt: skip
MAX_YEARS = 4  # offered as the first whose evidence counts: those that readers call recent
BETWEEN_STATEMENTS = frozenset({*SIDES, Relation.DEPENDS_ON, Relation.SUPERSEDES})


class WeighedStatement(Value, frozen=True):
    """A statement; for evidence, `quality` is its base without regard to retractions.

    `one` is the first of the statements that say the same, if that is another. `read`, `reviewed`
    and `people` say that the figures of evidence were read in the source itself, that it is peer
    reviewed, and that it was measured on people; `year` is the year of its newest work.
    """

    id: StatementId
    title: str
    quality: float | None = None
    one: int | None = None
    camp: CampId | None = None
    works: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    read: bool = False
    reviewed: bool = False
    people: bool = False
    year: int | None = None


class WeighedWork(Value, frozen=True, rename={"source_group": "unit"}):
    """A work that evidence cites; one without a title is not in the bibliography: it cannot fall.

    Works of one `source_group` are one source, whatever is muted.
    """

    key: SourceKey
    source_group: int
    title: str | None = None
    fallen: bool = False


class WeighedKey(Value, frozen=True, rename={"source_group": "unit"}):
    """A key of independence: its source group, and how many works and other pieces of evidence have
    it.
    """

    source_group: int
    bearers: int = 0


class WeighedEdge(Value, frozen=True):
    """An edge from a statement to another, or to an edge if it undercuts.

    `panel` is the direction that annotators gave it, from -1 to 1, and the number of annotators.
    """

    origin: int
    relation: Relation
    target: int
    strength: EdgeStrength | None = None
    together: tuple[int, ...] = ()
    mutual: bool = False
    panel: tuple[float, int] | None = None


class Weighing(Value, frozen=True, rename={"source_group_count": "units"}):
    """Everything that may bear on the statement `asks`; `camps` are the declared ones, in order.

    `years` are those since which alone evidence may be counted, the earliest first.
    """

    asks: int
    statements: tuple[WeighedStatement, ...]
    edges: tuple[WeighedEdge, ...]
    works: tuple[WeighedWork, ...]
    keys: tuple[WeighedKey, ...]
    source_group_count: int
    camps: tuple[CampId, ...]
    settings: dict[str, float]
    years: tuple[int, ...] = ()


def weighing(reading: Reading, line_id: str) -> Weighing | None:
    """Collect what bears on the answer of a line; None if it weighs nothing, or not by the default
    rule, or the answer is not exact. Raises `UnknownId`.
    """
    question = reading.question(line_id)
    asked_id = question.statement
    if not asked_id or not reading.settings.follows_routes or question.certificate.name == "cut":
        return None
    corpus = reading.corpus
    members = _statements_bearing_on(corpus, asked_id)
    ids = sorted(members, key=places_of_statements(corpus).__getitem__)
    numbers = _number_of_names(ids)
    sources = _SourceNumbers(corpus, ids)
    settings = reading.settings.model_dump()
    statements = tuple(
        _weighed_statement(reading, question.line_id, numbers, sources, id) for id in ids
    )
    years = sorted({each.year for each in statements if each.year is not None})
    return Weighing(
        asks=numbers[asked_id],
        statements=statements,
        edges=tuple(_weighed_edges(reading, numbers)),
        works=tuple(sources.works()),
        keys=tuple(sources.keys()),
        source_group_count=len(sources.number_of_source_group),
        camps=corpus.config.camp_ids,
        settings={name: settings[name] for name in SETTINGS},
        years=tuple(years[1:][-MAX_YEARS:]),
    )


def has_work_since(year: int, evidence: WeighedStatement) -> bool:
    """Return whether some work of the evidence was published in that year or later."""
    return evidence.year is not None and evidence.year >= year


@memoize
def places_of_statements(corpus: Corpus) -> Mapping[StatementId, int]:
    """The place of each statement in the corpus."""
    return _number_of_names(corpus.statements)


def _statements_bearing_on(corpus: Corpus, target: StatementId) -> set[StatementId]:
    """Find what can bear on a statement, whatever is muted; superseded and superseding ones
    included.
    """

    def nodes_before(id: StatementId) -> Iterator[StatementId]:
        yield from same_statements(corpus, id)
        yield from (
            each for each in _statements_speaking_to(corpus, id) if each in corpus.statements
        )

    return {*walk_from([target], nodes_before)}


def _statements_speaking_to(corpus: Corpus, id: StatementId) -> Iterator[StatementId]:
    """The statements that bear on one by an edge, undercut such an edge, or supersede it."""
    to_it = corpus.edges_to.get(id, ())
    yield from (edge.origin for edge in to_it if edge.relation is Relation.SUPERSEDES)
    edge_ids = [edge.id for edge in to_it if edge.relation in SIDES]
    for edge in corpus.edges_from.get(id, ()):
        if edge.relation is Relation.DEPENDS_ON or edge.goes_both_ways:
            yield edge.target
            edge_ids.append(edge.id)

    def undercuts_of(edge_id: EdgeId) -> list[EdgeId]:
        return [edge.id for edge in corpus.edges_to.get(edge_id, ())]

    for edge_id in walk_from(edge_ids, undercuts_of):
        yield from corpus.edges_by_id[edge_id].premises


class _SourceNumbers:
    """The works and keys of evidence, and which of them the rest of the corpus makes one source.

    `bearers` counts, for each key, the works and the other pieces of evidence that have it.
    """

    def __init__(self, corpus: Corpus, ids: Iterable[StatementId]) -> None:
        self.corpus = corpus
        statements = [corpus.statements[id] for id in ids]
        evidence = [each for each in statements if each.kind is Kind.EVIDENCE]
        self.number_of_work = _number_of_names(key for each in evidence for key in each.sources)
        self.number_of_key = _number_of_names(key for each in evidence for key in each.independence)
        uses_here = Counter(key for each in evidence for key in {*each.independence})
        self.bearers = {
            key: count_uses_of_keys(corpus)[key] - uses_here[key] for key in self.number_of_key
        }
        names = (*map(work_name, self.number_of_work), *map(key_name, self.number_of_key))
        self.source_groups = source_groups_without(corpus, names, {each.id for each in evidence})
        self.number_of_source_group = _number_of_names(
            map(self.source_groups.representative_of, names)
        )

    def source_group(self, name: str) -> int:
        """The number of the source group of a work or a key."""
        return self.number_of_source_group[self.source_groups.representative_of(name)]

    def works(self) -> Iterator[WeighedWork]:
        for key in self.number_of_work:
            source = self.corpus.sources.get(key)
            yield WeighedWork(
                key=key,
                source_group=self.source_group(work_name(key)),
                title=source.title if source else None,
                fallen=source is not None and source.retracted,
            )

    def keys(self) -> Iterator[WeighedKey]:
        for key in self.number_of_key:
            yield WeighedKey(
                source_group=self.source_group(key_name(key)), bearers=self.bearers[key]
            )


def _number_of_names(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _weighed_statement(
    reading: Reading,
    line_id: LineId | None,
    numbers: Mapping[str, int],
    sources: _SourceNumbers,
    id: str,
) -> WeighedStatement:
    corpus, statement = reading.corpus, reading.corpus.statements[id]
    same_ids = sorted(same_statements(corpus, id), key=numbers.__getitem__)
    # the notes may have placed any statement that says the same
    camps = (corpus.camp_of(each, line_id) for each in same_ids)
    weighed_statement = WeighedStatement(
        id=id,
        title=statement.title,
        one=None if same_ids[0] == id else numbers[same_ids[0]],
        camp=next(filter(None, camps), None),
    )
    if statement.kind is not Kind.EVIDENCE:
        return weighed_statement
    cited_sources = [corpus.sources[key] for key in statement.sources if key in corpus.sources]
    design = study_design_of(statement, cited_sources)
    return structs.replace(
        weighed_statement,
        quality=reading.qualities[id].base_unretracted,
        works=tuple(sources.number_of_work[key] for key in statement.sources),
        keys=tuple(sources.number_of_key[key] for key in dict.fromkeys(statement.independence)),
        read=statement.seen_in is SeenIn.PRIMARY,
        reviewed=bool(design.peer_reviewed),
        people=design.sample_class == SampleClass.PEOPLE,
        year=newest_year(corpus, id),
    )


def _weighed_edges(reading: Reading, numbers: Mapping[str, int]) -> Iterator[WeighedEdge]:
    """The edges among the statements in `numbers`; those that undercut an edge come after it."""
    panel_by_edge = directions_by_edge(reading.judgements)

    def edges_to(targets: Iterable[str], relations: Container[Relation]) -> list[Edge]:
        return [
            edge
            for target in targets
            for edge in reading.corpus.edges_to.get(target, ())
            if edge.relation in relations
            and numbers.keys() >= {*edge.premises}
            and (edge.relation in LINKABLE or not edge.together)
        ]

    # In each round, the possible targets of edges and their numbers: first the statements, then
    # the edges of the round before, which others may undercut.
    targets: Mapping[str, int] = numbers
    relations: Container[Relation] = BETWEEN_STATEMENTS
    count = 0
    while edges := edges_to(targets, relations):
        for edge in edges:
            panel = panel_by_edge.get(edge.id)
            yield WeighedEdge(
                origin=numbers[edge.origin],
                relation=edge.relation,
                target=targets[edge.target],
                strength=edge.strength,
                together=tuple(numbers[name] for name in edge.together),
                mutual=edge.goes_both_ways,
                panel=(panel.value, panel.annotators) if panel else None,
            )
        targets = {edge.id: number for number, edge in enumerate(edges, count)}
        count, relations = count + len(edges), (Relation.UNDERCUTS,)
