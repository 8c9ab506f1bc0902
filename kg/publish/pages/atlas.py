"""The whole corpus on one page: an atlas to move through, and the same as lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from kg.corpus import Corpus
from kg.model import Kind, Relation
from kg.publish.address import Addresses
from kg.publish.atlas import Atlas, place_statements
from kg.publish.html import Child, Html, as_script_json, element
from kg.publish.page import Draft, Page, Twin
from kg.publish.pages.evidence import table
from kg.publish.pages.sheet import Sheet, facts, kicker
from kg.publish.press import Press, press_for
from kg.publish.style import shape
from kg.publish.words import FORWARD, KINDS, count

SUFFIX = ".rows.js"
_KINDS = list(Kind)
_RELATIONS = list(Relation)


def atlas_pages(corpus: Corpus, addresses: Addresses) -> Iterator[Draft]:
    """The atlas."""
    yield Draft("atlas.html", partial(_atlas, press_for(addresses)))


def _atlas(press: Press) -> Page:
    corpus = press.corpus
    sheet = Sheet(press, "atlas.html")
    atlas = place_statements(corpus)
    sheet.add(
        kicker("Overview"),
        element("h1", "Atlas"),
        element(
            "p",
            "Every statement of the corpus, each on the disc of the commonest of its topics, with "
            "the camps on its two sides.",
            class_="kg-standfirst",
        ),
        facts(
            count(len(corpus), "statement"),
            count(len(corpus.edges), "link"),
            f"{count(len(corpus.topics), 'topic')} on {count(len(atlas.discs), 'disc')}",
        ),
        _frame(),
    )
    sheet.section("topics", "The same as a table", _table(sheet, atlas))
    return Page(
        url=sheet.url,
        kind="index",
        title="Atlas",
        html=sheet.html("atlas"),
        toc=tuple(sheet.toc),
        description="Every statement of the corpus on one map.",
        twins=(
            Twin(
                suffix=SUFFIX,
                media_type="text/javascript",
                content=f"kgAtlas({as_script_json(_values(press, atlas))});\n",
            ),
        ),
        facets={"kind": ("Overview",)},
    )


def _frame() -> Html:
    """Where the scripts draw; without them the table says the same."""
    return element(
        "div",
        element(
            "noscript",
            element("p", "The atlas is drawn by a script; the table below does without."),
        ),
        class_="kg-atlas",
        data_kg_atlas="atlas" + SUFFIX,
    )


def _table(sheet: Sheet, atlas: Atlas) -> Html:
    known = sheet.press.corpus.topics
    rows: list[Sequence[Child]] = [
        [
            element(
                "th",
                sheet.chips.topic(disc.name, sheet.root)
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
            "a", "All statements, to sort and filter", href=sheet.root + "statements/index.html"
        ),
    )
    return element("div", every, table(("Topic", "Statements on its disc"), rows, "Topics"))


def _values(press: Press, atlas: Atlas) -> dict[str, object]:
    """Nodes and edges in columns, which are half the size of records."""
    corpus = press.corpus
    ids = list(atlas.places)
    number = {id: n for n, id in enumerate(ids)}
    camps = corpus.config.camps
    camp_number = {camp.id: n for n, camp in enumerate(camps)}
    disc_of = {disc.name: n for n, disc in enumerate(atlas.discs)}
    statements = [corpus.statements[id] for id in ids]
    edges = [
        (number[edge.source], number[edge.target], _RELATIONS.index(edge.relation))
        for edge in corpus.edges
        if edge.source in number and edge.target in number
    ]
    return {
        "camps": [
            {
                "label": c.label,
                "class": press.chips.camp_class(c.id),
                "shape": shape(corpus.config, c.id),
            }
            for c in camps
        ],
        "kinds": [KINDS[kind] for kind in _KINDS],
        "relations": [FORWARD[relation] for relation in _RELATIONS],
        "discs": [(disc.name, disc.x, disc.y, disc.radius) for disc in atlas.discs],
        "id": ids,
        "title": [s.title for s in statements],
        "page": [press.addresses.statement(s.id) for s in statements],
        "x": [atlas.places[id][0] for id in ids],
        "y": [atlas.places[id][1] for id in ids],
        "kind": [_KINDS.index(s.kind) for s in statements],
        "camp": [camp_number.get(corpus.camp_of(s.id) or "", -1) for s in statements],
        "year": [_year(corpus, s.sources) for s in statements],
        "topics": [[disc_of[topic] for topic in s.topics if topic in disc_of] for s in statements],
        "from": [edge[0] for edge in edges],
        "to": [edge[1] for edge in edges],
        "relation": [edge[2] for edge in edges],
    }


def _year(corpus: Corpus, keys: tuple[str, ...]) -> int:
    return max((corpus.sources[key].year or 0 for key in keys if key in corpus.sources), default=0)
