from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.build.search import term_files
from kg.publish.build.search.term_files import MAX_NAME_LETTERS, split_into_files
from kg.publish.markup.address import file_name
from tests.support.effort import examples


def test_terms_that_begin_alike_share_a_file_whose_name_is_bounded() -> None:
    terms = {"𠀀" * 60 + chr(0x4E00 + number): "x" * 1000 for number in range(100)}
    assert split_into_files(terms) == {"𠀀" * MAX_NAME_LETTERS: terms}
    # whole, as the browser asks for it
    assert file_name("𠀀" * MAX_NAME_LETTERS) == "~20000~" * MAX_NAME_LETTERS


TERMS = st.dictionaries(st.text("abc", min_size=1, max_size=4), st.text("xy", max_size=30))


@examples(10)
@given(terms=TERMS, limit=st.integers(20, 200))
def test_each_term_is_in_the_file_where_a_browser_looks_for_it(
    terms: Mapping[str, str], limit: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(term_files, "MAX_FILE_BYTES", limit)
        files = split_into_files(terms)
    assert {term: text for file in files.values() for term, text in file.items()} == terms
    for name, file in files.items():
        assert all(
            term == name[:-1] if name[-1:] == "$" else term.startswith(name) for term in file
        )
        assert name[-1:] == "$" or len("".join([*file, *file.values()])) <= limit
