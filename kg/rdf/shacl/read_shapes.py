"""Read a graph of shapes, and validate another graph by them; what is not supported raises."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from kg.rdf.shacl.component_table import ShapeParameter, constraints_of
from kg.rdf.shacl.evaluation import (
    BrokenShapes,
    Constraint,
    Evaluation,
    Shape,
    Target,
    ValidationResult,
)
from kg.rdf.shacl.node_text import RDFS, SH, iri
from kg.rdf.shacl.shape_queries import (
    SparqlConstraint,
    SparqlTarget,
    read_components,
    require_bindable,
    require_local,
)
from kg.rdf.shacl.shapes_graph import ShapesGraph, local_name, sh
from kg.rdf.shacl.triple_columns import TripleColumns

CLASS_IRIS = (iri(RDFS + "Class"), iri("http://www.w3.org/2002/07/owl#Class"))
SimpleTargetTerm = Literal["targetNode", "targetClass", "targetSubjectsOf", "targetObjectsOf"]
TARGETS = (*get_args(SimpleTargetTerm), "target")
# Terms on a shape that are not constraints themselves.
NOT_CONSTRAINTS = {
    *("name", "description", "order", "group", "defaultValue", "message", "severity"),
    *("deactivated", "path", "property", "prefixes", "declare", "flags", "ignoredProperties"),
    *("qualifiedValueShape", "qualifiedValueShapesDisjoint", "sparql", *TARGETS),
}


@dataclass(frozen=True)
class SimpleTarget(Target):
    """A target of the core language: its term and its value."""

    term: SimpleTargetTerm
    node: str

    def find_nodes(self, graph: TripleColumns) -> set[str]:
        """The nodes in this graph."""
        if self.term == "targetNode":
            return {self.node}
        if self.term == "targetClass":
            return graph.instances(self.node)
        column = graph.column(self.node)
        return column.subjects() if self.term == "targetSubjectsOf" else column.values()


def read_shapes(graph: ShapesGraph) -> list[Shape]:
    """The shapes that have targets. Raises `BrokenShapes`."""
    reader = ShapesReader(graph)
    nodes = graph.instances(sh("NodeShape")) | graph.instances(sh("PropertyShape"))
    for name in TARGETS:
        nodes |= graph.column(sh(name)).subjects()
    return [shape for shape in map(reader.shape, sorted(nodes)) if shape.targets]


class ShapesReader:
    """Reads each shape once; recursive shapes are refused."""

    def __init__(self, graph: ShapesGraph) -> None:
        self.graph = graph
        self.custom_components = read_components(graph)
        self._shapes: dict[str, Shape | None] = {}

    def shape(self, node: str) -> Shape:
        """The shape at a node, with all shapes that it refers to."""
        if node not in self._shapes:
            self._shapes[node] = None
            self._shapes[node] = self._read_shape(node)
        shape = self._shapes[node]
        if shape is None:
            raise BrokenShapes(
                f"{self.graph.describe_shape(node)} is recursive, which is not supported"
            )
        return shape

    def _read_shape(self, node: str) -> Shape:
        graph = self.graph
        path_node = graph.one(node, "path")
        if path_node and node in graph.instances(sh("NodeShape")):
            raise BrokenShapes(
                f"{graph.describe_shape(node)} has a path, but is declared a node shape"
            )
        shape = Shape(
            node,
            graph.path(path_node) if path_node else None,
            graph.one(node, "severity") or sh("Violation"),
            graph.texts(node, "message"),
            graph.read_flag(node, "deactivated"),
        )
        if shape.deactivated:
            return shape
        shape.targets += self._targets_of_shape(node)
        names = sorted(graph.properties_by_subject.get(node, ()))
        for name in names:
            if name.startswith("<" + SH):
                shape.constraints += self._constraints_of_component(shape, local_name(name))
        for custom in self.custom_components:
            shape.constraints += custom.constraints(graph, shape)
        for nested in graph.all(node, "property"):
            if graph.one(nested, "path") is None:
                raise BrokenShapes(
                    f"{graph.describe_shape(nested)} is no property shape: it has no path"
                )
            shape.properties.append(self.shape(nested))
        return shape

    def _targets_of_shape(self, node: str) -> Iterator[Target]:
        graph = self.graph
        for term in get_args(SimpleTargetTerm):
            yield from (SimpleTarget(term, value) for value in graph.all(node, term))
        for target in graph.all(node, "target"):
            owner = f"a target of {graph.describe_shape(node)}"
            text = graph.text(target, "select")
            if text is None:
                raise BrokenShapes(f"{owner} has no sh:select, and no other kind is supported")
            require_local(text, owner)
            yield SparqlTarget(graph.prefixes(target) + text, owner)
        if any(node in graph.instances(kind) for kind in CLASS_IRIS):
            yield SimpleTarget("targetClass", node)

    def _constraints_of_component(self, shape: Shape, name: str) -> Iterator[Constraint]:
        if name == "sparql":
            for node in self.graph.all(shape.node, name):
                if not self.graph.read_flag(node, "deactivated"):
                    yield self._sparql_constraint(shape, node)
        elif name == "select" and shape.node in self.graph.column(sh("sparql")).values():
            return  # a shape may be a constraint in SPARQL as well
        elif name not in NOT_CONSTRAINTS:
            yield from constraints_of(ShapeParameter(self.graph, shape.node, name, self.shape))

    def _sparql_constraint(self, shape: Shape, node: str) -> Constraint:
        graph = self.graph
        owner = self.graph.describe_shape(shape.node)
        text = graph.text(node, "select")
        if text is None:
            raise BrokenShapes(f"a constraint in SPARQL of {owner} has no sh:select")
        require_bindable(text, ("this",), owner)
        return SparqlConstraint(
            sh("SPARQLConstraintComponent"),
            "a SPARQL constraint is violated",
            graph.prefixes(node) + text,
            owner,
            graph.texts(node, "message"),
        )


def validate_graph(graph: TripleColumns, shapes: ShapesGraph) -> list[ValidationResult]:
    """The validation results of a graph, each once, in a stable order.

    Raises `BrokenShapes` for invalid shapes, and for unsupported features.
    """
    evaluation = Evaluation(graph)
    results: set[ValidationResult] = set()
    for shape in read_shapes(shapes):
        focus = set().union(*(target.find_nodes(graph) for target in shape.targets))
        results.update(evaluation.results(shape, focus))
    return sorted(results, key=lambda result: tuple(map(str, result)))
