"""The pages on how to add something, followed word for word in a copy of the repository."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "contributing"
LONGEST = 300  # seconds that the tests of the pages may take before they count as hanging
NAMES = (
    *("rule", "page", "format", "importer", "command", "question", "setting", "relation", "field"),
)
COMMANDS = "kg/cli/__init__.py"
PARTS = (
    "kg",
    "tests",
    "docs",
    "ontology",
    "site",
    "notes",
    "bench",
    "pyproject.toml",
    "README.md",
    "constraints.txt",
)
STEP = re.compile(
    r"^(?:(?P<verb>Make|At the end of) `(?P<new>[^`]+)`"
    r"|In `(?P<file>[^`]+)`, (?P<where>above|below|instead of) "
    r"(?P<tick>`+)(?P<line>[^\n]+?)(?P=tick)):\n\n"
    r"(?P<fence>`{3,})\w+\n(?P<text>.*?)^(?P=fence)$",
    re.M | re.S,
)
PROMISES = (
    *("tests/test_architecture.py", "tests/docs/test_reference.py"),
    "tests/test_names_of_code.py",
)
OF_THE_WHOLE = "crowded or stay_short or public_name or has_an_example or test_names_of_code"
"""Tests that each page must leave true, not only those that it names."""
# What the pages run, one after the other: to start pytest for each would take longer than they do.
IN_TURN = """import json, sys, pytest
sys.exit(max(pytest.main(arguments) for arguments in json.loads(sys.argv[1])))
"""
RUN = re.compile(r"^```sh\n(.+?)^```$", re.M | re.S)


def follow(page: str, root: Path) -> None:
    """Do to the files in `root` what a page says."""
    for step in STEP.finditer(page):
        file = root / (step["new"] or step["file"])
        if step["verb"] == "Make":
            assert not file.exists(), f"{file}, which a page makes, is there already"
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


def steps(page: str) -> set[str]:
    """The files that a page makes or alters."""
    return {step["new"] or step["file"] for step in STEP.finditer(page)}


def require_no_example(pages: list[str]) -> None:
    """Skip the test where somebody has followed a page in this tree: in a copy that fails."""
    for name, page in zip(NAMES, pages, strict=True):
        for step in STEP.finditer(page):
            file = ROOT / (step["new"] or step["file"])
            if file.exists() and (
                step["verb"] == "Make" or step["text"] in file.read_text("utf-8")
            ):
                pytest.skip(f"the example of {name}.md is in this tree")


def altered_files(page: str) -> set[str]:
    """Files of the program; two pages may add a command, or a row of the docs or the ontology."""
    return {file for file in steps(page) - {COMMANDS} if file.startswith("kg/")}


def test_names_in_the_examples_are_imported(tmp_path: Path) -> None:
    """Quick, for those who change a module that an example leans on."""
    pages = [(PAGES / f"{name}.md").read_text("utf-8") for name in NAMES]
    require_no_example(pages)
    files = set().union(*map(steps, pages))
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / file).exists():
            shutil.copy(ROOT / file, tmp_path / file)
    for page in pages:
        follow(page, tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    settings = ["--no-cache", "--config", "lint.isort.known-first-party=['kg', 'tests']"]
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", *settings, "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    imported = [
        (file, node.module, alias.name)
        for file in sorted(files)
        if file.endswith(".py")
        for node in ast.walk(ast.parse((tmp_path / file).read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
        if node.module.partition(".")[0] in ("kg", "tests")
        for alias in node.names
    ]
    assert imported
    assert [each for each in imported if not has_name(tmp_path, *each[1:])] == []


def has_name(copy: Path, module: str, name: str) -> bool:
    """Whether a module, of the copy or else of the repository, binds a name or is its package."""
    path = module.replace(".", "/")
    for root in (copy, ROOT):
        for file in (root / f"{path}.py", root / path / "__init__.py"):
            if file.is_file():
                return name in names_bound_in(file) or is_module(f"{path}/{name}", copy)
    return False


def is_module(path: str, copy: Path) -> bool:
    return any(
        (root / f"{path}.py").is_file() or (root / path / "__init__.py").is_file()
        for root in (copy, ROOT)
    )


@cache
def names_bound_in(file: Path) -> set[str]:
    """The names that a module binds, whether imported or defined, also for type checkers alone."""
    names: set[str] = set()
    waiting: list[ast.stmt] = ast.parse(file.read_text("utf-8")).body
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.If | ast.Try | ast.With):
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names |= {
                each.id
                for each in ast.walk(node)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }
    return names


@pytest.mark.integration
def test_pages_lead_from_start_to_test(tmp_path: Path) -> None:
    """In one copy, where no page can lean on another: each alters files of its own."""
    pages = [(PAGES / f"{name}.md").read_text("utf-8") for name in NAMES]
    require_no_example(pages)
    for one, other in combinations(pages, 2):
        assert not altered_files(one) & altered_files(other)
    for part in PARTS:
        if (ROOT / part).is_dir():  # with what is compiled already, and holds for equal times
            shutil.copytree(ROOT / part, tmp_path / part)
        else:
            shutil.copy(ROOT / part, tmp_path / part)
    commands = []
    touched: set[str] = set()
    for page in pages:
        touched |= {file for file in steps(page) if file.endswith(".py")}
        follow(page, tmp_path)
        (command,) = RUN.findall(page)
        python, module, *arguments = shlex.split(command)
        assert (python, module, arguments.pop(0)) == (".venv/bin/python", "-m", "pytest")
        commands.append(arguments)
    commands.append(["-n", "0", "-k", OF_THE_WHOLE, *PROMISES])
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", *sorted(touched)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    settings = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    result = subprocess.run(
        [sys.executable, "-c", IN_TURN, json.dumps(commands)],
        cwd=tmp_path,
        env={**settings, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count(" passed") == len(commands)


def test_every_page_is_listed() -> None:
    listed = set(re.findall(r"\]\(([\w-]+\.md)\)", (PAGES / "README.md").read_text("utf-8")))
    assert listed == {page.name for page in PAGES.glob("*.md")} - {"README.md"}
