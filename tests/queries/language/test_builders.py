"""Selections built by words: what each finds."""

from __future__ import annotations

from collections.abc import Callable

from kg.corpus import Corpus
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find
from kg.queries.language.parse_query import parse_question
from tests.support.every_row import every_row

TRIED = {
    "a": "---\ntype: claim\n---\n\n# A\n\n> [!evidence] Tried ^t\n> (method:: experiment)\n",
    "b": "---\ntype: claim\n---\n\n# B\n\n> [!evidence] Asked ^t\n> (method:: survey)\n",
    "c": "---\ntype: claim\nopen: true\n---\n\n# C\n",
}


@every_row(
    ("text", "expected"),
    [
        ("claims -evidence.method:experiment -evidence.method:survey", "c"),
        ("claims -evidence.method:experiment", "b c"),
        ("claims evidence:(method:survey)", "b"),
        ("claims -evidence:(method:survey)", "a c"),
        ("claims evidence:*", "a b"),
        ("claims evidence.method:*", "a b"),
        ("claims open:no", "a b"),
        ("claims -supported_by:(evidence)", "c"),
        ("claims -supported_by:evidence", "c"),
        ("supports:(claims)", "a#t b#t"),
        ("(evidence method:survey) OR (claims open:yes)", "b#t c"),
        ("method:* -sample:*", "a#t b#t"),
        ("claims -method:*", "c"),
        ("-preregistered:* kind:evidence", "a#t b#t"),
        ("camp:*", ""),
    ],
)
def test_questions_about_parts_find_their_statements(
    corpus_of: Callable[..., Corpus], text: str, expected: str
) -> None:
    engine = MemoryEngine(corpus_of(**TRIED))
    assert list(find(engine, parse_question(text)).ids) == expected.split()


@every_row("start", ["", "claims ", "lines "])
def test_works_that_are_cited_are_meant_without_being_called_so(start: str) -> None:
    bare, said = f"{start}cites:(year:2020)", f"{start}cites:(sources year:2020)"
    assert parse_question(bare) == parse_question(said)


def test_a_limit_of_groups_is_not_one_of_records(corpus_of: Callable[..., Corpus]) -> None:
    engine = MemoryEngine(corpus_of(**TRIED))
    assert dict(find(engine, parse_question("statements group:kind limit:1")).sizes()) == {
        "claim": 3
    }
    asked = parse_question("statements group:kind limit:1 max:sample")
    assert dict(find(engine, asked)) == {"claim": 3}


@every_row(
    ("text", "expected"),
    [
        ("claims author:wu", ["a"]),
        ("claims -author:* OR evidence.author:wu", ["a", "c"]),
        ("participants:5..", ["a#t"]),
    ],
)
def test_statements_are_asked_for_the_authors_and_participants_of_what_they_cite(
    corpus_of: Callable[..., Corpus], text: str, expected: list[str]
) -> None:
    tried = TRIED["a"].replace("(method", "[@wu] (sample:: 9 people) (method")
    corpus = corpus_of(references="@misc{wu, title={T}, author={Wu, Li}}", a=tried, c=TRIED["c"])
    assert list(find(MemoryEngine(corpus), parse_question(text)).ids) == expected
