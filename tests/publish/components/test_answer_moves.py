"""How an answer moved, in words."""

from __future__ import annotations

from msgspec import structs

from kg.history.moved_answers import MovedAnswer
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.answer_moves import count_moves, describe_answer_move, render_standing
from tests.support.every_row import every_row

SETTINGS = Reasoning()


def test_an_answer_is_said_to_be_undecided_with_what_keeps_it_so_near_the_middle() -> None:
    assert render_standing("contested", 0.55, SETTINGS) == "0.55 (undecided, reasons on both sides)"
    assert render_standing("evenly balanced", 0.51, SETTINGS) == "0.51 (undecided)"
    assert render_standing("thinly supported", 0.55, SETTINGS) == "0.55"
    assert render_standing("not settled", None, SETTINGS) == "no number"


@every_row(
    ("changed", "count", "words"),
    [
        (0, 1, "one answer shifted, that to "),
        (0, 2, "both answers shifted, most that to "),
        (1, 3, "all three answers shifted; one changed its word: "),
        (2, 3, "all three answers shifted; two changed their word: first that to "),
        (2, 2, "both answers shifted, first that to "),
    ],
)
def test_the_answers_that_moved_are_counted_before_the_question_of_the_first(
    changed: int, count: int, words: str
) -> None:
    change = MovedAnswer("it", "p", 0.9, 0.8, "supported", "supported", ())
    turned = structs.replace(change, word_after="refuted")
    moved = [turned] * changed + [change] * (count - changed)
    assert count_moves(moved, count) == words


def test_how_sure_an_answer_was_and_is_stands_with_the_strengths_and_what_held_it_back() -> None:
    change = MovedAnswer(
        line="it",
        proposition="p",
        strength_before=0.92,
        strength_after=0.89,
        word_before="supported",
        word_after="supported",
        reasons=(),
    )
    assert describe_answer_move(change, SETTINGS) == "It went from 0.92 to 0.89."
    tried = structs.replace(change, sureness_before="probably", sureness_after="probably")
    assert describe_answer_move(tried, SETTINGS) == (
        "It is still “probably”; its strength went from 0.92 to 0.89."
    )
    less_sure = structs.replace(
        tried, sureness_after="perhaps", limit_after="depends on one source"
    )
    assert describe_answer_move(less_sure, SETTINGS) == (
        "It went from “probably” (0.92) to “perhaps” (0.89 added up; depends on one source)."
    )
    leaning = structs.replace(
        tried,
        strength_before=0.65,
        sureness_before="undecided, leaning towards",
        limit_before="no other rule agrees",
    )
    assert describe_answer_move(leaning, SETTINGS) == (
        "It went from “undecided, leaning towards yes” (0.65 added up; no other rule agrees) "
        "to “probably” (0.89)."
    )
    held_back = structs.replace(less_sure, sureness_before="perhaps")
    assert describe_answer_move(held_back, SETTINGS) == (
        "It is still “perhaps” (depends on one source); added up, its reasons went from 0.92 to "
        "0.89."
    )
    opposite = structs.replace(tried, strength_after=0.2, word_after="refuted")
    turned = "from “probably” (0.92) to “probably not” (0.20)."
    assert describe_answer_move(opposite, SETTINGS) == f"It turned round, {turned}"
    assert (
        describe_answer_move(structs.replace(opposite, reworded=True), SETTINGS)
        == f"It went {turned}"
    )
