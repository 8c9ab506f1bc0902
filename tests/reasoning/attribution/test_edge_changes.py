"""How far an answer moves without an edge."""

from __future__ import annotations

import pytest

from kg.reasoning import reading_of
from kg.reasoning.attribution.edge_changes import moves_without_objections
from tests.support.written import read, strength

SAID = "claim q\nclaim r\nclaim t\nevidence e .9 @s\nevidence f .6 @u\ne supports q\nf supports r\n"
OBJECTION = "r contradicts q\n"


def test_an_objection_moves_the_answer_by_what_is_left_without_it() -> None:
    whole = read(SAID + OBJECTION + "t contradicts q\nline l q\n")
    moves = moves_without_objections(reading_of(whole).question("l"))
    left = strength(read(SAID + "t contradicts q\nline l q\n")) - strength(whole)
    (moved,) = moves.values()
    assert moved == pytest.approx(left, abs=1e-8), "what nothing supports objects in vain"
    assert moved > 0.05
