"""What a page says of an answer is what verdict and independence say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from kg.corpus import Corpus
from kg.loader import load_corpus
from kg.model import Kind
from kg.publish.context.standings import Standing
from kg.publish.markup.address import Addresses
from kg.reasoning import LineWithoutProposition, flips, independence, reading_of, verdict
from kg.reasoning.answers.independence import ROUNDING
from kg.reasoning.reading import Reading
from kg.reasoning.strength_words import render_strength
from kg.reasoning.sureness_words import answer_phrase, is_held_back
from kg.text.plurals import number_in_words
from tests.publish.pages.shown_pages import FOLDERS, corpus_and_pages, text_without_pictures
from tests.support.effort import TIMES
from tests.support.own import NOTES, new_reading

pytestmark = pytest.mark.integration

MANY = 50
Thing = TypeVar("Thing")


@cache
def reading_in(folder: Path) -> Reading:
    """A reading of its own: nothing that pages worked out is in it."""
    return new_reading() if folder == NOTES else reading_of(load_corpus(folder))


def verdict_of_page(html: str) -> str:
    """The paragraph under the title of a statement's page."""
    match = re.search(r'<p class="kg-verdict-words"[^>]*>(.*?)</p>', html, re.DOTALL)
    assert match
    return text_without_pictures(match[1])


def claims(corpus: Corpus) -> Sequence[str]:
    return [id for id, each in corpus.statements.items() if each.kind is not Kind.EVIDENCE]


def some(things: Sequence[Thing]) -> Sequence[Thing]:
    """Every fourth where there are many; all of them where time is no matter."""
    return things[:: 1 if TIMES > 1 or len(things) < MANY else 4]


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_the_page_of_a_claim_says_what_is_answered_of_it(folder: Path) -> None:
    (corpus, html), reading = corpus_and_pages(folder), reading_in(folder)
    url = Addresses(corpus).of
    for id in some(claims(corpus)):
        page = html[url(id)]
        answer = verdict(reading, id)
        word = answer_phrase(answer.word, answer.sureness)
        assert re.match(rf"{word.capitalize()}[ ,]", verdict_of_page(page)), id
        is_held = is_held_back(answer.strength, answer.held_strength)
        number = render_strength(answer.strength, corpus.config.reasoning)
        strength = "" if is_held else f", strength {number}"
        assert re.search(rf'title="{re.escape(word)}( \([\w ]+\))?{strength}"', page), id
        if answer.balance.pro + answer.balance.con:
            pro, con = f"{answer.balance.pro:.2f}", f"{answer.balance.con:.2f}"
            assert f'title="Reasons weigh {pro} for, {con} against"' in page, id


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_the_page_of_evidence_says_what_is_answered_of_it(folder: Path) -> None:
    (corpus, html), reading = corpus_and_pages(folder), reading_in(folder)
    url = Addresses(corpus).of
    for each in some(corpus.evidence):
        word = Standing(None, verdict(reading, each.id).word, quality=0.5).answer_phrase
        assert word in html[url(each.id)], each.id


@pytest.mark.parametrize("folder", FOLDERS, ids=("own", "golden"))
def test_the_page_of_a_line_says_what_is_answered_of_it(folder: Path) -> None:
    (corpus, html), reading = corpus_and_pages(folder), reading_in(folder)
    labels = {camp.id: camp.label for camp in corpus.config.camps}
    for line in corpus.lines.values():
        if line.proposition is None:
            continue
        record, rests = (ask(reading, line.id).to_dict() for ask in (verdict, independence))
        text = text_without_pictures(html[f"lines/{line.id}.html"])
        assert record["sureness"].capitalize() in text
        assert f"strength {record['strength']:.2f}" in text
        pro, con = (
            {e["source_group"] for e in rests["effects"] if e[side] > ROUNDING}
            for side in ("pro", "con")
        )
        assert f"This number rests on {len(pro | con)} independent" in text
        lost = flips(reading, line.id, by="source")
        assert not isinstance(lost, LineWithoutProposition)
        count_alone = len(lost.singles) + len(lost.undoing)
        together = len(lost.minimal_undoing[0].removed) if lost.minimal_undoing else 0
        needed = re.findall(r"would undo the answer. Leave out (?:all )?(\w+) of these", text)
        needed = [each.replace("both", "two") for each in needed]
        assert needed == ([number_in_words(together)] if together and not count_alone else [])
        for camp in record["camps"]:
            assert f"{labels[camp['camp']]} {camp['strength']:.2f}" in text


def test_our_essays_name_what_would_change_their_answers_first() -> None:
    corpus, pages = corpus_and_pages(NOTES)
    for id, line in corpus.lines.items():
        box = re.search(
            r'class="kg-settles">(.*?)(?:</p>|<span class="kg-firm">)',
            pages[f"lines/{id}.html"],
            re.S,
        )
        assert box, id
        claim = re.search(r'href="\.\./statements/([\w-]+)\.html', box[1])
        essay_end = line.essay.partition("## What stays open")[2]
        if claim:
            assert f"/{claim[1]}.md" in essay_end
        else:  # no single claim would; then no essay says that one does
            assert "would change the answer most" not in essay_end
