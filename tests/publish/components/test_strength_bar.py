"""Bars and words that say how firmly a statement stands."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.model import Kind, Span, Statement
from kg.publish.components.strength_bar import (
    WIDE,
    render_sample,
    signs_of,
    standing_line,
    standing_words,
    strength_bar,
    study_in_short,
    sureness_steps,
)
from kg.publish.markup.html import Html, element
from tests.support.note_texts import builder_of, claim, evidence


def bars_of(corpus: Corpus, id: str) -> tuple[Html, Html]:
    """The bar of a statement, and its gauge in running text."""
    builder = builder_of(corpus)
    return strength_bar(builder, id), signs_of(builder, id)


def test_weak_evidence_is_short_from_the_left_and_not_refuted(corpus_of):
    corpus = corpus_of(p=claim("P", "optimist"), weak=evidence("Weak", 0.25, "supports:: [[p]]"))
    for drawn in bars_of(corpus, "weak"):
        assert "<title>quality 0.25</title>" in drawn
        assert re.search(r'<rect x="0" [^>]*class="kg-bar-quality"', drawn)
        assert "kg-bar-against" not in drawn
        assert "kg-bar-for" not in drawn
    assert 'width="15.0"' in bars_of(corpus, "weak")[0]


def test_a_bar_shows_what_objections_leave_of_evidence(corpus_of):
    corpus = corpus_of(
        attacked=evidence("Attacked", 0.55),
        con=evidence("Con", 0.9, "contradicts:: [[attacked]]"),
    )
    whole, gauge = bars_of(corpus, "attacked")
    left = builder_of(corpus).context.strengths.of("attacked").strength
    assert left is not None
    for drawn in (whole, gauge):
        assert f"<title>quality 0.55, {left:.2f} after objections</title>" in drawn
    assert f'width="{round(left, 2) * WIDE:.1f}"' in whole
    assert f'width="{0.55 * WIDE - 1:.1f}" height="5" class="kg-gauge"' in whole
    assert 'class="kg-gauge"' not in bars_of(corpus, "con")[0]


def test_lists_and_the_page_of_evidence_say_its_quality_alike(corpus_of):
    corpus = corpus_of(
        attacked=evidence("Attacked", 0.55),
        con=evidence("Con", 0.9, "contradicts:: [[attacked]]"),
        alone=evidence("Alone", 0.3),
    )
    builder = builder_of(corpus)
    for id, said, less in (
        ("attacked", builder.context.strengths.of("attacked").word, True),
        ("alone", "quality 0.30", False),
    ):
        listed, headed = standing_words(builder, id), standing_line(builder, id)
        assert said.capitalize() in listed
        assert said.partition(",")[0].capitalize() in headed
        assert ("less what objections take" in headed) is less
        for text in (listed, headed):
            assert f"<title>{said}</title>" in text
        short = element("p", *study_in_short(builder, corpus.statements[id]))
        assert f"{said.capitalize()}. " in short


@pytest.mark.parametrize(
    ("word", "step"),
    [
        ("very probably", 3),
        ("probably", 2),
        ("perhaps not", -1),
        ("perhaps", 1),
        ("very probably not", -3),
        ("undecided", 0),
        ("undecided, leaning towards yes", 0),
    ],
)
def test_a_word_has_as_many_steps_as_it_is_firm(word: str, step: int) -> None:
    assert sureness_steps(word) == step


def test_only_what_is_refuted_is_drawn_to_the_left(corpus_of: Callable[..., Corpus]) -> None:
    corpus = corpus_of(
        backed=claim("Backed", "optimist"),
        refuted=claim("Refuted", "optimist"),
        study=evidence("Study", 0.9, "supports:: [[backed]]", "contradicts:: [[refuted]]"),
    )
    middle = WIDE / 2
    for id, side in (("backed", "for"), ("refuted", "against")):
        bar, gauge = bars_of(corpus, id)
        assert f'class="kg-bar-{side}"' in gauge
        found = re.search(rf'<rect x="([^"]+)" [^>]*width="([^"]+)" [^>]*kg-bar-{side}"', bar)
        assert found
        left, right = float(found[1]), float(found[1]) + float(found[2])
        assert 0 <= left < right <= WIDE
        assert (left if side == "for" else right) == middle


def study(**more: object) -> Statement:
    return Statement(id="s", kind=Kind.EVIDENCE, title="S", span=Span("s.md"), **more)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "–"),
        ({"sample": 1200, "sample_unit": "people"}, "1,200 people"),
        ({"sample": 5}, "5"),
    ],
)
def test_a_sample_is_told_with_its_unit(more: dict[str, object], said: str) -> None:
    assert render_sample(study(**more)) == said
