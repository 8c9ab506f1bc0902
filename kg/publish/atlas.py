"""Places for every statement of a corpus: one disc per topic, the camps on its two sides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kg.corpus import Corpus
from kg.model import Statement

GAP = 9.0
ROOM = 26.0
_TURN = math.pi * (3 - math.sqrt(5))


class Disc(NamedTuple):
    """A topic's place on the atlas."""

    name: str
    x: float
    y: float
    radius: float
    size: int


class Atlas(NamedTuple):
    """Discs, largest first, and where each statement stands."""

    discs: list[Disc]
    places: dict[str, tuple[float, float]]


def place_statements(corpus: Corpus) -> Atlas:
    """An atlas of the corpus; the same corpus gives the same atlas."""
    groups = _groups(corpus)
    sizes = sorted(
        ((len(members), name) for name, members in groups.items()),
        key=lambda item: (-item[0], item[1]),
    )
    discs = _packed([(name, size) for size, name in sizes])
    places: dict[str, tuple[float, float]] = {}
    for disc in discs:
        places.update(_inside(corpus, disc, groups[disc.name]))
    return Atlas(discs, places)


def topic_of(corpus: Corpus, statement: Statement, common: Mapping[str, int]) -> str:
    """The topic a statement stands under: the most common of its own, else of its note's."""
    topics = statement.topics
    if not topics and statement.parent and statement.parent in corpus.statements:
        topics = corpus.statements[statement.parent].topics
    if not topics:
        targets = [
            e.target
            for e in corpus.edges_from.get(statement.id, ())
            if e.target in corpus.statements
        ]
        topics = tuple(topic for id in targets[:1] for topic in corpus.statements[id].topics)
    return max(topics, key=lambda topic: (common.get(topic, 0), topic), default="")


def _groups(corpus: Corpus) -> dict[str, list[str]]:
    common = Counter(
        topic for statement in corpus.statements.values() for topic in statement.topics
    )
    groups: dict[str, list[str]] = {}
    for statement in corpus.statements.values():
        groups.setdefault(topic_of(corpus, statement, common), []).append(statement.id)
    return groups


def _packed(groups: Sequence[tuple[str, int]]) -> list[Disc]:
    """Discs without overlap: each as near to the middle as it fits along a spiral."""
    discs: list[Disc] = []
    start = 0.0
    for name, size in groups:
        radius = GAP * math.sqrt(size) + ROOM
        step = start
        while True:
            turn = 0.35 * step
            x, y = step * 6.0 * math.cos(turn), step * 6.0 * math.sin(turn) * 0.72
            if all(math.hypot(x - disc.x, y - disc.y) >= radius + disc.radius for disc in discs):
                break
            step += max(0.12, 1.0 / (1.0 + step))
        discs.append(Disc(name, round(x, 1), round(y, 1), round(radius, 1), size))
        start = step * 0.6
    return discs


def _inside(corpus: Corpus, disc: Disc, ids: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Statements in a disc, evenly: those of the first camp left, of the last camp right."""
    spots = [
        (
            GAP * math.sqrt(n + 0.5) * math.cos(n * _TURN),
            GAP * math.sqrt(n + 0.5) * math.sin(n * _TURN),
        )
        for n in range(len(ids))
    ]
    spots.sort(key=lambda spot: (round(spot[0], 3), spot[1]))
    camps = corpus.config.camp_ids
    side = {camp: 2 * number / max(1, len(camps) - 1) - 1 for number, camp in enumerate(camps)}
    order = sorted(ids, key=lambda id: (side.get(corpus.camp_of(id) or "", 0.0), id))
    return {
        id: (round(disc.x + x, 1), round(disc.y + y, 1))
        for id, (x, y) in zip(order, spots, strict=True)
    }
