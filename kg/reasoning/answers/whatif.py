"""What if: the answers with statements muted, held or re-based, and edges re-weighed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kg.corpus import UnknownId
from kg.model import EdgeId
from kg.model.spelling import nearest
from kg.reasoning.answers.scenario_diff import (
    Change,
    Turn,
    changes,
    turning,
    turns,
    with_same,
    world,
)
from kg.reasoning.answers.study import NewStudy, added_to, read_study, with_studies
from kg.reasoning.arrays import Floats
from kg.reasoning.network.graph import Graph
from kg.reasoning.report import Answer, asked_of_all, joined, many
from kg.reasoning.session import Reading
from kg.reasoning.solver.scenarios import muted


class WhatIf(Answer, frozen=True, kw_only=True):
    """How the answers move under a supposition.

    `changes` are the statements whose strength moves, the farthest first; `verdicts` the
    lines whose word or side changes.
    """

    supposed: tuple[str, ...]
    changes: tuple[Change, ...]
    verdicts: tuple[Turn, ...]


def whatif(
    reading: Reading,
    *,
    mute: Iterable[str] = (),
    fix: Mapping[str, float] | None = None,
    base: Mapping[str, float] | None = None,
    w: Mapping[EdgeId, float] | None = None,
    add: Iterable[str] = (),
) -> WhatIf:
    """How the answers move if statements are muted, held at a strength, given another base (0 to
    1), edges another weight (-1 to 1), or studies are added that do not exist yet
    (`add=["experiment, n=400, peer reviewed, supports ID"]`); no note is touched.

    A muted statement passes nothing on, as if its note were deleted. But what it supersedes stays
    replaced, sources that its `independence` keys join stay joined, and statements that are the
    same as it are muted with it.

    Raises `UnknownId` for names that nothing carries, `ValueError` for numbers out of range and
    for what describes no study.
    """
    add = (add,) if isinstance(add, str) else add
    studies = [read_study(words, reading) for words in add]
    muting = [reading.corpus.statement(name).id for name in mute]
    fixing = {reading.corpus.statement(k).id: v for k, v in (fix or {}).items()}
    basing = {reading.corpus.statement(k).id: v for k, v in (base or {}).items()}
    weights = dict(w or {})
    _check([*fixing.values(), *basing.values()], weights, reading)
    graph = reading.graph
    other = graph.having(base=_rebased(graph, basing), w=_reweighed(graph, weights))
    if muting:
        other = muted(other, np.array([graph.names[name] for name in muting]))
    other, before = _with(other, studies), world(_unheard(graph, studies))
    after = world(other, fixed={graph.names[k]: v for k, v in fixing.items()})
    moved = tuple(changes(reading, before, after))
    verdicts = tuple(turns(reading, before, after))
    supposed = (
        *(f"{with_same(reading, name)} is muted" for name in muting),
        *(f"{with_same(reading, name)} stands at {value:g}" for name, value in fixing.items()),
        *(f"{with_same(reading, name)} starts from {value:g}" for name, value in basing.items()),
        *(f"{edge} weighs {value:g}" for edge, value in weights.items()),
        *(f"{study} {study.relation} {study.target}" for study in studies),
    )
    silent = [name for name in dict.fromkeys((*muting, *fixing, *basing)) if _silent(graph, name)]
    return WhatIf(
        sentence=_sentence(supposed, moved, verdicts, silent),
        asked=asked_of_all(reading),
        supposed=supposed,
        changes=moved,
        verdicts=verdicts,
    )


def _silent(graph: Graph, name: str) -> bool:
    """Whether all that a piece of evidence could speak for is retracted."""
    node = graph.names[name]
    parts = graph.unit_part[graph.unit_start[node] : graph.unit_start[node + 1]]
    return graph.settings.routed and not graph.claim[node] and not parts.any()


def _with(graph: Graph, studies: Sequence[NewStudy]) -> Graph:
    if not studies:
        return graph
    return with_studies(graph, [added_to(graph, study) for study in studies])


def _unheard(graph: Graph, studies: Sequence[NewStudy]) -> Graph:
    """The graph as it is; with studies, numbered as it will be with them."""
    new = np.arange(graph.size, graph.size + len(studies))
    return muted(_with(graph, studies), new) if studies else graph


def _check(strengths: Iterable[float], weights: Mapping[EdgeId, float], reading: Reading) -> None:
    for value in strengths:
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{value} is not a strength from 0 to 1")
    known = frozenset(reading.graph.edges)
    for edge, weight in weights.items():
        if edge not in known:
            raise UnknownId(edge, nearest(edge, known), "weighed edge")
        if not -1.0 <= weight <= 1.0:
            raise ValueError(f"{weight} is not a weight from -1 to 1")


def _rebased(graph: Graph, basing: Mapping[str, float]) -> Floats:
    base = graph.base.copy()
    for name, value in basing.items():
        base[graph.names[name]] = value
    return base


def _reweighed(graph: Graph, weights: Mapping[EdgeId, float]) -> Floats:
    w = graph.w.copy()
    for arc, edge in enumerate(graph.edges):
        w[arc] = weights.get(edge, w[arc])
    return w


def _sentence(
    supposed: tuple[str, ...],
    moved: tuple[Change, ...],
    verdicts: tuple[Turn, ...],
    silent: Sequence[str],
) -> str:
    if not supposed:
        return "Nothing is supposed, so nothing moves."
    said = (
        f"If {' and '.join(supposed)}, {many(len(moved), 'statement')} would move, "
        f"and {turning(verdicts)}."
    )
    if not silent:
        return said
    one = len(silent) == 1
    return (
        f"{said} {joined(silent)} {'is' if one else 'are'} retracted, so "
        f"{'it passes' if one else 'they pass'} nothing on, whatever is supposed of "
        f"{'it' if one else 'them'}."
    )
