"""Two keys of one work are made one: the entry goes, and citations follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.merging.merge_notes import merge_notes
from kg.editing.merging.merge_sources import merge_sources
from kg.loader import load_changed, load_corpus
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.every_row import every_row

ONE = "@book{one,\n  title = {A {\\{}B},\n  author = {C, D},\n}\n"
TWO = "@book{two,\n  title = {A, as of (1999},\n  author = {C, D},\n  doi = {10.1/x},\n}\n"
LAST = "@book{last,\n  title = {L},\n  crossref = {two},\n}\n"
SAID = "Said. [@two, p. 3; @last] and [[two]]\n"
NOTES = {
    "refs.bib": f"{ONE}\n{TWO}\n{LAST}",
    "a.md": CLAIM.format("a") + SAID,
    "l.md": "---\ntype: line\n---\n\n# L?\n",
    "m.md": "---\ntype: line\n---\n\n# M?\n",
}


def change_by_merge(folder: Path, keep: str, drop: str) -> Change:
    return merge_sources(FolderFiles(folder), load_corpus(folder), keep, drop)


def test_citations_follow_and_the_entry_goes(tmp_path: Path) -> None:
    folder = write(tmp_path, NOTES)
    before = load_corpus(folder)
    change = change_by_merge(folder, "one", "two")
    assert text_after(change, "refs.bib") == f"{ONE}\n{LAST.replace('two', 'one')}"
    assert text_after(change, "a.md") == CLAIM.format("a") + SAID.replace("two", "one")
    assert any("`doi`" in remark for remark in change.remarks)
    after = load_changed(folder, change.files_after)
    assert set(after.sources) == set(before.sources) - {"two"}
    assert len(after.unresolved_edges) == len(before.unresolved_edges)
    assert not after.dead_links


@every_row(
    ("before", "after"),
    [
        ("[@one; @two]", "[@one]"),
        ("[@two; @one]", "[@one]"),
        ("[@last; @two; @one]", "[@last; @one]"),
        ("[@one;@last;@two]", "[@one;@last]"),
        ("[see @one, p. 3; @two]", "[see @one, p. 3]"),
        ("[@one; @two, p. 3]", "[@one; @one, p. 3]"),
        ("[@one] [@two]", "[@one] [@one]"),
    ],
)
def test_one_pair_of_brackets_cites_a_work_once(tmp_path: Path, before: str, after: str) -> None:
    folder = write(tmp_path, NOTES | {"a.md": CLAIM.format("a") + f"Said. {before}\n"})
    assert (
        text_after(change_by_merge(folder, "one", "two"), "a.md")
        == CLAIM.format("a") + f"Said. {after}\n"
    )


def test_further_keys_stay_and_all_that_goes_is_reported(tmp_path: Path) -> None:
    two = (
        "@article{two, title={A}, ids={old, older}, abstract={Private words}, year={2001},\n"
        " journal={J}, annotation={N}}\n"
    )
    text = CLAIM.format("a") + "[@old; @two; @older]\n"
    for one, kept_fields in (
        (
            "@article{one, date={2001-02}, journaltitle={J}}\n",
            "@article{one,\n  ids = {old, older},",
        ),
        ("@article{one, ids={x}, date={2001}, journaltitle={J}}\n", "ids={old, older, x}"),
    ):
        folder = write(tmp_path, {"refs.bib": one + two, "a.md": text})
        change = change_by_merge(folder, "one", "two")
        assert kept_fields in text_after(change, "refs.bib")
        after = load_changed(folder, change.files_after)
        assert after.find_id("older") == "one"
        assert not after.unresolved_edges
        (remark,) = change.remarks
        assert "`title`, `abstract`, `annotation`: `kg undo`" in remark
        assert "Private" not in remark


def test_the_note_of_the_key_that_stays_keeps_the_other(tmp_path: Path) -> None:
    note = "---\ntype: source\n---\n\nWhat it shows.\n"
    references = NOTES["refs.bib"].replace("{two,", "{two,\n  ids = {older},")
    folder = write(tmp_path, {**NOTES, "one.md": note, "refs.bib": references})
    change = change_by_merge(folder, "one", "two")
    assert "aliases: [two, older]" in text_after(change, "one.md")
    assert load_changed(folder, change.files_after).find_id("two") == "one"
    with pytest.raises(NotEditable, match="kg merge one two"):
        change_by_merge(folder, "two", "one")
    write(folder, {"two.md": note})
    with pytest.raises(NotEditable, match="has a note"):
        change_by_merge(folder, "one", "two")


def test_a_source_or_a_line_is_not_merged_with_something_else(tmp_path: Path) -> None:
    files = FolderFiles(write(tmp_path, NOTES))
    for keep, drop, why in (("l", "m", "two questions"), ("a", "l", "not"), ("a", "one", "not")):
        with pytest.raises(NotEditable, match=why):
            merge_notes(files, load_corpus(tmp_path), keep, drop)
    with pytest.raises(NotEditable, match="already one source"):
        change_by_merge(tmp_path, "one", "one")
