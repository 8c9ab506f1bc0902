"""A callout becomes a note: what it says, how it counts and what leads to it stays."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.editing.change_effect import effect_of
from kg.editing.folder_files import FolderFiles, NotEditable
from kg.editing.moving.promote_callout import promote_callout
from kg.files.read_files import NotesFolder
from kg.loader import load_changed, load_corpus
from kg.model import Kind
from kg.reasoning import judgements_of, reading_of, strengths
from tests.editing.edited_folder import CLAIM, text_after, write
from tests.support.effort import examples
from tests.support.linked_notes import LIBRARY, SETTINGS, linked_notes
from tests.support.own import NOTES, own_corpus

NOTE = """---
type: claim
camp: left
---

# Said

Before [[#^seen]], [[#^deep]] and [[#Said]].

> [!evidence] Seen in [a place](other.md) (by:: me) ^seen
> Here [@roe, p. 3], see [[#^rest]] and [[#^deep]].
>
> - undercuts:: [[other#^t]] — so ^cut
>
> > [!counter-claim] Deep ^deep
> > No. (reason:: deep)
>
> (method:: survey) (sample:: 201 judges) (strength:: weak)
> (reason:: since [[#^rest]] holds) (with:: [[other]] and [[a#^rest]])

After.

- undercuts:: [[#^seen]] — not there

> [!evidence] Rest ^rest
> [@roe]
"""
OTHER = (
    CLAIM.format("other")
    + """[[a#^seen|there]] [w](a.md#^deep) [[a#^rest]]

- undercuts:: [[a#^seen]] — no ^u
- qualifies:: [[a#^seen]] — but ^t
- undercuts:: [[a#^cut]] — no
"""
)
PROMOTED = """---
type: evidence
method: survey
sample: 201 judges
aliases: ["a#seen"]
---

# Seen in [a place](other.md)

Here [@roe, p. 3], see [[a#^rest]] and [[#^deep]].

- undercuts:: [[other#^t]] — so ^cut

> [!counter-claim] Deep ^deep
> No. (reason:: deep)

- supports:: [[a]] with [[other]] and [[a#^rest]] (strength:: weak) (by:: me) — since [[a#^rest]] \
holds ^seen
"""
JUDGED = """edge,annotator,label
a#seen--supports--a,me,supports
a#deep--contradicts--a#seen,me,neutral
"""


def test_a_callout_becomes_a_note_with_all_that_it_holds_and_links_follow(tmp_path: Path) -> None:
    notes = {"a.md": NOTE, "other.md": OTHER, "references.bib": LIBRARY, "kg.toml": SETTINGS}
    folder = write(tmp_path, {**notes, "judgements/x.csv": JUDGED})
    before = load_corpus(folder)
    change = promote_callout(FolderFiles(folder), before, "a#^seen", "found")
    assert text_after(change, "found.md") == PROMOTED
    left = NOTE[: NOTE.index("> [!evidence] Seen")] + "[[found]]\n\n" + NOTE[NOTE.index("After.") :]
    assert text_after(change, "a.md") == left.replace(
        "[[#^seen]], [[#^deep]]", "[[found]], [[found#^deep]]"
    ).replace("undercuts:: [[#^seen]]", "undercuts:: [[found#^seen]]")
    rewritten = OTHER.replace("[[a#^seen|there]]", "[[found|there]]").replace(
        "undercuts:: [[a#^seen]]", "undercuts:: [[found#^seen]]"
    )
    rewritten = rewritten.replace("qualifies:: [[a#^seen]]", "qualifies:: [[found]]")
    rewritten = rewritten.replace("a.md#^deep", "found.md#^deep").replace("a#^cut", "found#^cut")
    assert text_after(change, "other.md") == rewritten
    after = load_changed(folder, change.files_after)
    assert [row.edge for row in judgements_of(after).rows] == [
        "found#seen",
        "found#deep--contradicts--found",
    ]
    assert effect_of(before, change, NotesFolder.from_path(folder)).verdicts == ()
    assert_same_strengths(before, after, {"a#seen": "found", "a#deep": "found#deep"})


def test_the_old_name_leads_to_the_note_and_to_its_edge(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.md": NOTE, "other.md": OTHER, "kg.toml": SETTINGS})
    before = load_corpus(folder)
    change = promote_callout(FolderFiles(folder), before, "a#^seen", "found")
    # somebody else's note, which was not there when the callout was promoted
    late = "- undercuts:: [[a#^seen]] — late\n- qualifies:: [[a#^seen]] — late\n\n[w](a.md#^seen)\n"
    text = CLAIM.format("late") + late
    after = load_changed(folder, {**change.files_after, "late.md": text.encode()})
    edges = {edge.relation.value: edge.target for edge in after.edges_from["late"]}
    assert edges == {"undercuts": "found#seen", "qualifies": "found"}
    assert [m.target for m in after.mentions_from["late"]] == ["found"]
    assert after.statement("a#^seen").id == "found"


def assert_same_strengths(before: Corpus, after: Corpus, new_ids: dict[str, str]) -> None:
    old = strengths(reading_of(before))
    new = strengths(reading_of(after))
    assert {new_ids.get(id, id) for id in old} == set(new)
    for id, strength in old.items():
        assert new[new_ids.get(id, id)] == pytest.approx(strength, abs=1e-12)


def test_the_twin_of_an_unnamed_callout_keeps_its_id(tmp_path: Path) -> None:
    twins = "> [!evidence] Seen it\n> [@roe]\n\n> [!evidence] Seen it\n> [@doe]\n"
    links = "[[a#^seen-it]] [[a#^seen-it-2]]\n"
    write(tmp_path, {"a.md": CLAIM.format("a") + twins, "b.md": CLAIM.format("b") + links})
    change = promote_callout(FolderFiles(tmp_path), load_corpus(tmp_path), "a#seen-it", "one")
    assert text_after(change, "a.md") == (
        CLAIM.format("a") + "[[one]]\n\n> [!evidence] Seen it ^seen-it-2\n> [@doe]\n"
    )
    assert text_after(change, "b.md") == CLAIM.format("b") + "[[one]] [[a#^seen-it-2]]\n"


def test_what_is_no_callout_is_refused(tmp_path: Path) -> None:
    text = CLAIM.format("a") + "- supports:: [[b]] — so ^t\n\n> [!evidence] E ^e\n> [@x]\n"
    folder = write(tmp_path, {"a.md": text, "b.md": CLAIM.format("b")})
    corpus, files = load_corpus(folder), FolderFiles(folder)
    for note_text, new in (("a#t", "x"), ("a#e", "b"), ("a#e", "x/y")):
        with pytest.raises(NotEditable):
            promote_callout(files, corpus, note_text, new)


@examples(10)
@given(linked_notes(), st.integers(0, 5))
def test_any_callout_counts_as_before(texts: dict[str, str], number: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        # out of its note, a link to a heading of it leads to the note, which is more than before
        notes = {path: text.replace("[[#Heading]]", "[[nowhere]]") for path, text in texts.items()}
        folder = write(Path(place), {**notes, "references.bib": LIBRARY, "kg.toml": SETTINGS})
        before = load_corpus(folder)
        callouts = [id for id in before.statements if "#" in id]
        id = callouts[number % len(callouts)]
        parent = before.statements[id].parent
        assume(parent is not None)
        change = promote_callout(FolderFiles(folder), before, id, "promoted")
        after = load_changed(folder, change.files_after)
        assert len(after.edges) == len(before.edges)
        ids = {id: "promoted"}
        assert Counter(m.target for m in after.mentions) == Counter(
            [*(ids.get(m.target, m.target) for m in before.mentions), "promoted"]
        ), (id, change.files_after)
        assert_same_strengths(before, after, {id: "promoted"})
        camps = {ids.get(key, key): camp for key, camp in before.default_camps.items()}
        if before.statements[id].kind is Kind.EVIDENCE and before.statements[id].camp is None:
            camps.pop("promoted", None)  # it had that of the claim around it
        assert dict(after.default_camps) == camps


@pytest.mark.integration
def test_our_own_callout_of_most_links_counts_as_before() -> None:
    before = own_corpus()
    linked_counts = Counter(end for edge in before.edges for end in (edge.origin, edge.target))
    id = max((each for each in before.statements if "#" in each), key=linked_counts.__getitem__)
    change = promote_callout(FolderFiles(NOTES), before, id, "promoted-note")
    after = load_changed(NOTES, change.files_after)
    assert_same_strengths(before, after, {id: "promoted-note"})
    assert effect_of(before, change, NotesFolder.from_path(NOTES)).verdicts == ()
