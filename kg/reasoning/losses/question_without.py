"""The question that is left when an independent source or a piece of evidence is lost."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from kg.corpus.independent_sources import IndependentSources
from kg.model import StatementId
from kg.reasoning.graph.arrays import Ints, positions_in_runs
from kg.reasoning.graph.graph import Graph
from kg.reasoning.losses.source_groups import (
    bases_without_source_groups,
    evidence_by_source_group,
    source_group_parts_without,
)
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import mute_nodes


def has_premises(question: Question) -> bool:
    """Whether what is asked about depends on other statements."""
    return bool(question.graph.fallen[question.graph.arcs_bearing_on(question.node)].any())


def question_without_source(question: Question, source_group: str) -> Question:
    """The question as if all works of a source group were retracted; what they supersede stays so.

    Its strength is that of `losses_by_source`.
    """
    reading = replace(
        question.reading, source_groups=_source_groups_without(question, source_group)
    )
    if has_premises(question):
        # a claim on which it depends is asked about by itself, in the graph of the whole corpus
        whole_graph = _graph_without_source(question.reading.corpus_question, source_group)
        reading = replace(reading, graph=whole_graph)
    return question.with_graph(reading, _graph_without_source(question, source_group))


def question_without_evidence(question: Question, nodes: Ints) -> Question:
    """The question with some evidence muted; what it supersedes stays so."""
    reading = replace(question.reading)
    if has_premises(question):
        whole_graph = mute_nodes(reading.graph, question.numbers[nodes])
        reading = replace(reading, graph=whole_graph)
    graph = question.graph
    if _speaks_only_for_itself(graph, nodes):
        # the same as muted, and the plan of the graph still serves
        return question.with_graph(reading, _graph_with_base_of_zero(graph, nodes))
    return question.with_graph(reading, mute_nodes(graph, nodes))


def _graph_without_source(question: Question, source_group: str) -> Graph:
    graph = question.graph
    base, part = graph.base.copy(), graph.source_group_part.copy()
    nodes, bases = bases_without_source_groups(question, [source_group])
    positions, parts = source_group_parts_without(question, [source_group])
    base[nodes], part[positions] = bases, parts
    return graph.with_values(base=base, source_group_part=part)


def _speaks_only_for_itself(graph: Graph, nodes: Ints) -> bool:
    """Whether nothing bears on some evidence, and nothing falls with it."""
    return (
        not np.isin(graph.arc_target, nodes).any()
        and not np.isin(graph.arc_source[graph.fallen], nodes).any()
    )


def _graph_with_base_of_zero(graph: Graph, nodes: Ints) -> Graph:
    base, part = graph.base.copy(), graph.source_group_part.copy()
    base[nodes] = 0.0
    part[positions_in_runs(graph.source_group_start, nodes)] = 0.0
    return graph.with_values(base=base, source_group_part=part)


def _source_groups_without(question: Question, source_group: str) -> IndependentSources:
    """What counts as one source, with nothing left of `source_group`."""
    source_groups = question.reading.source_groups
    nodes = evidence_by_source_group(question)[source_group].tolist()
    parts_left: dict[StatementId, Mapping[str, float]] = {}
    for name in (name for node in nodes for name in question.graph.ids_of[node]):
        parts = {
            group: part
            for group, part in source_groups.parts_left.get(name, {}).items()
            if group != source_group
        }
        total = sum(parts.values())
        parts_left[name] = {group: part / total for group, part in parts.items()}
    # a chain writes to its first mapping alone
    unchanged = cast("dict[StatementId, Mapping[str, float]]", source_groups.parts_left)
    return replace(source_groups, parts_left=ChainMap(parts_left, unchanged))
