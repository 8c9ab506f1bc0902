"""What an answer would be by a part of its evidence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus
from kg.reasoning import reading_of
from kg.reasoning.partial_evidence.evidence_subsets import AnswerOnSubset, describe_without_people

CorpusOf = Callable[..., Corpus]
PART = "tests with people"
FINDING = (
    "---\ntype: evidence\nmethod: experiment\nquality: 0.9\n{}---\n\n# {}\n\n- supports:: [[a]]\n"
)


def on_part(side: int, sureness: str, left: int, reasons: int = 3) -> AnswerOnSubset:
    return AnswerOnSubset(
        name="people",
        part=PART,
        counted=2,
        total=4,
        strength=0.5,
        side=side,
        sureness=sureness,
        why="",
        reasons=reasons,
        reasons_left=left,
    )


@pytest.mark.parametrize(
    ("side", "sureness", "left", "said"),
    [
        (0, "undecided", 1, "Only one of its three reasons rests on {}"),
        (0, "undecided", 2, "Two of its three reasons rest on {}"),
        (0, "undecided", 3, "All of its three reasons rest on {}"),
    ],
)
def test_a_sentence_counts_the_reasons_that_are_left(
    side: int, sureness: str, left: int, said: str
) -> None:
    end = ": counting only these, the answer would be undecided."
    assert on_part(side, sureness, left).sentence(1, "probably") == said.format(PART) + end


def test_a_part_on_which_no_reason_rests_leaves_the_answer_undecided() -> None:
    said = on_part(0, "undecided, little bears on it", 0).sentence(1, "probably")
    assert said == f"None of its three reasons rests on {PART}, so these alone leave it undecided."
    assert "None of its three reasons rests on" in on_part(-1, "perhaps", 0).sentence(1, "probably")


def test_one_reason_is_not_counted() -> None:
    said = on_part(1, "perhaps", 1, reasons=1).sentence(1, "probably")
    assert said == "Counting only tests with people, the answer would be “perhaps”."


def test_a_sentence_tells_the_same_answer_and_the_other_one() -> None:
    assert on_part(1, "probably", 2).sentence(1, "probably").endswith("would still be “probably”.")
    assert on_part(1, "perhaps", 2).sentence(1, "probably").endswith("would be “perhaps”.")
    said = on_part(-1, "perhaps", 2).sentence(1, "probably")
    assert said.endswith("would be the other one, “perhaps”.")
    said = on_part(-1, "perhaps", 2).sentence(0, "undecided")
    assert said.endswith("would be “perhaps not”."), "no answer that it could be the other one of"


@pytest.mark.parametrize(
    ("classes", "has_sentence"),
    [
        (("people", "items", "items"), True),
        (("people", "people", "people"), False),
        (("items", "items", "items"), False),
    ],
)
def test_what_people_say_is_told_where_some_of_it_was_measured_on_others(
    corpus_of: CorpusOf, classes: tuple[str, ...], has_sentence: bool
) -> None:
    findings = {
        f"e{place}": FINDING.format(f"sample_class: {each}\n", f"Finding {place}")
        for place, each in enumerate(classes)
    }
    corpus = corpus_of(
        a="---\ntype: claim\n---\n\n# A\n",
        l="---\ntype: line\nproposition: a\n---\n\n# A?\n",
        **findings,
    )
    said = describe_without_people(reading_of(corpus).question("l"))
    assert bool(said) is has_sentence, said
    assert ("One of its three reasons" in said.capitalize()) <= has_sentence
