"""How easily an answer is undone."""

from __future__ import annotations

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import reading_of, robustness_words
from kg.reasoning.answers.robustness import Robustness, robustness
from tests.support.corpus_parts import corpus_of_direct_evidence, debate_corpus
from tests.support.shorthand import corpus_of_shorthand


@pytest.mark.parametrize(("studies", "word"), [(1, "moderate"), (2, "sturdy"), (None, "sturdy")])
def test_an_answer_that_a_single_study_would_undo_is_not_sturdy(
    monkeypatch: pytest.MonkeyPatch, studies: int | None, word: str
) -> None:
    monkeypatch.setattr(robustness_words, "fail_safe_number", lambda _: studies)
    corpus = corpus_of_direct_evidence(pa=0.6, pb=0.6, pc=0.6)
    question = reading_of(corpus).question("q")
    assert robustness_words.robustness_word(question, 1.0, rules_agree=True) == word


def test_claims_that_would_undo_an_answer_are_found_within_the_budget() -> None:
    corpus = debate_corpus()
    assert robustness_words.find_claims_taking_from_side(reading_of(corpus).question("talk")) == (
        *("grows", "helps", "strips", "bare"),
    )
    short = reading_of(corpus, Reasoning(budget=1)).question("talk")
    assert robustness_words.find_claims_taking_from_side(short) is None
    undecided = reading_of(corpus_of_direct_evidence(pa=0.5, ca=0.5)).question("q")
    assert robustness_words.find_claims_taking_from_side(undecided) == ()


def test_a_claim_that_the_budget_does_not_try_does_not_make_an_answer_sturdy() -> None:
    evidence = {f"e{n}": f"evidence e{n} .9 @s{n}\ne{n} supports q\n" for n in range(4)}
    corpus = corpus_of_shorthand("claim q\nclaim c\nc supports q\n" + "".join(evidence.values()))
    arc_count = len(reading_of(corpus).question("q").graph.arc_premise)
    for budget, word in ((2 * arc_count, "sturdy"), (2 * arc_count - 1, "moderate")):
        answer = robustness(reading_of(corpus, Reasoning(budget=budget)), "q")
        assert isinstance(answer, Robustness)
        assert (answer.headline, answer.undoing_claims) == (word, ())


@pytest.mark.parametrize(
    ("qualities", "studies"),
    [
        ({"pa": 0.6}, 1),
        ({"ca": 0.6}, 1),
        ({f"p{k}": 0.9 for k in range(3)}, 3),
        ({f"c{k}": 0.9 for k in range(3)}, 3),
        ({"pa": 0.5, "ca": 0.5}, None),
        ({}, None),
    ],
)
def test_contrary_studies_are_counted_until_the_answer_leaves_its_side(
    qualities: dict[str, float], studies: int | None
) -> None:
    question = reading_of(corpus_of_direct_evidence(**qualities)).question("q")
    assert robustness_words.fail_safe_number(question) == studies
