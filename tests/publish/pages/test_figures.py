"""Which numbers a finding reports.

Of `kg/publish/pages/figures.py`, too.
"""

from __future__ import annotations

import re

import pytest

from kg.model import Kind, Span, Statement
from kg.publish.context.site_context import SiteContext
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import Html
from kg.publish.page import LazyPage, make_page
from kg.publish.pages import figures
from kg.publish.pages.figures import embolden, figure_pages, find_figures
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


def _numbers(body: str, title: str = "") -> list[tuple[str, ...]]:
    statement = Statement(id="e", kind=Kind.EVIDENCE, title=title, span=Span("e.md"), body=body)
    return [figure.numbers for figure in find_figures(statement)]


@every_row(
    ("text", "numbers"),
    [
        ("A gap of 77.5% over 555 scenarios.", ("77.5%", "555")),
        ("From 20.9 % to 84.5%, r = -.70.", ("20.9 %", "84.5%", "-.70")),
        ("Of 10 people who met Gemini 2.5 Pro, 9 left.", ("10", "9")),
        ("In UltraFeedback 13.77% of them.", ("13.77%",)),
        ("It cost $1,200,000 for 2.5x as much.", ("$1,200,000", "2.5x")),
    ],
)
def test_numbers_keep_their_units(text: str, numbers: tuple[str, ...]) -> None:
    assert _numbers(text) == [numbers]


@every_row(
    "text",
    [
        "In 2024 nothing was counted.",
        "GPT-4.5 and v2 and H2O.",
        "Claude 3.5 Sonnet did, and the newer Sonnet 4.",
        "See [@doe2020, p. 12] and [[note-3]] and `x = 4`.",
    ],
)
def test_years_names_links_and_code_are_no_figures(text: str) -> None:
    assert _numbers(text) == []


def test_a_sample_and_an_effect_are_shown_unless_a_sentence_has_them() -> None:
    def figures_in(body: str) -> list[tuple[str, tuple[str, ...]]]:
        one = Statement(
            id="e",
            kind=Kind.EVIDENCE,
            title="",
            span=Span("e.md"),
            body=body,
            sample=5734,
            sample_unit="people",
            effect=0.33,
            effect_kind="RR",
        )
        return [(figure.sentence, figure.numbers) for figure in find_figures(one)]

    both = "Sample: 5,734 people; Effect: RR=0.33"
    assert figures_in("Fewer asked.") == [(both, ("5,734 people", "RR=0.33"))]
    assert figures_in("Of 5734, 0.33 as many.") == [("Of 5734, 0.33 as many.", ("5734", "0.33"))]


def test_each_sentence_has_its_own_figures_and_none_is_there_twice() -> None:
    assert _numbers("First 10 of them. Then 20 more. Then 20 more.", title="Of 10") == [
        ("10",),
        ("20",),
    ]


def test_numbers_are_bold_in_their_sentence_whole_and_never_inside_tags() -> None:
    text = Html('<a href="note-5.html" title="5 more">Of 5, 2.5% of 1,500</a> and &lt;5 of 15')
    bold = '<strong class="kg-number">'
    assert embolden(text, ["5", "1,500"]) == (
        f'<a href="note-5.html" title="5 more">Of {bold}5</strong>, 2.5% of {bold}1,500</strong>'
        f"</a> and &lt;{bold}5</strong> of 15"
    )


@every_row(
    ("expected", "marked_count"), [("primary", 0), ("secondary", 1), ("not-seen", 1), ("", 0)]
)
def test_what_was_not_seen_in_its_source_is_marked_for_the_filter(
    expected: str, marked_count: int
) -> None:
    head = f"seen_in: {expected}\n" if expected else ""
    corpus = corpus_of_notes(it=f"---\ntype: evidence\n{head}---\n\n# It rose by 12%\n\nIt did.\n")
    (draft,) = figure_pages(SiteContext(Addresses(corpus)))
    assert isinstance(draft, LazyPage)
    html = draft.make().html
    assert html.count("data-kg-marked") == html.count("data-kg-only") == marked_count


