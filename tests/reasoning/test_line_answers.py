"""The answer of a line as it is compared, and when a strength counts as moved."""

from __future__ import annotations

import kg
from kg.reasoning.line_answers import LineAnswer, has_strength_moved, line_answers
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, line, require_verdict
from tests.support.every_row import every_row


@every_row(
    ("before", "after", "is_moved"),
    [
        (0.9189, 0.9368, True),  # shown as 0.92 and 0.94
        (0.9449, 0.9251, False),  # shown as 0.94 and 0.93
        (0.72, 0.70, True),
        (0.72, 0.71, False),
        (None, 0.5, True),
        (None, None, False),
    ],
)
def test_a_strength_has_moved_if_readers_see_it(
    before: float | None, after: float | None, is_moved: bool
) -> None:
    assert has_strength_moved(before, after) is is_moved
    assert has_strength_moved(after, before) is is_moved


@every_row(
    ("line", "other", "has_moved"),
    [
        (LineAnswer("q", 0.7, "backed"), LineAnswer("q", 0.7, "open"), True),
        (LineAnswer("q", 0.7, "backed"), LineAnswer("q", 0.8, "backed"), True),
        (LineAnswer("q", 0.7, "backed", 1), LineAnswer("q", 0.7, "backed"), True),
        (LineAnswer("q", 0.7, "backed"), LineAnswer("q", 0.7, "backed"), False),
    ],
)
def test_an_answer_has_moved_by_its_word_its_side_or_its_strength(
    line: LineAnswer, other: LineAnswer, has_moved: bool
) -> None:
    assert line.has_moved_from(other) is has_moved


def test_only_lines_with_a_proposition_have_an_answer() -> None:
    corpus = corpus_of_parts(
        line("asks", "q"),
        line("open"),
        line("lost", "nowhere"),
        claim("q"),
        evidence("e"),
        "e supports q",
    )
    assert line_answers(corpus_of_parts(line("open"), claim("q"))) == {}
    ((name, answer),) = line_answers(corpus).items()
    assert (name, answer.proposition, answer.side) == ("asks", "q", 1)
    assert answer.asked == ("Line asks?", "Claim q")


@every_row(("premise", "side"), [("e supports p", 1), ("e contradicts p", 0), ("", 0)])
def test_a_line_has_the_side_that_its_verdict_has(premise: str, side: int) -> None:
    corpus = corpus_of_parts(
        *(line("asks", "q"), claim("q"), claim("p"), evidence("e", quality=0.9), "q depends-on p"),
        *(evidence(f"e{k}", quality=0.9) for k in range(3)),
        *(f"e{k} supports q" for k in range(3)),
        *([premise] if premise else []),
    )
    answer = line_answers(corpus)["asks"]
    verdict = require_verdict(kg.verdict(corpus, "asks"))
    assert (answer.side, verdict.side) == (side, side)
    assert answer.answer_text == verdict.answer
