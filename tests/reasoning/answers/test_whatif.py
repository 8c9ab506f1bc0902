"""What an answer would be if something else were so."""

from __future__ import annotations

from typing import Any

import pytest

from kg.corpus import UnknownId
from kg.model import Integrity
from kg.reasoning import flips, impact, reading_of, verdict, whatif
from tests.support.every_row import every_row
from tests.support.reasoning_corpus import (
    claim,
    corpus,
    direct_evidence,
    evidence,
    require_verdict,
    source,
    strength_of_nats,
)


@every_row(
    ("supposed", "expected"),
    [
        ({"mute": ["pa"]}, strength_of_nats(-0.5)),
        ({"hold": {"pa": 1.0}}, strength_of_nats(0.5)),
        ({"base": {"pa": 0.6}}, strength_of_nats(0.1)),
        ({"weights": {"pa supports q": -1.0}}, strength_of_nats(-1.3)),
    ],
)
def test_a_supposition_moves_what_rests_on_it_and_not_the_corpus(
    supposed: dict[str, Any], expected: float
) -> None:
    notes = direct_evidence(pa=0.8, ca=0.5)
    found = whatif(notes, **supposed)
    after = {change.statement: change.after for change in found.changes}
    assert after["q"] == pytest.approx(expected)
    assert require_verdict(verdict(notes, "q")).strength == pytest.approx(strength_of_nats(0.3)), (
        "nothing was touched"
    )


def test_evidence_published_before_the_year_no_longer_counts() -> None:
    """Nor does what is of no known year; of several works the newest decides."""
    notes = corpus(
        claim("q"),
        evidence("old", ["w0"]),
        evidence("new", ["w0", "w1"]),
        evidence("undated", ["w2"]),
        *(source("w0", year=2020), source("w1", year=2024), source("w2")),
        *("old supports q", "new contradicts q", "undated supports q"),
    )
    found = whatif(notes, since=2024)
    assert found.changes == whatif(notes, mute=["old", "undated"]).changes != ()
    assert found.supposed == ("only what was published since 2024 counts",)
    assert whatif(notes, since=1900).changes == whatif(notes, mute=["undated"]).changes


def test_what_if_refuses_strengths_out_of_range_and_unknown_ids() -> None:
    notes = direct_evidence(pa=0.8)
    with pytest.raises(ValueError, match="from 0 to 1"):
        whatif(notes, hold={"pa": 2.0})
    with pytest.raises(ValueError, match="from -1 to 1"):
        whatif(notes, weights={"pa supports q": 3.0})
    with pytest.raises(UnknownId, match="did you mean pa supports q"):
        whatif(notes, weights={"pa support q": 0.0})


def test_changes_too_small_to_show_are_counted_apart() -> None:
    notes = direct_evidence(pa=0.8, pb=0.8, pc=0.8, pd=0.8, pe=0.8, pf=0.8, pg=0.8)
    found = whatif(notes, hold={"pa": 0.804})
    assert [change.statement for change in found.changes] == ["pa", "q"]
    assert "1 statement (and 1 by less than 0.0005) would move" in found.sentence
    assert "\nq " not in str(found)


def test_a_statement_that_falls_is_false_with_all_that_are_the_same() -> None:
    parts = (claim("q"), *(evidence(name, ["w"], quality=0.6) for name in ("e", "f")))
    reading = reading_of(corpus(*parts, "e supports q", "f supports q", "e same-as f"))
    with_it = "e (and f, said to be the same)"
    assert impact(reading, "e").sentence.startswith(f"If {with_it} is false, ")
    assert whatif(reading, mute=["e"]).sentence.startswith(f"If {with_it} is muted, ")
    lost = require_verdict(flips(reading, "q"))
    assert "and f, said to be the same" in lost.sentence


@every_row(
    ("muted", "ending"),
    [
        (["e"], " e is retracted, so it passes nothing on, whatever is supposed of it."),
        (
            ["e", "f"],
            " e and f are retracted, so they pass nothing on, whatever is supposed of them.",
        ),
        (["q", "part", "good"], "and no answer would change."),
    ],
)
def test_evidence_whose_sources_are_all_retracted_is_said_to_pass_nothing_on(
    muted: list[str], ending: str
) -> None:
    notes = corpus(
        claim("q"),
        *(evidence("e", ["w0"]), evidence("f", ["w0", "w1"]), evidence("part", ["w0", "w2"])),
        evidence("good", ["w2"]),
        *(source(key, integrity=Integrity.RETRACTED) for key in ("w0", "w1")),
        *(source("w2"), *(f"{id} supports q" for id in ("e", "f", "part", "good"))),
    )
    sentence = whatif(notes, mute=muted).sentence
    assert sentence.endswith(ending)
    assert ("retracted" in sentence) is ("retracted" in ending)
