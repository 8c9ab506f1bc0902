"""The names of commands: their help pages, and what is written of them.

Of `kg/cli/help.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from kg.cli import COMMAND_SYNONYMS, COMMANDS, SECTIONS, main
from kg.cli.help import help_command
from tests.support.command import kg
from tests.support.every_row import every_row
from tests.support.golden import write_golden_notes

ROOT = Path(__file__).parents[2]
HISTORY = ("CHANGELOG.md", "docs/decisions/*")  # they tell how things were
WRITTEN = (
    "*.md",
    "Makefile",
    ".github/**/*",
    "bench/*",
    "tests/specs/**/*",
    "docs/**/*",
    "kg/**/*",
    "ontology/**/*",
    "site/**/*",
    "notes/**/*",
)


def pages(command: click.Command, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """Each command below this one, with what is typed for it."""
    yield context.command_path, command
    if isinstance(command, click.Group):
        names = command.commands or [name for name, *_ in COMMANDS]
        for name in names:
            below = command.get_command(context, name)
            assert below is not None
            yield from pages(below, click.Context(below, parent=context, info_name=name))


PAGES = dict(pages(main, click.Context(main, info_name="kg")))


@every_row("path", PAGES)
def test_help_has_examples_and_fits_eighty_columns(path: str, tmp_path: Path) -> None:
    printed = kg(tmp_path, *path.split()[1:], "--help", COLUMNS="80").stdout
    assert [line for line in printed.splitlines() if len(line) > 80] == []
    assert re.search(r"Examples?:\n|First steps|Add to your shell", printed)
    options = [each for each in PAGES[path].params if isinstance(each, click.Option)]
    assert [each.name for each in options if not (each.help or each.hidden)] == []


def test_examples_call_commands_that_there_are() -> None:
    count = 0
    for path, command in PAGES.items():
        examples = re.findall(r"^  (?:\w+=\S+ )?kg (.*)", command.epilog or "", re.MULTILINE)
        count += len(examples)
        for example in examples:
            assert example.split()[0] in [name for name, *_ in COMMANDS], path
    assert count > 30


def test_help_shows_the_help_of_a_command(tmp_path: Path) -> None:
    assert kg(tmp_path, "help").stdout == kg(tmp_path, "--help").stdout
    assert kg(tmp_path, "help", "find").stdout == kg(tmp_path, "find", "--help").stdout
    ended = kg(tmp_path, "help", "rule")
    assert (ended.returncode, "`kg help rules`" in ended.stderr) == (2, True)
    assert {first for _, first in SECTIONS} <= {name for name, *_ in COMMANDS}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("corpus")
    write_golden_notes(place)
    return place


def test_nothing_written_names_a_command_that_there_is_not() -> None:
    names = []
    tried_text = "|".join(COMMAND_SYNONYMS)
    for file in sorted({file for glob in WRITTEN for file in ROOT.glob(glob)}):
        if not file.is_file() or any(file.relative_to(ROOT).match(each) for each in HISTORY):
            continue
        text = file.read_bytes().decode("utf-8", "replace")
        if matches := re.findall(rf"\bkg (?:{tried_text})(?![\w.-])", text):
            names.append((file.relative_to(ROOT).as_posix(), matches))
    assert names == []


@every_row(
    ("words", "begun", "expected"),
    [
        (["ver"], "ver", "verdict"),
        (["help"], "ru", "rules"),
        (["help"], "cru", "crux"),
        (["help", "rules"], "self", "self-edge"),
        (["check", "--rule"], "self", "self-edge"),
        (["verdict", "--case"], "wak", "wakers"),
        (["whatif", "--falls"], "doe", "doe2019"),
        (["why"], "should", "should-one-nap"),
        (["why", "circle-a", "--to"], "short-naps-help", "short-naps-help"),
        (["compare"], "should", "should-one-nap"),
        (["show"], "--lad", "--ladder"),
        (["find"], "camp:wak", "camp:wakers"),
    ],
)
def test_what_is_begun_is_completed(
    words: list[str],
    begun: str,
    expected: str,
    corpus: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(corpus)
    typed = [word for word in words if word != begun]
    completions = ShellComplete(main, {}, "kg", "_KG_COMPLETE").get_completions(typed, begun)
    assert expected in [each.value for each in completions]
    assert capsys.readouterr().err == ""


def test_topics_stand_on_the_page_of_help(tmp_path: Path) -> None:
    printed = kg(tmp_path, "help", "--help").stdout
    assert re.findall(r"^  (\w+)  ", printed, re.MULTILINE) == [*help_command.commands]
