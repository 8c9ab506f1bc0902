"""What a build remembers: which pages read a key that changed, and reads under new numbers."""

from __future__ import annotations

import numpy as np

from kg.publish.build.build_memory import (
    PageRecord,
    SiteMemory,
    _reads_and_changed_pages,
    renumber_reads,
)
from kg.publish.context.read_log import pack_numbers


def test_a_page_is_changed_if_a_key_that_it_read_is() -> None:
    """Also if that is the first of its keys, or the last, and the page before read nothing."""
    reads_by_page = {"a": [1, 2], "none": [], "b": [3], "c": [2, 4]}
    pages = {url: PageRecord(None, (url,), (), len(reads)) for url, reads in reads_by_page.items()}
    state = SiteMemory(pages=pages, reads=pack_numbers([1, 2, 3, 2, 4]))
    for key, changed in ((1, {"a"}), (2, {"a", "c"}), (3, {"b"}), (4, {"c"}), (0, set())):
        reads, changed_pages = _reads_and_changed_pages(state, np.arange(5) == key)
        assert changed_pages == changed
        assert {url: numbers.tolist() for url, numbers in reads.items()} == reads_by_page


def test_numbers_from_a_given_one_on_are_replaced_by_new_ones() -> None:
    assert renumber_reads(pack_numbers([1, 2, 3]), 2, [5, 4]) == pack_numbers([1, 5, 4])
    assert renumber_reads(pack_numbers([1]), 2, [5]) == pack_numbers([1])
