"""A pytest plugin that keeps which test runs which line, and how long each test takes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest

FOLDER = "KG_MUTATION_MAP"


class _Recorder:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._times: dict[str, float] = {}
        self._coverage = coverage.Coverage(
            data_file=str(folder / "lines"), data_suffix=True, source=["kg"], config_file=False
        )
        self._coverage.start()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._coverage.switch_context(item.nodeid)
        begun = time.perf_counter()
        yield
        self._times[item.nodeid] = time.perf_counter() - begun
        self._coverage.switch_context("")

    def pytest_sessionfinish(self) -> None:
        self._coverage.stop()
        self._coverage.save()
        (self._folder / f"times-{os.getpid()}.json").write_text(json.dumps(self._times))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Recorder(Path(os.environ[FOLDER])))
