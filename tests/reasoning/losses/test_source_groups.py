"""What rests on each independent source, and what is left without it."""

from __future__ import annotations

import numpy as np
import pytest

from kg.reasoning import reading_of
from kg.reasoning.losses.source_groups import (
    bases_without_source_groups,
    carrying_works,
    evidence_fractions_by_source_group,
    source_group_fractions_without,
    source_group_title,
    works_of_source_group,
)
from kg.reasoning.reading import Question
from tests.support.shorthand import corpus_of_shorthand, independent_studies


def question_of(text: str, retracted: str = "") -> Question:
    return reading_of(corpus_of_shorthand(text, retracted)).question("q")


THREE = "claim q\nevidence e .6 @s @t @u\nevidence f .9 @u\ne supports q\nf supports q\n"


def test_each_cited_source_carries_an_equal_part_but_what_is_retracted_none() -> None:
    question = question_of(THREE)
    parts = evidence_fractions_by_source_group(question)
    ids = question.graph.ids
    assert {name: [(ids[n], part) for n, _, part in rows] for name, rows in parts.items()} == {
        "@s": [("e", pytest.approx(1 / 3))],
        "@t": [("e", pytest.approx(1 / 3))],
        "@u": [("e", pytest.approx(1 / 3)), ("f", 1.0)],
    }
    assert evidence_fractions_by_source_group(question_of(THREE, retracted="u")).keys() == {
        "@s",
        "@t",
    }


def test_without_sources_evidence_keeps_the_parts_of_the_others() -> None:
    question = question_of(THREE)
    for lost, left, shares in (
        (["@s"], {"e": 0.4}, [0.0, 0.5, 0.5]),
        (["@u"], {"e": 0.4, "f": 0.0}, [0.5, 0.5, 0.0, 0.0]),
        (["@s", "@t", "@u"], {"e": 0.0, "f": 0.0}, [0.0] * 4),
    ):
        nodes, bases = bases_without_source_groups(question, lost)
        base_of = {question.graph.ids[n]: base for n, base in zip(nodes, bases, strict=True)}
        assert base_of == pytest.approx(left, abs=1e-9)
        _, parts = source_group_fractions_without(question, lost)
        assert np.sort(parts) == pytest.approx(sorted(shares))


def test_a_source_is_named_by_the_work_that_carries_it() -> None:
    """Not by one that shares its team or data and adds nothing to it."""
    for first, second, carrying in ((0.9, 0.1, "one"), (0.1, 0.9, "other")):
        text = f"claim q\nevidence e {first} @one lab:x\nevidence f {second} @other lab:x\n"
        question = question_of(text + "e supports q\nf supports q\n")
        [group] = evidence_fractions_by_source_group(question)
        assert works_of_source_group(question, group) == ("one", "other")
        assert carrying_works(question, group) == (carrying,)
        assert source_group_title(question, group) == (
            f"@{carrying} (and 1 more that shares its team or data)"
        )
    assert source_group_title(question_of(THREE), "@s") == "@s"
    two = "evidence e .9 @one lab:x\nevidence f .1 @other lab:x\ne supports q\nf supports q\n"
    # so much speaks for it that no source moves it by more than rounding
    question = question_of(independent_studies(24, 0.95) + two)
    both = ("one", "other")
    [group] = (
        each
        for each in evidence_fractions_by_source_group(question)
        if works_of_source_group(question, each) == both
    )
    assert carrying_works(question, group) == both
