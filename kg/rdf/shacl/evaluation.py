"""Evaluate shapes on a graph, each constraint on all its focus nodes at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from kg.model.errors import KgError
from kg.rdf.shacl.property_paths import Path
from kg.rdf.shacl.triple_columns import TripleColumns


class BrokenShapes(KgError, ValueError):
    """Shapes are not valid SHACL, or use an unsupported feature; the message says why."""


class ValidationResult(NamedTuple):
    """One result of a validation report; nodes are in N-Triples syntax."""

    focus: str
    path: Path | None
    value: str | None
    shape: str
    component: str
    severity: str
    messages: tuple[str, ...]


class Violation(NamedTuple):
    """A violation of a constraint; its own path or messages override those of the shape."""

    focus: str
    value: str | None = None
    path: Path | None = None
    messages: tuple[str, ...] = ()


Violations: TypeAlias = Iterable[Violation]


class Constraint(ABC):
    """One constraint of a shape: its component, and its default message."""

    component: str
    words: str

    @abstractmethod
    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """The violations by these focus nodes of a shape."""

    def failing_nodes(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> set[str]:
        """The focus nodes that violate it."""
        return {violation.focus for violation in self.violations(evaluation, shape, focus)}


class Target(ABC):
    """A target declaration, which selects the focus nodes of a shape."""

    @abstractmethod
    def find_nodes(self, graph: TripleColumns) -> set[str]:
        """The nodes in this graph."""


@dataclass(eq=False, slots=True)
class Shape:
    """A shape; without a path it is a node shape."""

    node: str
    path: Path | None
    severity: str
    messages: tuple[str, ...]
    deactivated: bool
    targets: list[Target] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    properties: list[Shape] = field(default_factory=list)


class Evaluation:
    """The evaluation of shapes on a graph."""

    def __init__(self, graph: TripleColumns) -> None:
        self.graph = graph

    def results(self, shape: Shape, focus: set[str]) -> Iterator[ValidationResult]:
        """The validation results for these nodes, in any order."""
        if shape.deactivated or not focus:
            return
        for constraint in shape.constraints:
            for violation in constraint.violations(self, shape, focus):
                yield ValidationResult(
                    violation.focus,
                    violation.path or shape.path,
                    violation.value,
                    shape.node,
                    constraint.component,
                    shape.severity,
                    violation.messages or shape.messages or (constraint.words,),
                )
        for nested in shape.properties:
            yield from self.results(nested, self.values(shape, focus))

    def failing_nodes(self, shape: Shape, nodes: set[str]) -> set[str]:
        """The nodes that do not conform to a shape."""
        failing: set[str] = set()
        if shape.deactivated:
            return failing
        for constraint in shape.constraints:  # each on what those before it let through
            failing |= constraint.failing_nodes(self, shape, nodes - failing)
        for nested in shape.properties:
            remaining = nodes - failing
            failing_values = self.failing_nodes(nested, self.values(shape, remaining))
            failing |= (
                failing_values
                if shape.path is None
                else self.focus_reaching(shape, remaining, failing_values)
            )
        return failing

    def values(self, shape: Shape, focus: set[str]) -> set[str]:
        """The value nodes of all these focus nodes together."""
        return focus if shape.path is None else shape.path.image(self.graph, focus)

    def values_of(self, shape: Shape, focus: str) -> Collection[str]:
        """The value nodes of one focus node."""
        return (focus,) if shape.path is None else shape.path.of(self.graph, focus)

    def focus_reaching(self, shape: Shape, focus: set[str], values: set[str]) -> set[str]:
        """Return the focus nodes that have one of these values."""
        if shape.path is None:
            return focus & values
        return focus & shape.path.image(self.graph, values, back=True) if values else set()

    def pairs(self, shape: Shape, focus: set[str], values: set[str]) -> Iterator[tuple[str, str]]:
        """Pairs of a focus node and one of these values that it has."""
        for node in self.focus_reaching(shape, focus, values):
            for value in values.intersection(self.values_of(shape, node)):
                yield node, value
