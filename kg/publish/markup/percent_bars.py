"""Percentages in tables as bars, with a stroke at the one that the head of their column names."""

from __future__ import annotations

import re

from kg.model import Value
from kg.publish.markup.html import Html, element

MAX_FIGURE = 16  # characters before and in a percentage that stand beside its bar
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?%")
_PARENTHESES = re.compile(r"\s*\(([^()]*%[^()]*)\)\s*\Z")


class PercentBar(Value, frozen=True):
    """A row with a percentage: its name, the percentage and as its author puts it (`at most 43%`),
    and the ids that its cell links to.
    """

    name: str
    percentage: int
    figure: str
    linked_ids: tuple[str, ...] = ()


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
    return PercentBar(name, percentage, figure, linked_ids)


def draw_percent_bar(percentage: int, mark: int) -> Html:
    """A bar with a stroke. The text beside it says the same, so the bar is silent to who does not
    see it.
    """
    stroke = element("i", class_=f"kg-wide-{mark}")
    return element("span", stroke, class_=f"kg-percent kg-wide-{percentage}", aria_hidden="true")
