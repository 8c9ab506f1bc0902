"""Render many pages in several processes, and collect what each copy of the build made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from kg.model import Value
from kg.publish.build.commit import WrittenFile
from kg.publish.build.for_programs.record_files import DataFile
from kg.publish.build.incremental import PageRecord
from kg.publish.build.search.search_index import IndexedPage
from kg.publish.page import LazyPage, Page
from kg.runtime.forked_workers import MAX_CORES, available_cores, can_fork, fork_process

FEWEST_PAGES_TO_SHARE_OUT = 100  # with fewer, a second process costs more time than it saves
PAGES_OF_A_LINE, PAGES_OF_A_DATA_FILE = 50, 5  # equivalent in time
T = TypeVar("T")


class BuiltPage(Value, frozen=True, array_like=True):
    """A rendered page, and the packed numbers of the keys that it read."""

    record: PageRecord
    reads: bytes


class ProcessResult(Value, frozen=True, array_like=True):
    """The result of one process for its share of the pages.

    `keys` are the tables and keys that its log numbered after the fork; `moves` and `stays` are
    its files, as in a `Writer`; `documents` and `texts` are for the search index.
    """

    pages: list[BuiltPage]
    keys: list[tuple[str, str]]
    moves: dict[str, bytes]
    stays: dict[str, WrittenFile]
    documents: dict[str, IndexedPage]
    texts: dict[str, bytes]


def count_processes(items: Sequence[Page | LazyPage | DataFile]) -> int:
    """How many processes to use for these."""
    pages = sum(map(_cost_in_pages, items))
    if pages < FEWEST_PAGES_TO_SHARE_OUT or len(items) < 2 or not can_fork():
        return 1
    return min(available_cores(), MAX_CORES, len(items))


def _cost_in_pages(item: Page | LazyPage | DataFile) -> int:
    """The number of statement pages that take as long."""
    if isinstance(item, DataFile):
        return PAGES_OF_A_DATA_FILE
    is_line = isinstance(item, LazyPage) and item.about and item.about[0] == "lines"
    return PAGES_OF_A_LINE if is_line else 1


def make_in_processes(
    items: Sequence[T],
    count: int,
    make_here: Callable[[Sequence[T]], list[BuiltPage]],
    make_in_copy: Callable[[Sequence[T]], ProcessResult],
    take: Callable[[ProcessResult], list[BuiltPage]],
) -> list[BuiltPage]:
    """A page for each of `items`: this process makes a share with `make_here`, `count` - 1 copies
    make the others with `make_in_copy`, and `take` takes over a copy's result. This process also
    makes the share of a copy that failed.
    """
    own_batch, *other_batches = (items[number::count] for number in range(count))
    copies = [fork_process(partial(_make_packed, make_in_copy, batch)) for batch in other_batches]
    packed_results: list[bytes | None] = []
    try:
        pages_of_batches = [make_here(own_batch)]
    finally:  # even if that failed, no copy may be left behind
        packed_results += [copy.receive() for copy in copies]
    for batch, packed in zip(other_batches, packed_results, strict=True):
        if packed:
            pages_of_batches.append(take(msgspec.msgpack.decode(packed, type=ProcessResult)))
        else:
            pages_of_batches.append(make_here(batch))
    return [pages_of_batches[number % count][number // count] for number in range(len(items))]


def _make_packed(make: Callable[[Sequence[T]], ProcessResult], batch: Sequence[T]) -> bytes:
    return msgspec.msgpack.encode(make(batch))
