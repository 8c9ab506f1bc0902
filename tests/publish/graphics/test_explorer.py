"""Graphs to explore: named in plain text, the heaviest first, loaded from the site itself.

Of `kg/publish/graphics/parts_of_answer.py`, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from kg.corpus import Corpus
from kg.publish.build.theme.shell import read_vis_script
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.explorer import (
    Picture,
    blank_picture,
    picture_of,
)
from kg.publish.graphics.parts_of_answer import edges_between
from kg.publish.markup.address import Addresses

TITLE = '<a href="javascript:alert(1)">x</a></script>'


def _corpus(corpus_of: Callable[..., Corpus], count: int = 1) -> Corpus:
    notes = {
        f"n{n}": f"---\ntype: claim\ncamp: skeptic\n---\n\n# N {TITLE}\n\n- contradicts:: "
        f"[[hub]] — {TITLE}\n"
        for n in range(count)
    }
    return corpus_of(hub=f"---\ntype: claim\ncamp: optimist\n---\n\n# Hub {TITLE}\n", **notes)


def _picture(corpus: Corpus) -> Picture:
    context = SiteContext(Addresses(corpus))
    ids = list(corpus.statements)
    edges = edges_between(corpus, ids)
    return picture_of(context, "Name", ids, edges, focus="hub")


def _graph(picture: Picture) -> dict[str, Any]:
    script = picture.render_script()
    assert script.startswith("kgGraph(")
    assert script.endswith(");\n")
    found: dict[str, Any] = json.loads(script[len("kgGraph(") : -3])
    return found


def test_a_graph_holds_its_statements_with_the_marks_of_their_camps(
    corpus_of: Callable[..., Corpus],
) -> None:
    graph = _graph(_picture(_corpus(corpus_of)))
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert set(nodes) == {"hub", "n0"}
    assert [nodes[id]["label"][:3] for id in ("hub", "n0")] == ["● H", "◆ N"]
    assert {node["shape"] for node in nodes.values()} == {"box"}
    assert [(edge["from"], edge["to"], edge["side"]) for edge in graph["edges"]] == [
        ("n0", "hub", "against")
    ]


def test_titles_stay_text_and_cannot_leave_the_script(corpus_of: Callable[..., Corpus]) -> None:
    picture = _picture(_corpus(corpus_of))
    assert not set("<>&") & set(picture.render_script())
    assert _graph(picture)["nodes"][0]["name"].endswith(TITLE)


def test_nodes_added_to_one_picture_are_in_no_other() -> None:
    one, other = blank_picture("One"), blank_picture("Other")
    one.add_node("a", label="A")
    one.add_edge("a", "a")
    assert _graph(other)["nodes"] == _graph(other)["edges"] == []
    other.add_node("a", label="B")
    assert [node["label"] for node in _graph(other)["nodes"]] == ["B"]
    assert [node["label"] for node in _graph(one)["nodes"]] == ["A"]


def test_the_container_escapes_its_name_and_loads_nothing_by_itself() -> None:
    html = blank_picture('"><script>').generate_html('"><script>')
    assert "<script" not in html
    assert "src=" not in html


def test_the_same_corpus_gives_the_same_graph(corpus_of: Callable[..., Corpus]) -> None:
    corpus = _corpus(corpus_of, 30)
    assert _picture(corpus).render_script() == _picture(corpus).render_script()


def test_the_statement_in_the_middle_and_the_most_joined_are_named_first(
    corpus_of: Callable[..., Corpus],
) -> None:
    graph = _graph(_picture(_corpus(corpus_of, 80)))
    assert [node["id"] for node in graph["nodes"]][:2] == ["hub", "n0"]


def test_the_script_that_draws_is_the_one_that_pyvis_carries() -> None:
    assert b"vis-network" in read_vis_script()[:200]
