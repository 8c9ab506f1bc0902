"""One id is one record; what a note adds to its entry; methods that nobody declared."""

from __future__ import annotations

from kg.corpus.joining.join_records import (
    Records,
    merge_source,
    with_default_title,
    with_known_methods,
    with_source_keys,
)
from kg.model import Source, Span
from kg.model.settings.quality_settings import QualityLadder
from kg.notes.parse_note import parse_note
from kg.notes.parsed_note import ParsedNote
from tests.support.corpora import note_file_of

ENTRY = Source(key="doe2024", title="Naps", span=Span("a.bib"), year=2024, entry={"title": "Naps"})
NOTE = Source(
    key="doe2024",
    title="Siesta",
    span=Span("doe2024.md"),
    year=2020,
    note="doe2024",
    body="It says.",
)


def note_of(name: str, text: str) -> ParsedNote:
    return parse_note(note_file_of(f"{name}.md", text))


def test_an_entry_and_its_note_are_one_source() -> None:
    merged = merge_source(ENTRY, NOTE)
    assert (merged.title, merged.year, merged.body) == ("Naps", 2024, "It says.")
    records = Records([ENTRY, ENTRY], lambda statement: statement)
    assert [*records.sources] == ["doe2024"]
    assert len(records.duplicates) == 1


def test_a_second_note_on_a_source_is_left_out_and_named() -> None:
    texts = ("x", "y")
    notes = [
        note_of(f"{folder}/doe2024", f"---\ntype: source\n---\n\n# {folder}\n") for folder in texts
    ]
    records = Records([ENTRY], lambda statement: statement)
    assert [records.add(note) for note in notes] == [True, False]
    assert records.sources["doe2024"].span.path == "x/doe2024.md"
    (duplicate,) = records.duplicates
    assert (duplicate.id, duplicate.span.path) == ("doe2024", "y/doe2024.md")


def test_a_source_without_a_title_is_called_by_its_key() -> None:
    assert with_default_title(Source(key="k", title="", span=Span("a.bib"))).title == "k"


def test_an_undeclared_method_is_unknown_and_reported_once() -> None:
    table = QualityLadder()
    note = note_of("e", "---\ntype: evidence\nmethod: experimnet\n---\n\n# E\n")
    known = with_known_methods(note, table)
    assert [each.method for each in known.statements] == [None]
    (problem,) = [each for each in known.diagnostics if each.about == "method"]
    assert problem.help == "did you mean `experiment`?"
    declared = note_of("e", "---\ntype: evidence\nmethod: experiment\n---\n\n# E\n")
    assert with_known_methods(declared, table) is declared


def test_a_method_is_guessed_by_meaning_only_where_that_strengthens_nothing() -> None:
    note = note_of("e", "---\ntype: evidence\nmethod: essay\n---\n\n# E\n")

    def help_with(grade_of_argument: float) -> str:
        table = QualityLadder()
        grades = {**table.methods, "argument": grade_of_argument}
        table = table.model_copy(update={"methods": grades})
        (problem,) = with_known_methods(note, table).diagnostics
        return problem.help

    unrecorded = QualityLadder().unrecorded
    assert help_with(unrecorded) == "did you mean `argument`?"
    assert help_with(unrecorded + 0.1).startswith("write ")


def test_what_is_cited_or_quoted_is_known_by_the_key_of_its_source() -> None:
    cites = "---\ntype: claim\n---\n\n# A\n\nAs [@siesta] says.\n"
    quotes = "---\ntype: claim\n---\n\n# A\n\n“It helps a very great deal” [@siesta].\n"
    for text in (cites, quotes):
        (statement,) = note_of("a", text).statements
        record = with_source_keys(statement, {"siesta": "doe2024"})
        keys = [each.key for each in (*record.citations, *record.quotations)]
        assert keys
        assert set(keys) == {"doe2024"}
        assert with_source_keys(statement, {"other": "doe2024"}) is statement
