"""Camps can be told apart by shape, and read in light and in dark."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.model.config import Camp, Config
from kg.publish.markup.colours import (
    DARK,
    LIGHT,
    SHAPES,
    TEXT_CONTRAST,
    camp_shape,
    contrast,
    legible,
    render_camp_styles,
)

COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54
    assert round(contrast("#050505", "#000000"), 4) == 1.0304


@given(COLOURS)
def test_any_colour_becomes_legible_on_either_ground(colour: str) -> None:
    for ground in (LIGHT, DARK):
        assert contrast(legible(colour, ground), ground) >= TEXT_CONTRAST


def test_a_colour_that_is_legible_stays_as_it_is() -> None:
    assert legible("#0b4f63", LIGHT) == "#0b4f63"


def test_every_camp_has_its_own_shape_and_statements_of_none_have_a_ring() -> None:
    camps = tuple(Camp(id=f"c{number}", label="C") for number in range(len(SHAPES)))
    config = Config(camps=camps)
    assert [camp_shape(config, camp.id) for camp in camps] == list(SHAPES)
    assert camp_shape(config, None) == camp_shape(config, "unheard-of") == "ring"


def test_the_style_sheet_names_each_camp_in_light_and_dark() -> None:
    builder = render_camp_styles(Config())
    assert builder.count(".kg-camp-1{") == builder.count(".kg-camp-2{") == 2
