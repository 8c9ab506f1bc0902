"""How names of the code are made: `docs/contributing/words.md`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = [
    "text",
    "model",
    "files",
    "git",
    "notes",
    "corpus",
    "checks",
    "importing",
    "exchange",
    "cli",
    "lsp",
    "mcp",
    "serve",
    "rdf",
    "reasoning",
    "publish",
    "editing",
]
PARTICIPLE = re.compile(
    "(?i)_*(?:asked|drawn|found|given|kept|left|listed|looked|meant|named|said|seen|shown|stated"
    "|told|typed|wanted)_*"
)


def names_defined_in(folder: Path) -> list[tuple[str, str]]:
    return [
        (file.relative_to(ROOT).as_posix(), node.name)
        for file in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]


def test_what_raises_is_called_require() -> None:
    defined = names_defined_in(ROOT / "kg")
    assert [each for each in defined if each[1].lstrip("_").startswith("need_")] == []


def test_no_function_or_class_is_called_by_a_participle_alone() -> None:
    defined = [each for room in ROOMS for each in names_defined_in(ROOT / "kg" / room)]
    assert defined
    assert [each for each in defined if PARTICIPLE.fullmatch(each[1])] == []
