"""The notes, sources and judgements that an import adds, and what is there already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kg.editing.change import Change
from kg.editing.folder_files import FolderFiles
from kg.importing import new_notes
from kg.importing.import_records import BadInput, ImportedNote, ImportResult, id_placeholder
from kg.importing.importers import get_importer
from kg.importing.new_notes import import_notes
from kg.loader import load_corpus
from kg.model import Source, Span
from kg.notes.new_note import NewEdge, NewNote
from tests.importing.conftest import Import, load
from tests.support.every_row import every_row


@every_row(
    ("first", "second", "second_file"),
    [("Naps", "naps", "naps-2.md"), ("naps", "Naps", "Naps-2.md")],
)
def test_names_that_differ_by_case_alone_become_two_files_on_every_disk(
    first: str, second: str, second_file: str, notes: Path, bring: Import
) -> None:
    """Where a disk takes `Naps.md` and `naps.md` for one, the second would replace the first."""
    for path in notes.rglob("*.md"):  # of the row before
        path.unlink()
    bring("csv", {"a.csv": f"id,title\n{first},Naps help\n{second},Naps hinder\n"})
    assert {path.name for path in notes.rglob("*.md")} == {f"{first}.md", second_file}
    assert {each.title for each in load(notes).statements.values()} == {"Naps help", "Naps hinder"}


def note(key: str, title: str, type: str = "claim", **fields: Any) -> ImportedNote:
    return ImportedNote("a.csv", key, NewNote(type, title, **fields), line=2)


def source(key: str, path: str) -> Source:
    return Source(key=key, title=key, span=Span(path))


def change_by_import(folder: Path, *notes: ImportedNote, **more: Any) -> Change:
    """The change that an import of these notes makes in a folder, which stays as it is."""
    corpus = load_corpus(folder, drafts=True)
    records = ImportResult(notes, **more)
    return import_notes(FolderFiles(folder), corpus, get_importer("csv"), records)


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")


CLAIM = "---\ntype: claim\n---\n\n# {}\n\n{}"


@every_row(("limit", "message"), [(2, None), (1, "a.csv: more than 1 notes; import it in parts")])
def test_more_notes_than_a_folder_may_get_are_refused(
    limit: int, message: str | None, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_notes, "MAX_NOTES", limit)
    new_notes_given = (note("a", "A"), ImportedNote("b.csv", "b", NewNote("claim", "B")))
    if message is None:
        assert len(change_by_import(notes, *new_notes_given).files_after) == limit
        return
    with pytest.raises(BadInput) as error:
        change_by_import(notes, *new_notes_given)
    assert str(error.value) == message


def test_a_change_says_how_much_of_each_kind_it_adds(notes: Path) -> None:
    evidence = [note(f"e{n}", f"Seen {n}", "evidence") for n in range(2)]
    new_notes = (note("a", "A", edges=[NewEdge("supports", id_placeholder("b"))]), note("b", "B"))
    change = change_by_import(
        notes,
        *(*new_notes, *evidence),
        sources=(source("roe2020", "my.refs.bib"), source("lee2021", "other.bib")),
        judgements=(
            (f"{id_placeholder('a')}--supports--{id_placeholder('b')}", "ada", "supports"),
        ),
        remarks=("One row was empty.",),
    )
    assert change.title == "import csv: 2 claims, 2 evidence, 2 sources, 1 judgement"
    assert change.remarks == ("One row was empty.",)
    assert sorted(change.files_after) == [
        *("claims/a.md", "claims/b.md", "evidence/seen-0.md", "evidence/seen-1.md"),
        *("judgements/imported.csv", "my-refs.bib"),
    ]
    judged = (change.files_after["judgements/imported.csv"] or b"").decode().splitlines()
    assert judged == ["edge,annotator,label,date,note", "a--supports--b,ada,supports"]
    assert change_by_import(notes).title == "import csv: nothing new"


def test_files_that_are_there_keep_their_names(notes: Path) -> None:
    (notes / "refs.bib").write_text("", "utf-8")
    (notes / "judgements").mkdir()
    (notes / "judgements" / "imported.csv").write_text("edge,annotator,label\n", "utf-8")
    judgements = (("a--supports--b", "ada", "supports"),)
    change = change_by_import(
        notes, sources=(source("roe2020", "refs.bib"),), judgements=judgements
    )
    assert sorted(change.files_after) == ["judgements/imported-2.csv", "refs-2.bib"]


@every_row(
    ("id", "title", "name"),
    [
        ("Naps_2", "Naps help", "Naps_2"),
        ("", "Naps help!", "naps-help"),
        ("naps help", "A", "naps-help"),
        ("_naps/../help-", "A", "naps-help"),
        ("x" * 60, "A", "x" * 60),
        ("x" * 61, "A", "x" * 60),
        ("---", "Naps", "naps"),
        ("readme", "A", "readme-2"),
        ("THERE", "A", "THERE-2"),
        ("other", "A", "other-2"),
        ("plain", "A", "plain-2"),
        ("roe2020", "A", "roe2020-2"),
    ],
)
def test_a_note_gets_the_id_that_it_asks_for_as_far_as_it_is_valid_and_free(
    id: str, title: str, name: str, notes: Path
) -> None:
    write(notes, there="---\ntype: claim\naliases: [other]\n---\n\n# There\n", plain="No note.\n")
    (notes / "a.bib").write_text("@misc{roe2020, title={T}}", "utf-8")
    assert [*change_by_import(notes, note("a", title, id=id)).files_after] == [f"claims/{name}.md"]


def test_ids_that_are_asked_for_twice_are_numbered(notes: Path) -> None:
    new_notes = [note(f"k{n}", f"Title {n}", id="naps") for n in range(3)]
    names = ["claims/naps.md", "claims/naps-2.md", "claims/naps-3.md"]
    assert [*change_by_import(notes, *new_notes).files_after] == names


@every_row(
    ("again", "remarks"),
    [
        (note("k", "naps help"), ("left unchanged: 1 note that exists already",)),
        (note("k", "Naps help", "evidence"), ("left unchanged: 1 note that exists already",)),
        (note("k", "Naps help", "line"), ()),
        (note("k", "Do they?", "line"), ("left unchanged: 1 note that exists already",)),
        (note("k", "Naps", id="naps"), ()),
        (note("k", "T", "source", id="roe2020"), ("left unchanged: 1 note that exists already",)),
        (note("k", "T", "source", id="naps"), ()),
    ],
)
def test_a_note_exists_if_one_of_its_sort_has_its_title_or_key(
    again: ImportedNote, remarks: tuple[str, ...], notes: Path
) -> None:
    write(notes, naps=CLAIM.format("Naps help", ""), ask="---\ntype: line\n---\n\n# Do they?\n")
    (notes / "a.bib").write_text("@misc{roe2020, title={T}}", "utf-8")
    change = change_by_import(notes, again)
    assert change.remarks == remarks
    assert len(change.files_after) == (0 if remarks else 1)


@every_row(
    ("edges", "remarks"),
    [
        ([NewEdge("supports", id_placeholder("b"))], 0),
        ([NewEdge("contradicts", id_placeholder("b"))], 1),
        (
            [NewEdge("supports", id_placeholder("c")), NewEdge("contradicts", id_placeholder("b"))],
            2,
        ),
        ([NewEdge("undercuts", f"{id_placeholder('b')}#^why")], 0),
        ([NewEdge("undercuts", f"{id_placeholder('b')}#^what")], 1),
        (
            [NewEdge("undercuts", f"{id_placeholder('b')}#^seen")],
            0,
        ),  # the edge of a callout has no name
        ([NewEdge("undercuts", f"{id_placeholder('b')}#^see")], 1),
    ],
)
def test_relations_that_would_change_a_note_are_counted(
    edges: list[NewEdge], remarks: int, notes: Path
) -> None:
    write(
        notes,
        a=CLAIM.format(
            "A", "- supports:: [[b]] — x\n- undercuts:: [[b#^why]] — x\n- undercuts:: [[b#^seen]]\n"
        ),
        b=CLAIM.format("B", "- supports:: [[c]] — x ^why\n\n> [!evidence] Seen ^seen\n> x\n"),
        c=CLAIM.format("C", ""),
    )
    others = [note("b", "B"), note("c", "C")]
    change = change_by_import(notes, note("a", "A", edges=edges), *others)
    relations = "1 relation" if remarks == 1 else f"{remarks} relations"
    assert change.remarks == (
        "left unchanged: 3 notes that exist already",
        *([f"not written: {relations} of notes that exist already"] if remarks else []),
    )


@every_row(("name", "is_written"), [("why", True), ("what", False)])
def test_a_new_note_undercuts_an_edge_that_is_there(
    name: str, is_written: bool, notes: Path
) -> None:
    write(notes, b=CLAIM.format("B", "- supports:: [[c]] — x ^why\n"), c=CLAIM.format("C", ""))
    cut = NewEdge("undercuts", f"{id_placeholder('b')}#^{name}")
    change = change_by_import(notes, note("n", "New", edges=[cut]), note("b", "B"))
    text = (change.files_after["claims/new.md"] or b"").decode()
    assert (f"- undercuts:: [[b#^{name}]]" in text) is is_written
    assert ("not written: 1 relation of notes that exist already" in change.remarks) is (
        not is_written
    )


def test_a_title_with_markup_is_escaped_in_the_heading_alone(notes: Path) -> None:
    new_notes = [note("a", "Naps *help*"), note("b", "Naps"), note("c", " \n ")]
    texts = [
        (text or b"").decode() for text in change_by_import(notes, *new_notes).files_after.values()
    ]
    assert [r"# Naps \*help\*" in texts[0], 'title: "Naps *help*"' in texts[0]] == [True, True]
    assert ["title:" in text for text in texts[1:]] == [False, False]
    assert "\n# untitled\n" in texts[2]


@every_row(("id", "aliases"), [("b#seen", ""), ("b#gone", 'aliases: ["b#gone"]\n'), ("gone", "")])
def test_a_note_that_was_a_callout_keeps_its_former_id_as_an_alias(
    id: str, aliases: str, notes: Path
) -> None:
    write(notes, b=CLAIM.format("B", "> [!evidence] Seen ^seen\n> x\n"))
    (text,) = change_by_import(notes, note("k", "New", id=id)).files_after.values()
    rows = [row + "\n" for row in (text or b"").decode().split("\n") if row.startswith("aliases")]
    assert "".join(rows) == aliases


@every_row(
    ("imported_notes", "message"),
    [
        ([note("k", "A"), note("k", "B")], "a.csv:2: 'k' is used twice"),
        ([note("k", "A", body=id_placeholder("z"))], "a.csv:2: there is no 'z'"),
        (
            [ImportedNote("a.csv", "k", NewNote("claim", "A", body=id_placeholder("z")))],
            "a.csv: there is no 'z'",
        ),
    ],
)
def test_a_key_that_is_used_twice_or_not_there_is_refused(
    imported_notes: list[ImportedNote], message: str, notes: Path
) -> None:
    with pytest.raises(BadInput) as error:
        change_by_import(notes, *imported_notes)
    assert str(error.value) == message


@every_row("excess", [0, 1])
def test_a_note_may_be_as_large_as_notes_are_read(
    excess: int, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (text,) = change_by_import(notes, note("k", "Schläft")).files_after.values()
    monkeypatch.setattr(new_notes, "MAX_NOTE_BYTES", len(text or b"") - excess)
    if not excess:
        assert [*change_by_import(notes, note("k", "Schläft")).files_after.values()] == [text]
        return
    with pytest.raises(BadInput, match=r"^a\.csv: 'k' is larger than a note may be$"):
        change_by_import(notes, note("k", "Schläft"))


def test_a_judgement_is_added_once_for_each_annotator(notes: Path) -> None:
    write(notes, a=CLAIM.format("A", "- supports:: [[b]] — x\n"), b=CLAIM.format("B", ""))
    (notes / "judgements").mkdir()
    row = "edge,annotator,label\na--supports--b,ada,supports\n"
    (notes / "judgements" / "x.csv").write_text(row, "utf-8")
    judged = [("a--supports--b", name, "contradicts", "", "") for name in ("ada", "ben")]
    change = change_by_import(notes, judgements=tuple(judged))
    assert change.title == "import csv: 1 judgement"
    text = (change.files_after["judgements/imported.csv"] or b"").decode()
    assert text.splitlines()[1:] == ["a--supports--b,ben,contradicts,,"]
