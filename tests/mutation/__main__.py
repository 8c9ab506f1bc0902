"""How many small mistakes the tests notice, room by room: `python -m tests.mutation`.

First all tests but those of the browser run once under coverage, which tells for each line the
tests that run it (`--map`; kept in the cache folder). Then mistakes are drawn evenly from the rooms
of `kg/`, each is made in a copy of the tree, and the tests of its lines are run until one fails. A
mistake that changes nothing anyone could see counts as missed, too. It forks, so not on Windows.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import coverage
import pytest

from tests.mutation.coverage_plugin import FOLDER
from tests.mutation.operators import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
KEPT = Path(tempfile.gettempdir()) / "kg-mutation-map"
LEFT_OUT = (".venv", ".git", ".*_cache")  # what Python compiled saves half of the time
MAX_SECONDS = 90.0  # of tests for one mistake, the quickest first
MOST_TESTS = 400
LOADED = (
    *("bibtexparser", "hypothesis.strategies", "lsprotocol.types", "markdown_it", "mcp", "msgspec"),
    *("networkx", "numpy", "pydantic", "pyoxigraph", "rdflib", "scipy.sparse", "yaml"),
)
"""What others made and most tests need: loaded once, before each run of tests forks off."""


def main(arguments: list[str]) -> int:
    """Draw mistakes, make each, and print those that no test notices, and a table by room."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", help="folders or files of kg/, else all rooms")
    parser.add_argument("--map", action="store_true", help="run the tests under coverage first")
    parser.add_argument("--sample", type=int, default=35, help="mistakes for each room (35)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.map or not KEPT.exists():
        make_map()
    tests = Tests(KEPT)
    for name in LOADED:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "tree"
        shutil.copytree(ROOT, copy, ignore=_left_out)
        table = {}
        for room in given.rooms or rooms():
            table[room] = _try_room(copy, room, given.sample, given.seed, tests)
            print(_row(room, *table[room]), flush=True)
    print(_row("in all", *map(sum, zip(*table.values(), strict=True))))
    return 0


def _row(room: str, caught: int, tried: int) -> str:
    return f"{room:24} {caught:4} of {tried:4} caught  {caught / max(tried, 1):.0%}"


def _left_out(folder: str, names: list[str]) -> set[str]:
    """What the copy does without: the site that was built, but not the room that builds it."""
    own = {"build"} if Path(folder) == ROOT else set()
    return shutil.ignore_patterns(*LEFT_OUT)(folder, names) | own


def rooms() -> list[str]:
    """The folders of `kg/`, and the files that stand beside them as one."""
    folders = (place for place in (ROOT / "kg").iterdir() if list(place.glob("*.py")))
    return [*sorted(f"kg/{place.name}" for place in folders), "kg/*.py"]


def make_map() -> None:
    """Run the tests once, and keep which test runs which line."""
    shutil.rmtree(KEPT, ignore_errors=True)
    KEPT.mkdir()
    command = [sys.executable, "-m", "pytest", "--ignore=tests/browser", "-n", "2"]
    # what a worker had measured is lost if it ends for one test that coverage makes slow
    plugin = ["-p", "tests.mutation.coverage_plugin", "-o", "faulthandler_timeout=900"]
    subprocess.run([*command, *plugin], cwd=ROOT, env=os.environ | {FOLDER: str(KEPT)}, check=False)
    joined = coverage.Coverage(data_file=str(KEPT / "lines"), config_file=False)
    joined.combine([str(KEPT)])
    joined.save()


class Tests:
    """Which tests run a line, and how long they take in seconds."""

    def __init__(self, folder: Path) -> None:
        self.times: dict[str, float] = {}
        for file in folder.glob("times-*.json"):
            self.times |= json.loads(file.read_text())
        self._data = coverage.CoverageData(str(folder / "lines"))
        self._data.read()
        self._files = {Path(name).as_posix(): name for name in self._data.measured_files()}

    def of(self, file: str, line: int) -> list[str]:
        """The tests that run a line of a file, those of its folder first, each sort by its time.

        A line that runs in no test's own process may run in another that a test of its folder
        starts, so all of these are asked, and all that run any line of the file.
        """
        name = next((full for short, full in self._files.items() if short.endswith(file)), "")
        lines = self._data.contexts_by_lineno(name) if name else {}
        folder = file.replace("kg/", "tests/", 1).rpartition("/")[0] + "/"
        near = {test for test in self.times if test.startswith(folder)}
        found = set(filter(None, lines.get(line, []))) or near.union(*lines.values()) - {""}
        return sorted(found, key=lambda test: (test not in near, self.times.get(test, 1.0)))


def _try_room(copy: Path, room: str, sample: int, seed: int, tests: Tests) -> tuple[int, int]:
    place = ROOT / room
    files = (
        [place]
        if place.is_file()
        else sorted(ROOT.glob(room) if "*" in room else place.rglob("*.py"))
    )
    drawn: list[tuple[str, Mutant]] = []
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        drawn += ((name, mutant) for mutant in mutants_of(file.read_text("utf-8")))
    random.Random(f"{seed} {room}").shuffle(drawn)
    caught = 0
    for name, mutant in drawn[:sample]:
        noticed = _is_caught(copy, name, mutant, tests)
        caught += noticed
        if not noticed:
            print(_described(name, mutant), flush=True)
    return caught, min(sample, len(drawn))


def _is_caught(copy: Path, name: str, mutant: Mutant, tests: Tests) -> bool:
    """Whether a test fails, hangs or is not even collected with the mistake in the tree."""
    source = (ROOT / name).read_text("utf-8")
    chosen, seconds = [], 0.0
    for test in tests.of(name, mutant.line)[:MOST_TESTS]:
        seconds += tests.times.get(test, 1.0)
        if chosen and seconds > MAX_SECONDS:
            break
        chosen.append(test)
    if not chosen:
        return False
    changed = mutant.apply(source)
    with contextlib.suppress(SyntaxError):
        compile(changed, name, "exec")
        (copy / name).write_text(changed, "utf-8")
        try:
            return _fails(copy, chosen, 30 + 3 * min(seconds, MAX_SECONDS))
        finally:
            (copy / name).write_text(source, "utf-8")
    return True


def _fails(copy: Path, chosen: list[str], limit: float) -> bool:
    """Whether a test fails or hangs; all run in a fork, which has loaded what others made."""
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _run_tests(copy, chosen)
    while time.monotonic() - begun < limit:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status != 0
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)  # with the servers that it started
    os.waitpid(child, 0)
    return True


def _run_tests(copy: Path, chosen: list[str]) -> NoReturn:
    os.setsid()
    os.chdir(copy)
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(quiet, stream)
    os.environ |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.dont_write_bytecode = True
    sys.path[:] = [str(copy), *(place for place in sys.path if Path(place).resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]  # those of the copy are meant
    os._exit(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *chosen]))


def _described(name: str, mutant: Mutant) -> str:
    source = (ROOT / name).read_text("utf-8")
    line = source.split("\n")[mutant.line - 1].strip()
    was = " ".join(source[mutant.start : mutant.end].split())
    return f"missed: {name}:{mutant.line}: {was!r} -> {mutant.text.strip()!r} in: {line}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
