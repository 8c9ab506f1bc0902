"""The pages on how to add something, followed word for word in a copy of the repository."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "contributing"
LONGEST = 300  # seconds that a test of a page may take before it counts as hanging
PARTS = ("kg", "tests", "docs", "ontology", "site", "notes", "pyproject.toml")
STEP = re.compile(
    r"^(?:(?P<verb>Make|At the end of) `(?P<new>[^`]+)`"
    r"|In `(?P<file>[^`]+)`, (?P<where>above|below|instead of) "
    r"(?P<tick>`+)(?P<line>[^\n]+?)(?P=tick)):\n\n"
    r"(?P<fence>`{3,})\w+\n(?P<text>.*?)^(?P=fence)$",
    re.M | re.S,
)
RUN = re.compile(r"^```sh\n(.+?)^```$", re.M | re.S)


def follow(page: str, root: Path) -> None:
    """Do to the files in `root` what a page says."""
    for step in STEP.finditer(page):
        file = root / (step["new"] or step["file"])
        if step["verb"] == "Make":
            assert not file.exists()
            file.write_text(step["text"], "utf-8")
            continue
        text = file.read_text("utf-8")
        if step["verb"]:
            file.write_text(f"{text}\n\n{step['text']}", "utf-8")
            continue
        line = f"{step['line']}\n"
        assert text.count(f"\n{line}") == 1, f"{file} has no such line: {line}"
        before = line if step["where"] == "below" else ""
        after = line if step["where"] == "above" else ""
        file.write_text(text.replace(f"\n{line}", f"\n{before}{step['text']}{after}"), "utf-8")


@pytest.mark.parametrize("name", ["rule", "page", "format", "command", "relation", "field"])
def test_a_page_leads_from_start_to_test(name: str, tmp_path: Path) -> None:
    for part in PARTS:
        if (ROOT / part).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, tmp_path / part, ignore=ignored)
        else:
            shutil.copy(ROOT / part, tmp_path / part)
    page = (PAGES / f"{name}.md").read_text("utf-8")
    follow(page, tmp_path)
    (command,) = RUN.findall(page)
    python, *arguments = shlex.split(command)
    assert python == ".venv/bin/python"
    settings = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tmp_path,
        env={**settings, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout


def test_every_page_is_listed() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (PAGES / "README.md").read_text("utf-8")))
    assert listed == {page.name for page in PAGES.glob("*.md")} - {"README.md"}
