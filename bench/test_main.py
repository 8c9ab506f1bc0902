"""Of `bench/__main__.py`: each report in a process of its own, and what happens if one fails."""

from __future__ import annotations

from pathlib import Path

import pytest

import bench.__main__ as program

BROKEN = "\ndef report(size: int):\n    raise OSError(f'no {size} notes')\n"
WHOLE = """
import os
from bench.measure import Row

def report(size: int):
    return [Row(f"process {os.getpid()}", size, 1)]
"""


def test_a_report_that_fails_is_named_and_the_others_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bench"
    folder.mkdir()
    for name, text in {"broken": BROKEN, "other": WHOLE, "whole": WHOLE}.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.setattr(program, "HERE", folder)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))  # `bench` has modules of both folders then
    assert program.main(["--size", "3"]) == 1
    printed, errors = capfd.readouterr()
    assert "\nother, 3 notes\n" in printed
    assert "\nwhole, 3 notes\n" in printed
    assert len({line for line in printed.splitlines() if line.startswith("process ")}) == 2
    assert errors.endswith("OSError: no 3 notes\nfailed: python -m bench broken --size 3\n")
    assert program.main(["whole", "--size", "3"]) == 0
