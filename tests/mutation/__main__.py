"""How many small mistakes the tests notice, room by room: `python -m tests.mutation`.

First all tests but those of the browser run once under coverage, which tells for each line the
tests that run it (`--map`; kept in the cache folder; `--map=tests/git` measures only these anew).
Then mistakes are drawn evenly from the rooms of `kg/`. A process collects all tests of a copy of
the tree; for each mistake it forks, the mistake is made, and the tests of its line are run until
one fails. What became of them is kept by seed: the same command goes on where it ended, and
`--retry` tries those that were missed again, first with the tests that changed since the map was
made. A mistake that changes nothing anyone could see counts as missed, too. Not on Windows, which
does not fork. With `--at-least 0.8` the command fails if fewer are noticed in all rooms together.
`--tests-of kg/loader.py` only lists, by the map, the test files that run its lines; `--named` asks
only those that say they test a module, and needs no map.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutation.drawn_mutants import DrawnMutants
from tests.mutation.line_map import MAP_FOLDER, ROOT, NamedTests, Tests, make_map
from tests.mutation.trial import Trials

LEFT_OUT = (".venv", ".git", ".*_cache")  # what Python compiled saves half of the time


def main(arguments: list[str]) -> int:
    """Draw mistakes, make each, and print those that no test notices, and a table by room."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("rooms", nargs="*", help="folders or files of kg/, else all rooms")
    parser.add_argument(
        "--map", nargs="?", const="tests", help="measure first which test runs what"
    )
    parser.add_argument(
        "--tests-of", metavar="FILE", help="list the test files that run lines of a file of kg/"
    )
    parser.add_argument("--sample", type=int, default=35, help="mistakes for each room (35)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--named", action="store_true", help="ask only the test files that say they test it"
    )
    parser.add_argument("--retry", action="store_true", help="try again what was missed")
    parser.add_argument(
        "--at-least", type=float, default=0.0, metavar="RATE", help="fail below, such as 0.8"
    )
    parser.add_argument("--seconds", type=float, default=90, help="of tests for a mistake (90)")
    options = parser.parse_args(arguments)
    if options.map or not (options.named or (MAP_FOLDER / "lines").exists()):
        make_map(options.map or "tests")
    if options.tests_of:
        for name, count in Tests(MAP_FOLDER).files_that_run(options.tests_of):
            print(f"{count:4} lines  {name}")
        return 0
    with _copied_tree() as copy:
        os.chdir(copy)
        os.environ |= {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.dont_write_bytecode = True
        sys.path[:] = [str(copy), *(each for each in sys.path if Path(each).resolve() != ROOT)]
        for name in [name for name in sys.modules if name.partition(".")[0] in ("kg", "tests")]:
            del sys.modules[name]  # those of the copy are meant
        command = ["-p", "no:cacheprovider", "-s", "--ignore=tests/browser", "tests"]
        command += ["-o", "faulthandler_timeout=0"]  # what hangs is ended by the limits of a trial
        loop = _Loop(options, copy)
        return pytest.main(command, plugins=[loop]) or int(loop.rate < options.at_least)


@contextlib.contextmanager
def _copied_tree() -> Iterator[Path]:
    """A copy of the tree to make mistakes in."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place).resolve() / "tree"
        shutil.copytree(ROOT, copy, ignore=_left_out)
        yield copy


def _left_out(folder: str, names: list[str]) -> set[str]:
    """What the copy does without: the site that was built, but not the room that builds it."""
    own = {"build"} if Path(folder) == ROOT else set()
    return shutil.ignore_patterns(*LEFT_OUT)(folder, names) | own


class _Loop:
    """Instead of running the tests that were collected, make mistakes."""

    def __init__(self, options: argparse.Namespace, copy: Path) -> None:
        self._options, self._copy = options, copy
        self.rate = 0.0
        """Of the mistakes that were made, how many the tests noticed."""

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        import kg  # only now is it that of the copy

        assert Path(kg.__file__).is_relative_to(self._copy), "mistakes would be made in files alone"
        tests = NamedTests() if self._options.named else Tests(MAP_FOLDER)
        trials = Trials(session, self._copy, tests, self._options.seconds)
        table = []
        for room in self._options.rooms or rooms():
            drawing = DrawnMutants(
                room, self._options.seed, "named" if self._options.named else "drawn"
            )
            drawing.draw(self._options.sample)
            drawing.try_each(trials, again=self._options.retry)
            table.append(drawing.counts())
            print(_row(room, *table[-1]), flush=True)
        caught, tried_count = map(sum, zip(*table, strict=True))
        print(_row("in all", caught, tried_count))
        self.rate = caught / max(tried_count, 1)
        return True


def _row(room: str, caught: int, tried_count: int) -> str:
    return f"{room:24} {caught:4} of {tried_count:4} caught  {caught / max(tried_count, 1):.0%}"


def rooms() -> list[str]:
    """The folders of `kg/`, and the files that stand beside them as one."""
    folders = (place for place in (ROOT / "kg").iterdir() if list(place.glob("*.py")))
    return [*sorted(f"kg/{place.name}" for place in folders), "kg/*.py"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
