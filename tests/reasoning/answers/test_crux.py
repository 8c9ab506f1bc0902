"""The claims that an answer hangs on."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import LineWithoutProposition, crux, reading_of, whatif
from kg.reasoning.answers.crux import DECIDES, OVERTURNS, SHAKES, rank_by_effect
from kg.reasoning.sensitivity.proposed_studies import studies_for, study_sentence
from kg.reasoning.word_and_side import SideChange
from tests.support.corpus_parts import (
    claim,
    corpus_of_parts,
    debate_corpus,
    edge,
    evidence,
    line,
    require_verdict,
    strength_of_nats,
)
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand


def test_a_crux_is_disputed_and_moves_the_answer() -> None:
    answer = require_verdict(crux(debate_corpus(), "talk"))
    first = answer.cruxes[0]
    assert (answer.kind, first.statement, first.turns) == ("crux", "grows", True)
    assert answer.sentence.startswith(
        "The crux of “Claim p”, on which the camps differ most for what it moves, is “Claim grows”:"
    )
    assert first.score == pytest.approx(abs(first.swing) * first.disagreement, abs=1e-8)
    effect = whatif(debate_corpus(), hold={"grows": 1.0})
    after = next(change.strength_after for change in effect.changes if change.statement == "p")
    assert first.if_true == pytest.approx(after)
    ends = f"({first.if_false:.2f} if false, {first.if_true:.2f} if true)"
    assert f"“Claim grows”: settling it turns the answer if true {ends}." in answer.sentence
    assert [
        each.statement for each in require_verdict(crux(debate_corpus(), "talk", k=1)).cruxes
    ] == ["grows"]


def test_without_declared_camps_it_is_a_claim_it_hangs_on() -> None:
    notes = corpus_of_parts(
        claim("q"), claim("a"), evidence("e", quality=0.5), "e supports a", "a supports q"
    )
    answer = require_verdict(crux(notes, "q"))
    s = strength_of_nats(0.5)
    assert answer.kind == "claim it hangs on"
    assert answer.sentence.startswith("The claim that “Claim q” hangs on most is “Claim a”:")
    assert answer.cruxes[0].score == pytest.approx((0.99 - 0.5) * 4 * s * (1 - s))


def test_a_crux_goes_back_to_the_reason_that_decides_it() -> None:
    notes = corpus_of_parts(
        line("l", "q", {"optimist": ["a", "deep"], "skeptic": ["b"]}),
        *(claim(name) for name in ("q", "a", "b", "deep")),
        evidence("e", quality=0.9),
        evidence("f", quality=0.9),
        "e supports deep",
        "deep supports a",
        "a supports q",
        "f supports b",
        "b contradicts deep",
        "b contradicts a",
    )
    answer = require_verdict(crux(notes, "l"))
    assert answer.below is not None
    assert answer.below.statement != answer.cruxes[0].statement


def test_a_crux_without_reasons_names_no_crux_below() -> None:
    answer = require_verdict(
        crux(
            corpus_of_shorthand("claim q\nclaim a\nevidence e .5 @s\ne supports a\na supports q"),
            "q",
        )
    )
    assert answer.below is None
    assert "in turn" not in str(answer)


def test_a_study_after_which_no_strength_is_stable_moves_the_answer_to_no_number() -> None:
    question = reading_of(debate_corpus()).question("talk")
    studies, _ = studies_for(question, 1)
    lost = replace(studies[0], strength=None, decides=False, turns=False)
    sentence = study_sentence(question, (lost,))
    assert sentence.endswith("would leave the answer without a stable strength.")


def test_the_claim_in_question_is_never_the_crux_below() -> None:
    notes = corpus_of_parts(
        *(claim(name) for name in ("p", "a", "b")),
        *(evidence(name, quality=0.6) for name in ("e", "f", "g")),
        *("e supports p", "f supports a", "g supports b"),
        edge("b contradicts a", strength="weak"),
        edge("a contradicts p", mutual=True),
    )
    answer = require_verdict(crux(notes, "p"))
    assert {each.statement: each.denies for each in answer.cruxes} == {"a": True, "b": False}
    assert answer.undoing is not None
    assert answer.undoing.statement == "b", "a decides the answer only as it denies it outright"
    assert require_verdict(crux(notes, "p", k=1)).undoing == answer.undoing
    assert " What would decide it is “Claim b”: settling it decides the answer if true. " in (
        answer.sentence
    )
    assert answer.below is not None
    assert answer.below.statement == "b"


def test_an_undecided_answer_is_not_said_to_move_within_a_side() -> None:
    text = "claim q\nclaim a\nevidence e .9 @s\nevidence f .8 @t\nevidence g .1 @u\n"
    text += "evidence h .3 @v\ne supports q\nf contradicts q\ng supports q\n"
    text += "h supports a\na undercuts g>q\n"
    answer = require_verdict(crux(corpus_of_shorthand(text), "q"))
    assert (
        "it moves the answer, which has no side, from 0.55 (if false) to 0.52." in answer.sentence
    )


def test_for_a_claim_below_one_half_a_study_gains_by_lowering_it() -> None:
    text = "claim q\nclaim a\nevidence e .6 @s\nevidence f .9 @t\nevidence g .1 @u\n"
    text += "e supports q\nf contradicts q\ng supports a\na supports q\n"
    notes = corpus_of_shorthand(text)
    answer, after = require_verdict(crux(notes, "q", k=9)), reading_of(notes).strength("q") or 0.0
    assert 0.0 < 0.5 - after < 0.1
    assert answer.studies
    for study in answer.studies:
        gain = abs((study.strength or 0.0) - 0.5) - abs(after - 0.5)
        assert study.gain == pytest.approx(gain, abs=1e-6), study.statement


def test_over_budget_its_own_reasons_are_tried_before_what_moves_it_more() -> None:
    weak, deep = ("w1", "w2", "w3"), ("d1", "d2", "d3")
    notes = corpus_of_parts(
        *(claim(name) for name in ("q", "hub", *weak, *deep)),
        "hub supports q",
        *(edge(f"{name} supports q", strength="weak") for name in weak),
        *(edge(f"{name} supports hub", strength="strong") for name in deep),
    )
    moved_statements = [
        study.statement for study in require_verdict(crux(notes, "q", k=20)).studies
    ]
    assert max(map(moved_statements.index, deep)) < min(map(moved_statements.index, weak))
    answer = require_verdict(crux(reading_of(notes, Reasoning(budget=0)), "q", k=20))
    assert not answer.complete
    assert {study.statement for study in answer.studies} == {"q", "hub", *weak}


def test_a_study_is_described_by_what_it_does_to_the_answer() -> None:
    question = reading_of(debate_corpus()).question("talk")
    (study, *_), _ = studies_for(question, 1)
    ends = {
        (False, False): "would move the answer most, to",
        (True, False): "would leave the answer on neither side.",
        (True, True): "would turn the answer.",
    }
    for (decides, turns), end in ends.items():
        sentence = study_sentence(question, (replace(study, decides=decides, turns=turns),))
        assert end in sentence
        assert sum(other in sentence for other in ends.values()) == 1
    assert study_sentence(question, ()) == ""


def test_what_would_settle_an_answer_comes_before_what_moves_it_far() -> None:
    crux_of_any_kind = require_verdict(crux(debate_corpus(), "talk")).cruxes[0]
    effects: dict[str, tuple[bool, bool, SideChange, float]] = {
        # undoes, denies, when true, swing
        "settles": (True, False, "decides", 0.1),
        "settles too": (True, False, "turns", 0.9),
        "shakes most": (True, False, "undoes", -0.5),
        "shakes": (True, False, "undoes", 0.3),
        "shakes least": (True, False, "undoes", -0.2),
        "denies": (True, True, "turns", 0.9),
        "stays": (False, False, "keeps", 0.9),
    }
    cruxes = [
        replace(
            crux_of_any_kind,
            statement=name,
            undoes=undoes,
            denies=denies,
            when_true=then,
            when_false="keeps",
            swing=swing,
        )
        for name, (undoes, denies, then, swing) in effects.items()
    ]
    assert [each.statement for each in rank_by_effect(cruxes)] == [*effects]
    shaken = [each.statement for each in rank_by_effect(reversed(cruxes))]
    assert shaken == ["settles too", "settles", *[*effects][2:]], "of one rank, as they came"
    assert rank_by_effect([replace(cruxes[0], score=0.0)]) == []


@every_row(
    ("when_true", "when_false", "undoes", "words", "effect"),
    [
        ("keeps", "keeps", False, "", SHAKES),
        ("turns", "keeps", True, "turns the answer if true", OVERTURNS),
        ("keeps", "undoes", True, "undoes the answer if false", SHAKES),
        ("decides", "keeps", True, "decides the answer if true", DECIDES),
        ("undoes", "turns", True, "undoes the answer if true and turns it if false", OVERTURNS),
        ("undoes", "undoes", True, "undoes the answer either way", SHAKES),
    ],
)
def test_the_effect_of_settling_a_claim_is_described_by_its_two_ends(
    when_true: SideChange, when_false: SideChange, undoes: bool, words: str, effect: str
) -> None:
    first = require_verdict(crux(debate_corpus(), "talk")).cruxes[0]
    changed = replace(first, when_true=when_true, when_false=when_false, undoes=undoes)
    assert (changed.describe_settling("the answer"), changed.effect_name) == (words, effect)
    assert changed.settles is ("turns" in words or "decides" in words)


def test_a_report_shows_what_each_camp_sees_only_where_there_are_camps() -> None:
    heading = "strength each camp alone sees"
    disputed = crux(debate_corpus(), "talk")
    assert f"statement  {heading}" in str(disputed)
    assert "what the first of these hangs on most in turn" in str(disputed)
    assert heading not in str(crux(debate_corpus(), "p"))
    assert isinstance(crux(debate_corpus(), "open"), LineWithoutProposition)
    alone = crux(corpus_of_shorthand("claim q\nevidence e .5 @s\ne supports q"), "q")
    assert alone.sentence.startswith(
        "No claim that bears on “Claim q” is both disputed and able to move it."
    )
