"""Make one mistake in a process that has collected all tests, and run tests until one fails."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NoReturn

import pytest

from tests.mutation.line_map import NamedTests, Tests
from tests.mutation.operators import Mutant

HANGS, ENDS = "it hangs", "it ends"


class _Fork:
    """A process of its own for each mistake, from one that has loaded and collected everything."""

    def __init__(self, session: pytest.Session, copy: Path) -> None:
        self._session, self._copy = session, copy
        self.items: dict[str, pytest.Item] = {item.nodeid: item for item in session.items}

    def failing(self, chosen_names: list[str], seconds: float, mistake: Callable[[], bool]) -> str:
        """The first of some tests that fails once a mistake is made, or what else happens."""
        begun, limit = time.monotonic(), 200 + 6 * seconds
        reads, tells = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reads)
            self._run(chosen_names, tells, 30 + int(2 * seconds), mistake)
        os.close(tells)
        try:
            while time.monotonic() - begun < limit:
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    if os.WIFSIGNALED(status):
                        return HANGS
                    return os.read(reads, 9999).decode() or (ENDS if status else "")
                time.sleep(0.02)
            os.killpg(child, signal.SIGKILL)  # with the servers that it started
            os.waitpid(child, 0)
            return HANGS
        finally:
            os.close(reads)

    def _run(
        self, chosen_names: list[str], tells: int, cpu_seconds: int, mistake: Callable[[], bool]
    ) -> NoReturn:
        os.setsid()
        # what turns for ever is ended by the time it computes: on a busy machine others may wait
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
        quiet = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(quiet, stream)
        status = 1
        try:
            if not mistake():
                status = self._afresh(chosen_names, tells)
            else:
                status = self._in_order([self.items[test] for test in chosen_names], tells)
        finally:
            os._exit(status)

    def _in_order(self, items: list[pytest.Item], tells: int) -> int:
        self._session.config.pluginmanager.register(_Teller(tells))
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._session.testsfailed:
                return 1
        return 0

    def _afresh(self, chosen_names: list[str], tells: int) -> int:
        """Run tests in a process that loads everything anew, mistake included."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "no:terminal", *chosen_names]
        status = subprocess.run(command, cwd=self._copy, check=False).returncode
        if status:
            os.write(tells, b"afresh")
        return status


class _Teller:
    """Tells the first test that fails."""

    def __init__(self, tells: int) -> None:
        self._tells = tells
        self._told = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self._told:
            self._told = True
            os.write(self._tells, report.nodeid.encode()[:4000])


class Trials:
    """Tries mistakes, each with the tests of its line."""

    def __init__(
        self, session: pytest.Session, copy: Path, tests: Tests | NamedTests, seconds: float
    ) -> None:
        self._fork = _Fork(session, copy)
        self._copy, self._tests, self._seconds = copy, tests, seconds
        self._sound: set[str] = set()

    def noticed_by(self, name: str, mutant: Mutant) -> str:
        """The test that fails, or what else happens that nobody could overlook; else nothing."""
        file = self._copy / name
        source = file.read_text("utf-8")
        changed = mutant.apply(source)
        try:
            compile(changed, name, "exec")
        except SyntaxError:
            return "it is not read"
        ways = [lambda: swap(file, source, changed)]
        if self._tests.runs_when_loaded(name, mutant.line):
            ways.append(lambda: False)
        for way in ways:
            if failing := self._failing(name, mutant, way, changed):
                return failing
        return ""

    def _failing(self, name: str, mutant: Mutant, way: Callable[[], bool], changed: str) -> str:
        while True:
            chosen_tests, seconds = self._tests.of(
                name, mutant.line, self._seconds, self._fork.items
            )
            with _changed_file(self._copy / name, changed):
                failing = self._fork.failing(chosen_tests, seconds, way) if chosen_tests else ""
            if failing not in self._fork.items or self._is_sound(failing):
                return failing
            print(f"fails without any mistake, and is left out: {failing}", flush=True)
            self._tests.leave_out(failing)

    def _is_sound(self, test: str) -> bool:
        """Whether a test succeeds without a mistake."""
        if test not in self._sound and not self._fork.failing([test], 60, lambda: True):
            self._sound.add(test)
        return test in self._sound


@contextlib.contextmanager
def _changed_file(file: Path, changed: str) -> Iterator[None]:
    """For the processes that tests start, and for modules that are loaded late."""
    source, times = file.read_text("utf-8"), file.stat()
    file.write_text(changed, "utf-8")
    try:
        yield
    finally:
        file.write_text(source, "utf-8")
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))  # what was compiled is kept


def swap(file: Path, source: str, changed: str) -> bool:
    """Give each function that was loaded from a file the code of the changed source.

    False where that does not do: what runs while it is loaded, or has other variables in common
    with the function around it.
    """
    gc.unfreeze()
    old, new = (dict(_codes(compile(text, str(file), "exec"))) for text in (source, changed))
    known_keys = {(code.co_qualname, code.co_firstlineno): key for key, code in old.items()}
    swapped = str(file) not in {getattr(each, "__file__", "") for each in sys.modules.values()}
    for function in gc.get_objects():
        if isinstance(function, FunctionType) and function.__code__.co_filename == str(file):
            was = function.__code__
            key = known_keys.get((was.co_qualname, was.co_firstlineno))
            if key is None or key not in new or new[key] == was:
                continue
            try:
                function.__code__ = new[key]
            except ValueError:
                return False
            swapped = True
    gc.freeze()
    return swapped


def _codes(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """All code in some code, by its name and how many of that name stood before it."""
    counts: Counter[str] = Counter()
    todo = [code]
    while todo:
        each = todo.pop()
        counts[each.co_qualname] += 1
        yield (each.co_qualname, counts[each.co_qualname]), each
        todo += reversed([inner for inner in each.co_consts if isinstance(inner, CodeType)])
