"""Inputs that are no files: whatever stands where one is expected is named, and nothing waits.

Pipes, devices, folders, files without end, links to nowhere and links to what is private, in the
place of everything that a corpus is read from.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.files.read_files import (
    CAN_OPEN_BY_HANDLE,
    MAX_HANDLES,
    FolderHandles,
    NotesFolder,
    OutsideFolder,
    TooLarge,
    UnreadableFile,
    read_file,
    read_input,
)
from kg.judgements.model_labels import load_models
from kg.loader import load_corpus
from kg.publish.build.writer import Writer
from kg.serve.site_server import LastBuild
from tests.support import command
from tests.support.command import CompletedCommand

SECRET = "what the reader keeps to himself"
GOOD = "---\ntype: claim\nopen: not yet\n---\n\n# It is good\n"
SOURCE = "---\ntype: source\nsnapshot: texts/lee.txt\n---\n\n# On sleep\n"
INPUTS = {
    "x.md": "unreadable-file",
    "references.bib": "unreadable-file",
    "references.json": "unreadable-file",
    "README.md": "unreadable-file",
    "judgements/j.csv": "judgement-file",
    "texts/lee.txt": "missing-snapshot",
}
SETTINGS = ("kg.toml", "notes/kg.toml")


def make_pipe(place: Path, private: Path) -> None:
    os.mkfifo(place)


def make_device(place: Path, private: Path) -> None:
    """As near as one comes without being root: the link has to be known for what it leads to."""
    place.symlink_to("/dev/zero")


def make_huge(place: Path, private: Path) -> None:
    with place.open("wb") as file:
        file.truncate(40 << 30)


def make_folder(place: Path, private: Path) -> None:
    place.mkdir()


def make_dangling(place: Path, private: Path) -> None:
    place.symlink_to("nowhere")


def make_outside(place: Path, private: Path) -> None:
    place.symlink_to(private)


Make = Callable[[Path, Path], None]
KINDS = [make_pipe, make_device, make_huge, make_folder, make_dangling, make_outside]
by_kind = pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__[5:])
on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes and devices")


def need(make: Make) -> None:
    if make is make_device and not os.path.exists("/dev/zero"):
        pytest.skip("this system has no /dev/zero")


def corpus_with(make: Make, top: Path) -> Path:
    """A corpus with one good note, in which everything else that is read is what `make` makes."""
    private = top / "private"
    private.write_text(f"# {SECRET}\n")
    notes = top / "sent" / "notes"
    for name in INPUTS:
        (notes / name).parent.mkdir(parents=True, exist_ok=True)
        make(notes / name, private)
    (notes / "good.md").write_text(GOOD, "utf-8")
    (notes / "lee.md").write_text(SOURCE, "utf-8")
    return notes


def kg(notes: Path, first: str, *arguments: str) -> CompletedCommand:
    result = command.kg(notes.parents[1], first, "--notes", str(notes), *arguments, COLUMNS="400")
    assert SECRET not in result.stdout + result.stderr
    return result


@on_posix
@by_kind
def test_check_reports_each_input_that_is_no_regular_file(make: Make, tmp_path: Path) -> None:
    need(make)
    notes = corpus_with(make, tmp_path)
    output = kg(notes, "check", "--format", "lines").stdout
    expected = dict(INPUTS)
    if make is make_folder:  # folders may have any name, and are walked
        expected = {"texts/lee.txt": "missing-snapshot", "judgements/j.csv": "judgement-file"}
    if make in (make_device, make_outside):
        links = ("x.md", "references.bib", "references.json", "README.md", "texts/lee.txt")
        expected |= dict.fromkeys(links, "outside-link")
    for name, rule in expected.items():
        place = "lee.md" if rule == "missing-snapshot" else name
        assert any(place in line and f"[{rule}]" in line for line in output.splitlines()), name
    assert "1 statement" in output


@pytest.mark.integration
@on_posix
@by_kind
def test_a_site_is_built_without_what_is_no_regular_file(make: Make, tmp_path: Path) -> None:
    need(make)
    notes = corpus_with(make, tmp_path)
    output = tmp_path / "out"
    assert kg(notes, "build", "--out", str(output)).returncode == 0
    assert (output / "html/statements/good.html").is_file()
    pages = [page.read_text("utf-8") for page in (output / "html").rglob("*.html")]
    assert pages
    assert not any(SECRET in page for page in pages)


@on_posix
@by_kind
@pytest.mark.parametrize("name", SETTINGS)
def test_settings_that_are_no_file_are_one_message(make: Make, name: str, tmp_path: Path) -> None:
    need(make)
    (tmp_path / "private").write_text(f"name = '{SECRET}'\n{SECRET}")
    notes = tmp_path / "sent" / "notes"
    notes.mkdir(parents=True)
    (notes / "good.md").write_text(GOOD, "utf-8")
    make(tmp_path / "sent" / name, tmp_path / "private")
    for first in ("check", "build"):
        result = kg(notes, first)
        assert result.returncode
        assert result.stderr.count("error: ") == 1
        assert "kg.toml: " in result.stderr


@on_posix
@pytest.mark.parametrize("make", KINDS[:-1], ids=lambda make: make.__name__[5:])
def test_a_query_or_a_models_labels_may_be_no_file_either(make: Make, tmp_path: Path) -> None:
    """A link is followed: whoever asks names this file, wherever it lies."""
    need(make)
    notes = tmp_path / "sent" / "notes"
    notes.mkdir(parents=True)
    (notes / "good.md").write_text(GOOD, "utf-8")
    make(tmp_path / "query.rq", tmp_path)
    result = kg(notes, "sparql", str(tmp_path / "query.rq"))
    assert result.returncode
    assert result.stderr.count("\n") == 1
    labels, problems = load_models(tmp_path / "query.rq")
    assert labels == {}
    assert "cannot be read" in problems[0].message


@on_posix
@pytest.mark.integration
def test_a_folder_of_judgements_that_leads_outside_is_not_looked_into(tmp_path: Path) -> None:
    notes = tmp_path / "sent" / "notes"
    notes.mkdir(parents=True)
    (notes / "good.md").write_text(GOOD, "utf-8")
    (tmp_path / "away").mkdir()
    (tmp_path / "away" / f"{SECRET}.csv").write_text("edge,annotator,label\n")
    (notes / "judgements").symlink_to(tmp_path / "away")
    output = kg(notes, "check").stdout
    assert output.count("outside-link") == 1
    assert kg(notes, "build", "--out", str(tmp_path / "out")).returncode == 0


@on_posix
def test_a_notes_folder_that_leads_outside_is_read_only_by_name(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "good.md").write_text(GOOD, "utf-8")
    (tmp_path / "sent").mkdir()
    (tmp_path / "sent" / "notes").symlink_to(tmp_path / "private")
    for more, status in (((), 2), (("--notes", "notes"), 0)):
        result = command.kg(tmp_path / "sent", "show", *more)
        assert result.returncode == status, result.stderr
        assert ("is a link to" in result.stderr) == bool(status)


def test_a_snapshot_does_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    from kg.checks import check

    notes = tmp_path / "notes"
    (notes / "texts").mkdir(parents=True)
    (tmp_path / "lee.txt").write_text("text")
    (notes / "texts" / "lee.txt").write_text("text")
    for path, leads_inside in (
        ("texts/lee.txt", True),
        ("../notes/texts/lee.txt", True),
        ("../lee.txt", False),
        (str(tmp_path / "lee.txt"), False),
        ("texts", False),
    ):
        (notes / "lee.md").write_text(SOURCE.replace("texts/lee.txt", f"'{path}'"), "utf-8")
        rules = [problem.rule for problem in check(load_corpus(notes))]
        assert ("missing-snapshot" in rules) != leads_inside, path


# -- the reader itself -----------------------------------------------------------------------


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    place = tmp_path / "file"
    for size in (0, 1, 9, 10, 1024 * 1024 + 1):
        place.write_bytes(b"x" * size)
        assert read_file(place, size) == b"x" * size
        if size:
            with pytest.raises(TooLarge, match="larger than"):
                read_file(place, size - 1)
    assert read_input(place, 1 << 21, tmp_path) == place.read_bytes()


def test_a_name_may_not_lead_outside_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in-too").write_text("x")
    for name in ("../in-too", str(tmp_path / "in-too"), "../in/../in-too", ".."):
        with pytest.raises(OutsideFolder):
            read_file(tmp_path / "in" / name, 10, (tmp_path / "in",))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells no size of such files")
def test_a_file_that_tells_no_size_is_read_up_to_its_bound() -> None:
    assert read_file("/proc/self/status", 1 << 20).startswith(b"Name:")
    with pytest.raises(TooLarge):
        read_file("/proc/self/status", 10)


@on_posix
@by_kind
def test_the_server_reads_files_of_the_site_alone(make: Make, tmp_path: Path) -> None:
    need(make)
    (tmp_path / "private").write_text(SECRET)
    with Writer(tmp_path) as writer:
        writer.put("good.js", "good")
        writer.put("bad.js", SECRET)
        writer.commit()
    (tmp_path / "html" / "bad.js").unlink()
    make(tmp_path / "html" / "bad.js", tmp_path / "private")
    last_build = LastBuild(tmp_path)
    assert last_build.read("bad.js") is None
    assert last_build.read("../private") is None
    assert last_build.read("good.js") == b"good"


@on_posix
def test_a_pipe_is_distinguished_from_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="pipe: it is a pipe or a device, not a file"):
        read_file(tmp_path / "pipe", 10)
    with pytest.raises(UnreadableFile, match="it is a folder, not a file"):
        read_file(tmp_path, 10)


def test_a_file_that_grows_while_it_is_read_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "grows.md"
    place.write_bytes(b"1234")
    state = place.stat()
    place.write_bytes(b"12345678")
    monkeypatch.setattr("os.fstat", lambda _: state)
    monkeypatch.setattr("kg.files.read_files.CHUNK_SIZE", 4)
    with pytest.raises(TooLarge):
        read_file(place, 4)
    monkeypatch.undo()
    assert read_file(place, 8) == b"12345678"


@pytest.mark.skipif(not CAN_OPEN_BY_HANDLE, reason="there are no handles here")
def test_folders_that_are_read_are_let_go_of_once_they_are_too_many(tmp_path: Path) -> None:
    counts = []
    with FolderHandles() as handles:
        for number in range(2 * MAX_HANDLES):
            (tmp_path / str(number)).mkdir()
            (tmp_path / str(number) / "a").write_text("")
            os.close(handles.open(f"{tmp_path.resolve()}/{number}/a", os.O_RDONLY))
            counts.append(len(handles._handles))
    assert max(counts) == MAX_HANDLES


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lists what is open")
def test_folders_that_are_listed_are_let_go_of(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    with FolderHandles() as handles:
        for number in range(5):
            (tmp_path / str(number)).mkdir()
            handles.list(f"{tmp_path.resolve()}/{number}")
    assert len(os.listdir("/proc/self/fd")) == before


def test_the_folder_around_one_that_is_named_by_dots_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "notes" / "inner").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "notes")
    around = [NotesFolder.from_path(names).around for names in ("..", ".", "inner")]
    here = tmp_path.resolve()
    assert around == [here.parent, here, here / "notes"]


@pytest.mark.skipif(not CAN_OPEN_BY_HANDLE, reason="this system has no handles of folders")
def test_a_folder_that_became_a_link_is_not_listed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.md").touch()
    (tmp_path / "link").symlink_to("real")
    with FolderHandles() as folders:
        assert [entry.name for entry in folders.list(str(tmp_path / "real"))] == ["a.md"]
        with pytest.raises(OSError, match="link"):
            folders.list(str(tmp_path / "link"))
