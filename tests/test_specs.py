"""The spec pages, run: every command in them prints what the page says.

Each rule of checks has a page, in `tests/specs/checks`, with what it finds and what it lets pass.

Of `kg/checks/rules/argument.py`, `kg/checks/rules/dates.py`,
`kg/checks/rules/differing_figures.py`, `kg/checks/rules/files_and_formulas.py`,
`kg/checks/rules/identity.py`, `kg/checks/rules/links.py`, `kg/checks/rules/parsing_rules.py`,
`kg/checks/rules/sources.py` and `kg/checks/rules/wording.py`, too.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path

import pytest

from kg.cli import run
from tests.support.scenes import SPECS, Scene, find_scenes, rewrite_page

MANUAL = tuple(
    SPECS.parents[1] / "docs" / f"{page}.md" for page in ("changing-notes", "judgements")
)


def _transcript(console: str) -> str:
    parts = []
    for command in re.findall(r"^\$ (.+)$", console, re.M):
        words = shlex.split(command)
        assert words[0] == "kg", f"a console runs `kg`, not {words[0]!r}"
        parts.append(f"$ {command}\n{_output(words[1:])}")
    return "".join(parts)


def _output(arguments: list[str]) -> str:
    stream = io.StringIO()
    status: object = 0
    with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        try:
            run(arguments)
        except SystemExit as stop:
            status = stop.code or 0
    text = "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())
    return text if status == 0 else f"{text}exit status {status}\n"


@pytest.mark.parametrize(
    "scene",
    list(find_scenes((*sorted(SPECS.rglob("*.md")), *MANUAL))),
    ids=lambda scene: f"{scene.page.parent.name}/{scene.page.stem}: {scene.title}",
)
def test_commands_print_what_the_page_shows(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / "notes").mkdir()
    for name, text in scene.files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    for console in scene.consoles:
        printed = _transcript(console)
        if os.environ.get("UPDATE_SPECS") and printed != console:
            old, new = (f"```console\n{each}```" for each in (console, printed))
            rewrite_page(scene.page, old, new, heading=scene.title)
        else:
            assert printed == console, (
                f"{scene.page.name} shows something else: if what is printed now is right, "
                "UPDATE_SPECS=1 pytest -n 0 tests/test_specs.py writes it into the page"
            )


def test_a_page_is_written_by_one_process_whole_and_only_where_it_holds_what_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# a\nold\n# b\nold\n", "utf-8")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    with pytest.raises(AssertionError, match="by one process"):
        rewrite_page(page, "old", "new")
    monkeypatch.delenv("PYTEST_XDIST_WORKER")
    with pytest.raises(AssertionError, match="no longer holds"):
        rewrite_page(page, "lost", "new")
    rewrite_page(page, "old", "new", heading="b")
    assert page.read_text("utf-8") == "# a\nold\n# b\nnew\n"
    assert [*tmp_path.iterdir()] == [page]
