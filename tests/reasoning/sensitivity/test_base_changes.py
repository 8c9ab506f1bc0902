"""How the answer moves with what it starts from."""

from __future__ import annotations

from typing import Any

import pytest

from kg.model.settings.reasoning_settings import Reasoning
from kg.reasoning import flips, reading_of
from kg.reasoning.answers.flips import Flips
from tests.support.corpus_parts import claim, corpus_of_parts, evidence


def changes(**settings: Any) -> list[float]:
    """The bases at which a claim that another contradicts would fall."""
    notes = corpus_of_parts(
        claim("a"),
        claim("b"),
        evidence("ea", ["x"], quality=0.6),
        evidence("ec", ["z"], quality=0.2),
        evidence("eb", ["y"], quality=0.6),
        "ea supports a",
        "ec supports a",
        "eb supports b",
        "a contradicts b",
        "b contradicts a",
    )
    answer = flips(reading_of(notes, Reasoning(**settings)), "a")
    assert isinstance(answer, Flips)
    return [change.needed for change in answer.changes]


def test_a_change_of_a_base_is_named_where_the_answer_settles_on_the_way() -> None:
    assert changes(transfer="earned") == [pytest.approx(0.0913, abs=1e-4)]


@pytest.mark.usefixtures("few_rounds")
def test_no_change_of_a_base_is_named_where_the_answer_does_not_settle_on_the_way() -> None:
    # at the point where neither side of a contradiction wins, every push goes round without end
    assert changes(semantics="dfquad", transfer="earned", loops="sum") == []
