"""The commands that change notes, as a shell runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.cli.editing import MAX_FILES_SHOWN, MAX_PROBLEMS_SHOWN, describe_files, run_change
from kg.editing.change import Change
from kg.files.read_files import NotesFolder
from tests.support.command import kg
from tests.support.every_row import every_row

NOTES = {
    "a.md": "---\ntype: claim\n---\n\n# A\n\n> [!evidence] Seen ^seen\n> [@x]\n",
    "b.md": "---\ntype: claim\n---\n\n# B\n\n[[a]]\n\n## More\n\n- supports:: [[a]] — so\n",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / name).write_text(text)
    return tmp_path


def note_texts(folder: Path) -> dict[str, str]:
    return {place.name: place.read_text() for place in (folder / "notes").rglob("*.md")}


COMMANDS = (
    ("rename", "a", "z"),
    ("promote", "a#seen", "--id", "z"),
    ("merge", "a", "b"),
    ("split", "b", "--at", "More"),
    ("retire", "a", "--for", "b"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_change_is_shown_made_and_taken_back(folder: Path, words: tuple[str, ...]) -> None:
    result = kg(folder, *words, "--dry-run")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("diff --git a/")
    assert result.stdout.endswith("\nno verdict changes\nnothing was written\n")
    assert note_texts(folder) == NOTES
    outcome = kg(folder, *words, "--format", "json")
    assert outcome.returncode == 0, outcome.stderr
    data = json.loads(outcome.stdout)
    assert data["written"]
    assert result.stdout.startswith(data["diff"])
    assert note_texts(folder) != NOTES
    assert kg(folder, "undo", "--dry-run").stdout.endswith("nothing was written\n")
    assert note_texts(folder) != NOTES
    assert kg(folder, "undo").returncode == 0
    assert note_texts(folder) == NOTES


def test_misuse_ends_with_2_and_writes_nothing(folder: Path) -> None:
    for words in (
        ("rename", "a", "b"),
        ("rename", "zz", "y"),
        ("promote", "a"),
        ("merge", "a", "a"),
        ("split", "b", "--at", "Less"),
        ("retire", "a#seen"),
        ("undo",),
        ("rename", "a", "y", "--notes", "nowhere"),
    ):
        ended = kg(folder, *words)
        assert ended.returncode == 2, words
        assert ended.stderr.startswith("error: "), words
        assert note_texts(folder) == NOTES


def test_what_moves_a_verdict_is_printed(folder: Path) -> None:
    line = "---\ntype: line\nproposition: a\n---\n\n# L?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
    (folder / "notes" / "l.md").write_text(line)
    strong = "> [!evidence] More ^more\n> [@y] (method:: meta-analysis) (sample:: 9000)\n"
    (folder / "notes" / "c.md").write_text(NOTES["a.md"].replace("# A", "# C") + "\n" + strong)
    ended = kg(folder, "merge", "a", "c")
    assert ended.returncode == 2  # both have `^seen`
    assert kg(folder, "rename", "c#seen", "other").returncode == 0
    assert "verdict of l: " in kg(folder, "merge", "a", "c").stdout


def test_notes_are_formatted_where_that_is_not_only_asked(folder: Path) -> None:
    odd = NOTES["b.md"].replace("— so", "-- so ")
    (folder / "notes" / "b.md").write_text(odd)
    result = kg(folder, "fmt", "--check")
    assert (result.returncode, result.stdout) == (1, "would format 1 note:\n  notes/b.md\n")
    for option in ("--diff", "--dry-run"):
        preview = kg(folder, "fmt", option)
        assert preview.returncode == 0
        assert "\n-- supports:: [[a]] -- so \n+- supports:: [[a]] — so\n" in preview.stdout
    assert kg(folder, "fmt", "notes/a.md").stdout == "no note to format\n"
    assert note_texts(folder)["b.md"] == odd
    outcome = kg(folder, "fmt")
    assert (outcome.returncode, outcome.stdout) == (
        0,
        "format 1 note:\n  notes/b.md\nto undo it: kg undo\n",
    )
    assert note_texts(folder) == NOTES
    assert kg(folder, "fmt", "--check").returncode == 0
    assert kg(folder, "undo").returncode == 0
    assert note_texts(folder)["b.md"] == odd


def test_a_draft_moves_no_verdict(folder: Path) -> None:
    line = "---\ntype: line\nproposition: a\n---\n\n# L?\n\n- optimist:: [[a]]\n- skeptic:: [[b]]\n"
    (folder / "notes" / "l.md").write_text(line)
    draft = "> [!evidence] More\n> (method:: meta-analysis) (sample:: 9000)\n"
    text = NOTES["a.md"].replace("type: claim", "type: claim\nstatus: draft") + f"\n{draft}"
    (folder / "notes" / "d.md").write_text(text + "\n- contradicts:: [[a]] — so\n")
    result = kg(folder, "retire", "d", "--for", "b")
    assert "no verdict changes" in result.stdout


def test_a_change_whose_files_were_changed_since_is_skipped(folder: Path) -> None:
    for words in (("retire", "a"), ("retire", "b")):
        assert kg(folder, *words).returncode == 0
    (folder / "notes" / "b.md").write_text(NOTES["b.md"])
    refused = kg(folder, "undo")
    assert refused.returncode != 0
    assert "edited since this change" in refused.stderr
    assert "kg undo --skip" in refused.stderr
    assert kg(folder, "undo", "--skip").stdout.endswith(": retire b\n")
    assert kg(folder, "undo").returncode == 0
    assert note_texts(folder) == NOTES
    assert kg(folder, "undo", "--skip").returncode != 0


def test_a_change_is_not_forgotten_where_that_is_only_asked(folder: Path) -> None:
    assert kg(folder, "retire", "a").returncode == 0
    for option in (["--dry-run"], ["--format", "json"]):
        refused = kg(folder, "undo", "--skip", *option)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert "--skip does not go with" in refused.stderr
    assert kg(folder, "undo").stdout.startswith("undo: retire a")


def test_only_what_changed_something_can_be_undone(folder: Path) -> None:
    changed, unchanged = (kg(folder, "retire", "a").stdout.splitlines()[-1] for _ in range(2))
    assert (changed, unchanged) == ("to undo it: kg undo", "nothing was written")
    assert kg(folder, "undo").stdout.startswith("undo: retire a")
    assert kg(folder, "undo").returncode == 2


def test_a_note_in_two_versions_is_not_renamed(folder: Path) -> None:
    parts = ("<<<<<<< HEAD", "One.", "=======", "Two.", ">>>>>>> x", "")
    (folder / "notes" / "a.md").write_text(NOTES["a.md"] + "\n".join(parts))
    refused = kg(folder, "rename", "a", "z")
    assert refused.returncode == 2
    assert "a.md:9: there is a merge conflict" in refused.stderr


@every_row(
    ("moved", "edited", "count", "end"),
    [
        (1, MAX_FILES_SHOWN - 1, MAX_FILES_SHOWN, ".md"),
        (1, MAX_FILES_SHOWN, MAX_FILES_SHOWN, "\n  and 1 other file"),
        (MAX_FILES_SHOWN + 1, 3, MAX_FILES_SHOWN + 1, "\n  and 3 other files"),
    ],
)
def test_what_moves_and_the_first_files_edited_are_named_and_the_others_counted(
    moved: int, edited: int, count: int, end: str
) -> None:
    moves = {f"m{number}.md": f"n{number}.md" for number in range(moved)}
    paths = [*moves, *moves.values(), *(f"e{number}.md" for number in range(edited))]
    text = describe_files(
        Change("rename", {}, dict.fromkeys(paths, b""), moves), NotesFolder.from_path("notes")
    )
    assert text.count(" → ") == moved
    assert text.count(".md") == moved + count
    assert text.endswith(end)


@every_row(
    ("problems", "end"),
    [(MAX_PROBLEMS_SHOWN, ""), (MAX_PROBLEMS_SHOWN + 1, "and 1 other problem: kg check\n")],
)
def test_the_first_problems_that_a_change_causes_are_printed_and_the_others_counted(
    folder: Path, capsys: pytest.CaptureFixture[str], problems: int, end: str
) -> None:
    before = NOTES["a.md"]
    keys = "".join(f"odd-key-{number}: x\n" for number in range(problems))
    after = before.replace("type: claim\n", f"type: claim\n{keys}")
    change = Change("try", {"a.md": before.encode()}, {"a.md": after.encode()})
    run_change(folder / "notes", "text", True, lambda files, corpus: change)
    effect = capsys.readouterr().out.partition("warning: ")[2]
    assert effect.count("warning: ") == MAX_PROBLEMS_SHOWN - 1
    assert effect.endswith(f"\n{end}no verdict changes\nnothing was written\n")
