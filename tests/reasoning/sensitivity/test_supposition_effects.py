"""What changes between two scenarios, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from kg.model import LineId, StatementId
from kg.reasoning import whatif
from kg.reasoning.reading import reading_of
from kg.reasoning.sensitivity.supposition_effects import (
    LEAST_CHANGE_PRINTED,
    StrengthChange,
    VerdictChange,
    count_changes,
    describe_verdict_changes,
    solved_scenario,
    verdict_changes,
)
from kg.reasoning.sureness_words import LimitedSureness, Sureness
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, line
from tests.support.every_row import every_row


def test_answers_that_change_are_counted_in_words() -> None:
    def turn(turns: bool, undoes: bool) -> VerdictChange:
        return VerdictChange(
            line=LineId("l"),
            statement=StatementId("s"),
            strength_before=0.6,
            strength_after=0.4,
            word_before="leans supported",
            word_after="leans refuted",
            turns=turns,
            undoes=undoes,
            decides=False,
            sureness_before="probably",
            sureness_after="probably",
            at_most=False,
        )

    turned, undone, reworded = turn(True, True), turn(False, True), turn(False, False)
    assert describe_verdict_changes(()) == "no answer would change"
    assert describe_verdict_changes([reworded]) == "1 answer would change its word"
    assert describe_verdict_changes([turned, turned]) == "2 answers would turn"
    assert (
        describe_verdict_changes([turned, undone])
        == "1 answer would turn and 1 answer would be undecided"
    )


@every_row(
    ("supposed", "turns", "undoes", "decides"),
    [
        ({"mute": ["pa", "pe"]}, True, True, False),
        ({"mute": ["pa", "pe", "ca"]}, False, True, False),
        ({"mute": ["ca"]}, False, False, False),
        ({"mute": ["pb"]}, False, False, True),
    ],
)
def test_a_scenario_says_if_an_answer_keeps_turns_or_loses_its_side(
    supposed: dict[str, Any], turns: bool, undoes: bool, decides: bool
) -> None:
    notes = corpus_of_parts(
        line("l", "q"),
        line("m", "r"),
        *(claim(name) for name in "qr"),
        evidence("pa", ["a"], quality=0.95),
        evidence("pe", ["e"], quality=0.95),
        evidence("ca", ["b"], quality=0.9),
        evidence("pb", ["c"], quality=0.7),
        evidence("cb", ["d"], quality=0.7),
        "pa supports q",
        "pe supports q",
        "ca contradicts q",
        "pb supports r",
        "cb contradicts r",
    )
    (turn,) = whatif(notes, **supposed).verdicts
    assert (turn.turns, turn.undoes, turn.decides) == (turns, undoes, decides)


@every_row(("base_moves", "changed"), [(0.0, 0), (0.01, 1)])
def test_sureness_is_asked_for_where_a_base_moved_though_no_strength_did(
    base_moves: float, changed: int
) -> None:
    reading = reading_of(
        corpus_of_parts(
            line("l", "q"), claim("q"), evidence("e", ["a"], quality=0.7), "e supports q"
        )
    )
    before = solved_scenario(reading.graph)
    base = reading.graph.base + np.where(reading.graph.is_claim, 0.0, base_moves)
    after = replace(before, graph=reading.graph.with_values(base=base))
    sureness = iter([LimitedSureness(Sureness.PROBABLY), LimitedSureness(Sureness.PERHAPS)])
    changes = verdict_changes(reading, before, after, lambda _: next(sureness), reading)
    assert len([*changes]) == changed


@every_row(("sureness_before", "changed"), [(Sureness.VERY_PROBABLY, 1), (Sureness.PERHAPS, 0)])
def test_an_untried_answer_with_another_word_is_listed_only_if_that_word_makes_it_less_sure(
    sureness_before: Sureness, changed: int
) -> None:
    reading = reading_of(
        corpus_of_parts(
            line("l", "q"),
            claim("q"),
            *(evidence(name, [name], quality=0.8) for name in "ef"),
            "e supports q",
            "f supports q",
        )
    )
    before = solved_scenario(reading.graph)
    after = solved_scenario(reading.graph.with_values(arc_weight=reading.graph.arc_weight * [1, 0]))
    changes = [
        *verdict_changes(reading, before, after, lambda _: LimitedSureness(sureness_before), None)
    ]
    assert len(changes) == changed
    assert all(each.at_most and not each.turns and not each.undoes for each in changes)


@every_row(
    ("change", "words"),
    [
        (LEAST_CHANGE_PRINTED, "1 statement"),
        (-LEAST_CHANGE_PRINTED, "1 statement"),
        (LEAST_CHANGE_PRINTED / 2, f"0 statements (and 1 by less than {LEAST_CHANGE_PRINTED})"),
    ],
)
def test_a_change_of_the_least_that_is_printed_is_counted(change: float, words: str) -> None:
    row = StrengthChange(
        statement=StatementId("s"),
        title="S",
        strength_before=0.5,
        strength_after=0.5,
        change=change,
        same=(),
    )
    assert count_changes([row]) == words
