"""Whatever is moved between notes, no link of any form comes to lead nowhere."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.checks import check
from kg.corpus import Corpus, UnresolvedReason
from kg.editing.change import Change
from kg.editing.fix_problems import make_fixes
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.format_notes import format_notes
from kg.editing.merging.merge_notes import merge_notes
from kg.editing.moving.promote_callout import promote_callout
from kg.editing.moving.split_note import split_note
from kg.editing.rename import rename
from kg.editing.retire_note import retire_note
from kg.loader import load_changed, load_corpus
from tests.editing.edited_folder import CLAIM, apply_here, files_of, write
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.linked_notes import LIBRARY, SETTINGS, blocks, linked_notes, note_text


def _count_unresolved(corpus: Corpus) -> int:
    """But for edges whose target became one of their premises: then the change is refused."""
    return sum(each.reason is not UnresolvedReason.OWN_PREMISE for each in corpus.unresolved_edges)


@examples(10)
@given(linked_notes(), blocks, blocks)
def test_what_a_split_section_says_stays(
    texts: dict[str, str], over: list[str], under: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as place:
        text = note_text("type: claim", "a", [*over, "## Cut", *under, "## Rest", "Words."])
        texts = {**texts, "a.md": text, "references.bib": LIBRARY, "kg.toml": SETTINGS}
        # a link to a heading that is not there is none, and leads to the note from another
        plain = {p: each.replace("[[#Heading]]", "[[nowhere]]") for p, each in texts.items()}
        folder = write(Path(place), plain)
        before = load_corpus(folder)
        if not under:
            with pytest.raises(NotEditable, match="there is no text under 'Cut'"):
                split_note(FolderFiles(folder), before, "a", "Cut", "cut")
            return
        change = split_note(FolderFiles(folder), before, "a", "Cut", "cut")
        after = load_changed(folder, change.files_after)
        assert len(after.dead_links) == len(before.dead_links), change.files_after
        # what was a premise of its own note may be one of another's
        assert len(after.unresolved_edges) <= len(before.unresolved_edges), change.files_after
        assert len(after.edges) >= len(before.edges), change.files_after
        assert len(after.mentions) == len(before.mentions) + 1, change.files_after


@examples(10)
@given(linked_notes(), st.sampled_from(("a", "c")))
def test_what_a_merged_note_says_stays(texts: dict[str, str], keep: str) -> None:
    own_text = re.sub(r"(?<!c#)(?<!c\.md#)\^(shown|other|named|par)", r"^b\1", texts["b.md"])
    with tempfile.TemporaryDirectory() as place:
        notes = {**texts, "b.md": own_text, "references.bib": LIBRARY, "kg.toml": SETTINGS}
        folder = write(Path(place), notes)
        before = load_corpus(folder)
        try:
            change = merge_notes(FolderFiles(folder), before, keep, "b", force=True)
        except NotEditable as error:
            assume("by hand" in str(error))  # an item of two targets
            return
        after = load_changed(folder, change.files_after)
        assert len(after.dead_links) <= len(before.dead_links), change.files_after
        assert _count_unresolved(after) <= _count_unresolved(before), change.files_after
        assert "b" not in after.statements
        assert after.aliases["b"] == keep
        assert set(after.statements) == {
            id if id.partition("#")[0] != "b" else f"{keep}{id[1:]}" for id in before.statements
        } - {"b"}


ENDINGS = {
    "a.md": "- supports:: [[b]] — so",
    "b.md": "> [!evidence] Seen ^seen\n> [@x]",
    "c.md": "## More\n\n- suports:: [[a]] — so",
    "d.md": "",  # its title
    "l.md": "- optimist:: [[a]], [[b]]",
}
"""The last lines of notes, each of which some command changes."""


@every_row(
    "make",
    [
        lambda files, corpus: merge_notes(files, corpus, "b", "a"),
        lambda files, corpus: merge_notes(files, corpus, "a", "b"),
        lambda files, corpus: merge_notes(files, corpus, "a", "d"),
        lambda files, corpus: merge_notes(files, corpus, "x", "y"),
        lambda files, corpus: split_note(files, corpus, "c", "More", "new"),
        lambda files, corpus: promote_callout(files, corpus, "b#seen", "new"),
        lambda files, corpus: rename(files, corpus, "b", "new"),
        lambda files, corpus: rename(files, corpus, "x", "new"),
        lambda files, corpus: rename(files, corpus, "b#seen", "new"),
        lambda files, corpus: retire_note(files, corpus, "b", "a"),
        lambda files, corpus: format_notes(files, bracketed=True),
        lambda files, corpus: make_fixes(files, corpus, check),
    ],
)
def test_a_last_line_without_an_end_is_changed_as_one_with_an_end(
    make: Callable[[FolderFiles, Corpus], Change], tmp_path: Path
) -> None:
    texts_after = []
    for name, end in (("ended", "\n"), ("open", "")):
        notes = {
            path: (CLAIM.format(path[0]) + text).rstrip() + end for path, text in ENDINGS.items()
        }
        notes["references.bib"] = "@misc{x, title={X}}\n@misc{y, title={Y}}" + end
        folder = write(tmp_path / name, {**notes, "kg.toml": SETTINGS})
        change = make(FolderFiles(folder), load_corpus(folder))
        assert change.files_after
        apply_here(folder, change)
        texts_after.append({path: data.rstrip() for path, data in files_of(folder).items()})
    assert texts_after[0] == texts_after[1]
