"""Lists, paths and flags of shapes, and what of them is refused."""

from __future__ import annotations

import pytest

from kg.rdf.rdflib_dataset import triples_of_graph
from kg.rdf.shacl.evaluation import BrokenShapes
from kg.rdf.shacl.read_shapes import read_shapes
from kg.rdf.shacl.shapes_graph import ShapesGraph
from tests.rdf.shacl.pyshacl_report import read_turtle


def test_a_list_that_never_ends_is_refused() -> None:
    text = "ex:shape sh:targetNode ex:a ; sh:in _:x . _:x rdf:first 1 ; rdf:rest _:x ."
    with pytest.raises(BrokenShapes, match="contains itself"):
        read_shapes(ShapesGraph(triples_of_graph(read_turtle(text))))


def test_a_path_within_itself_is_refused() -> None:
    text = "ex:shape sh:targetNode ex:a ; sh:path _:x . _:x sh:inversePath _:x ."
    with pytest.raises(BrokenShapes, match="part of itself"):
        read_shapes(ShapesGraph(triples_of_graph(read_turtle(text))))
