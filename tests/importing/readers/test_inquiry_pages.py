from __future__ import annotations

from pathlib import Path

from kg.editing.apply_change import undo_last_change
from kg.files.read_files import NotesFolder
from kg.importing.import_records import ImportInput, InputFile
from kg.importing.readers.inquiry_pages import read_inquiry_pages
from kg.model.settings.config import Camp
from tests.importing.conftest import Import, load
from tests.support.every_row import every_row

FIRST = """INQUIRING LINE

Can a parrot join a choir?

This asks whether a parrot can sing with others.

The notes split into an optimistic camp and a sceptical one. The optimists say that it listens \
Do parrots listen to each other?. \
Why would that matter? Because song needs ears.
Do parrots keep time? reports that they do, yet a review finds otherwise \
Is keeping time the same as singing?. On the other hand \
What is a choir for? (an essay) asks what it is "are they singing?" all about.
The skeptics point at the leader Can a choir follow a bird? \
Do parrots listen to each other?, and optimizing nothing helps.

Sources 5 notes
Parrots that listen to each other answer in kind.
A review of time keeping in birds.
Keeping time is no singing, says a review.
A choir is for company, says an essay.
No choir has followed a bird as its leader.

Next inquiring lines
Can a dog paint?
"""
SECOND = """Can a dog paint?
This asks about dogs.
Some say that it can, since time is all there is \
Do parrots keep time?. However, What is a choir for? says no.
Sources 2 notes

Do parrots keep time?

A review of time keeping in birds.

What is a choir for?

A choir is for company, says an essay.
"""


def test_pages_become_lines_claims_links_and_places(notes: Path, bring: Import) -> None:
    bring("pages", {"1.txt": FIRST, "2.txt": SECOND, "3.txt": "No page.\n"})
    corpus = load(notes)
    bodies = {each.title: each.body for each in corpus.statements.values()}
    assert bodies["Is keeping time the same as singing?"].startswith("Keeping time is no singing")
    assert bodies["Can a choir follow a bird?"].startswith("No choir has followed")
    assert len(bodies) == 5
    linked_targets = [each.target for each in corpus.mentions]
    assert len(linked_targets) == 8
    first = corpus.look_up("Can a parrot join a choir?")
    placed = {(p.camp, corpus.statements[p.statement].title) for p in corpus.placements}
    assert placed == {
        ("optimist", "Do parrots listen to each other?"),
        ("skeptic", "Can a choir follow a bird?"),
    }
    others = [e for e in corpus.edges if e.relation == "relates" and e.origin == first]
    assert len(others) == 3


def test_a_relation_is_only_suggested(notes: Path, bring: Import) -> None:
    bring("pages", {"1.txt": FIRST})
    corpus = load(notes)
    assert {each.relation.value for each in corpus.edges} == {"relates"}
    text = "".join(file.read_text("utf-8") for file in (notes / "claims").iterdir())
    assert "- contradicts:: [[do-parrots-keep-time]] — reports that they do, yet" in text


def test_a_missing_text_is_reported_and_the_others_stay_with_their_claims(
    notes: Path, bring: Import
) -> None:
    change = bring("pages", {"1.txt": FIRST.replace("A review of time keeping in birds.\n", "", 1)})
    assert "1.txt: no text for 'Do parrots keep time?'" in change.remarks
    bodies = {each.title: each.body for each in load(notes).statements.values()}
    assert bodies["Do parrots keep time?"] == ""
    assert bodies["What is a choir for?"].startswith("A choir is for company")


def test_a_text_that_the_essay_does_not_name_is_reported(notes: Path, bring: Import) -> None:
    change = bring("pages", {"1.txt": FIRST})
    assert not [remark for remark in change.remarks if "does not name" in remark]
    more = FIRST.replace("as its leader.\n", "as its leader.\nCats purr.\n")
    change = bring("pages", {"3.txt": more})
    assert "3.txt: 1 text of notes that the essay does not name" in change.remarks


def test_a_second_import_changes_nothing_even_of_notes_that_were_reworded(
    notes: Path, bring: Import
) -> None:
    bring("pages", {"1.txt": FIRST})
    place = notes / "claims" / "do-parrots-keep-time.md"
    place.write_text(place.read_text("utf-8").replace("# Do parrots", "# Some parrots"), "utf-8")
    place.rename(place.with_name("parrots-keep-time.md"))
    assert bring("pages", {"1.txt": FIRST}).files_after == {}
    later = bring("pages", {"2.txt": SECOND})
    assert list(later.files_after) == ["claims/do-parrots-keep-time.md", "lines/can-a-dog-paint.md"]


