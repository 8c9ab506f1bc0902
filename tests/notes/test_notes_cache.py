"""What the cache gives is what reading gives, whatever happened to the files or to the cache."""

from __future__ import annotations

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.loader import load_corpus, load_remembered
from kg.notes import notes_cache as cache_module
from kg.notes.note_listing import ListedFile, list_notes
from kg.notes.notes_cache import LatestNotes
from kg.notes.notes_cache import notes_cache_file as find_place
from tests.support.effort import examples
from tests.support.rights import needs_rights, rights_count

HEAD = "---\ntype: claim\ntopics: [{0}]\n---\n\n"
NOTE = HEAD + "# Title {0}\n\nSee [[b]]. [@k]\n\n- supports:: [[{1}]]\n"
LONG_AGO = 1_600_000_000_000_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name, other in (("a", "b"), ("b", "c"), ("c", "a")):
        _write(notes / f"{name}.md", NOTE.format(name, other))
    (notes / "broken.md").write_text("---\ntype: claim\ntitle: a: b\n---\n", "utf-8")
    (notes / "references.bib").write_text("@misc{k, title={K}}\n@misc{k, title={L}}", "utf-8")
    return notes


def cache_place(folder: Path) -> Path:
    place = find_place(folder)
    assert place is not None
    return place


def _write(place: Path, text: str, time: int = LONG_AGO) -> None:
    place.write_text(text, "utf-8")
    os.utime(place, ns=(time, time))


def _same(one: Corpus, other: Corpus) -> bool:
    names = [field.name for field in fields(one) if field.init]
    return all(getattr(one, name) == getattr(other, name) for name in names)


def _require_same_with_cache(folder: Path) -> None:
    """Loaded with and without the cache, twice, a folder gives one corpus."""
    fresh = load_corpus(folder)
    for _ in range(2):
        assert _same(load_remembered(folder, cache_place(folder)), fresh)


