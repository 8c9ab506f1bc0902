"""The engines that the same tests run against. What did not run is said at the end."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.engines.engines import ENGINES, Start
from tests.engines.find_virtuoso import HELP, find_virtuoso
from tests.support.sparql_servers import Server

_missing: set[str] = set()


@pytest.fixture(scope="session", params=ENGINES)
def start(request: pytest.FixtureRequest) -> Start:
    """How to start one of the engines on a folder."""
    if request.param == "virtuoso" and not find_virtuoso():
        if os.environ.get("KG_ENGINES") == "all":
            pytest.fail(HELP)
        _missing.add("virtuoso")
        pytest.skip("Virtuoso is not here: `make test-engines` fetches and runs it")
    return ENGINES[request.param]


@pytest.fixture(scope="session")
def server(start: Start, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with start(tmp_path_factory.mktemp("engine")) as server:
        yield server


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in sorted(_missing):
        terminalreporter.write_line(f"NOT RUN: {name} (run `make test-engines`)", yellow=True)
