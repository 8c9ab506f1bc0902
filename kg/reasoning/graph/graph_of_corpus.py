"""The graph of numbers that a corpus is weighed as: statements become nodes, edges arcs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from kg.corpus import Corpus
from kg.corpus.columns import values_of_field
from kg.corpus.independent_sources import independent_sources, unretracted_fractions
from kg.corpus.quality.evidence_quality import qualities_of
from kg.corpus.same_and_superseded import are_of_one_sort, first_of_same, superseded_statements
from kg.judgements.edge_labels import Direction, Judgement, directions_by_edge
from kg.model import LINKABLE, SIDES, Edge, EdgeId, EdgeStrength, Kind, Relation, StatementId, Value
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.graph import NOT_JOINT, Graph, mark_shared, number_source_groups

EdgeWeights: TypeAlias = Mapping[tuple[Relation, EdgeStrength | None], float]
# Those that are arcs. `supersedes` acts by what it leaves out.
WEIGHED_RELATIONS = frozenset({*SIDES, Relation.UNDERCUTS, Relation.DEPENDS_ON, Relation.SAME_AS})


class UnweighedEdge(Value, frozen=True):
    """An edge that bears on no strength, and why."""

    edge: EdgeId
    reason: str


@dataclass(slots=True)
class Arcs:
    """The edges of a corpus as arcs: columns of a `Graph` as lists, since they grow.

    `arc_premise` … `edge_of_arc` are called as in `Graph` and have one row per arc; `gate` is
    filled last, by `add_cuts`. The fields before these are given, and looked up while edges are
    read: `number_of` has the number of each statement, `directions` the direction that a panel
    gives an edge, and `superseders` what supersedes a statement.
    """

    corpus: Corpus
    settings: Reasoning
    number_of: Mapping[StatementId, int]
    directions: Mapping[EdgeId, Direction]
    superseders: Mapping[StatementId, StatementId]
    edge_weights: EdgeWeights
    arc_premise: list[int] = field(default_factory=list)
    arc_target: list[int] = field(default_factory=list)
    arc_weight: list[float] = field(default_factory=list)
    gate: list[int] = field(default_factory=list)
    fallen: list[bool] = field(default_factory=list)
    joint: list[int] = field(default_factory=list)
    edge_of_arc: list[EdgeId] = field(default_factory=list)
    unweighed_edges: list[UnweighedEdge] = field(default_factory=list)
    gate_count: int = 0
    joint_count: int = 0

    def add(
        self,
        premise: int,
        target: int,
        weight: float,
        edge: Edge,
        *,
        fallen: bool = False,
        joint: int = NOT_JOINT,
    ) -> None:
        """Add an arc by which `edge` bears on `target`."""
        self.arc_premise.append(premise)
        self.arc_target.append(target)
        self.arc_weight.append(weight)
        self.fallen.append(fallen)
        self.joint.append(joint)
        self.edge_of_arc.append(edge.id)

    def skip(self, edge: Edge, reason: str) -> None:
        """Record that `edge` has no arc, as it bears on no strength, and why."""
        self.unweighed_edges.append(UnweighedEdge(edge=edge.id, reason=reason))

    def weight_of(self, edge: Edge) -> float:
        """The weight of an edge according to its note."""
        return self.edge_weights[edge.relation, edge.strength]

    def add_reason(self, edge: Edge) -> bool:
        """Add arcs for an edge that speaks for or against a statement; False for any other."""
        side = SIDES.get(edge.relation)
        if side is None:
            return False
        premise = self.number_of.get(edge.origin)
        target = self.number_of.get(edge.target)
        if premise is None or target is None or premise == target:
            return False
        # a superseded statement is silent, even as the target of an edge that holds both ways
        is_forward = edge.origin not in self.superseders
        is_backward = edge.goes_both_ways and edge.target not in self.superseders
        if not (is_forward or is_backward):
            return False
        direction = self.directions.get(edge.id) if self.directions else None
        weight = (
            side * self.weight_of(edge)
            if direction is None
            else self._judged_weight(edge, direction)
        )
        if edge.together:
            self.add_premises(edge, target, weight)
            return True
        if is_forward:
            self.add(premise, target, weight, edge)
        if is_backward:
            self.add(target, premise, weight, edge)
        return True

    def _judged_weight(self, edge: Edge, direction: Direction) -> float:
        """The weight that a panel gives an edge.

        The direction of a single annotator keeps the strength given in the note.
        """
        if direction.annotators == 1:
            return direction.value * self.weight_of(edge)
        return direction.value * (
            self.settings.qualifies if edge.relation is Relation.QUALIFIES else 1.0
        )

    def add_premises(self, edge: Edge, target: int, weight: float) -> None:
        """Add arcs from all premises of an edge, sorted by id as their order has no meaning;
        several premises count only together.
        """
        numbers = [self.number_of.get(name, -1) for name in sorted(edge.premises)]
        superseded_premises = [name for name in edge.together if name in self.superseders]
        if -1 in numbers:
            self.skip(edge, "one of its premises is not a statement")
        elif superseded_premises:
            first = superseded_premises[0]
            self.skip(edge, f"its premise {first} is superseded by {self.superseders[first]}")
        elif target in numbers:
            self.skip(edge, "a premise says the same as its conclusion")
        else:
            premises = dict.fromkeys(numbers)
            joint = self.joint_count if len(premises) > 1 else NOT_JOINT
            self.joint_count += 1
            for premise in premises:
                self.add(premise, target, weight, edge, joint=joint)

    def add_cuts(self, cuts: list[Edge], size: int) -> None:
        """Add undercuts of edges with arcs, then undercuts of those, until no more can be placed.

        Gates are numbered from `size`, after the statements.
        """
        gates: dict[EdgeId, int] = {}
        placed_edges = set(self.edge_of_arc) if cuts else set()
        waiting = cuts
        while ready := [edge for edge in waiting if edge.target in placed_edges]:
            for edge in ready:
                gate = gates.setdefault(edge.target, size + len(gates))
                if edge.together:
                    self.add_premises(edge, gate, self.weight_of(edge))
                else:
                    self.add(self.number_of[edge.origin], gate, self.weight_of(edge), edge)
                placed_edges.add(edge.id)
            waiting = [edge for edge in waiting if edge.id not in placed_edges]
        for edge in waiting:
            self.skip(edge, "the edge that it undercuts bears on nothing")
        self.gate_count = len(gates)
        self.gate = [size + len(gates)] * len(self.edge_of_arc)
        if gates:
            self.gate = [gates.get(edge, size + len(gates)) for edge in self.edge_of_arc]

    def why_unweighed(self, edge: Edge) -> str:
        """Explain why the edge bears on no strength; empty if it does, or is not meant to."""
        if edge.relation not in WEIGHED_RELATIONS:
            return ""
        if edge.origin not in self.number_of:
            return "it does not start from a statement"
        if edge.together and edge.relation not in LINKABLE:
            return "its relation takes no other premises"
        if edge.origin in self.superseders:
            return f"it starts from what is superseded by {self.superseders[edge.origin]}"
        if edge.relation is Relation.UNDERCUTS:
            return "" if edge.target in self.corpus.edges_by_id else "its target is not an edge"
        if edge.target not in self.number_of:
            return "its target is not a statement"
        if edge.relation is Relation.SAME_AS:
            same_kind = are_of_one_sort(self.corpus, edge.origin, edge.target)
            return "" if same_kind else "a claim and evidence cannot be the same"
        if self.number_of[edge.origin] == self.number_of[edge.target]:
            return "both ends say the same"
        return ""


def arcs_of(
    corpus: Corpus,
    settings: Reasoning,
    number_of: Mapping[StatementId, int],
    directions: Mapping[EdgeId, Direction],
) -> Arcs:
    """The arcs of a corpus; `directions` are those that panels give its edges."""
    arcs = Arcs(
        corpus,
        settings,
        number_of,
        directions,
        superseded_statements(corpus),
        edge_weights_of(settings),
    )
    cuts: list[Edge] = []
    for edge in corpus.edges:
        if arcs.add_reason(edge):
            continue
        if why := arcs.why_unweighed(edge):
            arcs.skip(edge, why)
        elif edge.relation is Relation.UNDERCUTS:
            cuts.append(edge)
        elif edge.relation is Relation.DEPENDS_ON:
            # a premise speaks against what depends on it, as far as it has fallen
            arcs.add(
                number_of[edge.target],
                number_of[edge.origin],
                -arcs.weight_of(edge),
                edge,
                fallen=True,
            )
    arcs.add_cuts(cuts, 1 + max(number_of.values(), default=-1))
    return arcs


def edge_weights_of(settings: Reasoning) -> EdgeWeights:
    """The weight of an edge by its relation and the strength given in its note."""
    weight_of_strength = {
        None: 1.0,
        EdgeStrength.STRONG: 1.0,
        EdgeStrength.MODERATE: settings.moderate,
        EdgeStrength.WEAK: settings.weak,
    }
    return {
        (relation, strength): weight
        * (settings.qualifies if relation is Relation.QUALIFIES else 1.0)
        for relation in Relation
        for strength, weight in weight_of_strength.items()
    }


def graph_of_corpus(
    corpus: Corpus, settings: Reasoning, judgements: tuple[Judgement, ...]
) -> tuple[Graph, tuple[UnweighedEdge, ...]]:
    """The graph of a corpus, and the edges without a weight, which are not in it.

    Statements that are declared the same share one node. A panel's judgements replace the weights
    of the edges that they are about.
    """
    same = first_of_same(corpus)
    ids = tuple(name for name in corpus.statements if name not in same)
    numbers = {name: number for number, name in enumerate(ids)}
    number_of = {name: numbers[same.get(name, name)] for name in corpus.statements}
    members: list[list[StatementId]] = [[] for _ in ids]
    for name, node in number_of.items():
        members[node].append(name)
    arcs = arcs_of(corpus, settings, number_of, directions_by_edge(judgements))
    qualities = qualities_of(corpus).values()
    scores = ((quality.base_unretracted, quality.base) for quality in qualities)
    scores_by_name = dict(zip(corpus.statements, scores, strict=True))
    # statements declared the same have the base of the best, retractions aside
    best_scores = [max(scores_by_name[name] for name in same_ids) for same_ids in members]
    kinds = values_of_field(corpus.statements, "kind")
    source_groups = independent_sources(corpus)
    fractions_by_node = (unretracted_fractions(same_ids, source_groups) for same_ids in members)
    source_group_start, source_group_of, source_group_fraction = number_source_groups(
        fractions_by_node
    )
    arc_premise = np.array(arcs.arc_premise, dtype=np.int64)
    arc_target = np.array(arcs.arc_target, dtype=np.int64)
    graph = Graph(
        ids=ids,
        base=np.array([base for _, base in best_scores], dtype=float),
        base_unretracted=np.array([unretracted for unretracted, _ in best_scores], dtype=float),
        is_claim=np.array([kinds[name] is not Kind.EVIDENCE for name in ids], dtype=bool),
        arc_premise=arc_premise,
        arc_target=arc_target,
        arc_weight=np.array(arcs.arc_weight, dtype=float),
        gate=np.array(arcs.gate, dtype=np.int64),
        fallen=np.array(arcs.fallen, dtype=bool),
        edge_of_arc=tuple(arcs.edge_of_arc),
        gate_count=arcs.gate_count,
        source_group_start=source_group_start,
        source_group_of=source_group_of,
        source_group_fraction=source_group_fraction,
        number_of=number_of,
        settings=settings,
        shared=mark_shared(arc_premise, arc_target, source_group_start, source_group_of),
        joint=np.array(arcs.joint, dtype=np.int64),
    )
    return graph, tuple(arcs.unweighed_edges)
