"""Other settings and rules: where an answer comes out elsewhere."""

from __future__ import annotations

import pytest
from msgspec import structs

from kg.reasoning import robustness, verdict
from kg.reasoning.answers.verdict import list_remarks
from kg.reasoning.answers.verdict_text import describe_elsewhere
from tests.support.reasoning_corpus import direct_evidence, require_verdict


def test_another_rule_disagrees_where_its_word_has_no_side() -> None:
    """Above one half, and yet in the middle."""
    notes = direct_evidence(pa=0.7, pb=0.7, ca=0.9)
    found, told = require_verdict(robustness(notes, "q")), require_verdict(verdict(notes, "q"))
    assert (found.word, found.others["dfquad"]) == ("leans supported", pytest.approx(0.505))
    assert found.other_words == told.other_words
    assert found.other_words["dfquad"] == "evenly balanced"
    for said in (str(found), str(told.detail(()))):
        assert "DF-QuAD 0.505 (undecided)" in " ".join(said.split())
    apart = "Another rule of adding up the same reasons does not come out on this side."
    assert apart in list_remarks(told)


def test_where_it_comes_out_elsewhere_is_counted_and_the_rules_named_where_no_trial_comes() -> None:
    settled = require_verdict(robustness(direct_evidence(pa=0.9), "q"))
    near = structs.replace(settled, low=0.6, high=0.9, others={"qe": 0.8, "dfquad": 0.95})
    said = describe_elsewhere(near)
    assert said.startswith("It falls with none of 7 other settings and with none of 3")
    assert "outside" not in said
    far = structs.replace(near, high=0.7)
    assert describe_elsewhere(far).endswith(
        " Those that add up the same reasons put it at 0.80 and 0.95, outside what nine in ten "
        "trials give (0.60 to 0.70)."
    )
    apart = structs.replace(near, other_words={"qe": "contested", "dfquad": "supported"})
    assert "with 1 of 3 other rules (quadratic energy)." in describe_elsewhere(
        structs.replace(apart, grounded="in")
    )
    both = describe_elsewhere(structs.replace(apart, grounded="out"))
    assert "with 2 of 3 other rules (quadratic energy and objections alone)." in both
