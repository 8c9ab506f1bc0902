"""The commands that begin: a corpus, settings for a vault, a note."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.cli.authoring import _may_start_here
from tests.cli.conftest import SLEEP_HELPS
from tests.support.command import status
from tests.support.every_row import every_row

NOTES = {"sleep": SLEEP_HELPS}
BOOKS = ""


VAULT = {
    "naps help people to recall.md": "---\nkind: thesis\n---\n- [[rest is enough for all]] — x\n",
    "rest is enough for all.md": "---\nkind: thesis\n---\nText. [[@roe2019]]\n",
    "Templates/idea.md": "---\nkind: thesis\n---\n# {{title}}\n",
    "2026-01-02.md": "---\nkind: daily\n---\nText.\n",
}


@pytest.fixture
def vault(notes: Path) -> Path:
    folder = notes.parent / "vault"
    (folder / "Templates").mkdir(parents=True)
    for name, text in VAULT.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_check_of_a_vault_without_settings_says_which_command_proposes_them(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--notes", "vault") == 1
    assert "`kg init --from vault` proposes how to read them" in capsys.readouterr().out


def test_settings_for_a_vault_say_how_it_is_read_and_change_no_note(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("init", "--from", "vault", "--yes") == 0
    output = capsys.readouterr().out
    assert "read: claim 2; links with a reason: 1\nleft out: 1; not understood: 0\n" in output
    assert output.endswith("Next: kg build --notes vault\n")
    assert {name: (vault / name).read_text("utf-8") for name in VAULT} == VAULT
    assert status("init", "--from", "vault", "--yes") == 2, "settings are there already"
    assert "kg.toml" in capsys.readouterr().err


@pytest.mark.integration
def test_each_build_of_a_vault_says_what_it_leaves_out_and_the_second_writes_nothing(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status("init", "--from", "vault", "--yes")
    left_out_rows = [
        "1 note left out by `[map]` in the settings",
        "1 note left out by `ignore` in the settings",
        "cited, but in no bibliography: `roe2019`",
    ]
    for _ in range(2):
        capsys.readouterr()
        assert status("build", "--notes", "vault") == 0
        printed = capsys.readouterr()
        assert all(row in printed.err for row in left_out_rows)
    assert "; 0 files written" in printed.out
    assert len(list(Path("build/site/html/statements").glob("*.html"))) >= 2


def test_what_a_vault_leaves_out_is_not_missing(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = "---\nkind: idea\n---\n# Home\n\nSee [[2026-01-02]], [[Sleep]].\n"
    (vault / "Home.md").write_text(home, "utf-8")
    (vault / "Sleep.md").write_text(home.replace("# Home", "# One\n\n# Two"), "utf-8")
    (vault / "kg.toml").write_text(
        '[map.keys]\nkind = "type"\n[map.types]\nidea = "claim"\ndaily = "none"\n', "utf-8"
    )
    status("check", "--notes", "vault", "--rule", "missing-title")
    assert "missing-title" not in capsys.readouterr().out
    assert status("build", "--notes", "vault") == 0
    assert "(missing)" not in Path("build/site/html/statements/Home.html").read_text("utf-8")


@pytest.mark.parametrize("answer", ["n\n", "y\n"])
def test_settings_are_written_after_a_yes(
    answer: str, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    status("init", "--from", "vault")
    assert (vault / "kg.toml").exists() == (answer == "y\n")


def test_settings_are_shown_before_they_are_written(
    vault: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("init", "--from", "vault", "--dry-run") == 0
    assert '"kind" = "type"' in capsys.readouterr().out
    assert not (vault / "kg.toml").exists()


@pytest.mark.parametrize("words", [(), ("demo", "--from", "vault"), ("demo", "--yes")])
def test_a_folder_is_begun_or_read(words: tuple[str, ...], vault: Path) -> None:
    assert status("init", *words) == 2


def test_init_writes_a_corpus_that_passes_and_never_overwrites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert status("init", "demo") == 0
    assert status("check", "--notes", "demo/notes", "--strict") == 0
    assert (tmp_path / "demo" / ".gitignore").read_text("utf-8") == "build/\n"
    assert not [*tmp_path.glob("demo/**/*.py"), *tmp_path.glob("demo/**/__*")]
    kept_data = (tmp_path / "demo" / "kg.toml").read_bytes()
    assert status("init", "demo") == 2
    assert "already there" in capsys.readouterr().err
    assert (tmp_path / "demo" / "kg.toml").read_bytes() == kept_data


def test_init_leaves_a_folder_its_own_gitignore(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".gitignore").write_text("*.log\n", "utf-8")
    assert status("init", ".") == 0
    assert (tmp_path / ".gitignore").read_text("utf-8") == "*.log\n"


def test_init_does_not_start_where_notes_are_or_a_folder_has_the_name_of_a_file(
    notes: Path, tmp_path: Path
) -> None:
    assert status("init") == 2
    (tmp_path / "demo" / "kg.toml").mkdir(parents=True)
    assert status("init", str(tmp_path / "demo")) == 2
    assert [each.name for each in (tmp_path / "demo").iterdir()] == ["kg.toml"]


@every_row("is_repository", [True, False])
def test_init_starts_here_where_nothing_is_yet(
    is_repository: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if is_repository:
        (tmp_path / ".git").mkdir()
        (tmp_path / "README.md").write_text("# Mine\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert status("init") == 0
    assert capsys.readouterr().out.endswith("\nNext: kg check && kg build\n")
    assert (tmp_path / "kg.toml").exists()


def test_a_new_note_is_to_be_filled_in(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("new", "claim", "Naps help") == 0
    assert capsys.readouterr() == (
        "wrote notes/claims/naps-help.md\nfill it in, then: kg check\n",
        "",
    )


def test_a_question_as_a_claim_is_reported_at_once(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("new", "claim", "Is tea better?") == 0
    assert capsys.readouterr().err.startswith("this title is a question")


def test_a_line_asks_a_question(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("new", "line", "Is tea better?") == 0
    assert capsys.readouterr().err == ""


def test_a_new_note_is_not_given_a_camp_that_nobody_declared(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("new", "claim", "Naps help", "--camp", "sceptic") == 2
    assert "no camp 'sceptic' in the corpus; did you mean skeptic" in capsys.readouterr().err
    assert [place.name for place in notes.iterdir()] == ["sleep.md"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("claim", " "), "a note needs a type, and a title"),
        (("claim",), "a note needs a type, and a title"),
        (("claim", "SLEEP helps!"), "`sleep` has the same title"),
        (("evidence", "Sleep helps"), "`sleep` has the same title"),
        (("claim", "Something else", "--id", "sleep"), "`sleep` already exists"),
        (("claim", "x", "--from", "-"), "--from takes no type, camp or topic"),
    ],
)
def test_a_note_without_a_title_and_id_of_its_own_is_refused(
    words: tuple[str, ...], message: str, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("new", *words) == 2
    assert message in capsys.readouterr().err
    assert [place.name for place in notes.iterdir()] == ["sleep.md"]


def test_a_new_note_is_shown_with_the_title_that_is_similar(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "naps.md").write_text(
        SLEEP_HELPS.replace("Sleep helps", "Naps after lunch help"), "utf-8"
    )
    assert status("new", "claim", "Naps after lunch helps", "--dry-run") == 0
    assert "`naps` has a similar title" in capsys.readouterr().err


def test_what_a_killed_run_left_is_removed_though_the_note_is_there(notes: Path) -> None:
    (notes / ".kg-draft-ab12_xyz").mkdir()
    assert status("new", "claim", "Sleep helps") == 2
    assert not (notes / ".kg-draft-ab12_xyz").exists()


@pytest.fixture
def draft(notes: Path) -> Callable[..., str]:
    """Write a note as JSON beside the notes: `draft(relation="supports")`."""

    def write(relation: str) -> str:
        edges = [{"relation": relation, "target": "sleep"}]
        note = {"type": "claim", "title": "最低賃金", "edges": edges}
        (notes.parent / "draft.json").write_text(json.dumps(note), "utf-8")
        return "draft.json"

    return write


def test_a_note_from_json_is_written_whole(
    draft: Callable[..., str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("new", "--from", draft("supports")) == 0
    assert capsys.readouterr().out == "wrote notes/claims/最低賃金.md\n"
    text = (notes / "claims" / "最低賃金.md").read_text("utf-8")
    assert text.endswith("# 最低賃金\n\n- supports:: [[sleep]]\n")


def test_a_note_from_json_is_shown_and_not_written(
    draft: Callable[..., str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("new", "--from", draft("supports"), "--dry-run") == 0
    assert "# 最低賃金\n\n- supports:: [[sleep]]\n" in capsys.readouterr().out
    assert not (notes / "claims").exists()


def test_a_note_from_json_with_an_error_is_refused_with_what_was_meant(
    draft: Callable[..., str], notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("new", "--from", draft("suports")) == 2
    error_output = capsys.readouterr().err
    assert "notes/claims/最低賃金.md:8:3" in error_output
    assert "`suports`; did you mean `supports`?\n" in error_output
    assert not (notes / "claims").exists()


@every_row(
    ("names", "starts"),
    [
        ((), True),
        ((".hidden", ".git/"), True),
        ((".git/", "README.md", "src/"), True),
        (("README.md",), False),
        ((".git/", "README.md", "a.md"), False),
        ((".git/", "notes/"), False),
        ((".git/", "kg.toml"), False),
    ],
)
def test_a_corpus_begins_here_if_the_folder_is_empty_or_a_repository_without_notes(
    names: tuple[str, ...], starts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / f"{len(names)}{starts}"
    here.mkdir()
    monkeypatch.chdir(here)
    for name in names:
        (here / name).mkdir() if name.endswith("/") else (here / name).touch()
    assert _may_start_here() is starts
