"""What an answer would be if something else were so."""

from __future__ import annotations

from typing import Any

import pytest

from kg.corpus import UnknownId
from kg.model import Integrity
from kg.reasoning import flips, impact, reading_of, verdict, whatif
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


@every_row(
    ("supposed", "expected"),
    [
        ({"mute": ["pa"]}, strength_of_nats(-0.5)),
        ({"mute": ["pa"], "weights": {"pa supports q": -1.0}}, strength_of_nats(-0.5)),
        ({"hold": {"pa": 1.0}}, strength_of_nats(0.5)),
        ({"base": {"pa": 0.6}}, strength_of_nats(0.1)),
        ({"weights": {"pa supports q": -1.0}}, strength_of_nats(-1.3)),
    ],
)
def test_a_supposition_moves_what_rests_on_it_and_not_the_corpus(
    supposed: dict[str, Any], expected: float
) -> None:
    notes = corpus_of_direct_evidence(pa=0.8, ca=0.5)
    effect = whatif(notes, **supposed)
    after = {change.statement: change.strength_after for change in effect.changes}
    assert after["q"] == pytest.approx(expected)
    assert require_verdict(verdict(notes, "q")).strength == pytest.approx(strength_of_nats(0.3)), (
        "nothing was touched"
    )


def test_evidence_published_before_the_year_no_longer_counts() -> None:
    """Nor does what is of no known year; of several works the newest decides."""
    notes = corpus_of_parts(
        claim("q"),
        evidence("old", ["w0"]),
        evidence("new", ["w0", "w1"]),
        evidence("undated", ["w2"]),
        *(source("w0", year=2020), source("w1", year=2024), source("w2")),
        *("old supports q", "new contradicts q", "undated supports q"),
    )
    effect = whatif(notes, since=2024)
    assert effect.changes == whatif(notes, mute=["old", "undated"]).changes != ()
    assert effect.supposed == ("only what was published since 2024 counts",)
    assert whatif(notes, since=1900).changes == whatif(notes, mute=["undated"]).changes


def test_what_if_refuses_strengths_out_of_range_and_unknown_ids() -> None:
    notes = corpus_of_direct_evidence(pa=0.8)
    with pytest.raises(ValueError, match="from 0 to 1"):
        whatif(notes, hold={"pa": 2.0})
    with pytest.raises(ValueError, match="from -1 to 1"):
        whatif(notes, weights={"pa supports q": 3.0})
    with pytest.raises(UnknownId, match="did you mean pa supports q"):
        whatif(notes, weights={"pa support q": 0.0})

    with pytest.raises(ValueError, match=r"-0\.1 is not a strength"):
        whatif(notes, base={"pa": -0.1})
    with pytest.raises(TypeError, match="since takes a year"):
        whatif(notes, since="2020")
    with pytest.raises(TypeError, match="is a number"):
        whatif(notes, hold={"pa": "1"})
    with pytest.raises(TypeError, match="take a mapping"):
        whatif(notes, hold=["pa"])
    with pytest.raises(TypeError, match="take texts"):
        whatif(notes, mute=[5])
    bounds = whatif(notes, hold={"pa": 1.0}, base={"q": 0.0}, weights={"pa supports q": -1.0})
    assert bounds.supposed == ("pa stands at 1", "q starts from 0", "pa supports q weighs -1")


@every_row(
    ("supposed", "at_most"),
    [
        ({"mute": "strips"}, False),
        ({"weights": {"strips contradicts p": 0.0}}, False),
        ({"hold": {"strips": 0.0}}, True),
        ({"add": "experiment, n=400, peer reviewed, supports p"}, True),
    ],
)
def test_trials_are_made_of_what_is_supposed_unless_a_strength_is_held_or_a_study_added(
    supposed: dict[str, Any], at_most: bool
) -> None:
    (turn,) = whatif(debate_corpus(), **supposed).verdicts
    assert turn.at_most is at_most


def test_what_counts_again_is_said_with_what_moves() -> None:
    notes = corpus_of_parts(
        *(claim("q"), evidence("old", quality=0.9), evidence("new", quality=0.6)),
        *("old supports q", "new supports q", "new supersedes old"),
    )
    effect = whatif(notes, mute="new")
    assert effect.restored == ("old",)
    assert effect.sentence == (
        "If new is muted, so that old counts again, 1 statement would move, "
        "and no answer would change."
    )
    assert whatif(notes).sentence == "Nothing is supposed, so nothing moves."
    assert "\nsupposed: new is muted\n" in str(effect).replace("  supposed", "supposed")
    assert "\nchanges\nstatement " in str(effect)


def test_changes_too_small_to_show_are_counted_apart() -> None:
    notes = corpus_of_direct_evidence(pa=0.8, pb=0.8, pc=0.8, pd=0.8, pe=0.8, pf=0.8, pg=0.8)
    effect = whatif(notes, hold={"pa": 0.804})
    assert [change.statement for change in effect.changes] == ["pa", "q"]
    assert "1 statement (and 1 by less than 0.0005) would move" in effect.sentence
    assert "\nq " not in str(effect)


def test_a_statement_that_falls_is_false_with_all_that_are_the_same() -> None:
    parts = (claim("q"), *(evidence(name, ["w"], quality=0.6) for name in ("e", "f")))
    reading = reading_of(corpus_of_parts(*parts, "e supports q", "f supports q", "e same-as f"))
    with_it = "e (and f, said to be the same)"
    assert impact(reading, "e").sentence.startswith(f"If {with_it} is false, ")
    assert whatif(reading, mute=["e"]).sentence.startswith(f"If {with_it} is muted, ")
    lost = require_verdict(flips(reading, "q"))
    assert "and f, said to be the same" in lost.sentence


E_IS_RETRACTED = " e is retracted, so it passes nothing on, whatever is supposed of it."


@every_row(
    ("supposed", "ending"),
    [
        ({"mute": ["e"]}, E_IS_RETRACTED),
        (
            {"mute": ["e", "f"]},
            " e and f are retracted, so they pass nothing on, whatever is supposed of them.",
        ),
        ({"hold": {"e": 0.9}}, E_IS_RETRACTED),
        ({"base": {"e": 0.9}}, E_IS_RETRACTED),
        (
            {"mute": ["q", "part", "good"], "hold": {"part": 0.9}, "base": {"good": 0.9}},
            "and no answer would change.",
        ),
    ],
)
def test_evidence_whose_sources_are_all_retracted_is_said_to_pass_nothing_on(
    supposed: dict[str, Any], ending: str
) -> None:
    notes = corpus_of_parts(
        claim("q"),
        *(evidence("e", ["w0"]), evidence("f", ["w0", "w1"]), evidence("part", ["w0", "w2"])),
        evidence("good", ["w2"]),
        *(source(key, integrity=Integrity.RETRACTED) for key in ("w0", "w1")),
        *(source("w2"), *(f"{id} supports q" for id in ("e", "f", "part", "good"))),
    )
    sentence = whatif(notes, **supposed).sentence
    assert sentence.endswith(ending)
    assert ("retracted" in sentence) is ("retracted" in ending)
