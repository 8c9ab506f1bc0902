"""What if: the answers with statements muted, held or re-based, and edges re-weighed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from msgspec import structs

from kg.corpus import UnknownId
from kg.model import (
    EdgeId,
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
from kg.model.figures import class_of
from kg.model.grade import grade
from kg.model.spelling import nearest
from kg.notes.frontmatter.values import parse_effect, parse_p
from kg.reasoning.answers.scenario_diff import (
    CHANGE,
    RESTORED,
    TURN,
    Change,
    Turn,
    changes,
    count_changes,
    describe_turns,
    name_with_same,
    other_reading,
    restored,
    solved_scenario,
    turns,
    visible_changes,
)
from kg.reasoning.arcs import SIGN, sizes_of
from kg.reasoning.arrays import Floats
from kg.reasoning.graph import NOT_JOINT, Graph, Plans
from kg.reasoning.reading import Reading, of_corpus
from kg.reasoning.scenarios import muted
from kg.reasoning.weighed_answer import WeighedAnswer, asked_of_all, join_with_and
from kg.report import Report, listed, table


class WhatIf(WeighedAnswer, frozen=True, kw_only=True):
    """How the answers move under a supposition.

    `changes` are the statements whose strength moves, the farthest first; `verdicts` the
    lines whose word or side changes. `restored` are statements that count again, as what
    superseded them is muted.
    """

    supposed: tuple[str, ...]
    restored: tuple[StatementId, ...]
    changes: tuple[Change, ...]
    verdicts: tuple[Turn, ...]

    def report(self) -> Report:
        return self.as_report(
            {},
            *listed("supposed", self.supposed),
            *listed(RESTORED, self.restored),
            table("changes", visible_changes(self.changes), CHANGE),
            table("verdicts", self.verdicts, TURN),
        )


@of_corpus
def whatif(
    reading: Reading,
    *,
    mute: str | Iterable[str] = (),
    hold: Mapping[str, float] | None = None,
    base: Mapping[str, float] | None = None,
    weights: Mapping[EdgeId, float] | None = None,
    add: str | Iterable[str] = (),
) -> WhatIf:
    """How the answers move if statements are muted, held at a strength, given another base (0 to
    1), edges another weight (-1 to 1), or studies are added that do not exist yet
    (`add=["experiment, n=400, peer reviewed, supports ID"]`); no note is touched.

    A muted statement, with all that are the same as it, counts as little as if it were deleted:
    it passes nothing on, what it superseded counts again, and its `independence` keys join nothing.

    Raises `UnknownId` for names that nothing carries, `ValueError` for numbers out of range and
    for what describes no study.

    `kg.whatif(corpus, mute="gap-is-a-matter-of-incentives")`
    """
    add = (add,) if isinstance(add, str) else add
    studies = [read_study(words, reading) for words in add]
    mute = (mute,) if isinstance(mute, str) else mute
    muting = [reading.corpus.statement(name).id for name in mute]
    holding = {reading.corpus.statement(k).id: v for k, v in (hold or {}).items()}
    basing = {reading.corpus.statement(k).id: v for k, v in (base or {}).items()}
    weighing = dict(weights or {})
    # read anew, since what a muted statement superseded counts again and its keys join nothing
    quiet = without_statements(reading, muting)
    graph = quiet.graph
    _check([*holding.values(), *basing.values()], weighing, graph)
    other = graph.having(base=_rebased(graph, basing), w=_reweighed(graph, weighing))
    if muting:
        other = muted(other, np.array([graph.names[name] for name in muting]))
    # compared with the corpus as it is, in a graph of the same numbers
    other, before = _with(other, studies), solved_scenario(_unheard(reading.graph, studies))
    after = solved_scenario(other, hold={graph.names[k]: v for k, v in holding.items()})
    moved = tuple(changes(reading, before, after))
    verdicts = tuple(turns(reading, before, after))
    named = partial(name_with_same, reading)
    supposed = (
        *(f"{named(id)} is muted" for id in muting),
        *(f"{named(id)} stands at {value:g}" for id, value in holding.items()),
        *(f"{named(id)} starts from {value:g}" for id, value in basing.items()),
        *(f"{edge} weighs {value:g}" for edge, value in weighing.items()),
        *(f"{study} {study.relation} {study.target}" for study in studies),
    )
    again = restored(reading, quiet)
    silent = [name for name in dict.fromkeys((*muting, *holding, *basing)) if _silent(graph, name)]
    return WhatIf(
        sentence=_sentence(supposed, again, moved, verdicts, silent),
        asked=asked_of_all(reading),
        supposed=supposed,
        restored=again,
        changes=moved,
        verdicts=verdicts,
    )


def without_statements(reading: Reading, names: Sequence[StatementId]) -> Reading:
    """The corpus read with statements that supersede nothing and join no sources."""
    graph, corpus = reading.graph, reading.corpus
    gone = {each for name in names for each in graph.same[graph.names[name]]}
    statements = {
        id: structs.replace(statement, independence=()) if id in gone else statement
        for id, statement in corpus.statements.items()
    }
    edges = tuple(
        edge
        for edge in corpus.edges
        if edge.relation is not Relation.SUPERSEDES or edge.source not in gone
    )
    return other_reading(reading, statements=statements, edges=edges)


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


def _check(strengths: Iterable[float], weights: Mapping[EdgeId, float], graph: Graph) -> None:
    for value in strengths:
        if not 0.0 <= value <= 1.0:
            raise ValueError(f"{value} is not a strength from 0 to 1")
    known = frozenset(graph.edges)
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
    again: Sequence[StatementId],
    moved: tuple[Change, ...],
    verdicts: tuple[Turn, ...],
    silent: Sequence[str],
) -> str:
    if not supposed:
        return "Nothing is supposed, so nothing moves."
    back = f"so that {join_with_and(again)} {'counts' if len(again) == 1 else 'count'} again, "
    sentence = (
        f"If {' and '.join(supposed)}, {back if again else ''}"
        f"{count_changes(moved)} would move, and {describe_turns(verdicts)}."
    )
    if not silent:
        return sentence
    one = len(silent) == 1
    return (
        f"{sentence} {join_with_and(silent)} {'is' if one else 'are'} retracted, so "
        f"{'it passes' if one else 'they pass'} nothing on, whatever is supposed of "
        f"{'it' if one else 'them'}."
    )


EXAMPLES = (
    "experiment, n=400, effect d=0.4, peer reviewed, supports ID",
    "survey, n=90 teachers, p=.03, weak, contradicts ID",
    "quality=.8, qualifies ID",
)
# `weak supports ID` without a comma; commas within brackets or parentheses part nothing
_BARE = re.compile(rf"(?<![,;\s])\s+(?=(?:{'|'.join(SIGN)})\s)")
_BETWEEN = re.compile(r",(?![^\[(]*[\])])")
_SAMPLE = re.compile(r"n\s*=\s*(\d{1,12})(?:\s+(\S.*))?", re.IGNORECASE)
_QUALITY = re.compile(r"quality\s*=\s*(\d*\.?\d+)", re.IGNORECASE)
_P = re.compile(r"p\s*([<>=].*)", re.IGNORECASE)
_EFFECT = re.compile(r"effect\s*(?:=|:|\s)\s*(\S.*)", re.IGNORECASE)
_BEARS = re.compile(rf"({'|'.join(SIGN)})\s+(\S+)", re.IGNORECASE)
_FLAGS = {"peer-reviewed": "peer_reviewed", "preregistered": "preregistered"}
_NAME = "new study"


class UnreadableStudy(KgError, ValueError):
    """Words that do not describe a study; the message says which, and gives examples."""

    def __init__(self, told: str) -> None:
        examples = "\n".join(f"  {each}" for each in EXAMPLES)
        super().__init__(f"{told}; a study is described like this:\n{examples}")


class NewStudy(Value, frozen=True):
    """A study that nobody has made: its base strength, and what it would do to `target`."""

    words: str
    target: StatementId
    relation: Relation
    quality: float
    strength: EdgeStrength | None = None

    def __str__(self) -> str:
        return f"a new study ({self.words}: quality {self.quality:.2f})"


def read_study(words: str, reading: Reading) -> NewStudy:
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
        for key, value in _read(part.strip(), reading).items():
            if key in fields:
                raise UnreadableStudy(f"{words!r} says twice what its {key} is")
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
        sample_class=SampleClass.PEOPLE if sample is not None and not unit else class_of(unit),
        **fields,
    )
    graded = grade(study, (), reading.corpus.config.quality)
    recorded = [p.strip() for p in _BETWEEN.split(words) if not _BEARS.fullmatch(p.strip())]
    return NewStudy(
        words=", ".join(recorded) or "nothing recorded",
        target=target,
        relation=relation,
        quality=graded.base,
        strength=strength,
    )


_EFFECT_NAMES = ("effect", "effect_kind", "effect_low", "effect_high")


def _read(part: str, reading: Reading) -> dict[str, Any]:
    """What one part of a description says."""
    word = re.sub(r"[\s_-]+", "-", part.casefold())
    if word in reading.corpus.config.quality.kinds:
        return {"method": word}
    if word in _FLAGS:
        return {_FLAGS[word]: True}
    if word in set(EdgeStrength):
        return {"strength": EdgeStrength(word)}
    if found := _SAMPLE.fullmatch(part):
        return {"sample": (int(found[1]), found[2] or "")}
    if (found := _QUALITY.fullmatch(part)) and 0.0 <= float(found[1]) <= 1.0:
        return {"quality": float(found[1])}
    if found := _BEARS.fullmatch(part):
        return {"relation": (Relation(found[1].casefold()), _target(found[2], reading))}
    try:
        if found := _P.fullmatch(part):
            return {"p": parse_p(found[1])}
        if found := _EFFECT.fullmatch(part):
            return {"effect": parse_effect(found[1])}
    except ValueError as error:
        raise UnreadableStudy(f"{part!r} should be {error}") from None
    raise UnreadableStudy(f"{part!r} says nothing that a study can record")


def _target(name: str, reading: Reading) -> StatementId:
    question = reading.question(name)
    if not question.statement:
        raise UnreadableStudy(f"the line {name!r} weighs no proposition that a study could bear on")
    return question.statement


@dataclass(frozen=True, slots=True)
class PlacedStudy:
    """Where a study bears on a graph: the number of its target, its weight and its base."""

    target: int
    w: float
    base: float


def added_to(graph: Graph, study: NewStudy) -> PlacedStudy:
    """`study` in the numbers of `graph`. Raises `UnknownId` where its target is not in there."""
    if study.target not in graph.names:
        raise UnknownId(study.target, (), "statement")
    size = sizes_of(graph.settings)[study.relation, study.strength]
    return PlacedStudy(graph.names[study.target], SIGN[study.relation] * size, study.quality)


def with_studies(graph: Graph, added: Sequence[PlacedStudy], one_source: bool = False) -> Graph:
    """`graph` with a piece of evidence more for each of `added`: the numbers from its size on.

    Each is a source of its own; with `one_source` all are one, for scenarios that hear one each.
    """
    count, size = len(added), graph.size
    places = np.arange(count)

    def moved(numbers: np.ndarray, more: np.ndarray) -> np.ndarray:
        """Numbers of statements stay, those of gates make room."""
        return np.concatenate([np.where(numbers >= size, numbers + count, numbers), more])

    silent = np.full(count, graph.silent + count)
    base = np.array([each.base for each in added], dtype=float)
    targets, known = np.array([each.target for each in added], dtype=np.int64), graph.plans.unfolded
    fresh = int(graph.unit_of.max(initial=-1)) + 1
    names = tuple(f"{_NAME} {place + 1}" for place in places.tolist())
    return replace(
        graph,
        ids=(*graph.ids, *names),
        base=np.append(graph.base, base),
        base_unretracted=np.append(graph.base_unretracted, base),
        claim=np.append(graph.claim, np.zeros(count, dtype=bool)),
        src=moved(graph.src, size + places),
        dst=moved(graph.dst, targets),
        w=np.append(graph.w, [each.w for each in added]),
        gate=moved(graph.gate, silent),
        fallen=np.append(graph.fallen, np.zeros(count, dtype=bool)),
        edges=(*graph.edges, *names),
        joint=np.append(graph.joint, np.full(count, NOT_JOINT)),
        unit_start=np.append(graph.unit_start, graph.unit_start[-1] + 1 + places),
        unit_of=np.append(graph.unit_of, fresh + (0 * places if one_source else places)),
        unit_part=np.append(graph.unit_part, np.ones(count)),
        names={**graph.names, **{name: size + k for k, name in enumerate(names)}},
        shared=np.zeros(0, dtype=bool),
        plans=Plans(unfolded=known and known.with_evidence(size, targets, len(graph.src))),
    )
