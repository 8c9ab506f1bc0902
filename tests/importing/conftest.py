"""A folder into which files are imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.editing.apply_change import apply_change
from kg.editing.change import Change
from kg.editing.change_effect import effect_of
from kg.editing.folder_files import FolderFiles
from kg.files.read_files import NotesFolder
from kg.importing.importers import get_importer, read_import_input
from kg.importing.new_notes import import_notes
from kg.loader import load_corpus

Import = Callable[..., Change]


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of notes, and a cache of its own."""
    monkeypatch.setenv("KG_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def bring(notes: Path, tmp_path: Path) -> Import:
    """Imports files as the command does: `bring("kialo", {"a.txt": "…"})`."""

    def run(name: str, files: Mapping[str, str] | Path) -> Change:
        place = files if isinstance(files, Path) else tmp_path / "given"
        if not isinstance(files, Path):
            place.mkdir(exist_ok=True)
            for old in place.iterdir():
                old.unlink()
            for file, text in files.items():
                (place / file).write_text(text, "utf-8")
        folder = NotesFolder.from_path(notes)
        corpus = load_corpus(folder, drafts=True)
        importer = get_importer(name)
        imported = importer.read(read_import_input(importer, place, corpus.config.camps))
        change = import_notes(FolderFiles(folder), corpus, importer, imported)
        effect_of(corpus, change, folder)
        if change.files_after:
            apply_change(folder, change)
        return change

    return run


def load(notes: Path) -> Corpus:
    """The notes as they stand, drafts among them."""
    return load_corpus(notes, drafts=True)


def reasons_by_title(corpus: Corpus) -> set[tuple[str, str, str, str]]:
    """Who bears on whom, by titles: premises, relation, target and reason."""
    titles = {id: each.title for id, each in corpus.statements.items()}
    return {
        (
            " & ".join(titles[p] for p in e.premises),
            e.relation.value + "*" * e.goes_both_ways,
            titles.get(e.target, "a step"),
            e.reason,
        )
        for e in corpus.edges
    }
