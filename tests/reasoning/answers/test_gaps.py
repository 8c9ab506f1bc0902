"""Where a corpus is thin, and support that goes in circles."""

from __future__ import annotations

from typing import Any

import pytest

from kg.reasoning import gaps, reading_of
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
    everything = require_verdict(gaps(corpus_of_parts(claim("alone"), line("l", None))))
    assert [(gap.statement, gap.gain, gap.line) for gap in everything.gaps] == [
        ("alone", 0.0, None)
    ]
    own_gaps = require_verdict(
        gaps(
            corpus_of_parts(
                claim("alone"), claim("under"), "under supports alone", line("l", "alone")
            )
        )
    )
    assert [(gap.statement, gap.settled, gap.line) for gap in own_gaps.gaps] == [
        ("under", "true", "l"),
        ("alone", None, "l"),
    ]


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


def test_gaps_say_what_is_asked_lacks_and_praise_nothing_that_is_not_there() -> None:
    q, c = claim("q"), claim("c")
    both = evidence("e", ["a"], quality=0.8), evidence("f", ["b"], quality=0.8)

    def text(*parts: Any, name: str | None = "q") -> str:
        return gaps(reading_of(corpus_of_parts(*parts)), name).sentence

    bare = "is without evidence"
    assert text(q) == f"No other claim bears on “Claim q”, which {bare}."
    once = text(q, both[0], "e supports q")
    assert once == "No other claim bears on “Claim q”, which rests on hardly more than one source."
    twice = text(q, *both, "e supports q", "f supports q")
    assert twice.endswith("which rests on evidence, and on more than one source.")
    over = text(q, c, *both, "e supports c", "f supports c", "c supports q")
    assert over == (
        "“Claim q” rests on evidence, and on more than one source, "
        "and so does every claim that bears on it."
    )
    against = text(q, c, *both, "e supports c", "f supports c", "c contradicts q")
    assert against == (
        "Every claim that bears on “Claim q” rests on evidence, and on more than one source; "
        f"it itself {bare}."
    )
    assert text(both[0], name=None) == "There are no claims."
    assert text(q, name=None).endswith("; the one that matters most is “Claim q”.")
    assert gaps(debate_corpus()).sentence.endswith("is “Claim grows” (to the line talk).")
    assert gaps(debate_corpus(), "talk").sentence.endswith("is “Claim grows”.")
    assert text(both[0], name="e") == "No claim bears on “Evidence e”."
