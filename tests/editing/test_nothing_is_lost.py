"""Whatever is moved between notes, no link of any form comes to lead nowhere."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.corpus import Corpus, UnresolvedReason
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.merging.merge_notes import merge_notes
from kg.editing.moving.split_note import split_note
from kg.loader import load_changed, load_corpus
from tests.editing.edited_folder import write
from tests.support.effort import examples
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
