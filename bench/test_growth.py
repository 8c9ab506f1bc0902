"""Four times as much takes about four times as long, never sixteen times.

What `tests/fuzz/test_growth.py` counts are steps of Python; here what a step takes counts, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import pytest

from kg.corpus import Corpus
from kg.loader import load_changed
from tests.fuzz.growth_cases import IMPORTED, NOTES, QUESTIONS, question_of
from tests.fuzz.import_growth import Part, seconds_of
from tests.fuzz.targets import ask, corpus

MOST_GROWTH = 3.0**2  # of the processor's time, where the input doubles twice; squares take 16
FLOOR = 0.2  # seconds: what takes less says nothing of how it grows
TIMES = 2  # of which the quicker counts, since others use the machine, too
TRIES = 4  # all of which must fail: a square does at each, a disturbance seldom

Files = Mapping[str, bytes]
Step = Callable[[Corpus], object] | None


def _took(make: Callable[[int], Files], count: int, step: Step) -> float:
    """Seconds of the processor for a step, or for reading the notes where none is given."""
    tries, files, folder = [], make(count), corpus().folder
    assert folder is not None
    for _ in range(TIMES):
        begin = time.process_time()
        changed = load_changed(folder, files)
        if step:
            begin = time.process_time()
            step(changed)
        tries.append(time.process_time() - begin)
        if tries[-1] < FLOOR:
            break
    return min(tries)


@pytest.mark.parametrize("name", NOTES)
def test_four_times_as_much_takes_about_four_times_as_long(name: str) -> None:
    make, count, step = NOTES[name]
    _took(make, 10, step)  # what is loaded once
    assert _grows_in_proportion(lambda size: _took(make, size, step), count)


def _grows_in_proportion(seconds: Callable[[int], float], size: int) -> bool:
    """Whether, at one try of several, so much took no more than `MOST_GROWTH` times a quarter."""
    for _ in range(TRIES):
        large = seconds(size)
        if large <= FLOOR or large <= MOST_GROWTH * seconds(size // 4):
            return True
    return False


def _seconds_to_ask(part: str, size: int) -> float:
    """Seconds of the processor for a question of so many characters."""
    question, begin = question_of(part, size), time.process_time()
    ask(question)
    return time.process_time() - begin


@pytest.mark.parametrize("part", QUESTIONS)
def test_four_times_as_long_a_question_takes_about_four_times_as_long(part: str) -> None:
    _seconds_to_ask(part, 100)  # what is loaded once
    assert _grows_in_proportion(lambda size: _seconds_to_ask(part, size), 40_000)


@pytest.mark.parametrize("part", IMPORTED, ids=repr)
def test_four_times_as_much_is_imported_in_about_four_times_as_long(part: Part) -> None:
    seconds_of(part, 4)  # what is loaded once
    assert _grows_in_proportion(lambda size: seconds_of(part, size), 512)
