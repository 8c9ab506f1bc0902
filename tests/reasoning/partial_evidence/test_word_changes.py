"""How sure an answer would be without one source or finding: as sure as its verdict then."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from kg.corpus import Corpus
from kg.reasoning import flips, impact, reading_of, robustness, verdict, whatif
from kg.reasoning.losses.smallest_losses import LossKind, LossPool
from kg.reasoning.partial_evidence import word_changes
from kg.reasoning.partial_evidence.word_changes import (
    FEWEST_WORDS_TRIED,
    Flip,
    flips_of_single_losses,
)
from kg.reasoning.reading import Question
from kg.reasoning.sensitivity.changed_readings import with_muted_statements
from kg.reasoning.sureness import sureness_of
from tests.support.corpus_parts import (
    claim,
    corpus_of_direct_evidence,
    corpus_of_parts,
    evidence,
    line,
    require_verdict,
    source,
    with_retracted_sources,
)
from tests.support.own import own_corpus


def flips_of(question: Question, kind: LossKind, max_words: int) -> list[Flip]:
    return flips_of_single_losses(LossPool(question, kind, frozenset()), max_words)


def word_without(question: Question, kind: LossKind, name: str) -> str:
    """The word of the whole verdict with the works of a source retracted, or a finding muted."""
    reading = question.reading
    if kind == "evidence":
        reading_left = with_muted_statements(reading, [name])
    else:
        works = reading.source_groups.sources.get(name)
        if works is None:  # evidence that cites nothing is a source of its own
            reading_left = with_muted_statements(reading, [name])
        else:
            reading_left = reading_of(with_retracted_sources(reading.corpus, works))
    return sureness_of(reading_left.question(question.line_id or question.statement)).sureness


def mixed_corpus(random: Random) -> Corpus:
    """Claims and findings of few sources, some of two, with objections and premises."""
    works = [f"w{n}" for n in range(5)]
    edges = [
        "a supports q",
        "b contradicts q",
        *random.choices(["e1 contradicts e2", "q depends-on a"]),
    ]
    findings = []
    for n in range(9):
        cited_sources = random.sample(works, random.choice((1, 1, 2)))
        findings.append(evidence(f"e{n}", cited_sources, quality=random.choice((0.3, 0.6, 0.9))))
        relation = random.choice(("supports", "supports", "contradicts"))
        edges.append(f"e{n} {relation} {random.choice('qqab')}")
    return corpus_of_parts(*map(claim, "qab"), *map(source, works), *findings, *edges)


@pytest.mark.parametrize("kind", ["source", "evidence"])
def test_the_word_after_each_loss_is_that_of_the_whole_verdict(kind: LossKind) -> None:
    random = Random(5)
    words: set[str] = set()
    for _ in range(9):
        question = reading_of(mixed_corpus(random)).question("q")
        for flip in flips_of(question, kind, 99):
            assert flip.sureness == word_without(question, kind, flip.removed[0]), flip
            words.add(flip.sureness)
    assert words >= {"undecided", "perhaps", "probably"}


@pytest.mark.integration
def test_in_our_own_corpus_the_word_without_each_of_the_heaviest_sources_is_the_verdicts() -> None:
    """Of one line, as each source takes a verdict of its own."""
    question = reading_of(own_corpus()).question("face-or-perspective")
    tried_flips = [
        flip for flip in flips_of(question, "source", FEWEST_WORDS_TRIED) if flip.sureness
    ]
    assert len(tried_flips) >= FEWEST_WORDS_TRIED
    for flip in tried_flips:
        assert flip.sureness == word_without(question, "source", flip.removed[0]), flip


def corpus_with_objection() -> Corpus:
    """A claim that three findings carry and one denies; a line asks it."""
    corpus = corpus_of_direct_evidence(pa=0.8, pb=0.8, pc=0.8, ca=0.5)
    return replace(corpus, lines={"l": line("l", "q")})


def test_a_loss_may_make_an_answer_surer_and_every_answer_says_so() -> None:
    notes = corpus_with_objection()
    answer = require_verdict(verdict(notes, "l"))
    robust = require_verdict(robustness(notes, "l"))
    by_source = require_verdict(flips(notes, "l", by="source"))
    assert robust.word_changes == by_source.words
    [flip] = [flip for flip in by_source.words if flip.does == "surer"]
    assert (answer.sureness, flip.removed, flip.sureness) == ("perhaps", ("@src-ca",), "probably")
    words = "Without @src-ca alone it would be surer: “probably”."
    assert words in by_source.sentence
    assert words in " ".join(str(answer.report(robust)).split())
    [turn] = whatif(notes, mute="ca").verdicts
    assert (turn.strength_after, turn.sureness_before, turn.sureness_after) == (
        flip.strength,
        "perhaps",
        "probably",
    )
    assert not turn.at_most
    assert impact(notes, "src-ca").verdicts == (turn,)


def test_with_a_strength_fixed_only_changes_possible_under_it_are_reported() -> None:
    notes = corpus_with_objection()
    assert whatif(notes, hold={"ca": 0.0}).verdicts == (), "it may be surer, but nobody tried"
    [turn] = whatif(notes, hold={"pa": 0.0, "pb": 0.0, "ca": 0.4}).verdicts
    assert turn.at_most
    assert turn.undoes


def test_losses_that_were_not_tried_leave_an_upper_bound() -> None:
    notes = corpus_of_direct_evidence(**{f"p{n}": 0.6 for n in range(12)}, ca=0.3)
    question = reading_of(notes).question("q")
    answer = flips_of(question, "evidence", 2)
    assert [flip.sureness for flip in answer].count("") == len(answer) - 2
    assert {flip.answer_phrase.startswith("at most ") for flip in answer if not flip.sureness} == {
        True
    }
    report = require_verdict(flips(notes, "q"))
    assert (report.words_tried, report.tried) == (FEWEST_WORDS_TRIED, 13)
    assert "losses after which the word was tried, the heaviest: 10" in str(report)


def test_all_draws_are_made_only_for_strengths_near_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    requests = []

    def count(question: Question) -> object:
        requests.append(question)
        return sureness_of(question)

    monkeypatch.setattr(word_changes, "sureness_of", count)
    question = reading_of(corpus_of_direct_evidence(**{f"p{n}": 0.5 for n in range(5)})).question(
        "q"
    )
    answer = flips_of(question, "source", 9)
    assert {flip.sureness for flip in answer} == {"probably"}
    assert {id(each) for each in requests} == {id(question)}
