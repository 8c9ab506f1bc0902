"""Hypothetical studies: described in words, graded, and placed in a graph."""

from __future__ import annotations

import re
from typing import Any

from kg.corpus import UnknownId
from kg.corpus.quality.evidence_quality import grade_evidence
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
from kg.notes.frontmatter import parse_effect, parse_p
from kg.reasoning.default_rule.appended_nodes import APPENDED_NAME, AppendedNode
from kg.reasoning.graph.graph import Graph
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
_EFFECT_NAMES = ("effect", "effect_kind", "effect_low", "effect_high")


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
        id=APPENDED_NAME,
        kind=Kind.EVIDENCE,
        title=APPENDED_NAME,
        span=Span(""),
        sample=sample,
        sample_unit=unit,
        sample_class=SampleClass.PEOPLE
        if sample is not None and not unit
        else sample_class_of(unit),
        **fields,
    )
    recorded_parts = [
        p.strip() for p in _BETWEEN.split(words) if not _TARGET_RELATION.fullmatch(p.strip())
    ]
    return NewStudy(
        words=", ".join(recorded_parts) or "nothing recorded",
        target=target,
        relation=relation,
        quality=grade_evidence(study, (), reading.corpus.config.quality).base,
        strength=strength,
    )


def _parse_part(part: str, reading: Reading) -> dict[str, Any]:
    """Read one part of a description."""
    word = re.sub(r"[\s_-]+", "-", part.casefold())
    if word in reading.corpus.config.quality.methods:
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


def place_study(graph: Graph, study: NewStudy) -> AppendedNode:
    """`study` in the numbers of `graph`. Raises `UnknownId` if its target is not in the graph."""
    if study.target not in graph.number_of:
        raise UnknownId(study.target, (), "statement")
    weight = edge_weights_of(graph.settings)[study.relation, study.strength]
    return AppendedNode(
        graph.number_of[study.target], SIDES[study.relation] * weight, study.quality
    )
