"""Where a corpus is thin."""

from __future__ import annotations

from typing import Any

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import LineWithoutProposition, gaps, reading_of
from kg.reasoning.answers.gaps import claims_without_evidence
from kg.reasoning.sensitivity.stakes import FEWEST_CLAIMS_SETTLED
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    debate_corpus,
    edge,
    evidence,
    line,
    require_verdict,
    strength_of_nats,
)
from tests.support.every_row import every_row


def test_gaps_are_ranked_by_what_they_would_move() -> None:
    answer = require_verdict(gaps(debate_corpus(), "talk"))
    assert [(gap.statement, gap.kind) for gap in answer.gaps] == [
        ("grows", "thin"),
        ("bare", "without evidence"),
        ("helps", "thin"),
        ("mimics", "thin"),
    ]
    assert answer.complete


def test_the_first_sentence_counts_both_kinds_and_names_the_gap_that_matters_most() -> None:
    answer = require_verdict(gaps(debate_corpus(), "talk"))
    assert answer.sentence == (
        "Of what bears on “Claim p”, 1 claim is without evidence, and 3 rest on hardly more than "
        "one source; the one that matters most is “Claim grows”."
    )
    assert "\ngaps\nstatement " in str(answer)


def test_claims_without_evidence_are_those_that_no_support_from_evidence_reaches() -> None:
    assert claims_without_evidence(reading_of(debate_corpus())) == ["bare"]


def test_a_line_without_a_proposition_has_no_gaps() -> None:
    assert isinstance(gaps(debate_corpus(), "open"), LineWithoutProposition)


def test_a_claim_that_bears_on_no_line_moves_no_answer() -> None:
    everything = require_verdict(gaps(corpus_of_parts(claim("alone"), line("l", None))))
    assert [(gap.statement, gap.gain, gap.line) for gap in everything.gaps] == [
        ("alone", 0.0, None)
    ]


def test_a_proposition_stands_behind_what_would_move_it_and_is_settled_as_nothing() -> None:
    corpus = corpus_of_parts(
        *(claim("alone"), claim("under"), "under supports alone", line("l", "alone"))
    )
    assert [
        (gap.statement, gap.settled, gap.line) for gap in require_verdict(gaps(corpus)).gaps
    ] == [("under", "true", "l"), ("alone", None, "l")]


def test_where_the_budget_is_short_only_what_bears_most_is_tried() -> None:
    names = [f"c{k:02}" for k in range(FEWEST_CLAIMS_SETTLED + 2)]
    word_of = dict.fromkeys((names[3], names[7]), "weak")
    corpus = corpus_of_parts(
        *(claim("q"), line("l", "q"), *map(claim, names)),
        *(edge(f"{name} supports q", strength=word_of.get(name)) for name in names),
    )
    short = reading_of(corpus, Reasoning(budget=1))
    answer, everything = (require_verdict(gaps(each, "l")) for each in (short, reading_of(corpus)))
    assert {each.statement for each in answer.gaps} == set(names) - set(word_of)
    assert (answer.complete, everything.complete) == (False, True)
    assert {each.statement for each in everything.gaps} == set(names)


@every_row("order", [("near", "far"), ("far", "near")])
def test_a_claim_that_bears_on_two_lines_is_listed_with_the_one_it_moves_most(
    order: tuple[str, str],
) -> None:
    propositions = {"near": "p", "far": "q"}
    notes = corpus_of_parts(
        *(claim("c"), claim("p"), claim("q"), "c contradicts p"),
        edge("c supports q", strength="weak"),
        *(line(name, propositions[name]) for name in order),
    )
    gain_of_line = {
        name: gap.gain
        for name in order
        for gap in require_verdict(gaps(notes, name)).gaps
        if gap.statement == "c"
    }
    assert abs(gain_of_line["near"] or 0) > abs(gain_of_line["far"] or 0) > 0.01
    gain_of_claim = {
        each.statement: (each.line, each.gain) for each in require_verdict(gaps(notes)).gaps
    }
    assert gain_of_claim == {
        "c": ("near", gain_of_line["near"]),
        "p": ("near", None),
        "q": ("far", None),
    }


