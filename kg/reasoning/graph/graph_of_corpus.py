"""The graph of numbers that a corpus is weighed as: statements become nodes, edges arcs."""

from __future__ import annotations

import numpy as np

from kg.corpus import Corpus
from kg.corpus.grades import grades_of
from kg.corpus.independent_sources import independent_sources, unretracted_parts
from kg.corpus.keeping.record_columns import values_of_field
from kg.corpus.same_and_superseded import first_of_same
from kg.judgements.edge_labels import Judgement, directions_by_edge
from kg.model import Kind, StatementId
from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning.graph.arcs import UnweighedEdge, arcs_of
from kg.reasoning.graph.graph import Graph, mark_shared, number_source_groups


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
    scores = ((grade.base_unretracted, grade.base) for grade in corpus.derive(grades_of).values())
    scores_by_name = dict(zip(corpus.statements, scores, strict=True))
    # statements declared the same have the base of the best, retractions aside
    best_scores = [max(scores_by_name[name] for name in group) for group in members]
    kinds = values_of_field(corpus.statements, "kind")
    source_groups = corpus.derive(independent_sources)
    parts_by_node = (unretracted_parts(group, source_groups) for group in members)
    source_group_start, source_group_of, source_group_part = number_source_groups(parts_by_node)
    arc_source = np.array(arcs.arc_source, dtype=np.int64)
    arc_target = np.array(arcs.arc_target, dtype=np.int64)
    graph = Graph(
        ids=ids,
        base=np.array([base for _, base in best_scores], dtype=float),
        base_unretracted=np.array([unretracted for unretracted, _ in best_scores], dtype=float),
        claim=np.array([kinds[name] is not Kind.EVIDENCE for name in ids], dtype=bool),
        arc_source=arc_source,
        arc_target=arc_target,
        arc_weight=np.array(arcs.arc_weight, dtype=float),
        gate=np.array(arcs.gate, dtype=np.int64),
        fallen=np.array(arcs.fallen, dtype=bool),
        edges=tuple(arcs.edges),
        gate_count=arcs.gate_count,
        source_group_start=source_group_start,
        source_group_of=source_group_of,
        source_group_part=source_group_part,
        number_of=number_of,
        settings=settings,
        shared=mark_shared(arc_source, arc_target, source_group_start, source_group_of),
        joint=np.array(arcs.joint, dtype=np.int64),
    )
    return graph, tuple(arcs.unweighed_edges)
