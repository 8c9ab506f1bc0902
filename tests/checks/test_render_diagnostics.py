"""Problems as text: what a note holds can neither break a line nor give an order to a host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.checks.render_diagnostics import PROBLEM_FORMATS
from kg.model import Severity
from tests.checks.rendered_problems import problem, rendered_problems

HOSTILE = "a,b:c%\n::error::no"


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")],
)
def test_a_code_host_is_given_one_order_a_problem(
    tmp_path: Path, severity: Severity, word: str
) -> None:
    output = rendered_problems(
        tmp_path, "github", problem(HOSTILE, severity=severity, help="mend\nit: 100%")
    )
    assert output.count("\n") == 1
    assert output.startswith(f"::{word} file=")
    head, _, message = output.removeprefix("::").partition("::")
    assert ",line=5,col=3,title=a-rule" in head
    assert "a%2Cb%3Ac%25\\n%3A%3Aerror" in head
    assert message == "it is wrong. mend%0Ait: 100%25\n"


@pytest.mark.parametrize(
    ("severity", "word"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")],
)
def test_an_editor_is_given_one_line_a_problem(
    tmp_path: Path, severity: Severity, word: str
) -> None:
    diagnostic = problem(HOSTILE, severity=severity, help="")
    row, summary = rendered_problems(tmp_path, "lines", diagnostic).splitlines()
    assert row.endswith(f":5:3: {word}: it is wrong [a-rule]")
    assert summary.endswith("in 1 statement, 0 edges")


def test_programs_are_given_every_place(tmp_path: Path) -> None:
    (record,) = json.loads(rendered_problems(tmp_path, "json", problem()))
    assert (record["line"], record["column"], record["severity"]) == (5, 3, "warning")
    assert [place.rpartition("/")[2] for place in record["related"]] == ["a.md:1:2"]
    run = json.loads(rendered_problems(tmp_path, "sarif", problem(), problem(help="")))["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["a-rule"]
    first, second = run["results"]
    assert first["message"]["text"] == "it is wrong. mend it"
    assert second["message"]["text"] == "it is wrong"
    related = first["relatedLocations"][0]["physicalLocation"]["region"]
    assert related == {"startLine": 1, "startColumn": 2}


def test_no_problem_is_said_to_people_alone(tmp_path: Path) -> None:
    outputs = {format: rendered_problems(tmp_path, format) for format in PROBLEM_FORMATS}
    assert outputs["lines"] == outputs["text"]
    assert "no problems" in outputs["text"]
    assert (outputs["github"], json.loads(outputs["json"])) == ("", [])
