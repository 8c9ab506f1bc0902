"""Links to works, statements, lines, sources and topics."""

from __future__ import annotations

import re

import pytest

from kg.model import Kind, Source, Span
from kg.publish.markup.address import Addresses
from kg.publish.markup.html import EMPTY, Child, Html
from kg.publish.markup.link_maker import (
    LinkMaker,
    is_disputed,
    linked_title,
    paper_link,
    with_marks,
)
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text, evidence_text, line_text

ARXIV, URL = "2311.09144", "https://aclanthology.org/2024.naacl-long.348/"
CASES = [
    ({}, []),
    ({"doi": "10.1/x"}, ["https://doi.org/10.1/x"]),
    ({"url": URL, "arxiv": ARXIV}, [URL, f"https://arxiv.org/abs/{ARXIV}"]),
    ({"doi": "10.1/x", "url": URL}, ["https://doi.org/10.1/x"]),
    ({"url": f"https://arxiv.org/abs/{ARXIV}"}, 2 * [f"https://arxiv.org/abs/{ARXIV}"]),
    ({"doi": f"10.48550/arXiv.{ARXIV}"}, 2 * [f"https://doi.org/10.48550/arXiv.{ARXIV}"]),
    ({"url": "javascript:alert(1)"}, []),
    ({"doi": '10.1/x" onmouseover="x'}, []),
]


@every_row(("fields", "addresses"), CASES)
def test_a_title_leads_to_the_work_and_then_to_an_open_copy(fields, addresses):
    source = Source(key="a", title="A <b>", span=Span("a.bib"), **fields)
    assert re.findall('href="([^"]+)"', linked_title(source)) == addresses
    assert re.findall('href="([^"]+)"', paper_link(source)) == addresses[:1]
    assert ("open copy" in linked_title(source)) is any(
        "arxiv" in each.lower() for each in addresses
    )
    assert "<b>" not in linked_title(source) + paper_link(source)


@pytest.fixture(scope="module")
def links() -> LinkMaker:
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist", head="topics: [rem-sleep]\n"),
        b=claim_text("B", "skeptic", "contradicts:: [[a]]"),
        e=evidence_text("E", 0.5, "supports:: [[a]]"),
        n="---\ntype: counter-claim\n---\n\n# N\n",
        here=line_text("Here?", "skeptic:: [[a]]", "optimist:: [[b]]", "optimist:: [[e]]"),
        same=line_text("Same?", "optimist:: [[a]]"),
        references="@book{roe2020, title={R}, author={Ann Roe}, year={2020}, doi={10.1/x}}\n"
        "@book{lee2021, title={L}, author={Bo Lee}, year={2021}}",
        lee2021="---\ntype: source\nintegrity: retracted\naliases: [lee]\n---\n\n# L\n",
        glossary="---\ntype: glossary\n---\n\n# G\n\n- **REM sleep**: A *phase*.\n",
    )
    return LinkMaker(corpus, Addresses(corpus))


@every_row(
    ("id", "line_id", "classes", "label"),
    [
        ("a", None, "kg-chip kg-camp-1", "Optimist claim, disputed"),
        ("a", "same", "kg-chip kg-camp-1", "Optimist claim, disputed"),
        ("b", None, "kg-chip kg-camp-2", "Sceptic claim"),
        ("e", None, "kg-chip kg-camp-none kg-hollow", "Finding"),
        ("n", None, "kg-chip kg-camp-none", "Counter-claim"),
        ("n", "here", "kg-chip kg-camp-none", "Counter-claim"),
    ],
)
def test_a_statement_is_marked_with_its_camp_kind_and_whether_it_is_disputed(
    id: str, line_id: str | None, classes: str, label: str, links: LinkMaker
) -> None:
    assert links.statement(id, "../", line_id) == (
        f'<a class="{classes}" href="../statements/{id}.html">{id.upper()}'
        f'<span class="kg-sr"> ({label})</span></a>'
    )


@every_row(("id", "line_id", "is_other"), [("a", "same", False), ("a", "here", True)])
def test_a_camp_that_is_not_that_of_the_note_is_said_to_be_the_lines(
    id: str, line_id: str, is_other: bool, links: LinkMaker
) -> None:
    html = links.statement(id, "", line_id)
    assert ("kg-camp-2" in html) is ("Sceptic claim for this" in html) is is_other


