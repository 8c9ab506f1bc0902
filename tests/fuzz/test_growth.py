"""Four times as much takes about four times as many steps, never sixteen times.

What a step of C takes is not counted: `bench/test_growth.py` measures time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from kg.checks import check
from kg.loader import load_changed
from tests.fuzz.growth_cases import IMPORTED, NOTES, QUESTIONS, question_of
from tests.fuzz.growth_places import PLACES
from tests.fuzz.import_growth import Part, import_text
from tests.fuzz.targets import ask, corpus
from tests.support.every_row import every_row
from tests.support.source_code import ROOT

OURS = str(ROOT / "kg")
MOST_GROWTH = 5.0  # of the steps that more takes, where it is four times as much; squares take 16
FEW = 200  # steps: what more takes less says nothing of how it grows
NOTE_SIZES = (10, 40, 160)
QUESTION_SIZES = (200, 800, 3200)  # a shorter question has its words looked for among misspelt ones
UNREADABLE = {"broken-front-matter", "broken-bibliography", "unknown-key"}


def steps_of(run: Callable[[], object]) -> int:
    """How many lines of the program are run, and functions of others called."""
    count = 0

    def look(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += 1
        return look if frame.f_code.co_filename.startswith(OURS) else None

    before = sys.gettrace()
    sys.settrace(look)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def growth_of_steps(run: Callable[[int], object], sizes: tuple[int, int, int]) -> float:
    """How many times the steps from the first size to the second it takes from there to the last,
    each size being four times the one before.
    """
    run(4)  # what is loaded once
    first, second, third = (steps_of(lambda size=size: run(size)) for size in sizes)
    return (third - second) / max(second - first, FEW)


@every_row("name", NOTES)
def test_four_times_as_much_takes_about_four_times_as_many_steps(name: str) -> None:
    make, _, step = NOTES[name]

    def read(count: int) -> None:
        changed = load_changed(corpus().folder, make(count))
        if step:
            step(changed)

    assert growth_of_steps(read, NOTE_SIZES) <= MOST_GROWTH


@every_row("part", QUESTIONS)
def test_four_times_as_long_a_question_takes_about_four_times_as_many_steps(part: str) -> None:
    growth = growth_of_steps(lambda size: ask(question_of(part, size)), QUESTION_SIZES)
    assert growth <= MOST_GROWTH


@every_row("part", IMPORTED)
def test_four_times_as_much_is_imported_in_about_four_times_as_many_steps(part: Part) -> None:
    assert growth_of_steps(lambda size: import_text(part, size), (1, 4, 16)) <= MOST_GROWTH


@every_row("place", PLACES)
def test_what_is_repeated_stands_in_its_place(place: str) -> None:
    """Else a screening of the place would screen nothing."""
    changed = load_changed(corpus().folder, PLACES[place](b"word wort"))
    note = changed.statements["naps-help"]
    bodies = [note.body, note.title, note.open]
    bodies += [statement.body for statement in changed.statements.values()]
    bodies += [edge.reason or "" for edge in changed.edges]
    bodies += [source.title for source in changed.sources.values()]
    assert any("word wort" in each for each in bodies)
    assert not [each for each in check(changed) if each.rule in UNREADABLE]
