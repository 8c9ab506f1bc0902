"""Part of a note moved: what leads to it, and within it, follows."""

from __future__ import annotations

from pathlib import Path

from kg.editing.folder_files import FolderFiles
from kg.editing.split_note import split_note
from kg.loader import load_changed, load_corpus
from tests.editing.edited_folder import CLAIM, now, write


def test_links_to_a_heading_that_moves_lead_to_it(tmp_path: Path) -> None:
    text = CLAIM.format("a") + (
        "[[#Deeper]] [t](#deeper)\n\n## Costs\n\nNaps cost sleep [@x, p. 3]. See [[#Costs]] and "
        "[[#After]].\n\n### Deeper\n\nMore [[#Deeper]].\n\n## After\n\nEnd.\n"
    )
    other = CLAIM.format("b") + "[[a#Costs]] [[a#Costs#Deeper|d]] [w](a.md#deeper) [[a#After]]\n"
    folder = write(tmp_path, {"a.md": text, "b.md": other})
    before = load_corpus(folder)
    change = split_note(FolderFiles(folder), before, "a", "Costs")
    assert now(change, "b.md") == CLAIM.format("b") + (
        "[[naps-cost-sleep]] [[naps-cost-sleep#Deeper|d]] "
        "[w](naps-cost-sleep.md#deeper) [[a#After]]\n"
    )
    assert (
        "[[naps-cost-sleep#Deeper]] [t](naps-cost-sleep.md#deeper)\n\n[[naps-cost-sleep]]\n"
        in now(change, "a.md")
    )
    assert now(change, "naps-cost-sleep.md").partition("---\n\n")[2] == (
        "# Naps cost sleep [@x, p. 3]\n\nSee [[naps-cost-sleep]] and [[a#After]].\n\n"
        "### Deeper\n\nMore [[#Deeper]].\n"
    )
    assert "the heading “Costs” is left out" in change.remarks
    assert not load_changed(folder, change.after).dead_links
