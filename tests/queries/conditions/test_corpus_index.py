"""Ids by the values of a field: under each value that a record has, all of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.corpus import Corpus, UnknownId
from kg.queries.conditions.corpus_index import index_of
from kg.queries.conditions.field_types import Sort


def test_a_record_is_found_under_each_of_its_values(corpus_of: Callable[..., Corpus]) -> None:
    head = "---\ntype: claim\ntopics: [{}]\n---\n\n# A\n"
    index = index_of(
        corpus_of(a=head.format("x, norms"), b=head.format("norms"), c=head.format(""))
    )
    assert index.ids_by_value(Sort.STATEMENT, "topic") == {"x": {"a"}, "norms": {"a", "b"}}
    assert index.ids_by_value(Sort.STATEMENT, "kind") == {"claim": {"a", "b", "c"}}
    assert index.ids_with_value(Sort.STATEMENT, "topic") == {"a", "b"}
    assert index.values_of_few(Sort.STATEMENT, "topic", ["c", "a"]) == {"a": ("x", "norms")}


def test_a_name_stands_for_a_record_of_the_sort_that_is_asked_for(
    corpus_of: Callable[..., Corpus],
) -> None:
    index = index_of(
        corpus_of(
            a="---\ntype: claim\naliases: [same]\n---\n\n# A\n",
            l="---\ntype: line\naliases: [asked]\n---\n\n# L?\n",
        )
    )
    assert index.resolve_name(Sort.STATEMENT, "same") == "a"
    assert index.resolve_name(Sort.LINE, "asked") == "l"
    for sort, name in ((Sort.LINE, "same"), (Sort.STATEMENT, "asked"), (Sort.EDGE, "a")):
        with pytest.raises(UnknownId):
            index.resolve_name(sort, name)
