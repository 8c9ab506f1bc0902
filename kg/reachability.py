"""Reachability between nodes, in graphs with or without circles."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


def walk_from(
    starts: Iterable[Node], next_nodes: Callable[[Node], Iterable[Node]]
) -> Iterator[Node]:
    """`starts`, and all nodes that steps lead to from these, each once, the nearest first."""
    visited: set[Node] = set()
    waiting = deque(starts)
    while waiting:
        node = waiting.popleft()
        if node not in visited:
            visited.add(node)
            yield node
            waiting.extend(next_nodes(node))


class Reachability(Generic[Node]):
    """The nodes reachable from `starts`, and their circles (strongly connected components).

    Each circle has a rank; the circles that it leads to have lower ranks. So most pairs without a
    path are recognised without a walk.
    """

    def __init__(
        self, starts: Iterable[Node], next_nodes: Callable[[Node], Collection[Node]]
    ) -> None:
        self._next: dict[Node, Collection[Node]] = {}
        self._rank: dict[Node, int] = {}
        self._size: dict[int, int] = {}
        for start in starts:
            if start not in self._rank:
                self._visit_from(start, next_nodes)

    def leads(self, start: Node, end: Node) -> bool:
        """Return whether one or more steps lead from `start` to `end`."""
        if end not in self._rank or self._rank[start] < self._rank[end]:
            return False
        if self._rank[start] == self._rank[end]:
            return self._size[self._rank[end]] > 1 or end in self._next[start]

        def step_above(node: Node) -> Iterable[Node]:
            return (each for each in self._next[node] if self._rank[each] >= self._rank[end])

        # whatever is in the circle of `end` leads to it
        nodes = walk_from([start], step_above)
        return any(self._rank[node] == self._rank[end] for node in nodes)

    def circles(self) -> list[frozenset[Node]]:
        """The sets of two or more nodes that lead to each other."""
        members: defaultdict[int, list[Node]] = defaultdict(list)
        for node, rank in self._rank.items():
            if self._size[rank] > 1:
                members[rank].append(node)
        return [frozenset(circle) for circle in members.values()]

    def _visit_from(self, start: Node, next_nodes: Callable[[Node], Collection[Node]]) -> None:
        """Tarjan's algorithm for strongly connected components, without recursion."""
        order: dict[Node, int] = {}
        lowest: dict[Node, int] = {}
        path: list[Node] = []
        walk: list[tuple[Node, Iterator[Node]]] = []

        def enter(node: Node) -> None:
            order[node] = lowest[node] = len(order)
            path.append(node)
            self._next[node] = next_nodes(node)
            walk.append((node, iter(self._next[node])))

        enter(start)
        while walk:
            node, ahead = walk[-1]
            for following in ahead:
                if following in self._rank:  # in a completed circle
                    continue
                if following not in order:
                    enter(following)
                    break
                lowest[node] = min(lowest[node], order[following])
            else:
                walk.pop()
                if walk:
                    lowest[walk[-1][0]] = min(lowest[walk[-1][0]], lowest[node])
                if lowest[node] == order[node]:
                    self._close_circle(path, node)

    def _close_circle(self, path: list[Node], first: Node) -> None:
        rank = len(self._size)
        self._size[rank] = 0
        while first not in self._rank:
            self._rank[path.pop()] = rank
            self._size[rank] += 1
