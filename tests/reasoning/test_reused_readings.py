"""Strengths go on from one state of the notes to the next where, and only where, they may."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.reasoning import reading_of
from kg.reasoning.reused_readings import reuse_readings
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\n---\n\n# A\n\nText.\n"
EVIDENCE = """---
type: evidence
method: survey
---

# B

As [@smith2020] found.

- supports:: [[a]] — so
"""
BOOK = "@article{smith2020, title={On rest}, year={2020}}"
NOTES = {"a": CLAIM, "b": EVIDENCE, "references": BOOK}


def strengths(corpus: Corpus) -> dict[str, float | None]:
    return {id: reading_of(corpus).strength(id) for id in corpus.statements}


def test_readings_and_questions_are_told_in_a_few_words(corpus_of: Callable[..., Corpus]) -> None:
    reading = reading_of(corpus_of(**NOTES))
    assert repr(reading.question("a")) == "Question(statement='a', line_id=None)"
    assert repr(reading).startswith("Reading(corpus=<Corpus of 0 lines, 2 statements")
    assert "Graph" not in repr(reading)


@every_row(
    "edited",
    [
        {"a": CLAIM.replace("Text.", "Other\n\ntext.")},
        {"a": CLAIM.replace("# A", "# Another")},
        {"b": EVIDENCE.replace("— so", "— since")},
        {"b": EVIDENCE.replace("# B", "# B\n\nMore.")},
    ],
)
def test_other_texts_leave_the_graph_as_it_is(
    corpus_of: Callable[..., Corpus], edited: dict[str, str]
) -> None:
    before, now = corpus_of(**NOTES), corpus_of(**NOTES | edited)
    known = reading_of(before)
    assert known.solution
    reuse_readings(before, now)
    reading = reading_of(now)
    assert reading.graph is known.graph
    assert reading.solution is known.solution
    assert reading.corpus is now
    assert reading.question("a").title == now.statements["a"].title
    assert strengths(now) == strengths(corpus_of(**NOTES | edited))


@every_row(
    "edited",
    [
        {"b": EVIDENCE.replace("survey", "experiment")},
        {"b": EVIDENCE.replace("supports", "contradicts")},
        {"b": EVIDENCE.replace("[[a]]", "[[a]] (strength:: weak)")},
        {"b": EVIDENCE.replace("[@smith2020]", "they")},
        {"c": EVIDENCE.replace("# B", "# C")},
        {"references": BOOK.replace("year", "integrity={retracted}, year")},
        {"a": CLAIM.replace("claim\n", "claim\naliases: [other]\n")},
    ],
)
def test_whatever_may_weigh_is_read_again(
    corpus_of: Callable[..., Corpus], edited: dict[str, str]
) -> None:
    before, now = corpus_of(**NOTES), corpus_of(**NOTES | edited)
    known = reading_of(before)
    reuse_readings(before, now)
    assert reading_of(now).graph is not known.graph
    assert strengths(now) == strengths(corpus_of(**NOTES | edited))


def test_nothing_read_before_is_nothing_to_go_on_with(corpus_of: Callable[..., Corpus]) -> None:
    before, now = corpus_of(**NOTES), corpus_of(**NOTES)
    reuse_readings(before, now)
    assert strengths(now) == strengths(before)
