"""Where the corpus is thin: claims that nothing supports, and support that goes in circles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from kg.model import EdgeId, LineId, StatementId, Value
from kg.reasoning.answer import (
    Answer,
    OpenQuestion,
    asked,
    asked_of_all,
    many,
    number,
    open_question,
    tidy,
)
from kg.reasoning.camps import slopes
from kg.reasoning.graph import reached_by_support
from kg.reasoning.independence import dependence_of_all, effective, masses
from kg.reasoning.reading import Question, Reading
from kg.reasoning.scenarios import holding, strength_of
from kg.reasoning.verdict import supported


class Gap(Value, frozen=True, omit_defaults=False):
    """A claim that nothing supports, or that rests on too few sources (`thin`).

    `gain` is how much the answer (of `line`, where asked of all) would rise or fall if the
    claim were certain: how much settling it matters.
    """

    statement: StatementId
    title: str
    kind: Literal["unsupported", "thin"]
    strength: float | None
    effective_sources: float
    gain: float
    line: LineId | None


class Gaps(Answer, frozen=True, kw_only=True):
    """Gaps, those that matter most first.

    `complete` is false where too much is asked to look for thin claims, or to rank all.
    """

    gaps: tuple[Gap, ...]


class Circle(Value, frozen=True, omit_defaults=False):
    """Statements that support each other in a circle, and the edges that close it.

    `grounded` says whether evidence from outside reaches it.
    """

    statements: tuple[StatementId, ...]
    edges: tuple[EdgeId, ...]
    grounded: bool


class Circles(Answer, frozen=True, kw_only=True):
    """Circular support, the largest circle first."""

    circles: tuple[Circle, ...]


def gaps(reading: Reading, name: str | None = None) -> Gaps | OpenQuestion:
    """Gaps in what bears on `name`, or in the whole corpus: there, claims that bear on no
    line's proposition are listed with gain 0, and not looked at for thinness.

    Raises `UnknownId`.
    """
    if name is None:
        return _all_gaps(reading)
    question = reading.question(name)
    if not question.statement:
        return open_question(question)
    found, whole = _gaps_in(question)
    return Gaps(
        sentence=_sentence(found),
        asked=asked(question),
        complete=whole,
        gaps=tuple(_by_gain(found)),
    )


def _all_gaps(reading: Reading) -> Gaps:
    found: dict[StatementId, Gap] = {}
    whole = True
    for line in reading.corpus.lines:
        question = reading.question(line)
        if question.statement:
            here, all_here = _gaps_in(question)
            whole &= all_here
            for gap in here:
                before = found.get(gap.statement)
                if before is None or abs(before.gain) < abs(gap.gain):
                    found[gap.statement] = gap
    graph = reading.graph
    bare = graph.claim & ~reached_by_support(graph, graph.base)
    for node in np.flatnonzero(bare).tolist():
        name = graph.ids[node]
        if name not in found:
            strength = number(reading.solution.strength[node])
            found[name] = _gap(reading, name, "unsupported", strength, 0.0, 0.0, None)
    return Gaps(
        sentence=_sentence(list(found.values())),
        asked=asked_of_all(reading),
        complete=whole,
        gaps=tuple(_by_gain(found.values())),
    )


def _gaps_in(question: Question) -> tuple[list[Gap], bool]:
    graph = question.graph
    backed, everywhere = supported(question), dependence_of_all(question)
    kinds: dict[int, tuple[Literal["unsupported", "thin"], float]] = {}
    for node in question.claims.tolist():
        if not backed[node]:
            kinds[node] = ("unsupported", 0.0)
        elif everywhere is not None:
            signed = masses(question, node, everywhere)[2]
            heavy = effective(np.abs(signed).sum(axis=0))
            if 0.0 < heavy < question.settings.thin_below:
                kinds[node] = ("thin", heavy)
    room = max(question.settings.budget // max(len(graph.src), 1), 16)
    nodes = sorted(kinds, key=lambda i: -abs(float(slopes(question)[i])))[:room]
    risen = holding(graph, nodes, [1.0] * len(nodes), strength_of(question.node))[0]
    found = [
        _gap(
            question.reading,
            graph.ids[node],
            kinds[node][0],
            number(question.strengths[node]),
            kinds[node][1],
            float(after) - question.strength,
            question.line,
        )
        for node, after in zip(nodes, risen.tolist(), strict=True)
    ]
    return found, everywhere is not None and len(nodes) == len(kinds)


def _gap(
    reading: Reading,
    name: StatementId,
    kind: Literal["unsupported", "thin"],
    strength: float | None,
    effective_sources: float,
    gain: float,
    line: LineId | None,
) -> Gap:
    return Gap(
        statement=name,
        title=reading.corpus.statements[name].title,
        kind=kind,
        strength=strength,
        effective_sources=tidy(effective_sources),
        gain=tidy(gain),
        line=line,
    )


def _by_gain(found: Iterable[Gap]) -> list[Gap]:
    return sorted(found, key=lambda gap: (-abs(gap.gain), gap.kind, gap.statement))


def _sentence(found: list[Gap]) -> str:
    if not found:
        return "Every claim here is supported, and by more than one source."
    bare = sum(gap.kind == "unsupported" for gap in found)
    first = _by_gain(found)[0]
    return (
        f"Without support from evidence: {many(bare, 'claim')}; resting on hardly more than one "
        f"source: {len(found) - bare}; the one that matters most is “{first.title}”."
    )


def circles(reading: Reading) -> Circles:
    """Strongly connected parts of the support edges, and self-support, in the whole corpus."""
    graph = reading.graph
    pro = np.flatnonzero((graph.w > 0.0) & (graph.dst < graph.size))
    src, dst = graph.src[pro], graph.dst[pro]
    table = csr_array((np.ones(len(pro), dtype=np.int8), (src, dst)), shape=(graph.size,) * 2)
    _, label = connected_components(table, directed=True, connection="strong")
    closing: defaultdict[int, list[int]] = defaultdict(list)
    for arc in pro[label[src] == label[dst]].tolist():
        closing[int(label[graph.src[arc]])].append(arc)
    backed = reached_by_support(graph, graph.base)
    found = []
    for arcs in closing.values():
        nodes = sorted({int(graph.src[a]) for a in arcs} | {int(graph.dst[a]) for a in arcs})
        found.append(
            Circle(
                statements=tuple(graph.ids[i] for i in nodes),
                edges=tuple(graph.edges[a] for a in arcs),
                grounded=bool(backed[nodes].any()),
            )
        )
    found.sort(key=lambda c: (-len(c.statements), c.statements))
    bare = sum(not circle.grounded for circle in found)
    return Circles(
        sentence=f"{many(len(found), 'circle')} of support, {bare} without evidence from outside.",
        asked=asked_of_all(reading),
        circles=tuple(found),
    )
