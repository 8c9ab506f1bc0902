"""The format in a page: what it teaches holds, and it is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from kg.checks import check
from kg.cli import main
from kg.loader import load_corpus
from kg.model import Relation
from kg.notes.frontmatter.format_description import format_guide
from kg.notes.frontmatter.note_fields import NOTE_TYPES
from tests.support.corpora import corpus_of_notes

MOST_TOKENS = 1500  # at four characters each


def _guide(folder: Path) -> str:
    result = CliRunner().invoke(main, ["help", "schema", "--for-agents", "--notes", str(folder)])
    assert result.exit_code == 0
    return result.output


def test_the_guide_is_short_and_names_all_types_relations_and_camps() -> None:
    guide = _guide(Path(__file__).parents[3] / "notes")
    assert len(guide) / 4 < MOST_TOKENS
    for word in (*NOTE_TYPES, *Relation, "optimist", "experiment"):
        assert word in guide, word


def test_the_guide_is_printed_without_a_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (["help", "schema", "--for-agents"], ["help", "schema"]):
        result = CliRunner().invoke(main, command)
        assert result.exit_code == 0
        assert "counter-claim" in result.output


def test_dead_links_are_warnings_and_unknown_targets_errors_as_the_guide_says() -> None:
    text = (
        "---\ntype: claim\nopen: not yet\n---\n# A\n\nSee [[x]]. [@y]\n\n- supports:: [[z]] — so\n"
    )
    values = {each.rule: each.severity.value for each in check(corpus_of_notes(a=text))}
    assert values["dead-link"] == "warning"
    assert values["unknown-target"] == values["unknown-citation"] == "error"


def test_the_example_in_the_guide_passes_every_check(tmp_path: Path) -> None:
    """The notes as they are printed, written where it says."""
    (tmp_path / "notes").mkdir()
    matches = re.findall(
        r"^(\S+\.(?:md|bib)):\n```\n(.*?)```", _guide(tmp_path / "notes"), re.M | re.S
    )
    assert len(matches) == 3
    for path, text in matches:
        place = tmp_path / "notes" / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    corpus = load_corpus(tmp_path / "notes")
    assert check(corpus) == []
    assert {"naps-help-memory", "naps-help-memory#recall", "rest-is-enough"} <= set(
        corpus.statements
    )
    result = CliRunner().invoke(main, ["check", "--strict", "--notes", str(tmp_path / "notes")])
    assert result.exit_code == 0


def test_camps_and_methods_are_those_of_the_corpus() -> None:
    guide = format_guide(("fox", "hen"), ("tea-leaves",))
    assert ", camp (fox, hen)." in guide
    assert "method (tea-leaves)" in guide
    assert ", camp (" not in format_guide((), ("tea-leaves",))
