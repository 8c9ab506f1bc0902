"""Globs of what is no part of a corpus."""

from __future__ import annotations

from pathlib import Path

from kg.loader import list_inputs, load_corpus
from kg.notes.ignore_globs import IgnoreGlobs
from tests.support.every_row import every_row


@every_row(
    ("glob", "path"),
    [
        ("Daily/**", "Daily/monday.md"),
        ("Daily/**", "Daily/2026/monday.md"),
        ("Daily/**", "Daily"),
        ("Daily", "Daily/monday.md"),
        ("Daily/", "Daily/monday.md"),
        ("./Daily/*.md", "Daily/monday.md"),
        ("**/draft-*.md", "draft-a.md"),
        ("**/draft-*.md", "a/b/draft-a.md"),
        ("a/**/b.md", "a/b.md"),
        ("caf\u00e9/**", "cafe\u0301/a.md"),
    ],
)
def test_a_glob_matches_paths(glob: str, path: str) -> None:
    assert IgnoreGlobs([glob]).matches(path)


@every_row(
    ("glob", "path"),
    [("Daily/**", "Dailys/a.md"), ("*.md", "a/b.md"), ("a/*/c.md", "a/c.md"), ("a/*", "a/")],
)
def test_a_glob_does_not_match_other_paths(glob: str, path: str) -> None:
    assert not IgnoreGlobs([glob]).matches(path)


def test_a_glob_of_many_stars_is_answered() -> None:
    assert not IgnoreGlobs(["**/*a" * 40 + "/z"]).matches("/".join(["a" * 60] * 40))


def test_ignored_notes_bibliographies_and_files_are_not_read(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "Templates").mkdir(parents=True)
    (tmp_path / "kg.toml").write_text('ignore = ["Templates/**", "old.bib", "*.png"]')
    for name in ("a.md", "Templates/t.md"):
        (notes / name).write_text("---\ntype: claim\n---\n# A claim\n")
    (notes / "old.bib").write_text("@book{old, title={Old}}")
    (notes / "x.png").write_text("")
    corpus = load_corpus(notes)
    assert set(corpus.statements) == {"a"}
    assert not corpus.sources
    assert [Path(file).name for file in list_inputs(notes)] == ["a.md"]


def test_a_folder_of_which_all_is_ignored_is_reported(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (tmp_path / "kg.toml").write_text('ignore = ["**"]')
    (notes / "a.md").write_text("---\ntype: claim\n---\n# A claim\n")
    assert [problem.message for problem in load_corpus(notes).diagnostics] == [
        "1 note left out by `ignore`, and there are no others"
    ]
