"""Which tests run which line: measured once, and kept in the cache folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

import coverage

from tests.mutation.coverage_plugin import FOLDER
from tests.support.source_code import files_by_module

ROOT = Path(__file__).parents[2]
MAP_FOLDER = Path(tempfile.gettempdir()) / "kg-mutation-map"


def make_map(chosen_text: str) -> None:
    """Run the tests once, or those of a folder anew, and keep which test runs which line."""
    if chosen_text == "tests":
        shutil.rmtree(MAP_FOLDER, ignore_errors=True)
    MAP_FOLDER.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "pytest", "--ignore=tests/browser", "-n", "2", chosen_text]
    # what a worker had measured is lost if it ends for one test that coverage makes slow
    plugin = ["-p", "tests.mutation.coverage_plugin", "-o", "faulthandler_timeout=900"]
    own = {FOLDER: str(MAP_FOLDER), "HYPOTHESIS_PROFILE": "few"}
    subprocess.run([*command, *plugin], cwd=ROOT, env=os.environ | own, check=False)
    join_map()


def join_map() -> None:
    """Put together what each worker measured."""
    joined_parts = coverage.Coverage(data_file=str(MAP_FOLDER / "lines"), config_file=False)
    joined_parts.combine([str(MAP_FOLDER)], keep=True)
    joined_parts.save()


class Tests:
    """Which tests run a line, and how long they take in seconds."""

    def __init__(self, folder: Path) -> None:
        self.times: dict[str, float] = {}
        for file in folder.glob("times-*.json"):
            self.times |= json.loads(file.read_text())
        measured = folder / "lines"
        self._data = coverage.CoverageData(str(measured))
        self._data.read()
        self._files = {Path(name).as_posix(): name for name in self._data.measured_files()}
        self._newer = _changed_since(measured.stat().st_mtime)
        self._left_out: set[str] = set()
        self._known: dict[str, dict[int, list[str]]] = {}

    def of(
        self, file: str, line: int, seconds: float, there: Collection[str]
    ) -> tuple[list[str], float]:
        """Those of the tests there are to run for a line, within some seconds, and what they take.

        Tests that changed after the map was made stand first. Then come the tests that run the
        line, and last the others that run a line of the file or stand in its folder: these may run
        the line in another process, or in an example that was not tried when the map was made. Of
        each sort those of the folder are first, and the quickest.
        """
        lines, near = self._lines(file), self._near(file)
        runs = set(filter(None, lines.get(line, [])))
        others = near.union(*lines.values()) - {""}
        files = {test.partition("::")[0] for test in runs | others} & self._newer
        room = "/".join(_folder(file).split("/")[:2])
        files |= {name for name in self._newer if name.startswith(room)}
        changed = {test for test in there if test.partition("::")[0] in files}
        tests = [test for test in runs | others | changed if test in there and self.is_sound(test)]
        tests.sort(key=lambda test: self.times.get(test, 1.0))
        tests.sort(key=lambda test: (test not in changed, test not in runs, test not in near))
        chosen_tests, taken = list[str](), 0.0
        for test in tests:
            taken += self.times.get(test, 1.0)
            if chosen_tests and taken > seconds and test not in changed:
                break
            chosen_tests.append(test)
        return chosen_tests, taken

    def files_that_run(self, file: str) -> list[tuple[str, int]]:
        """The test files that run lines of a file, with how many lines: the most first."""
        lines: dict[str, set[int]] = {}
        for line, tests in self._lines(file).items():
            for test in filter(None, tests):
                lines.setdefault(test.partition("::")[0], set()).add(line)
        counted_rows = [(name, len(of_file)) for name, of_file in lines.items()]
        return sorted(counted_rows, key=lambda pair: (-pair[1], pair[0]))

    def runs_when_loaded(self, file: str, line: int) -> bool:
        """Whether a line runs outside tests, too: what it did then, they may not do again."""
        return "" in self._lines(file).get(line, [])

    def leave_out(self, test: str) -> None:
        """Run a test no more, which fails without any mistake."""
        self._left_out.add(test)

    def is_sound(self, test: str) -> bool:
        """Whether a test was not left out."""
        return test not in self._left_out

    def _lines(self, file: str) -> dict[int, list[str]]:
        if file not in self._known:
            name = next((full for short, full in self._files.items() if short.endswith(file)), "")
            self._known[file] = self._data.contexts_by_lineno(name) if name else {}
        return self._known[file]

    def _near(self, file: str) -> set[str]:
        folder = _folder(file)
        in_it = (test for test in self.times if test.startswith(folder))
        return {test for test in in_it if folder != "tests/" or test.count("/") == 1}


class NamedTests:
    """Of each module the test files that say they test it, and no others."""

    def __init__(self) -> None:
        self._files = files_by_module()
        self._left_out: set[str] = set()

    def of(
        self, file: str, _line: int, seconds: float, there: Collection[str]
    ) -> tuple[list[str], float]:
        """Those of the tests there are to run for a line, and how long they may take."""
        files = self._files.get(file, [])
        chosen_tests = [test for test in there if test.partition("::")[0] in files]
        return [test for test in chosen_tests if test not in self._left_out], seconds

    def runs_when_loaded(self, _file: str, _line: int) -> bool:
        """Nothing is known of it: a mistake is made in what is loaded."""
        return False

    def leave_out(self, test: str) -> None:
        """Run a test no more, which fails without any mistake."""
        self._left_out.add(test)


def _folder(file: str) -> str:
    return file.replace("kg/", "tests/", 1).rpartition("/")[0] + "/"


def _changed_since(moment: float) -> set[str]:
    paths = {
        file.relative_to(ROOT).as_posix()
        for file in (ROOT / "tests").rglob("test_*.py")
        if file.stat().st_mtime > moment
    }
    pages = (ROOT / "tests" / "specs").rglob("*.md")
    if any(page.stat().st_mtime > moment for page in pages):
        paths.add("tests/test_specs.py")
    return paths
