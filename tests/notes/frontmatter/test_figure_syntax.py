"""Effects and p as authors write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.model.figures import EFFECT_RANGES, NO_EFFECT, render_effect, render_p
from kg.notes.frontmatter.figure_syntax import parse_effect, parse_p
from tests.support.every_row import every_row


@every_row(
    ("text", "expected"),
    [
        ("d=0.42 [0.1, 0.7]", (0.42, "d", 0.1, 0.7)),
        ("d = .42, 95% CI [.10, .74]", (0.42, "d", 0.1, 0.74)),
        ("g=−0.3 (-0.5; -0.1)", (-0.3, "g", -0.5, -0.1)),
        ("or = 1.8 [1.2 to 2.7]", (1.8, "OR", 1.2, 2.7)),
        ("HR=0.5", (0.5, "HR", None, None)),
        ("45 % [40, 50]", (45.0, "%", 40.0, 50.0)),
        ("45% [40%, 50%]", (45.0, "%", 40.0, 50.0)),
        ("+3.1 pp", (3.1, "pp", None, None)),
        ("beta=0.2", (0.2, "β", None, None)),
        ("β=0.2", (0.2, "β", None, None)),
        ("eta2=.1", (0.1, "η²", None, None)),
        ("AUC=0.81 [0.7, 0.9]", (0.81, "AUC", 0.7, 0.9)),
    ],
)
def test_an_effect_is_parsed_into_value_kind_and_interval(
    text: str, expected: tuple[object, ...]
) -> None:
    assert parse_effect(text) == expected


@every_row(
    ("text", "message"),
    [
        ("0.42", "a measure, a number"),
        ("d=0,42", "a measure, a number"),
        ("d=0.42 [0.1]", "a measure, a number"),
        ("d=nan", "a measure, a number"),
        ("z=2.1", "of a known kind"),
        ("d=0.42 [0.5, 0.7]", "within its interval"),
        ("d=0.42 [0.7, 0.1]", "within its interval"),
        ("r=1.4", "at most 1 for r"),
        ("OR=-2", "at least 0 for OR"),
        ("AUC=0.8 [0.7, 1.2]", "at most 1 for AUC"),
    ],
)
def test_an_invalid_effect_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_effect(text)


@every_row(
    ("text", "expected"),
    [
        ("0.003", (0.003, "")),
        ("<.001", (0.001, "<")),
        ("p < .05", (0.05, "<")),
        ("= .04", (0.04, "")),
        (">.05", (0.05, ">")),
        ("1e-12", (1e-12, "")),
        ("1", (1.0, "")),
    ],
)
def test_a_p_value_is_parsed_into_number_and_sign(text: str, expected: tuple[float, str]) -> None:
    assert parse_p(text) == expected


@every_row("text", ["0", "-0.1", "1.01", "n.s.", "", "0.0", "5%", "1e-999"])
def test_a_p_value_outside_its_range_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="above 0 and up to 1"):
        parse_p(text)


@given(
    st.sampled_from(list(NO_EFFECT)),
    st.lists(st.integers(-999, 999), min_size=3, max_size=3).map(sorted),
    st.booleans(),
)
def test_a_rendered_effect_is_parsed_as_the_same_effect(
    kind: str, thousandths: list[int], bare: bool
) -> None:
    minimum, _ = EFFECT_RANGES.get(kind, (-1.0, 1.0))
    low, value, high = (max(minimum, each / 1000) for each in thousandths)
    ends = (None, None) if bare else (low, high)
    assert parse_effect(render_effect(kind, value, *ends)) == (value, kind, *ends)


@given(st.sampled_from(["", "<", ">"]), st.integers(1, 1000))
def test_a_rendered_p_value_is_parsed_as_the_same_p_value(sign: str, thousandths: int) -> None:
    assert parse_p(render_p(sign, thousandths / 1000)) == (thousandths / 1000, sign)
