"""Commands for who writes notes, and what surrounds them: a browser, a port, a terminal."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.cli import run
from kg.files.state import state_folder

CLAIM = """---
type: claim
---

# Sleep helps

> [!evidence] It was seen ^seen
> Here. (reason:: so)
"""


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "sleep.md").write_text(CLAIM, "utf-8")
    return folder


def status(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        run(list(arguments))
    return int(stop.value.code or 0)


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

    monkeypatch.setattr("kg.serve.watch_and_serve.watch", edit_twice)
    assert status("check", "--watch") == 0
    told = capsys.readouterr()
    assert "1 warning in 2 statements" in told.out
    assert "no type of note is called `clam`" in told.out
    assert told.err.splitlines()[:2] == ["watching; Ctrl-C to stop", "checking"]
    assert "not valid TOML" in told.err


def test_nothing_is_kept_where_that_is_not_wanted(
    notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kg.cli.options.FEWEST_NOTES_TO_KEEP", 0)
    monkeypatch.setenv("KG_NO_CACHE", "1")
    room = state_folder(notes)
    assert room is not None
    status("show")
    assert not (room / "notes").exists()
    monkeypatch.delenv("KG_NO_CACHE")
    status("show")
    assert (room / "notes").is_file()
