"""A note retired."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.corpus import UnknownId
from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.retire_note import retire_note
from kg.loader import load_changed, load_corpus
from kg.model import Status
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.every_row import every_row

EVIDENCE = "---\ntype: evidence\n---\n\n# E\n\n[@x]\n"
LINE = "---\ntype: line\n---\n\n# {}\n"
SOURCE = "---\ntype: source\n---\n\n# S\n"


def retire(folder: Path, old: str, new: str = "") -> Change:
    return retire_note(FolderFiles(folder), load_corpus(folder), old, new)


def test_a_note_is_retired_for_another(tmp_path: Path) -> None:
    texts = {"a.md": CLAIM.format("a"), "b.md": CLAIM.format("b") + "- supports:: [[a]] — so\n"}
    folder = write(tmp_path, texts)
    change = retire(folder, "a", "b")
    assert text_after(change, "a.md") == texts["a.md"].replace(
        "claim\n", "claim\nstatus: retired\n"
    )
    assert text_after(change, "b.md") == texts["b.md"] + "- supersedes:: [[a]]\n"
    after = load_changed(folder, change.files_after)
    assert after.statements["a"].status is Status.RETIRED
    assert [edge.relation.value for edge in after.edges] == ["supports", "supersedes"]


def test_relations_follow_a_text_that_has_none_after_an_empty_line(tmp_path: Path) -> None:
    folder = write(tmp_path, {f"{id}.md": CLAIM.format(id) for id in "ab"})
    change = retire(folder, "b", "a")
    assert text_after(change, "a.md") == CLAIM.format("a").rstrip() + "\n\n- supersedes:: [[b]]\n"


def test_a_successor_that_supersedes_already_is_left_as_it_is(tmp_path: Path) -> None:
    texts = {"a.md": CLAIM.format("a"), "b.md": CLAIM.format("b") + "- supersedes:: [[a]]\n"}
    change = retire(write(tmp_path, texts), "a", "b")
    assert [*change.files_after] == ["a.md"]


@every_row(
    ("old", "new", "expected_message"),
    [
        ("a", "a", "cannot supersede itself"),
        ("a", "e", "not of the kind"),
        ("k", "a", "not of the kind"),
        ("k", "s", "not of the kind"),
        ("s", "a", "is a source"),
    ],
)
def test_a_note_of_another_kind_is_no_successor(
    tmp_path: Path, old: str, new: str, expected_message: str
) -> None:
    texts = {"a": CLAIM.format("a"), "e": EVIDENCE, "k": LINE.format("k"), "s": SOURCE}
    folder = write(tmp_path, {f"{id}.md": text for id, text in texts.items()})
    with pytest.raises(NotEditable, match=expected_message):
        retire(folder, old, new)


def test_an_id_that_no_note_has_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(UnknownId):
        retire(write(tmp_path, {"a.md": CLAIM.format("a")}), "zz")


def test_a_line_is_retired_for_a_line(tmp_path: Path) -> None:
    folder = write(tmp_path, {f"{id}.md": LINE.format(id) for id in "kl"})
    assert "- supersedes:: [[k]]" in text_after(retire(folder, "k", "l"), "l.md")


@every_row("status", ["status: draft", "status:", "Status: 'draft'", "status: draft # x"])
def test_a_status_that_is_there_is_replaced(tmp_path: Path, status: str) -> None:
    text = f"---\ntype: claim\n{status}\ncreated: 2026-01-01\n---\n\n# A\n"
    folder = write(tmp_path, {"a.md": text})
    change = retire_note(FolderFiles(folder), load_corpus(folder, drafts=True), "a")
    wording = status.replace("draft", "retired") if "draft" in status else "status: retired"
    assert text_after(change, "a.md") == text.replace(status, wording)
