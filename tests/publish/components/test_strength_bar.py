"""Bars and words that say how firmly a statement stands."""

from __future__ import annotations

import re
from typing import Any

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.strength_bar import (
    describe_quality_and_works,
    describe_weights,
    draw_bar,
    signs_of,
    standing_line,
    standing_words,
)
from kg.publish.context.standings import Standing
from kg.publish.markup.html import Html, element
from kg.reasoning.sureness_words import LimitedSureness, Sureness, SurenessLimit
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text, visible_text

HALF = 50
ONE_SOURCE = LimitedSureness(Sureness.PERHAPS, SurenessLimit.ONE_SOURCE)
EVEN = LimitedSureness(Sureness.UNDECIDED, SurenessLimit.EVEN)


def bars_of(corpus: Corpus, id: str) -> tuple[Html, Html]:
    """The bar of a statement, and its gauge in running text."""
    builder = builder_of(corpus)
    return draw_bar(builder.standing(id), builder.settings), signs_of(builder, id)


def test_weak_evidence_has_a_short_bar_from_the_left_and_is_not_drawn_as_refuted():
    corpus = corpus_of_notes(
        p=claim_text("P", "optimist"), weak=evidence_text("Weak", 0.25, "supports:: [[p]]")
    )
    bar, gauge = bars_of(corpus, "weak")
    assert bar == (
        '<span class="kg-bar kg-bar-quality kg-wide-25" role="img" title="quality 0.25"></span>'
    )
    assert "<title>quality 0.25</title>" in gauge
    assert re.search(r'<rect x="0" [^>]*class="kg-bar-quality"', gauge)
    assert "kg-bar-against" not in gauge
    assert "kg-bar-for" not in gauge


def test_a_bar_shows_what_objections_leave_of_evidence():
    corpus = corpus_of_notes(
        attacked=evidence_text("Attacked", 0.55),
        con=evidence_text("Con", 0.9, "contradicts:: [[attacked]]"),
    )
    whole, gauge = bars_of(corpus, "attacked")
    left = builder_of(corpus).context.standings.of("attacked").strength
    assert left is not None
    text = "quality 0.55"
    assert f"<title>{text}</title>" in gauge
    supported = corpus_of_notes(
        attacked=evidence_text("Attacked", 0.55),
        con=evidence_text("Con", 0.9, "contradicts:: [[attacked]]"),
        pro=evidence_text("Pro", 0.9, "supports:: [[attacked]]"),
    )
    assert ", disputed</title>" in bars_of(supported, "attacked")[1]
    assert f'title="{text}"><i class="kg-wide-55"></i></span>' in whole
    assert f" kg-wide-{left:.2f}".replace("0.", "") in whole
    assert "<i" not in bars_of(corpus, "con")[0]


def test_strengths_that_read_alike_have_the_same_bar() -> None:
    """And evidence that lost less than is shown has no outline."""
    one, other = (
        draw_bar(Standing(each, "supported", held_strength=each), Reasoning())
        for each in (0.721, 0.719)
    )
    assert one == other
    evidence_bars = [
        draw_bar(Standing(strength, "quality 0.55", quality=quality), Reasoning())
        for strength, quality in ((0.549, 0.551), (0.551, 0.549))
    ]
    assert evidence_bars[0] == evidence_bars[1]
    assert "<i" not in evidence_bars[0]


@every_row(
    ("strength", "value", "side", "bar", "line"),
    [
        (0.89, 0.6, "for", 10, 40),
        (0.11, 0.4, "against", 10, 40),
        (0.89, 0.89, "for", 40, 0),
        (0.89, 0.5, "for", 0, 40),
        (0.11, 0.5, "against", 0, 40),
    ],
)
def test_a_bar_goes_as_far_as_its_word_and_a_line_on_to_its_strength(
    strength: float, value: float, side: str, bar: int, line: int
) -> None:
    html = draw_bar(
        Standing(
            strength,
            "supported",
            sureness_basis=LimitedSureness(Sureness.PERHAPS),
            held_strength=value,
        ),
        Reasoning(),
    )
    width = f" kg-wide-{bar}" if bar else ""
    assert f'class="kg-bar kg-bar-{side}{width}"' in html
    assert (f'<i class="kg-wide-{line}"></i>' in html) is bool(line)
    assert (f", strength {strength:.2f}" in html) is (not line)  # a word held back stands alone


