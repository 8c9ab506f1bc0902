"""Hypothetical studies: described in words, graded, and added to a graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kg.corpus import UnknownId
from kg.model import (
    SIDES,
    EdgeStrength,
    Kind,
    Relation,
    SampleClass,
    Span,
    Statement,
    StatementId,
    Value,
)
from kg.model.errors import KgError
from kg.model.figures import sample_class_of
from kg.model.grade import grade_evidence
from kg.notes.frontmatter.figure_syntax import parse_effect, parse_p
from kg.reasoning.graph.graph import NOT_JOINT, Graph, SolverPlans, mark_shared
from kg.reasoning.graph.graph_of_corpus import edge_weights_of
from kg.reasoning.reading import Reading

EXAMPLES = (
    "experiment, n=400, effect d=0.4, peer reviewed, supports ID",
    "survey, n=90 teachers, p=.03, weak, contradicts ID",
    "quality=.8, qualifies ID",
)
# `weak supports ID` without a comma; commas within brackets or parentheses do not separate
_BARE = re.compile(rf"(?<![,;\s])\s+(?=(?:{'|'.join(SIDES)})\s)")
_BETWEEN = re.compile(r",(?![^\[(]*[\])])")
_SAMPLE = re.compile(r"n\s*=\s*(\d{1,12})(?:\s+(\S.*))?", re.IGNORECASE)
_QUALITY = re.compile(r"quality\s*=\s*(\d*\.?\d+)", re.IGNORECASE)
_P_VALUE = re.compile(r"p\s*([<>=].*)", re.IGNORECASE)
_EFFECT = re.compile(r"effect\s*(?:=|:|\s)\s*(\S.*)", re.IGNORECASE)
_TARGET_RELATION = re.compile(rf"({'|'.join(SIDES)})\s+(\S+)", re.IGNORECASE)
_FLAGS = {"peer-reviewed": "peer_reviewed", "preregistered": "preregistered"}
_NAME = "new study"


class UnreadableStudy(KgError, ValueError):
    """A description of a study cannot be read; the message says why, and gives examples."""

    def __init__(self, problem: str) -> None:
        examples = "\n".join(f"  {each}" for each in EXAMPLES)
        super().__init__(f"{problem}; a study is described like this:\n{examples}")


class NewStudy(Value, frozen=True):
    """A hypothetical study: its base strength, and how it would bear on `target`."""

    words: str
    target: StatementId
    relation: Relation
    quality: float
    strength: EdgeStrength | None = None

    def __str__(self) -> str:
        return f"a new study ({self.words}: quality {self.quality:.2f})"


def parse_study(words: str, reading: Reading) -> NewStudy:
    """The study that `words` describe: `experiment, n=400, peer reviewed, supports ID`.

    In any order a method, `n=` with what was counted (people, if nothing is said), `p=`,
    `effect`, `peer reviewed`, `preregistered`, or a `quality=`; how strongly it bears (`weak`,
    `moderate`, `strong`); and what it supports, contradicts or qualifies: a statement, or a line,
    whose proposition is meant. Graded as evidence of one's own is. Raises `UnreadableStudy` for
    what cannot be read, `UnknownId`.
    """
    fields: dict[str, Any] = {}
    words = _BARE.sub(", ", words)
    for part in _BETWEEN.split(words):
        for key, value in _parse_part(part.strip(), reading).items():
            if key in fields:
                raise UnreadableStudy(f"{words!r} gives its {key} twice")
            fields[key] = value
    if "relation" not in fields:
        raise UnreadableStudy(f"{words!r} does not say what it supports or contradicts")
    relation, target = fields.pop("relation")
    strength = fields.pop("strength", None)
    for key, names in (("effect", _EFFECT_NAMES), ("p", ("p", "p_sign"))):
        if key in fields:
            fields.update(zip(names, fields.pop(key), strict=True))
    sample, unit = fields.pop("sample", (None, ""))
    study = Statement(
        id=_NAME,
        kind=Kind.EVIDENCE,
        title=_NAME,
        span=Span(""),
        sample=sample,
        sample_unit=unit,
        sample_class=SampleClass.PEOPLE
        if sample is not None and not unit
        else sample_class_of(unit),
        **fields,
    )
    grade = grade_evidence(study, (), reading.corpus.config.quality)
    recorded_parts = [
        p.strip() for p in _BETWEEN.split(words) if not _TARGET_RELATION.fullmatch(p.strip())
    ]
    return NewStudy(
        words=", ".join(recorded_parts) or "nothing recorded",
        target=target,
        relation=relation,
        quality=grade.base,
        strength=strength,
    )


_EFFECT_NAMES = ("effect", "effect_kind", "effect_low", "effect_high")


def _parse_part(part: str, reading: Reading) -> dict[str, Any]:
    """What one part of a description says."""
    word = re.sub(r"[\s_-]+", "-", part.casefold())
    if word in reading.corpus.config.quality.kinds:
        return {"method": word}
    if word in _FLAGS:
        return {_FLAGS[word]: True}
    if word in set(EdgeStrength):
        return {"strength": EdgeStrength(word)}
    if match := _SAMPLE.fullmatch(part):
        return {"sample": (int(match[1]), match[2] or "")}
    if (match := _QUALITY.fullmatch(part)) and 0.0 <= float(match[1]) <= 1.0:
        return {"quality": float(match[1])}
    if match := _TARGET_RELATION.fullmatch(part):
        return {"relation": (Relation(match[1].casefold()), _target_statement(match[2], reading))}
    try:
        if match := _P_VALUE.fullmatch(part):
            return {"p": parse_p(match[1])}
        if match := _EFFECT.fullmatch(part):
            return {"effect": parse_effect(match[1])}
    except ValueError as error:
        raise UnreadableStudy(f"{part!r} should be {error}") from None
    raise UnreadableStudy(f"{part!r} is not a known property of a study")


def _target_statement(name: str, reading: Reading) -> StatementId:
    question = reading.question(name)
    if not question.statement:
        raise UnreadableStudy(f"the line {name!r} weighs no proposition that a study could bear on")
    return question.statement


@dataclass(frozen=True, slots=True)
class PlacedStudy:
    """Where a study bears on a graph: the number of its target, its weight and its base."""

    target: int
    weight: float
    base: float


def place_study(graph: Graph, study: NewStudy) -> PlacedStudy:
    """`study` in the numbers of `graph`. Raises `UnknownId` if its target is not in the graph."""
    if study.target not in graph.number_of:
        raise UnknownId(study.target, (), "statement")
    weight = edge_weights_of(graph.settings)[study.relation, study.strength]
    return PlacedStudy(graph.number_of[study.target], SIDES[study.relation] * weight, study.quality)


def with_studies(graph: Graph, studies: Sequence[PlacedStudy], one_source: bool = False) -> Graph:
    """`graph` with another piece of evidence for each of `studies`, numbered from its size on.

    Each is a source of its own; with `one_source` all share one, for scenarios that hear one each.
    """
    count = len(studies)
    size = graph.size
    positions = np.arange(count)

    def shift(numbers: np.ndarray, appended: np.ndarray) -> np.ndarray:
        """Keep the numbers of statements, and shift those of gates."""
        return np.concatenate([np.where(numbers >= size, numbers + count, numbers), appended])

    open_gate = np.full(count, graph.open_gate + count)
    base = np.array([each.base for each in studies], dtype=float)
    targets = np.array([each.target for each in studies], dtype=np.int64)
    unfolded = graph.plans.unfolded_graph
    first_source_group = int(graph.source_group_of.max(initial=-1)) + 1
    names = tuple(f"{_NAME} {position + 1}" for position in positions.tolist())
    arc_source = shift(graph.arc_source, size + positions)
    arc_target = shift(graph.arc_target, targets)
    source_group_start = np.append(
        graph.source_group_start, graph.source_group_start[-1] + 1 + positions
    )
    source_group_of = np.append(
        graph.source_group_of, first_source_group + (0 * positions if one_source else positions)
    )
    return replace(
        graph,
        ids=(*graph.ids, *names),
        base=np.append(graph.base, base),
        base_unretracted=np.append(graph.base_unretracted, base),
        claim=np.append(graph.claim, np.zeros(count, dtype=bool)),
        arc_source=arc_source,
        arc_target=arc_target,
        arc_weight=np.append(graph.arc_weight, [each.weight for each in studies]),
        gate=shift(graph.gate, open_gate),
        fallen=np.append(graph.fallen, np.zeros(count, dtype=bool)),
        edges=(*graph.edges, *names),
        joint=np.append(graph.joint, np.full(count, NOT_JOINT)),
        source_group_start=source_group_start,
        source_group_of=source_group_of,
        source_group_part=np.append(graph.source_group_part, np.ones(count)),
        number_of={**graph.number_of, **{name: size + k for k, name in enumerate(names)}},
        shared=mark_shared(arc_source, arc_target, source_group_start, source_group_of),
        plans=SolverPlans(
            unfolded_graph=unfolded and unfolded.with_evidence(size, targets, len(graph.arc_source))
        ),
    )
