"""How firmly an answer stands."""

from __future__ import annotations

from msgspec.structs import replace

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import LineWithoutProposition, reading_of, robustness
from kg.reasoning.answers.robustness import (
    describe_contrary,
    describe_fraction_kept,
    robustness_in_sentences,
)
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    debate_corpus,
    require_verdict,
)
from tests.support.every_row import every_row
from tests.support.shorthand import corpus_of_shorthand


def test_the_headline_tells_a_fragile_answer_from_a_sturdier_one() -> None:
    fragile = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9, pb=0.2, ca=0.3), "q"))
    sturdy = require_verdict(
        robustness(corpus_of_direct_evidence(**{f"p{k}": 0.8 for k in range(6)}, ca=0.4), "q")
    )
    assert fragile.headline == "fragile"
    assert (sturdy.headline, sturdy.fraction_kept) == ("moderate", 1.0)
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


SIX = {f"p{k}": 0.9 for k in range(6)}
KEEPS = "it keeps its side in 100% of trials that shift qualities and weights a little, and"


@every_row(
    ("qualities", "sentence"),
    [
        (
            {"pa": 0.9},
            f"The answer to “Claim q” is fragile: {KEEPS} the loss of one independent source, "
            "@src-pa, would undo it; so would one new top-quality study against it.",
        ),
        (
            {"ca": 0.9, "cb": 0.8, "pa": 0.3},
            f"The answer to “Claim q” is moderately firm: {KEEPS} the loss of two independent "
            "sources would undo it; so would one new top-quality study against it.",
        ),
        (
            {**SIX, "ca": 0.3},
            f"The answer to “Claim q” is moderately firm: {KEEPS} the loss of six independent "
            "sources (perhaps fewer: not every set was tried) would undo it; so would five "
            "new top-quality studies against it.",
        ),
        (
            {"pa": 0.5, "ca": 0.5},
            "“Claim q” is on no side, so there is nothing to undo; without any one of @src-ca and "
            "@src-pa it would be on one.",
        ),
        ({}, "“Claim q” is on no side, so there is nothing to undo."),
    ],
)
def test_a_sentence_says_what_would_undo_an_answer(
    qualities: dict[str, float], sentence: str
) -> None:
    assert robustness(corpus_of_direct_evidence(**qualities), "q").sentence == sentence
    for name in list(qualities)[:1]:
        of_evidence = robustness(corpus_of_direct_evidence(**qualities), name).sentence
        assert of_evidence.endswith(
            "is evidence, which takes no side, so there is nothing to undo."
        )


def test_where_no_source_is_there_to_lose_studies_alone_would_undo_an_answer() -> None:
    bare = corpus_of_parts(claim("q"), claim("p"), "p supports q")
    answer = require_verdict(robustness(reading_of(bare, Reasoning(transfer="plain")), "q"))
    assert answer.sentence.endswith(
        "no loss that was tried would undo it, but one new top-quality study against it would."
    )
    assert "the source whose loss weakens it most: –" in str(answer)


def test_the_report_shows_a_source_and_edges_only_of_an_answer_with_a_side() -> None:
    sided = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9), "q"))
    worst = "the source whose loss weakens it most: "
    assert f"{worst}@src-pa; strength 0.500; at most undecided; answer undone yes" in str(sided)
    assert [each.strength for each in sided.edges] == [0.5]
    of_sentences = robustness_in_sentences(corpus_of_direct_evidence(pa=0.9), "q")
    assert require_verdict(of_sentences).edges == ()
    undecided = str(robustness(corpus_of_direct_evidence(pa=0.5, ca=0.5), "q"))
    for fact in (worst, "another rule disagrees", "top-quality studies on the other side"):
        assert (fact in str(sided), fact in undecided) == (True, False)
    assert isinstance(robustness(debate_corpus(), "open"), LineWithoutProposition)


@every_row(
    ("share", "text"),
    [(0.0, "0%"), (0.001, "1%"), (0.5, "50%"), (0.999, "99%"), (1.0, "100%")],
)
def test_only_none_and_all_of_the_trials_are_called_so(share: float, text: str) -> None:
    assert describe_fraction_kept(share) == text


def test_studies_are_about_so_many_where_reasons_do_not_add_up() -> None:
    question = require_verdict(robustness(corpus_of_direct_evidence(pa=0.9), "q")).asked
    assert describe_contrary(1, question) == "one new top-quality study against it"
    assert describe_contrary(2, question, "so").startswith("two new top-quality studies f")
    assert describe_contrary(2, question, "so").endswith("for “so”")
    other = replace(question, parameters=replace(question.parameters, semantics="qe"))
    assert describe_contrary(1, other).startswith("about one new top-quality study")
