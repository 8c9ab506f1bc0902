"""Mappings and sequences that are read when they are first asked for something."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

Item = TypeVar("Item")


class LazyMapping(Mapping[str, Item]):
    """A mapping that is read on first access."""

    def __init__(self, read_mapping: Callable[[], Mapping[str, Item]]) -> None:
        self._read = read_mapping

    @cached_property
    def _entries_read(self) -> Mapping[str, Item]:
        return self._read()

    def __getitem__(self, key: str) -> Item:
        return self._entries_read[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries_read)

    def __len__(self) -> int:
        return len(self._entries_read)

    def values(self) -> Any:
        return self._entries_read.values()

    def items(self) -> Any:
        return self._entries_read.items()


class LazySequence(Sequence[Item]):
    """A sequence that is read on first access; it equals a tuple of the same items."""

    def __init__(self, read_items: Callable[[], Sequence[Item]]) -> None:
        self._read = read_items

    @cached_property
    def _items_read(self) -> tuple[Item, ...]:
        return tuple(self._read())

    def __getitem__(self, index: Any) -> Any:
        return self._items_read[index]

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items_read)

    def __len__(self) -> int:
        return len(self._items_read)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | LazySequence) and self._items_read == tuple(other)
