"""The dial of a line: its bar, its line, and a mark for each camp that sees an answer."""

from __future__ import annotations

import re

import msgspec
import pytest

from kg.corpus import Corpus
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.graphics.dial import (
    BREADTH,
    END_ROOM,
    PLACES,
    SCALE_WORDS,
    dial,
    draw_dial,
    legend_of_camps,
    legend_of_small_dials,
    place_on_scale,
    scale_of,
    small_dial,
    steps_of_scale,
)
from kg.reasoning.answers.verdict import Verdict
from kg.reasoning.strength_words import StrengthWord, WeighingOutcome, strength_word
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.note_texts import builder_of, claim_text, evidence_text, line_text


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_notes(
        asked=claim_text("Asked", "optimist"),
        pro=claim_text("Pro", "optimist", "supports:: [[asked]]"),
        study=evidence_text("Study", 0.8, "supports:: [[pro]]"),
        here=line_text("Here?", "optimist:: [[asked]]", head="proposition: asked\n"),
    )


def verdict_of(corpus: Corpus) -> Verdict:
    verdict = builder_of(corpus).context.answers.verdict("here")
    assert verdict is not None
    return verdict


def ends_of_bar(drawing: str) -> tuple[float, float]:
    match = re.search(r'd="M([\d.]+) 0H([\d.]+)" class="kg-dial-answer"', drawing)
    assert match
    return float(match[1]), float(match[2])


def drawn_at(corpus: Corpus, strength: float, sureness: str, word: StrengthWord) -> str:
    """The scale of an answer with this strength and these words."""
    verdict = msgspec.structs.replace(
        verdict_of(corpus), strength=strength, sureness=sureness, word=word
    )
    return draw_dial(builder_of(corpus), verdict)


@every_row(("strength", "place"), [(0.01, 18.2), (0.99, 301.8), (1, BREADTH - END_ROOM)])
def test_the_bar_goes_from_the_middle_to_the_answer(
    corpus: Corpus, strength: float, place: float
) -> None:
    word = strength_word(WeighingOutcome(strength, 9, 9), Reasoning())
    text = drawn_at(corpus, strength, "very probably", word)
    assert ends_of_bar(text) == (BREADTH / 2, place)


@every_row(
    ("sureness", "strength", "con"),
    [
        ("undecided", 0.58, 4),
        ("undecided, leaning towards", 0.8, 0),
        ("perhaps", 0.55, 0),
        ("perhaps", 0.64, 4),
        ("perhaps", 0.89, 0),
        ("probably", 0.61, 4),
        ("probably", 0.97, 0),
        ("very probably", 0.96, 0),
    ],
)
def test_the_bar_ends_in_the_part_of_its_word_whatever_the_strength(
    corpus: Corpus, sureness: str, strength: float, con: float
) -> None:
    word = strength_word(WeighingOutcome(strength, 4, con), Reasoning())
    _, end = ends_of_bar(drawn_at(corpus, strength, sureness, word))
    part = SCALE_WORDS.index(sureness.partition(",")[0]) - len(SCALE_WORDS) // 2
    place = (end - END_ROOM) / (BREADTH - 2 * END_ROOM) - 0.5
    assert PLACES[part] - 1e-3 <= place <= PLACES[part + 1] + 1e-3
    verdict = msgspec.structs.replace(
        verdict_of(corpus), strength=strength, sureness=sureness, word=word
    )
    drawing = dial(builder_of(corpus), corpus.lines["here"], verdict) or ""
    assert f">{SCALE_WORDS[len(SCALE_WORDS) // 2 + part]}</text>" in drawing


def test_a_bar_can_be_seen_where_the_answer_is_in_the_middle(corpus: Corpus) -> None:
    start, end = ends_of_bar(drawn_at(corpus, 0.5, "undecided", StrengthWord.EVEN))
    assert start < BREADTH / 2 < end


