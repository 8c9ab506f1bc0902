"""A folder that somebody sent: what becomes a link between looking and reading is not read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kg.cli import main
from kg.cli.shared.options import prepare_folder
from kg.files.read_files import NotesFolder, read_input
from kg.loader import load_corpus
from kg.notes.note_files import read_listed_files
from kg.notes.note_listing import list_judgements, list_notes
from kg.serve.watch_and_serve import SiteBuilder
from tests.files.folders import LINKS, NOTE
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.integration

SECRET = "What the reader keeps to himself"


@pytest.fixture
def swap(sent: Path) -> Callable[[str], None]:
    """Puts a link to a private folder of the victim's in the place of a folder that was sent.

    Whatever file stands in the folder stands in the private one, too, beside a secret one.
    """
    private = sent.parent / "private"

    def put(name: str) -> None:
        place = sent / name
        if not place.is_symlink():
            shutil.copytree(place, private)
            for file in (private / "secret.md", *private.rglob("*.*")):
                file.write_text(NOTE.replace("Sleep helps memory", SECRET), "utf-8")
            (private / "secret.csv").write_text(SECRET)
            place.rename(place.with_name("moved"))
            place.symlink_to(private)

    return put


@LINKS
def test_a_folder_that_becomes_a_link_after_it_was_listed_is_not_read(
    sent: Path, swap: Callable[[str], None]
) -> None:
    (sent / "notes/deep/er").mkdir(parents=True)
    shutil.copy(sent / "notes/a.md", sent / "notes/deep/er/b.md")
    shutil.copy(sent / "notes/a.md", sent / "notes/deep/c.md")
    listing = list_notes(sent / "notes")
    swap("notes/deep")
    files, problems = read_listed_files(listing.notes)
    assert [file.path for file in files] == ["a.md"]
    assert [problem.span.path for problem in problems] == ["deep/c.md", "deep/er/b.md"]
    assert "became a link" in problems[0].message


def after_once(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, end: str, act: Callable[[], None]
) -> None:
    """Make the first call of a function on a path with this end be followed by an act."""
    real, waiting = getattr(module, name), [act]

    def call(place: Any, *more: Any, **options: Any) -> Any:
        answer = real(place, *more, **options)
        if waiting and isinstance(place, str | os.PathLike) and os.fspath(place).endswith(end):
            waiting.pop()()
        return answer

    monkeypatch.setattr(module, name, call)


class Entries(list[os.DirEntry[str]]):
    """What a folder held, to be used as what `os.scandir` gives."""

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@LINKS
def test_a_folder_that_becomes_a_link_while_those_around_it_are_listed_is_not_looked_into(
    sent: Path, swap: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (sent / "notes/deep").mkdir()
    scandir, waiting = os.scandir, [swap]

    def list_and_swap(place: Any) -> Any:
        with scandir(place) as entries:
            listing = Entries(entries)
        if waiting:
            waiting.pop()("notes/deep")
        return listing

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(os, "scandir", list_and_swap)
        listing = list_notes(sent / "notes")
    assert (sent / "notes/deep/secret.md").is_file()
    assert [file.path for file in listing.notes] == ["a.md"]
    assert [problem.span.path for problem in listing.diagnostics] == ["deep/"]


@LINKS
def test_a_file_is_not_read_where_a_folder_on_the_way_becomes_a_link_after_it_was_looked_at(
    sent: Path, swap: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (sent / "notes/texts/of").mkdir(parents=True)
    (sent / "notes/texts/of/lee.txt").write_text("As was found.")
    with monkeypatch.context() as meanwhile:
        after_once(meanwhile, os, "stat", "lee.txt", lambda: swap("notes/texts"))
        with pytest.raises(OSError, match="became a link"):
            read_input(sent / "notes/texts/of/lee.txt", 1000, sent / "notes")
    assert SECRET in (sent / "notes/texts/of/lee.txt").read_text("utf-8")


@LINKS
def test_judgements_that_become_a_link_after_they_were_looked_at_are_not_listed(
    sent: Path, swap: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    (sent / "notes/judgements").mkdir()
    with monkeypatch.context() as meanwhile:
        end, place = "judgements", "notes/judgements"
        after_once(meanwhile, os.path, "realpath", end, lambda: swap(place))
        assert list_judgements(sent / "notes") == []
    assert (sent / place / "secret.csv").is_file()


@LINKS
@pytest.mark.parametrize("value", [None, Path("notes")], ids=["found", "named"])
def test_notes_that_become_a_link_after_they_were_found_or_named_are_not_read(
    value: Path | None, sent: Path, swap: Callable[[str], None]
) -> None:
    folder = prepare_folder(value)
    swap("notes")
    corpus = load_corpus(folder)
    assert not corpus.statements
    assert [problem.rule for problem in corpus.diagnostics] == ["unreadable-file"]
    assert SECRET in {note.title for note in load_corpus("notes").statements.values()}


@LINKS
@pytest.mark.parametrize("value", [(), ("--notes", "notes")], ids=["found", "named"])
@pytest.mark.parametrize("command", [("build",), ("check", "--format", "text"), ("diff", "HEAD")])
def test_notes_that_become_a_link_while_a_command_runs_are_not_read(
    command: tuple[str, ...],
    value: tuple[str, ...],
    sent: Path,
    swap: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are resolved once, before anything is read, and nothing resolves them again."""
    find = NotesFolder.from_path

    def find_and_swap(name: Any) -> NotesFolder:
        answer = find(name)
        swap("notes")
        return answer

    monkeypatch.setattr(NotesFolder, "from_path", find_and_swap)
    output = CliRunner().invoke(main, [*command, *value]).output
    assert (sent / "notes").is_symlink()
    assert SECRET not in output
    for place in (sent / "build").rglob("*"):
        assert place.is_dir() or SECRET.encode() not in place.read_bytes()


@LINKS
def test_the_builder_that_serve_starts_reads_the_notes_that_were_found(
    sent: Path, swap: Callable[[str], None]
) -> None:
    builder = SiteBuilder(prepare_folder(None), Path("build/site"))
    swap("notes")
    builder.start()
    assert builder.process is not None
    builder.process.join(PATIENCE)
    assert builder.process.exitcode is not None
    for place in (sent / "build").rglob("*"):
        assert place.is_dir() or SECRET.encode() not in place.read_bytes()
