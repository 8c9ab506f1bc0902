"""SHACL validation of the graph, with results traced back to file and line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.model import Diagnostic, Relation, Severity, Span
from kg.rdf.ontology import KG, load_text, relation_name
from kg.rdf.quads import corpus_subjects
from kg.rdf.shacl.evaluation import BrokenShapes, ValidationResult
from kg.rdf.shacl.node_text import as_integer, iri, read_string
from kg.rdf.shacl.property_paths import InversePath
from kg.rdf.shacl.read_shapes import validate_graph
from kg.rdf.shacl.shapes_graph import ShapesGraph, sh
from kg.rdf.shacl.triple_columns import TripleColumns, triples_of
from kg.runtime.gc_pauses import pause_gc

if TYPE_CHECKING:
    import rdflib

__all__ = ["SHAPES_NAMESPACE", "BrokenShapes", "check_shapes", "find_place", "validate"]

SHAPES_NAMESPACE = "https://example.org/inquiry-lines/shapes#"
SEVERITIES = {sh("Warning"): Severity.WARNING, sh("Info"): Severity.INFO}


def check_shapes(corpus: Corpus) -> list[Diagnostic]:
    """The violations of the ontology's shapes in the graph, in reading order."""
    with pause_gc():
        triples = (
            (subject, property, value)
            for name, pairs in corpus_subjects(corpus)
            for subject in [iri(name)]
            for property, value in pairs
        )
        graph = TripleColumns(chain(triples, _triples_of_file("kg.ttl")))
        return _diagnostics_of_shapes(graph, ShapesGraph(_triples_of_file("shapes.ttl")))


def validate(graph: rdflib.Graph, shapes: rdflib.Graph | None = None) -> list[Diagnostic]:
    """Violations of the shapes in a graph, each at the place where its focus node was written.

    Other shapes may be given; a shape without `shapes:rule` is reported as the rule `shape`.
    Raises `BrokenShapes` for shapes that are invalid or not supported.
    """
    from kg.rdf.rdflib_dataset import triples_of_graph

    triples = TripleColumns((*triples_of_graph(graph), *_triples_of_file("kg.ttl")))
    shape_triples = _triples_of_file("shapes.ttl") if shapes is None else triples_of_graph(shapes)
    return _diagnostics_of_shapes(triples, ShapesGraph(shape_triples))


def _triples_of_file(name: str) -> Iterator[tuple[str, str, str]]:
    return triples_of(ox.parse(load_text(name), format=ox.RdfFormat.TURTLE))


def _diagnostics_of_shapes(graph: TripleColumns, shapes: ShapesGraph) -> list[Diagnostic]:
    problems = {
        _violation_problem(graph, shapes, result) for result in validate_graph(graph, shapes)
    }
    return sorted(problems, key=lambda problem: (problem.span, problem.rule, problem.message))


def _violation_problem(
    graph: TripleColumns, shapes: ShapesGraph, result: ValidationResult
) -> Diagnostic:
    edge = None
    if result.value and result.path:
        path = result.path
        start = result.focus
        end = result.value
        if isinstance(path, InversePath):
            path, start, end = path.path, end, start
        relations = {str(path), *shapes.all(result.shape, "disjoint")}
        edge = _edge_between(graph, start, end, relations)
    rules = shapes.of(result.shape, iri(SHAPES_NAMESPACE + "rule"))
    value_text = f" and found {read_string(result.value)}" if result.value else ""
    return Diagnostic(
        rule=read_string(rules[0]) if rules else "shape",
        severity=SEVERITIES.get(result.severity, Severity.ERROR),
        message=result.messages[0],
        span=find_place(graph, edge or result.focus),
        help=f"the shape was applied to {read_string(result.focus)}{value_text}",
    )


def _ontology_iri(name: str) -> str:
    """A term of our ontology, in the form in which graphs hold it."""
    return iri(KG + name)


_ORIGIN, _TARGET = map(_ontology_iri, ("origin", "target"))
_RELATION, _MUTUAL = map(_ontology_iri, ("relation", "mutual"))
_WRITTEN_IN, _IN_LINE, _PATH = map(_ontology_iri, ("writtenIn", "inLine", "path"))
_LINE, _COLUMN, _HAS_CITATION = map(_ontology_iri, ("atLine", "atColumn", "hasCitation"))
_SAME_AS, _CONTRADICTS = (
    _ontology_iri(relation_name(relation)) for relation in (Relation.SAME_AS, Relation.CONTRADICTS)
)


def _edge_between(graph: TripleColumns, start: str, end: str, relations: set[str]) -> str | None:
    """The last edge between two nodes with one of the relations, to place a result there."""

    def edges_between(source: str, target: str) -> set[str]:
        edges_from = set(graph.column(_ORIGIN, by_value=True).of(source))
        return edges_from.intersection(graph.column(_TARGET, by_value=True).of(target))

    def relation(edge: str) -> str:
        return next(iter(graph.of(edge, _RELATION)), "")

    def is_mutual(edge: str) -> bool:
        if relation(edge) == _SAME_AS:
            return True
        mutual_values = map(read_string, graph.of(edge, _MUTUAL))
        return relation(edge) == _CONTRADICTS and "true" in mutual_values

    mutual_edges = {edge for edge in edges_between(end, start) if is_mutual(edge)}
    linking_edges = {
        edge for edge in edges_between(start, end) | mutual_edges if relation(edge) in relations
    }
    return max(linking_edges, key=lambda edge: (find_place(graph, edge), edge), default=None)


def find_place(graph: TripleColumns, focus: str) -> Span:
    """Find where a node was written: its own line, in its note or in the note of its holder."""

    def first_value(subject: str, *properties: str) -> str | None:
        values = (value for property in properties for value in graph.of(subject, property))
        return next(values, None)

    def number(property: str) -> int:
        value = first_value(focus, property)
        return as_integer(value) or 1 if value else 1

    note = first_value(focus, _WRITTEN_IN)
    holder = focus
    visited = {focus}
    while note is None:
        parent = first_value(holder, _ORIGIN, _IN_LINE)
        parents = () if parent else graph.column(_HAS_CITATION, by_value=True).of(holder)
        parent = parent or min(parents or graph.subjects_by_value.get(holder, ()), default="")
        if not parent or parent in visited:
            break
        visited.add(parent)
        holder = parent
        note = first_value(holder, _WRITTEN_IN)
    path = (note and first_value(note, _PATH)) or first_value(focus, _PATH)
    return Span(read_string(path) if path else "", number(_LINE), number(_COLUMN))
