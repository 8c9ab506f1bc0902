"""Part of a note moved: what leads to it, and within it, follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.folder_files import FolderFiles, NotEditable, TextEdit, cut_text
from kg.editing.moving.move_part import definitions_for, link_path
from kg.editing.moving.split_note import split_note
from kg.loader import load_changed, load_corpus
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.every_row import every_row


def test_links_to_a_heading_that_moves_lead_to_it(tmp_path: Path) -> None:
    text = CLAIM.format("a") + (
        "[[#Deeper]] [t](#deeper)\n\n## Costs\n\nNaps cost sleep [@x, p. 3]. See [[#Costs]] and "
        "[[#After]].\n\n### Deeper\n\nMore [[#Deeper]].\n\n## After\n\nEnd.\n"
    )
    other = CLAIM.format("b") + "[[a#Costs]] [[a#Costs#Deeper|d]] [w](a.md#deeper) [[a#After]]\n"
    folder = write(tmp_path, {"a.md": text, "b.md": other})
    before = load_corpus(folder)
    change = split_note(FolderFiles(folder), before, "a", "Costs")
    assert text_after(change, "b.md") == CLAIM.format("b") + (
        "[[naps-cost-sleep]] [[naps-cost-sleep#Deeper|d]] "
        "[w](naps-cost-sleep.md#deeper) [[a#After]]\n"
    )
    assert (
        "[[naps-cost-sleep#Deeper]] [t](naps-cost-sleep.md#deeper)\n\n[[naps-cost-sleep]]\n"
        in text_after(change, "a.md")
    )
    assert text_after(change, "naps-cost-sleep.md").partition("---\n\n")[2] == (
        "# Naps cost sleep [@x, p. 3]\n\nSee [[naps-cost-sleep]] and [[a#After]].\n\n"
        "### Deeper\n\nMore [[#Deeper]].\n"
    )
    assert "the heading “Costs” is left out" in change.remarks
    assert not load_changed(folder, change.files_after).dead_links


def test_undercuts_follow_edges_without_a_name_that_move(tmp_path: Path) -> None:
    text = CLAIM.format("a") + (
        "## Costs\n\nNaps cost sleep.\n\n> [!evidence] Seen\n> So.\n> - qualifies:: [[a]]\n\n"
        "- supports:: [[b]]"
    )
    other = "- undercuts:: [[{}--supports--b]]\n- undercuts:: [[{}#^seen--qualifies--a]]\n"
    texts = {"a.md": text, "b.md": CLAIM.format("b") + other.format("a", "a")}
    folder = write(tmp_path, texts)
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "Costs")
    new_id = "naps-cost-sleep"
    assert text_after(change, "b.md") == CLAIM.format("b") + other.format(new_id, new_id)
    assert not load_changed(folder, change.files_after).unresolved_edges


def test_the_numbers_of_edges_with_the_same_ends_follow_which_of_them_part(tmp_path: Path) -> None:
    first, second = "- supports:: [[b]] — one\n", "- supports:: [[b]] — two\n"
    text = (
        CLAIM.format("a")
        + f"{first}{second}\n## Costs\n\nNaps cost.\n\n{first}\n## End\n\n{second}"
    )
    other = "".join(
        f"- undercuts:: [[a--supports--b{each}]]\n" for each in ("", "--2", "--3", "--4")
    )
    folder = write(tmp_path, {"a.md": text, "b.md": CLAIM.format("b") + other})
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "Costs")
    assert text_after(change, "b.md").splitlines()[-4:] == [
        "- undercuts:: [[a--supports--b]]",
        "- undercuts:: [[a--supports--b--2]]",
        "- undercuts:: [[costs--supports--b]]",
        "- undercuts:: [[a--supports--b--3]]",
    ]
    assert not load_changed(folder, change.files_after).unresolved_edges


def test_what_moves_is_cut_with_its_edits_and_takes_its_definitions_along() -> None:
    text = "[a]: x\n\nOne [a] [b] two.\n\n[b]: y\n"
    start, end = text.index("One"), text.index("two")
    b = text.index("[b] ")
    edits = [TextEdit(b, b + 3, "B"), TextEdit(start, start + 3, "1")]
    assert cut_text(text, start, end, edits) == "1 [a] B "
    with pytest.raises(NotEditable):
        cut_text(text, start, end, [TextEdit(start, b, ""), TextEdit(start + 1, b, "")])
    assert definitions_for("One [a]", text, start, end) == "[a]: x"
    assert definitions_for("One [a]", text, 0, end) == ""  # it moves itself


@every_row(
    ("target", "path", "link"),
    [
        ("x/b.md", "x/a.md", "b.md"),
        ("x/b.md", "a.md", "x/b.md"),
        ("ü (1).md", "x/a.md", "../%C3%BC%20%281%29.md"),
        ("ü.md", "a.md", "ü.md"),
    ],
)
def test_a_path_is_relative_and_escaped_only_where_it_must_be(
    target: str, path: str, link: str
) -> None:
    assert link_path(target, path) == link


def test_definitions_go_with_what_uses_them_and_stands_elsewhere() -> None:
    moved = "Said [a] and [c].\n\n[c]: https://c.test\n"
    text = f"[a]: https://a.test\n[b]: https://b.test\n\n{moved}"
    start = text.index(moved)
    assert definitions_for(moved, text, start, len(text)) == "[a]: https://a.test"


def test_links_to_a_paragraph_that_moves_lead_to_it_and_those_in_other_notes_stay(
    tmp_path: Path,
) -> None:
    text = CLAIM.format("a") + "## Costs\n\nNaps cost sleep [@x].\n\nMore. ^more\n"
    links = "[[{0}#^more]] [w]({0}.md#^more) [[#Costs]] [[#^own]]\n\nMine. ^own\n\n## Costs\n"
    folder = write(tmp_path, {"a.md": text, "b.md": CLAIM.format("b") + links.format("a")})
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "Costs")
    assert text_after(change, "b.md") == CLAIM.format("b") + links.format("naps-cost-sleep")
