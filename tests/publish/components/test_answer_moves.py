"""How an answer moved, in words."""

from __future__ import annotations

from msgspec import structs

from kg.history.moved_answers import MovedAnswer
from kg.model.settings.reasoning_settings import Reasoning
from kg.publish.components.answer_moves import describe_answer_move, render_standing

SETTINGS = Reasoning()


def test_an_answer_is_said_to_be_undecided_with_what_keeps_it_so_near_the_middle() -> None:
    assert render_standing("contested", 0.55, SETTINGS) == "0.55 (undecided, reasons on both sides)"
    assert render_standing("evenly balanced", 0.51, SETTINGS) == "0.51 (undecided)"
    assert render_standing("thinly supported", 0.55, SETTINGS) == "0.55"
    assert render_standing("not settled", None, SETTINGS) == "no number"


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
    less_sure = structs.replace(tried, sureness_after="perhaps", limit_after="hangs on one source")
    assert describe_answer_move(less_sure, SETTINGS) == (
        "It went from “probably” (0.92) to “perhaps” (0.89; hangs on one source)."
    )
    leaning = structs.replace(
        tried,
        strength_before=0.65,
        sureness_before="undecided, leaning towards",
        limit_before="no other rule agrees",
    )
    assert describe_answer_move(leaning, SETTINGS) == (
        "It went from “undecided” (0.65; no other rule agrees) to “probably” (0.89)."
    )
    opposite = structs.replace(tried, strength_after=0.2, word_after="refuted")
    turned = "from “probably” (0.92) to “probably not” (0.20)."
    assert describe_answer_move(opposite, SETTINGS) == f"It turned round, {turned}"
    assert (
        describe_answer_move(structs.replace(opposite, reworded=True), SETTINGS)
        == f"It went {turned}"
    )
