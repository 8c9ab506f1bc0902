"""How an answer moved, in words."""

from __future__ import annotations

from msgspec import structs

from kg.history.moved_answers import MovedAnswer
from kg.publish.components.answer_moves import describe_answer_move, render_standing


def test_an_answer_is_said_to_be_undecided_with_what_keeps_it_so_near_the_middle() -> None:
    assert render_standing("contested", 0.55) == "0.55 (undecided, weight on both sides)"
    assert render_standing("evenly balanced", 0.51) == "0.51 (undecided)"
    assert render_standing("thinly supported", 0.55) == "0.55"
    assert render_standing("not settled", None) == "no number"


def test_how_sure_an_answer_was_and_is_stands_beside_the_strengths_if_it_keeps_its_side() -> None:
    change = MovedAnswer(
        line="it",
        proposition="p",
        strength_before=0.92,
        strength_after=0.89,
        word_before="supported",
        word_after="supported",
        reasons=(),
    )
    assert describe_answer_move(change) == "The answer moved from 0.92 to 0.89."
    less_sure = structs.replace(
        change,
        sureness_before="probably",
        sureness_after="perhaps",
        limit_after="hangs on one source",
    )
    assert describe_answer_move(less_sure) == ("The answer moved from “probably” to “perhaps”.")
    undone = structs.replace(less_sure, strength_after=0.52, word_after="evenly balanced")
    assert "probably" not in describe_answer_move(undone)
