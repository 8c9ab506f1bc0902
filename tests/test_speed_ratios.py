"""No step takes twice as long as it did: in units of what the libraries alone take, in one run.

Processor time of one core, the best of several, so that what else a machine does counts little.
A ratio that is worse is measured again before it counts. `python -m bench load` tells more.
"""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from bench.load import LIBRARIES, LOAD, SHAPES, UNCHANGED, tasks_of
from bench.measure import best
from bench.site import edit_a_note
from bench.vault import write_vault
from kg.loader import load_corpus
from kg.publish.build.site import build_site

NOTES, ROUNDS, TRIES = 400, 5, 4
RECORDED = {LOAD: 5.5, UNCHANGED: 0.14, "check": 4.2, SHAPES: 5.4}
"""Each step's time as a multiple of the libraries', when it was last made faster or slower."""


@pytest.mark.integration
def test_no_step_takes_twice_as_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kg.files.read_files.COARSEST_CLOCK_NANOSECONDS", -(10**18)
    )  # the notes need not age first
    folder = write_vault(tmp_path / "notes", NOTES)
    tasks = {
        name: task
        for name, task in tasks_of(folder, tmp_path / "cache").items()
        if name in (LIBRARIES, *RECORDED)
    }
    for _ in range(TRIES):
        found = best(tasks, ROUNDS, process_time)
        ratios = {name: found[name] / found[LIBRARIES] for name in RECORDED}
        slow = {name: ratio for name, ratio in ratios.items() if ratio > 2 * RECORDED[name]}
        if not slow:
            break
    assert not slow


EDIT_OF_BUILD = 0.1
"""What an edit of a text costs, of what the site costs from nothing, as last measured."""


@pytest.mark.integration
def test_an_edit_of_a_text_costs_little_of_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core, without imports. `python -m bench site` tells more."""
    monkeypatch.setattr("kg.publish.build.parallel_pages.can_fork", lambda: False)
    folder = write_vault(tmp_path / "notes", NOTES)

    def build() -> float:
        start = process_time()
        build_site(load_corpus(folder), tmp_path / "site")
        return process_time() - start

    whole = build()

    def edited() -> float:
        edit_a_note(folder)
        return build()

    assert min(edited() / whole for _ in range(TRIES)) <= 2 * EDIT_OF_BUILD
