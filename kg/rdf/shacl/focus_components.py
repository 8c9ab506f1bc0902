"""Constraints on all value nodes of a focus node together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from kg.rdf.shacl.evaluation import Constraint, Evaluation, Shape, Violation, Violations
from kg.rdf.shacl.node_text import SH, iri, read_literal
from kg.rdf.shacl.property_paths import PredicatePath
from kg.rdf.shacl.value_components import pairs_that_compare


@dataclass(frozen=True)
class MinCount(Constraint):
    """`sh:minCount`."""

    component = iri(SH + "MinCountConstraintComponent")
    words: str
    minimum: int

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """A violation for each focus node that has fewer than `minimum` values at the path."""
        assert shape.path is not None
        if self.minimum < 1:
            return ()
        failing = shape.path.nodes_without_values(evaluation.graph, focus)
        if self.minimum > 1:
            failing |= {
                node
                for node in focus - failing
                if len(evaluation.values_of(shape, node)) < self.minimum
            }
        return map(Violation, failing)


@dataclass(frozen=True)
class MaxCount(Constraint):
    """`sh:maxCount`."""

    component = iri(SH + "MaxCountConstraintComponent")
    words: str
    maximum: int

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """The focus nodes with more values."""
        assert shape.path is not None
        if isinstance(shape.path, PredicatePath) and self.maximum:
            focus = focus & evaluation.graph.column(shape.path.name).several.keys()
        elif (having := shape.path.nodes_with_values(evaluation.graph)) is not None:
            focus = focus & having
        return (
            Violation(node)
            for node in focus
            if len(evaluation.values_of(shape, node)) > self.maximum
        )


@dataclass(frozen=True)
class HasValue(Constraint):
    """`sh:hasValue`."""

    component = iri(SH + "HasValueConstraintComponent")
    words: str
    value: str

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """The focus nodes without it."""
        return map(Violation, focus - evaluation.focus_reaching(shape, focus, {self.value}))


@dataclass(frozen=True)
class UniqueLanguage(Constraint):
    """`sh:uniqueLang`."""

    component = iri(SH + "UniqueLangConstraintComponent")
    words: str

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """The focus nodes with two values in one language."""
        for node in focus:
            parts = filter(None, map(read_literal, evaluation.values_of(shape, node)))
            tags = Counter(part.language.casefold() for part in parts if part.language)
            if any(count > 1 for count in tags.values()):
                yield Violation(node)


@dataclass(frozen=True)
class Equals(Constraint):
    """`sh:equals`."""

    component = iri(SH + "EqualsConstraintComponent")
    words: str
    property: str

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Yield each value of only one of the two properties."""
        other = evaluation.graph.column(self.property)
        for node in focus:
            for value in set(other.of(node)).symmetric_difference(
                evaluation.values_of(shape, node)
            ):
                yield Violation(node, value)


@dataclass(frozen=True)
class Disjoint(Constraint):
    """`sh:disjoint`, checked by candidate pairs, as a path may lead to many nodes."""

    component = iri(SH + "DisjointConstraintComponent")
    words: str
    property: str

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Return each value of both properties."""
        other = evaluation.graph.column(self.property)
        if isinstance(shape.path, PredicatePath):
            shared = evaluation.graph.column(shape.path.name).pairs_also_in(other)
            return (Violation(node, value) for node, value in shared if node in focus)
        pairs = [(node, v) for node in focus & other.subjects() for v in other.of(node)]
        if shape.path is None:
            return (Violation(node, value) for node, value in pairs if node == value)
        return (Violation(*pair) for pair in shape.path.linked_pairs(evaluation.graph, pairs))


@dataclass(frozen=True)
class LessThan(Constraint):
    """`sh:lessThan` and `sh:lessThanOrEquals`."""

    component: str
    words: str
    property: str
    sign: str

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Return each value that is not less than each of the others, or cannot be compared."""
        other = evaluation.graph.column(self.property)
        rows = [
            (node, value, bound)
            for node in focus & other.subjects()
            for value in evaluation.values_of(shape, node)
            for bound in other.of(node)
        ]
        comparing_pairs = pairs_that_compare(
            {(value, bound) for _, value, bound in rows}, self.sign
        )
        return (
            Violation(node, value)
            for node, value, bound in rows
            if (value, bound) not in comparing_pairs
        )


@dataclass(frozen=True)
class Closed(Constraint):
    """`sh:closed`."""

    component = iri(SH + "ClosedConstraintComponent")
    words: str
    allowed_properties: Collection[str]

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Yield each triple of a value node whose property is not allowed."""
        values = evaluation.values(shape, focus)
        triples: dict[str, list[tuple[str, str]]] = {}
        for node, property, value in evaluation.graph:
            if property not in self.allowed_properties and node in values:
                triples.setdefault(node, []).append((property, value))
        for start, node in evaluation.pairs(shape, focus, set(triples)):
            for property, value in triples[node]:
                yield Violation(start, value, PredicatePath(property))


@dataclass(frozen=True)
class Qualified(Constraint):
    """`sh:qualifiedValueShape` with a minimum or maximum count."""

    component: str
    words: str
    shape: Shape
    minimum: int
    maximum: int | None
    siblings: Collection[Shape]

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """The focus nodes with too few or too many conforming values."""
        values = evaluation.values(shape, focus)
        conforming_values = values - evaluation.failing_nodes(self.shape, values)
        # a value that also fits a sibling shape does not count
        for sibling in self.siblings:
            conforming_values &= evaluation.failing_nodes(sibling, conforming_values)
        nodes_with_conforming = evaluation.focus_reaching(shape, focus, conforming_values)
        if self.minimum > 0:
            yield from map(Violation, focus - nodes_with_conforming)
        # that at least one is there is known by now: only other bounds need counting
        if self.minimum > 1 or self.maximum is not None:
            for node in nodes_with_conforming:
                count = len(conforming_values.intersection(evaluation.values_of(shape, node)))
                if count < self.minimum or (self.maximum is not None and count > self.maximum):
                    yield Violation(node)
