"""Group things by one key each, by each of several keys, or by what joins them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")
Name = TypeVar("Name", str, int)


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


class UnionFind(Generic[Name]):
    """Union-find: names or numbers joined, directly or through others, form a class."""

    def __init__(self) -> None:
        self._parents: dict[Name, Name] = {}

    def representative_of(self, name: Name) -> Name:
        """The representative of the class of `name`."""
        if name not in self._parents:  # most names are not joined to any other
            return name
        path = [name]
        while (parent := self._parents.get(path[-1], path[-1])) != path[-1]:
            path.append(parent)
        for each in path:
            self._parents[each] = path[-1]
        return path[-1]

    def join(self, names: Iterable[Name]) -> None:
        """Merge the classes of `names`; the smallest name represents the result."""
        roots = sorted({self.representative_of(name) for name in names})
        for root in roots[1:]:
            self._parents[root] = roots[0]
