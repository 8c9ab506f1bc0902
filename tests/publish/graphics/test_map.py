"""Maps of lines: what they show, where it stands, and that they can be read without seeing them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.graphics.boxes import MAX_LINK
from kg.publish.graphics.map import (
    LIGHTER,
    MAX_HEIGHT,
    MAX_REASONS,
)
from kg.publish.markup.address import Addresses
from kg.publish.page_builder import PageBuilder
from kg.publish.pages.line import line_page, map_of_reasons
from tests.publish.graphics.misread import areas_of, links_of, misread_links_on
from tests.support.every_row import every_row
from tests.support.note_texts import claim, evidence, line
from tests.support.own import own_corpus
from tests.support.page_checks import PageElements

ASKED = line("Q?", "optimist:: [[asked]]", head="proposition: asked\n")


def page_of(corpus: Corpus) -> str:
    """The page of the only line."""
    [each] = corpus.lines.values()
    return line_page(SiteContext(Addresses(corpus)), each).html


def map_on(page: str) -> str:
    """The map of a line's page; empty if there is none."""
    return page.partition('<figure class="kg-map">')[2].partition("</figure>")[0]


def map_of(corpus: Corpus) -> str:
    return map_on(page_of(corpus))


def heaviest_first(count: int, relation: str) -> dict[str, str]:
    """Studies, each of less weight than the one before, that bear on what is asked."""
    name = relation[0]
    return {
        f"{name}{at}": evidence(f"{name.upper()} {at}", 0.9 - at / 20, f"{relation}:: [[asked]]")
        for at in range(count)
    }


def small(corpus_of: Callable[..., Corpus]) -> Corpus:
    return corpus_of(
        asked=claim("Asked", "optimist"),
        pro=evidence("Pro", 0.9, "supports:: [[asked]]"),
        con=evidence("Con", 0.4, "contradicts:: [[asked]]"),
        reply=evidence("Reply", 0.8, "qualifies:: [[pro]]"),
        line=ASKED,
    )


def breadths(svg: str) -> dict[str, float]:
    """How broad the link from each statement is."""
    found = re.findall(
        r'data-from="([^"]+)" data-to="[^"]+"><path d="[^"]+" stroke-width="([^"]+)', svg
    )
    return {source: float(breadth) for source, breadth in found}


def test_what_speaks_for_it_is_on_its_right_what_speaks_against_it_on_its_left(
    corpus_of: Callable[..., Corpus],
) -> None:
    svg = map_of(small(corpus_of))
    assert PageElements(svg).wrong == []
    areas = areas_of(svg)
    assert areas["con"].right < areas["asked"].left < areas["asked"].right < areas["pro"].left
    assert re.findall(r'kg-map-focus" data-id="([^"]+)"', svg) == ["asked"]


def test_a_reply_stands_beneath_the_reason_that_it_answers(
    corpus_of: Callable[..., Corpus],
) -> None:
    svg = map_of(small(corpus_of))
    areas = areas_of(svg)
    assert areas["pro"].left < areas["reply"].left
    assert areas["reply"].right == areas["pro"].right
    assert areas["pro"].bottom < areas["reply"].top
    assert {(each.source, each.target) for each in links_of(svg)} == {
        ("pro", "asked"),
        ("con", "asked"),
        ("reply", "pro"),
    }


def test_a_link_is_as_broad_as_its_reason_is_heavy(corpus_of: Callable[..., Corpus]) -> None:
    broad = breadths(
        map_of(
            corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **heaviest_first(4, "supports"))
        )
    )
    assert [*broad] == ["s0", "s1", "s2", "s3"]
    assert sorted(broad.values(), reverse=True) == [*broad.values()]
    assert broad["s0"] == MAX_LINK >= 1.2 * broad["s3"]


