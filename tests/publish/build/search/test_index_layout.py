"""How an index is laid out: buckets that hardly move, files small enough."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.build.search import index_layout
from kg.publish.build.search.index_layout import (
    MAX_NAME_LETTERS,
    assign_buckets,
    capacity_for,
    digits_needed,
    encode_number,
    split_into_files,
)
from kg.publish.markup.address import file_name
from tests.support.any_text import any_text
from tests.support.effort import examples

TERMS = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.text("xy", max_size=30))


def test_terms_that_begin_alike_share_a_file_whose_name_is_bounded() -> None:
    terms = {"𠀀" * 60 + chr(0x4E00 + number): "x" * 1000 for number in range(100)}
    assert split_into_files(terms) == {"𠀀" * MAX_NAME_LETTERS: terms}
    # whole, as the browser asks for it
    assert file_name("𠀀" * MAX_NAME_LETTERS) == "~20000~" * MAX_NAME_LETTERS


@examples(10)
@given(terms=TERMS, limit=st.integers(20, 200))
def test_each_term_is_in_the_file_where_a_browser_looks_for_it(
    terms: Mapping[str, str], limit: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(index_layout, "MAX_FILE_BYTES", limit)
        files = split_into_files(terms)
    assert {term: text for file in files.values() for term, text in file.items()} == terms
    for name, file in files.items():
        assert all(
            term == name[:-1] if name[-1:] == "$" else term.startswith(name) for term in file
        )
        assert name[-1:] == "$" or len("".join([*file, *file.values()])) <= limit


def test_buckets_are_a_power_of_two_and_three_times_the_documents_at_least() -> None:
    capacities = [capacity_for(count) for count in (0, 1, 85, 86, 170, 171)]
    assert capacities == [256] * 3 + [512] * 2 + [1024]
    assert [digits_needed(capacity) for capacity in (256, 2048, 4096)] == [2, 2, 3]
    assert [encode_number(number, 2) for number in (0, 63, 64)] == ["--", "-z", "0-"]


@given(st.sets(any_text(max_size=5), max_size=80))
def test_buckets_depend_on_the_names_alone_and_never_clash(names: set[str]) -> None:
    capacity = capacity_for(len(names))
    buckets = assign_buckets(sorted(names), capacity)
    assert buckets == assign_buckets(sorted(names, reverse=True), capacity)
    assert len(set(buckets.values())) == len(names)
    codes = {
        name: encode_number(bucket, digits_needed(capacity)) for name, bucket in buckets.items()
    }
    assert sorted(codes, key=codes.__getitem__) == sorted(buckets, key=buckets.__getitem__)
