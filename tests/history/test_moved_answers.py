"""Answers that moved between two states of a corpus, and the reasons that moved them."""

from __future__ import annotations

import pytest

from kg.history import moved_answers
from kg.history.find_changes import diff
from kg.history.moved_answers import MovedAnswer
from tests.history.changed_notes import BOOKS, LINE, claim_text, evidence_text, line_text
from tests.support.corpora import corpus_of_notes
from tests.support.corpus_parts import claim, corpus_of_parts, evidence, line


def test_verdicts_that_moved_name_the_reason() -> None:
    notes = {"p": claim_text("P"), "a": claim_text("A", "- supports:: [[p]]"), "line": line_text()}
    before = corpus_of_notes(references=BOOKS, **notes)
    after = corpus_of_notes(references=BOOKS, e=evidence_text("supports:: [[p]]"), **notes)
    (answer,) = diff(before, after).verdicts
    assert (answer.line, answer.proposition) == ("line", "p")
    assert answer.strength_before is not None
    assert answer.strength_after is not None
    assert answer.strength_after > answer.strength_before
    assert [reason.statement for reason in answer.reasons] == ["e"]
    assert answer.reasons[0].share_before is None


def test_an_answer_is_moved_by_the_reasons_that_moved_its_way_the_heaviest_first() -> None:
    notes = {"p": claim_text("P"), "line": LINE.format(day="2026-01-01", camps="")}
    before = corpus_of_notes(
        **notes, b=study("contradicts:: [[p]]", 0.9), d=study("supports:: [[p]]", 0.3)
    )
    after = corpus_of_notes(
        **notes,
        b=study("contradicts:: [[p]]", 0.4),
        c=study("contradicts:: [[p]]", 0.2),
        d=study("supports:: [[p]]", 0.9),
    )
    (answer,) = diff(before, after).verdicts
    assert [reason.statement for reason in answer.reasons] == ["d", "b"], "c moved it back"
    assert [(reason.share_before, reason.share_after) for reason in answer.reasons] == [
        (0.3, 0.9),
        (-0.9, -0.4),
    ]
    assert not answer.reworded
    words_by_other_rules = corpus_of_notes(
        **notes | {"p": claim_text("Other words of it")}, d=study("supports:: [[p]]", 0.9)
    )
    (reworded,) = diff(before, words_by_other_rules).verdicts
    assert (reworded.reworded, reworded.asked) == (True, ("Q?", "Other words of it"))


def test_a_line_without_a_proposition_before_or_after_has_no_moved_answer() -> None:
    notes = {"p": claim_text("P"), "e": study("supports:: [[p]]", 0.9)}
    without = corpus_of_notes(**notes, line="---\ntype: line\n---\n\n# Q?\n")
    with_proposition = corpus_of_notes(**notes, line=LINE.format(day="2026-01-01", camps=""))
    assert diff(without, with_proposition).verdicts == ()
    assert diff(with_proposition, without).verdicts == ()
    assert diff(with_proposition, with_proposition).verdicts == ()


def test_an_answer_that_is_less_sure_at_the_same_strength_has_moved() -> None:
    parts = (line("asks", "q"), claim("q"), evidence("for", quality=0.5))
    parts += (evidence("against", quality=0.5), *(evidence(f"s{n}", quality=0.8) for n in range(6)))
    edges = [f"s{n} supports q" for n in range(6)]
    before = corpus_of_parts(*parts, *edges)
    after = corpus_of_parts(*parts, *edges, "for supports q", "against contradicts q")
    (answer,) = diff(before, after).verdicts
    assert answer.in_words == ("very probably (0.992)", "perhaps (0.992)")
    again = corpus_of_parts(*parts, *edges, evidence("elsewhere", quality=0.5))
    assert diff(before, again).verdicts == ()


def test_of_an_answer_that_was_not_tried_the_surest_is_said_that_it_may_be() -> None:
    answer = MovedAnswer("asks", "q", 0.2, 0.51, "refuted", "evenly balanced", ())
    assert answer.in_words == ("at most probably not (0.200)", "undecided (0.510)")


def test_how_sure_answers_are_is_tried_for_the_first_of_very_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moved_answers, "MAX_SURENESS_TRIED", 1)
    parts = (line("one", "q"), line("two", "q"), claim("q"), evidence("e", quality=0.9))
    verdicts = diff(corpus_of_parts(*parts), corpus_of_parts(*parts, "e supports q")).verdicts
    assert [bool(each.sureness_after) for each in verdicts] == [True, False]


def test_an_answer_without_a_stable_strength_is_described_by_its_word() -> None:
    answer = MovedAnswer(
        "asks", "q", 0.2, None, "refuted", "not settled", (), sureness_before="perhaps"
    )
    assert answer.in_words == ("perhaps not (0.200)", "not settled")


def study(edge: str, quality: float) -> str:
    return f"---\ntype: evidence\nquality: {quality}\n---\n\n# S\n\n- {edge}\n"
