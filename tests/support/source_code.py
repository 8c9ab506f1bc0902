"""The program's own code as trees, each file parsed once, and which test files test a module."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from kg.runtime.gc_pauses import pause_gc

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "kg").rglob("*.py"))


@cache
def tree_of(file: Path) -> ast.Module:
    with pause_gc():  # it would look through all trees again and again
        return ast.parse(file.read_text("utf-8"))


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(file)))


_DOCSTRING = re.compile(r'"""(.*?)"""', re.DOTALL)  # to parse all test files takes a second
_SAID = re.compile(r"^Of (`kg/.*?`)(?:,\s+too)?\.$", re.MULTILINE | re.DOTALL)


def modules_tested_by(test_file: Path) -> set[str]:
    """The module that a test file is named after, if there is one, and those that it says."""
    place = test_file.relative_to(ROOT / "tests")
    own_module = "kg" / place.with_name(place.name.removeprefix("test_"))
    modules = {own_module.as_posix()} if (ROOT / own_module).is_file() else set[str]()
    docstring = _DOCSTRING.match(test_file.read_text("utf-8"))
    if docstring and (match := _SAID.search(docstring[1].rstrip())):
        modules |= set(re.findall(r"`(kg/[\w/]+\.py)`", match[1]))
    return modules


@cache
def files_by_module() -> dict[str, list[str]]:
    """The test files of each module that has some."""
    files: dict[str, list[str]] = {}
    for test_file in sorted((ROOT / "tests").rglob("test_*.py")):
        for module in modules_tested_by(test_file):
            files.setdefault(module, []).append(test_file.relative_to(ROOT).as_posix())
    return files