@every_row(("strength", "middle"), [(0.11, 0.435), (0.64, 0.565), (0.89, 0.565)])
def test_a_bar_held_back_ends_in_the_part_of_its_word(
    corpus: Corpus, strength: float, middle: float
) -> None:
    word = strength_word(WeighingOutcome(strength, 2, 2), Reasoning())
    text = drawn_at(corpus, strength, "perhaps", word)
    steps = steps_of_scale(Reasoning())
    place = END_ROOM + place_on_scale(steps, middle) * (BREADTH - 2 * END_ROOM)
    assert ends_of_bar(text) == (BREADTH / 2, pytest.approx(place, abs=0.06))
    assert "<title>perhaps" in text
    assert f"{strength:.2f}" not in text  # beside a word that it contradicts


def test_no_perhaps_has_a_longer_bar_than_a_probably(corpus: Corpus) -> None:
    settings = Reasoning()
    lengths: dict[str, list[float]] = {"perhaps": [], "probably": []}
    for sureness, ends in lengths.items():
        for strength in (0.61, 0.7, 0.89, 0.97):
            word = strength_word(WeighingOutcome(strength, 4, 0), settings)
            start, end = ends_of_bar(drawn_at(corpus, strength, sureness, word))
            ends.append(end - start)
    assert max(lengths["perhaps"]) <= min(lengths["probably"])


def test_the_word_that_a_bar_reaches_is_marked(corpus: Corpus) -> None:
    for sureness in ("perhaps", "probably"):
        verdict = msgspec.structs.replace(
            verdict_of(corpus), strength=0.8, word=StrengthWord.SUPPORTED, sureness=sureness
        )
        drawing = dial(builder_of(corpus), corpus.lines["here"], verdict) or ""
        assert re.findall(r'kg-reached">(.*?)<', drawing) == [sureness]


def test_the_title_of_the_dial_says_the_answer_and_the_strength_of_each_camp(
    corpus: Corpus,
) -> None:
    verdict = msgspec.structs.replace(verdict_of(corpus), sureness="probably")
    svg = dial(builder_of(corpus), corpus.lines["here"], verdict)
    assert svg is not None
    title = re.findall(r"<title>(.*?)</title>", svg)[0]
    assert title.startswith(f"probably, strength {verdict.strength:.2f};")
    assert title.endswith("on a scale from 0 (does not hold) to 1 (holds)")
    camps = [view for view in verdict.camps if view.strength is not None]
    assert title.count(" reasons alone 0.") == len(camps) > 0
    assert svg.count('<g class="kg-camp-') == len(camps)


def test_a_small_scale_has_its_word_and_both_answers(corpus: Corpus) -> None:
    line = corpus.lines["here"]
    answers = msgspec.structs.replace(line.answers, holds="Much: it does.", fails="Little.")
    line_with_answers = msgspec.structs.replace(line, answers=answers)
    verdict = msgspec.structs.replace(verdict_of(corpus), strength=0.8, sureness="perhaps")
    html = small_dial(builder_of(corpus), line_with_answers, verdict)
    words = ["perhaps", "very probably", "undecided", "very probably"]
    assert re.findall(r"<text [^>]*>([^<]*)</text>", html) == words
    (strokes,) = re.findall(r'd="([^"]*)" class="kg-scale-steps"', html)
    assert strokes.count("M") == len(SCALE_WORDS) - 1
    assert '<span title="Little.">Little</span>' in html
    assert '<span title="Much: it does.">Much</span>' in html
    assert '<span class="kg-reached">perhaps</span>' in html


def test_a_word_that_would_run_into_that_of_the_answer_is_left_out(corpus: Corpus) -> None:
    drawing = drawn_at(corpus, 0.99, "very probably", StrengthWord.SUPPORTED)
    others = re.findall(r'class="kg-scale-far[^>]*>([^<]*)</text>', drawing)
    assert others == ["very probably", "undecided"]


