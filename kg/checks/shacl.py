"""SHACL validation of the graph, with results traced back to file and line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.memoize import pause_gc
from kg.model import Diagnostic, Relation, Severity, Span
from kg.ontology import KG, load_text, relation_name
from kg.rdf.quads import corpus_subjects
from kg.rdf.shacl.evaluation import BrokenShapes, ValidationResult
from kg.rdf.shacl.node_text import as_integer, iri, read_string
from kg.rdf.shacl.property_paths import Inverse
from kg.rdf.shacl.read_shapes import validate_graph
from kg.rdf.shacl.shapes_graph import ShapesGraph, sh
from kg.rdf.shacl.triple_columns import TripleColumns, TripleList, TriplesBySubject, triples_of

if TYPE_CHECKING:
    import rdflib

__all__ = ["SHAPES_NAMESPACE", "BrokenShapes", "check_shapes", "find_place", "validate"]

SHAPES_NAMESPACE = "https://example.org/inquiry-lines/shapes#"
SEVERITIES = {sh("Warning"): Severity.WARNING, sh("Info"): Severity.INFO}


def check_shapes(corpus: Corpus) -> list[Diagnostic]:
    """The violations of the ontology's shapes in the graph, in reading order."""
    with pause_gc():
        graph = TriplesBySubject(corpus_subjects(corpus), _triples("kg.ttl"))
        return _diagnostics(graph, ShapesGraph(_triples("shapes.ttl")))


def validate(graph: rdflib.Graph, shapes: rdflib.Graph | None = None) -> list[Diagnostic]:
    """Violations of the shapes in a graph, each at the place where its focus node was written.

    Other shapes may be given; a shape without `shapes:rule` is reported as the rule `shape`.
    Raises `BrokenShapes` for shapes that are invalid or not supported.
    """
    from kg.rdf.dataset import triples_of_graph

    whole = TripleList((*triples_of_graph(graph), *_triples("kg.ttl")))
    shape_triples = _triples("shapes.ttl") if shapes is None else triples_of_graph(shapes)
    return _diagnostics(whole, ShapesGraph(shape_triples))


def _triples(name: str) -> Iterator[tuple[str, str, str]]:
    return triples_of(ox.parse(load_text(name), format=ox.RdfFormat.TURTLE))


def _diagnostics(graph: TripleColumns, shapes: ShapesGraph) -> list[Diagnostic]:
    found = {_diagnostic(graph, shapes, result) for result in validate_graph(graph, shapes)}
    return sorted(found, key=lambda problem: (problem.span, problem.rule, problem.message))


def _diagnostic(graph: TripleColumns, shapes: ShapesGraph, result: ValidationResult) -> Diagnostic:
    edge = None
    if result.value and result.path:
        path, start, end = result.path, result.focus, result.value
        if isinstance(path, Inverse):
            path, start, end = path.path, end, start
        relations = {str(path), *shapes.all(result.shape, "disjoint")}
        edge = _edge_between(graph, start, end, relations)
    rules = shapes.of(result.shape, iri(SHAPES_NAMESPACE + "rule"))
    found = f" and found {read_string(result.value)}" if result.value else ""
    return Diagnostic(
        rule=read_string(rules[0]) if rules else "shape",
        severity=SEVERITIES.get(result.severity, Severity.ERROR),
        message=result.messages[0],
        span=find_place(graph, edge or result.focus),
        help=f"the shape was applied to {read_string(result.focus)}{found}",
    )


def _kg_term(name: str) -> str:
    return iri(KG + name)


def _edge_between(graph: TripleColumns, start: str, end: str, relations: set[str]) -> str | None:
    """The last edge between two nodes with one of the relations, to place a result there."""

    def edges_between(one: str, other: str) -> set[str]:
        found = set(graph.subjects_of(_kg_term("from"), one))
        return found and found & set(graph.subjects_of(_kg_term("to"), other))

    def relation(edge: str) -> str:
        return next(iter(graph.of(edge, _kg_term("relation"))), "")

    def is_mutual(edge: str) -> bool:
        if relation(edge) == _kg_term(relation_name(Relation.SAME_AS)):
            return True
        said = map(read_string, graph.of(edge, _kg_term("mutual")))
        return relation(edge) == _kg_term(relation_name(Relation.CONTRADICTS)) and "true" in said

    both = {edge for edge in edges_between(end, start) if is_mutual(edge)}
    linking = {edge for edge in edges_between(start, end) | both if relation(edge) in relations}
    return max(linking, key=lambda edge: (find_place(graph, edge), edge), default=None)


def find_place(graph: TripleColumns, focus: str) -> Span:
    """Where a node was written: its own line, in its note or that of its holder."""

    def one(subject: str, *names: str) -> str | None:
        return next((node for name in names for node in graph.of(subject, _kg_term(name))), None)

    def number(name: str) -> int:
        found = one(focus, name)
        return as_integer(found) or 1 if found else 1

    note, holder, visited = one(focus, "writtenIn"), focus, {focus}
    while note is None:
        held = one(holder, "from", "inLine") or min(graph.subjects_of(None, holder), default="")
        if not held or held in visited:
            break
        visited.add(held)
        holder = held
        note = one(holder, "writtenIn")
    path = (note and one(note, "path")) or one(focus, "path")
    return Span(read_string(path) if path else "", number("atLine"), number("atColumn"))
