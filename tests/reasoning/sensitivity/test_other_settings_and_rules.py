"""Other rules: where an answer comes out elsewhere."""

from __future__ import annotations

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, robustness, verdict
from kg.reasoning.answers.verdict import list_remarks
from kg.reasoning.sensitivity.other_settings_and_rules import (
    LIMITS_AS_DENIALS,
    RULES_DISAGREE,
    other_settings,
)
from tests.support.corpus_parts import corpus_of_direct_evidence, require_verdict
from tests.support.shorthand import corpus_of_shorthand


def test_another_rule_disagrees_where_its_word_has_no_side() -> None:
    """Above one half, and yet in the middle."""
    notes = corpus_of_direct_evidence(pa=0.7, pb=0.7, ca=0.9)
    answer, main_verdict = (
        require_verdict(robustness(notes, "q")),
        require_verdict(verdict(notes, "q")),
    )
    rules = answer.other_rules
    assert (answer.word, rules.strengths["dfquad"]) == ("leans supported", pytest.approx(0.505))
    assert rules == main_verdict.other_rules
    assert rules.words["dfquad"] == "evenly balanced"
    for texts in (str(answer), str(main_verdict.detail(()))):
        assert f"{RULES_DISAGREE}: DF-QuAD 0.505 (undecided)" in " ".join(texts.split())
    text_apart = "Another rule of adding up the same reasons does not come out on this side."
    assert text_apart in list_remarks(main_verdict)


def test_limits_count_in_full_by_the_setting_for_limits_and_not_for_weak_reasons() -> None:
    text = "claim q\nevidence e .9 @s\nevidence f .4 @t\ne supports q\nf {} q\n"
    limited, denied = (
        reading_of(corpus_of_shorthand(text.format(verb)), Reasoning(qualifies=0.3, weak=0.6))
        for verb in ("qualifies", "contradicts")
    )
    strengths = {each.setting: each.strength for each in other_settings(limited.question("q"))}
    assert strengths[LIMITS_AS_DENIALS] == pytest.approx(
        denied.question("q").strength_or_nan, abs=1e-4
    )
