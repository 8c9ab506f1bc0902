"""`kg sparql`"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli.sparql import command
from kg.corpus import UnknownId
from kg.views.sparql import BadQuery, kept_queries


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    folder.joinpath("a.md").write_text(
        "---\ntype: claim\ntopics: [rest]\n---\n# Naps \x1b[31mhelp\n"
    )
    folder.joinpath("b.md").write_text("---\ntype: evidence\n---\n# Seen\n\n- supports:: [[a]]\n")
    return folder


def _run(notes: Path, *arguments: str, **more: str) -> Result:
    return CliRunner().invoke(
        command, [*arguments, "--notes", str(notes)], catch_exceptions=False, **more
    )


def test_help_lists_every_kept_query() -> None:
    text = CliRunner().invoke(command, ["--help"]).output
    assert all(query.name in text for query in kept_queries())


def test_a_kept_query_runs_by_name_and_leaves_its_store_under_build(notes: Path) -> None:
    result = _run(notes, "reasons", "--id", "statement=a")
    assert "statements/b" in result.output
    assert "1 rows" in result.output
    assert (notes.parent / "build" / "store").is_dir()


def test_a_query_may_be_text_a_file_or_piped_in(notes: Path, tmp_path: Path) -> None:
    query = "SELECT ?t { ?s kg:topic ?topic ; dcterms:title ?t }"
    tmp_path.joinpath("own.rq").write_text(query)
    answers = [
        _run(notes, query, "--text", "topic=rest", "--format", "json"),
        _run(notes, str(tmp_path / "own.rq"), "--text", "?topic=rest", "--format", "json"),
        _run(notes, "-", "--text", "topic=rest", "--format", "json", input=query),
    ]
    assert len({answer.output for answer in answers}) == 1
    (row,) = json.loads(answers[0].output)["results"]["bindings"]
    assert row["t"]["value"] == "Naps \x1b[31mhelp"


def test_escape_codes_do_not_reach_the_terminal(notes: Path) -> None:
    assert "\x1b" not in _run(notes, "SELECT ?t { ?s a kg:Claim ; dcterms:title ?t }").output


def test_graphs_come_as_turtle(notes: Path) -> None:
    output = _run(notes, "around", "--id", "statement=a", "--format", "graph").output
    assert "kg:supports" in output


def test_misuse_is_told_in_words(notes: Path) -> None:
    assert "VAR=VALUE" in _run(notes, "reasons", "--id", "a").output
    with pytest.raises(BadQuery):
        _run(notes, "SELECT { nonsense }")
    with pytest.raises(UnknownId, match="no query or file 'no-such-query'"):
        _run(notes, "no-such-query")
