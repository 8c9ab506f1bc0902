"""Problems that are kept are those that would be found, whatever happens between two runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.checks import check
from kg.checks.diagnostics_cache import cached_diagnostics
from kg.corpus import Corpus
from kg.loader import load_corpus, load_remembered
from kg.model import Diagnostic
from kg.notes.notes_cache import notes_cache_file

NOTE = "---\ntype: claim\n---\n\n# Title {}\n\n![x](x.png) [@k]\n\n- supports:: [[{}]]\n"
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(8)
CONFLICT = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(
        "kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18)
    )  # every file is old enough
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, other in (("a", "b"), ("b", "c")):
        (notes / f"{name}.md").write_text(NOTE.format(name, other), "utf-8")
    (notes / "references.bib").write_text("@misc{k, title={K}}", "utf-8")
    return notes


def _problems(folder: Path) -> tuple[list[Diagnostic], bool]:
    """The problems as the command finds them, and whether any rule was run for that."""
    cache, ran = notes_cache_file(folder), []
    assert cache is not None
    corpus = load_remembered(folder, cache)

    def find(corpus: Corpus) -> list[Diagnostic]:
        ran.append(corpus)
        return check(corpus)

    return cached_diagnostics(corpus, "problems", find), bool(ran)


def _remember(folder: Path) -> None:
    for _ in range(3):
        _problems(folder)
    assert not _problems(folder)[1]


EDITS: dict[str, Callable[[Path], object]] = {
    "a note": lambda notes: (notes / "a.md").write_text(NOTE.format("z", "b"), "utf-8"),
    "a new note": lambda notes: (notes / "c.md").write_text(NOTE.format("c", "a"), "utf-8"),
    "the picture": lambda notes: (notes / "x.png").write_bytes(PICTURE),
    "a README": lambda notes: (notes / "README.md").write_text(CONFLICT, "utf-8"),
    "a judgement": lambda notes: (
        (notes / "judgements").mkdir(),
        (notes / "judgements" / "j.csv").write_text("x,y\n1,2\n", "utf-8"),
    ),
    "a snapshot": lambda notes: (notes / "k.md").write_text(
        "---\ntype: source\nsnapshot: s.txt\n---\n", "utf-8"
    ),
    "settings": lambda notes: (notes.parent / "kg.toml").write_text(
        'image_hosts = ["example.org"]\n', "utf-8"
    ),
    "what is kept": lambda notes: _place(notes).write_bytes(b"x" * 99),
    "a letter of it": lambda notes: _place(notes).write_bytes(
        _place(notes).read_bytes().replace(b"Title a", b"Title z")
    ),
}


def _place(folder: Path) -> Path:
    cache = notes_cache_file(folder)
    assert cache is not None
    return cache.with_suffix(".problems")


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_is_never_missed(folder: Path, edit: Callable[[Path], object]) -> None:
    _remember(folder)
    edit(folder)
    fresh = check(load_corpus(folder))
    for _ in range(4):
        problems, were_found = _problems(folder)
        assert problems == fresh
    assert were_found == (edit in (EDITS["a judgement"], EDITS["a snapshot"]))


def test_a_picture_that_changes_is_looked_at_again(folder: Path) -> None:
    (folder / "x.png").write_bytes(PICTURE)
    _remember(folder)
    (folder / "x.png").write_bytes(b"<script>")
    assert _problems(folder)[0] == check(load_corpus(folder))
    assert any(problem.rule == "file-not-published" for problem in _problems(folder)[0])


def test_a_corpus_made_of_a_kept_one_has_problems_of_its_own(folder: Path) -> None:
    from dataclasses import replace

    _remember(folder)
    cache = notes_cache_file(folder)
    assert cache is not None
    corpus = load_remembered(folder, cache)
    assert cached_diagnostics(replace(corpus, edges=()), "problems", check) != _problems(folder)[0]


def test_problems_are_not_cached_while_a_file_is_younger_than_the_clock_step(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _remember(folder)
    (folder / "x.png").write_bytes(PICTURE)
    monkeypatch.setattr("kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", 2_000_000_000)
    for place in folder.rglob("*.[mb]*"):
        os.utime(place, ns=(1, 1))
    for _ in range(4):
        assert _problems(folder)[1]