@every_row(
    ("id", "classes", "url", "words"),
    [
        ("n", "kg-chip kg-camp-none", "statements/n.html", "N"),
        ("here", "kg-chip kg-chip-line", "lines/here.html", "Here?"),
        ("roe2020", "kg-cite", "sources/roe2020.html", "Roe 2020"),
    ],
)
def test_a_link_leads_to_what_has_the_id_with_its_name_or_other_words(
    id: str, classes: str, url: str, words: str, links: LinkMaker
) -> None:
    link = links.link_of(id, "../")
    assert re.match(r'<a class="(.*?)" href="(.*?)">(.*?)<', link, re.S).groups() == (
        classes,
        f"../{url}",
        words,
    )
    assert f'href="{url}">other words<' in links.link_of(id, "", words="other words")


def test_a_camp_has_a_page_if_the_settings_declare_it(links: LinkMaker) -> None:
    chip = "kg-chip kg-chip-camp"
    declared = f'<a class="{chip} kg-camp-1" href="../camps/optimist.html">Optimist</a>'
    assert links.camp("optimist", "../") == declared
    assert links.camp("other", "../") == f'<span class="{chip} kg-camp-none">Other</span>'
    assert (links.camp_label("skeptic"), links.camp_label(None)) == ("Sceptic", "No camp")


@every_row(("kind", "is_hollow"), [(None, False), (Kind.CLAIM, False), (Kind.EVIDENCE, True)])
def test_the_mark_of_evidence_is_hollow(
    kind: Kind | None, is_hollow: bool, links: LinkMaker
) -> None:
    hollow = " kg-hollow" if is_hollow else ""
    mark = f'<span class="kg-mark kg-circle kg-camp-1{hollow}" aria-hidden="true"></span>'
    assert links.mark("optimist", kind) == mark


ROE = '<a class="kg-cite" href="sources/roe2020.html">Roe 2020</a>'
LEE = (
    '<a class="kg-cite" href="sources/lee2021.html">Lee 2021'
    '<strong class="kg-retracted"> (retracted)</strong></a>'
)
GONE = (
    '<span class="kg-missing" title="This leads nowhere yet">@gone'
    '<span class="kg-sr"> (missing)</span></span>'
)


def test_sources_are_linked_flagged_or_marked_as_missing(links: LinkMaker) -> None:
    assert links.sources(["roe2020", "lee", "gone"], "") == f"{ROE}; {LEE}; {GONE}"
    assert links.source_or_missing("a", "") == GONE.replace("@gone", "@a"), "a claim is no source"
    paper = (
        '<span class="kg-read">\u00a0<a href="https://doi.org/10.1/x" aria-label="Read R" '
        'title="Read R" '
        'rel="noopener noreferrer external" class="kg-out">↗</a></span>'
    )
    assert links.papers(["roe2020", "lee", "gone"], "") == f"{ROE}{paper}; {LEE}; {GONE}"


def test_topics_with_statements_are_linked_and_explained_by_the_glossary(links: LinkMaker) -> None:
    assert links.topics(["rem-sleep", "naps"], "../") == [
        '<a class="kg-tag" href="../topics/rem-sleep.html" title="A phase.">Rem sleep</a>',
        '<span class="kg-tag">Naps</span>',
    ]


SIGN = Html("<i></i>")


@every_row(
    ("words", "signs", "html"),
    [
        ("a & b", SIGN, 'a &amp; <span class="kg-nowrap">b<i></i></span>'),
        ("b", SIGN, '<span class="kg-nowrap">b<i></i></span>'),
        ("a & b", EMPTY, "a &amp; b"),
        (Html("a <b>c</b>"), SIGN, "a <b>c</b><i></i>"),
        (Html("<b>a</b> c"), SIGN, '<b>a</b> <span class="kg-nowrap">c<i></i></span>'),
        ("a <b", SIGN, "a &lt;b<i></i>"),
    ],
)
def test_signs_stay_on_the_line_of_the_last_word_unless_it_has_markup(
    words: Child, signs: Html, html: str
) -> None:
    assert with_marks(words, signs) == html


def test_a_statement_with_reasons_on_both_sides_is_disputed(links: LinkMaker) -> None:
    corpus = corpus_of_notes(
        a=claim_text("A", "optimist"),
        b=claim_text("B", "optimist"),
        c=claim_text("C", "skeptic", "supports:: [[a]]", "contradicts:: [[b]]"),
    )
    assert [id for id in "abc" if is_disputed(corpus, id)] == []
    assert [id for id in ("a", "b", "e", "n") if is_disputed(links.corpus, id)] == ["a"]


def test_a_finding_has_a_camp_only_within_a_question(links: LinkMaker) -> None:
    assert links.camp_shown("e") is None
    assert "kg-camp-none" in links.statement("e", "")
    assert links.camp_shown("e", "here") == "optimist"
    assert "kg-camp-1" in links.statement("e", "", "here")
    assert links.camp_shown("a") == "optimist"
