"""No step takes twice as long as it did: in units of what the libraries alone take, in one run.

Processor time of one core, the best of several, so that what else a machine does counts little.
A ratio that is worse is measured again before it counts. `python -m bench load` tells more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from bench.load import LIBRARIES, LOAD, SHAPES, UNCHANGED, libraries_alone, tasks_of
from bench.measure import best
from bench.site import edit_a_note
from bench.vault import write_vault
from kg.endpoints.push_and_pull import push
from kg.loader import load_corpus
from kg.publish.build.site import build_site
from kg.publish.markup.address import addresses_of_things
from kg.serve.live_site import CorpusSite
from tests.support.store_endpoints import MemoryEndpoint

NOTES, ROUNDS, TRIES = 400, 5, 4
RECORDED = {LOAD: 5.5, UNCHANGED: 0.14, "check": 4.2, SHAPES: 5.4}
"""Each step's time as a multiple of the libraries', when it was last made faster or slower."""


def _slow_steps(
    tasks: Mapping[str, Callable[[], Any]], recorded: Mapping[str, float]
) -> dict[str, float]:
    """The steps that take more than twice what is recorded, each time that they are measured."""
    for _ in range(TRIES):
        found = best(tasks, ROUNDS, process_time)
        ratios = {name: found[name] / found[LIBRARIES] for name in recorded}
        slow = {name: ratio for name, ratio in ratios.items() if ratio > 2 * recorded[name]}
        if not slow:
            break
    return slow


def test_no_step_takes_twice_as_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18)
    )  # the notes need not age first
    folder = write_vault(tmp_path / "notes", NOTES)
    assert not _slow_steps(tasks_of(folder, tmp_path / "cache"), RECORDED)


PUSH, LINE, PAGES = "push, one note changed", "a line's page, nothing weighed", "20 more pages"
RECORDED_AFTER_LOADING = {PUSH: 1.6, LINE: 21, PAGES: 1.4}
"""The same of what is sent to a server and what is shown in a browser."""


def test_no_push_and_no_page_takes_twice_as_long(tmp_path: Path) -> None:
    """The push is measured with the server that takes it, as both run in this process."""
    folder = write_vault(tmp_path / "notes", NOTES)
    before = load_corpus(folder)
    edit_a_note(folder)
    versions = cycle((load_corpus(folder), before))
    server = MemoryEndpoint()
    push(before, server)
    site, addresses = CorpusSite(before), addresses_of_things(before)
    line = addresses[min(before.lines)]
    assert site.find_file(line)
    pages = iter(sorted({addresses[id] for id in before.statements}))

    def push_change() -> None:
        report = push(replace(next(versions)), server)
        assert report.written_graphs == 2  # with the graph of the corpus

    def line_page() -> None:
        assert CorpusSite(replace(before)).find_file(line)  # a copy keeps nothing that was derived

    def more_pages() -> None:
        assert all(site.find_file(next(pages)) for _ in range(20))

    tasks = {LIBRARIES: libraries_alone(folder)}
    tasks |= {PUSH: push_change, LINE: line_page, PAGES: more_pages}
    assert not _slow_steps(tasks, RECORDED_AFTER_LOADING)


EDIT_OF_BUILD = 0.1
"""What an edit of a text costs, of what the site costs from nothing, as last measured."""


def test_an_edit_of_a_text_costs_little_of_a_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one core, without imports. `python -m bench site` tells more."""
    monkeypatch.setattr("kg.publish.build.site_run.can_fork", lambda: False)
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
