"""Another name: every link follows, and nothing else moves."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus, UnknownId
from kg.editing.change import Change
from kg.editing.change_effect import RefusedChange, effect_of
from kg.editing.folder_files import NotEditable
from kg.editing.reference_edits import NewIds
from kg.files.read_files import NotesFolder
from kg.loader import load_changed, load_corpus
from kg.reasoning import reading_of, strengths
from tests.editing.edited_folder import (
    CLAIM,
    apply_here,
    change_by_rename,
    files_of,
    text_after,
    write,
)
from tests.support.effort import examples
from tests.support.every_row import every_row
from tests.support.linked_notes import LIBRARY, SETTINGS, linked_notes
from tests.support.own import NOTES, own_corpus


def test_line_ends_and_byte_order_mark_stay(tmp_path: Path) -> None:
    notes = {"old.md": CLAIM.format("old"), "b.md": CLAIM.format("é") + "[[old]]\n\né [[old]]\n"}
    write(tmp_path, {p: "\ufeff" + text.replace("\n", "\r\n") for p, text in notes.items()})
    change = change_by_rename(tmp_path, "old", "new")
    whole_text = "\ufeff" + (CLAIM.format("é") + "[[new]]\n\né [[new]]\n").replace("\n", "\r\n")
    assert text_after(change, "b.md") == whole_text
    head = "\ufeff---\r\ntype: claim\r\naliases: [old]\r\n---\r\n"
    assert text_after(change, "new.md").startswith(head)


def test_the_readme_follows_and_stays_no_note(tmp_path: Path) -> None:
    write(tmp_path, {"old.md": CLAIM.format("old"), "README.md": "See [it](old.md), [[old]].\n"})
    change = change_by_rename(tmp_path, "old", "new")
    assert text_after(change, "README.md") == "See [it](new.md), [[new]].\n"
    assert set(load_changed(tmp_path, change.files_after).statements) == {"new"}
    assert load_changed(tmp_path, change.files_after).diagnostics == ()


def test_an_id_that_is_not_the_name_of_its_file_is_changed_where_it_stands(tmp_path: Path) -> None:
    text = "---\ntype: claim\nid: 'old'\n---\n\n# Old\n"
    write(tmp_path, {"x.md": text, "b.md": CLAIM.format("b") + "[[old]] [[x]] [w](x.md)\n"})
    change = change_by_rename(tmp_path, "old", "new", alias=False)
    assert change.moves == {}
    assert text_after(change, "x.md") == text.replace("'old'", "'new'")
    assert text_after(change, "b.md").endswith("[[new]] [[x]] [w](x.md)\n")


def test_a_citation_key_is_renamed_in_notes_and_bibliography(tmp_path: Path) -> None:
    cited_text = (
        "[@roe; @roes, p. 3] [[@roe]]\n\n> [!evidence] E (asserted_by:: roe)\n> [see @roe]\n"
    )
    entries = "@misc{roe, title={roe}}\n@misc{roes, crossref={roe}}\n"
    write(tmp_path, {"a.md": CLAIM.format("a") + cited_text, "references.bib": entries})
    change = change_by_rename(tmp_path, "@roe", "@doe:1")
    assert text_after(change, "references.bib") == entries.replace("{roe,", "{doe:1,").replace(
        "{roe}}\n", "{doe:1}}\n", 2
    ).replace("title={doe:1}", "title={roe}")
    assert text_after(change, "a.md").endswith(
        cited_text.replace("roe", "doe:1").replace("doe:1s", "roes")
    )
    with pytest.raises(NotEditable, match="cannot be cited"):
        change_by_rename(tmp_path, "roe", "a b")


def test_a_callout_is_renamed_with_its_links(tmp_path: Path) -> None:
    callouts = "> [!evidence] Seen twice\n> [@x]\n\n> [!evidence] Other ^other\n> [@x]\n\n"
    callouts += "[[#^other]]\n"
    links = "[[a#^other|w]] [[a#other]] [w](a.md#^seen-twice)\n\n- undercuts:: [[a#^other]] — no\n"
    judged = "edge,annotator,label\na#other--supports--a,me,neutral\n"
    notes = {"a.md": CLAIM.format("a") + callouts, "b.md": CLAIM.format("b") + links}
    write(tmp_path, {**notes, "judgements/x.csv": judged})
    change = change_by_rename(tmp_path, "a#^other", "else")
    assert text_after(change, "a.md") == notes["a.md"].replace("^other", "^else")
    assert text_after(change, "b.md") == notes["b.md"].replace("other", "else")
    assert text_after(change, "judgements/x.csv") == judged.replace("other", "else")
    change = change_by_rename(tmp_path, "a#seen-twice", "a#^twice")
    assert "> [!evidence] Seen twice ^twice\n" in text_after(change, "a.md")
    assert text_after(change, "b.md") == notes["b.md"].replace("^seen-twice", "^twice")
    with pytest.raises(NotEditable, match="taken"):
        change_by_rename(tmp_path, "a#other", "seen-twice")
    with pytest.raises(UnknownId, match=r"no callout or edge 'a#othre' .*; did you mean a#other\?"):
        change_by_rename(tmp_path, "a#^othre", "x")
    with pytest.raises(UnknownId, match=r"; did you mean a#other\?"):
        change_by_rename(tmp_path, "c#other", "x")  # of a note without any


def test_a_topic_and_a_camp_are_renamed(tmp_path: Path) -> None:
    head = "---\ntype: claim\ntopics: [norms, 'old norms']\ncamp: left\n---\n\n# A\n"
    inside = "\n> [!evidence] E\n> (topics:: norms, x) (camp:: left) [@x]\n"
    line = "---\ntype: line\ntopics: norms\n---\n\n# L\n\n- Left:: [[a]]\n- optimist:: [[a]]\n"
    glossary = "---\ntype: glossary\n---\n\n- **norms**, **rules**: what is done\n"
    notes = {"a.md": head + inside, "l.md": line, "g.md": glossary, "kg.toml": SETTINGS}
    write(tmp_path, notes)
    change = change_by_rename(tmp_path, "norms", "ways")
    assert "topics: [ways, 'old norms']" in text_after(change, "a.md")
    assert "(topics:: ways, x)" in text_after(change, "a.md")
    assert "topics: ways" in text_after(change, "l.md")
    assert "**ways**, **rules**" in text_after(change, "g.md")
    change = change_by_rename(tmp_path, "left", "leftish")
    assert text_after(change, "a.md") == notes["a.md"].replace("left", "leftish")
    assert text_after(change, "l.md") == line.replace("Left::", "leftish::")
    assert text_after(change, "kg.toml") == SETTINGS.replace('id = "left"', 'id = "leftish"')
    for wrong in ("next", "supports", "Left", "optimist"):
        with pytest.raises(NotEditable):
            change_by_rename(tmp_path, "left", wrong)
    with pytest.raises(NotEditable, match="kg merge"):
        change_by_rename(tmp_path, "norms", "old norms")


def test_a_camp_that_no_settings_declare_keeps_its_name(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "---\ntype: claim\ncamp: optimist\n---\n\n# A\n"})
    with pytest.raises(NotEditable, match=r"no kg.toml declares the camp"):
        change_by_rename(tmp_path, "optimist", "hopeful")


@every_row("new", ["b", "a#b", "x/y", "", "[x]", "a", ".x", " x", "former", "README", "é" * 127])
def test_a_name_that_is_taken_or_cannot_be_linked_is_refused(tmp_path: Path, new: str) -> None:
    other = "---\ntype: claim\naliases: [former]\n---\n\n# B\n"
    write(tmp_path, {"a.md": CLAIM.format("a"), "b.md": other})
    with pytest.raises(NotEditable):
        change_by_rename(tmp_path, "a", new)


def test_a_change_that_brings_an_error_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.md": CLAIM.format("a"), "b.md": CLAIM.format("b") + "[[a]]\n"})
    lost = Change("lose", {"a.md": b""}, {"a.md": None})
    with pytest.raises(RefusedChange, match="new errors"):
        effect_of(load_corpus(folder), lost, NotesFolder.from_path(folder))


def edges_renamed(corpus: Corpus, names: NewIds | None = None) -> list[tuple[str, ...]]:
    """All edges, by the names that they have after a renaming."""
    name = names.new_id if names else str
    return sorted(
        (name(e.id), name(e.origin), e.relation, name(e.target), *map(name, e.together))
        for e in corpus.edges
    )


NAMES = st.sampled_from(("a", "b", "c", "with space", "l", "roe", "a#shown", "two", "left"))
NEW = st.sampled_from(("zz", "z-y", "q1"))


@examples(10)
@given(linked_notes(), NAMES, NEW)
def test_there_and_back_leaves_every_byte(texts: dict[str, str], old: str, new: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        # the case in which a link was written is lost: there is only one of the new name
        notes = {path: text.replace("[[A]]", "[[a]]") for path, text in texts.items()}
        folder = write(Path(place), {**notes, "references.bib": LIBRARY, "kg.toml": SETTINGS})
        before, files = load_corpus(folder), files_of(folder)
        try:
            change_there = change_by_rename(folder, old, new, alias=False)
        except UnknownId:
            assert old == "two"  # a topic of callouts alone
            return
        apply_here(folder, change_there)
        between = load_corpus(folder)
        full = f"a#{new}" if "#" in old else new
        names = NewIds(before, {old: full})
        assert edges_renamed(between) == edges_renamed(before, names)
        assert len(between.mentions) == len(before.mentions)
        strong = strengths(reading_of(before))
        assert {names.new_id(id): s for id, s in strong.items()} == strengths(reading_of(between))
        apply_here(folder, change_by_rename(folder, full, old, alias=False))
        assert files_of(folder) == files


@pytest.mark.integration
def test_our_own_note_of_most_links_renamed_says_the_same() -> None:
    before = own_corpus()
    linked_counts = Counter(end for edge in before.edges for end in (edge.origin, edge.target))
    id = max((each for each in before.statements if "#" not in each), key=linked_counts.__getitem__)
    change = change_by_rename(NOTES, id, "another-name")
    after = load_changed(NOTES, change.files_after)
    assert edges_renamed(after) == edges_renamed(before, NewIds(before, {id: "another-name"}))
    assert effect_of(before, change, NotesFolder.from_path(NOTES)).verdicts == ()


def test_a_note_can_be_renamed_back_to_its_former_name(tmp_path: Path) -> None:
    folder = write(tmp_path, {"old.md": CLAIM.format("old"), "b.md": CLAIM + "[[old]]\n"})
    apply_here(folder, change_by_rename(folder, "old", "new"))
    change = change_by_rename(folder, "new", "old")
    assert "aliases: [new]\n" in text_after(change, "old.md")
    assert text_after(change, "b.md") == CLAIM + "[[old]]\n"
    assert text_after(
        change_by_rename(folder, "new", "old", alias=False), "old.md"
    ) == CLAIM.format("old")


@every_row(
    ("old", "new", "then"),
    [
        ("old", "A new name!", "a-new-name"),
        ("old", "What is said of those that are in the way", "what-is-said"),
        ("old", "New", "New"),
        ("Old one", "A new name!", "A new name!"),
    ],
)
def test_words_become_an_id_where_the_old_one_is_no_words(
    tmp_path: Path, old: str, new: str, then: str
) -> None:
    change = change_by_rename(write(tmp_path, {f"{old}.md": CLAIM}), old, new, new_is_title=True)
    assert change.new_ids == {old: then}
    assert any(then in remark for remark in change.remarks) is (new != then)
