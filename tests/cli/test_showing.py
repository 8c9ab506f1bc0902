"""Commands that explain: search, why, compare, timeline, show, as a stranger meets them."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from kg.cli import run
from kg.cli.shared.output import CLEAR_LINE
from kg.files.cache_files import state_folder
from kg.loader import load_corpus
from kg.rdf.quad_store import as_store
from tests.support.served import serve_store

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\n---\n\n# Talk grounds \x1b[31m\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\n---\n\n# It does not\n\n"
    "- contradicts:: [[a]] — so ^so\n- supports:: [[c]]\n",
    "c": "---\ntype: claim\n---\n\n# Third\n\nWords on grounding.\n",
    "d": "---\ntype: claim\n---\n\n# Fourth\n\n- undercuts:: [[a#^tried]]\n- supports:: [[c]]\n",
    "line": "---\ntype: line\n---\n\n# So?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n",
}


def printed_text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with suppress(SystemExit):
        run(list(arguments))
    printed = capsys.readouterr()
    assert "\x1b[31m" not in printed.out
    return printed.out


def _state_dir(notes: Path) -> Path:
    folder = state_folder(notes)
    assert folder is not None
    return folder


def test_search_finds_word_beginnings_and_refuses_a_query_without_a_word(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed_text(capsys, "search", "ground*", "--format", "ids").split() == ["a", "c"]
    assert (
        printed_text(capsys, "search", "early", "--of", "sources", "--format", "ids") == "early\n"
    )
    data = json.loads(printed_text(capsys, "search", "words", "--format", "json"))
    assert [(hit["id"], hit["text"]) for hit in data] == [("c", "Words on grounding.")]
    assert (_state_dir(notes) / "text").is_file()
    with pytest.raises(SystemExit):
        run(["search", "--", "-"])
    assert "no word to search for" in capsys.readouterr().err


def test_typos_are_mended_and_said(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with suppress(SystemExit):
        run(["search", "groundig", "--format", "ids"])
    printed = capsys.readouterr()
    assert printed.out == "c\na\n"
    assert printed.err == "'groundig' not found; searching for 'grounding'\n"


def test_in_a_narrow_terminal_names_stand_below_what_is_said(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.cli.shared.output.FEWEST_TABLE_COLUMNS", 1_000)
    lines = printed_text(capsys, "why", "c").splitlines()
    assert lines[:2] == ["Third", "  c"]
    assert [line for line in lines if "Fourth" in line] == ["└── + supports Fourth"]
    assert lines[-1] == "      d"


def test_reasons_keep_their_indent(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "---\ntype: claim\n---\n\n# Fifth\n\n- supports:: [[c]] — " + "so " * 80 + "\n"
    (notes / "e.md").write_text(text, "utf-8")
    lines = [line for line in printed_text(capsys, "why", "c").splitlines() if line.endswith("so")]
    assert len(lines) > 1
    assert {line.partition("so")[0] for line in lines} == {"      "}


def test_show_names_what_is_one_statement_with_it(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "e.md").write_text("---\ntype: claim\n---\n\n# 3rd\n\n- same-as:: [[c]]\n", "utf-8")
    assert "One statement with e: what bears on any counts." in printed_text(capsys, "show", "c")
    assert "One statement" not in printed_text(capsys, "show", "d")


def test_show_says_the_words_of_a_vault_as_they_stand_there(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "kg.toml").write_text("map.links = true\n", "utf-8")
    text = "---\ntype: claim\n---\n# Rest helps\n\nSo [[@doe2020]].\n\n- [[c]] — as [[@doe2020]]\n"
    (notes / "resting.md").write_text(text, "utf-8")
    message = " ".join(printed_text(capsys, "show", "resting").split())
    assert "So [[@doe2020]]." in message
    assert "as [[@doe2020]]" in message


def test_compare_shows_what_two_statements_share(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = printed_text(capsys, "compare", "b", "d")
    assert "Both are reasons for" in text
    assert "Third" in text
    assert json.loads(printed_text(capsys, "compare", "a", "b", "--format", "json"))["lines"] == [
        {"line": "line", "first": "optimist", "second": "skeptic"}
    ]


def test_compare_tells_a_terminal_how_far_it_is(
    notes: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with suppress(SystemExit):
        run(["compare", str(notes), str(notes)])
    steps = capsys.readouterr().err.split(CLEAR_LINE)
    assert steps == ["", "reading folder 1", "reading folder 2", "comparing statements: 10", ""]


def test_an_endpoint_is_asked_instead_of_notes(
    notes: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = as_store(load_corpus(notes))
    monkeypatch.chdir(tmp_path.parent)
    with serve_store(store) as url:
        for command in (
            ("find", "--contradicts", "a", "--endpoint", url),
            ("find", "contradicts:a", "--endpoint", url),
        ):
            assert printed_text(capsys, *command, "--format", "ids") == "b\n"
            assert "It does not" in printed_text(capsys, *command, "--edges")


def test_why_with_to_prints_a_path_or_ends_with_2(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "so" in printed_text(capsys, "why", "b", "--to", "a")
    with pytest.raises(SystemExit) as stop:
        run(["why", "a#tried", "--to", "early"])
    assert stop.value.code == 2


def test_what_changed_since_a_review_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    old = NOTES["a"].replace("type: claim", "type: claim\nreviewed: 2026-01-01")
    new = NOTES["b"].replace("type: claim", "type: claim\nupdated: 2026-02-01")
    for name, text in (("a", old), ("b", new)):
        (tmp_path / "notes" / f"{name}.md").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert "Changed since its review on 2026-01-01: b\n" in printed_text(capsys, "show", "a")
    assert "Changed since" not in printed_text(capsys, "show", "b")


@pytest.mark.parametrize("words", [["a", "--ladder"], ["--quality"]], ids=" ".join)
def test_how_something_is_graded_is_asked_of_evidence_and_the_ladder_of_nothing(
    words: list[str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(["show", *words])
    assert end.value.code == 2
    assert "name a piece of evidence, or ask for the --ladder" in capsys.readouterr().err
    assert "experiment" in printed_text(capsys, "show", "--ladder")
    assert "experiment" in printed_text(capsys, "show", "a#tried", "--quality")


def test_a_note_that_cannot_be_read_is_shown_as_that(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "bad.md").write_text("---\ntype: claim\n: [\n---\n\n# Bad\n", "utf-8")
    with pytest.raises(SystemExit):
        run(["show", "bad"])
    assert "bad.md:3:1: the note cannot be read" in capsys.readouterr().err


def test_a_preprint_is_shown_with_its_number(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = "@misc{doe, title={T}, author={Doe, A}, eprint={2401.00001}, archiveprefix={arXiv}}"
    (notes / "more.bib").write_text(entry, "utf-8")
    assert "2401.00001" in printed_text(capsys, "show", "doe")