def test_the_camp_named_first_argues_for_the_right_end_of_every_scale() -> None:
    """Two questions, of which a camp affirms the claim of one and denies that of the other."""
    corpus = corpus_of_notes(
        **{
            f"asked{n}": claim_text(f"Asked {n}", camp)
            for n, camp in enumerate(("optimist", "skeptic"))
        },
        pro=evidence_text("Pro", 0.8, "supports:: [[asked0]]", "contradicts:: [[asked1]]"),
        con=evidence_text("Con", 0.1, "contradicts:: [[asked0]]", "supports:: [[asked1]]"),
        here=line_text(
            "Here?", "optimist:: [[pro]]", "skeptic:: [[con]]", head="proposition: asked0\n"
        ),
        there=line_text(
            "There?", "optimist:: [[pro]]", "skeptic:: [[con]]", head="proposition: asked1\n"
        ),
    )
    builder, drawings = builder_of(corpus), []
    for name in ("here", "there"):
        verdict = builder.context.answers.verdict(name)
        assert verdict
        assert scale_of(corpus.config, verdict).is_mirrored is (name == "there")
        drawing = dial(builder, corpus.lines[name], verdict) or ""
        marks = dict(
            re.findall(r'<g class="(kg-camp-\d)"><[^>]*?(?:cx="|translate\()([\d.]+)', drawing)
        )
        ends = re.findall("<span>(It [^<]*)</span>", drawing)
        guessed = re.findall('data-kg-word="(.)"', draw_dial(builder, verdict, in_list=True))
        assert guessed == ["4"]
        drawings.append((ends_of_bar(drawing), marks, guessed))
        assert (ends[0] == "It holds") is (name == "there")
    (bar, marks, _), other = drawings
    assert bar[1] > BREADTH / 2 < float(marks["kg-camp-1"])
    assert float(marks["kg-camp-2"]) < BREADTH / 2
    assert other == drawings[0]


def test_a_grade_of_evidence_has_no_place_among_the_words() -> None:
    corpus = corpus_of_notes(
        pro=evidence_text("Pro", 0.8),
        here=line_text("Here?", "optimist:: [[pro]]", head="proposition: pro\n"),
    )
    drawing = draw_dial(builder_of(corpus), verdict_of(corpus), in_list=True)
    assert "kg-dial-answer" in drawing
    assert "data-kg-word" not in drawing


def test_the_key_of_a_list_has_the_words_of_the_scales_unless_nothing_has_one(
    corpus: Corpus,
) -> None:
    builder, verdict = builder_of(corpus), verdict_of(corpus)
    words = [f"<span>{each.removesuffix(' not')}</span>" for each in SCALE_WORDS]
    ends = f'<p class="kg-ends">{"".join(words)}</p>'
    legend = str(legend_of_small_dials(builder, [verdict]))
    assert ends in legend
    assert "our answer" in legend
    without_scale = msgspec.structs.replace(verdict, strength=None)
    assert legend_of_small_dials(builder, [without_scale]) is None


@every_row("strength", [0.02, 0.5, 0.99])
def test_the_word_of_a_small_scale_lies_within_the_drawing(corpus: Corpus, strength: float) -> None:
    verdict = msgspec.structs.replace(verdict_of(corpus), strength=strength, sureness="probably")
    drawing = draw_dial(builder_of(corpus), verdict, in_list=True)
    label = re.search(r'<text x="([\d.]+)" y="(\d+)"[^>]*>probably</text>', drawing)
    view = re.search(r'viewBox="0 (-\d+) 320 (\d+)"', drawing)
    assert label
    assert view
    assert 20 <= float(label[1]) <= BREADTH - 20
    assert int(label[2]) <= int(view[1]) + int(view[2])


def test_the_key_names_each_camp_that_has_a_mark_once(corpus: Corpus) -> None:
    first = verdict_of(corpus).camps[0]
    views = [
        (msgspec.structs.replace(first, camp=camp, strength=strength),)
        for camp, strength in (("optimist", 0.7), ("optimist", 0.6), ("skeptic", None))
    ]
    verdicts = [msgspec.structs.replace(verdict_of(corpus), camps=each) for each in views]
    key = legend_of_camps(builder_of(corpus), verdicts) or ""
    assert key.count("kg-mark") == key.count("Optimist") == 1
    assert key.endswith(": the answer if only that camp’s reasons counted</span></p>")
    assert legend_of_camps(builder_of(corpus), verdicts[2:]) is None
