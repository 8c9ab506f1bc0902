"""Hypothetical studies: described in words, graded, and placed in a graph."""

from __future__ import annotations

import re
from collections.abc import Iterable
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
from kg.notes.frontmatter import parse_effect, parse_p, split_figures
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
    words = _BARE.sub(", ", words)
    parts = [part.strip() for part in _BETWEEN.split(words)]
    fields = _parse_parts(words, parts, reading)
    relation, target = fields.pop("relation")
    strength = fields.pop("strength", None)
    if "sample" in fields and not fields["sample"][1]:
        fields["sample_class"] = SampleClass.PEOPLE
    split_figures(fields)
    study = Statement(
        id=APPENDED_NAME, kind=Kind.EVIDENCE, title=APPENDED_NAME, span=Span(""), **fields
    )
    recorded_parts = [part for part in parts if not _TARGET_RELATION.fullmatch(part)]
    return NewStudy(
        words=", ".join(recorded_parts) or "nothing recorded",
        target=target,
        relation=relation,
        quality=grade_evidence(study, (), reading.corpus.config.quality).base,
        strength=strength,
    )


def _parse_parts(words: str, parts: Iterable[str], reading: Reading) -> dict[str, Any]:
    """What the parts of a description, `words`, say by the key of each, a relation among them."""
    fields: dict[str, Any] = {}
    for part in parts:
        for key, value in _parse_part(part, reading).items():
            if key in fields:
                raise UnreadableStudy(f"{words!r} gives its {key} twice")
            fields[key] = value
    if "relation" not in fields:
        raise UnreadableStudy(f"{words!r} does not say what it supports or contradicts")
    return fields


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
