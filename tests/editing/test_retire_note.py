"""A note retired."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.corpus import UnknownId
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.retire_note import retire_note
from kg.loader import load_changed, load_corpus
from kg.model import Status
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.every_row import every_row


def test_a_note_is_retired_for_another(tmp_path: Path) -> None:
    texts = {"a.md": CLAIM.format("a"), "b.md": CLAIM.format("b") + "- supports:: [[a]] — so\n"}
    folder = write(tmp_path, texts)
    corpus = load_corpus(folder)
    change = retire_note(FolderFiles(folder), corpus, "a", "b")
    assert text_after(change, "a.md") == texts["a.md"].replace(
        "claim\n", "claim\nstatus: retired\n"
    )
    assert text_after(change, "b.md") == texts["b.md"] + "- supersedes:: [[a]]\n"
    after = load_changed(folder, change.files_after)
    assert after.statements["a"].status is Status.RETIRED
    assert [edge.relation.value for edge in after.edges] == ["supports", "supersedes"]
    change = retire_note(FolderFiles(folder), corpus, "b", "a")
    assert text_after(change, "a.md") == CLAIM.format("a").rstrip() + "\n\n- supersedes:: [[b]]\n"
    with pytest.raises(NotEditable, match="itself"):
        retire_note(FolderFiles(folder), corpus, "a", "a")
    (folder / "e.md").write_text("---\ntype: evidence\n---\n\n# E\n\n[@x]\n")
    with pytest.raises(NotEditable, match="not of the kind"):
        retire_note(FolderFiles(folder), load_corpus(folder), "a", "e")
    with pytest.raises(UnknownId):
        retire_note(FolderFiles(folder), corpus, "zz")


def test_a_line_is_retired_for_a_line_but_not_for_a_claim(tmp_path: Path) -> None:
    lines = {f"{id}.md": f"---\ntype: line\n---\n\n# {id}\n" for id in "kl"}
    folder = write(tmp_path, {"a.md": CLAIM.format("a"), **lines})
    corpus = load_corpus(folder)
    change = retire_note(FolderFiles(folder), corpus, "k", "l")
    assert "- supersedes:: [[k]]" in text_after(change, "l.md")
    with pytest.raises(NotEditable, match="not of the kind"):
        retire_note(FolderFiles(folder), corpus, "k", "a")


@every_row("status", ["status: draft", "status:", "Status: 'draft'", "status: draft # x"])
def test_a_status_that_is_there_is_replaced(tmp_path: Path, status: str) -> None:
    text = f"---\ntype: claim\n{status}\ncreated: 2026-01-01\n---\n\n# A\n"
    folder = write(tmp_path, {"a.md": text})
    change = retire_note(FolderFiles(folder), load_corpus(folder, drafts=True), "a")
    wording = status.replace("draft", "retired") if "draft" in status else "status: retired"
    assert text_after(change, "a.md") == text.replace(status, wording)
