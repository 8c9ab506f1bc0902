"""A folder that did not change is not built again; one that did is, whatever its times say.

Of `kg/publish/build/build_memory.py`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.files.cache_files import state_folder
from kg.loader import load_corpus
from kg.model.settings.config import Config
from kg.publish.build.site import SiteReport, build_folder
from kg.publish.build.theme.shell import get_inputs

pytestmark = pytest.mark.integration

ONE = "---\ntype: claim\n---\n\n# One\n"


class Folder:
    """A folder of one note, its site, and how often the notes were loaded for it."""

    def __init__(self, place: Path) -> None:
        self.notes = place / "notes"
        self.notes.mkdir()
        self.note = self.notes / "a.md"
        self.note.write_text(ONE, "utf-8")
        self.inputs = Path(shutil.copytree(get_inputs(), place / "inputs"))
        self.out = place / "out"
        self.loaded = 0
        self.first = self.build()

    @property
    def state_dir(self) -> Path:
        result_folder = state_folder(self.out)
        assert result_folder is not None
        return result_folder

    def build(self) -> SiteReport:
        return build_folder(self.notes, self.out, self.load, inputs=self.inputs)

    def load(self, notes: Path, config: Config) -> Corpus:
        self.loaded += 1
        return load_corpus(notes, config=config)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_nothing_is_loaded_where_nothing_changed(folder: Folder) -> None:
    again = folder.build()
    assert folder.loaded == 1
    assert (again.written, again.removed) == ((), ())
    assert again.unchanged == len(folder.first.written)
    assert (again.pages, again.index) == (folder.first.pages, folder.first.index)


def test_an_edit_within_the_clocks_step_is_seen(folder: Folder) -> None:
    """The new text is as long as the old one, and the file claims the same age."""
    before = folder.note.stat()
    folder.note.write_text(ONE.replace("One", "Two"), "utf-8")
    os.utime(folder.note, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "statements/a.html" in folder.build().written


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder.notes / "b.md").write_text(ONE),
        lambda folder: folder.note.rename(folder.notes / "c.md"),
        lambda folder: (folder.notes / "README.md").write_text("# About\n"),
        lambda folder: (folder.notes / "kg.toml").write_text('name = "N"\n'),
        lambda folder: (folder.notes / "references.bib").write_text("@misc{k, title={T}}"),
        lambda folder: (folder.inputs / "assets" / "kg.css").write_text("p {}"),
        lambda folder: (folder.out / "html" / "index.html").write_text("spoilt"),
        lambda folder: (folder.out / "html" / "statements" / "a.html").unlink(),
        lambda folder: (folder.state_dir / "manifest").unlink(),
        lambda folder: (folder.state_dir / "built").write_bytes(b"x"),
    ],
)
def test_whatever_changes_is_built_anew(folder: Folder, change: Callable[[Folder], object]) -> None:
    change(folder)
    folder.build()
    assert folder.loaded == 2
    html = folder.out / "html"
    assert "spoilt" not in (html / "index.html").read_text("utf-8")
    assert (html / "statements" / "a.html").exists() == folder.note.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_not_unicode_is_watched_too(folder: Folder) -> None:
    place = folder.notes / "judgements" / os.fsdecode(b"\xff.csv")
    place.parent.mkdir()
    for text, loaded in (("a\n", 2), ("", 2), ("b\n", 3)):
        if text:
            place.write_text(text, "utf-8")
        folder.build()
        assert folder.loaded == loaded


def test_a_commit_is_seen_where_git_keeps_no_log_of_it(folder: Folder) -> None:
    def git(*words: str) -> None:
        who = ("-c", "user.name=N", "-c", "user.email=n@example.org")
        subprocess.run(["git", *who, *words], cwd=folder.notes.parent, check=True)

    git("init", "--quiet", "--initial-branch=main")
    git("config", "core.logAllRefUpdates", "false")
    git("add", "notes")
    git("commit", "--quiet", "--message=One")
    folder.build()
    assert folder.loaded == 2
    git("commit", "--quiet", "--allow-empty", "--message=Two")
    folder.build()
    assert folder.loaded == 3
    folder.build()
    assert folder.loaded == 3


def test_a_lost_index_of_search_is_made_anew(folder: Folder) -> None:
    (folder.state_dir / "search").unlink()
    folder.note.write_text(ONE + "\nMore.\n", "utf-8")
    folder.build()
    fresh = folder.out.parent / "fresh"
    build_folder(folder.notes, fresh, inputs=folder.inputs)
    rebuilt, expected = (place / "html" / "search" for place in (folder.out, fresh))
    assert {p.name: p.read_bytes() for p in rebuilt.iterdir() if p.is_file()} == {
        p.name: p.read_bytes() for p in expected.iterdir() if p.is_file()
    }
