"""On how many independent sources an answer rests."""

from __future__ import annotations

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import LineWithoutProposition, flips, impact, independence, reading_of, verdict
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    debate_corpus,
    evidence,
    require_verdict,
    source,
    strength_of_nats,
)
from tests.support.every_row import every_row


def test_equal_sources_count_in_full_and_a_heavy_one_less() -> None:
    assert require_verdict(
        independence(corpus_of_direct_evidence(pa=0.5, pb=0.5, pc=0.5), "q")
    ).effective == pytest.approx(3.0)
    assert require_verdict(
        independence(corpus_of_direct_evidence(pa=0.9, pb=0.1), "q")
    ).effective == pytest.approx(1.0 / 0.82)


def test_one_source_by_two_routes_counts_once_and_both_are_listed() -> None:
    notes = corpus_of_parts(
        *(claim(name) for name in ("q", "a", "b")),
        evidence("e1", ["x"], quality=0.8),
        evidence("e2", ["x"], quality=0.6),
        source("x"),
        "e1 supports a",
        "e2 supports b",
        "a supports q",
        "b supports q",
    )
    answer = require_verdict(independence(notes, "q"))
    assert answer.effects[0].sources == ("x",)
    assert answer.strength == pytest.approx(strength_of_nats(0.8))
    assert answer.discounted == answer.strength
    assert answer.effective == pytest.approx(1.0)


def test_the_parts_of_all_sources_add_up_to_the_total() -> None:
    notes = corpus_of_parts(
        *(claim("q"), claim("a"), claim("b")),
        evidence("e1", ["x", "y"], quality=0.8),
        evidence("e2", ["x"], quality=0.3),
        evidence("e3", ["z"], quality=0.4),
        *(source("x"), source("y"), source("z")),
        *("e1 supports a", "a supports q", "e2 contradicts q", "e3 contradicts a"),
        *("q depends-on b", "e3 contradicts b"),
    )
    answer = require_verdict(independence(notes, "q"))
    balance = require_verdict(verdict(notes, "q")).balance
    parts = {effect.source_group: (effect.pro, effect.con) for effect in answer.effects}
    left = 1 - 0.4 / 0.8
    assert parts["@x"] == pytest.approx((0.4 * left, 0.3))
    assert parts["@y"] == pytest.approx((0.4 * left, 0.0))
    assert parts["@z"] == (0.0, 0.0)
    assert (answer.pro, answer.con) == (balance.pro, balance.con)
    whole = sum(map(sum, parts.values()))
    assert answer.sourceless == pytest.approx(balance.pro + balance.con - whole)
    text = "(1 speaks only for it and 1 speaks both for and against it); besides, 1 moves it only"
    assert text in answer.sentence
    assert require_verdict(verdict(notes, "q")).sources.count == 2


def test_a_verdict_on_one_source_says_so() -> None:
    answer = require_verdict(independence(corpus_of_direct_evidence(pa=0.9, pb=0.2, ca=0.3), "q"))
    assert answer.single_source
    assert [effect.undoes for effect in answer.effects] == [True, False, False]
    assert "@src-pa" in answer.sentence


SHARED = (
    *(source("zeta", independence=("data:x",)), source("alpha", independence=("data:x",))),
    *(claim("q"), evidence("e", ["zeta"], quality=0.6), evidence("f", ["alpha"], quality=0.5)),
    *("e supports q", "f supports q"),
)


def test_works_that_share_their_data_have_one_name() -> None:
    reading = reading_of(corpus_of_parts(*SHARED))
    group = "@zeta (and 1 more that shares its team or data)"
    assert f"without {group} alone" in require_verdict(independence(reading, "q")).sentence
    lost = require_verdict(flips(reading, "q", by="source"))
    assert [flip.removed for flip in (*lost.singles, *lost.undoing)] == [("@alpha",)]
    assert group in lost.sentence
    rest = "(of the works that share its team or data 1 still stands)"
    assert impact(reading, "zeta").sentence.startswith(f"If zeta alone {rest} falls, ")
    third = source("beta", independence=("data:x",)), evidence("g", ["beta"]), "g supports q"
    rest = rest.replace("1 still stands", "2 still stand")
    sentence = impact(reading_of(corpus_of_parts(*SHARED, *third)), "zeta").sentence
    assert sentence.startswith(f"If zeta alone {rest} falls, ")
    assert "alone" not in impact(reading, ["zeta", "alpha"]).sentence


