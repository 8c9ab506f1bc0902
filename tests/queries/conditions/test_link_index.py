"""Links from and to what is asked about."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from kg.model import Relation
from kg.queries.conditions.condition import (
    Condition,
    Everything,
    Query,
)
from kg.queries.conditions.corpus_index import CorpusIndex, index_of
from kg.queries.conditions.field_types import Sort
from kg.queries.conditions.related_records import Linked
from tests.support.written import corpus_of_statements

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


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return corpus_of_statements(WRITTEN)


@pytest.fixture(scope="module")
def index(corpus: Corpus) -> CorpusIndex:
    return index_of(corpus)


def ids(index: CorpusIndex, condition: Condition) -> set[str]:
    return {*Query(Sort.STATEMENT, condition).ids(index)}


def test_links_lead_both_ways(index: CorpusIndex) -> None:
    every = Query(Sort.STATEMENT, Everything())
    assert ids(index, Linked(every, (Relation.SUPPORTS,), onward=True)) == {"e", "a"}
    assert ids(index, Linked(every, (Relation.SUPPORTS,), onward=False)) == {"a", "b"}
