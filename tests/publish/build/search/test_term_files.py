from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.publish.build.search import term_files
from kg.publish.build.search.document_slots import encode_number
from kg.publish.build.search.term_files import Layout, PostingsPatch, patch_shards
from kg.publish.markup.address import file_name
from tests.support.effort import examples


def test_few_and_short_beginnings_are_kept_of_long_terms() -> None:
    terms = {f"{number:05}" + "x" * 1000: 100 for number in range(5000)}
    layout = Layout(terms)
    files = layout.files()
    assert max(map(len, files)) <= term_files.MAX_NAME_LETTERS
    assert sum(map(len, layout._bytes_by_prefix)) < len(terms)


def test_terms_that_begin_alike_share_a_file_whose_name_is_bounded() -> None:
    terms = {"𠀀" * 60 + chr(0x4E00 + number): 1000 for number in range(100)}
    layout = Layout(terms)
    (name,) = layout.files()
    assert name == "𠀀" * term_files.MAX_NAME_LETTERS
    assert (
        file_name(name) == "~20000~" * term_files.MAX_NAME_LETTERS
    )  # whole, as the browser asks for it


TERMS = st.text("abc", min_size=1, max_size=4)
DOCUMENTS = st.dictionaries(st.integers(0, 60), st.frozensets(TERMS, max_size=12), max_size=20)


@examples(10)
@given(before=DOCUMENTS, after=DOCUMENTS, limit=st.integers(20, 200))
def test_patched_files_are_those_made_anew(
    before: Mapping[int, frozenset[str]], after: Mapping[int, frozenset[str]], limit: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(term_files, "MAX_FILE_BYTES", limit)
        old, stored = Layout({}), {}
        for last, now in (({}, before), (before, after)):
            old, stored = _patched(old, stored, last, now)
        fresh, expected = _patched(Layout({}), {}, {}, after)
        assert stored == expected
        assert old.sizes == fresh.sizes
        assert set(old.files()) == set(stored)


def _patched(
    layout: Layout,
    stored: dict[str, dict[str, str]],
    last: Mapping[int, frozenset[str]],
    now: Mapping[int, frozenset[str]],
) -> tuple[Layout, dict[str, dict[str, str]]]:
    patch = PostingsPatch(width=1)
    for slot in last.keys() | now.keys():
        old, new = last.get(slot, frozenset()), now.get(slot, frozenset())
        for term in old - new:
            patch.removed[term].add(encode_number(slot, 1))
        for term in new - old:
            patch.added[term].append(encode_number(slot, 1) + "w")
    layout, changed = patch_shards(layout, patch, stored.__getitem__)
    stored = {**stored, **{name: shard for name, shard in changed.items() if shard}}
    return layout, {name: stored[name] for name in stored if changed.get(name, True)}
