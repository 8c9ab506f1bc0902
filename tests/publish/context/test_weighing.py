"""What a browser is given to weigh a line by: all that may bear on its answer, and nothing else."""

from __future__ import annotations

from typing import Any

from kg.corpus import Corpus
from kg.model.settings.config import Config
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.context.weighing import Weighing, weighing
from kg.reasoning import reading_of
from tests.publish.weighing import entangled_corpus
from tests.support.corpus_parts import (
    claim,
    corpus_of_parts,
    debate_corpus,
    edge,
    evidence,
    line,
    source,
)
from tests.support.every_row import every_row


def of(*parts: Any, **fields: Any) -> Weighing:
    scales = weighing(
        reading_of(corpus_of_parts(line("l", "q"), claim("q"), *parts, **fields)), "l"
    )
    assert scales is not None
    return scales


def ids(scales: Weighing) -> set[str]:
    return {each.id for each in scales.statements}


def test_the_scales_hold_only_statements_that_may_bear_on_the_answer() -> None:
    names = ("a", "cutter", "needed", "joined", "opposed", "twin", "beyond", "told")
    scales = of(
        *map(claim, names),
        *("a supports q", "cutter undercuts a supports q", "q depends-on needed"),
        *(
            edge("told supports a", together=("joined",)),
            edge("a contradicts opposed", mutual=True),
        ),
        *("twin same-as a", "q supports beyond"),
    )
    assert ids(scales) == {"q", *names} - {"beyond"}


def test_the_scales_hold_superseded_statements_and_their_successors() -> None:
    scales = of(
        *map(claim, ("old", "new", "newest", "below")),
        *("old supports q", "new supersedes old", "newest supersedes new", "below supports old"),
    )
    assert ids(scales) == {"q", "old", "new", "newest", "below"}
    assert len(scales.edges) == 4


def test_sources_joined_elsewhere_share_a_unit_and_keys_count_their_bearers() -> None:
    """Of two works and a key that evidence elsewhere joins, and one that stands by itself."""
    scales = of(
        evidence("e", ["w0", "w3"], independence=("lab:x", "lab:y")),
        evidence("f", ["w1"]),
        evidence("elsewhere", ["w1"], independence=("lab:x",)),
        source("w0", independence=("lab:x",)),
        source("w1"),
        *("e supports q", "f supports q"),
    )
    groups = {work.key: work.source_group for work in scales.works}
    assert groups["w0"] == groups["w1"] == scales.keys[0].source_group != groups["w3"]
    assert [key.bearers for key in scales.keys] == [2, 0]
    assert {work.key: work.title for work in scales.works}["w3"] is None


def test_the_scales_offer_the_last_four_years_that_leave_evidence_out() -> None:
    works = {f"w{year}": year for year in range(2018, 2025)}
    scales = of(
        *(evidence(f"e{year}", [key]) for key, year in works.items()),
        *(source(key, year=year) for key, year in works.items()),
        *(f"e{year} supports q" for year in works.values()),
    )
    assert scales.years == (2021, 2022, 2023, 2024)
    assert of(evidence("e", ["w"]), source("w", year=2024), "e supports q").years == ()


def test_there_are_no_scales_for_circles_too_large_to_be_followed() -> None:
    assert weighing(reading_of(entangled_corpus(12)), "l") is None
    assert weighing(reading_of(entangled_corpus(6)), "l") is not None


@every_row("name", ["talk", "open"])
@every_row("settings", [Reasoning(), Reasoning(semantics="dfquad"), Reasoning(transfer="earned")])
def test_there_are_no_scales_under_settings_that_the_browser_does_not_compute(
    name: str, settings: Reasoning
) -> None:
    corpus: Corpus = debate_corpus()
    scales = weighing(reading_of(corpus, settings), name)
    assert (scales is not None) == (name == "talk" and settings == Config().reasoning)
