"""A folder becomes a corpus; nothing in it keeps the rest from loading.

Of `kg/corpus/cache/corpus_cache.py`, too.
"""

from __future__ import annotations

import gc
import os
import tempfile
from pathlib import Path

import pytest

from kg import loader
from kg.files.read_files import NotesFolder
from kg.loader import load_changed, load_corpus, load_note_by_note, load_remembered
from kg.model.settings.config import ConfigError
from kg.notes.note_listing import NoSuchFolder
from tests.support.every_row import every_row

CLAIM = "---\ntype: claim\n---\n\n# {}\n\n{}\n"


def _write(folder: Path, **files: str | bytes) -> None:
    for name, text in files.items():
        place = folder / name.replace("__", "/").replace("_dot_", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())


def test_a_folder_becomes_a_corpus(tmp_path: Path) -> None:
    _write(
        tmp_path,
        claims__a_dot_md=CLAIM.format("A", "[@wu2025] and [@li2020]\n\n- supports:: [B](../b.md)"),
        b_dot_md=CLAIM.format("B", ""),
        references_dot_bib="@article{wu2025, title={W}}",
        references_dot_json='[{"id": "li2020", "title": "L"}]',
        kg_dot_toml='name = "Mine"',
    )
    corpus = load_corpus(str(tmp_path))
    assert (list(corpus.statements), list(corpus.sources)) == (["b", "a"], ["wu2025", "li2020"])
    assert [(e.origin, e.target, e.span.path) for e in corpus.edges] == [("a", "b", "claims/a.md")]
    assert (corpus.config.name, corpus.folder, corpus.diagnostics) == (
        "Mine",
        NotesFolder.from_path(tmp_path),
        (),
    )


def test_broken_files_are_one_problem_each_and_the_rest_loads(tmp_path: Path) -> None:
    _write(
        tmp_path,
        good_dot_md=CLAIM.format("Good", ""),
        binary_dot_md=b"\x89PNG\0\0",
        latin_dot_md="---\ntype: claim\n---\né".encode("latin-1"),
        bomb_dot_md="---\na: " + "[" * 50_000 + "\n---\n",
        broken_dot_md="---\ntitle: a: b\n---\n",
        untyped_dot_md="# Just a page\n",
        references_dot_bib="@article{x title={}}",
        references_dot_json="{",
    )
    corpus = load_corpus(tmp_path)
    assert list(corpus.statements) == ["good"]
    assert sorted((p.span.path, p.rule) for p in corpus.diagnostics) == [
        ("binary.md", "unreadable-file"),
        ("bomb.md", "broken-front-matter"),
        ("broken.md", "broken-front-matter"),
        ("latin.md", "unreadable-file"),
        ("references.bib", "broken-bibliography"),
        ("references.json", "broken-bibliography"),
        ("untyped.md", "missing-type"),
    ]


def test_an_empty_folder_is_an_empty_corpus(tmp_path: Path) -> None:
    assert len(load_corpus(tmp_path)) == 0


def test_a_missing_folder_and_broken_settings_are_errors(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFolder):
        load_corpus(tmp_path / "gone")
    _write(tmp_path, kg_dot_toml="name = ")
    with pytest.raises(ConfigError, match=r"kg\.toml"):
        load_corpus(tmp_path)


@every_row("text_here", [".", "a", "a/b"])
def test_settings_beside_the_notes_count_wherever_one_stands(
    text_here: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    _write(tmp_path, kg_dot_toml='name = "Mine"', notes__a__b__c_dot_md=CLAIM.format("C", ""))
    monkeypatch.chdir(notes / text_here)
    assert load_corpus(os.path.relpath(notes)).config.name == "Mine"


def test_bibliographies_beside_the_settings_are_read_and_those_named_are_missed(
    tmp_path: Path,
) -> None:
    _write(
        tmp_path,
        kg_dot_toml='bibliographies = ["more/named.bib", "gone.bib"]',
        notes__a_dot_md=CLAIM.format("A", ""),
        own_dot_bib="@misc{own, title={O}}\n@misc{broken",
        _dot_hidden_dot_bib="@misc{hidden, title={H}}",
        other_dot_txt="@misc{other, title={T}}",
        more__named_dot_bib="@misc{named, title={N}}",
    )
    (tmp_path / "same.bib").symlink_to(tmp_path / "own.bib")
    corpus = load_corpus(tmp_path / "notes")
    assert set(corpus.sources) == {"own", "named"}
    assert [(each.rule, each.span.path) for each in corpus.diagnostics] == [
        ("unreadable-file", "../gone.bib"),
        ("broken-bibliography", "../own.bib"),
    ], "a file with two names is read once"


def test_settings_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "kg.toml").write_bytes('\ufeffname = "Of our own"\n'.encode())
    assert load_corpus(tmp_path).config.name == "Of our own"


