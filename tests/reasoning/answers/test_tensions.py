"""Where a corpus pulls two ways."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kg.reasoning import LineWithoutProposition, reading_of, tensions, verdict
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    edge,
    evidence,
    line,
    require_verdict,
    source,
    strength_of_nats,
)
from tests.support.every_row import every_row


def test_tensions_are_conflicts_and_contradictions_between_believed_claims() -> None:
    notes = corpus_of_parts(
        line("l", "q"),
        *(claim(name) for name in ("q", "a", "b")),
        evidence("e1", ["x"], quality=0.9),
        evidence("e2", ["y"], quality=0.9),
        "e1 supports a",
        "e2 supports b",
        "a supports q",
        "b contradicts q",
        "a contradicts b",
        "e1 supports b",
    )
    answer = require_verdict(tensions(notes, "l"))
    assert [c.statement for c in answer.conflicts] == ["b", "q"]
    assert [c.edge for c in answer.contradictions] == ["a contradicts b"]
    twice = corpus_of_parts(
        *(line("l", "q"), claim("q"), claim("b"), source("x")),
        *(evidence("for", ["x"], quality=0.9), evidence("against", ["x"], quality=0.5)),
        *("for supports q", "against supports b", "b contradicts q"),
    )
    doubled = require_verdict(tensions(twice, "l"))
    assert [d.source for d in doubled.sources_on_both_sides] == ["@x"]
    assert doubled.sources_on_both_sides[0].harms == pytest.approx(
        strength_of_nats(0.9) - strength_of_nats(0.4)
    )
    assert doubled.sentence == (
        "Of what bears on “Claim q”, much is said on both sides of 1 statement, both ends of "
        "0 contradictions are believed, and 1 source or note both helps and harms the same "
        "proposition (by 0.02 or more each way)."
    )
    rows = str(doubled)[str(doubled).index("sources on both sides") :].split("\n")
    assert rows[2].split() == ["@x", "q", "0.221", "0.112"]
    assert [row.strip() for row in rows[3:5]] == ["helped by for", "harmed by against"]
    assert "first the rows whose lighter side weighs most" in " ".join(str(answer).split())
    believed = require_verdict(
        tensions(corpus_of_direct_evidence(pa=0.99, pb=0.99, pc=0.99, ca=0.7))
    )
    assert [c.origin for c in believed.contradictions] == ["ca"]
    assert believed.contradictions[0].score == pytest.approx(0.7)


def test_tensions_of_the_whole_corpus_are_those_of_every_line() -> None:
    notes = corpus_of_parts(
        *(line("l", "q"), line("m", "r"), line("open"), claim("q"), claim("r"), source("x")),
        *(evidence(f"e{k}", ["x"], quality=0.9 - 0.1 * k) for k in range(4)),
        *("e0 supports q", "e1 contradicts q", "e2 supports r", "e3 contradicts r"),
    )
    answer = require_verdict(tensions(notes))
    assert [(each.line, each.statement) for each in answer.sources_on_both_sides] == [
        ("l", "q"),
        ("m", "r"),
    ]
    assert answer.sentence.startswith("Much is said on both sides of 2 statements, both ends of ")
    assert "2 sources or notes both help and harm the same proposition" in answer.sentence
    assert isinstance(tensions(notes, "open"), LineWithoutProposition)


@every_row(("mutual", "rows"), [(True, 1), (False, 1)])
def test_two_believed_claims_that_contradict_each_other_are_one_row(
    mutual: bool, rows: int
) -> None:
    notes = corpus_of_parts(
        *(claim("a"), claim("b")),
        *(evidence(f"e{k}", quality=0.95) for k in range(8)),
        *(f"e{k} supports {'ab'[k % 2]}" for k in range(8)),
        edge("a contradicts b", mutual=mutual, strength="weak"),
    )
    answer = require_verdict(tensions(notes))
    assert {each.origin for each in answer.contradictions} == ({"a", "b"} if mutual else {"a"})
    assert str(answer).count("\n  against ") == rows


@every_row(("quality", "listed"), [(0.25, True), (0.24, False)])
def test_a_conflict_has_weight_on_both_sides(quality: float, listed: bool) -> None:
    notes = corpus_of_parts(
        *(line("l", "q"), claim("q"), source("x"), source("y")),
        *(evidence("for", ["x"], quality=0.4), evidence("against", ["y"], quality=quality)),
        *("for supports q", "against contradicts q"),
    )
    assert bool(require_verdict(tensions(notes, "l")).conflicts) is listed


def test_however_uneven_two_sides_that_carry_weight_are_a_conflict() -> None:
    notes = corpus_of_parts(
        *(line("l", "q"), claim("q"), source("w"), source("x"), source("y"), source("z")),
        *(evidence(f"for-{name}", [name], quality=0.95) for name in "wxy"),
        evidence("against", ["z"], quality=0.3),
        *(f"for-{name} supports q" for name in "wxy"),
        "against contradicts q",
    )
    (conflict,) = require_verdict(tensions(notes, "l")).conflicts
    assert conflict.pro > 9 * conflict.con


def test_a_joint_contradiction_counts_once_by_its_weakest_premise() -> None:
    parts = (
        *(claim("q"), claim("a"), claim("b")),
        *(evidence("e", quality=0.9), evidence("f", quality=0.9), evidence("g", quality=0.9)),
        *("e supports q", "f supports b", edge("b contradicts q", together=("a",))),
    )
    silent = reading_of(corpus_of_parts(*parts))
    assert require_verdict(tensions(silent, "q")).contradictions == ()
    verdict_ = require_verdict(verdict(silent, "q"))
    assert [reason.statement for reason in verdict_.reasons if not reason.share] == ["a"]
    more = evidence("h", quality=0.9), "h supports q", "g supports a"
    heard = require_verdict(tensions(reading_of(corpus_of_parts(*parts, *more)), "q"))
    assert [each.origin for each in heard.contradictions] == ["a"]
    assert "(by 0.02 or more each way)" in heard.sentence


def test_the_conflict_in_which_the_lighter_side_weighs_most_comes_first() -> None:
    notes = corpus_of_parts(
        *(claim("a"), claim("z")),
        *(evidence(f"{side}-{id}", [f"{side}{id}"], quality=quality)
          for id, quality in (("a", 0.5), ("z", 0.9)) for side in ("for", "against")),
        *("for-a supports a", "against-a contradicts a"),
        *("for-z supports z", "against-z contradicts z"),
    )  # fmt: skip
    answer = require_verdict(tensions(notes))
    assert [each.statement for each in answer.conflicts] == ["z", "a"]


def test_a_note_whose_parts_cite_different_works_is_a_source_too() -> None:
    notes = corpus_of_parts(
        *(line("l", "q"), claim("q"), source("x"), source("y")),
        replace(evidence("for", ["x"], quality=0.9), note="study"),
        replace(evidence("against", ["y"], quality=0.5), note="study"),
        *("for supports q", "against contradicts q"),
    )
    assert [d.source for d in require_verdict(tensions(notes, "l")).sources_on_both_sides] == [
        "study"
    ]


def test_the_end_that_is_not_believed_is_that_of_the_contradiction_itself() -> None:
    parts = (
        *(evidence(f"e{k}", quality=0.99) for k in range(3)),
        *(claim("believed"), claim("denied"), *(f"e{k} supports believed" for k in range(3))),
    )
    notes = corpus_of_parts(*parts, "believed contradicts denied")
    assert require_verdict(tensions(notes)).contradictions == ()
