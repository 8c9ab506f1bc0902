"""The picture of a timeline: its years, strengths and counts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from matplotlib import pyplot

from kg.queries.timeline import timeline
from tests.support.written import read

NOTES = """
claim q
evidence a .6 @s
evidence b .6 @t
evidence c .6 @u
a supports q
b supports q
c contradicts q
"""


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    yield
    pyplot.close("all")


def test_a_timeline_is_drawn_year_by_year() -> None:
    found = timeline(read(NOTES, years={"s": 2001, "t": 2004, "u": 2004}), "q")
    ax = found.plot()
    steps, counts = ax.lines[0], ax.figure.axes[1].patches
    assert list(steps.get_xdata()) == [year.year for year in found.years] == [2001, 2004]
    assert list(steps.get_ydata()) == [year.strength for year in found.years]
    assert [bar.get_height() for bar in counts] == [1, 1, 0, -1]
    assert ax.get_title(loc="left") == "Claim q"


def test_a_timeline_without_years_says_so() -> None:
    (said,) = timeline(read("claim q\n"), "q").plot().texts
    assert said.get_text() == "no evidence that bears on it has a year"


def test_a_timeline_can_be_drawn_on_given_axes() -> None:
    ax = pyplot.subplots()[1]
    assert timeline(read(NOTES), "q").plot(ax) is ax