def test_the_garbage_collector_is_left_as_it_was(tmp_path: Path) -> None:
    for state in (True, False):
        (gc.enable if state else gc.disable)()
        try:
            load_corpus(tmp_path)
            assert gc.isenabled() is state
        finally:
            gc.enable()


def test_loading_writes_nothing(tmp_path: Path) -> None:
    _write(tmp_path, a_dot_md=CLAIM.format("A", ""))
    load_corpus(tmp_path)
    assert [p.name for p in tmp_path.rglob("*")] == ["a.md"]


@every_row("path", ["README.md", "claims/README.md"])
def test_what_is_no_note_on_the_disk_is_none_in_a_change(tmp_path: Path, path: str) -> None:
    assert load_changed(tmp_path, {path: b"---\ntype: claim\n---\n\n# A\n"}).statements == {}


@every_row("minimum", [0, 2, 3])
def test_drafts_are_left_out_unless_asked_for(tmp_path: Path, minimum: int) -> None:
    notes = tmp_path / "notes"
    draft = CLAIM.format("D", "").replace("claim", "claim\nstatus: draft")
    _write(notes, a_dot_md=CLAIM.format("A", ""), d_dot_md=draft)
    for drafts, expected in ((False, ["a"]), (True, ["a", "d"])):
        assert list(load_corpus(notes, drafts=drafts).statements) == expected
        for _ in range(3):  # read, remembered, and remembered whole
            kept_corpus = load_remembered(notes, tmp_path / "kept", minimum, drafts=drafts)
            assert list(kept_corpus.statements) == expected
    assert (tmp_path / "kept").exists() is (minimum <= 2)


@every_row(("text", "is_kept"), [(CLAIM.format("B", ""), True), (b"\xe9", False)])
def test_a_corpus_is_kept_whole_only_if_each_file_could_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | bytes, is_kept: bool
) -> None:
    monkeypatch.setattr("kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18))
    notes = tmp_path / "notes"
    _write(notes, a_dot_md=CLAIM.format("A", ""), b_dot_md=text)
    for _ in range(3):
        load_remembered(notes, tmp_path / "kept")
    assert (tmp_path / "kept.corpus").exists() is is_kept


def test_ignored_bibliographies_are_not_read_wherever_they_are(tmp_path: Path) -> None:
    names = (
        "notes/in.bib",
        "notes/no.bib",
        "beside.bib",
        "no.bib",
        "more/named.bib",
        "more/no.bib",
    )
    files = {name: f"@misc{{{name.replace('/', '-')}, title={{T}}}}" for name in names}
    settings = 'bibliographies = ["more/named.bib", "more/no.bib"]\nignore = ["**/no.bib"]'
    _write(tmp_path, **files, notes__a_dot_md=CLAIM.format("A", ""), kg_dot_toml=settings)
    corpus = load_corpus(tmp_path / "notes")
    assert set(corpus.sources) == {"notes-in.bib", "beside.bib", "more-named.bib"}


def test_a_change_replaces_notes_and_bibliographies_and_leaves_the_others(tmp_path: Path) -> None:
    _write(
        tmp_path,
        a_dot_md=CLAIM.format("A", ""),
        b_dot_md=CLAIM.format("B", ""),
        c_dot_md=CLAIM.format("C", ""),
        references_dot_bib="@article{old, title={Old}}",
        kept_dot_bib="@article{kept, title={Kept}}",
    )
    changed = load_changed(
        tmp_path,
        {
            "a.md": CLAIM.format("Other", "").encode(),
            "b.md": None,
            "d.md": CLAIM.format("D", "").encode(),
            "references.bib": b"@article{new, title={New}}",
        },
    )
    titles = {id: each.title for id, each in changed.statements.items()}
    assert titles == {"a": "Other", "c": "C", "d": "D"}
    assert {*changed.sources} == {"kept", "new"}
    assert {*load_corpus(tmp_path).sources} == {"kept", "old"}


@every_row("notes_at_once", [1, 2, 3, 9])
def test_notes_read_in_runs_are_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes_at_once: int
) -> None:
    monkeypatch.setattr(loader, "NOTES_AT_ONCE", notes_at_once)
    _write(tmp_path, **{f"{name}_dot_md": CLAIM.format(name, "") for name in "abc"})
    with tempfile.TemporaryFile() as file:
        _, notes = load_note_by_note(tmp_path, file)
        ids = [each.id for note in notes for each in note.records.statements]
    assert ids == ["a", "b", "c"]
