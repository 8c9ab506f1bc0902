"""Citation keys in bibliographies that do not stand among the notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.apply_change import apply_change, undo_last_change
from kg.editing.change_effect import effect_of
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from tests.editing.edited_folder import CLAIM, change_by_rename, files_of, text_after, write
from tests.support.every_row import every_row

ENTRY = "@book{{{key},\n  title = {{A}},\n  author = {{B, C}},\n}}\n"
FILES = {
    "kg.toml": 'bibliographies = ["more/named.bib"]\nignore = ["left/**"]\n',
    "beside.bib": ENTRY.format(key="one1999"),
    "more/named.bib": ENTRY.format(key="two2000"),
    "notes/a.md": CLAIM + "Said. [@one1999, p. 3; @two2000]\n",
    "notes/left/b.md": "Said. [@one1999]\n",
}


@every_row(("key", "path"), [("one1999", "../beside.bib"), ("two2000", "../more/named.bib")])
def test_a_key_beside_the_notes_is_renamed_and_taken_back(
    tmp_path: Path, key: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    write(tmp_path / "work", FILES)
    monkeypatch.chdir(tmp_path / "work")
    was = files_of(tmp_path / "work")
    folder = NotesFolder.from_path("notes")
    before = load_corpus(folder)
    change = change_by_rename(folder, key, "new")
    assert text_after(change, path) == FILES[path.removeprefix("../")].replace(key, "new")
    assert f"+++ b/{path.removeprefix('../')}" in change.render_diff(folder)
    effect_of(before, change, folder)
    apply_change(folder, change)
    after = load_corpus(folder)
    assert "new" in after.sources
    assert key not in after.sources
    assert len(after.unresolved_edges) == len(before.unresolved_edges)
    undo_last_change(folder)
    assert files_of(tmp_path / "work") == was


def test_what_is_ignored_follows(tmp_path: Path) -> None:
    write(tmp_path, FILES)
    change = change_by_rename(NotesFolder.from_path(tmp_path / "notes"), "one1999", "new")
    assert text_after(change, "left/b.md") == "Said. [@new]\n"
