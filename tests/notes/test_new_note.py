"""New notes are well formed, and nothing is written over."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import normalize

import pytest

from kg.checks import check
from kg.files.read_files import NotesFolder
from kg.model.errors import Misuse
from kg.notes.new_note import (
    FOLDER_OF_TYPE,
    PLACEHOLDERS,
    BadNewNote,
    NewNote,
    free_id,
    parse_new_note,
    render_new_note,
    render_template,
    write_note,
)
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row


@every_row("type", FOLDER_OF_TYPE)
def test_a_new_note_is_read_as_what_it_is(type: str) -> None:
    fields = {"camp": "skeptic", "topics": ["a, b", "c"], "created": "2026-11-20"}
    text = render_template(NewNote(type, 'A "title": with colons', fields=fields))
    corpus = corpus_of_notes(new=text)
    assert [problem.rule for problem in corpus.diagnostics if problem.severity == "error"] == []
    assert "new" in corpus
    assert "\ncreated: 2026-11-20\n" in text


def test_what_is_not_filled_in_is_reported_as_such() -> None:
    types = ("claim", "counter-claim", "evidence", "line")
    notes = {type: render_template(NewNote(type, f"About {type}")) for type in types}
    problems = check(corpus_of_notes(**notes))
    unfilled = [problem for problem in problems if "is a placeholder" in problem.message]
    links = {link for text in notes.values() for link in re.findall(r"\[[@\[][\w-]+\]+", text)}
    assert {problem.message.split("`")[1] for problem in unfilled} == links
    assert len(links) == len(PLACEHOLDERS)
    assert [p for p in problems if p.severity == "error" and p not in unfilled] == []
    assert all(problem.help.startswith("replace it with the ") for problem in unfilled)


@every_row("type", FOLDER_OF_TYPE)
def test_two_new_notes_leave_each_other_alone(type: str) -> None:
    texts = [render_template(NewNote(type, title)) for title in ("Naps help", "Tea wakes")]
    one = {problem.rule for problem in check(corpus_of_notes(one=texts[0]))}
    pair = dict(zip(("one", "two"), texts, strict=True))
    assert {problem.rule for problem in check(corpus_of_notes(**pair))} == one


def test_a_note_is_not_written_where_it_would_be_none(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"README\.md is no note"):
        write_note(NotesFolder.from_path(tmp_path), "README", "claim", "")


def test_ids_are_made_of_words_and_stay_unique(tmp_path: Path) -> None:
    assert free_id(tmp_path, "Été: is <silence> a move?") == "ete-is-silence-a-move"
    (tmp_path / "naps.md").write_text("", "utf-8")
    assert free_id(tmp_path, "Naps!") == "naps-2"
    (tmp_path / f"{normalize('NFD', 'йод')}.md").write_text("", "utf-8")
    assert free_id(tmp_path, "Йод") == "йод-2"
    assert free_id(tmp_path, "—") == "note"
    assert free_id(tmp_path, "Tea", {"tea": 1, "tea-2": 1}.get) == "tea-3"


def test_a_line_has_a_place_for_each_camp() -> None:
    text = render_template(NewNote("line", "Naps?"), ("left", "right", "centre"))
    assert re.findall(r"^- (\w+):: \[\[[\w-]+\]\] —", text, re.MULTILINE) == [
        "left",
        "right",
        "centre",
    ]


DRAFT = b"""{"type": "claim", "title": "Naps  help", "id": "naps",
"fields": {"camp": "left", "topics": ["a, b", "c"], "created": "2026-01-02", "open": "see: below",
  "reported": true},
"body": "Words.\\n",
"edges": [{"relation": "supports", "target": "rest", "reason": "so\\nit is", "with": ["tea"],
  "fields": {"strength": "weak"}, "id": "why"}]}"""


def test_a_note_is_made_of_json() -> None:
    text = render_new_note(parse_new_note(DRAFT))
    assert text == (
        '---\ntype: claim\ncamp: left\ntopics: ["a, b", "c"]\ncreated: 2026-01-02\n'
        'open: "see: below"\nreported: true\n---\n\n# Naps help\n\nWords.\n\n'
        "- supports:: [[rest]] with [[tea]] (strength:: weak) — so it is ^why\n"
    )
    others = {name: render_template(NewNote("claim", name)) for name in ("rest", "tea")}
    corpus = corpus_of_notes(naps=text, **others)
    naps = corpus.statements["naps"]
    assert (naps.topics, naps.open, naps.reported) == (("a, b", "c"), "see: below", True)
    assert [(e.target, e.together, e.reason) for e in corpus.edges if e.origin == "naps"] == [
        ("rest", ("tea",), "so it is")
    ]


@every_row(
    ("data", "text"),
    [
        (b"{", "truncated"),
        (b"\xff", "this JSON is no note"),
        (b"[]", "Expected `object`"),
        (b'{"type": "claim"}', "missing required field `title`"),
        (b'{"type": "clam", "title": "x"}', "type is 'clam', and not one of claim,"),
        (b'{"type": "claim", "title": "x", "camp": "y"}', "unknown field `camp`"),
        (b'{"type": "claim", "title": "x", "edges": [{"relation": "a"}]}', "$.edges[0]"),
        (b'{"type": "claim", "title": "x", "fields": {"a: b": "c"}}', "'a: b' is no key"),
        (b'{"type": "claim", "title": "x", "fields": {"type": "line"}}', "'type' is no key"),
        (b'{"type": "claim", "title": "x", "fields": {"id": "a"}}', "'id' is no key"),
    ],
)
def test_json_that_is_no_note_is_refused_with_the_place(data: bytes, text: str) -> None:
    with pytest.raises(BadNewNote, match=re.escape(text)):
        parse_new_note(data)


def test_a_new_note_never_overwrites_a_file(tmp_path: Path) -> None:
    folder = NotesFolder.from_path(tmp_path)
    place = write_note(folder, "a", "claim", "first")
    with pytest.raises(FileExistsError):
        write_note(folder, "a", "claim", "second")
    assert place.read_text("utf-8") == "first"
