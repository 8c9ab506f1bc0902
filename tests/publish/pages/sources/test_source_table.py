"""What each row of the page of all sources says beside the name, and its first sentence."""

from __future__ import annotations

import re

from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.sources.source_table import source_table_pages
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import claim_text, line_text, visible_text

BIB = "".join(f"@article{{{key}, title = {{{key}}}, year = {{2020}}}}\n" for key in ("s", "t"))


def study(key: str, *claims: str) -> str:
    below = "\n".join(f"- supports:: [[{id}]]" for id in claims)
    return f"---\ntype: evidence\nquality: 0.8\n---\n\n# By {key}\n\nSeen [@{key}].\n\n{below}\n"


def test_a_source_tells_which_answer_it_moves_most_and_by_how_much() -> None:
    corpus = corpus_of_notes(
        references=BIB,
        both=claim_text("Both say so", "optimist"),
        one=claim_text("One says so", "optimist"),
        by_s=study("s", "both", "one"),
        by_t=study("t", "both"),
        firm=line_text("Firm?", "optimist:: [[both]]", head="proposition: both\n"),
        shaky=line_text("Shaky?", "optimist:: [[one]]", head="proposition: one\n"),
    )
    (page,) = (
        page
        for page in map(make_page, source_table_pages(SiteContext(Addresses(corpus))))
        if page.url == "sources/index.html"
    )
    rows = {cells[0][:6]: cells[3] for cells in map(_cells, page.html.split("<tr")[3:])}
    assert rows == {
        "s 2020": "another word: it would fallShaky?",
        "t 2020": "another word: “perhaps it holds”Firm?",
    }
    lead = visible_text(page.html.partition("</h1>")[2].partition("</p>")[0])
    assert lead == "Of 2 sources, s 2020 alone could undo an answer."


def test_a_source_that_changes_a_word_comes_before_one_that_moves_an_answer_farther() -> None:
    keys = "abc"
    entries = (f"@article{{{key}, title={{{key}}}, year={{2020}}}}\n" for key in keys)
    corpus = corpus_of_notes(
        references=BIB + "".join(entries),
        two=claim_text("Two say so", "optimist"),
        many=claim_text("Many say so", "optimist"),
        by_s=study("s", "two").replace("0.8", "0.3"),
        by_t=study("t", "two").replace("0.8", "0.3"),
        **{f"by_{key}": study(key, "many") for key in keys},
        firm=line_text("Firm?", "optimist:: [[many]]", head="proposition: many\n"),
        thin=line_text("Thin?", "optimist:: [[two]]", head="proposition: two\n"),
    )
    pages = map(make_page, source_table_pages(SiteContext(Addresses(corpus))))
    html = next(page.html for page in pages if page.url == "sources/index.html")
    all_cells = map(_cells, html.split("<tr")[3:])
    rows = {cells[0][:6]: cells[3] for cells in all_cells if len(cells) > 3}
    assert rows["s 2020"] == rows["t 2020"] == "another word: “perhaps it holds”Thin?"
    moves = [float(each) for each in re.findall('data-kg-value="([.0-9]+)"', html)]
    assert list(rows)[:2] == ["s 2020", "t 2020"]
    assert max(moves[:2]) - 1 < min(moves[2:]) < 1 < min(moves[:2])
    lead = visible_text(html.partition("</h1>")[2].partition("</p>")[0])
    assert lead == (
        "No single source would undo an answer. "
        "An answer would be more or less sure without s 2020 (Thin?); t 2020 (Thin?)."
    )


def test_sources_that_count_as_one_change_a_word_together() -> None:
    team = "type: evidence\nindependence: [team:x]"
    entries = (f"@article{{{key}, title={{{key}}}, year={{2020}}}}\n" for key in "abcd")
    corpus = corpus_of_notes(
        references=BIB + "".join(entries),
        one=claim_text("One", "optimist"),
        **{f"by_{key}": study(key, "one") for key in "abcd"},
        **{
            f"by_{key}": study(key, "one")
            .replace("supports", "contradicts")
            .replace("type: evidence", team)
            for key in "st"
        },
        here=line_text("Here?", "optimist:: [[one]]", head="proposition: one\n"),
    )
    pages = map(make_page, source_table_pages(SiteContext(Addresses(corpus))))
    html = next(page.html for page in pages if page.url == "sources/index.html")
    lead = visible_text(html.partition("</h1>")[2].partition("</p>")[0])
    pair = "An answer would be more or less sure without s 2020 and t 2020 (Here?)"
    assert lead == f"No single source would undo an answer. {pair}."


def test_a_source_that_holds_an_answer_back_has_other_words_than_one_that_carries_it() -> None:
    entries = (f"@article{{{key}, title={{{key}}}, year={{2020}}}}\n" for key in "abcd")
    corpus = corpus_of_notes(
        references=BIB + "".join(entries),
        one=claim_text("One", "optimist"),
        **{f"by_{key}": study(key, "one") for key in "abcd"},
        by_s=study("s", "one").replace("supports", "contradicts"),
        here=line_text("Here?", "optimist:: [[one]]", head="proposition: one\n"),
    )
    pages = map(make_page, source_table_pages(SiteContext(Addresses(corpus))))
    html = next(page.html for page in pages if page.url == "sources/index.html")
    lead = visible_text(html.partition("</h1>")[2].partition("</p>")[0])
    assert lead.endswith("An answer would be more or less sure without s 2020 (Here?).")
    rows = [cells[::3] for cells in map(_cells, html.split("<tr")[2:])]
    names = [name.split(" 2020")[0] for name, *_ in rows]
    assert names == [
        "Change the word of an answer (1)",
        "s",
        "Count in an answer (4)",
        *"abcd",
        "Move no answer (1)",
        "t",
    ]
    assert rows[names.index("s")][1].startswith("another word: “")


def test_a_source_that_falls_with_others_is_not_blamed_alone() -> None:
    team = "type: evidence\nindependence: [team:x]"
    corpus = corpus_of_notes(
        references=BIB,
        one=claim_text("One says so", "optimist"),
        by_s=study("s", "one").replace("type: evidence", team),
        by_t=study("t", "one").replace("type: evidence", team),
        shaky=line_text("Shaky?", "optimist:: [[one]]", head="proposition: one\n"),
    )
    pages = map(make_page, source_table_pages(SiteContext(Addresses(corpus))))
    html = next(page.html for page in pages if page.url == "sources/index.html")
    rows = {cells[0][:6]: cells[3] for cells in map(_cells, html.split("<tr")[3:])}
    assert "it would fall (counted as one with t 2020)" in rows["s 2020"]
    assert "it would fall (counted as one with s 2020)" in rows["t 2020"]


def _cells(row: str) -> list[str]:
    return [visible_text(cell).strip() for cell in re.findall(r"<t[dh][ >].*?</t[dh]>", row)]