def test_independence_counts_what_bears_on_the_side_of_the_answer() -> None:
    parts = (
        *(claim("q"), claim("a")),
        *(evidence(name, [f"w{name}"], quality=0.9) for name in ("e", "f")),
        *(evidence("g", ["wg"], quality=0.3), evidence("h", ["wh"], quality=0.3)),
        *("e supports q", "f supports q", "g contradicts q", "a supports q", "h contradicts a"),
    )
    assert require_verdict(
        independence(reading_of(corpus_of_parts(*parts)), "q")
    ).sentence.startswith(
        "“Claim q” hangs on 3 independent sources, together worth 2.6 of equal weight "
        "(2 speak only for it and 1 speaks only against it); besides, 1 moves nothing; "
        "it stands without "
    )


@every_row(
    ("qualities", "sentence"),
    [
        ({}, "No evidence bears on “Claim q”."),
        (
            {"pa": 0.9},
            "“Claim q” hangs on 1 independent source (1 speaks only for it); "
            "without @src-pa alone it would fall.",
        ),
        (
            {"ca": 0.5, "cb": 0.5, "cc": 0.5},
            "“Claim q” hangs on 3 independent sources, together worth 3.0 of equal weight "
            "(3 speak only against it); it stands without any one of them.",
        ),
        (
            {"pa": 0.5, "ca": 0.5},
            "“Claim q” hangs on 2 independent sources, together worth 2.0 of equal weight "
            "(1 speaks only for it and 1 speaks only against it); as things stand it is on "
            "neither side; without any one of @src-ca and @src-pa it would be on one.",
        ),
    ],
)
def test_a_sentence_counts_the_sources_and_says_what_falls_without_one(
    qualities: dict[str, float], sentence: str
) -> None:
    answer = require_verdict(independence(corpus_of_direct_evidence(**qualities), "q"))
    assert answer.sentence == sentence
    assert answer.single_source is ("alone it would fall" in sentence)
    could_undo = "one source alone could undo it: yes" in str(answer)
    assert could_undo is answer.single_source
    assert all(each.decides is ("on one." in sentence) for each in answer.effects)


def test_a_source_that_reaches_the_answer_by_several_ways_is_listed_with_its_reasons() -> None:
    notes = corpus_of_parts(
        *(claim("q"), claim("a"), evidence("e", ["x"], quality=0.8), source("x")),
        *(evidence("f", ["y"], quality=0.3), source("y"), "f supports q"),
        *("e supports a", "a supports q", "e supports q"),
    )
    answer = require_verdict(independence(notes, "q"))
    assert answer.several_routes == ("@x",)
    assert [(each.source_group, each.routes, each.pro) for each in answer.effects] == [
        ("@x", ("a", "e"), 0.8),
        ("@y", ("f",), 0.3),
    ]
    assert "sources that reach it by several ways: @x" in str(answer)
    assert "strength if each source counted once" not in str(answer)
    repeated = require_verdict(independence(reading_of(notes, Reasoning(repeat=0.5)), "q"))
    assert repeated.discounted == answer.strength
    assert "strength if each source counted once: 0.750" in str(repeated)
    assert isinstance(independence(debate_corpus(), "open"), LineWithoutProposition)


def test_evidence_rests_on_its_own_sources() -> None:
    parts = (
        *(evidence("e", ["x"], quality=0.9), evidence("f", ["y"], quality=0.8), source("x")),
        *(source("y"), "f contradicts e"),
    )
    reading = reading_of(corpus_of_parts(*parts))
    answer = require_verdict(independence(reading, "e"))
    text = "“Evidence e” is evidence and rests on its own source: @x"
    assert answer.sentence == f"{text}; 1 other independent source bears on it."
    assert not any(effect.undoes or effect.decides for effect in answer.effects)
    assert require_verdict(verdict(reading, "e")).sources.count == 1
