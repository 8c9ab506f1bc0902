"""How far an answer moves without an edge, or with one that is read as weaker or stronger."""

from __future__ import annotations

import pytest

from kg.reasoning import reading_of
from kg.reasoning.sensitivity.edge_changes import edges_taking_from_side, moves_without_objections
from tests.support.corpus_parts import strength_of_nats
from tests.support.shorthand import corpus_of_shorthand, strength_of

SAID = "claim q\nclaim r\nclaim t\nevidence e .9 @s\nevidence f .6 @u\ne supports q\nf supports r\n"
OBJECTION = "r contradicts q\n"


def test_an_objection_moves_the_answer_by_what_is_left_without_it() -> None:
    whole_corpus = corpus_of_shorthand(SAID + OBJECTION + "t contradicts q\nline l q\n")
    moves = moves_without_objections(reading_of(whole_corpus).question("l"))
    left = strength_of(corpus_of_shorthand(SAID + "t contradicts q\nline l q\n")) - strength_of(
        whole_corpus
    )
    (moved,) = moves.values()
    assert moved == pytest.approx(left, abs=1e-8), "what nothing supports objects in vain"
    assert moved > 0.05


def test_an_edge_undoes_the_answer_where_it_is_gone_or_read_one_step_weaker_or_stronger() -> None:
    both = "claim q\nevidence e .9 @s\nevidence f .9 @t\n"
    corpus = corpus_of_shorthand(
        both + "e supports q\nf contradicts q weak\nline l q\n"
    )  # 0.9 against 0.27
    changes = edges_taking_from_side(reading_of(corpus).question("l"), 1)
    assert [(change.origin, change.now, change.to) for change in changes] == [
        ("e", "strong", ""),
        ("e", "strong", "moderate"),
        ("f", "weak", "moderate"),
    ]
    nats = (0.0 - 0.9 * 0.3, 0.9 * 0.6 - 0.9 * 0.3, 0.9 - 0.9 * 0.6)
    assert [change.strength for change in changes] == [
        pytest.approx(strength_of_nats(left), abs=1e-8) for left in nats
    ]
    assert not edges_taking_from_side(reading_of(corpus).question("l"), 0), (
        "an answer without a side"
    )


def test_an_edge_that_undoes_nothing_is_not_listed() -> None:
    text = "claim q\nevidence e .9 @s\nevidence f .9 @t\ne supports q\nf supports q\nline l q\n"
    assert not edges_taking_from_side(reading_of(corpus_of_shorthand(text)).question("l"), 1)
