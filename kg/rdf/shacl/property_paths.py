"""Property paths, followed from many nodes at once, forwards or back, and what they reach."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from kg.rdf.shacl.triple_columns import TripleColumns
from kg.reachability import Reachability

MAX_NODES_LOOKED_UP = 20  # nodes up to which a column is scanned instead of inverted


@dataclass(frozen=True, slots=True)
class Path(ABC):
    """A property path; its `str` is the path in SPARQL."""

    @abstractmethod
    def image(self, graph: TripleColumns, nodes: set[str], back: bool = False) -> set[str]:
        """The nodes that the path leads to from `nodes`; with `back`, those it leads from."""

    def of(self, graph: TripleColumns, node: str) -> Collection[str]:
        """The nodes that the path leads to from one node, each once."""
        return self.image(graph, {node})

    @abstractmethod
    def nodes_with_values(self, graph: TripleColumns) -> set[str] | None:
        """The nodes from which the path leads anywhere; None if it does from every node."""

    def nodes_without_values(self, graph: TripleColumns, nodes: set[str]) -> set[str]:
        """The nodes from which the path leads nowhere."""
        starts = self.nodes_with_values(graph)
        return set() if starts is None else nodes - starts

    def linked_pairs(
        self, graph: TripleColumns, pairs: Iterable[tuple[str, str]]
    ) -> set[tuple[str, str]]:
        """The pairs in which the path leads from the first to the second."""
        return {(start, end) for start, end in pairs if end in self.of(graph, start)}


@dataclass(frozen=True, slots=True)
class PredicatePath(Path):
    """One step along a property."""

    name: str

    def __str__(self) -> str:
        return self.name

    def image(self, graph: TripleColumns, nodes: set[str], back: bool = False) -> set[str]:
        """The values of these nodes, or back: the subjects with one of these as value."""
        if (
            back and len(nodes) < MAX_NODES_LOOKED_UP
        ):  # scanning a column takes less time than inverting it
            return graph.column(self.name).subjects_with(nodes)
        return graph.column(self.name, back).image(nodes)

    def of(self, graph: TripleColumns, node: str) -> Collection[str]:
        """The objects of this property, of one subject."""
        return graph.column(self.name).of(node)

    def nodes_without_values(self, graph: TripleColumns, nodes: set[str]) -> set[str]:
        """The nodes that are not subjects of the column."""
        column = graph.column(self.name)
        return nodes.difference(column.single).difference(column.several)

    def nodes_with_values(self, graph: TripleColumns) -> set[str] | None:
        """The subjects with a value of the property."""
        return graph.column(self.name).subjects()


@dataclass(frozen=True, slots=True)
class InversePath(Path):
    """`^path`: from values to subjects."""

    path: Path

    def __str__(self) -> str:
        return f"^{self.path}" if isinstance(self.path, PredicatePath) else f"^({self.path})"

    def image(self, graph: TripleColumns, nodes: set[str], back: bool = False) -> set[str]:
        """The image of the path in the other direction."""
        return self.path.image(graph, nodes, not back)

    def nodes_with_values(self, graph: TripleColumns) -> set[str] | None:
        """Return all nodes to which the path leads."""
        if isinstance(self.path, PredicatePath):
            return graph.column(self.path.name).values()
        starts = self.path.nodes_with_values(graph)
        return None if starts is None else self.path.image(graph, starts)


@dataclass(frozen=True, slots=True)
class SequencePath(Path):
    """`first/second`: each begins where the one before ends."""

    parts: tuple[Path, ...]

    def __str__(self) -> str:
        return "(" + "/".join(map(str, self.parts)) + ")"

    def image(self, graph: TripleColumns, nodes: set[str], back: bool = False) -> set[str]:
        """Apply the parts one by one, until no nodes are left."""
        for part in reversed(self.parts) if back else self.parts:
            nodes = part.image(graph, nodes, back) if nodes else nodes
        return nodes

    def nodes_with_values(self, graph: TripleColumns) -> set[str] | None:
        """The nodes where the whole sequence leads somewhere, computed from the last part back."""
        starts: set[str] | None = None
        for part in reversed(self.parts):
            starts = (
                part.nodes_with_values(graph)
                if starts is None
                else part.image(graph, starts, back=True)
            )
        return starts

    def linked_pairs(
        self, graph: TripleColumns, pairs: Iterable[tuple[str, str]]
    ) -> set[tuple[str, str]]:
        """Follow all parts but the last from each start, then test the last."""
        *first_parts, last = self.parts
        if not first_parts:
            return last.linked_pairs(graph, pairs)
        first_path = first_parts[0] if len(first_parts) == 1 else SequencePath(tuple(first_parts))
        all_pairs = list(pairs)
        middles_of = {start: first_path.of(graph, start) for start, _ in all_pairs}
        last_pairs = {(middle, end) for start, end in all_pairs for middle in middles_of[start]}
        last_linked = last.linked_pairs(graph, last_pairs)
        return {
            (start, end)
            for start, end in all_pairs
            if any((middle, end) in last_linked for middle in middles_of[start])
        }


@dataclass(frozen=True, slots=True)
class AlternativePath(Path):
    """A path that is any of several (`sh:alternativePath`)."""

    parts: tuple[Path, ...]

    def __str__(self) -> str:
        return "(" + "|".join(map(str, self.parts)) + ")"

    def image(self, graph: TripleColumns, nodes: set[str], back: bool = False) -> set[str]:
        """The union of the images."""
        return set().union(*(part.image(graph, nodes, back) for part in self.parts))

    def nodes_with_values(self, graph: TripleColumns) -> set[str] | None:
        """The nodes from which any of them leads somewhere; None if all do."""
        starts: set[str] = set()
        for part in self.parts:
            starts_of_part = part.nodes_with_values(graph)
            if starts_of_part is None:
                return None
            starts |= starts_of_part
        return starts


@dataclass(frozen=True, slots=True)
class RepeatedPath(Path):
    """A path repeated any number of times, at least once, or at most once: `*`, `+`, `?`."""

    path: Path
    mark: str

    def __str__(self) -> str:
        return f"({self.path}){self.mark}"

    def image(self, graph: TripleColumns, nodes: set[str], back: bool = False) -> set[str]:
        """Breadth-first, until no new nodes are found."""
        visited = self.path.image(graph, nodes, back)
        new = visited if self.mark == "?" else visited - nodes if self.mark == "*" else visited
        if self.mark != "+":
            visited = visited | nodes
        while new and self.mark != "?":
            new = self.path.image(graph, new, back) - visited
            visited = visited | new
        return visited

    def nodes_with_values(self, graph: TripleColumns) -> set[str] | None:
        """None, as each node leads to itself, unless at least one step is required."""
        return self.path.nodes_with_values(graph) if self.mark == "+" else None

    def linked_pairs(
        self, graph: TripleColumns, pairs: Iterable[tuple[str, str]]
    ) -> set[tuple[str, str]]:
        """Uses the graph's circles, as following the path from each node would take too long."""
        all_pairs = set(pairs)
        same = {(start, end) for start, end in all_pairs if start == end and self.mark != "+"}
        if self.mark == "?":
            return same | self.path.linked_pairs(graph, all_pairs)
        starts = {start for start, _ in all_pairs}
        reachability = Reachability(starts, lambda node: self.path.of(graph, node))
        return same | {pair for pair in all_pairs if reachability.leads(*pair)}
