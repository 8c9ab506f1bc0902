"""The whole corpus on one page: an atlas to move through, and the same as lists.

One disc per topic, the camps on its two sides.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from kg.corpus import Corpus
from kg.model import Kind, Relation, Statement
from kg.model.config import Camp
from kg.publish.graphics.explorer import GRAPH
from kg.publish.markup.colours import camp_shape
from kg.publish.markup.html import Child, Html, as_script_json, element, facts
from kg.publish.markup.phrases import FORWARD, KINDS, count_of, in_words
from kg.publish.markup.table import table
from kg.publish.page import NOTHING, Alternate, Draft, Page
from kg.publish.page_builder import PageBuilder
from kg.publish.site_context import SiteContext

WORDS = ".words.js"
STEPS = 10  # of a place, to a unit of the drawing
_KINDS = list(Kind)
_RELATIONS = list(Relation)


def atlas_pages(context: SiteContext) -> Iterator[Draft]:
    """The atlas."""
    yield Draft("atlas.html", partial(_atlas, context), NOTHING)


def _atlas(context: SiteContext) -> Page:
    corpus = context.corpus
    builder = PageBuilder(context, "atlas.html")
    atlas = place_statements(corpus)
    builder.add(
        facts(
            count_of(len(corpus), "statement"),
            count_of(len(corpus.edges), "link"),
            f"{count_of(len(corpus.topics), 'topic')} on {count_of(len(atlas.discs), 'disc')}",
        ),
        _frame(),
    )
    builder.section("topics", "By topic", _as_table(builder, atlas))
    return builder.overview(
        "Atlas",
        "Every statement of the corpus on one map.",
        "atlas",
        "Every statement of the corpus, each on the disc of the first topic of its note, with "
        "the camps on its two sides.",
        alternates=(
            _script(GRAPH, "kgAtlas.graph", _graph(context, atlas)),
            _script(WORDS, "kgAtlas.words", _words(context, atlas)),
        ),
    )


def _script(suffix: str, call: str, value: object) -> Alternate:
    content = f"{call}({as_script_json(value)});\n"
    return Alternate(suffix=suffix, media_type="text/javascript", content=content)


def _frame() -> Html:
    """Where the scripts draw; without them the lists below say the same."""
    return element(
        "div",
        element(
            "noscript",
            element("p", "The atlas is drawn by a script; the lists below do without."),
        ),
        class_="kg-atlas",
        data_kg_atlas="atlas" + GRAPH,
    )


def _as_table(builder: PageBuilder, atlas: Atlas) -> Html:
    known = builder.context.corpus.topics
    rows: list[Sequence[Child]] = [
        [
            element(
                "th",
                builder.link_maker.topic(disc.name, builder.root)
                if disc.name in known
                else "Without a topic",
                scope="row",
            ),
            disc.size,
        ]
        for disc in atlas.discs
    ]
    every = element(
        "p",
        element(
            "a", "All statements, to sort and filter", href=builder.root + "statements/index.html"
        ),
    )
    return element("div", every, table(("Topic of the disc", "Statements"), rows, "Topics"))


def _graph(context: SiteContext, atlas: Atlas) -> dict[str, object]:
    """What the picture needs: numbers in packed columns, statement by statement, edge by edge."""
    corpus = context.corpus
    statements = [corpus.statements[id] for id in atlas.places]
    topics = sorted({topic for statement in statements for topic in statement.topics})
    topic = {name: number for number, name in enumerate(topics)}
    left = min((x for x, _ in atlas.places.values()), default=0.0)
    top = min((y for _, y in atlas.places.values()), default=0.0)
    camp = {camp: number for number, camp in enumerate(corpus.config.camp_ids, 1)}
    return {
        "words": "atlas" + WORDS,
        "camps": [_camp(context, camp) for camp in corpus.config.camps],
        "kinds": [(kind, KINDS[kind]) for kind in _KINDS],
        "relations": [(relation, FORWARD[relation], _side(relation)) for relation in _RELATIONS],
        "topics": [(name, in_words(name)) for name in topics],
        "discs": [(topic.get(d.name, -1), d.x, d.y, d.radius, d.size) for d in atlas.discs],
        "corner": (left, top),
        "step": 1 / STEPS,
        "x": pack_numbers(round((x - left) * STEPS) for x, _ in atlas.places.values()),
        "y": pack_numbers(round((y - top) * STEPS) for _, y in atlas.places.values()),
        "kind": pack_numbers(_KINDS.index(s.kind) for s in statements),
        "camp": pack_numbers(camp.get(corpus.camp_of(s.id) or "", 0) for s in statements),
        "year": pack_numbers(_year(corpus, s.sources) for s in statements),
        "topicCount": pack_numbers(len(s.topics) for s in statements),
        "topic": pack_numbers(topic[name] for s in statements for name in s.topics),
        **_edges(corpus, list(atlas.places)),
    }


def _camp(context: SiteContext, camp: Camp) -> dict[str, str]:
    look = {
        "class": context.link_maker.camp_class(camp.id),
        "shape": camp_shape(context.corpus.config, camp.id),
    }
    return {"id": camp.id, "label": camp.label, **look}


def _side(relation: Relation) -> int:
    return (+1, -1, 0).index(relation.entry.side)


def _edges(corpus: Corpus, ids: Sequence[str]) -> dict[str, str]:
    """For each statement how many edges go out from it, and for each edge where it leads."""
    number = {id: place for place, id in enumerate(ids)}
    out = [[edge for edge in corpus.edges_from.get(id, ()) if edge.target in number] for id in ids]
    return {
        "out": pack_numbers(map(len, out)),
        "to": pack_numbers(number[edge.target] for edges in out for edge in edges),
        "relation": pack_numbers(
            _RELATIONS.index(edge.relation) for edges in out for edge in edges
        ),
    }


def pack_numbers(values: Iterable[int]) -> str:
    """Numbers from 0 up as text: how many bytes each takes, then their bytes in base 64."""
    found = np.fromiter(values, dtype="<u4")
    width = next(width for width in (1, 2, 4) if int(found.max(initial=0)) < 256**width)
    return f"{width}{base64.b64encode(found.astype(f'<u{width}').tobytes()).decode('ascii')}"


def _words(context: SiteContext, atlas: Atlas) -> dict[str, str]:
    """What the picture does not need at once: ids, titles and pages, a statement per row."""
    ids = list(atlas.places)
    titles = (" ".join(context.corpus.statements[id].title.split()) for id in ids)
    return {
        "id": "\n".join(ids),
        "title": "\n".join(titles),
        "page": "\n".join(map(context.addresses.of, ids)),
    }


def _year(corpus: Corpus, keys: tuple[str, ...]) -> int:
    years = (corpus.sources[key].year or 0 for key in keys if key in corpus.sources)
    return max(0, max(years, default=0))


# -- where statements stand ----------------------------------------------------------------

GAP = 9.0  # units of the drawing, between statements
DISC_MARGIN = 26.0  # units from the outermost statements of a disc to its edge
_TURN = math.pi * (3 - math.sqrt(5))  # the golden angle: points fill a disc evenly
_TOUCH = 1e-6  # discs that touch overlap by no more than this


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
    radii = [round(GAP * math.sqrt(size) + DISC_MARGIN, 1) for size, _ in sizes]
    discs = [
        Disc(name, round(spot.real, 1), round(spot.imag, 1), radius, size)
        for (size, name), radius, spot in zip(sizes, radii, pack_discs(radii), strict=True)
    ]
    places: dict[str, tuple[float, float]] = {}
    for disc in discs:
        places.update(_inside(corpus, disc, groups[disc.name]))
    return Atlas(discs, places)


def topic_of(corpus: Corpus, statement: Statement) -> str:
    """The topic a statement stands under: the first that its note names, else the first of the
    note that holds it, else of what it bears on.
    """
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
    return topics[0] if topics else ""


def _groups(corpus: Corpus) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for statement in corpus.statements.values():
        groups.setdefault(topic_of(corpus, statement), []).append(statement.id)
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
