"""The format in a page: what it teaches holds, and it is short."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from kg.checks import check
from kg.cli import main
from kg.loader import load_corpus
from kg.model import Relation
from kg.notes.frontmatter.note_fields import NOTE_TYPES

MOST_TOKENS = 1500  # at four characters each


def _guide(folder: Path) -> str:
    done = CliRunner().invoke(main, ["help", "schema", "--for-agents", "--notes", str(folder)])
    assert done.exit_code == 0
    return done.output


def test_it_is_short_and_names_what_there_is() -> None:
    guide = _guide(Path(__file__).parents[3] / "notes")
    assert len(guide) / 4 < MOST_TOKENS
    for word in (*NOTE_TYPES, *Relation, "optimist", "experiment"):
        assert word in guide, word


def test_its_example_keeps_each_rule(tmp_path: Path) -> None:
    """The notes as they are printed, written where it says."""
    (tmp_path / "notes").mkdir()
    shown = re.findall(
        r"^(\S+\.(?:md|bib)):\n```\n(.*?)```", _guide(tmp_path / "notes"), re.M | re.S
    )
    assert len(shown) == 3
    for path, text in shown:
        place = tmp_path / "notes" / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    corpus = load_corpus(tmp_path / "notes")
    assert check(corpus) == []
    assert {"naps-help-memory", "naps-help-memory#recall", "rest-is-enough"} <= set(
        corpus.statements
    )
    done = CliRunner().invoke(main, ["check", "--strict", "--notes", str(tmp_path / "notes")])
    assert done.exit_code == 0