def test_figures_stand_under_the_first_question_that_they_bear_on() -> None:
    piece = "---\ntype: evidence\n---\n\n# {} rose by {}%\n\nIt did.\n\n{}"
    corpus = corpus_of_notes(
        placed=piece.format("One", 12, ""),
        beneath=piece.format("Two", 13, "- supports:: [[claim]] -- so\n"),
        apart=piece.format("Three", 14, ""),
        claim="---\ntype: claim\n---\n\n# It helps\n\nIt does.\n",
        a="---\ntype: line\nproposition: claim\n---\n\n# First?\n\nA [[placed]] thing.\n",
        b="---\ntype: line\n---\n\n# Second?\n\nAgain [[placed]].\n",
    )
    (draft,) = figure_pages(SiteContext(Addresses(corpus)))
    assert isinstance(draft, LazyPage)
    words = re.sub(r"<[^>]*>", " ", draft.make().html.partition("<tbody>")[2])
    matches = re.findall(r"First[?]|Second[?]|In no question|One|Two|Three", words)
    assert matches[:1] == ["First?"]
    assert {*matches[1:3]} == {"One", "Two"}
    assert matches[3:] == ["In no question", "Three"]


def test_what_moves_an_answer_most_stands_first_and_what_was_not_seen_in_its_source_last() -> None:
    piece = "---\ntype: evidence\nmethod: {}\n{}---\n\n# {} rose by {}%\n\nIt did.\n\n{}"
    bears = "- supports:: [[claim]] -- so\n"
    corpus = corpus_of_notes(
        a=piece.format("anecdote", "", "Weak", 12, bears),
        b=piece.format("meta-analysis", "seen_in: secondary\n", "Told", 13, bears),
        c=piece.format("meta-analysis", "", "Strong", 14, bears),
        claim="---\ntype: claim\n---\n\n# It helps\n\nIt does.\n",
        first="---\ntype: line\n---\n\n# First?\n\nA [[a]], a [[b]] and a [[c]].\n",
        second="---\ntype: line\nproposition: claim\n---\n\n# Second?\n\nSo.\n",
    )
    (draft,) = figure_pages(SiteContext(Addresses(corpus)))
    words = re.sub(r"<[^>]*>", " ", make_page(draft).html.partition("<tbody>")[2])
    assert re.findall(r"First[?]|Second[?]|Weak|Told|Strong", words) == ["Strong", "Weak", "Told"]


def test_the_page_begins_with_how_many_numbers_were_seen_elsewhere() -> None:
    def head(**notes: str) -> str:
        (draft,) = figure_pages(SiteContext(Addresses(corpus_of_notes(**notes))))
        return make_page(draft).html

    text = "---\ntype: evidence\n---\n\n# Of 12 nurses all slept\n\nSo it is.\n"
    elsewhere = text.replace("evidence", "evidence\nseen_in: note-page").replace("12", "15")
    wording = "2 figures from 2 findings; at least 1 we know only from others&#x27; accounts."
    assert wording in head(seen=text, elsewhere=elsewhere)
    assert "1 figure from 1 finding; none is recorded as seen elsewhere" in head(seen=text)
    assert "No finding reports a figure yet." in head()


@every_row(("limit", "words"), [(2, ""), (1, "2 of the figures are not listed.")])
def test_how_many_numbers_are_not_listed_is_said(
    limit: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "FIGURES_SHOWN", limit)
    text = "---\ntype: evidence\n---\n\n# {}\n\nSo it is.\n"
    corpus = corpus_of_notes(
        a=text.format("Of 12 nurses all slept"), b=text.format("Of 15 nurses 3 slept")
    )
    (draft,) = figure_pages(SiteContext(Addresses(corpus)))
    html = make_page(draft).html
    assert ("not listed" in html, words in html) == (bool(words), True)
