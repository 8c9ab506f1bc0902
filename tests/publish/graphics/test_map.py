"""Argument maps: what they show, and that they can be read without seeing them.

Of `kg/publish/graphics/map_selection.py`, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.model import Relation
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.map import line_map
from kg.publish.graphics.map_selection import MAX_BOXES
from kg.publish.markup.address import Addresses
from kg.publish.pages.line import line_page
from kg.queries.line_scope import LineScope
from tests.publish.graphics.misread import misread_links_on
from tests.support.every_row import every_row
from tests.support.note_texts import claim, evidence, line
from tests.support.own import own_corpus
from tests.support.page_checks import PageElements


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


def test_what_is_weighed_stands_left_of_what_bears_on_it(corpus_of: Callable[..., Corpus]) -> None:
    context = _small(corpus_of)
    line = context.corpus.lines["line"]
    read = PageElements(line_map(context, line, LineScope(context.corpus, line).near, "../")[0])
    assert read.wrong == []
    nodes = {a["data-id"]: a for tag, a in read.elements if a.get("data-id")}
    across = {id: float(a["transform"][10:].split()[0]) for id, a in nodes.items()}
    assert across["asked"] < across["pro"] == across["con"]
    assert [id for id, a in nodes.items() if "kg-map-focus" in a["class"]] == ["asked"]
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
    html = line_map(context, line, LineScope(context.corpus, line).near, "../")[0]
    assert "<title>Map of the argument: Q?</title>" in html
    assert "3 statements and 3 links between them" in html
    words = html.partition('id="map-words"')[2]
    assert words.count("kg-rel ") == 3
    assert words.index("Asked") < words.index("supported by") < words.index("contradicted by")
    assert "<title>Sceptic claim: Con</title>" in html


@pytest.mark.parametrize("notes", [{}, {"pro": _claim("Pro", "supports:: [[asked]]")}])
def test_a_line_with_two_statements_has_no_map(
    corpus_of: Callable[..., Corpus], notes: dict[str, str]
) -> None:
    corpus = corpus_of(asked=_claim("Asked"), line=LINE, **notes)
    context = SiteContext(Addresses(corpus))
    line = corpus.lines["line"]
    assert line_map(context, line, LineScope(corpus, line).near, "../")[0] == ""


def test_statements_that_nothing_joins_are_no_map(corpus_of: Callable[..., Corpus]) -> None:
    corpus = corpus_of(asked=_claim("Asked"), pro=_claim("Pro"), con=_claim("Con"), line=LINE)
    line = corpus.lines["line"]
    near = LineScope(corpus, line).near
    assert line_map(SiteContext(Addresses(corpus)), line, near, "../")[0] == ""


def _large(corpus_of: Callable[..., Corpus]) -> SiteContext:
    """60 reasons: the last 20 rest on a study, the first one of all on the last of them."""
    study = "---\ntype: evidence\nmethod: experiment\nsample: 90\n---\n\n# Study\n\n"
    notes = {f"n{at}": _claim(f"N {at}", "supports:: [[asked]]") for at in range(60)}
    notes["n0"] = _claim("N 0", "supports:: [[n59]]")
    for at in range(40, 60):
        notes[f"study{at}"] = f"{study}- supports:: [[n{at}]]\n"
    camps = "\n".join(f"- optimist:: [[{name}]]" for name in notes if name[0] == "n")
    line = f"{LINE.partition('- optimist')[0]}{camps}\n"
    return SiteContext(Addresses(corpus_of(asked=_claim("Asked"), line=line, **notes)))


def test_a_large_line_shows_what_weighs_most_and_says_what_is_left_out(
    corpus_of: Callable[..., Corpus],
) -> None:
    context = _large(corpus_of)
    line = context.corpus.lines["line"]
    html = line_map(context, line, LineScope(context.corpus, line).near, "../")[0]
    shown = {a["data-id"] for _, a in PageElements(html).elements if a.get("data-id")}
    assert len(shown) == MAX_BOXES
    heard = {f"{name}{at}" for name in ("n", "study") for at in range(40, 60)}
    assert shown < {"asked", *heard}
    assert "What weighs less is not drawn." in html
    assert '<a href="#map-words">' in html
    words = html.partition('id="map-words"')[2]
    assert words.count("kg-rel ") == MAX_BOXES - 1, "a link of each box but what is weighed"


def test_the_heaviest_evidence_of_both_sides_is_drawn(corpus_of: Callable[..., Corpus]) -> None:
    study = "---\ntype: evidence\nmethod: experiment\nsample: {}\n---\n\n# Study\n\n- {}:: [[{}]]\n"
    many = {f"s{at}": study.format(900, "supports", "asked") for at in range(MAX_BOXES + 3)}
    corpus = corpus_of(
        asked=_claim("Asked"),
        con=_claim("Con", "qualifies:: [[asked]]", camp="skeptic"),
        small=study.replace("experiment", "case-study").format(2, "supports", "con"),
        large=study.format(900, "supports", "con"),
        line=LINE,
        **many,
    )
    context, line = SiteContext(Addresses(corpus)), corpus.lines["line"]
    html = line_map(context, line, LineScope(corpus, line).near, "../")[0]
    shown = {a["data-id"] for _, a in PageElements(html).elements if a.get("data-id")}
    assert len(shown) == MAX_BOXES
    assert {"asked", "con", "large", "s0"} <= shown
    assert "small" not in shown


def test_a_wide_map_says_on_narrow_screens_where_its_words_are(
    corpus_of: Callable[..., Corpus],
) -> None:
    chain = {f"n{at}": _claim(f"N {at}", f"supports:: [[n{at - 1}]]") for at in range(1, 5)}
    pro = {f"p{at}": _claim(f"P {at}", "supports:: [[n1]]") for at in range(9)}
    camps = "".join(f"- optimist:: [[{name}]]\n" for name in (*chain, *pro))
    line = LINE.replace("asked", "n0").partition("- optimist")[0] + camps
    corpus = corpus_of(n0=_claim("N 0"), line=line, **chain, **pro)
    context = SiteContext(Addresses(corpus))
    near = LineScope(corpus, corpus.lines["line"]).near
    html = line_map(context, corpus.lines["line"], near, "../")[0]
    assert "kg-map-wide" in html
    assert 'kg-map-left-out">The map needs a wider screen. ' in html
    small = _small(corpus_of)
    line = small.corpus.lines["line"]
    assert "kg-map-wide" not in line_map(small, line, LineScope(small.corpus, line).near, "../")[0]


@pytest.mark.integration
def test_no_map_of_our_notes_can_be_misread() -> None:
    corpus = own_corpus()
    context = SiteContext(Addresses(corpus))
    maps = [
        line_map(context, line, LineScope(corpus, line).near, "../")[0]
        for line in corpus.lines.values()
    ]
    assert sum("data-kg-map" in html for html in maps) > 3
    assert [found for html in maps for found in misread_links_on(html)] == []


def test_a_link_through_a_box_is_found() -> None:
    box = '<a transform="translate({} 0)" data-id="{}"><rect width="10" height="10"></rect></a>'
    link = '<g data-from="a" data-to="c"><path d="{}"></path></g>'
    boxes = "".join(box.format(x, id) for x, id in ((0, "a"), (20, "b"), (40, "c")))
    ways = {"M10 5H40": True, "M10 5C20 22 30 22 40 5": False, "M10 5L15 12H35L40 5": True}
    for way, wrong in ways.items():
        svg = f'<svg role="group">{boxes}{link.format(way)}</svg>'
        assert misread_links_on(svg) == ([("a", "c", "b")] if wrong else [])


@every_row("words", ["<script>x</script>", '" onclick="x', "' & <b>", "</title>"])
def test_words_stay_words_in_the_drawing(corpus_of: Callable[..., Corpus], words: str) -> None:
    reason = _claim(words, "supports:: [[asked]]")
    line = LINE.replace("# Q?", f"# Q {words}")
    corpus = corpus_of(asked=_claim(f"Asked {words}"), pro=reason, other=reason, line=line)
    near = LineScope(corpus, corpus.lines["line"]).near
    drawn = line_map(SiteContext(Addresses(corpus)), corpus.lines["line"], near, "../")[0]
    read = PageElements(drawn)
    assert read.wrong == []
    assert not {"script", "b"} & {tag for tag, _ in read.elements}
    assert not [name for _, attributes in read.elements for name in attributes if name[:2] == "on"]
    labels = {a["aria-label"] for _, a in read.elements if "aria-label" in a}
    assert f"Map of the argument: Q {words}" in labels


def test_the_legend_names_the_links_that_are_drawn_and_no_others(
    corpus_of: Callable[..., Corpus],
) -> None:
    corpus = corpus_of(
        asked=claim("Asked", "optimist"),
        reason=claim("Reason", "optimist", "supports:: [[asked]]"),
        reply=claim("Reply", "skeptic", "contradicts:: [[asked]]"),
        **{f"more{n}": evidence(f"More {n}", 0.9, "supports:: [[reason]]") for n in range(20)},
        light=evidence("Light", 0.02, "qualifies:: [[more0]]"),
        line=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )
    context = SiteContext(Addresses(corpus))
    near = [*corpus.statements]
    drawn, relations = line_map(context, corpus.lines["line"], near, "../")
    assert {*re.findall("kg-map-edge kg-map-([a-z]+)", drawn)} == {*map(str, relations)}
    assert Relation.CONTRADICTS not in relations, "the reply has no weight, and no room"
    page = line_page(context, corpus.lines["line"]).html.partition('class="kg-legend"')[2]
    legend, _, figure = page.partition("</ul>")
    named, on_it = (
        {*re.findall("kg-map-edge kg-map-([a-z]+)", each)}
        for each in (legend, figure.partition("</figure>")[0])
    )
    assert named == on_it
