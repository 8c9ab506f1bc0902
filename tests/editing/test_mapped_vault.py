"""Changes of notes that were not written for `kg`: their own words stay, or nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.checks import check
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.format_notes import format_notes
from kg.editing.merging.merge_notes import merge_notes
from kg.editing.rename import rename
from kg.loader import load_corpus

SETTINGS = """
camps = []
ignore = ["Templates/**"]
[map]
links = true
keys = {kind = "type", tags = "topics"}
types = {research = "claim"}
titles = {"EVD - " = "evidence", "@" = "source"}
folders = {"." = "none"}
"""
NOTES = {
    "Naps help.md": "---\nkind: research\ntags: [rest]\n---\n# Naps help\n\n"
    "- [[EVD - They slept]] — it is so  \n- [[EVD - They slept well - @roe2020]]\n",
    "Rest helps.md": "---\nkind: research\ntags: [sleep]\nrating: 3\n---\n# Rest helps\n\nSo.\n",
    "EVD - They slept.md": "In a trial.\n",
    "EVD - They slept well - @roe2020.md": "In another.\n",
    "@roe2020.md": "A paper.\n",
    "Diary.md": "- [ ] \n",
    "Templates/Note.md": "---\nkind: research\n---\n# {{title}}  \n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    for name, text in {**NOTES, "kg.toml": SETTINGS}.items():
        place = tmp_path / "vault" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    return tmp_path / "vault"


def test_a_note_that_says_by_its_name_what_it_is_keeps_saying_it(vault: Path) -> None:
    files, corpus = FolderFiles(vault), load_corpus(vault)
    with pytest.raises(NotEditable, match="has its type from its name"):
        rename(files, corpus, "EVD - They slept", "slept")
    change = rename(files, corpus, "EVD - They slept", "EVD - All slept")
    assert "[[EVD - All slept]] — it is so" in (change.files_after["Naps help.md"] or b"").decode()
    assert rename(files, corpus, "Rest helps", "rest").files_after["rest.md"]


def test_two_notes_are_joined_in_the_words_of_the_vault(vault: Path) -> None:
    change = merge_notes(FolderFiles(vault), load_corpus(vault), "Rest helps", "Naps help")
    text = (change.files_after["Rest helps.md"] or b"").decode()
    assert text.startswith("---\nkind: research\ntags: [sleep, rest]\nrating: 3\naliases:")
    assert "topics" not in text


def test_what_is_not_read_as_a_note_is_not_formatted(vault: Path) -> None:
    assert set(format_notes(FolderFiles(vault)).files_after) == {"Naps help.md"}
    assert set(format_notes(FolderFiles(vault), ["Diary.md"]).files_after) == {"Diary.md"}


def test_a_key_in_the_name_of_a_linked_note_is_no_citation_to_mend(vault: Path) -> None:
    place = vault / "Rest helps.md"
    place.write_text(f"{place.read_text('utf-8')}\nSee [[EVD - They slept well - @roe2020]].\n")
    assert "almost-a-citation" not in {each.rule for each in check(load_corpus(vault))}
    place.write_text(f"{place.read_text('utf-8')}\nAs @roe2020 says.\n")
    assert "almost-a-citation" in {each.rule for each in check(load_corpus(vault))}
