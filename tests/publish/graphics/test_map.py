"""Argument maps: what they show, and that they can be read without seeing them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.publish.graphics.map import MOST_BOXES, find_around, line_map, statement_map
from kg.publish.markup.address import Addresses
from kg.publish.site_context import SiteContext
from kg.queries.line_view import LineScope
from tests.support.page_checks import Reader


def _claim(title: str, *edges: str, camp: str = "optimist") -> str:
    return f"---\ntype: claim\ncamp: {camp}\n---\n\n# {title}\n\n" + "\n".join(
        f"- {edge}" for edge in edges
    )


LINE = (
    "---\ntype: line\nproposition: asked\n---\n\n# Q?\n\n## Camps\n\n- optimist:: [[pro]]\n- "
    "skeptic:: [[con]]\n"
)


def _small(corpus_of: Callable[..., Corpus]) -> SiteContext:
    corpus = corpus_of(
        asked=_claim("Asked"),
        pro=_claim("Pro", "supports:: [[asked]]"),
        con=_claim("Con", "contradicts:: [[asked]]", "contradicts:: [[pro]]", camp="skeptic"),
        line=LINE,
    )
    return SiteContext(Addresses(corpus))


def test_a_line_is_drawn_with_a_camp_on_either_side(corpus_of: Callable[..., Corpus]) -> None:
    context = _small(corpus_of)
    line = context.corpus.lines["line"]
    read = Reader(line_map(context, line, LineScope(context.corpus, line).members, "../"))
    assert read.wrong == []
    nodes = {a["data-id"]: a for tag, a in read.elements if a.get("data-id")}
    across = {id: float(a["transform"][10:].split()[0]) for id, a in nodes.items()}
    assert across["pro"] < across["asked"] < across["con"]
    edges = {
        (a["data-from"], a["data-to"], a["class"].split()[1])
        for _, a in read.elements
        if "data-from" in a
    }
    assert edges == {
        ("pro", "asked", "kg-map-supports"),
        ("con", "asked", "kg-map-contradicts"),
        ("con", "pro", "kg-map-contradicts"),
    }


def test_a_map_says_in_words_what_it_shows(corpus_of: Callable[..., Corpus]) -> None:
    context = _small(corpus_of)
    line = context.corpus.lines["line"]
    html = line_map(context, line, LineScope(context.corpus, line).members, "../")
    assert "<title>Map of the argument: Q?</title>" in html
    assert "3 statements and 3 links between them" in html
    assert html.count("<tr>") == 4
    assert "<title>Sceptic claim: Con</title>" in html


def test_a_statement_stands_between_reasons_for_and_against(
    corpus_of: Callable[..., Corpus],
) -> None:
    context = _small(corpus_of)
    around = find_around(context.corpus, "pro")
    assert (around.pro, around.con, around.above) == ([], ["con"], ["asked"])
    html = statement_map(context, context.corpus.statements["pro"], around, "../")
    assert "kg-map-focus" in html
    assert html.count("data-id=") == 3


def test_nothing_is_drawn_around_a_lone_statement(corpus_of: Callable[..., Corpus]) -> None:
    context = SiteContext(Addresses(corpus_of(lone=_claim("Lone"))))
    lone = context.corpus.statements["lone"]
    assert statement_map(context, lone, find_around(context.corpus, "lone"), "") == ""


def test_a_large_line_shows_its_busiest_statements_and_says_what_is_left_out(
    corpus_of: Callable[..., Corpus],
) -> None:
    notes = {f"n{number}": _claim(f"N {number}", "supports:: [[asked]]") for number in range(60)}
    camps = "\n".join(f"- optimist:: [[{name}]]" for name in notes)
    context = SiteContext(
        Addresses(
            corpus_of(
                asked=_claim("Asked"), line=f"{LINE.partition('- optimist')[0]}{camps}\n", **notes
            )
        )
    )
    line = context.corpus.lines["line"]
    html = line_map(context, line, LineScope(context.corpus, line).members, "../")
    assert html.count("data-id=") == MOST_BOXES
    assert "21 more not drawn." in html


@pytest.mark.parametrize("words", ["<script>x</script>", '" onclick="x', "' & <b>", "</title>"])
def test_words_stay_words_in_the_drawing(corpus_of: Callable[..., Corpus], words: str) -> None:
    corpus = corpus_of(asked=_claim(f"Asked {words}"), pro=_claim(words, "supports:: [[asked]]"))
    context = SiteContext(Addresses(corpus))
    around = find_around(corpus, "asked")
    read = Reader(statement_map(context, corpus.statements["asked"], around, "../"))
    assert read.wrong == []
    assert not {"script", "b"} & {tag for tag, _ in read.elements}
    assert not [name for _, attributes in read.elements for name in attributes if name[:2] == "on"]
    labels = {a["aria-label"] for _, a in read.elements if "aria-label" in a}
    assert f"What stands around: Asked {words}" in labels
