"""A figure of bars says what the answer is with each set of its rows, as `kg whatif` would."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from kg import reasoning
from kg.corpus import Corpus
from kg.publish.components import countable_bars as module
from kg.publish.components.countable_bars import countable_bars
from kg.publish.graphics.dial import scale_of, strength_shown
from kg.reasoning.sureness_words import SCALE_WORDS, answer_phrase
from tests.support.corpora import corpus_of_notes
from tests.support.note_texts import builder_of, evidence_text, visible_text

FINDINGS = {
    "a": evidence_text("A", 0.9, "supports:: [[claim]]"),
    "b": evidence_text("B", 0.6, "contradicts:: [[claim]]"),
    "c": evidence_text("C", 0.5, "supports:: [[claim]]"),
    "unused": evidence_text("Unused", 0.9),
}
ROWS = "| A | [40%](a.md) |\n| B | at most [90%](b.md) |\n| C | [5%](c.md) |\n"
OTHERS = "| Unused | [60%](unused.md) |\n| None | 70% |\n"


def corpus_with(rows: str, *left_out: str, **more: str) -> Corpus:
    head = "answers:\n  holds: 'Kept: most kept it.'\n  fails: Lost\ndoubt: Who knows?\n"
    ask = f"---\ntype: line\nproposition: claim\n{head}---\n\n# Kept?\n\nAsked.\n\n"
    table = f"| Test | Kept (fair: 80%) |\n|---|---|\n{rows}"
    claim = "---\ntype: claim\n---\n\n# Kept\n"
    findings = {id: text for id, text in FINDINGS.items() if id not in left_out}
    return corpus_of_notes(claim=claim, here=ask + table, **findings, **more)


def figure_of(corpus: Corpus) -> str:
    return str(countable_bars(builder_of(corpus), corpus.lines["here"]))


def answers_in(figure: str) -> dict[str, Any]:
    found = re.search(r'data-kg-bars="([^"]*)"', figure)
    assert found
    answers: dict[str, Any] = json.loads(html.unescape(found[1]))
    return answers


def test_rows_are_named_and_those_that_count_have_a_box() -> None:
    figure = figure_of(corpus_with(ROWS + OTHERS))
    assert "Most kept it." in visible_text(figure)
    assert "fair: 80%" in visible_text(figure)
    assert "A" in re.findall(r'href="statements/a.html"[^>]*>([^<]*)', figure)
    classes = re.findall(r'kg-percent (kg-wide-[^"]+)', figure)
    *of_rows, of_key = classes
    assert of_rows == [
        "kg-wide-40",
        "kg-wide-90 kg-at-most",
        "kg-wide-5",
        "kg-wide-60",
        "kg-wide-70",
    ]
    assert of_key == "kg-wide-100 kg-at-most", "what stripes mean is said where there are some"
    assert "striped: at most this" not in visible_text(figure_of(corpus_with(OTHERS)))
    assert re.findall(r'aria-label="Counts: ([^"]*)"', figure) == [
        "A, 40%",
        "B, at most 90%",
        "C, 5%",
    ]


@pytest.mark.parametrize("rows_counted", range(8))
def test_the_answer_with_each_set_of_rows_is_that_without_the_other_notes(
    rows_counted: int,
) -> None:
    answers = answers_in(figure_of(corpus_with(ROWS)))
    left = corpus_with("", *(id for row, id in enumerate("abc") if not rows_counted >> row & 1))
    after = reasoning.verdict(left, "here")
    answer, _ = answers["words"][answers["answers"][rows_counted]]
    assert answer.removeprefix("still ").startswith(after.sureness)
    assert answer.endswith({1: "kept", 0: "undecided", -1: "lost"}[after.side])
    scale = scale_of(left.config, after)
    place = 100 * scale.place_of(strength_shown(scale.steps, after))
    assert answers["places"][rows_counted] == pytest.approx(place, abs=0.1)
    word = SCALE_WORDS[::-1] if scale.is_mirrored else SCALE_WORDS
    reached = word[answers["reached"][rows_counted]]
    assert reached == answer_phrase(after.word, after.sureness).partition(",")[0]


def test_where_the_word_stays_it_says_how_the_strength_differs_and_why() -> None:
    answers = answers_in(figure_of(corpus_with(ROWS.partition("| C")[0])))
    without_b, none = (answers["words"][answers["answers"][number]] for number in (1, 0))
    assert without_b == ["probably kept", ""]
    assert none == ["still perhaps kept", "Weaker."]
    figure = figure_of(corpus_with(ROWS.partition("| C")[0]))
    assert "1 finding not listed here counts, too." in visible_text(figure)
    assert answers["findings"] == [["a"], ["b"]]


def test_the_one_row_that_changes_the_word_is_named() -> None:
    weak = evidence_text("Weak", 0.1, "supports:: [[claim]]")
    rows = "| Weak | [50%](weak.md) |\n| B | [90%](b.md) |\n"
    assert "Without the 90% it would be “probably kept”." in figure_of(corpus_with(rows, weak=weak))
    assert "Without" not in figure_of(corpus_with(ROWS))


def test_rows_with_the_same_percentage_are_told_apart_by_their_names() -> None:
    weak = evidence_text("Weak", 0.1, "supports:: [[claim]]")
    rows = "| Weak | [90%](weak.md) |\n| B | [90%](b.md) |\n"
    assert "Without B it would be “probably kept”." in figure_of(corpus_with(rows, weak=weak))


def test_the_answer_stands_beside_with_its_doubt_and_ways_on() -> None:
    text = visible_text(figure_of(corpus_with(ROWS)))
    assert text.index("Kept?") < text.index("With all three:") < text.index("Our main doubt")
    assert text.endswith("Read moreWalk through it")


def test_the_figure_says_how_many_rows_count() -> None:
    assert answers_in(figure_of(corpus_with(ROWS)))["counts"] == [
        "none",
        "one of three",
        "two of three",
        "all three",
    ]
    two = ROWS.partition("| C")[0]
    assert answers_in(figure_of(corpus_with(two)))["counts"] == ["none", "one of two", "both"]


def test_without_two_bars_there_is_no_figure_and_with_many_boxes_none_to_tick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = corpus_with(ROWS.partition("| B")[0])
    assert countable_bars(builder_of(corpus), corpus.lines["here"]) is None
    one_counts = figure_of(corpus_with(f"{ROWS.partition('| B')[0]}{OTHERS}"))
    monkeypatch.setattr(module, "MAX_ROWS_IN_FULL", 2)
    for figure in (one_counts, figure_of(corpus_with(ROWS))):
        assert "checkbox" not in figure
        assert "data-kg-bars" not in figure
