"""All answers under a supposition: statements muted, held or re-based, edges re-weighed, studies
added.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from numbers import Real

import numpy as np

from kg.corpus import UnknownId
from kg.corpus.independent_sources import newest_year
from kg.model import EdgeId, StatementId
from kg.model.errors import require_type
from kg.reasoning.asked_question import asked_about_corpus
from kg.reasoning.default_rule.appended_nodes import with_appended_nodes
from kg.reasoning.graph.graph import Graph
from kg.reasoning.hypothetical_study import NewStudy, parse_study, place_study
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.scenarios import mute_nodes
from kg.reasoning.sensitivity.changed_readings import (
    RESTORED,
    statement_with_same,
    statements_no_longer_superseded,
    without_supersession_and_keys,
)
from kg.reasoning.sensitivity.supposition_effects import (
    StrengthChange,
    VerdictChange,
    change_table,
    count_changes,
    describe_verdict_changes,
    solved_scenario,
    strength_changes,
    verdict_change_table,
    verdict_changes,
)
from kg.reasoning.sureness import sureness_of
from kg.reasoning.weighed_answer import WeighedAnswer
from kg.reporting.report import Report, list_names
from kg.text.plurals import join_with_and
from kg.text.spelling import similar_names


class WhatIf(WeighedAnswer, frozen=True, kw_only=True):
    """The changes of the answers under a supposition.

    `changes` are the statements whose strength moves, the farthest first; `verdicts` the
    lines whose word or side changes, with the word in full unless a strength is held or a study
    added: then it may be less sure. `restored` are statements that count again, as what
    superseded them is muted.
    """

    supposed: tuple[str, ...]
    restored: tuple[StatementId, ...]
    changes: tuple[StrengthChange, ...]
    verdicts: tuple[VerdictChange, ...]

    def report(self) -> Report:
        return self.as_report(
            {},
            *list_names("supposed", self.supposed),
            *list_names(RESTORED, self.restored),
            change_table("changes", self.changes),
            verdict_change_table(self.verdicts),
        )


def _as_texts(names: str | Iterable[str]) -> tuple[str, ...]:
    require_type(names, Iterable, "mute and add take a text, or several")
    texts = (names,) if isinstance(names, str) else tuple(names)
    for text in texts:
        require_type(text, str, "mute and add take texts")
    return texts


def _checked_numbers(mapping: Mapping[str, float] | None) -> dict[str, float]:
    if mapping is not None:
        require_type(mapping, Mapping, "hold, base and weights take a mapping of ids to numbers")
    for number in (mapping or {}).values():
        require_type(number, Real, "a strength or a weight is a number")
    return dict(mapping or {})


@dataclass(frozen=True, kw_only=True)
class _Supposition:
    """What is supposed, with ids instead of names."""

    muted_ids: Sequence[StatementId]
    held_strengths: Mapping[StatementId, float]
    bases: Mapping[StatementId, float]
    weights: Mapping[EdgeId, float]
    studies: Sequence[NewStudy]
    since: int | None

    def require_in_range(self, graph: Graph) -> None:
        for value in (*self.held_strengths.values(), *self.bases.values()):
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"{value} is not a strength from 0 to 1")
        edge_ids = frozenset(graph.edge_of_arc)
        for edge, weight in self.weights.items():
            if edge not in edge_ids:
                raise UnknownId(edge, similar_names(edge, edge_ids), "weighed edge")
            if not -1.0 <= weight <= 1.0:
                raise ValueError(f"{weight} is not a weight from -1 to 1")

    def with_values(self, graph: Graph) -> Graph:
        """`graph` with the other bases of statements, and the other weights of edges."""
        base = graph.base.copy()
        for id, value in self.bases.items():
            base[graph.number_of[id]] = value
        weight_by_arc = zip(graph.edge_of_arc, graph.arc_weight.tolist(), strict=True)
        arc_weight = np.array([self.weights.get(edge, weight) for edge, weight in weight_by_arc])
        return graph.with_values(base=base, arc_weight=arc_weight)

    def with_studies(self, graph: Graph) -> Graph:
        if not self.studies:
            return graph
        return with_appended_nodes(graph, [place_study(graph, study) for study in self.studies])

    def with_muted_studies(self, graph: Graph) -> Graph:
        """The graph without the studies, but numbered as if they were in it."""
        new_nodes = np.arange(graph.size, graph.size + len(self.studies))
        return mute_nodes(self.with_studies(graph), new_nodes) if self.studies else graph

    def clauses(self, reading: Reading) -> tuple[str, ...]:
        """What is supposed, a clause each."""
        name_of = partial(statement_with_same, reading)
        since = self.since
        return (
            *(f"{name_of(id)} is muted" for id in self.muted_ids),
            *(() if since is None else (f"only what was published since {since} counts",)),
            *(f"{name_of(id)} stands at {x:g}" for id, x in self.held_strengths.items()),
            *(f"{name_of(id)} starts from {x:g}" for id, x in self.bases.items()),
            *(f"{edge} weighs {weight:g}" for edge, weight in self.weights.items()),
            *(f"{study} {study.relation} {study.target}" for study in self.studies),
        )


@accepts_corpus
def whatif(
    reading: Reading,
    *,
    mute: str | Iterable[str] = (),
    hold: Mapping[str, float] | None = None,
    base: Mapping[str, float] | None = None,
    weights: Mapping[EdgeId, float] | None = None,
    add: str | Iterable[str] = (),
    since: int | None = None,
) -> WhatIf:
    """Weigh all answers again under a supposition; no note is changed.

    Statements may be held at a strength or given another base (0 to 1), edges another weight (-1 to
    1), and studies added (`add=["experiment, n=400, peer reviewed, supports ID"]`). `since` a year
    leaves out evidence without a work of that year or later. A statement that is muted, with those
    declared the same, counts as if it were deleted: it passes nothing on, what it superseded counts
    again, and its `independence` keys join nothing.

    Raises `UnknownId` for unknown names, and `ValueError` for numbers out of range and for a
    study that cannot be read.

    `corpus.whatif(mute="gap-is-a-matter-of-incentives")`
    """
    supposition = _Supposition(
        studies=[parse_study(words, reading) for words in _as_texts(add)],
        muted_ids=[reading.corpus.statement(name).id for name in _as_texts(mute)],
        held_strengths=_numbers_by_id(reading, hold),
        bases=_numbers_by_id(reading, base),
        weights=_checked_numbers(weights),
        since=since,
    )
    return _weigh_under(reading, supposition)


def _weigh_under(reading: Reading, supposition: _Supposition) -> WhatIf:
    muted_ids = [*supposition.muted_ids, *_evidence_before(reading, supposition.since)]
    # read again, since what a muted statement superseded counts again and its keys join nothing
    unjoined_reading = without_supersession_and_keys(reading, muted_ids)
    graph = unjoined_reading.graph
    supposition.require_in_range(graph)
    changed_graph = _mute_statements(supposition.with_values(graph), muted_ids)
    # compared with the corpus as it is, in a graph of the same numbers
    scenario_before = solved_scenario(supposition.with_muted_studies(reading.graph))
    held_nodes = {graph.number_of[id]: x for id, x in supposition.held_strengths.items()}
    scenario_after = solved_scenario(supposition.with_studies(changed_graph), hold=held_nodes)
    changes = tuple(strength_changes(reading, scenario_before, scenario_after))
    is_in_reading = not held_nodes and not supposition.studies  # trials need a reading of it
    reading_after = replace(unjoined_reading, graph=changed_graph) if is_in_reading else None
    verdicts = tuple(
        verdict_changes(reading, scenario_before, scenario_after, sureness_of, reading_after)
    )
    supposed = supposition.clauses(reading)
    restored = statements_no_longer_superseded(reading, unjoined_reading)
    named_ids = (*muted_ids, *supposition.held_strengths, *supposition.bases)
    retracted_ids = _fully_retracted(graph, named_ids)
    return WhatIf(
        sentence=_whatif_sentence(supposed, restored, changes, verdicts, retracted_ids),
        asked=asked_about_corpus(reading),
        supposed=supposed,
        restored=restored,
        changes=changes,
        verdicts=verdicts,
    )


def _mute_statements(graph: Graph, ids: Sequence[StatementId]) -> Graph:
    return mute_nodes(graph, np.array([graph.number_of[id] for id in ids])) if ids else graph


def _numbers_by_id(
    reading: Reading, numbers: Mapping[str, float] | None
) -> dict[StatementId, float]:
    checked_numbers = _checked_numbers(numbers)
    return {reading.corpus.statement(name).id: x for name, x in checked_numbers.items()}


def _evidence_before(reading: Reading, year: int | None) -> list[StatementId]:
    """The evidence with no work of that year or later, nor one that says the same."""
    if year is None:
        return []
    require_type(year, int, "since takes a year")
    corpus, number_of = reading.corpus, reading.graph.number_of
    ids = [each.id for each in corpus.evidence]
    recent_nodes = {number_of[id] for id in ids if (newest_year(corpus, id) or -inf) >= year}
    return [id for id in ids if number_of[id] not in recent_nodes]


def _fully_retracted(graph: Graph, names: Iterable[StatementId]) -> list[StatementId]:
    """The evidence among `names` that passes nothing on, as all its sources are retracted."""
    if not graph.settings.follows_routes:
        return []
    retracted_names = []
    for name in names:
        node = graph.number_of[name]
        first, end = graph.source_group_start[node : node + 2]
        if not graph.source_group_fraction[first:end].any():
            retracted_names.append(name)
    return retracted_names


def _whatif_sentence(
    supposed: tuple[str, ...],
    restored: Sequence[StatementId],
    changes: tuple[StrengthChange, ...],
    verdicts: tuple[VerdictChange, ...],
    retracted_ids: Sequence[str],
) -> str:
    if not supposed:
        return "Nothing is supposed, so nothing moves."
    restored_text = (
        f"so that {join_with_and(restored)} {'counts' if len(restored) == 1 else 'count'} again, "
    )
    sentence = (
        f"If {' and '.join(supposed)}, {restored_text if restored else ''}"
        f"{count_changes(changes)} would move, and {describe_verdict_changes(verdicts)}."
    )
    if not retracted_ids:
        return sentence
    is_one = len(retracted_ids) == 1
    return (
        f"{sentence} {join_with_and(retracted_ids)} {'is' if is_one else 'are'} retracted, so "
        f"{'it passes' if is_one else 'they pass'} nothing on, whatever is supposed of "
        f"{'it' if is_one else 'them'}."
    )
