"""What a site or an answer leaves out is said in a sentence for each reason."""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from kg.publish.build.omissions import sentences_on_left_out
from tests.checks.rule_problems import CLAIM
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

UNREAD = "parts of notes that could not be read are left out: see `kg check`"


@every_row(
    ("text", "messages"),
    [
        ("It was.", []),
        ("Seen [@k].", ["cited, but in no bibliography: `k`"]),
        ("Seen [@c; @b; @a].", ["cited, but in no bibliography: `a`, `b` and `c`"]),
        ("[@d; @c; @b; @a]", ["cited, but in no bibliography: `a`, `b`, `c` and 1 more"]),
        ("- supports:: [[nowhere]] — so", [UNREAD]),
        ("Seen.\n\n> [!evidence] Seen\n> So (sample:: many)", [UNREAD]),
    ],
)
def test_parts_of_notes_that_are_left_out_are_counted(text: str, messages: list[str]) -> None:
    assert [*sentences_on_left_out(corpus_of_notes(a=f"{CLAIM}{text}\n"))] == messages


def test_notes_that_are_missing_are_counted_by_reason() -> None:
    corpus = corpus_of_notes(a=CLAIM, b="# B\n", c="# C\n", d="---\na: b: c\n---\n")
    assert [*sentences_on_left_out(corpus)] == [
        "3 notes left out: 2 without a type, 1 with broken front matter: see `kg check`"
    ]


def test_the_first_problem_of_a_note_is_the_reason_why_it_is_missing() -> None:
    corpus = corpus_of_notes(a=CLAIM, b="# B\n")
    [first] = corpus.diagnostics
    second = structs.replace(first, rule="unreadable-file")
    corpus = replace(corpus, diagnostics=(first, second))
    assert [*sentences_on_left_out(corpus)] == ["1 note left out: 1 without a type: see `kg check`"]


def test_of_two_notes_with_one_id_the_second_is_missing() -> None:
    corpus = corpus_of_notes(a=CLAIM, b=CLAIM.replace("open", "id: a\nopen"))
    assert UNREAD in [*sentences_on_left_out(corpus)]
