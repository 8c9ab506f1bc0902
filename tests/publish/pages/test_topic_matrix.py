"""The page of all topics: how claims stand, how much evidence there is, how many lines share it.

Of `kg/publish/pages/topics.py`.
"""

from __future__ import annotations

import re

import pytest

from kg.corpus import Corpus
from kg.publish.context.site_context import SiteContext
from kg.publish.context.standings import ClaimsByResult, Standing
from kg.publish.markup.address import Addresses
from kg.publish.page import make_page
from kg.publish.pages.topics import topic_matrix_pages
from kg.reasoning.sureness_words import LimitedSureness, Sureness
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import claim_text, line_text, visible_text
from tests.support.page_checks import PageElements

TALK = "topics: [talk]\n"
BIB = "@article{s, title = {S}, author = {A}, year = {2020}}\n"


def study(title: str, *edges: str) -> str:
    below = "\n".join(f"- {edge}" for edge in edges)
    return f"---\ntype: evidence\nquality: 0.6\n{TALK}---\n\n# {title}\n\nSeen [@s].\n\n{below}\n"


def html_of(corpus: Corpus) -> str:
    (draft,) = topic_matrix_pages(SiteContext(Addresses(corpus)))
    return make_page(draft).html


def cells_of(html: str) -> list[list[str]]:
    rows = re.search(r"<tbody>.*?</tbody>", html, re.DOTALL)
    assert rows
    return [
        [visible_text(cell).strip() for cell in re.split(r"(?=<t[dh][ >])", row)[1:]]
        for row in rows[0].split("<tr>")[1:]
    ]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_notes(
        references=BIB,
        pro=claim_text("Pro", "optimist", head=TALK),
        con=claim_text("Con", "skeptic", head=TALK),
        alone=claim_text("Alone", "optimist", head="topics: [sleep]\n"),
        one=study("One", "supports:: [[pro]]", "contradicts:: [[con]]"),
        two=study("Two", "supports:: [[con]]"),
        three=study("Three", "supports:: [[con]]", "supports:: [[pro]]"),
        first=line_text("First?", "optimist:: [[pro]]", "skeptic:: [[con]]"),
        second=line_text("Second?", "optimist:: [[con]]"),
    )


def test_a_topic_tells_its_claims_and_its_evidence(corpus: Corpus) -> None:
    html = html_of(corpus)
    assert PageElements(html).wrong == []
    talk, sleep = cells_of(html)
    assert talk[0].startswith("Talk")
    assert talk[3] == "3 from 1 independent source", "they cite the same work"
    assert talk[1:3] == ["2", "1"]
    assert sleep[1:] == ["1", "1", "–"]


@every_row(
    ("sureness", "word", "steps", "place"),
    [
        ("very probably", "strongly supported", 3, "very_probably"),
        ("probably", "supported", 2, "probably"),
        ("perhaps", "thinly supported", 1, "perhaps"),
        ("undecided", "contested", 0, "undecided"),
        ("undecided", "supported", 0, "undecided"),
        ("undecided, leaning towards", "leans refuted", 0, "undecided"),
        ("", "not settled", 0, "undecided"),
        ("perhaps", "refuted", -1, "perhaps_not"),
        ("probably", "refuted", -2, "probably_not"),
        ("very probably", "strongly refuted", -3, "very_probably_not"),
    ],
)
def test_every_claim_is_counted_once_by_its_steps(
    sureness: str, word: str, steps: int, place: str
) -> None:
    basis = LimitedSureness(Sureness(sureness))
    standing = Standing(strength=None, word=word, sureness_basis=basis)
    assert standing.sureness_steps == steps
    counts = ClaimsByResult.from_claims([standing])
    assert (counts.claims, getattr(counts, place)) == (1, 1)


def test_the_page_begins_with_what_is_least_settled_and_thinnest_of_topics_of_some_size() -> None:
    notes = {}
    for topic, size, undecided in (("small", 1, 1), ("open", 5, 4), ("firm", 6, 0)):
        for n in range(size):
            notes[f"{topic}{n}"] = claim_text(
                f"{topic} {n}", "optimist", head=f"topics: [{topic}]\n"
            )
            if n >= undecided:
                edge = f"supports:: [[{topic}{n}]]"
                notes[f"pro-{topic}{n}"] = study(f"Pro {topic} {n}", edge)
    html = html_of(corpus_of_notes(references=BIB, **notes))
    (lead,) = re.findall(r"<p class=\"kg-standfirst\">.*?</p>", html)
    assert visible_text(lead) == (
        "We know least about Open: 4 of 5 claims are undecided. "
        "The evidence is thinnest on Open: no independent sources for 5 claims."
    )
    small = {id: text for id, text in notes.items() if "small" in id}
    assert "kg-standfirst" not in html_of(corpus_of_notes(references=BIB, **small))


def test_a_corpus_without_topics_has_a_matrix_that_says_so() -> None:
    assert "None yet." in html_of(corpus_of_notes(it=claim_text("It", "optimist")))
