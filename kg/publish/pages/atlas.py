"""The whole corpus on one page: an atlas to move through, and the same as lists."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from kg.corpus import Corpus
from kg.model import Kind, Relation
from kg.model.config import Camp
from kg.publish.components.evidence import table
from kg.publish.context.site_context import PageBuilder, SiteContext, facts, page_kind_line
from kg.publish.graphics.atlas import Atlas, place_statements
from kg.publish.markup.html import Child, Html, as_script_json, element
from kg.publish.markup.style import camp_shape
from kg.publish.markup.words import FORWARD, KINDS, count_of, in_words
from kg.publish.page import NOTHING, Alternate, Draft, Page

GRAPH = ".graph.js"
WORDS = ".words.js"
STEPS = 10
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
        page_kind_line("Overview"),
        element("h1", "Atlas"),
        element(
            "p",
            "Every statement of the corpus, each on the disc of the commonest of its topics, with "
            "the camps on its two sides.",
            class_="kg-standfirst",
        ),
        facts(
            count_of(len(corpus), "statement"),
            count_of(len(corpus.edges), "link"),
            f"{count_of(len(corpus.topics), 'topic')} on {count_of(len(atlas.discs), 'disc')}",
        ),
        _frame(),
    )
    builder.section("topics", "By topic", _table(builder, atlas))
    return Page(
        url=builder.url,
        kind="index",
        title="Atlas",
        html=builder.html("atlas"),
        toc=tuple(builder.toc),
        description="Every statement of the corpus on one map.",
        alternates=(
            _script(GRAPH, "kgAtlas.graph", _graph(context, atlas)),
            _script(WORDS, "kgAtlas.words", _words(context, atlas)),
        ),
        facets={"kind": ("Overview",)},
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


def _table(builder: PageBuilder, atlas: Atlas) -> Html:
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
        "page": "\n".join(map(context.addresses.statement, ids)),
    }


def _year(corpus: Corpus, keys: tuple[str, ...]) -> int:
    years = (corpus.sources[key].year or 0 for key in keys if key in corpus.sources)
    return max(0, max(years, default=0))
