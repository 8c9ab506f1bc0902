"""Group records by one key each, or by each of several keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")


def group_by(items: Iterable[Item], key: Callable[[Item], Key]) -> Mapping[Key, tuple[Item, ...]]:
    """Items grouped by their key."""
    grouped: defaultdict[Key, list[Item]] = defaultdict(list)
    for item in items:
        grouped[key(item)].append(item)
    return {key: tuple(members) for key, members in grouped.items()}


def group_by_each(
    items: Iterable[Item], keys: Callable[[Item], Iterable[Key]]
) -> Mapping[Key, tuple[Item, ...]]:
    """Items grouped by each of their keys."""
    grouped: defaultdict[Key, list[Item]] = defaultdict(list)
    for item in items:
        for key in keys(item):
            grouped[key].append(item)
    return {key: tuple(members) for key, members in grouped.items()}
