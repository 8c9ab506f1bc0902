"""The commands that serve: a site that is built or watched, an editor, an agent."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from tests.cli.conftest import SLEEP_HELPS
from tests.support.command import status
from tests.support.every_row import every_row

NOTES = {"sleep": SLEEP_HELPS}
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


@pytest.mark.integration
@pytest.mark.parametrize(
    ("note", "message"),
    [
        (SLEEP_HELPS, False),
        (f"{SLEEP_HELPS}\n- contradicts:: [[nobody]] - so\n", True),
        (SLEEP_HELPS.replace("type: claim", "type: ["), True),
    ],
)
def test_a_build_says_that_something_could_not_be_read(
    note: str, message: bool, notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (notes / "sleep.md").write_text(note, "utf-8")
    assert status("build") == 0
    assert ("left out: " in capsys.readouterr().err) == message


@every_row("command", ["lsp", "mcp"])
def test_a_server_says_which_package_it_needs(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kg.cli.serving.find_spec", lambda name: None)
    assert status(command) == 2
    assert f"pip install 'inquiry-lines[{command}]'" in capsys.readouterr().err


def test_a_folder_without_notes_does_not_empty_the_site(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = notes.parent / "build" / "site" / "html" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("the last site", "utf-8")
    (notes.parent / "empty").mkdir()
    assert status("build", "--notes", "empty") == 2
    assert "'empty' has no notes" in capsys.readouterr().err
    assert page.read_text("utf-8") == "the last site"