def test_the_heaviest_of_a_side_stand_on_top_and_the_rest_is_counted_with_a_link_to_the_list(
    corpus_of: Callable[..., Corpus],
) -> None:
    notes = heaviest_first(MAX_REASONS + 3, "supports") | heaviest_first(
        MAX_REASONS + 1, "contradicts"
    )
    page = page_of(corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **notes))
    areas = areas_of(map_on(page))
    for name, count in (("s", MAX_REASONS), ("c", MAX_REASONS + 1)):
        drawn = {id: area.top for id, area in areas.items() if id[0] == name}
        assert sorted(drawn, key=drawn.__getitem__) == [f"{name}{at}" for at in range(count)]
    assert re.findall(
        r'href="#([^"]+)" class="kg-map-more">.*?<tspan[^>]*>([^<]+)', map_on(page)
    ) == [(LIGHTER[1], "and 3 lighter reasons")]
    listed = page.partition(f'id="{LIGHTER[1]}"')[2].partition("</details>")[0]
    assert all(f">S {at}<" in listed for at in range(MAX_REASONS, MAX_REASONS + 3))


def test_a_map_is_no_higher_than_a_screen_with_all_replies_there_is_room_for(
    corpus_of: Callable[..., Corpus],
) -> None:
    long = " ".join(["word"] * 40)
    notes = heaviest_first(MAX_REASONS + 3, "supports")
    notes |= {f"r{at}": evidence(f"{long} {at}", 0.8, f"qualifies:: [[s{at}]]") for at in range(6)}
    areas = areas_of(map_of(corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **notes)))
    assert 1 <= sum(id[0] == "r" for id in areas) < 6
    assert max(area.bottom for area in areas.values()) <= MAX_HEIGHT + 40


def test_a_map_says_in_words_what_it_shows(corpus_of: Callable[..., Corpus]) -> None:
    svg = map_of(small(corpus_of))
    assert "<title>Map of the argument: Q?</title>" in svg
    assert "4 statements and 3 links between them" in svg
    assert "evidence: Con</title>" in svg
    assert 'kg-map-left-out">The map needs a wider screen.' in svg
    assert '<a href="#sides">both sides</a>' in svg


@every_row("reasons", [0, 1])
def test_a_line_with_fewer_than_two_reasons_has_no_map(
    corpus_of: Callable[..., Corpus], reasons: int
) -> None:
    notes = heaviest_first(reasons, "supports")
    assert map_of(corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **notes)) == ""


def test_reasons_without_weight_are_drawn_only_where_too_few_have_any(
    corpus_of: Callable[..., Corpus],
) -> None:
    idle = {f"i{at}": claim(f"I {at}", "optimist", "supports:: [[asked]]") for at in range(2)}
    drawn = areas_of(map_of(corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **idle)))
    assert {*drawn} == {"asked", "i0", "i1"}
    notes = idle | heaviest_first(1, "contradicts")
    drawn = areas_of(map_of(corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **notes)))
    assert {*drawn} == {"asked", "c0", "i0", "i1"}
    notes = idle | heaviest_first(2, "contradicts")
    drawn = areas_of(map_of(corpus_of(asked=claim("Asked", "optimist"), line=ASKED, **notes)))
    assert {*drawn} == {"asked", "c0", "c1"}


@pytest.mark.integration
def test_no_map_of_our_notes_can_be_misread() -> None:
    corpus = own_corpus()
    context = SiteContext(Addresses(corpus))
    maps = [
        map_of_reasons(PageBuilder(context, "lines/line.html", each.id), each)[0]
        for each in corpus.lines.values()
    ]
    assert sum("data-kg-map" in html for html in maps) > 3
    assert all(len(links_of(html)) > 5 for html in maps)
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
    corpus = corpus_of(
        asked=claim(f"Asked {words}", "optimist"),
        line=ASKED.replace("# Q?", f"# Q {words}"),
        **{f"r{at}": claim(words, "optimist", "supports:: [[asked]]") for at in range(2)},
    )
    read = PageElements(map_of(corpus))
    assert read.wrong == []
    assert not {"script", "b"} & {tag for tag, _ in read.elements}
    assert not [name for _, attributes in read.elements for name in attributes if name[:2] == "on"]
    labels = {a["aria-label"] for _, a in read.elements if "aria-label" in a}
    assert f"Map of the argument: Q {words}" in labels


def test_the_legend_names_the_links_that_are_drawn_and_no_others(
    corpus_of: Callable[..., Corpus],
) -> None:
    page = page_of(small(corpus_of)).partition('class="kg-legend"')[2]
    legend, _, figure = page.partition("</ul>")
    named, drawn = (
        {*re.findall("kg-map-edge kg-map-([a-z]+)", each)} for each in (legend, map_on(figure))
    )
    assert named == drawn == {"supports", "contradicts", "qualifies"}
