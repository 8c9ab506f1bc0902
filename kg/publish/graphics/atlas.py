"""Places for every statement of a corpus: one disc per topic, the camps on its two sides."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kg.corpus import Corpus
from kg.model import Statement

GAP = 9.0
ROOM = 26.0
_TURN = math.pi * (3 - math.sqrt(5))
_TOUCH = 1e-6


class Disc(NamedTuple):
    """A topic's place on the atlas."""

    name: str
    x: float
    y: float
    radius: float
    size: int


class Atlas(NamedTuple):
    """Discs, largest first, and where each statement stands, disc after disc."""

    discs: list[Disc]
    places: dict[str, tuple[float, float]]


def place_statements(corpus: Corpus) -> Atlas:
    """An atlas of the corpus; the same corpus gives the same atlas."""
    groups = _groups(corpus)
    sizes = sorted(
        ((len(members), name) for name, members in groups.items()),
        key=lambda item: (-item[0], item[1]),
    )
    radii = [round(GAP * math.sqrt(size) + ROOM, 1) for size, _ in sizes]
    discs = [
        Disc(name, round(spot.real, 1), round(spot.imag, 1), radius, size)
        for (size, name), radius, spot in zip(sizes, radii, pack_discs(radii), strict=True)
    ]
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


def pack_discs(radii: Sequence[float]) -> list[complex]:
    """Middles of discs that do not overlap, given largest first: the first at 0, the others near.

    Where there is room is looked for beside each pair of discs that touch. A disc placed
    there takes the pair's place and makes two new ones; a pair without room is forgotten.
    """
    size = np.asarray(radii, dtype=float)
    spots = [complex(place) for place in (0.0, sum(radii[:2]))[: len(radii)]]
    pairs = [(0, 1), (1, 0)]
    for new in range(2, len(radii)):
        there = np.asarray(spots)
        found = _beside(there, size, np.asarray(pairs), size[new])
        order = np.argsort(np.abs(found).round(6), kind="stable").tolist()
        fits = (np.abs(there - found[at]) - size[:new] >= size[new] - _TOUCH for at in order)
        tried = order[: 1 + next((n for n, room in enumerate(fits) if room.all()), -1)]
        if tried:
            first, second = pairs[tried[-1]]
            spots.append(complex(found[tried[-1]]))
        else:
            first = second = int(np.argmax(there.real + size[:new]))
            spots.append(spots[first] + radii[first] + radii[new])
        kept = set(tried)
        pairs = [pair for at, pair in enumerate(pairs) if at not in kept]
        pairs += [(first, new), (new, second)]
    return spots


def _beside(spots: np.ndarray, size: np.ndarray, pairs: np.ndarray, radius: float) -> np.ndarray:
    """For each pair of discs, where a disc of `radius` touches both, to the right of the way."""
    one, other = spots[pairs[:, 0]], spots[pairs[:, 1]]
    far = np.abs(other - one)
    to_one, to_other = size[pairs[:, 0]] + radius, size[pairs[:, 1]] + radius
    along = (far**2 + to_one**2 - to_other**2) / (2 * far)
    aside = np.sqrt(np.maximum(to_one**2 - along**2, 0.0))
    found: np.ndarray = one + (other - one) / far * (along - 1j * aside)
    return found


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