def test_an_import_is_taken_back(notes: Path, bring: Import) -> None:
    bring("pages", {"1.txt": FIRST})
    undo_last_change(NotesFolder.from_path(notes))
    assert [file for file in notes.rglob("*") if file.is_file()] == []


def test_words_of_a_page_stay_words(notes: Path, bring: Import) -> None:
    hostile = FIRST.replace(
        "Parrots that listen to each other answer in kind.",
        "%% [[x]] [@key] <script>alert(1)</script> - supports:: [[y]] $a$ ![p](q.png) (id:: z) ^b",
    ).replace("The skeptics point", "The [[skeptics]] [@key] <!-- point")
    bring("pages", {"1.txt": hostile})
    corpus = load(notes)
    assert [each for each in corpus.statements.values() if each.citations] == []
    assert len(corpus.mentions) == 6
    assert {each.relation.value for each in corpus.edges} == {"relates"}
    body = corpus.statements["do-parrots-listen-to-each-other"].body
    assert "<script>" not in body.replace("\\<", "")


@every_row(
    ("camp", "words", "text"),
    [
        (Camp(id="pro", label="Pro"), "We present what follows", False),
        (Camp(id="con", label="Con"), "Common sense has it", False),
        (Camp(id="optimist", label="Optimist"), "Optimizing shows it", False),
        (Camp(id="pro", label="Pro"), "The pros point at this", True),
        (Camp(id="optimist", label="Optimist"), "In optimistic words", True),
        (Camp(id="sceptic", label="Doubters"), "Skeptics ask this", True),
        (Camp(id="sceptic", label="Doubters"), "Sceptical readers ask this", True),
        (Camp(id="b", label="New realist"), "To new-realists it is plain", True),
    ],
)
def test_a_camp_is_spoken_of_by_its_id_or_label(camp: Camp, words: str, text: bool) -> None:
    essay = f"{words}: Can a dog paint?, they go on."
    page = f"Dogs?\nAbout dogs.\n{essay}\nSources 1 note\nCan a dog paint?\nIt can.\n"
    imported = read_inquiry_pages(ImportInput((InputFile("1.txt", page),), (camp,)))
    [edge] = imported.notes[-1].new_note.edges
    assert edge.relation == (camp.id if text else "relates")


@every_row(
    ("head", "is_page"),
    [("", False), ("Can a dog paint?\n", False), ("Can a dog paint?\nAbout dogs.\n", True)],
)
def test_a_page_begins_with_a_question_and_a_standfirst(head: str, is_page: bool) -> None:
    page = f"{head}Sources 1 note\nDo dogs draw?\nThey do.\n"
    imported = read_inquiry_pages(ImportInput((InputFile("1.txt", page),), ()))
    assert len(imported.notes) == (2 if is_page else 0)
    assert ["not an inquiry page" in remark for remark in imported.remarks] == [True] * (
        not is_page
    )


@every_row(
    ("essay", "reason"),
    [
        ("First. Some say of it in all Can a dog paint?, they go on.", "Some say of it in all"),
        (
            "First. Some say of it again Can a dog paint?, they go.",
            "Some say of it again … , they go",
        ),
    ],
)
def test_the_words_before_a_title_are_the_reason_unless_they_are_few(
    essay: str, reason: str
) -> None:
    page = f"Dogs?\nAbout dogs.\n{essay}\nSources 1 note\nCan a dog paint?\nIt can.\n"
    imported = read_inquiry_pages(ImportInput((InputFile("1.txt", page),), ()))
    [edge] = imported.notes[-1].new_note.edges
    assert edge.reason == reason


def test_texts_without_titles_go_to_the_titles_that_share_their_words() -> None:
    titles = ["Do parrots listen well?", "Do cats purr loudly?", "Do horses gallop far?"]
    texts = ["Something else entirely.", "More of nothing.", "Horses gallop far, it says."]
    essay = " ".join(f"The essay asks {title} It goes on." for title in titles)
    page = "\n".join(["Pets?", "About pets.", essay, "Sources 2 notes", *texts[1:]])
    imported = read_inquiry_pages(ImportInput((InputFile("1.txt", page),), ()))
    bodies = {each.new_note.title: each.new_note.body for each in imported.notes[:3]}
    assert bodies["Do horses gallop far?"] == "Horses gallop far, it says."
    assert bodies["Do parrots listen well?"] == ""
