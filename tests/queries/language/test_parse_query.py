"""Short text means the same as the selection written out.

Of `kg/queries/language/builders.py`, too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.model.errors import Misuse
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.fields import UnknownWord
from kg.queries.engines.engine import Engine, MemoryEngine
from kg.queries.engines.sparql_engine import engine_of_store
from kg.queries.find import find
from kg.queries.language.builders import claims, edges, evidence, sources, statements
from kg.queries.language.parse_query import BadRequest, FindRequest, parse_request
from kg.queries.language.selection import Selection, ids_that_may_be_kinds
from kg.rdf.quad_store import as_store
from tests.support.corpora import corpus_of_notes
from tests.support.every_row import every_row

SAME: list[tuple[str, FindRequest]] = [
    ("", statements()),
    ("claims", claims()),
    ("reward turns", statements().text("reward").text("turns")),
    ('"next turn"', statements().text('"next turn"')),
    ('camp:skeptic "norm"', statements().camp("skeptic").text("norm")),
    ("camp:skeptic line:x", statements().camp("skeptic", line="x")),
    ("evidence sample:>100", evidence().sample(over=100)),
    ("evidence sample:50..100", evidence().sample(50, 100)),
    ("topic:a,b", statements().topic("a", "b")),
    ("-topic:a", statements() - statements().topic("a")),
    ("-norm", statements() - statements().text("norm")),
    ("-a", statements() - statements().text("a")),
    ('"OR"', statements().text('"OR"')),
    ("(topic:a)OR(topic:b)", statements().topic("a") | statements().topic("b")),
    ("contradicts:x", statements().contradicting("x")),
    ("supported_by:*", statements().supported_by()),
    (
        "evidence.method:experiment evidence.sample:>100",
        statements().supported_by(evidence().method("experiment").sample(over=100)),
    ),
    (
        "claims answered-by:(claims camp:optimist)",
        claims().answered_by(claims().camp("optimist")),
    ),
    (
        "claims answered-by:(claims sort:year limit:3)",
        claims().answered_by(claims().order_by("year").limit(3)),
    ),
    (
        "claims -answered_by:(camp:optimist)",
        claims() - claims().answered_by(statements().camp("optimist")),
    ),
    ("source.year:2024..", statements().citing(sources().year("2024.."))),
    ("topic:a OR topic:b", statements().topic("a") | statements().topic("b")),
    ("sources year:2025", sources().year(2025)),
    ("edges relation:contradicts origin:x", edges().relation("contradicts").origin("x")),
    ("claims sort:-year,title limit:5", claims().order_by("-year", "title").limit(5)),
    ("claims count:yes", claims().count()),
    ("evidence group:method", evidence().group_by("method")),
]


@every_row(("text", "find_request"), SAME)
def test_a_question_in_text_means_a_selection(text: str, find_request: FindRequest) -> None:
    assert parse_request(text) == find_request


@every_row(
    ("text", "hint"),
    [
        ("(camp:x", "a bracket is not closed"),
        ("(" * 5000, "more than 100 brackets"),
        ("evidence." * 200 + "method:survey", "more than 100 brackets and dots"),
        ("evidence.a:(" * 60 + ")" * 60, "more than 100 brackets and dots"),
        ("camp:x)", "a closing bracket has no opening one"),
        ('camp:"x', "close every quotation mark"),
        ("evidnce.method:experiment", "did you mean evidence"),
        ("limit:many", "takes a number"),
        ("sample:lots", "write 100, >100"),
        ("camp:(topic:x)", "takes no bracket"),
        ("supported_by:(sources)", "statements are expected here"),
        ('topic:""', "topic has no value"),
        ("topic:a,", "topic has no value"),
        ("claims topic: norms", "topic: has no value"),
        ('claims ""', "text has no value"),
        ('claims sort:""', "sort: has no value"),
        ("year:2025..2023", "year 2025..2023 ends before it begins: write 2023..2025"),
        ("strength:1.5..", "strength goes from 0 to 1"),
        ("claims OR topic:a", "OR stands between two terms"),
        ("claims topic:a OR sort:year", "OR stands between two terms"),
        ("claims topic:a OR", "OR stands between two terms"),
        ("topic:a | OR topic:b", "OR stands between two terms"),
        ("supported_by:(OR topic:a)", "OR stands between two terms"),
        ("supported_by:(topic:a OR)", "OR stands between two terms"),
        ("supported_by:(evidence count:yes)", "count: shapes the whole answer"),
        ("(claims group:camp)", "group: shapes the whole answer"),
        ("supported_by:(evidence mean:sample)", "mean: shapes the whole answer"),
        ("-limit:2", "limit: takes no minus"),
        ("claims -sort:year", "write sort:-year"),
        ("count:no", "count: takes yes, not 'no'"),
        ("group:camp count:yes", "group: counts already"),
        ("mean:sample count:yes", "mean: counts already"),
        ("limit:2 limit:3", "limit: is given twice"),
        ("sort:year sort:title", "is given twice: write sort:year,title"),
        ("claims " * 10_000, "more than 50,000 characters"),
    ],
)
def test_a_question_that_cannot_be_read_is_refused_with_the_reason(text: str, hint: str) -> None:
    with pytest.raises(Misuse) as caught:
        parse_request(text)
    assert hint in str(caught.value)


def test_unknown_words_are_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownWord, match="did you mean topic"):
        parse_request("topik:norms")
    with pytest.raises(UnknownWord, match=r"did you mean source\.doi"):
        parse_request("doi:x")
    with pytest.raises(UnknownWord, match="did you mean experiment"):
        parse_request("evidence.method:experimental")


@given(st.text(alphabet='ab:()"-.>*|, OR', max_size=40))
def test_any_text_is_a_question_or_a_clear_error(text: str) -> None:
    with suppress(BadRequest, Misuse, UnknownWord):
        assert parse_request(text).query.record_kind in RecordKind


@given(st.lists(st.sampled_from(["camp:a", "topic:b", '"w"', "contradicts:x"]), min_size=1))
def test_each_further_term_narrows_the_answer(terms: list[str]) -> None:
    question = parse_request(" ".join(terms))
    assert isinstance(question, Selection)
    for term in terms:
        part = parse_request(term)
        assert isinstance(part, Selection)
        assert repr(part).removeprefix("statements ") in repr(question)


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
def test_questions_about_parts_find_their_statements(text: str, expected: str) -> None:
    engine = MemoryEngine(corpus_of_notes(**TRIED))
    assert list(find(engine, parse_request(text)).ids) == expected.split()


@every_row("start", ["", "claims ", "lines "])
def test_works_that_are_cited_are_meant_without_being_called_so(start: str) -> None:
    bare, text = f"{start}cites:(year:2020)", f"{start}cites:(sources year:2020)"
    assert parse_request(bare) == parse_request(text)


def test_a_limit_of_groups_is_not_one_of_records() -> None:
    engine = MemoryEngine(corpus_of_notes(**TRIED))
    assert dict(find(engine, parse_request("statements group:kind limit:1")).sizes()) == {
        "claim": 3
    }
    question = parse_request("statements group:kind limit:1 max:sample")
    assert dict(find(engine, question)) == {"claim": 3}


def test_a_wrong_question_about_a_part_says_the_right_form() -> None:
    with pytest.raises(BadRequest, match=r"a word: evidence\.method:x"):
        parse_request("claims evidence:x")


@every_row("engine", [MemoryEngine, lambda corpus: engine_of_store(as_store(corpus))])
def test_a_note_is_meant_before_a_kind(engine: Callable[[Corpus], Engine]) -> None:
    reasons = "---\ntype: claim\n---\n\n# R\n\n- supports:: [[b]]\n"
    searched = engine(corpus_of_notes(**TRIED, evidence=reasons))
    bare, kind = parse_request("supported_by:evidence"), parse_request("supported_by:(evidence)")
    assert list(find(searched, bare).ids) == ["b"]
    assert list(find(searched, kind).ids) == ["a", "b"]
    assert list(find(engine(corpus_of_notes(**TRIED)), bare).ids) == ["a", "b"]
    assert [each.ids for each in ids_that_may_be_kinds(bare.query)] == [("evidence",)]
    assert not ids_that_may_be_kinds(kind.query)


@every_row(
    ("text", "expected"),
    [
        ("claims author:wu", ["a"]),
        ("claims -author:* OR evidence.author:wu", ["a", "c"]),
        ("participants:5..", ["a#t"]),
    ],
)
def test_statements_are_asked_for_the_authors_and_participants_of_what_they_cite(
    text: str, expected: list[str]
) -> None:
    tried_text = TRIED["a"].replace("(method", "[@wu] (sample:: 9 people) (method")
    corpus = corpus_of_notes(
        references="@misc{wu, title={T}, author={Wu, Li}}", a=tried_text, c=TRIED["c"]
    )
    assert list(find(MemoryEngine(corpus), parse_request(text)).ids) == expected
