"""The shapes of a valid graph, run by pySHACL, and its results led back to file and line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg.corpus import Corpus
from kg.model import Diagnostic, Relation, Severity, Span
from kg.model.errors import KgError

if TYPE_CHECKING:
    import rdflib

SHAPES_NAMESPACE = "https://example.org/inquiry-lines/shapes#"


class BrokenShapes(KgError, ValueError):
    """Shapes that are not SHACL; the message says why."""


def check_shapes(corpus: Corpus) -> list[Diagnostic]:
    """What the ontology's shapes find wrong with the graph, in reading order."""
    from kg.rdf.dataset import as_rdflib_graph

    return validate(as_rdflib_graph(corpus))


def validate(graph: rdflib.Graph, shapes: rdflib.Graph | None = None) -> list[Diagnostic]:
    """Breaches of the shapes in a graph, each at the place where its subject was written.

    Other shapes may be given; where they name no `shapes:rule`, the rule is called `shape`.
    """
    import pyshacl
    import rdflib
    from rdflib import SH

    from kg.ontology import load_graph

    shapes = shapes if shapes is not None else load_graph("shapes.ttl")
    whole = load_graph()  # pySHACL takes over only parts of an ontology that is given apart
    whole += graph
    _, report, text = pyshacl.validate(whole, shacl_graph=shapes, advanced=True, inplace=True)
    if not isinstance(report, rdflib.Graph):
        raise BrokenShapes(f"these shapes cannot be used: {text}")
    found = {
        _diagnostic(graph, shapes, report, result) for result in report.objects(None, SH.result)
    }
    return sorted(found, key=lambda problem: (problem.span, problem.rule, problem.message))


def _diagnostic(
    graph: rdflib.Graph, shapes: rdflib.Graph, report: rdflib.Graph, result: Any
) -> Diagnostic:
    from rdflib import SH

    focus = report.value(result, SH.focusNode)
    severities = {SH.Warning: Severity.WARNING, SH.Info: Severity.INFO}
    severity: Any = report.value(result, SH.resultSeverity)
    value = report.value(result, SH.value)
    shape = report.value(result, SH.sourceShape)
    path, ends = report.value(result, SH.resultPath), (focus, value)
    if inverse := report.value(path, SH.inversePath):
        path, ends = inverse, (value, focus)
    relations = {path, shapes.value(shape, SH.disjoint)}
    return Diagnostic(
        rule=_rule(shapes, shape),
        severity=severities.get(severity, Severity.ERROR),
        message=str(report.value(result, SH.resultMessage) or "this breaks a shape"),
        span=find_place(graph, _edge_between(graph, *ends, relations) or focus),
        help=f"the shape looked at {focus}" + (f", and found {value}" if value else ""),
    )


def _edge_between(graph: rdflib.Graph, start: Any, end: Any, relations: set[Any]) -> Any:
    """The last edge that links two things: where a result about both of them was written."""
    from rdflib import Literal, URIRef

    from kg.ontology import KG, relation_name

    def edges(one: Any, other: Any) -> set[Any]:
        found = set(graph.subjects(URIRef(KG + "from"), one))
        return found & set(graph.subjects(URIRef(KG + "to"), other))

    def related(relation: Relation) -> set[Any]:
        name = URIRef(KG + relation_name(relation))
        return set(graph.subjects(URIRef(KG + "relation"), name))

    both_ways = set(graph.subjects(URIRef(KG + "mutual"), Literal(True)))
    both_ways = (both_ways & related(Relation.CONTRADICTS)) | related(Relation.SAME_AS)
    linking = {
        edge
        for edge in edges(start, end) | (edges(end, start) & both_ways)
        if graph.value(edge, URIRef(KG + "relation")) in relations
    }
    return max(linking, key=lambda edge: (find_place(graph, edge), str(edge)), default=None)


def _rule(shapes: rdflib.Graph, shape: Any) -> str:
    from rdflib import URIRef

    return str(shapes.value(shape, URIRef(SHAPES_NAMESPACE + "rule")) or "shape")


def find_place(graph: rdflib.Graph, focus: Any) -> Span:
    """Where something was written: its own line, in its own note or that of what holds it."""
    from rdflib import URIRef

    from kg.ontology import KG

    def one(subject: Any, name: str) -> Any:
        return graph.value(subject, URIRef(KG + name))

    line, column = one(focus, "atLine"), one(focus, "atColumn")
    note, holder = one(focus, "writtenIn"), focus
    while note is None and holder is not None:
        holder = (
            one(holder, "from") or one(holder, "inLine") or next(graph.subjects(None, holder), None)
        )
        note = one(holder, "writtenIn") if holder is not None else None
    path = one(note, "path") or one(focus, "path") or ""
    return Span(str(path), int(line or 1), int(column or 1))
