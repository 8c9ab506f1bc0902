"""Conditions are sets: `and`, `or` and `not` of them are those of sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.corpus import Corpus
from kg.model import Relation
from kg.queries.conditions.condition import (
    All,
    AnyOf,
    Condition,
    Everything,
    FieldIn,
    IdIn,
    Not,
    Query,
)
from kg.queries.conditions.corpus_index import CorpusIndex, index_of
from kg.queries.conditions.field_types import RecordKind
from kg.queries.conditions.related_records import Linked
from tests.support.effort import examples
from tests.support.shorthand import corpus_of_shorthand

WRITTEN = """claim a
claim b
claim c
evidence e .6 @s
evidence f .6 @t
e supports a
f contradicts a
a supports b
a contradicts c
"""
SIMPLE = st.one_of(
    st.just(Everything()),
    st.lists(st.sampled_from("abcef"), max_size=3).map(lambda ids: IdIn(tuple(ids))),
    st.sampled_from(["claim", "evidence"]).map(lambda kind: FieldIn("kind", (kind,))),
    st.tuples(st.sampled_from([Relation.SUPPORTS, Relation.CONTRADICTS]), st.booleans()).map(
        lambda result: Linked(
            Query(RecordKind.STATEMENT, Everything()), (result[0],), onward=result[1]
        )
    ),
)
CONDITIONS = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        inner.map(Not),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: All(tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
    ),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_shorthand(WRITTEN)


@pytest.fixture(scope="module")
def index(corpus: Corpus) -> CorpusIndex:
    return index_of(corpus)


def ids(index: CorpusIndex, condition: Condition) -> set[str]:
    return {*Query(RecordKind.STATEMENT, condition).ids(index)}


@examples(40)
@given(one=CONDITIONS, other=CONDITIONS)
def test_conditions_joined_by_and_or_not_give_the_sets_so_joined(
    index: CorpusIndex, one: Condition, other: Condition
) -> None:
    left, right, every = ids(index, one), ids(index, other), ids(index, Everything())
    assert ids(index, All((one, other))) == left & right
    assert ids(index, AnyOf((one, other))) == left | right
    assert ids(index, Not(one)) == every - left


@examples(40)
@given(condition=CONDITIONS, among=st.sets(st.sampled_from("abcef")))
def test_a_condition_on_some_records_finds_those_of_all_that_are_among_them(
    index: CorpusIndex, condition: Condition, among: set[str]
) -> None:
    listed_ids = {*condition.find_ids(index, RecordKind.STATEMENT, among)}
    assert listed_ids == ids(index, condition) & among


@examples(20)
@given(condition=CONDITIONS)
def test_a_condition_with_unchanged_queries_is_returned_as_it_is(condition: Condition) -> None:
    assert condition.change_queries(RecordKind.STATEMENT, lambda query: query) is condition
    assert (
        condition.describe()
        == condition.change_queries(RecordKind.STATEMENT, lambda q: q).describe()
    )
