"""Camps can be told apart by shape, and read in light and in dark."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kg.model.settings.config import Camp, Config, Site
from kg.publish.markup.camp_and_relation_styles import (
    DARK,
    LIGHT,
    SHAPES,
    TEXT_CONTRAST,
    camp_shape,
    contrast_ratio,
    make_legible,
    render_camp_styles,
)
from tests.support.every_row import every_row

SEEN = {
    "by most": np.eye(3),
    "without red cones": np.array(
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    ),
    "without green cones": np.array(
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    ),
    "without blue cones": np.array(
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]
    ),
}
"""How linear RGB is seen: Machado, Oliveira and Fernandes (IEEE TVCG 2009), severity 1."""
ROOT = Path(__file__).parents[3]
APART = 0.06
"""Distance in Oklab (Ottosson 2020) of any two colours that mean different things; white is 1 from
black.
"""
COLOURS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def test_contrast_is_that_of_wcag() -> None:
    assert contrast_ratio("#000000", "#ffffff") == 21
    assert round(contrast_ratio("#767676", "#ffffff"), 2) == 4.54
    assert round(contrast_ratio("#050505", "#000000"), 4) == 1.0304


@given(COLOURS)
def test_any_colour_becomes_legible_on_either_ground(colour: str) -> None:
    for ground in (LIGHT, DARK):
        assert contrast_ratio(make_legible(colour, ground), ground) >= TEXT_CONTRAST


def test_a_colour_that_is_legible_stays_as_it_is() -> None:
    assert make_legible("#0b4f63", LIGHT) == "#0b4f63"


def test_every_camp_has_its_own_shape_and_statements_of_none_have_another() -> None:
    camps = tuple(Camp(id=f"c{number}", label="C") for number in range(len(SHAPES)))
    config = Config(camps=camps)
    assert [camp_shape(config, camp.id) for camp in camps] == list(SHAPES)
    assert camp_shape(config, None) == camp_shape(config, "unheard-of") == "square"
    assert "square" not in SHAPES


def test_each_camp_has_a_colour_that_is_legible_in_light_and_one_in_dark() -> None:
    camps = (Camp(id="a", label="A", colour="#777777"), Camp(id="b", label="B", colour="#0b4f63"))
    light, _, dark = render_camp_styles(Config(camps=camps)).partition("@media screen")
    for ground, style in ((LIGHT, light), (DARK, dark)):
        colours = dict(re.findall(r"\.kg-camp-(\d)\{--camp:(#\w{6})", style))
        assert colours.keys() == {"1", "2"}
        assert all(contrast_ratio(each, ground) >= TEXT_CONTRAST for each in colours.values())
    assert "--camp:#0b4f63" in light, "what is legible stays as its camp wants it"
    assert dark.count("[data-md-color-scheme=slate]") == dark.count("--camp:") == 2


def _oklab(colour: str, expected: np.ndarray) -> np.ndarray:
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    cones = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return lab @ np.cbrt(cones @ np.clip(expected @ linear, 0, 1))


@every_row("expected", SEEN)
@every_row(("ground", "block"), [(LIGHT, 0), (DARK, 1)])
def test_colour_blind_readers_can_distinguish_camps_and_verdicts(
    expected: str, ground: str, block: int
) -> None:
    style = (ROOT / "site" / "assets" / "kg.css").read_text("utf-8")
    verdicts = [re.findall(rf"--kg-{side}: (#\w+)", style)[block] for side in ("for", "against")]
    camps = [make_legible(camp.colour, ground) for camp in Config().camps]
    for one, other in itertools.combinations((*camps, *verdicts), 2):
        gap = _oklab(one, SEEN[expected]) - _oklab(other, SEEN[expected])
        assert float(np.linalg.norm(gap)) > APART, (one, other)


def test_on_paper_the_signs_of_camps_are_explained_and_no_label_ends_the_words() -> None:
    camps = tuple(Camp(id=f"c{n}", label=label) for n, label in enumerate(("For", '"}*{x:y}')))
    site = Site(name='Naps"}', url="https://naps.example")
    styles = render_camp_styles(Config(camps=camps, site=site))
    contents = re.findall(r'content:"(.*?)"\}', styles)
    assert all(re.fullmatch(r"[\\\w]+", content) for content in contents)
    words, foot = (
        re.sub(r"\\([0-9a-f]{6})", lambda code: chr(int(code[1], 16)), content)
        for content in contents
    )
    assert foot == 'Naps"}: https://naps.example'
    assert words.startswith('Signs: ● For; ◆ "}*{x:y}; ■ no camp; □ hollow: finding; ')
