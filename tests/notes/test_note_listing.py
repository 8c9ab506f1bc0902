"""Which files of a folder are notes, and what keeps a file from being read.

Of `kg/notes/note_files.py`, too.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from kg.model import Diagnostic
from kg.notes.note_files import NoteFile, read_listed_files
from kg.notes.note_listing import (
    MAX_BIBLIOGRAPHY_BYTES,
    MAX_NOTE_BYTES,
    NoSuchFolder,
    list_notes,
)
from tests.support.rights import needs_rights, rights_count


def _notes(folder: Path) -> tuple[NoteFile, ...]:
    return read_listed_files(list_notes(folder).notes)[0]


def _diagnostics(folder: Path) -> list[Diagnostic]:
    listing = list_notes(folder)
    return [*listing.diagnostics, *read_listed_files(listing.notes)[1]]


def _paths(folder: Path) -> list[str]:
    return [file.path for file in _notes(folder)]


def _problems(folder: Path) -> list[tuple[str, str]]:
    return [(p.span.path, p.rule) for p in _diagnostics(folder)]


def _write(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x", "utf-8")


def test_notes_come_in_the_order_of_their_paths_with_their_bytes(tmp_path: Path) -> None:
    _write(tmp_path, "b.md", "a/z.md", "a/deep/er/é.md", "c.md")
    assert _paths(tmp_path) == ["a/deep/er/é.md", "a/z.md", "b.md", "c.md"]
    first = _notes(tmp_path)[0]
    assert (first.data, len(first.digest)) == (b"x", 16)


def test_hidden_files_readmes_and_other_kinds_are_left_alone(tmp_path: Path) -> None:
    _write(tmp_path, ".x.md", ".obsidian/y.md", "README.md", "a/README.md", "pic.png", "x.md~")
    assert _paths(tmp_path) == []


def test_a_folder_may_end_like_a_note(tmp_path: Path) -> None:
    _write(tmp_path, "folder.md/inside.md")
    assert _paths(tmp_path) == ["folder.md/inside.md"]


def test_bibliographies_may_be_called_anything_and_stand_anywhere(tmp_path: Path) -> None:
    names = ["My Library.bib", "a/references.bib", "a/x.json", "references.json"]
    _write(tmp_path, *names, ".hidden.bib", "x.bib.bak")
    assert [file.path for file in list_notes(tmp_path).bibliographies] == names


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFolder, match="nowhere"):
        list_notes(tmp_path / "nowhere")
    _write(tmp_path, "file.md")
    with pytest.raises(NoSuchFolder):
        list_notes(tmp_path / "file.md")


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")
class TestLinks:
    def test_a_link_inside_the_folder_is_followed(self, tmp_path: Path) -> None:
        _write(tmp_path, "kept/one.md", "two.md")
        (tmp_path / "linked").symlink_to(tmp_path / "kept")
        (tmp_path / "three.md").symlink_to(tmp_path / "kept/one.md")
        assert _paths(tmp_path) == ["kept/one.md", "linked/one.md", "three.md", "two.md"]
        assert _problems(tmp_path) == []

    def test_a_link_that_leads_outside_is_named_and_followed_only_where_the_reader_says(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _write(tmp_path, "away/one.md", "away/deep/four.md", "notes/two.md")
        (tmp_path / "notes/linked").symlink_to(tmp_path / "away")
        (tmp_path / "notes/three.md").symlink_to(tmp_path / "away/one.md")
        (tmp_path / "away/up").symlink_to(tmp_path)
        assert _paths(tmp_path / "notes") == ["two.md"]
        outside = [("linked", "outside-link"), ("three.md", "outside-link")]
        assert sorted(_problems(tmp_path / "notes")) == outside
        monkeypatch.setenv("KG_FOLLOW_LINKS", f"{tmp_path / 'nothing'}{os.pathsep}{tmp_path}/away/")
        expected = ["linked/deep/four.md", "linked/one.md", "three.md", "two.md"]
        assert _paths(tmp_path / "notes") == expected
        assert _problems(tmp_path / "notes") == [("linked/up", "outside-link")]

    def test_a_folder_beside_one_that_is_allowed_is_not(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _write(tmp_path, "away/one.md", "away-too/two.md", "notes/three.md")
        (tmp_path / "notes/two.md").symlink_to(tmp_path / "away-too/two.md")
        monkeypatch.setenv("KG_FOLLOW_LINKS", str(tmp_path / "away"))
        assert _problems(tmp_path / "notes") == [("two.md", "outside-link")]

    def test_a_relative_name_allows_nothing_since_the_folder_could_choose_what_it_means(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _write(tmp_path, "away/one.md", "sent/notes/two.md")
        (tmp_path / "sent/shared").symlink_to(tmp_path / "away")
        (tmp_path / "sent/notes/linked").symlink_to(tmp_path / "away")
        monkeypatch.chdir(tmp_path / "sent")
        monkeypatch.setenv("KG_FOLLOW_LINKS", "shared")
        assert _problems(tmp_path / "sent/notes") == [("linked", "outside-link")]

    def test_links_that_make_very_many_ways_are_walked_once(self, tmp_path: Path) -> None:
        for number in range(40):
            _write(tmp_path, f"d{number:02}/note{number}.md")
            for name in "xy":
                (tmp_path / f"d{number:02}" / name).symlink_to(tmp_path / f"d{number + 1:02}")
        paths = _paths(tmp_path)
        assert len(paths) < 3 * 40
        assert {f"d{number:02}/note{number}.md" for number in range(40)} <= set(paths)
        assert ("d00/y", "unread-file") in _problems(tmp_path)

    def test_folders_deeper_than_a_path_may_be_are_one_problem(self, tmp_path: Path) -> None:
        _write(tmp_path, "good.md")
        here = os.open(tmp_path, os.O_RDONLY)
        for _ in range(60):
            os.mkdir("d" * 200, dir_fd=here)
            below = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(here)
        try:
            assert _paths(tmp_path) == ["good.md"]
            assert [rule for _, rule in _problems(tmp_path)] == ["unreadable-file"]
        finally:
            subprocess.run(["rm", "-rf", str(tmp_path / ("d" * 200))], check=True)

    def test_a_link_back_to_a_folder_around_it_is_one_problem(self, tmp_path: Path) -> None:
        _write(tmp_path, "a/b/one.md")
        (tmp_path / "a/b/up").symlink_to(tmp_path / "a")
        (tmp_path / "a/top").symlink_to(tmp_path)
        assert _paths(tmp_path) == ["a/b/one.md"]
        assert sorted(_problems(tmp_path)) == [
            ("a/b/up", "unreadable-file"),
            ("a/top", "unreadable-file"),
        ]

    def test_a_loop_is_seen_from_a_relative_or_linked_folder_too(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        _write(tmp_path, "notes/a/one.md")
        (tmp_path / "notes/a/up").symlink_to("../a")
        (tmp_path / "linked").symlink_to(tmp_path / "notes")
        monkeypatch.chdir(tmp_path)
        for folder in (Path("notes"), Path("linked")):
            assert _paths(folder) == ["a/one.md"]
            assert _problems(folder) == [("a/up", "unreadable-file")]

    def test_a_link_to_itself_or_to_nothing_is_a_problem(self, tmp_path: Path) -> None:
        (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
        (tmp_path / "gone.md").symlink_to(tmp_path / "nothing.md")
        _write(tmp_path, "good.md")
        assert _paths(tmp_path) == ["good.md"]
        assert sorted(_problems(tmp_path)) == [
            ("gone.md", "unreadable-file"),
            ("self.md", "unreadable-file"),
        ]

    def test_a_link_that_may_have_led_to_a_folder_of_notes_is_a_problem(
        self, tmp_path: Path
    ) -> None:
        (tmp_path / "one").symlink_to("other")
        (tmp_path / "other").symlink_to("one")
        (tmp_path / "gone").symlink_to("nothing")
        (tmp_path / "paper.pdf").symlink_to("nothing.pdf")
        assert sorted(_problems(tmp_path)) == [
            (name, "unreadable-file") for name in ("gone", "one", "other")
        ]

    def test_a_pipe_is_no_note_and_blocks_nothing(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.md")
        assert _paths(tmp_path) == []
        assert _problems(tmp_path) == [("pipe.md", "unreadable-file")]

    def test_a_name_that_is_not_unicode_is_a_problem_that_can_be_printed(
        self, tmp_path: Path
    ) -> None:
        try:
            (Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.md"))).write_text("x")
        except OSError:
            pytest.skip("this file system takes Unicode names only")
        assert _notes(tmp_path) == ()
        assert _diagnostics(tmp_path)[0].span.path.encode("utf-8").startswith(b"bad")


@needs_rights
def test_what_may_not_be_read_is_a_problem_and_the_rest_is_read(tmp_path: Path) -> None:
    _write(tmp_path, "locked.md", "open.md")
    (tmp_path / "locked.md").chmod(0)
    with rights_count():
        assert _paths(tmp_path) == ["open.md"]
        assert _problems(tmp_path) == [("locked.md", "unreadable-file")]


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "huge.md").write_bytes(b"x" * (MAX_NOTE_BYTES + 1))
    (tmp_path / "largest.md").write_bytes(b"y" * MAX_NOTE_BYTES)
    assert [len(file.data) for file in _notes(tmp_path)] == [MAX_NOTE_BYTES]
    (problem,) = _diagnostics(tmp_path)
    assert (problem.span.path, problem.message) == ("huge.md", "this file is larger than 4 MiB")


def test_a_bibliography_may_be_larger_than_a_note(tmp_path: Path) -> None:
    (tmp_path / "references.bib").write_bytes(b"%" * (MAX_NOTE_BYTES + 500_000))
    assert (
        len(read_listed_files(list_notes(tmp_path).bibliographies)[0][0].data)
        == MAX_NOTE_BYTES + 500_000
    )


def test_of_large_json_files_only_the_one_named_as_references_is_a_bibliography(
    tmp_path: Path,
) -> None:
    for name in ("data.json", "references.json", "small.json"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(10 if name == "small.json" else MAX_BIBLIOGRAPHY_BYTES + 1)
    paths = [each.path for each in list_notes(tmp_path).bibliographies]
    assert paths == ["references.json", "small.json"]