@every_row(("id", "less"), [("attacked", True), ("alone", False)])
def test_lists_and_the_page_of_evidence_say_its_quality_alike(id: str, less: bool) -> None:
    corpus = corpus_of_notes(
        attacked=evidence_text("Attacked", 0.55),
        con=evidence_text("Con", 0.9, "contradicts:: [[attacked]]"),
        alone=evidence_text("Alone", 0.3),
    )
    builder = builder_of(corpus)
    word = "quality 0.55" if less else "quality 0.30"
    graded = "Fair, limited after objections" if less else "Limited"
    listed, headed = standing_words(builder, id), standing_line(builder, id)
    words = f"{graded}: graded by its note"
    for text in (listed, headed):
        assert f">{words}<" in text
        assert f'title="{word}"' in text
    short = element("p", *describe_quality_and_works(builder, corpus.statements[id]))
    assert f"{words}. " in short


def test_the_quality_of_a_study_is_shown_in_words_alone() -> None:
    note = evidence_text("Study", 0.5).replace("quality: 0.5", "method: experiment")
    corpus = corpus_of_notes(study=note)
    short = element(
        "p", *describe_quality_and_works(builder_of(corpus), corpus.statements["study"])
    )
    words = "Fair: experiment, sample size unknown, not known to be peer reviewed. "
    assert short.startswith(f"<p>{words}")
    assert "quality" not in short


@every_row(("id", "word"), [("backed", "perhaps"), ("refuted", "perhaps not")])
def test_the_page_of_a_claim_says_in_one_sentence_what_holds_its_word_back(
    id: str, word: str
) -> None:
    corpus = corpus_of_notes(
        backed=claim_text("Backed", "optimist"),
        refuted=claim_text("Refuted", "optimist"),
        study=evidence_text("Study", 0.9, "supports:: [[backed]]", "contradicts:: [[refuted]]"),
    )
    text = visible_text(standing_line(builder_of(corpus), id))
    surest = word.replace("perhaps", "probably")
    why = f"Added up, the reasons give “{surest}”. But it depends on one source"
    assert text == f"{word.capitalize()} {why}. So we say “{word}”."


@every_row(("id", "side"), [("backed", "for"), ("refuted", "against")])
def test_only_what_is_refuted_is_drawn_to_the_left(id: str, side: str) -> None:
    corpus = corpus_of_notes(
        backed=claim_text("Backed", "optimist"),
        refuted=claim_text("Refuted", "optimist"),
        study=evidence_text("Study", 0.9, "supports:: [[backed]]", "contradicts:: [[refuted]]"),
    )
    bar, gauge = bars_of(corpus, id)
    assert f'class="kg-bar-{side}"' in gauge
    match = re.search(rf'class="kg-bar kg-bar-{side} kg-wide-(\d+)"', bar)
    assert match
    assert 0 < int(match[1]) <= HALF


@every_row(
    ("fields", "words"),
    [
        ({"word": "supported", "sureness_basis": ONE_SOURCE}, "for"),
        ({"word": "undecided", "sureness_basis": EVEN}, ""),  # its word says so itself
        ({"word": "undecided"}, "against"),
        ({"word": "supported", "pro": 0.0, "con": 0.0}, ""),
        ({"word": "supported", "quality": 0.6}, ""),
    ],
)
def test_how_reasons_compare_is_said_where_the_word_does_not_say_it(
    fields: dict[str, Any], words: str
) -> None:
    standing = Standing(**{"strength": 0.6, "pro": 1.2, "con": 0.2, **fields})
    text = describe_weights(standing)
    assert (words in text, bool(text)) == (True, bool(words))