def _paths_parsed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The notes that a cached load parses."""
    parsed: list[str] = []
    read = cache_module.parse_note_files

    def spy(files, config):  # type: ignore[no-untyped-def]
        parsed.extend(file.path for file in files)
        return read(files, config)

    monkeypatch.setattr(cache_module, "parse_note_files", spy)
    load_remembered(folder, cache_place(folder))
    return parsed


def test_the_cache_stands_outside_of_the_folder(folder: Path) -> None:
    before = sorted(folder.parent.rglob("*"))
    _require_same_with_cache(folder)
    assert cache_place(folder).is_relative_to(os.environ["KG_CACHE_DIR"])
    assert cache_place(folder).exists()
    assert sorted(folder.parent.rglob("*")) == before


def test_only_changed_notes_are_parsed_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -(10**18))
    assert len(_paths_parsed(folder, monkeypatch)) == 4
    assert _paths_parsed(folder, monkeypatch) == []
    _write(folder / "b.md", NOTE.format("other", "a"))
    assert _paths_parsed(folder, monkeypatch) == ["b.md"]
    (folder / "a.md").unlink()
    _write(folder / "d.md", NOTE.format("d", "b"))
    assert _paths_parsed(folder, monkeypatch) == ["d.md"]
    _require_same_with_cache(folder)


def test_a_young_file_is_hashed_and_not_parsed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(_paths_parsed(folder, monkeypatch)) == 4
    assert _paths_parsed(folder, monkeypatch) == []


def test_a_change_within_one_tick_of_the_clock_is_seen(folder: Path) -> None:
    for number in range(5):
        _write(folder / "a.md", NOTE.format(number, "b"))  # same size, same time
        _require_same_with_cache(folder)
        assert load_remembered(folder, cache_place(folder)).statements["a"].title == (
            f"Title {number}"
        )


def test_a_touched_file_is_the_same_note(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _require_same_with_cache(folder)
    os.utime(folder / "a.md", ns=(LONG_AGO + 5, LONG_AGO + 5))
    assert _paths_parsed(folder, monkeypatch) == []
    _require_same_with_cache(folder)


@pytest.mark.parametrize("damage", [b"", b"not a cache", b"kg-sealed\x01" + b"\xff" * 5000])
def test_a_broken_cache_is_made_anew(
    folder: Path, damage: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    _require_same_with_cache(folder)
    cache_place(folder).write_bytes(damage)
    _require_same_with_cache(folder)
    assert _paths_parsed(folder, monkeypatch) == []


def test_the_cache_of_another_version_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(cache_module, "VERSION", "older")
        cache_module.code_version.cache_clear()
        _require_same_with_cache(folder)
    cache_module.code_version.cache_clear()
    assert len(_paths_parsed(folder, monkeypatch)) == 4
    assert _paths_parsed(folder, monkeypatch) == []


@pytest.mark.parametrize("package", ["pyromark", "yaml-rs"])
def test_what_other_packages_read_otherwise_is_read_again(
    package: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = cache_module.code_version.__wrapped__("notes")
    release = cache_module.version
    newer = {package: "99"}
    monkeypatch.setattr(cache_module, "version", lambda name: newer.get(name) or release(name))
    assert cache_module.code_version.__wrapped__("notes") != before


def test_a_file_from_the_far_future_is_read(folder: Path) -> None:
    try:
        os.utime(folder / "a.md", (14_000_000_000, 14_000_000_000))
    except (OSError, OverflowError):
        pytest.skip("this file system does not reach so far")
    _require_same_with_cache(folder)


def test_where_nothing_can_be_kept_the_notes_are_read(folder: Path) -> None:
    cache_place(folder).mkdir(parents=True)
    _require_same_with_cache(folder)
    shutil.rmtree(cache_place(folder).parent)
    (folder.parent / "file").write_text("a file where the folder should be", "utf-8")
    fresh = load_corpus(folder)
    assert _same(load_remembered(folder, folder.parent / "file" / "notes"), fresh)


@needs_rights
def test_a_cache_that_may_not_be_written_is_still_read(folder: Path) -> None:
    _require_same_with_cache(folder)
    cache_place(folder).chmod(0o400)
    cache_place(folder).parent.chmod(0o500)
    _write(folder / "a.md", NOTE.format("x", "b"))
    with rights_count():
        _require_same_with_cache(folder)
    cache_place(folder).parent.chmod(0o700)


def test_several_may_load_at_once(folder: Path) -> None:
    fresh = load_corpus(folder)
    with ThreadPoolExecutor(4) as pool:
        loads = pool.map(lambda _: load_remembered(folder, cache_place(folder)), range(12))
        assert all(_same(load, fresh) for load in loads)


def test_a_small_corpus_is_not_worth_a_cache(folder: Path) -> None:
    load_remembered(folder, cache_place(folder), 5)
    assert not cache_place(folder).exists()
    load_remembered(folder, cache_place(folder), 4)
    assert cache_place(folder).exists()


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["a.md", "b.md", "d.md", "x/a.md", "references.bib"]),
        st.sampled_from(["", "text", "---\ntype: claim\n---\n# T\n", NOTE.format("n", "a")])
        | st.sampled_from([NOTE.format("m", "b"), "@misc{k, title={M}}", None]),
        st.sampled_from([LONG_AGO, LONG_AGO + 1]),
    ),
    max_size=6,
)


@examples(6)
@given(EDITS)
def test_cached_is_fresh_after_any_edits(edits: list[tuple[str, str | None, int]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        notes = Path(place) / "notes"
        (notes / "x").mkdir(parents=True)
        _write(notes / "a.md", NOTE.format("a", "b"))
        for name, text, time in edits:
            if text is None:
                (notes / name).unlink(missing_ok=True)
            else:
                _write(notes / name, text, time)
            _require_same_with_cache(notes)


def test_notes_are_read_again_where_they_may_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(name: str, title: str) -> None:
        (tmp_path / f"{name}.md").write_text(f"---\ntype: claim\n---\n\n# {title}\n")

    def titles() -> dict[str, str]:
        return {note.path: note.statements[0].title for note in read(list_again()).parsed_notes}

    def list_again() -> tuple[ListedFile, ...]:
        return list_notes(tmp_path).notes

    read = LatestNotes().read_notes
    write("new", "New")
    write("old", "Old")
    assert titles() == {"new.md": "New", "old.md": "Old"}
    write("new", "Now")  # of the same size, at almost the same time
    assert titles()["new.md"] == "Now"
    monkeypatch.setattr(
        "kg.files.file_signatures.COARSEST_CLOCK_NANOSECONDS", -1_000_000_000
    )  # nothing is too young
    before = read(list_again()).parsed_notes
    write("more", "More")
    after = read(list_again()).parsed_notes
    assert [note.path for note in after] == ["more.md", "new.md", "old.md"]
    assert after[1] is before[0]
    assert after[2] is before[1]
    gone = list_again()
    (tmp_path / "old.md").unlink()
    assert [problem.span.path for problem in read(gone).diagnostics] == ["old.md"]
    assert titles() == {"more.md": "More", "new.md": "Now"}
    (tmp_path / "more.md").write_bytes(b" " * (4 * 1024 * 1024 + 1))
    assert titles() == {"new.md": "Now"}
