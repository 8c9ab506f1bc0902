"""Full-text search: what fits best comes first, whatever is typed.

Of `kg/queries/search_query.py`, too.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given

from kg.files.cache_files import read_sealed, write_sealed
from kg.queries.conditions.field_types import RecordKind
from kg.queries.search_query import MAX_SEARCH_WORDS, NothingToSearch, TooManyWords, as_fts_query
from kg.queries.search_text import TEXT_INDEX_FORMAT, TextIndex, _is_slip, text_index
from tests.support.any_text import any_text
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row
from tests.support.own import own_corpus

NOTES = {
    "a": "---\ntype: claim\ntopics: [grounding]\n---\n\n# Café talk builds trust\n\n"
    "A next turn reward shapes it.\n",
    "b": "---\ntype: claim\n---\n\n# Rewards are not enough\n\nTrust, trust and trust.\n",
    "line": "---\ntype: line\n---\n\n# Does talk help?\n\nThe essay weighs self-play of models.\n",
}
BOOKS = "@misc{shaikh2024, title={Gaps}, author={Shaikh, Omar}, year={2024}}"


@pytest.fixture
def index() -> TextIndex:
    return text_index(corpus_of_notes(references=BOOKS, **NOTES))


def ids(index: TextIndex, text: str, *record_kinds: RecordKind) -> list[str]:
    return [hit.id for hit in index.search(text, record_kinds=record_kinds)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trust", ["a", "b"]),  # a title weighs more than a body
        ("trust reward", ["a", "b"]),  # another form of a word fits too
        ("title:reward", ["b"]),
        ("reward*", ["a", "b"]),
        ('"next turn"', ["a"]),
        ('"turn next"', []),
        ("cafe", ["a"]),
        ("title:trust", ["a"]),
        ("author:shaikh", ["shaikh2024"]),
        ("trust -reward*", []),
        ("essay OR gaps", ["line", "shaikh2024"]),
        ("self-play", ["line"]),
        ("grounding", ["a"]),
        ("groundng", ["a"]),
        ("zebra", []),
    ],
)
def test_a_search_finds_words_in_all_their_forms(
    index: TextIndex, text: str, expected: list[str]
) -> None:
    assert sorted(ids(index, text)) == sorted(expected)


def test_a_search_of_very_many_words_is_refused(index: TextIndex) -> None:
    index.search("a " * MAX_SEARCH_WORDS)
    with pytest.raises(TooManyWords, match="at most 64 words, not 65"):
        index.search("a " * (MAX_SEARCH_WORDS + 1))


def test_a_title_weighs_more_than_a_body(index: TextIndex) -> None:
    assert ids(index, "trust") == ["a", "b"]


def test_a_word_as_typed_weighs_more_than_another_form() -> None:
    texts = {name: f"---\ntype: claim\n---\n\n# {name}\n\nA {name} it is.\n" for name in FORMS}
    assert ids(text_index(corpus_of_notes(**texts)), "rewards")[0] == "rewards"


FORMS = ("reward", "rewarded", "rewards")


def test_claims_weigh_more_than_evidence() -> None:
    note = "---\ntype: {}\n---\n\n# Trust grows\n"
    corpus = corpus_of_notes(a=note.format("evidence"), b=note.format("claim"))
    assert ids(text_index(corpus), "trust") == ["b", "a"]


def test_a_search_can_be_limited_to_some_sorts_of_record(index: TextIndex) -> None:
    assert ids(index, "talk") != ids(index, "talk", RecordKind.LINE) == ["line"]


def test_no_more_than_the_limit_is_found_where_partial_matches_fit_better() -> None:
    note = "---\ntype: claim\n---\n\n# {}\n\n{}\n"
    both = note.format("Other", f"Cats doze. {'Filler. ' * 300}")
    index = text_index(
        corpus_of_notes(full=both, x=note.format("Cats", ""), y=note.format("Doze", ""))
    )
    hits = [hit.id for hit in index.search("cats doze", limit=2)]
    assert (hits[0], len(hits)) == ("full", 2)


def test_a_search_names_the_spelling_that_it_used_instead(index: TextIndex) -> None:
    assert index.search("shakih").corrected == {"shakih": "shaikh"}
    assert index.search("trust").corrected == {}


@every_row(
    ("word", "known_word", "is_slip"),
    [
        ("groundng", "grounding", True),
        ("groudng", "grounding", False),
        ("conversaton", "conversation", True),
        ("convrstion", "conversation", True),
        ("looking", "looming", True),
        ("cooing", "cooking", False),
        ("rounding", "grounding", False),
    ],
)
def test_a_slip_is_small_for_the_length_of_its_word(
    word: str, known_word: str, is_slip: bool
) -> None:
    assert _is_slip(word, known_word) is is_slip


def test_a_question_finds_other_wordings_of_a_title_and_its_words_stay() -> None:
    index = text_index(
        corpus_of_notes(
            a="---\ntype: claim\naliases: [old-nap, Do cats doze?]\n---\n\n# Sleep is long\n",
            b="---\ntype: claim\n---\n\n# Talk\n\nCats doze, cats doze, looking on.\n",
        )
    )
    assert ids(index, "do cats doze") == [*ids(index, "title:doze"), "b"] == ["a", "b"]
    assert index.search("doze")[0].title == "Sleep is long"
    assert ids(index, "title:nap") == []
    assert index.search("is cooking long").corrected == {}
    assert ids(index, 'is "a cat" long?')


def test_snippets_mark_what_was_looked_for(index: TextIndex) -> None:
    (hit,) = index.search('"next turn"')
    assert [part for part, marked_part in hit.snippet if marked_part] == ["next turn"]
    assert hit.text == "A next turn reward shapes it."


def test_snippets_are_plain_text() -> None:
    body = "A *next* `turn` counts [@shaikh2024], says [[a|the claim]] <b>!</b> ^here"
    corpus = corpus_of_notes(a=f"---\ntype: claim\n---\n\n# A\n\n{body}\n", references=BOOKS)
    (hit,) = text_index(corpus).search("counts")
    assert hit.text == "A next turn counts, says the claim!"
    assert ids(text_index(corpus), "shaikh2024") == ["a", "shaikh2024"]


@given(any_text(max_size=30))
def test_any_text_becomes_a_valid_full_text_query_or_none(text: str) -> None:
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE t USING fts5(title, body, more)")
    try:
        query = as_fts_query(text)
    except NothingToSearch:
        return
    assert table.execute("SELECT * FROM t WHERE t MATCH ?", (query,)).fetchall() == []


def test_plain_words_match_in_part_unless_marked_as_required(index: TextIndex) -> None:
    assert ids(index, "enough essay") == ["b", "line"]
    assert ids(index, '"enough" essay') == ids(index, "title:enough essay") == []
    assert ids(index, "enough essay*") == ids(index, "enough essay -trust") == []
    assert ids(index, "enough OR essay") == ["b", "line"]
    assert ids(index, "self-play enough") == ["b", "line"]


def test_an_empty_search_is_refused(index: TextIndex) -> None:
    with pytest.raises(NothingToSearch, match="no word to search for"):
        index.search(' "" - ( ')


def test_a_file_is_brought_up_to_date(tmp_path: Path) -> None:
    file = tmp_path / "text"
    text_index(corpus_of_notes(**NOTES), file).close()
    before = rows(file)
    changed = {**NOTES, "b": NOTES["b"].replace("enough", "plenty")}
    del changed["line"]
    index = text_index(corpus_of_notes(**changed), file)
    assert ids(index, "plenty") == ["b"]
    assert ids(index, "essay") == []
    assert ids(index, "enough") == []
    index.close()
    assert rows(file)["a"] == before["a"]


def rows(file: Path) -> dict[str, tuple[int, bytes]]:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(read_sealed(file, TEXT_INDEX_FORMAT) or b"")
    rows_of_hits = {
        id: (row, digest)
        for row, id, digest in connection.execute("SELECT doc, id, digest FROM docs")
    }
    connection.close()
    return rows_of_hits


@every_row("broken", [b"not a database, only some text " * 40, b""])
@every_row("sealed", [True, False])
def test_a_broken_file_is_replaced(tmp_path: Path, broken: bytes, sealed: bool) -> None:
    file = tmp_path / "text"
    if sealed:
        write_sealed(file, TEXT_INDEX_FORMAT, broken)
    else:
        file.write_bytes(broken)
    index = text_index(corpus_of_notes(**NOTES), file)
    assert ids(index, "cafe") == ["a"]
    index.close()
    assert set(rows(file)) == {"a", "b", "line"}


def test_nothing_is_written_where_nothing_changed(tmp_path: Path) -> None:
    file = tmp_path / "text"
    text_index(corpus_of_notes(**NOTES), file).close()
    before = file.stat().st_ino
    text_index(corpus_of_notes(**NOTES), file).close()
    assert file.stat().st_ino == before


def test_a_data_base_that_somebody_wrote_is_never_opened(tmp_path: Path) -> None:
    file = tmp_path / "text"
    other = sqlite3.connect(file)
    other.executescript("CREATE TABLE docs (other); PRAGMA user_version = 999;")
    other.close()
    text_index(corpus_of_notes(**NOTES), file).close()
    assert set(rows(file)) == {"a", "b", "line"}


def test_hostile_text_is_inert() -> None:
    title = '<b>"; DROP TABLE docs; --'
    corpus = corpus_of_notes(a=f"---\ntype: claim\n---\n\n# {title} \n\nA \x02drop\x03.\n")
    (hit,) = text_index(corpus).search("drop")
    assert hit.title.startswith(title)
    assert [part for part, marked_part in hit.snippet if marked_part] == ["drop"]


def test_some_of_the_words_come_after_all_of_them() -> None:
    one = "---\ntype: claim\n---\n\n# {}\n"
    corpus = corpus_of_notes(
        a=one.format("Naps help recall of lists"),
        b=one.format("Recall is short"),
        c=one.format("Naps are short"),
    )
    hits = text_index(corpus).search("naps recall")
    assert [hit.id for hit in hits][:1] == ["a"]
    assert {hit.id for hit in hits} == {"a", "b", "c"}
    assert hits.with_all_words == 1
    assert text_index(corpus).search("naps recall", 1).with_all_words == 1
    assert [hit.id for hit in text_index(corpus).search("recall -naps")] == ["b"]
    assert [hit.id for hit in text_index(corpus).search('"naps recall"')] == []


@pytest.mark.integration
def test_plain_questions_bring_a_right_note_among_the_first_five() -> None:
    """Somebody who had not seen the search wrote them, without the words of the notes' titles."""
    questions = json.loads(Path(__file__).with_name("search_questions.json").read_text("utf-8"))
    index = text_index(own_corpus())
    hits = 0
    for question in questions:
        parts = {id.partition("#")[0] for id in question["ids"]}
        hits += any(hit.id.partition("#")[0] in parts for hit in index.search(question["q"], 5))
    assert hits >= 12


def test_search_hits_become_a_data_frame(index: TextIndex) -> None:
    frame = index.search("trust").to_frame("pandas")
    assert list(frame["id"]) == ["a", "b"]
    assert list(frame.columns) == ["id", "record_kind", "title", "score", "text"]
    assert list(frame["record_kind"]) == ["statement", "statement"]
