"""JSON Canvas by its specification, Mermaid by its own parser, DOT by Graphviz."""

from __future__ import annotations

import html
import json
import re
from itertools import combinations, pairwise

import pytest
from hypothesis import given

from kg.cli.shared.selecting import select_part
from kg.corpus import Corpus
from kg.exchange.escaped_text import without_controls
from kg.exchange.formats import render_export
from kg.exchange.writers.diagrams import arrows_of
from tests.support.corpora import HOSTILE, corpus_of_notes, random_corpora
from tests.support.effort import examples
from tests.support.npm import output_of_script
from tests.support.own import own_corpus

NODE_WIDE = 320
NODE = {"id": str, "type": str, "x": int, "y": int, "width": int, "height": int, "text": str}


def hostile() -> Corpus:
    head = "---\ntype: claim\ntitle: "
    words = [*HOSTILE, "end", "click n1 href x", "%%{init: {}}%%", "a\nb", "`x` &amp; #quot;"]
    return corpus_of_notes(
        **{
            f"n{position}": f"{head}{json.dumps(word)}\n---\n\n- supports:: [[n0]] — {word}\n"
            for position, word in enumerate(words)
        }
    )


def require_valid_canvas(corpus: Corpus) -> None:
    """Each attribute that the specification of JSON Canvas 1.0 requires, and no box on another."""
    canvas = json.loads(render_export(corpus, "canvas"))
    assert set(canvas) == {"nodes", "edges"}
    for node in canvas["nodes"]:
        assert {name: type(node[name]) for name in NODE} == NODE
        assert re.fullmatch("#[0-9a-fA-F]{6}", node["color"])
    ids = [node["id"] for node in canvas["nodes"]]
    assert sorted(ids) == sorted(corpus.statements)
    names = [edge["id"] for edge in canvas["edges"]]
    assert len(names) == len(set(names)) == len(list(arrows_of(corpus)))
    for arrow, edge in zip(arrows_of(corpus), canvas["edges"], strict=True):
        assert (edge["fromNode"], edge["toNode"]) == (arrow.origin, arrow.target)
        assert {edge["fromNode"], edge["toNode"]} <= set(ids)
        assert edge.get("fromEnd", "none") == ("arrow" if arrow.edge.goes_both_ways else "none")
    columns: dict[int, list[tuple[int, int]]] = {}
    for node in canvas["nodes"]:
        columns.setdefault(node["x"], []).append((node["y"], node["y"] + node["height"]))
    for column in columns.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(column)))
    assert all(abs(one - other) > NODE_WIDE for one, other in combinations(columns, 2))


@given(random_corpora())
@examples(4)
def test_canvas_keeps_the_specification(corpus: Corpus) -> None:
    require_valid_canvas(corpus)


def test_a_line_is_argued_from_right_to_left() -> None:
    require_valid_canvas(own_corpus())
    corpus = corpus_of_notes(
        l="---\ntype: line\nproposition: a\n---\n# L\n",
        a="---\ntype: claim\n---\n# A\n",
        b="---\ntype: claim\n---\n# B\n\n- supports:: [[a]] — x\n",
        c="---\ntype: claim\n---\n# C\n\n"
        "- contradicts:: [[b]] (mutual:: yes) — x\n- supports:: [[d]]\n",
        d="---\ntype: claim\n---\n# D\n\n- supports:: [[c]] — a circle\n",
    )
    require_valid_canvas(corpus)
    canvas = json.loads(render_export(corpus, "canvas"))
    assert [edge["fromNode"] for edge in canvas["edges"] if "fromEnd" in edge] == ["c"]
    place = {node["id"]: node["x"] for node in canvas["nodes"]}
    assert place["a"] < place["b"] < place["c"] < place["d"]
    places = [place[id] for id in "abcd"]
    assert len({after - before for before, after in pairwise(places)}) == 1
    assert places[1] - places[0] < 2 * NODE_WIDE


def test_what_bears_on_two_stands_between_them() -> None:
    head = "---\ntype: claim\n---\n# T\n\n"
    x, y = "- supports:: [[c]]\n", "- supports:: [[a]]\n- supports:: [[c]]\n"
    corpus = corpus_of_notes(a=head, b=head, c=head, x=head + x, y=head + y)
    height = {n["id"]: n["y"] for n in json.loads(render_export(corpus, "canvas"))["nodes"]}
    assert height["a"] < height["b"] < height["c"]
    assert height["y"] < height["x"]


@pytest.mark.integration
def test_mermaid_reads_every_word_as_a_word() -> None:
    for corpus in (own_corpus(), hostile()):
        diagram = output_of_script("mermaid.mjs", "mermaid", render_export(corpus, "mermaid"))
        assert diagram["kind"] == "flowchart-v2"
        texts = [html.unescape(_entities(text)).strip() for text in diagram["boxes"]]
        titles = [without_controls(each.title) for each in corpus.statements.values()]
        assert texts == titles
        assert len(diagram["links"]) == len(list(arrows_of(corpus)))


def _entities(text: str) -> str:
    """Mermaid keeps the number of a sign between marks of its own until it draws."""
    return re.sub(r"(?:ﬂ°°|#)(\d+)(?:¶ß|;)", r"&#\1;", text)


def test_dot_shows_the_words_of_a_title_as_they_are() -> None:
    title = "Salt &amp; pepper & R&D &lt;b&gt;"
    text = render_export(corpus_of_notes(a=f"---\ntype: claim\n---\n# {title}\n"), "dot").decode()
    (label,) = re.findall(r'label="(.*)", color', text)
    assert html.unescape(label.replace("\\n", " ")) == title
    assert '"a" [' in text


@pytest.mark.integration
def test_dot_fits_a_page_and_graphviz_draws_every_box() -> None:
    for corpus in (select_part(own_corpus(), "social-grounding", None), hostile()):
        drawing = output_of_script("graphviz.mjs", "@aduh95/viz.js", render_export(corpus, "dot"))
        assert drawing["boxes"] == len(corpus.statements)
        assert drawing["wide"] <= 11 * 72 + 20
        assert drawing["tall"] <= 7.5 * 72 + 20


def test_dot_has_an_arrow_for_each_edge_with_what_it_undercuts_or_counts_together_with() -> None:
    head = "---\ntype: claim\n---\n# T\n\n"
    corpus = corpus_of_notes(
        a=f"{head}- supports:: [[c]] (with:: [[b]]) — so ^why\n",
        b=f"{head}- contradicts:: [[c]] (mutual:: yes) — no\n",
        c=head,
        d=f"{head}- undercuts:: [[a#^why]] — no\n",
    )
    rows = render_export(corpus, "dot").decode().splitlines()
    together = ', together="b", tooltip="together with b"'
    undercuts = ', undercuts="a#why", tooltip="undercuts a#why"'
    assert [row for row in rows if " -> " in row] == [
        f'  "a" -> "c" [label="supports", style=solid{together}];',
        '  "b" -> "c" [label="contradicts", style=dashed, dir=both];',
        f'  "d" -> "a" [label="undercuts", style=dotted{undercuts}];',
    ]
