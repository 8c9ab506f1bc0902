"""Claims are found by what their evidence says."""

from __future__ import annotations

import pytest

from kg.corpus import Corpus
from kg.queries.conditions.condition import (
    All,
    FieldIn,
    Query,
)
from kg.queries.conditions.corpus_index import CorpusIndex, index_of
from kg.queries.conditions.field_types import Sort
from kg.queries.conditions.inherited_conditions import with_inherited_fields
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


def test_claims_are_found_by_what_only_their_evidence_says(index: CorpusIndex) -> None:
    sourced = Query(Sort.STATEMENT, All((FieldIn("kind", ("claim",)), FieldIn("source", ("s",)))))
    assert {*sourced.ids(index)} == set()
    assert {*with_inherited_fields(sourced).ids(index)} == {"a"}
