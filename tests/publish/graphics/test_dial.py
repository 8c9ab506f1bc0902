"""The dial of a line: its needle, its band, and a mark for each camp that sees an answer."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import pytest

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.graphics.dial import BREADTH, EDGE, dial, draw_dial
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.verdict_words import Outcome, Word, word_for
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim, evidence, line


@pytest.fixture(scope="module")
def weighed(corpus_of: Callable[..., Corpus]) -> Corpus:
    return corpus_of(
        asked=claim("Asked", "optimist"),
        pro=claim("Pro", "optimist", "supports:: [[asked]]"),
        study=evidence("Study", 0.8, "supports:: [[pro]]"),
        here=line("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )


def verdict_of(corpus: Corpus) -> Verdict:
    found = builder_of(corpus).context.strengths.verdict("here")
    assert found is not None
    return found


def needle(drawn: str) -> float:
    found = re.search(r'class="kg-needle[^"]*"><polygon points="[^ ]+ [^ ]+ ([\d.]+),', drawn)
    assert found
    return float(found[1])


def drawn_at(corpus: Corpus, strength: float, sureness: str, word: Word) -> str:
    """The scale of an answer with this strength and these words."""
    found = msgspec.structs.replace(
        verdict_of(corpus), strength=strength, sureness=sureness, word=word
    )
    return draw_dial(builder_of(corpus), found)


@every_row(("strength", "place"), [(0.05, 25), (0.5, BREADTH / 2), (0.9, 280), (1, BREADTH - EDGE)])
def test_the_needle_stands_where_the_answer_is(
    weighed: Corpus, strength: float, place: float
) -> None:
    drawn = drawn_at(
        weighed, strength, "very probably", word_for(Outcome(strength, 9, 9), Reasoning())
    )
    assert needle(drawn) == place
    assert "kg-by-weights" not in drawn


@every_row("strength", [0.11, 0.89])
def test_the_needle_stands_no_farther_than_its_word_reaches(
    weighed: Corpus, strength: float
) -> None:
    word = word_for(Outcome(strength, 2, 2), Reasoning())
    drawn = drawn_at(weighed, strength, "perhaps", word)
    surer = drawn_at(weighed, abs(strength - 0.28), "probably", word)
    middle = BREADTH / 2
    assert abs(needle(drawn) - middle) < abs(needle(surer) - middle)
    held = 0.6 if strength > 0.5 else 0.4
    assert needle(drawn) == EDGE + held * (BREADTH - 2 * EDGE)
    mark = re.search(r'points="[^ ]+ [^ ]+ ([\d.]+),12" class="kg-by-weights"', drawn)
    assert mark
    assert float(mark[1]) == EDGE + strength * (BREADTH - 2 * EDGE)
    assert f"At {held:.2f} on a scale" in drawn
    assert f"as far as “perhaps” reaches, by the weights alone {strength:.2f}" in drawn


def test_the_key_names_the_mark_of_the_weights_where_one_is_drawn(weighed: Corpus) -> None:
    for sureness, is_named in (("perhaps", True), ("probably", False)):
        found = msgspec.structs.replace(
            verdict_of(weighed), strength=0.8, word=Word.SUPPORTED, sureness=sureness
        )
        drawn = dial(builder_of(weighed), weighed.lines["here"], found) or ""
        assert ("kg-by-weights" in drawn) is is_named
        assert ("by the weights alone, and graded differently</span>" in drawn) is is_named
        assert (">graded differently</span>" in drawn) is not is_named
        assert ('class="kg-band kg-held"' in drawn) is is_named, "as faint as the mark in it"


def test_who_does_not_see_the_dial_is_told_the_answer_its_spread_and_each_camp(
    weighed: Corpus,
) -> None:
    found = msgspec.structs.replace(verdict_of(weighed), sureness="probably")
    drawn = dial(builder_of(weighed), weighed.lines["here"], found)
    assert drawn is not None
    title = re.findall(r"<title>(.*?)</title>", drawn)[0]
    assert title.startswith(f"Strength {found.strength:.2f} on a scale from 0 (does not hold)")
    assert f"between {found.low:.2f} and {found.high:.2f} in nine of ten trials" in title
    seen = [view for view in found.camps if view.strength is not None]
    assert title.count(" alone 0.") == len(seen) > 0
    assert drawn.count('class="kg-camp-') == len(seen)


def test_the_band_goes_from_the_lowest_to_the_highest(weighed: Corpus) -> None:
    found = verdict_of(weighed)
    drawn = draw_dial(builder_of(weighed), found)
    band = re.search(r'<rect x="([\d.]+)" width="([\d.]+)"[^>]*class="kg-band( kg-held)?"', drawn)
    assert band
    scale = BREADTH - 2 * EDGE
    assert found.low is not None
    assert found.high is not None
    assert float(band[1]) == pytest.approx(EDGE + found.low * scale, abs=0.06)
    assert float(band[2]) == pytest.approx((found.high - found.low) * scale, abs=0.06)


def test_the_key_names_only_what_is_drawn(weighed: Corpus) -> None:
    found = msgspec.structs.replace(
        verdict_of(weighed), low=None, high=None, camps=(), sureness="probably"
    )
    drawn = dial(builder_of(weighed), weighed.lines["here"], found)
    assert drawn is not None
    named = re.findall(r"</span> ([^<]+)</span>", drawn)
    assert named == ["answer"]


@every_row(
    ("sureness", "hollow"),
    [
        ("undecided", True),
        ("undecided, leaning towards", True),
        ("perhaps", True),
        ("probably", False),
        ("very probably", False),
    ],
)
def test_a_needle_is_hollow_where_the_answer_is_not_to_be_relied_on(
    weighed: Corpus, sureness: str, hollow: bool
) -> None:
    found = msgspec.structs.replace(verdict_of(weighed), sureness=sureness)
    drawn = dial(builder_of(weighed), weighed.lines["here"], found) or ""
    assert ("kg-needle kg-unsure" in drawn) == hollow
    assert ("kg-key-unsure" in drawn) == hollow


def test_the_ends_are_the_answers_of_the_line_where_it_names_both(weighed: Corpus) -> None:
    line = weighed.lines["here"]
    answers = msgspec.structs.replace(line.answers, holds="Much: it does.", fails="Little.")
    named = msgspec.structs.replace(line, answers=answers)
    drawn = dial(builder_of(weighed), named, verdict_of(weighed)) or ""
    assert '<span title="Little.">surely “Little”</span>' in drawn
    assert '<span title="Much: it does.">surely “Much”</span>' in drawn
    assert "holds:" not in drawn
    assert "How sure it is that this holds:" in (
        dial(builder_of(weighed), line, verdict_of(weighed)) or ""
    )
