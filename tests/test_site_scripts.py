"""The scripts of the site are formatted by prettier, and no file or function of them is long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.npm import output_of_script

SITE = Path(__file__).parents[1] / "site"
SCRIPTS = {path.name: path.read_text("utf-8") for path in sorted(SITE.glob("assets/*.js"))}
OPTIONS = json.loads((SITE / ".prettierrc.json").read_text("utf-8"))
MAX_LINES, MAX_FUNCTION_LINES = 500, 60


def looked_at(scripts: dict[str, str]) -> dict[str, dict[str, object]]:
    """By name whether a script is formatted, its lines, and its longest function with its lines."""
    data = json.dumps({"options": OPTIONS, "scripts": scripts}).encode()
    report: dict[str, dict[str, object]] = output_of_script("scripts.mjs", "prettier", data)
    return report


@pytest.mark.integration
def test_scripts_are_formatted_and_short() -> None:
    report = looked_at(SCRIPTS)
    assert report.keys() == SCRIPTS.keys()
    assert [name for name, each in report.items() if not each["isFormatted"]] == [], "make format"
    assert {name: each["lines"] for name, each in report.items() if each["lines"] > MAX_LINES} == {}
    longest = {name: each["longest"] for name, each in report.items()}
    assert {name: each for name, each in longest.items() if each[0] > MAX_FUNCTION_LINES} == {}


@pytest.mark.integration
def test_a_script_that_is_not_formatted_or_long_is_noticed() -> None:
    steps = "  step();\n" * MAX_FUNCTION_LINES
    report = looked_at({"bad.js": "let  a = 1", "long.js": f"const run = () => {{\n{steps}}};\n"})
    assert report["bad.js"]["isFormatted"] is False
    assert report["long.js"] == {"isFormatted": True, "lines": 62, "longest": [62, "run"]}


def test_each_script_says_first_what_it_is_for() -> None:
    assert [name for name, text in SCRIPTS.items() if not text.startswith("/* ")] == []
