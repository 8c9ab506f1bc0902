"""How firmly an answer stands."""

from __future__ import annotations

from kg.reasoning import robustness
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    require_verdict,
)
from tests.support.shorthand import corpus_of_shorthand


def test_the_headline_tells_a_fragile_answer_from_a_sturdier_one() -> None:
    fragile = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9, pb=0.2, ca=0.3), "q"))
    sturdy = require_verdict(
        robustness(corpus_of_direct_evidence(**{f"p{k}": 0.8 for k in range(6)}, ca=0.4), "q")
    )
    assert fragile.headline == "fragile"
    assert (sturdy.headline, sturdy.kept) == ("moderate", 1.0)
    assert sturdy.other_rules.grounded == "out", "one reason against is enough for Dung"
    agreed = require_verdict(
        robustness(corpus_of_direct_evidence(**{f"p{k}": 0.8 for k in range(6)}), "q")
    )
    assert (agreed.headline, agreed.smallest_loss) == ("sturdy", 6)
    assert require_verdict(robustness(corpus_of_parts(claim("q")), "q")).headline == "no side"


def test_evidence_has_a_quality_and_no_side() -> None:
    text = "claim q\nevidence e .9 @s\nevidence f .4 @t\ne supports q\nf contradicts e\n"
    answer = require_verdict(robustness(corpus_of_shorthand(text), "e"))
    assert (answer.word.split(",")[0], answer.headline) == ("quality 0.90", "no side")
    assert {each.word[:12] for each in answer.other_settings} == {"quality 0.90"}
    assert "keeps its side" not in str(answer)
    assert "how firm" not in str(answer)
    assert "share of trials in which it has no side" in str(
        require_verdict(robustness(corpus_of_shorthand("claim q"), "q"))
    )
