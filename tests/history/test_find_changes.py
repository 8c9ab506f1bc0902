"""What changed between two states of a corpus, each state shown."""

from __future__ import annotations

from itertools import pairwise

from kg.history.changes import describe_changes
from kg.history.find_changes import diff
from tests.history.changed_notes import BOOKS, claim_text, evidence_text, line_text
from tests.support.corpora import corpus_of_notes


def test_equal_corpora_differ_in_nothing() -> None:
    notes = {"p": claim_text("P"), "a": claim_text("A", "- supports:: [[p]]"), "line": line_text()}
    changes = diff(corpus_of_notes(**notes), corpus_of_notes(**notes))
    assert changes.is_empty
    assert describe_changes(changes) == "Nothing changed."


def test_changes_of_a_lines_question_proposition_and_answers_are_listed() -> None:
    old = "---\ntype: line\nproposition: p\nanswers: {holds: so, fails: no}\n---\n\n# Q?\n"
    new = (
        "---\ntype: line\nproposition: a\nanswers: {holds: so, fails: nay}\n"
        "doubt: Nobody looked.\n---\n\n# Is it?\n"
    )
    claims = {"p": claim_text("P"), "a": claim_text("A")}
    changes = diff(corpus_of_notes(**claims, line=old), corpus_of_notes(**claims, line=new))
    assert [(c.line, c.field, c.text_before, c.text_after) for c in changes.lines_changed] == [
        ("line", "question", "Q?", "Is it?"),
        ("line", "proposition", "p", "a"),
        ("line", "answer if it fails", "no", "nay"),
        ("line", "chief doubt", None, "Nobody looked."),
    ]
    assert "| line | answer if it fails | no | nay |" in changes.to_markdown()
    bare = diff(corpus_of_notes(**claims, line=old), corpus_of_notes(**claims, line=line_text()))
    assert [c.text_after for c in bare.lines_changed] == [None, None]
    assert "| line | answer if it holds | so | nothing |" in bare.to_markdown()


def test_a_proposition_that_is_only_renamed_is_the_same() -> None:
    text = "---\ntype: line\nproposition: {}\n---\n\n# Q?\n"
    before = corpus_of_notes(p=claim_text("P holds always"), line=text.format("p"))
    renamed = claim_text("P holds always").replace("camp:", "aliases: [p]\ncamp:")
    after = corpus_of_notes(q=renamed, line=text.format("q"))
    assert diff(before, after).lines_changed == ()


def test_changes_of_statements_edges_and_camps_are_distinguished() -> None:
    before = corpus_of_notes(
        p=claim_text("P"),
        a=claim_text("A", "- supports:: [[p]] — because"),
        b=claim_text("B", "- contradicts:: [[p]]"),
        line=line_text(),
    )
    after = corpus_of_notes(
        p=claim_text("P"),
        a=claim_text("A is sharper", "- supports:: [[p]] — since"),
        c=claim_text("Quite another thing", "- qualifies:: [[p]]"),
        line=line_text(camps="- skeptic:: [[a]]"),
    )
    changes = diff(before, after)
    assert changes.added == ("c",)
    assert changes.removed == ("b",)
    assert [(change.id, change.fields) for change in changes.changed] == [("a", ("title",))]
    assert [edge.id for edge in changes.edges_added] == ["c--qualifies--p"]
    assert [edge.id for edge in changes.edges_changed] == ["a--supports--p"]
    assert [edge.id for edge in changes.edges_removed] == ["b--contradicts--p"]
    placed = {(p.statement, p.camp_before, p.camp_after) for p in changes.placings}
    assert placed == {("a", "optimist", "skeptic"), ("b", "skeptic", None)}
    assert [(stale.line, stale.because) for stale in changes.stale] == [("line", ("a", "b"))]


def test_an_essay_is_stale_unless_it_was_reviewed_since() -> None:
    before = corpus_of_notes(p=claim_text("P"), a=claim_text("A"), line=line_text("2026-01-01"))
    after = corpus_of_notes(
        p=claim_text("P"), a=claim_text("A is sharper"), line=line_text("2026-02-01")
    )
    assert diff(before, after).stale == ()
    never = line_text().replace("reviewed: 2026-01-01\n", "")
    before = corpus_of_notes(p=claim_text("P"), a=claim_text("A"), line=never)
    after = corpus_of_notes(p=claim_text("P"), a=claim_text("A is sharper"), line=never)
    [stale] = diff(before, after).stale
    assert (stale.line, stale.reviewed, stale.because) == ("line", None, ("a",))


def test_a_note_that_was_retired_is_listed_as_retired() -> None:
    before = corpus_of_notes(a=claim_text("A"))
    after = corpus_of_notes(a=claim_text("A").replace("camp:", "status: retired\ncamp:"))
    (change,) = diff(before, after).retired
    assert diff(before, corpus_of_notes(a=claim_text("Other"))).retired == ()
    assert (change.id, change.fields) == ("a", ("status",))


def test_sources_flagged_say_what_rests_on_them() -> None:
    notes = {"p": claim_text("P"), "e": evidence_text("supports:: [[p]]")}
    flag = "---\ntype: source\nintegrity: retracted\n---\n\nWithdrawn.\n"
    books = BOOKS + "\n@misc{as-before, title={T}}"
    changes = diff(
        corpus_of_notes(references=books, **notes),
        corpus_of_notes(references=books, s=flag, **notes),
    )
    (flagged,) = changes.sources_flagged
    assert (flagged.source, flagged.integrity_before, flagged.integrity_after) == (
        "s",
        None,
        "retracted",
    )
    assert flagged.resting == ("e",)


def test_what_was_retired_before_is_not_retired_again() -> None:
    retired = claim_text("A").replace("camp:", "status: retired\ncamp:")
    states = [claim_text("A"), retired, retired.replace("# A", "# A, again")]
    changes = [
        diff(corpus_of_notes(a=before), corpus_of_notes(a=after)).changed
        for before, after in pairwise(states)
    ]
    assert [[each.retired for each in group] for group in changes] == [[True], [False]]
