"""The ladder of `kg.toml`: laid over the defaults, bounded, and printed as it is read."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kg.model import Method, SampleClass, SeenIn
from kg.model.settings.quality_settings import (
    METHOD_POINTS,
    SAMPLE_POINTS,
    SEEN_IN_CEILINGS,
    SEEN_IN_POINTS,
    QualityLadder,
    is_new_method_name,
    render_ladder,
)
from tests.support.every_row import every_row


def test_the_tables_name_every_word_of_the_format() -> None:
    assert list(METHOD_POINTS) == [each.value for each in Method]
    assert list(SAMPLE_POINTS) == [each.value for each in SampleClass]
    assert list(SEEN_IN_POINTS) == list(SEEN_IN_CEILINGS) == [each.value for each in SeenIn]


def test_one_rung_set_leaves_the_others_as_they_are() -> None:
    table = QualityLadder.model_validate({"kinds": {"argument": 1.5, "simulation": 2}})
    assert table.methods == {**METHOD_POINTS, "argument": 1.5, "simulation": 2.0}
    assert QualityLadder().methods == METHOD_POINTS
    points = QualityLadder.model_validate({"seen": {"not-seen": -2}}).seen
    assert points == {**SEEN_IN_POINTS, "not-seen": -2.0}


def test_what_is_printed_is_what_is_in_force() -> None:
    table = QualityLadder.model_validate(
        {"kinds": {"proof": 4.5}, "top": 6, "seen": {"secondary": 0}}
    )
    printed = tomllib.loads(render_ladder(table))
    assert QualityLadder.model_validate(printed["quality"]) == table


@given(
    st.dictionaries(st.sampled_from(["argument", "proof", "x-1"]), st.floats(0.25, 4.75)),
    st.dictionaries(st.sampled_from(list(SAMPLE_POINTS)), st.floats(0, 100)),
)
def test_any_ladder_can_be_copied(kinds: dict[str, float], sample: dict[str, float]) -> None:
    table = QualityLadder.model_validate({"kinds": kinds, "sample": sample})
    assert QualityLadder.model_validate(tomllib.loads(render_ladder(table))["quality"]) == table


@every_row(
    ("value", "message"),
    [
        ({"kinds": {"argument": float("inf")}}, "finite"),
        ({"kinds": {"argument": 5}}, "argument = 5 is not on the ladder"),
        ({"kinds": {"argument": 0.1}}, "argument = 0.1 is not on the ladder"),
        ({"kinds": {"observation": 2}}, "did you mean 'observational'"),
        ({"kinds": {"Proof": 2}}, "no method can be called 'Proof'"),
        ({"kinds": 3}, "a table of methods"),
        ({"unrecorded": 9}, "unrecorded = 9 is not on the ladder"),
        ({"seen_at_most": {"note-page": 1.5}}, "less than or equal to 1"),
        ({"seen": {"primry": -1}}, "did you mean 'primary'"),
        ({"seen": {"secondary": 1}}, "less than or equal to 0"),
        ({"top": -1}, "greater than 0"),
        ({"lowest": 4.75}, "lowest must be below highest"),
        ({"p": float("nan")}, "finite"),
    ],
)
def test_what_is_no_ladder_is_an_error(value: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        QualityLadder.model_validate(value)


def test_a_new_method_name_is_not_close_to_a_known_one() -> None:
    own = ("natural-experiment", "simulation", "historical", "official-statistics", "proof")
    assert all(map(is_new_method_name, own))
    assert not any(map(is_new_method_name, ("experiment", "experiments", "Proof", "a b", "-", "")))
