"""Answers that moved between two states of a corpus, and the reasons that moved them."""

from __future__ import annotations

from kg.queries.history.find_changes import diff
from tests.queries.history.changed_notes import BOOKS, claim_text, evidence_text, line_text
from tests.support.corpora import corpus_of_notes


def test_verdicts_that_moved_name_the_reason() -> None:
    notes = {"p": claim_text("P"), "a": claim_text("A", "- supports:: [[p]]"), "line": line_text()}
    before = corpus_of_notes(references=BOOKS, **notes)
    after = corpus_of_notes(references=BOOKS, e=evidence_text("supports:: [[p]]"), **notes)
    (answer,) = diff(before, after).verdicts
    assert (answer.line, answer.proposition) == ("line", "p")
    assert answer.before is not None
    assert answer.after is not None
    assert answer.after > answer.before
    assert [reason.statement for reason in answer.reasons] == ["e"]
    assert answer.reasons[0].before is None
