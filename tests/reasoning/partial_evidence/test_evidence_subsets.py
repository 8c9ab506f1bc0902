"""What an answer would be by a part of its evidence."""

from __future__ import annotations

import pytest

from kg.reasoning import reading_of
from kg.reasoning.partial_evidence.evidence_subsets import AnswerOnSubset, describe_without_people
from tests.support.corpora import corpus_of_notes

PART = "tests with people"
FINDING = (
    "---\ntype: evidence\nmethod: experiment\nquality: 0.9\n{}---\n\n# {}\n\n- supports:: [[a]]\n"
)


def on_part(side: int, sureness: str, left: int, reasons: int = 3) -> AnswerOnSubset:
    return AnswerOnSubset(
        name="people",
        subset=PART,
        counted=2,
        total=4,
        strength=0.5,
        side=side,
        sureness=sureness,
        why="",
        reason_count=reasons,
        reason_count_left=left,
    )


@pytest.mark.parametrize(
    ("side", "sureness", "left", "text"),
    [
        (0, "undecided", 1, "Only one of the three reasons for the answer rests on {}"),
        (0, "undecided", 2, "Two of the three reasons for the answer rest on {}"),
        (0, "undecided", 3, "All of the three reasons for the answer rest on {}"),
    ],
)
def test_a_sentence_counts_the_reasons_that_are_left(
    side: int, sureness: str, left: int, text: str
) -> None:
    end = ". If we counted only these, we would say “undecided”."
    assert on_part(side, sureness, left).sentence(1, "probably") == text.format(PART) + end


def test_a_part_on_which_no_reason_rests_leaves_the_answer_undecided() -> None:
    sentence = on_part(0, "undecided, too little evidence", 0).sentence(1, "probably")
    none = f"None of the three reasons for the answer rests on {PART}. "
    assert sentence == f"{none}If we counted only these, we would say “undecided”."
    assert "None of the three reasons for the answer rests on" in on_part(
        -1, "perhaps", 0
    ).sentence(1, "probably")


def test_a_single_reason_is_named_without_a_number() -> None:
    sentence = on_part(1, "perhaps", 1, reasons=1).sentence(1, "probably")
    assert sentence == "If we counted only tests with people, we would say “perhaps”."


def test_a_sentence_tells_the_same_answer_and_the_other_one() -> None:
    assert (
        on_part(1, "probably", 2).sentence(1, "probably").endswith("we would still say “probably”.")
    )
    assert on_part(1, "perhaps", 2).sentence(1, "probably").endswith("we would say “perhaps”.")
    sentence = on_part(-1, "perhaps", 2).sentence(1, "probably")
    assert sentence.endswith("we would give the other answer, “perhaps”.")
    sentence = on_part(-1, "perhaps", 2).sentence(0, "undecided")
    assert sentence.endswith("we would say “perhaps not”."), (
        "no answer that it could be the other one of"
    )


@pytest.mark.parametrize(
    ("classes", "has_sentence"),
    [
        (("people", "items", "items"), True),
        (("people", "people", "people"), False),
        (("items", "items", "items"), False),
    ],
)
def test_the_answer_from_people_alone_is_given_where_some_evidence_is_not_on_people(
    classes: tuple[str, ...], has_sentence: bool
) -> None:
    findings = {
        f"e{place}": FINDING.format(f"sample_class: {each}\n", f"Finding {place}")
        for place, each in enumerate(classes)
    }
    corpus = corpus_of_notes(
        a="---\ntype: claim\n---\n\n# A\n",
        l="---\ntype: line\nproposition: a\n---\n\n# A?\n",
        **findings,
    )
    without_people = describe_without_people(reading_of(corpus).question("l"))
    assert bool(without_people) is has_sentence, without_people
    assert (
        "One of the three reasons for the answer" in without_people.capitalize()
    ) <= has_sentence
