"""`kg check` of some files, of a text that is not saved, and again and again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.checks.problems_as_text import FIRST_ALIKE, MAX_ALIKE
from kg.notes.note_listing import MAX_NOTE_BYTES
from tests.cli.conftest import SLEEP_HELPS
from tests.support.command import status

NOTES = {"sleep": SLEEP_HELPS}
BOOKS = ""
BROKEN = SLEEP_HELPS.replace("# Sleep helps", "# Naps help").replace("^seen", "^seen\n> [@nobody]")


def test_notes_are_checked_again_when_they_change_and_broken_settings_are_reported(
    notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def edit_twice(
        find: Callable[[], list[str]], react: Callable[[set[str]], None], _: object
    ) -> None:
        assert [Path(file).name for file in find()][:1] == ["sleep.md"]
        (notes / "sleep.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
        react({"sleep.md"})
        (notes.parent / "kg.toml").write_text("name = ", "utf-8")
        react({"kg.toml"})
        raise KeyboardInterrupt

    monkeypatch.setattr("kg.serve.watch_and_serve.watch_files", edit_twice)
    assert status("check", "--watch") == 0
    output = capsys.readouterr()
    assert "1 warning in 2 statements" in output.out
    assert "there is no type of note `clam`" in output.out
    assert output.err.splitlines()[:2] == ["watching; Ctrl-C to stop", "checking"]
    assert "not valid TOML" in output.err


@pytest.fixture
def two_notes(notes: Path) -> Path:
    (notes / "naps.md").write_text(BROKEN, "utf-8")
    (notes / "rest.md").write_text(BROKEN.replace("Naps help", "Rest helps"), "utf-8")
    return notes


@pytest.mark.parametrize(
    ("files", "messages"),
    [
        (["notes/naps.md"], {"naps.md"}),
        (["naps.md"], {"naps.md"}),
        (["notes/naps.md", "notes/sleep.md"], {"naps.md"}),
        (["notes/sleep.md"], set()),
        (["notes"], {"naps.md", "rest.md"}),
        ([], {"naps.md", "rest.md"}),
    ],
)
def test_files_are_checked_in_the_corpus_they_stand_in(
    files: list[str], messages: set[str], two_notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--format", "json", "--rule", "unknown-citation", *files) == bool(
        messages
    )
    data = json.loads(capsys.readouterr().out)
    assert {Path(each["path"]).name for each in data} == messages


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["gone.md"], "there is no file `gone.md`"),
        (["../gone.md"], "`../gone.md` is not a file of the corpus in `notes`"),
        (["notes/sleep.md", "--as", "notes/sleep.md"], "--as goes with `-`"),
        (["-", "--as", "notes/sleep.txt"], "`sleep.txt` is not a note"),
        (["-", "notes/sleep.md"], "`-` cannot be combined with"),
        (["-", "--watch"], "`-` cannot be combined with"),
    ],
)
def test_a_file_that_cannot_be_checked_is_misuse(
    arguments: list[str], text: str, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", *arguments) == 2
    assert text in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "messages"), [("notes/sleep.md", ["sleep.md"]), (None, ["new-note.md"])]
)
def test_a_text_is_checked_as_if_it_stood_in_the_corpus(
    place: str | None,
    messages: list[str],
    two_notes: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = (two_notes / "sleep.md").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    arguments = ["--as", place] if place else []
    assert status("check", "-", "--rule", "unknown-citation", *arguments) == 1
    output = capsys.readouterr().out
    assert [
        Path(line.partition(":")[0]).name for line in output.splitlines() if "[unk" in line
    ] == (messages)
    assert "  8 | > [@nobody]\n" in output
    assert (two_notes / "sleep.md").read_bytes() == before


def test_what_the_text_leaves_without_an_end_is_reported_of_the_text(
    two_notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = SLEEP_HELPS.replace("type: claim", "type: claim\nid: naps")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(twin.encode())))
    assert status("check", "-", "--rule", "duplicate-id", "--format", "lines") == 1
    assert "`naps`" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1),
        (["--rule", "unknown-key"], 0),
        (["--rule", "unknown-key", "--strict"], 1),
        (["--rule", "self-edge", "--strict"], 0),
        (["--rule", "unknown-citation"], 1),
        (["kg.toml", "--rule", "unknown-citation"], 1),
    ],
)
def test_errors_fail_and_warnings_where_that_is_wanted(
    arguments: list[str], code: int, two_notes: Path
) -> None:
    (two_notes.parent / "kg.toml").touch()
    (two_notes / "odd.md").write_text(SLEEP_HELPS.replace("claim", "claim\ncolour: red"), "utf-8")
    assert status("check", *arguments) == code


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        ([], FIRST_ALIKE),
        (["--rule", "unknown-citation"], MAX_ALIKE + 1),
        (["notes/naps.md"], MAX_ALIKE + 1),
    ],
)
def test_many_problems_of_a_rule_are_all_shown_where_a_rule_or_a_file_is_named(
    arguments: list[str], count: int, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    citations = "\n".join(f"[@nobody{number}]" for number in range(MAX_ALIKE + 1))
    (notes / "naps.md").write_text(f"{SLEEP_HELPS}\n{citations}\n", "utf-8")
    assert status("check", *arguments) == 1
    printed = capsys.readouterr().out
    assert printed.count("error[unknown-citation]") == count
    assert ("more of unknown-citation" in printed) is (count == FIRST_ALIKE)


@pytest.mark.parametrize("size", [MAX_NOTE_BYTES, MAX_NOTE_BYTES + 1])
def test_a_text_is_no_longer_than_a_note(
    size: int, notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SLEEP_HELPS.encode().ljust(size, b"\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    is_too_long = size > MAX_NOTE_BYTES
    assert status("check", "-", "--rule", "self-edge") == (2 if is_too_long else 0)
    assert ("a note holds at most" in capsys.readouterr().err) is is_too_long


@pytest.mark.parametrize("place", ["a.md", "a.bib", "kg.toml"])
def test_what_is_not_saved_may_be_any_file_of_a_corpus(
    place: str, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert status("check", "-", "--as", place, "--rule", "self-edge") == 0


@pytest.mark.parametrize(
    "words", [["--watch"], ["--shacl"], ["--format", "json"], ["-"]], ids=" ".join
)
def test_fixing_goes_with_nothing_that_changes_no_file(
    words: list[str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--fix", *words) == 2
    assert "--fix changes files, and prints text only" in capsys.readouterr().err


def test_an_unknown_rule_is_an_error_with_what_may_be_meant(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--rule", "self-egde") == 2
    assert "did you mean self-edge?" in capsys.readouterr().err
    assert status("check", "--rule", "zzzzzz") == 2
    assert "see `kg help rules`" in capsys.readouterr().err


def test_check_fails_on_errors_and_strictly_on_warnings(notes: Path) -> None:
    (notes / "open.md").write_text("---\ntype: claim\n---\n\n# Nothing supports this\n", "utf-8")
    assert status("check") == 0
    assert status("check", "--strict") == 1
    (notes / "wrong.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
    assert status("check") == 1
    assert status("check", "--rule", "self-edge") == 0


def test_github_annotations_name_file_and_line(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "wrong.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
    status("check", "--format", "github")
    assert (
        "::error file=notes/wrong.md,line=2,col=7,title=missing-type::" in capsys.readouterr().out
    )


def test_problems_are_printed_one_a_line_for_editors(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "wrong.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
    assert status("check", "--format", "lines") == 1
    *lines, summary = capsys.readouterr().out.splitlines()
    message = "error: there is no type of note `clam`; did you mean `claim`? [missing-type]"
    assert f"notes/wrong.md:2:7: {message}" in lines
    assert summary.startswith("1 error")


def test_problems_are_written_as_sarif(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (notes / "a wrong one.md").write_text("---\ntype: clam\n---\n\n# A clam\n", "utf-8")
    status("check", "--format", "sarif")
    log = json.loads(capsys.readouterr().out)
    assert log["version"] == "2.1.0"
    run = log["runs"][0]
    (problem,) = [each for each in run["results"] if each["level"] == "error"]
    assert problem["ruleId"] in [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    place = problem["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "notes/a%20wrong%20one.md"
    assert place["region"] == {"startLine": 2, "startColumn": 7}
    assert (problem["level"], problem["ruleId"]) == ("error", "missing-type")


def test_an_empty_folder_says_how_to_begin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert status("check", "--notes", str(tmp_path / "empty")) == 0
    assert "kg new claim" in capsys.readouterr().out


def test_very_many_problems_of_one_kind_are_counted(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(25):
        (notes / f"n{number}.md").write_text("Text.\n", "utf-8")
    assert status("check") == 1
    output = capsys.readouterr().out
    assert output.count("[missing-type]") == 3
    assert "22 more of missing-type: `kg check --rule missing-type` lists them" in output
    assert status("check", "--rule", "missing-type") == 1
    assert capsys.readouterr().out.count("[missing-type]") == 25
    assert status("build") == 0
    assert "25 notes left out: 25 without a type" in capsys.readouterr().err
    for number in range(20, 25):
        (notes / f"n{number}.md").unlink()
    assert status("check") == 1
    assert capsys.readouterr().out.count("[missing-type]") == 20


ODD_KEY = SLEEP_HELPS.replace("type: claim", "type: claim\ncraeted: 2026-01-01")
ODD_RELATION = f"{SLEEP_HELPS}\n- suports:: [[sleep]] — so\n"
WHOLE_KEY = ODD_KEY.replace("craeted", "created")
WHOLE_RELATION = ODD_RELATION.replace("suports", "supports")


@pytest.mark.parametrize(
    ("words", "naps", "rest"),
    [
        (["--dry-run"], ODD_KEY, ODD_RELATION),
        (["--rule", "unknown-key"], WHOLE_KEY, ODD_RELATION),
        (["notes/naps.md"], WHOLE_KEY, ODD_RELATION),
        ([], WHOLE_KEY, WHOLE_RELATION),
    ],
)
def test_check_fix_mends_only_the_chosen_rules_and_notes(
    words: list[str], naps: str, rest: str, notes: Path
) -> None:
    (notes / "naps.md").write_text(ODD_KEY, "utf-8")
    (notes / "rest.md").write_text(ODD_RELATION, "utf-8")
    assert status("check", "--fix", *words) == 0
    assert (notes / "naps.md").read_text("utf-8") == naps
    assert (notes / "rest.md").read_text("utf-8") == rest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--dry-run"], "\n-- suports:: [[sleep]] — so\n+- supports:: [[sleep]] — so\n"),
        ([], "\nnotes/rest.md:10:3: Write `supports` for `suports`\n"),
    ],
)
def test_what_would_be_mended_is_shown_and_what_was_is_listed(
    words: list[str], message: str, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "rest.md").write_text(ODD_RELATION, "utf-8")
    status("check", "--fix", *words)
    assert message in capsys.readouterr().out


def test_a_message_says_that_nothing_can_be_mended(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--fix", "--rule", "unknown-relation") == 0
    assert capsys.readouterr().out.startswith("no problem has a fix\n")


def test_a_fix_is_shown_and_not_made_with_fix_alone(notes: Path) -> None:
    assert status("check", "--dry-run") == 2
