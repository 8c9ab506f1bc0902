"""A section moved into a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.moving.split_note import split_note
from kg.loader import load_changed, load_corpus
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.every_row import every_row

SECTION = """## What *follows* ##

Then [[#^seen]], [[#^kept]] and [b](../x/b.md) [r].

- supports:: [[b]] — so ^t
- qualifies:: [[b]] — but

> [!evidence] Seen
> [@x]

### Deeper

More.
"""
NOTE = f"""---
type: claim
camp: left
topics: [one, "two words"]
---

# Said

Before.

{SECTION}
## After

> [!evidence] Kept ^kept
> [@x]

[r]: https://x.test
"""
OTHER = CLAIM.format("b") + "[[x/a#^seen]] [w](a.md#^seen)\n\n- undercuts:: [[a#^t]] — no\n"
OTHER += "- undercuts:: [[a--qualifies--b]] — no\n"
MADE = """---
type: claim
camp: left
topics: [one, two words]
---

# What *follows*

Then [[#^seen]], [[a#^kept]] and [b](../x/b.md) [r].

- supports:: [[b]] — so ^t
- qualifies:: [[b]] — but

> [!evidence] Seen
> [@x]

### Deeper

More.

[r]: https://x.test
"""


def test_a_section_becomes_a_note(tmp_path: Path) -> None:
    judged = "edge,annotator,label\na#seen--supports--a,me,supports\na#t,me,supports\n"
    notes = {"x/a.md": NOTE, "x/b.md": OTHER, "judgements/x.csv": judged}
    folder = write(tmp_path, notes)
    before = load_corpus(folder)
    change = split_note(FolderFiles(folder), before, "a", "what *follows*", "new")
    assert text_after(change, "x/new.md") == MADE
    assert text_after(change, "x/a.md") == NOTE.replace(SECTION, "[[new]]\n")
    assert text_after(change, "x/b.md") == OTHER.replace("a#^", "new#^").replace(
        "a.md#", "new.md#"
    ).replace("x/new#^", "new#^").replace("a--qualifies--b", "new--qualifies--b")
    assert text_after(change, "judgements/x.csv") == judged.replace(
        "a#seen--supports--a", "new#seen--supports--new"
    ).replace("a#t", "new#t")
    after = load_changed(folder, change.files_after)
    assert {edge.id for edge in after.edges} >= {"new#t", "new#seen--supports--new"}
    assert len(after.edges) == len(before.edges)
    for heading in ("Said", "Nothing"):
        with pytest.raises(NotEditable, match="no heading"):
            split_note(FolderFiles(folder), before, "a", heading)


def test_a_link_in_the_heading_to_what_stays_is_rewritten(tmp_path: Path) -> None:
    body = "## [[#^went]] and [[#^kept]] tell\n\n> [!claim] W ^went\n\n## B\n\n> [!claim] K ^kept\n"
    folder = write(tmp_path, {"a.md": CLAIM.format("a") + body})
    heading = "[[#^went]] and [[#^kept]] tell"
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", heading, "new")
    assert "\n# [[#^went]] and [[a#^kept]] tell\n" in text_after(change, "new.md")


def test_a_heading_with_nothing_below_it_makes_no_note(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"a.md": CLAIM.format("a") + "\n## A heading says it\n\n## More\n\nX.\n"}
    )
    with pytest.raises(NotEditable, match="there is no text under"):
        split_note(FolderFiles(folder), load_corpus(folder), "a", "A heading says it")


@every_row(("level", "next_level"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_a_section_ends_at_the_next_heading_that_is_not_below_it(
    tmp_path: Path, level: int, next_level: int
) -> None:
    after = f"{'#' * next_level} After\n\nTwo.\n"
    folder = write(tmp_path, {"a.md": f"{CLAIM.format('a')}{'#' * level} Moved\n\nOne.\n\n{after}"})
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "Moved", "new")
    assert (after in text_after(change, "a.md")) == (next_level <= level)
    assert (after in text_after(change, "new.md")) == (next_level > level)


@every_row(("letters", "is_title"), [(41, True), (120, True), (121, False)])
def test_a_first_sentence_of_up_to_120_letters_is_a_title(
    tmp_path: Path, letters: int, is_title: bool
) -> None:
    sentence = "Naps cost " + "y" * (letters - 16) + " sleep"
    folder = write(tmp_path, {"a.md": CLAIM.format("a") + f"\n## Costs\n\n{sentence}. More.\n"})
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "Costs", "new")
    assert len(sentence) == letters
    assert (f"# {sentence}\n\nMore.\n" in text_after(change, "new.md")) == is_title


def test_an_unknown_heading_is_refused_with_those_of_the_note(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": CLAIM.format("a") + "## First part\n\nOne.\n\n### Deeper\n\nTwo.\n"})
    for expected, hint in (("Frist part", "First part"), ("Zebra", "First part and Deeper")):
        with pytest.raises(
            NotEditable, match=f"no heading below the title '{expected}'; the note has {hint}$"
        ):
            split_note(FolderFiles(tmp_path), load_corpus(tmp_path), "a", expected)


def test_a_heading_that_stands_twice_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": CLAIM.format("a") + "## Part\n\nOne.\n\n## part\n\nTwo.\n"})
    with pytest.raises(NotEditable, match="several headings 'Part'; the note has Part"):
        split_note(FolderFiles(tmp_path), load_corpus(tmp_path), "a", "Part")


def test_a_link_in_a_heading_that_is_left_out_changes_nothing(tmp_path: Path) -> None:
    below = (
        "Naps cost much sleep. More in [[#^kept]].\n\n## Rest\n\n> [!evidence] Kept ^kept\n> x\n"
    )
    folder = write(tmp_path, {"a.md": CLAIM.format("a") + f"\n## [[#^kept]]\n\n{below}"})
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "[[#^kept]]", "new")
    assert text_after(change, "new.md") == (
        "---\ntype: claim\n---\n\n# Naps cost much sleep\n\nMore in [[a#^kept]].\n"
    )


def test_a_link_to_a_heading_that_stands_inside_and_outside_the_section_stays(
    tmp_path: Path,
) -> None:
    """Such a link leads to the first of the two, which is not moved."""
    headings = "## Kept\n\n### Deeper\n\nOne.\n\n## Moved\n\n### Deeper\n\nTwo.\n\n### Own\n\n3.\n"
    linking = CLAIM.format("b") + "[[a#Deeper]] and [[a#Own]]\n"
    folder = write(tmp_path, {"a.md": CLAIM.format("a") + headings, "b.md": linking})
    change = split_note(FolderFiles(folder), load_corpus(folder), "a", "Moved", "new")
    assert text_after(change, "b.md") == linking.replace("a#Own", "new#Own")
