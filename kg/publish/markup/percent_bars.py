"""Percentages in tables as ten dots, with a stroke at the one that the column's head names."""

from __future__ import annotations

import re

from kg.model import Value
from kg.publish.markup.html import Html, element

MAX_FIGURE = 16  # characters before and in a percentage that stand beside its bar
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?%")
_AT_MOST = re.compile(
    r"(\b(at most|up to|no more than|less than|fewer than|under)|[<≤])\s*\Z", re.I
)
_PARENTHESES = re.compile(r"\s*\(([^()]*%[^()]*)\)\s*\Z")


class PercentBar(Value, frozen=True):
    """A row with a percentage: its name, the percentage and as its author puts it (`at most 43%`),
    the ids that its cell links to, and whether it is only known to be no more.
    """

    name: str
    percentage: int
    figure: str
    linked_ids: tuple[str, ...] = ()
    is_at_most: bool = False


class BarChart(Value, frozen=True):
    """A column of a table whose cells have bars: its head's words, the percentage that these name,
    and its rows.
    """

    head: str
    mark: int
    bars: tuple[PercentBar, ...] = ()

    @property
    def measure_and_mark(self) -> tuple[str, str]:
        """The head's words on what is measured, and those on the mark, in parentheses or all."""
        match = _PARENTHESES.search(self.head)
        return (self.head[: match.start()], match[1]) if match else ("", self.head)


def first_percentage(text: str) -> int | None:
    """The first percentage in a text, rounded; None without one, or if it is more than 100."""
    match = _PERCENT.search(text)
    percentage = round(float(match[1])) if match else None
    return percentage if percentage is None or percentage <= 100 else None


def read_bar(name: str, text: str, linked_ids: tuple[str, ...]) -> PercentBar | None:
    """A row's bar, as wide as the first percentage in a cell's text; None without one."""
    percentage, match = first_percentage(text), _PERCENT.search(text)
    if percentage is None or match is None:
        return None
    words = text[: match.end()].strip()
    figure = words if len(words) <= MAX_FIGURE else match[0]
    is_at_most = _AT_MOST.search(text[: match.start()]) is not None
    return PercentBar(name, percentage, figure, linked_ids, is_at_most)


def draw_percent_bar(bar: PercentBar, mark: int) -> Html:
    """Ten dots, filled as far as the percentage reaches, striped if it is no more than that, with a
    stroke at `mark`. The text beside it says the same, so it is silent to who does not see it.
    """
    stroke = element("i", class_=f"kg-wide-{mark}")
    bound = " kg-at-most" if bar.is_at_most else ""
    classes = f"kg-percent kg-wide-{bar.percentage}{bound}"
    return element("span", stroke, class_=classes, aria_hidden="true")
