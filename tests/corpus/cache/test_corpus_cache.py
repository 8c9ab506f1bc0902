"""The corpus that is kept is the corpus that is read, whatever happens between two runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from importlib import import_module
from pathlib import Path

import pytest

from kg.corpus import Corpus
from kg.corpus.cache.corpus_cache import load_cached
from kg.files.cache_files import CacheEntry, SealedParts
from kg.loader import NotesChanged, load_corpus, load_remembered
from kg.notes.notes_cache import notes_cache_file as find_place

NOTE = """---
type: claim
camp: owls
topics: [{0}]
---

# Title {0}

See [[b]], [[b#^nothing]] and [[nowhere]]. [@k] It lies > 4 km off.

> [!evidence] Seen at {0} ^seen
> In one place. (reason:: seeing it is one)

- supports:: [[{1}]] — why
- undercuts:: [[a#^seen]] — why not
- refutes:: [[b]]
"""
LINE = "---\ntype: line\nproposition: a\n---\n\n# Line?\n\n- optimist:: [[a]] — x\n- next:: What?\n"
Edit = Callable[[Path], object]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18)
    )  # every file is old enough
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, other in (("a", "b"), ("b", "c")):
        (notes / f"{name}.md").write_text(NOTE.format(name, other), "utf-8")
    (notes / "line.md").write_text(LINE, "utf-8")
    (notes / "broken.md").write_text("---\ntype: claim\ntitle: a: b\n---\n", "utf-8")
    (notes / "references.bib").write_text("@misc{k, title={K}}\n@misc{k, title={L}}", "utf-8")
    return notes


def cache_place(folder: Path) -> Path:
    place = find_place(folder)
    assert place is not None
    return place


def _load(folder: Path) -> Corpus:
    return load_remembered(folder, cache_place(folder))


def _place(folder: Path) -> Path:
    return cache_place(folder).with_suffix(".corpus")


def _same(one: Corpus, other: Corpus) -> bool:
    names = [field.name for field in fields(one) if field.init]
    return all(getattr(one, name) == getattr(other, name) for name in names)


def test_a_corpus_is_kept_when_it_was_the_same_twice(folder: Path) -> None:
    fresh = load_corpus(folder)
    for there in (False, True, True):
        assert _same(_load(folder), fresh)
        assert _place(folder).exists() is there


def test_what_is_kept_is_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _load(folder), _load(folder)
    monkeypatch.setattr(import_module("kg.loader"), "NotesCache", None)
    assert _same(_load(folder), load_corpus(folder))


EDITS: dict[str, Edit] = {
    "a word": lambda notes: (notes / "a.md").write_text(NOTE.format("z", "b"), "utf-8"),
    "a new note": lambda notes: (notes / "c.md").write_text(NOTE.format("c", "a"), "utf-8"),
    "a note gone": lambda notes: (notes / "b.md").unlink(),
    "another name": lambda notes: (notes / "b.md").rename(notes / "c.md"),
    "a camp": lambda notes: (notes.parent / "kg.toml").write_text(
        '[[camps]]\nid = "owls"\nlabel = "Owls"\n', "utf-8"
    ),
    "a source": lambda notes: (notes / "references.bib").write_text("@misc{j, title={J}}", "utf-8"),
    "an unread file": lambda notes: (notes / "d.markdown").write_text("x", "utf-8"),
    "the kept file": lambda notes: _place(notes).write_bytes(b"x" * 99),
    "its end": lambda notes: _place(notes).write_bytes(_place(notes).read_bytes()[:-9]),
    "a letter of it": lambda notes: _place(notes).write_bytes(
        _place(notes).read_bytes().replace(b"In one place", b"In two parts")
    ),
    "a folder": lambda notes: (_place(notes).unlink(), _place(notes).mkdir()),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_is_never_missed(folder: Path, edit: Edit) -> None:
    _load(folder), _load(folder)
    edit(folder)
    fresh = load_corpus(folder)
    for _ in range(3):
        assert _same(_load(folder), fresh)


def test_young_files_are_not_trusted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", 2_000_000_000)
    for _ in range(3):
        _load(folder)
    assert not _place(folder).exists()


def test_a_note_that_could_not_be_read_for_a_while_is_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows an editor may hold a file; when it lets go, the file looks as it did."""
    _load(folder)
    (folder / "c.md").write_text(NOTE.format("c", "a"), "utf-8")
    open_file = os.open

    def held_open(place: str, *more: int, **where: int | None) -> int:
        if str(place).endswith("c.md"):
            raise PermissionError(13, "another process is using the file")
        return open_file(place, *more, **where)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", held_open)
        for _ in range(3):
            assert "c" not in _load(folder).statements
    assert _same(_load(folder), load_corpus(folder))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_not_unicode_can_be_kept(folder: Path) -> None:
    (folder / os.fsdecode(b"\xff.markdown")).write_text("x", "utf-8")
    for _ in range(3):
        assert _same(_load(folder), load_corpus(folder))
    assert _place(folder).exists()
    paths = [problem.span.path for problem in _load(folder).diagnostics]
    assert "\\udcff.markdown" in paths


def test_nothing_is_left_beside_the_kept_file(folder: Path) -> None:
    _load(folder), _load(folder)
    names = sorted(os.listdir(cache_place(folder).parent))
    assert names == ["folder", "notes", "notes.corpus"]


def _corpus_from_cache(folder: Path) -> Corpus:
    """The corpus as it was kept, of which nothing has been read yet."""
    _load(folder), _load(folder)
    return _load(folder)


def _damage(place: Path) -> None:
    """Spoil every part, but not their list."""
    data = bytearray(place.read_bytes())
    data[len(data) // 2 :] = bytes(len(data) - len(data) // 2)
    with place.open("r+b") as file:  # the very file that is in use
        file.write(data)


def test_only_what_is_asked_for_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.corpus.cache.cached_records.RECORDS_PER_BLOCK", 1)
    corpus, fresh, read = _corpus_from_cache(folder), load_corpus(folder), []
    part = SealedParts.part
    monkeypatch.setattr(SealedParts, "part", lambda of, n: read.append(n) or part(of, n))
    assert list(corpus.statements) == list(fresh.statements)
    assert len(read) == 1  # the ids
    assert corpus.statements["b"] == fresh.statements["b"]
    assert len(read) == 2
    assert corpus.edges_to["b"] == fresh.edges_to["b"]
    assert len(read) == 3 + len(fresh.edges_to["b"])


def test_drafts_are_kept_apart(folder: Path) -> None:
    (folder / "d.md").write_text(NOTE.format("d", "a").replace("type:", "status: draft\ntype:"))
    for _ in range(3):
        for drafts in (False, True):
            corpus = load_remembered(folder, cache_place(folder), drafts=drafts)
            assert _same(corpus, load_corpus(folder, drafts=drafts))


def test_another_process_may_keep_another_corpus_meanwhile(folder: Path) -> None:
    corpus, fresh = _corpus_from_cache(folder), load_corpus(folder)
    (folder / "a.md").write_text(NOTE.format("z", "b"), "utf-8")
    for _ in range(3):
        _load(folder)
    assert _same(corpus, fresh)
    assert not _same(_load(folder), fresh)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the file is read whole")
def test_what_is_damaged_while_it_is_in_use_is_read_from_the_notes(folder: Path) -> None:
    corpus, fresh = _corpus_from_cache(folder), load_corpus(folder)
    _damage(_place(folder))
    assert _same(corpus, fresh)
    assert corpus.best_guess is not None
    assert _same(_load(folder), fresh)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the file is read whole")
@pytest.mark.parametrize(
    ("name", "text"), [("a.md", NOTE.format("z", "b")), ("kg.toml", 'ignore = ["b.md"]\n')]
)
def test_no_answer_is_made_of_two_states_of_the_notes(folder: Path, name: str, text: str) -> None:
    corpus = _corpus_from_cache(folder)
    _damage(_place(folder))
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(NotesChanged, match="try again"):
        _ = *corpus.mentions, *corpus.edges, *corpus.statements


def test_only_the_cached_corpus_itself_has_the_fingerprint_of_the_cache(folder: Path) -> None:
    assert load_corpus(folder).provenance.cache_fingerprint is None
    corpus = _corpus_from_cache(folder)
    assert corpus.provenance.cache_fingerprint
    assert replace(corpus, aliases={}).provenance.cache_fingerprint is None


def test_after_a_damaged_part_all_else_is_of_the_notes_as_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = _corpus_from_cache(folder)
    entry = CacheEntry(_place(folder), corpus.provenance.cache_fingerprint or b"")
    (folder / "a.md").write_text(NOTE.format("z", "b"), "utf-8")
    later = load_corpus(folder)
    cached = load_cached(entry, corpus.config, corpus.folder, lambda: later)
    assert cached is not None
    with monkeypatch.context() as patch:
        patch.setattr(SealedParts, "part", lambda *_: None)
        assert cached.mentions == later.mentions
    assert cached.statements == later.statements != corpus.statements