def test_a_source_against_a_claim_is_none_that_backs_it() -> None:
    sentence = gaps(corpus_of_direct_evidence(pa=0.5, ca=0.5), "q").sentence
    assert sentence.endswith("which rests on hardly more than one source.")
    undercut = corpus_of_parts(
        *(claim("q"), evidence("e", quality=0.5), evidence("f", quality=0.5)),
        *("e supports q", "f undercuts e supports q"),
    )
    assert gaps(undercut, "q").sentence == sentence


def test_a_premise_matters_by_what_its_fall_would_do() -> None:
    notes = corpus_of_parts(
        *(claim("q"), claim("b"), evidence("e", quality=0.9), evidence("f", quality=0.5)),
        *("e supports q", "f supports b", "q depends-on b"),
    )
    gap = require_verdict(gaps(notes, "q")).gaps[0]
    assert (gap.statement, gap.settled) == ("b", "false")
    assert gap.gain == pytest.approx(strength_of_nats(0.9 - 1.0) - strength_of_nats(0.9))


TWO_STUDIES = evidence("e", ["a"], quality=0.8), evidence("f", ["b"], quality=0.8)
SUPPORTED = (claim("q"), *TWO_STUDIES, "e supports q", "f supports q")
BENEATH = (claim("q"), claim("c"), *TWO_STUDIES, "e supports c", "f supports c")


@every_row(
    ("parts", "sentence"),
    [
        ((claim("q"),), "No other claim bears on “Claim q”, which is without evidence."),
        (
            (claim("q"), TWO_STUDIES[0], "e supports q"),
            "No other claim bears on “Claim q”, which rests on hardly more than one source.",
        ),
        (
            SUPPORTED,
            "No other claim bears on “Claim q”, which rests on evidence, and on more than one "
            "source.",
        ),
        (
            (*BENEATH, "c supports q"),
            "“Claim q” rests on evidence, and on more than one source, "
            "and so does every claim that bears on it.",
        ),
        (
            (*BENEATH, "c contradicts q"),
            "Every claim that bears on “Claim q” rests on evidence, and on more than one source; "
            "it itself is without evidence.",
        ),
    ],
)
def test_the_sentence_says_what_the_claim_asked_about_lacks(
    parts: tuple[Any, ...], sentence: str
) -> None:
    assert gaps(corpus_of_parts(*parts), "q").sentence == sentence


def test_the_sentence_on_a_corpus_without_gaps_claims_no_more_than_there_is() -> None:
    assert gaps(corpus_of_parts(TWO_STUDIES[0])).sentence == "There are no claims."
    assert gaps(corpus_of_parts(TWO_STUDIES[0]), "e").sentence == "No claim bears on “Evidence e”."
    assert gaps(corpus_of_parts(*SUPPORTED)).sentence == (
        "Every claim rests on evidence, and those that bear on a line on more than one source."
    )


def test_the_sentence_names_the_claim_that_matters_most_and_its_line() -> None:
    sentence = gaps(corpus_of_parts(claim("q"))).sentence
    assert sentence.endswith("; the one that matters most is “Claim q”.")
    assert gaps(debate_corpus()).sentence.endswith("is “Claim grows” (to the line talk).")
    assert gaps(debate_corpus(), "talk").sentence.endswith("is “Claim grows”.")


@every_row(
    ("parts", "minimum", "end"),
    [
        (SUPPORTED[:-1], 3, "on the equal of less than 3 sources."),
        (
            (claim("q"), TWO_STUDIES[0], "e supports q"),
            1,  # as many as there are
            "and on the equal of 1 sources or more.",
        ),
    ],
)
def test_the_sentence_has_the_bound_of_the_settings(
    parts: tuple[Any, ...], minimum: float, end: str
) -> None:
    reading = reading_of(corpus_of_parts(*parts), Reasoning(thin_below=minimum))
    assert gaps(reading, "q").sentence.endswith(end)
