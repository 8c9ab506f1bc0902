"""From a corpus to its graph: what each edge, source and judgement becomes in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from operator import attrgetter
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

import numpy as np

from kg.corpus import Corpus
from kg.corpus.independent_sources import independent_sources, parts_of
from kg.corpus.same_and_superseded import alike, same_statements, superseded
from kg.model import (
    LINKABLE,
    SIDES,
    Edge,
    EdgeId,
    EdgeStrength,
    Kind,
    Relation,
    StatementId,
)
from kg.model.config import Reasoning
from kg.model.grade import Grade, grade_in
from kg.reasoning.network.graph import NOT_JOINT, Graph, number_units
from kg.reasoning.network.judgements import Direction, Judgement, directions, judgements_of
from kg.reasoning.result import rounded_or_none
from kg.reasoning.session import Reading, UnweighedEdge, readings_of

Rest = ParamSpec("Rest")
Found = TypeVar("Found")
Sizes: TypeAlias = Mapping[tuple[Relation, EdgeStrength | None], float]
SIGN = {relation: float(side) for relation, side in SIDES.items()}
READ = frozenset({*SIGN, Relation.UNDERCUTS, Relation.DEPENDS_ON, Relation.SAME_AS})


def assemble(
    corpus: Corpus,
    settings: Reasoning | None = None,
    judgements: Sequence[Judgement] | None = None,
) -> Reading:
    """The corpus read as numbers under `settings` (default: those of its configuration).

    `judgements` are those beside its notes unless others are given.

    A panel's judgements of a supports, contradicts or qualifies edge replace its weight by
    p(supports) - p(contradicts). The result is kept with the corpus and made only once.

    `reasoning.assemble(corpus, Reasoning(semantics="dfquad"))`
    """
    wanted = settings or corpus.config.reasoning
    rows = judgements_of(corpus).rows if judgements is None else tuple(judgements)
    key = (wanted, rows)
    kept = corpus.derive(readings_of)
    if key not in kept:
        kept[key] = _assemble(corpus, wanted, rows)
    return kept[key]


def reading_of(corpus: Corpus | Reading) -> Reading:
    """The reading of a corpus under its own settings; a reading as it is.

    `reasoning.reading_of(corpus).settings`
    """
    return corpus if isinstance(corpus, Reading) else assemble(corpus)


def of_corpus(
    function: Callable[Concatenate[Reading, Rest], Found],
) -> Callable[Concatenate[Corpus | Reading, Rest], Found]:
    """`function`, which may be asked of a corpus too: that is read under its own settings."""

    @wraps(function)
    def asked(corpus: Corpus | Reading, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Found:
        return function(reading_of(corpus), *args, **kwargs)

    return asked


def _assemble(corpus: Corpus, settings: Reasoning, judgements: tuple[Judgement, ...]) -> Reading:
    units, same = independent_sources(corpus), same_statements(corpus)
    grades = {
        s.id: grade_in(corpus.sources, s, corpus.config.quality) for s in corpus.statements.values()
    }
    ids = tuple(name for name in corpus.statements if name not in same)
    numbers = {name: number for number, name in enumerate(ids)}
    names = {name: numbers[same.get(name, name)] for name in corpus.statements}
    members: list[list[StatementId]] = [[] for _ in ids]
    for name, node in names.items():
        members[node].append(name)
    arcs = _arcs_of(corpus, settings, names, directions(judgements))
    # of statements that are one, the base is that of the best, retractions aside
    best = [
        max((grades[n] for n in group), key=attrgetter("base_unretracted", "base"))
        for group in members
    ]
    parts_by_node = [parts_of(group, units) for group in members]
    unit_start, unit_of, unit_part = number_units(parts_by_node)
    graph = Graph(
        ids=ids,
        base=np.array([each.base for each in best], dtype=float),
        base_unretracted=np.array([each.base_unretracted for each in best], dtype=float),
        claim=np.array([corpus.statements[n].kind is not Kind.EVIDENCE for n in ids], dtype=bool),
        src=np.array(arcs.src, dtype=np.int64),
        dst=np.array(arcs.dst, dtype=np.int64),
        w=np.array(arcs.w, dtype=float),
        gate=np.array(arcs.gate, dtype=np.int64),
        fallen=np.array(arcs.fallen, dtype=bool),
        edges=tuple(arcs.edges),
        gates=arcs.gates,
        unit_start=unit_start,
        unit_of=unit_of,
        unit_part=unit_part,
        names=names,
        settings=settings,
        joint=np.array(arcs.joint, dtype=np.int64),
    )
    return Reading(corpus, settings, graph, grades, units, tuple(arcs.unread), judgements)


@dataclass(slots=True)
class _Arcs:
    """The edges of a corpus as columns, an arc a row, which grow while edges are read.

    `names` are the numbers of statements, `judged` what panels say of edges, `replaced` by what a
    statement is superseded.
    """

    corpus: Corpus
    settings: Reasoning
    names: Mapping[StatementId, int]
    judged: Mapping[EdgeId, Direction]
    replaced: Mapping[StatementId, StatementId]
    sizes: Sizes
    src: list[int] = field(default_factory=list)
    dst: list[int] = field(default_factory=list)
    w: list[float] = field(default_factory=list)
    gate: list[int] = field(default_factory=list)
    fallen: list[bool] = field(default_factory=list)
    joint: list[int] = field(default_factory=list)
    edges: list[EdgeId] = field(default_factory=list)
    unread: list[UnweighedEdge] = field(default_factory=list)
    gates: int = 0
    reasons: int = -1

    def add(
        self,
        source: int,
        target: int,
        w: float,
        edge: Edge,
        *,
        fallen: bool = False,
        joint: int = NOT_JOINT,
    ) -> None:
        """An arc."""
        self.src.append(source)
        self.dst.append(target)
        self.w.append(w)
        self.fallen.append(fallen)
        self.joint.append(joint)
        self.edges.append(edge.id)

    def skip(self, edge: Edge, why: str) -> None:
        """No arc, as the edge bears on no strength."""
        self.unread.append(UnweighedEdge(edge=edge.id, why=why))

    def size(self, edge: Edge) -> float:
        """How much an edge weighs by what its note says."""
        return self.sizes[edge.relation, edge.strength]

    def add_reason(self, edge: Edge) -> bool:
        """Arcs of an edge that speaks for or against a statement; False if it is none."""
        sign = SIGN.get(edge.relation)
        source, target = (self.names.get(name, -1) for name in (edge.source, edge.target))
        if sign is None or source == target or -1 in (source, target):
            return False
        # what is replaced is silent, also where the other side wrote the contradiction of both
        forth = edge.source not in self.replaced
        back = edge.both_ways and edge.target not in self.replaced
        if not (forth or back):
            return False
        panel = self.judged.get(edge.id)
        w = sign * self.size(edge) if panel is None else self._judged_weight(edge, panel)
        if edge.together:
            self.add_premises(edge, target, w)
            return True
        if forth:
            self.add(source, target, w, edge)
        if back:
            self.add(target, source, w, edge)
        return True

    def _judged_weight(self, edge: Edge, panel: Direction) -> float:
        """What a panel says of an edge, if two or more judged it.

        A single judge's direction keeps the strength that the note gives.
        """
        if panel.judges == 1:
            return panel.value * self.size(edge)
        return panel.value * (
            self.settings.qualifies if edge.relation is Relation.QUALIFIES else 1.0
        )

    def add_premises(self, edge: Edge, target: int, w: float) -> None:
        """Arcs from all premises of an edge, in the order of their ids, as no order is meant; those
        of several count only together.
        """
        numbers = [self.names.get(name, -1) for name in sorted(edge.premises)]
        gone = [name for name in edge.together if name in self.replaced]
        if -1 in numbers:
            self.skip(edge, "one of its premises is not a statement")
        elif gone:
            self.skip(edge, f"its premise {gone[0]} is superseded by {self.replaced[gone[0]]}")
        elif target in numbers:
            self.skip(edge, "a premise says the same as its conclusion")
        else:
            self.reasons += 1
            premises = dict.fromkeys(numbers)
            for premise in premises:
                self.add(
                    premise, target, w, edge, joint=self.reasons if len(premises) > 1 else NOT_JOINT
                )

    def add_cuts(self, cuts: list[Edge], size: int) -> None:
        """Undercuts of read edges, then undercuts of those, until no more can be placed.

        Gates are numbered from `size`, after the statements.
        """
        gates: dict[EdgeId, int] = {}
        placed, waiting = set(self.edges), cuts
        while ready := [edge for edge in waiting if edge.target in placed]:
            for edge in ready:
                gate = gates.setdefault(edge.target, size + len(gates))
                if edge.together:
                    self.add_premises(edge, gate, self.size(edge))
                else:
                    self.add(self.names[edge.source], gate, self.size(edge), edge)
                placed.add(edge.id)
            waiting = [edge for edge in waiting if edge.id not in placed]
        for edge in waiting:
            self.skip(edge, "the edge that it undercuts bears on nothing")
        self.gates = len(gates)
        self.gate = [gates.get(edge, size + len(gates)) for edge in self.edges]

    def why_unread(self, edge: Edge) -> str:
        """Why the edge bears on no strength; empty if it does, or is not meant to."""
        if edge.relation not in READ:
            return ""
        if edge.source not in self.names:
            return "its source is not a statement"
        if edge.together and edge.relation not in LINKABLE:
            return "its relation takes no other premises"
        if edge.source in self.replaced:
            return f"its source is superseded by {self.replaced[edge.source]}"
        if edge.relation is Relation.UNDERCUTS:
            return "" if edge.target in self.corpus.edge else "its target is not an edge"
        if edge.target not in self.names:
            return "its target is not a statement"
        if edge.relation is Relation.SAME_AS:
            same_kind = alike(self.corpus, edge.source, edge.target)
            return "" if same_kind else "a claim and evidence differ"
        return "both ends say the same" * (self.names[edge.source] == self.names[edge.target])


def _arcs_of(
    corpus: Corpus,
    settings: Reasoning,
    names: Mapping[StatementId, int],
    judged: Mapping[EdgeId, Direction],
) -> _Arcs:
    arcs = _Arcs(corpus, settings, names, judged, corpus.derive(superseded), sizes_of(settings))
    cuts: list[Edge] = []
    for edge in corpus.edges:
        if arcs.add_reason(edge):
            continue
        if why := arcs.why_unread(edge):
            arcs.skip(edge, why)
        elif edge.relation is Relation.UNDERCUTS:
            cuts.append(edge)
        elif edge.relation is Relation.DEPENDS_ON:
            # what is needed speaks against what needs it, as far as it falls
            arcs.add(names[edge.target], names[edge.source], -arcs.size(edge), edge, fallen=True)
    arcs.add_cuts(cuts, 1 + max(names.values(), default=-1))
    return arcs


def sizes_of(settings: Reasoning) -> Sizes:
    """How much an edge weighs by what its note says: a relation and how strongly it holds."""
    strengths = {
        None: 1.0,
        EdgeStrength.STRONG: 1.0,
        EdgeStrength.MODERATE: settings.moderate,
        EdgeStrength.WEAK: settings.weak,
    }
    return {
        (relation, strength): size * (settings.qualifies if relation is Relation.QUALIFIES else 1.0)
        for relation in Relation
        for strength, size in strengths.items()
    }


@of_corpus
def strengths(reading: Reading) -> Mapping[StatementId, float | None]:
    """How far the corpus backs each statement, 0 to 1; `None` where nothing stable was found.

    `kg.strengths(corpus)["gap-is-a-matter-of-incentives"]`
    """
    found = reading.solution.strength
    return {name: rounded_or_none(found[node]) for name, node in reading.graph.names.items()}


@of_corpus
def quality(reading: Reading, name: str) -> Grade:
    """The base strength of a statement, every term shown. Raises `UnknownId`.

    `kg.quality(corpus, "collabllm-user-study")`
    """
    return reading.grades[reading.corpus.statement(name).id]
