"""A graph validated: every shape at the nodes it targets, the results in order."""

from __future__ import annotations

from kg.rdf.shacl.evaluation import Evaluation, ValidationResult
from kg.rdf.shacl.read_shapes import read_shapes
from kg.rdf.shacl.shapes_graph import ShapesGraph
from kg.rdf.shacl.triple_columns import TripleColumns


def find_results(graph: TripleColumns, shapes: ShapesGraph) -> list[ValidationResult]:
    """What the shapes find wrong with a graph, each thing once, in an order that stays.

    Raises `BrokenShapes` for shapes that are none, and for what is not supported.
    """
    evaluation = Evaluation(graph)
    found: set[ValidationResult] = set()
    for shape in read_shapes(shapes):
        focus = set().union(*(target.find(graph) for target in shape.targets))
        found.update(evaluation.results(shape, focus))
    return sorted(found, key=lambda result: tuple(map(str, result)))
