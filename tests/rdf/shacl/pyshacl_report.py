"""The same report from pySHACL, as tuples that can be compared."""

from __future__ import annotations

from typing import NamedTuple

import pyshacl
import rdflib
from rdflib import SH, BNode, URIRef

from kg.rdf.rdflib_dataset import triples_of_graph
from kg.rdf.shacl.read_shapes import validate_graph
from kg.rdf.shacl.shapes_graph import ShapesGraph
from kg.rdf.shacl.triple_columns import TripleColumns

PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix ex: <http://ex.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


class Line(NamedTuple):
    """One result: what a nameless shape is called differs, and so does how a path is written."""

    focus: str
    value: str
    path: str
    shape: str
    component: str
    severity: str


def read_turtle(text: str) -> rdflib.Graph:
    """Turtle with the usual prefixes."""
    return rdflib.Graph().parse(data=PREFIXES + text, format="turtle")


def our_report(data: rdflib.Graph | TripleColumns, shapes: rdflib.Graph) -> set[Line]:
    """What we find."""
    graph = data if isinstance(data, TripleColumns) else TripleColumns(triples_of_graph(data))
    return {
        Line(
            result.focus,
            result.value or "",
            (str(result.path) if str(result.path)[0] == "<" else "path") if result.path else "",
            result.shape if result.shape[0] == "<" else "",
            result.component,
            result.severity,
        )
        for result in validate_graph(graph, ShapesGraph(triples_of_graph(shapes)))
    }


def their_report(data: rdflib.Graph, shapes: rdflib.Graph) -> set[Line]:
    """What pySHACL finds."""
    _, report, text = pyshacl.validate(data, shacl_graph=shapes, advanced=True, inplace=True)
    assert isinstance(report, rdflib.Graph), text

    def shown_term(result: object, name: URIRef) -> str:
        node = report.value(result, name)
        if node is None:
            return ""
        if isinstance(node, BNode):
            return {SH.resultPath: "path", SH.sourceShape: ""}.get(name, f"_:{node}")
        (text,) = triples_of_graph([(SH.result, SH.result, node)])
        return text[2]

    names = (
        SH.focusNode,
        SH.value,
        SH.resultPath,
        SH.sourceShape,
        SH.sourceConstraintComponent,
        SH.resultSeverity,
    )
    results = report.objects(None, SH.result)
    return {Line(*(shown_term(result, name) for name in names)) for result in results}
