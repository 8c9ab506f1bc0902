"""What runs when somebody pushes or commits is what `make` runs, and what the documents show."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.command import kg
from tests.support.every_row import every_row

ROOT = Path(__file__).parents[2]
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def _yaml(*place: str | Path) -> Any:
    return yaml.safe_load(ROOT.joinpath(*place).read_text("utf-8"))


def _runs(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_workflow_makes_what_we_make() -> None:
    jobs = _yaml(".github", "workflows", "ci.yml")["jobs"]
    words = {word for run in _runs(jobs["linux"]) for word in run.split()[1:2]}
    ours = (ROOT / ".ci" / "run").read_text("utf-8")
    assert words == {*re.findall(r"^make ([a-z-]+)", ours, re.M)} > {"test", "test-engines"}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert all(re.search(rf"^{target}:", makefile, re.M) for target in words)
    *_, unit = _runs(jobs["elsewhere"])
    assert unit.removeprefix("python ") in makefile
    assert f">={jobs['linux']['strategy']['matrix']['python'][0]}" == PROJECT["requires-python"]


def test_actions_are_pinned_to_a_major_version() -> None:
    workflows = (ROOT / ".github" / "workflows").glob("*.yml")
    jobs = [job for each in workflows for job in _yaml(each)["jobs"].values()]
    used = [step["uses"] for job in jobs for step in job["steps"] if "uses" in step]
    assert len(jobs) > 2
    assert [action for action in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", action)] == []


def test_each_hook_runs_a_tool_of_this_project() -> None:
    (own,) = _yaml(".pre-commit-config.yaml")["repos"]
    tools = {hook["id"]: hook["entry"].split()[0] for hook in own["hooks"]}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert all(f"$(BIN)/{tool}" in makefile for tool in tools.values())


def test_the_hook_for_authors_is_our_own() -> None:
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    (config,) = re.findall(r"^```yaml\n(repos:.*?)^```", page, re.M | re.S)
    (theirs,) = yaml.safe_load(config)["repos"][0]["hooks"]
    (own,) = _yaml(".pre-commit-config.yaml")["repos"]
    assert theirs in own["hooks"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    assert kg(tmp_path, "init", "demo").returncode == 0
    return tmp_path / "demo"


def test_hooks_for_other_repositories_run(corpus: Path) -> None:
    hooks = _yaml(".pre-commit-hooks.yaml")
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    assert re.findall(r"- id: ([\w-]+)", page) == [hook["id"] for hook in hooks]
    for hook in hooks:
        program, *words = hook["entry"].split()
        assert program == "kg"
        assert kg(corpus, *words).returncode == 0, hook["id"]
        assert re.search(hook["files"], "notes/naps-help-memory.md")
        assert not re.search(hook["files"], "src/main.py")


@pytest.mark.integration
def test_the_workflow_to_copy_runs(corpus: Path) -> None:
    page = (ROOT / "docs" / "ci.md").read_text("utf-8")
    (workflow,) = re.findall(r"^```yaml\n(.*?)^```", page, re.M | re.S)
    job = yaml.safe_load(workflow)["jobs"]["check"]
    install, *commands = _runs(job)
    assert install == f"pip install {PROJECT['name']}"
    for command in commands:
        program, *words = command.split()
        assert program == "kg"
        assert kg(corpus, *words).returncode == 0, command
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert used
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in used)
    assert (corpus / job["steps"][-1]["with"]["path"] / "index.html").exists()


@every_row("form", FORMS)
def test_a_form_asks_for_something(form: Path) -> None:
    data = yaml.safe_load(form.read_text("utf-8"))
    if form.stem != "config":
        assert data.keys() >= {"name", "description", "body"}
        ids = [field["id"] for field in data["body"] if field["type"] != "markdown"]
        assert ids
        assert len(ids) == len(set(ids))
        assert any(field.get("validations", {}).get("required") for field in data["body"])
