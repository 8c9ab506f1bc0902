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
from bench.vault import write_vault

NOTES, ROUNDS, TRIES = 400, 5, 4
RECORDED = {LOAD: 5.5, UNCHANGED: 0.14, "check": 4.2, SHAPES: 5.4}
"""Each step's time as a multiple of the libraries', when it was last made faster or slower."""


@pytest.mark.integration
def test_no_step_takes_twice_as_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.files.read.COARSEST_CLOCK", -(10**18))  # the notes need not age first
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
