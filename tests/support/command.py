"""`kg` as a shell runs it, without a process of its own: what it prints, and how it ends."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from kg.cli import run
from tests.support.patience import PATIENCE


@dataclass(frozen=True)
class CompletedCommand:
    """A command that ended."""

    returncode: int
    stdout: str
    stderr: str


class _Stream(io.TextIOWrapper):
    """What is printed to: a terminal or none."""

    def __init__(self, terminal: bool) -> None:
        super().__init__(io.BytesIO(), "utf-8", newline="\n")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def text(self) -> str:
        """What was printed so far."""
        self.flush()
        return self.buffer.getvalue().decode()  # type: ignore[attr-defined]


def kg(folder: Path, *words: str, terminal: bool = False, **environment: str) -> CompletedCommand:
    """Run `kg` in `folder`; an error that no command foresees is raised."""
    output, errors = _Stream(terminal), _Stream(False)
    around = mock.patch.dict(os.environ, environment)
    with (
        around,
        chdir(folder),
        redirect_stdout(output),
        redirect_stderr(errors),
        _limit(),
    ):
        code = status(*words)
    return CompletedCommand(code, output.text(), errors.text())


def status(*words: str) -> int:
    """Run `kg` where it is, and how it ends."""
    try:
        run([*words])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@contextmanager
def _limit() -> Iterator[None]:
    """Raise where something hangs, where there are alarms."""
    if os.name == "nt":
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    signal.alarm(int(PATIENCE))
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _raise(*_: object) -> None:
    raise TimeoutError(f"nothing came in {PATIENCE:.0f} seconds")
