"""Commands for who writes notes, and what surrounds them: a browser, a port, a terminal."""

from __future__ import annotations

import errno
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.files.cache_files import state_folder
from tests.support.command import status

CLAIM = """---
type: claim
---

# Sleep helps

> [!evidence] It was seen ^seen
> Here. (reason:: so)
"""
NOTES = {"sleep": CLAIM}
BOOKS = ""


@pytest.mark.parametrize("opened", [True, False])
def test_a_browser_is_opened_where_that_is_asked_for(
    opened: bool, notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    launched: list[str] = []
    monkeypatch.setattr("click.launch", launched.append)
    monkeypatch.setattr(
        "kg.serve.watch_and_serve.serve",
        lambda *_, ready, tell, drafts: [ready("http://x/"), tell("!")],
    )
    assert status("serve", *["--open"] * opened) == 0
    assert launched == ["http://x/"] * opened
    assert capsys.readouterr().out.splitlines() == ["serving http://x/ (Ctrl-C to stop)", "!"]


@pytest.mark.parametrize("code", [0, errno.EADDRINUSE])
def test_a_port_that_is_taken_is_named(
    code: int, notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(code, "Address already in use") if code else OSError("odd")

    monkeypatch.setattr("kg.serve.watch_and_serve.serve", refuse)
    if code:
        assert status("serve", "--port", "81") == 2
        assert capsys.readouterr().err == (
            "error: port 81: Address already in use; name another with --port\n"
        )
    else:
        with pytest.raises(OSError, match="odd"):
            status("serve")


def test_notes_are_checked_again_when_they_change_and_broken_settings_are_told(
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
    told = capsys.readouterr()
    assert "1 warning in 2 statements" in told.out
    assert "there is no type of note `clam`" in told.out
    assert told.err.splitlines()[:2] == ["watching; Ctrl-C to stop", "checking"]
    assert "not valid TOML" in told.err


def test_nothing_is_kept_where_that_is_not_wanted(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.loader.FEWEST_NOTES_TO_REMEMBER", 0)
    monkeypatch.setenv("KG_NO_CACHE", "1")
    room = state_folder(notes)
    assert room is not None
    status("show")
    assert not (room / "notes").exists()
    monkeypatch.delenv("KG_NO_CACHE")
    status("show")
    assert (room / "notes").is_file()


@pytest.mark.integration
@pytest.mark.parametrize(
    ("note", "told"),
    [
        (CLAIM, False),
        (f"{CLAIM}\n- contradicts:: [[nobody]] - so\n", True),
        (CLAIM.replace("type: claim", "type: ["), True),
    ],
)
def test_a_build_says_that_something_could_not_be_read(
    note: str, told: bool, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "sleep.md").write_text(note, "utf-8")
    assert status("build") == 0
    assert ("left out: " in capsys.readouterr().err) == told


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


def test_a_vault_is_a_site_in_two_commands(vault: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status("check", "--notes", "vault") == 1
    assert "`kg init --from vault` proposes how to read them" in capsys.readouterr().out
    assert status("init", "--from", "vault", "--yes") == 0
    told = capsys.readouterr().out
    assert "read: claim 2; links with a reason: 1\nleft out: 1; not understood: 0\n" in told
    assert told.endswith("Next: kg build --notes vault\n")
    assert {name: (vault / name).read_text("utf-8") for name in VAULT} == VAULT
    assert status("build", "--notes", "vault") == 0
    told = capsys.readouterr().err
    assert "1 note left out by `[map]` in the settings" in told
    assert "1 note left out by `ignore` in the settings" in told
    assert "cited, but in no bibliography: `roe2019`\n" in told
    assert status("build", "--notes", "vault") == 0
    again = capsys.readouterr()
    assert "; 0 files written" in again.out
    assert [row for row in told.splitlines() if "left out" in row or "cited" in row] == [
        row for row in again.err.splitlines() if "left out" in row or "cited" in row
    ]
    assert len(list(Path("build/site/html/statements").glob("*.html"))) >= 2
    assert status("init", "--from", "vault", "--yes") == 2
    assert "kg.toml" in capsys.readouterr().err


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


def test_very_many_problems_of_one_kind_are_counted(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(25):
        (notes / f"n{number}.md").write_text("Text.\n", "utf-8")
    assert status("check") == 1
    told = capsys.readouterr().out
    assert told.count("[missing-type]") == 3
    assert "22 more of missing-type: `kg check --rule missing-type` lists them" in told
    assert status("check", "--rule", "missing-type") == 1
    assert capsys.readouterr().out.count("[missing-type]") == 25
    assert status("build") == 0
    assert "25 notes left out: 25 without a type" in capsys.readouterr().err


BROKEN = CLAIM.replace("# Sleep helps", "# Naps help").replace("^seen", "^seen\n> [@nobody]")


@pytest.fixture
def two_notes(notes: Path) -> Path:
    (notes / "naps.md").write_text(BROKEN, "utf-8")
    (notes / "rest.md").write_text(BROKEN.replace("Naps help", "Rest helps"), "utf-8")
    return notes


@pytest.mark.parametrize(
    ("files", "told"),
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
    files: list[str], told: set[str], two_notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", "--format", "json", "--rule", "unknown-citation", *files) == bool(told)
    found = json.loads(capsys.readouterr().out)
    assert {Path(each["path"]).name for each in found} == told


@pytest.mark.parametrize(
    ("arguments", "said"),
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
    arguments: list[str], said: str, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status("check", *arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "told"), [("notes/sleep.md", ["sleep.md"]), (None, ["new-note.md"])]
)
def test_a_text_is_checked_as_if_it_stood_in_the_corpus(
    place: str | None,
    told: list[str],
    two_notes: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = (two_notes / "sleep.md").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BROKEN.encode())))
    arguments = ["--as", place] if place else []
    assert status("check", "-", "--rule", "unknown-citation", *arguments) == 1
    shown = capsys.readouterr().out
    assert [Path(line.partition(":")[0]).name for line in shown.splitlines() if "[unk" in line] == (
        told
    )
    assert "  8 | > [@nobody]\n" in shown
    assert (two_notes / "sleep.md").read_bytes() == before


def test_what_the_text_leaves_without_an_end_is_told_of_the_text(
    two_notes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = CLAIM.replace("type: claim", "type: claim\nid: naps")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(twin.encode())))
    assert status("check", "-", "--rule", "duplicate-id", "--format", "lines") == 1
    assert "`naps`" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["lsp", "mcp"])
def test_a_server_says_which_package_it_needs(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kg.cli.serving.find_spec", lambda name: None)
    assert status(command) == 2
    assert f"pip install 'inquiry-lines[{command}]'" in capsys.readouterr().err
