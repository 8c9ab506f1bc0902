"""An answer without each independent source in turn, and what each adds to it, in nats."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from kg.corpus.independent_sources import IndependentSources
from kg.model import StatementId
from kg.reasoning.default_rule.strengths_by_voices import voices_of
from kg.reasoning.graph.arrays import ROUNDING, Floats, Ints, bounded_logit, positions_in_runs
from kg.reasoning.graph.graph import Graph
from kg.reasoning.losses.source_groups import (
    bases_without_source_groups,
    evidence_by_source_group,
    source_group_fractions_without,
    source_group_numbers,
)
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import arc_shares_of, slopes_of
from kg.reasoning.scenarios import (
    Watch,
    keep_outcome,
    keep_strengths,
    mute_nodes,
    run_rebased,
    stack_watches,
)
from kg.runtime.memoize import memoize

FEWEST_LOSSES_TRIED = 16  # whatever the budget: the heaviest make up most of any answer
MAX_TABLE_CELLS = 20_000_000  # numbers of 8 bytes each: 160 MB


@dataclass(frozen=True, slots=True)
class SourceLosses:
    """The losses of source groups: their names, their evidence, and strengths (`rows` × source
    groups) without each.

    `complete` is false if only the source groups likely to matter most were tried. `outcome`
    (3 × source groups) is that of `keep_outcome` without each, if a statement is asked about.
    """

    source_groups: tuple[str, ...]
    evidence: tuple[Ints, ...]
    rows: Ints
    strengths_without: Floats
    complete: bool
    outcome: Floats = field(default_factory=lambda: np.zeros((3, 0)))

    def strengths_of(self, nodes: Ints) -> Floats:
        """Strengths of `nodes`, all of which must be among the rows."""
        return np.asarray(self.strengths_without[np.searchsorted(self.rows, nodes)])


def run_losses(
    question: Question,
    losses: Sequence[Sequence[str]],
    watch: Watch,
    graph: Graph | None = None,
) -> Floats:
    """Return what `watch` keeps when a group of source groups is lost, one column for each of
    `losses`. They are lost in the graph of the question, or in `graph`, which differs in its
    settings alone.
    """
    return run_rebased(
        graph or question.graph,
        [bases_without_source_groups(question, source_groups) for source_groups in losses],
        watch,
        [source_group_fractions_without(question, source_groups) for source_groups in losses],
    )


@memoize
def losses_by_source(question: Question) -> SourceLosses:
    """The statement asked about, and its direct reasons, without each independent source in turn.

    A piece of evidence that rests on k sources loses a k-th of its base with each.
    """
    direct = question.graph.arc_premise[question.graph.arcs_bearing_on(question.node)]
    rows = np.unique(np.append(direct, question.node))
    watch = stack_watches(keep_outcome(question.node), keep_strengths(rows))
    watched = _loss_of_each(question, rows, watch)
    # the watches are stacked: three rows of the outcome, then one for each strength
    return replace(
        watched,
        outcome=watched.strengths_without[:3],
        strengths_without=watched.strengths_without[3:],
    )


@memoize
def losses_by_source_of_all_statements(question: Question) -> SourceLosses | None:
    """Weigh every statement without each independent source in turn; None if the table is too
    large.
    """
    if question.graph.size * len(evidence_by_source_group(question)) > MAX_TABLE_CELLS:
        return None
    statements = np.arange(question.graph.size)
    losses = _loss_of_each(question, statements, keep_strengths(statements))
    return losses if losses.complete else None


def heaviest_first(question: Question, losses: Sequence[Ints]) -> list[int]:
    """Numbers of losses of evidence, those likely to cost the answer most first.

    Roughly, it loses its slope by the evidence, times the strength of that.
    """
    weight = np.abs(slopes_of(question)) * question.strengths
    return sorted(range(len(losses)), key=lambda k: -float(weight[losses[k]].sum()))


def _loss_of_each(question: Question, rows: Ints, watch: Watch) -> SourceLosses:
    """The losses of all source groups or, with too many, of the heaviest; rows × groups."""
    members = evidence_by_source_group(question)
    source_groups = list(members)
    room = max(question.affordable(), FEWEST_LOSSES_TRIED)
    if len(source_groups) > room:
        source_groups.sort()  # names decide between equals
        order = heaviest_first(question, [members[source_group] for source_group in source_groups])
        source_groups = [source_groups[k] for k in order[:room]]
    strengths_without = run_losses(
        question, [[source_group] for source_group in source_groups], watch
    )
    evidence = tuple(members[source_group] for source_group in source_groups)
    return SourceLosses(
        tuple(source_groups), evidence, rows, strengths_without, len(source_groups) == len(members)
    )


def _fractions_lost_by_source(question: Question, nodes: Ints, losses: SourceLosses) -> Floats:
    """The fraction (nodes × source groups) of what each of `nodes` passes on that is lost without a
    source group.
    """
    graph = question.graph
    current_nats = nats_passed_on(graph, nodes, question.strengths[nodes][:, None])
    nats_without = nats_passed_on(graph, nodes, losses.strengths_of(nodes))
    with np.errstate(invalid="ignore", divide="ignore"):
        fraction = np.where(current_nats > 0.0, (current_nats - nats_without) / current_nats, 0.0)
    return np.asarray(np.clip(fraction, 0.0, 1.0))


def nats_passed_on(graph: Graph, nodes: Ints, strengths: Floats) -> Floats:
    """Return what statements of given strengths (nodes × cases) pass on, up to a factor for
    each.
    """
    # if sources are followed, a claim of strength s passes on about ln(s / (1 − s)) in all
    if graph.settings.follows_routes:
        argued = np.maximum(bounded_logit(strengths), 0.0)
        return np.where(graph.is_claim[nodes][:, None], argued, strengths)
    return np.maximum(strengths - graph.passing_threshold[nodes][:, None], 0.0)


def contributions_by_source(
    question: Question, node: int, losses: SourceLosses
) -> tuple[Floats, Floats]:
    """Return what each source group adds to `node`, in nats for it and against it."""
    signed = contributions_by_arc_and_source(question, node, losses)
    return np.maximum(signed, 0.0).sum(axis=0), np.maximum(-signed, 0.0).sum(axis=0)


def contributions_by_arc_and_source(question: Question, node: int, losses: SourceLosses) -> Floats:
    """Return what each source group adds to `node` by each direct arc (arcs × source groups),
    negative if against. If sources are not followed, what the reasons lose without the source group
    is used instead.
    """
    if not question.settings.follows_routes:
        return shares_lost_by_source(question, node, losses)
    graph = question.graph
    voices = voices_of(question.graph)
    number = source_group_numbers(question)
    column_of = {
        number[source_group]: column for column, source_group in enumerate(losses.source_groups)
    }
    row = {arc: number for number, arc in enumerate(graph.arcs_bearing_on(node).tolist())}
    nats = np.zeros((len(row), len(losses.source_groups)))
    for voice in np.flatnonzero(graph.arc_target[voices.arc] == node).tolist():
        column = column_of.get(int(voices.source_group[voice]))
        if column is not None:
            nats[row[int(voices.arc[voice])], column] += voices.nats[voice]
    return nats


def shares_lost_by_source(question: Question, node: int, losses: SourceLosses) -> Floats:
    """What the shares of the direct arcs to `node` lose with each source group (arcs × source
    groups).
    """
    arcs = question.graph.arcs_bearing_on(node)
    lost = _fractions_lost_by_source(question, question.graph.arc_premise[arcs], losses)
    return np.asarray(arc_shares_of(question)[arcs, None] * lost)


def count_contributing_sources(graph: Graph) -> list[int]:
    """Count the independent sources that add something to each node; 0 if sources are not
    followed.
    """
    if not graph.settings.follows_routes:
        return [0] * graph.node_count
    voices = voices_of(graph)
    targets = graph.arc_target[voices.arc].astype(np.int64)
    width = int(voices.source_group.max(initial=0)) + 1
    # what premises that fall add is no source's
    nats_of_sources = np.abs(voices.nats) * np.isin(voices.source_group, graph.source_group_of)
    pairs, place = np.unique(targets * width + voices.source_group, return_inverse=True)
    nats = np.bincount(place, nats_of_sources, len(pairs))
    counted_targets = pairs[nats > ROUNDING] // width
    return np.bincount(counted_targets, minlength=graph.node_count).tolist()  # type: ignore[no-any-return]


def has_dependencies(question: Question) -> bool:
    """Return whether what is asked about depends on other statements."""
    return bool(question.graph.fallen[question.graph.arcs_bearing_on(question.node)].any())


def question_without_source(question: Question, source_group: str) -> Question:
    """The question as if all works of a source group were retracted; what they supersede stays so.

    Its strength is that of `losses_by_source`.
    """
    groups_left = _source_groups_without(question, source_group)
    reading = replace(question.reading, changed_source_groups=groups_left)
    if has_dependencies(question):
        # a claim on which it depends is asked about by itself, in the graph of the whole corpus
        whole_graph = _graph_without_source(question.reading.corpus_question, source_group)
        reading = replace(reading, graph=whole_graph)
    return question.with_graph(reading, _graph_without_source(question, source_group))


def question_without_evidence(question: Question, nodes: Ints) -> Question:
    """The question with some evidence muted; what it supersedes stays so."""
    reading = replace(question.reading)
    if has_dependencies(question):
        whole_graph = mute_nodes(reading.graph, question.numbers[nodes])
        reading = replace(reading, graph=whole_graph)
    graph = question.graph
    if _speaks_only_for_itself(graph, nodes):
        # the same as muted, and the plan of the graph still serves
        return question.with_graph(reading, _graph_with_base_of_zero(graph, nodes))
    return question.with_graph(reading, mute_nodes(graph, nodes))


def _graph_without_source(question: Question, source_group: str) -> Graph:
    graph = question.graph
    base, fraction = graph.base.copy(), graph.source_group_fraction.copy()
    nodes, bases = bases_without_source_groups(question, [source_group])
    positions, fractions = source_group_fractions_without(question, [source_group])
    base[nodes], fraction[positions] = bases, fractions
    return graph.with_values(base=base, source_group_fraction=fraction)


def _speaks_only_for_itself(graph: Graph, nodes: Ints) -> bool:
    """Return whether nothing bears on some evidence, and nothing falls with it."""
    return (
        not np.isin(graph.arc_target, nodes).any()
        and not np.isin(graph.arc_premise[graph.fallen], nodes).any()
    )


def _graph_with_base_of_zero(graph: Graph, nodes: Ints) -> Graph:
    base, fraction = graph.base.copy(), graph.source_group_fraction.copy()
    base[nodes] = 0.0
    fraction[positions_in_runs(graph.source_group_start, nodes)] = 0.0
    return graph.with_values(base=base, source_group_fraction=fraction)


def _source_groups_without(question: Question, source_group: str) -> IndependentSources:
    """Return what counts as one source, with nothing left of `source_group`."""
    source_groups = question.reading.source_groups
    nodes = evidence_by_source_group(question)[source_group].tolist()
    fractions_left: dict[StatementId, Mapping[str, float]] = {}
    for name in (name for node in nodes for name in question.graph.ids_of[node]):
        fractions = {
            each: fraction
            for each, fraction in source_groups.fractions_left.get(name, {}).items()
            if each != source_group
        }
        total = sum(fractions.values())
        fractions_left[name] = {each: fraction / total for each, fraction in fractions.items()}
    # a chain writes to its first mapping alone
    unchanged = cast("dict[StatementId, Mapping[str, float]]", source_groups.fractions_left)
    return replace(source_groups, fractions_left=ChainMap(fractions_left, unchanged))
