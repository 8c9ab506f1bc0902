"""`kg show` as a stranger meets it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from kg.cli import run
from tests.support.every_row import every_row

NOTES = {
    "a": "---\ntype: claim\ncamp: optimist\n---\n\n# Talk grounds \x1b[31m\n\n"
    "> [!evidence] It was tried ^tried\n> [@early] (method:: experiment) (sample:: 120)\n",
    "b": "---\ntype: claim\ncamp: skeptic\n---\n\n# It does not\n\n"
    "- contradicts:: [[a]] — so ^so\n- supports:: [[c]]\n",
    "c": "---\ntype: claim\n---\n\n# Third\n\nWords on grounding.\n",
    "d": "---\ntype: claim\n---\n\n# Fourth\n\n- undercuts:: [[a#^tried]]\n- supports:: [[c]]\n",
    "line": "---\ntype: line\n---\n\n# So?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n",
}


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with suppress(SystemExit):
        run(list(arguments))
    printed = capsys.readouterr()
    assert "\x1b[31m" not in printed.out
    return printed.out


def test_show_names_what_is_one_statement_with_it(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "e.md").write_text("---\ntype: claim\n---\n\n# 3rd\n\n- same-as:: [[c]]\n", "utf-8")
    assert "One statement with e: what bears on any counts." in output(capsys, "show", "c")
    assert "One statement" not in output(capsys, "show", "d")


def test_show_says_the_words_of_a_vault_as_they_stand_there(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "kg.toml").write_text("map.links = true\n", "utf-8")
    text = "---\ntype: claim\n---\n# Rest helps\n\nSo [[@doe2020]].\n\n- [[c]] — as [[@doe2020]]\n"
    (notes / "resting.md").write_text(text, "utf-8")
    message = " ".join(output(capsys, "show", "resting").split())
    assert "So [[@doe2020]]." in message
    assert "as [[@doe2020]]" in message


def test_what_changed_since_a_review_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes").mkdir()
    old = NOTES["a"].replace("type: claim", "type: claim\nreviewed: 2026-01-01")
    new = NOTES["b"].replace("type: claim", "type: claim\nupdated: 2026-02-01")
    for name, text in (("a", old), ("b", new)):
        (tmp_path / "notes" / f"{name}.md").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert "Changed since its review on 2026-01-01: b\n" in output(capsys, "show", "a")
    assert "Changed since" not in output(capsys, "show", "b")


@pytest.mark.parametrize("words", [["a", "--ladder"], ["--quality"]], ids=" ".join)
def test_how_something_is_graded_is_asked_of_evidence_and_the_ladder_of_nothing(
    words: list[str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        run(["show", *words])
    assert end.value.code == 2
    assert "name a piece of evidence, or ask for the --ladder" in capsys.readouterr().err
    assert "experiment" in output(capsys, "show", "--ladder")
    assert "experiment" in output(capsys, "show", "a#tried", "--quality")


@every_row(
    ("head", "total"),
    [
        ("preregistered: true\npeer_reviewed: true", "in all 4.50 of 5 points, base"),
        ("preregistered: true\nreplications: 1", "in all 4.75 of 5 points, base"),
        (
            "preregistered: true\npeer_reviewed: true\nreplications: 1",
            "in all 5.00 of 5 points, kept within bounds, base strength 0.95",
        ),
    ],
)
def test_points_above_the_highest_are_said_to_be_kept_within_bounds(
    head: str, total: str, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"---\ntype: evidence\nmethod: meta-analysis\n{head}\n---\n\n# Seen\n"
    (notes / "seen.md").write_text(text, "utf-8")
    assert total in output(capsys, "show", "seen", "--quality")


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
    address = "@misc{roe, title={T}, url={https://arxiv.org/abs/2401.00002}}"
    (notes / "more.bib").write_text(f"{entry}\n{address}", "utf-8")
    assert "arXiv:2401.00001" in output(capsys, "show", "doe")
    assert output(capsys, "show", "roe").count("2401.00002") == 1, "the address has it"
