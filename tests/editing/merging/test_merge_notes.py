"""Two notes made one: what both say is said once, and what leads to either leads to the one."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.corpus import UnknownId
from kg.editing.change import Change
from kg.editing.change_effect import effect_of
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.merging.merge_notes import merge_notes
from kg.files.read_files import NotesFolder
from kg.loader import load_changed, load_corpus
from kg.reasoning import judgements_of
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.every_row import every_row
from tests.support.linked_notes import SETTINGS

KEPT = """---
type: claim
camp: left
topics: [one]
aliases: before
---

# Kept

Said.

- supports:: [[c]] — first
- same-as:: [[old]]
"""
OLD = """---
type: claim
camp: optimist
topics: [one, two]
aliases: [older]
open: why not
created: 2026-01-01
---

# Old

Also [said](../c.md).

- supports:: [[c]] — again ^twice
- qualifies:: [[c]] — but ^but

> [!evidence] Seen ^seen
> [@x] [[#^but]]
"""
MERGED = """---
type: claim
camp: left
topics: [one, two]
aliases: [before, old, older]
created: 2026-01-01
open: why not
---

# Kept

Said.

- supports:: [[c]] — first

## Old

Also [said](c.md).

- qualifies:: [[c]] — but ^but

> [!evidence] Seen ^seen
> [@x] [[#^but]]
"""
C = (
    CLAIM.format("c")
    + """[[old#^seen]] [[older]] [w](x/old.md) [[x/old.md|w]]

- depends-on:: [[kept]] — so
- depends-on:: [[old]] — so
- undercuts:: [[old#^but]] — no
"""
)
LINE = "---\ntype: line\nproposition: old\n---\n\n# L\n\n- left:: [[kept]]\n- left:: [[old]]\n"
JUDGED = "edge,annotator,label\nold#but,me,supports\nc--depends-on--kept,me,supports\n"


def change_by_merge(folder: Path, keep: str, drop: str, **more: bool) -> Change:
    return merge_notes(FolderFiles(folder), load_corpus(folder), keep, drop, **more)


def test_two_claims_become_one(tmp_path: Path) -> None:
    notes = {"kept.md": KEPT, "x/old.md": OLD, "c.md": C, "l.md": LINE, "kg.toml": SETTINGS}
    folder = write(tmp_path, {**notes, "judgements/x.csv": JUDGED})
    before = load_corpus(folder)
    change = change_by_merge(folder, "kept", "old")
    assert text_after(change, "kept.md") == MERGED
    assert change.files_after["x/old.md"] is None
    links = "[[kept#^seen]] [[older]] [w](kept.md) [[x/kept.md|w]]"
    items = "- depends-on:: [[kept]] — so\n- undercuts:: [[kept#^but]] — no\n"
    assert text_after(change, "c.md") == CLAIM.format("c") + f"{links}\n\n{items}"
    line = LINE.replace("proposition: old", "proposition: kept").replace("- left:: [[old]]\n", "")
    assert text_after(change, "l.md") == line
    after = load_changed(folder, change.files_after)
    assert after.unresolved_edges == ()
    assert after.dead_links == ()
    assert len(judgements_of(after).rows) == 2
    effect_of(before, change, NotesFolder.from_path(folder))  # nothing that would be refused
    assert "old had the camp optimist" in change.remarks


@every_row(
    ("count", "message"),
    [(3, "c1 — so; old supports c2 — so"), (4, "old supports c2 — so and 1 more")],
)
def test_the_first_three_links_that_both_have_are_named(
    count: int, message: str, tmp_path: Path
) -> None:
    items = "".join(f"- supports:: [[c{n}]] — so\n" for n in range(count))
    notes = {f"{id}.md": CLAIM.format(id) + items for id in ("kept", "old")}
    notes |= {f"c{n}.md": CLAIM.format(n) for n in range(count)}
    change = change_by_merge(write(tmp_path, notes), "kept", "old")
    [remark] = [each for each in change.remarks if each.startswith("left out")]
    assert remark.endswith(message)


def test_what_was_reviewed_apart_is_not_reviewed_as_one(tmp_path: Path) -> None:
    head = "---\ntype: claim\n{}---\n\n# {}\n\nSaid.\n"
    kept_text = "created: 2026-02-02\nupdated: 2026-03-03\nreviewed: 2026-04-04\n"
    old = "created: 2026-01-01\nupdated: 2026-05-05\nreviewed: 2026-04-04\nopen: to be seen\n"
    text = "\n> [!evidence] Seen\n> (method:: anecdote)\n"
    notes = {"kept.md": head.format(kept_text, "Kept") + text, "old.md": head.format(old, "Old")}
    change = change_by_merge(write(tmp_path, notes), "kept", "old")
    dates = "created: 2026-01-01\nupdated: 2026-05-05\n"
    assert text_after(change, "kept.md").startswith(
        f"---\ntype: claim\n{dates}aliases: [old]\n---\n"
    )
    message = " ".join(change.remarks)
    assert all(f"`{key}`" in message for key in ("created", "updated", "reviewed", "open"))


def test_what_cannot_be_one_is_refused(tmp_path: Path) -> None:
    text = "---\ntype: evidence\n---\n\n# E\n\n[@x]\n"
    against = CLAIM.format("b") + "- contradicts:: [[a]] — no\n"
    folder = write(tmp_path, {"a.md": CLAIM.format("a"), "b.md": against, "e.md": text})
    with pytest.raises(NotEditable, match="--force"):
        change_by_merge(folder, "a", "b")
    change = change_by_merge(folder, "a", "b", force=True)
    assert text_after(change, "a.md").endswith("# Said of a\n\n")
    assert "aliases: [b]" in text_after(change, "a.md")
    for keep, drop in (("a", "e"), ("a", "a")):
        with pytest.raises(NotEditable, match="not two claims"):
            change_by_merge(folder, keep, drop)
    with pytest.raises(UnknownId):
        change_by_merge(folder, "a", "zz")
    wording = "> [!evidence] E ^e\n> [@x]\n"
    write(tmp_path, {name: CLAIM.format(name) + wording for name in ("f.md", "g.md")})
    with pytest.raises(NotEditable, match="kg rename g#e"):
        change_by_merge(folder, "f", "g")


@every_row("item", ["[[b]], [[c]]", "[[c]], [[b]]"])
def test_a_reason_for_what_is_merged_stays_one_for_its_other_target(
    item: str, tmp_path: Path
) -> None:
    notes = {f"{name}.md": CLAIM.format(name) for name in "bc"}
    folder = write(tmp_path, {**notes, "a.md": f"{CLAIM.format('a')}- supports:: {item} — so\n"})
    assert "- supports:: [[c]] — so\n" in text_after(
        change_by_merge(folder, "a", "b", force=True), "a.md"
    )


@every_row("item", ["[[b]], [w](c.md)", "[w](c.md) [[b]]", "[w](b.md), [[c]]"])
def test_one_of_several_targets_is_taken_out_by_hand_unless_all_are_wikilinks(
    item: str, tmp_path: Path
) -> None:
    notes = {f"{name}.md": CLAIM.format(name) for name in "bc"}
    folder = write(tmp_path, {**notes, "a.md": f"{CLAIM.format('a')}- supports:: {item} — so\n"})
    with pytest.raises(NotEditable, match="by hand"):
        change_by_merge(folder, "a", "b", force=True)


def test_two_topics_become_one(tmp_path: Path) -> None:
    both = "---\ntype: claim\ntopics: [x, norms, ways]\n---\n\n# A\n"
    alone = both.replace("x, ", "")
    folder = write(tmp_path, {"a.md": both, "b.md": both.replace(", ways", ""), "c.md": alone})
    change = change_by_merge(folder, "ways", "norms")
    assert text_after(change, "a.md") == both.replace("norms, ", "")
    assert text_after(change, "b.md") == both.replace("norms, ways", "ways")
    assert text_after(change, "c.md") == alone.replace("norms, ", "")


@every_row(
    ("end", "text", "left"),
    [
        ("So.\n", "Said.", "So.\n\n## Said of old\n\nSaid.\n"),
        ("So.\n", "- supports:: [[c]] — so", "So.\n\n- supports:: [[c]] — so\n"),
        (
            "- qualifies:: [[c]] — but\n",
            "- supports:: [[c]] — so",
            "- qualifies:: [[c]] — but\n- supports:: [[c]] — so\n",
        ),
    ],
)
def test_what_the_other_says_stands_at_the_end(
    tmp_path: Path, end: str, text: str, left: str
) -> None:
    """Text that follows its title at once is whole, and relations go on the list that is there."""
    old = CLAIM.format("old").rstrip() + f"\n{text}\n"
    write(tmp_path, {"a.md": CLAIM.format("a") + end, "old.md": old, "c.md": CLAIM.format("c")})
    change = merge_notes(FolderFiles(tmp_path), load_corpus(tmp_path), "a", "old")
    assert text_after(change, "a.md").partition("# Said of a\n\n")[2] == left


def test_a_note_that_has_its_own_id_as_an_alias_is_merged(tmp_path: Path) -> None:
    head = "---\ntype: claim\n{}---\n\n# {}\n\nSaid.\n"
    notes = {"kept.md": head.format("aliases: [kept]\n", "Kept"), "old.md": head.format("", "Old")}
    change = change_by_merge(write(tmp_path, notes), "kept", "old")
    assert "aliases: [kept, old]\n" in text_after(change, "kept.md")
