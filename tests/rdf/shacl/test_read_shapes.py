"""What is no shape, or asks for what is not supported, is refused by name.

Of `kg/rdf/shacl/shapes_graph.py` and `kg/rdf/shacl/component_table.py`, too.
"""

from __future__ import annotations

import pytest

from kg.rdf.rdflib_dataset import triples_of_graph
from kg.rdf.shacl.evaluation import BrokenShapes
from kg.rdf.shacl.read_shapes import read_shapes
from kg.rdf.shacl.shapes_graph import ShapesGraph
from tests.rdf.shacl.pyshacl_report import our_report, read_turtle
from tests.support.every_row import every_row

REFUSED = {
    "sh:js [ ]": "sh:js",
    "sh:rule [ ]": "sh:rule",
    "sh:expression ex:x": "sh:expression",
    "sh:minCount 1": "only a shape with a path",
    "sh:nodeKind sh:Nothing": "not a node kind",
    "sh:in ex:a": "is not a list",
    "sh:or ( [ sh:class ex:C ] ex:shape )": "is recursive",
    "sh:node [ sh:path ex:p ]": "for sh:property",
    "sh:path ex:p": "declared a node shape",
    "sh:property [ sh:minCount 1 ]": "no path",
    "sh:property [ sh:path ex:p ; sh:minCount 1 , 2 ]": "more than one sh:minCount",
    'sh:property [ sh:path ex:p ; sh:minCount "many" ]': "not an xsd:integer",
    "sh:property [ sh:path ( ex:p ) ; sh:minCount 1 ]": "sequence of only one",
    "sh:property [ sh:path [ ] ; sh:minCount 1 ]": "is not a path",
    'sh:closed "yes"': "not an xsd:boolean",
    'sh:pattern "("': "not a regular expression",
    'sh:pattern "a" ; sh:flags "z"': "not a regular expression",
    "sh:minInclusive ex:a": "not a literal",
    'sh:datatype "integer"': "not an IRI",
    "sh:sparql [ sh:ask 'ASK {}' ]": "no sh:select",
    "sh:target [ a sh:SPARQLTargetType ]": "no other kind",
    "sh:target [ sh:select 'SELECT ?x { SERVICE <http://x> { ?this ?p ?o } }' ]": "another server",
    "sh:target [ sh:select 'SELECT ?x { ?x ?p ?o }' ]": "has to select ?this",
    "sh:target [ sh:select 'SELECT ?this {' ]": "cannot be run",
    "sh:sparql [ sh:select 'SELECT $this { $this ?p ?o MINUS { $this a ?c } }' ]": "MINUS",
    "sh:sparql [ sh:select 'SELECT $this { VALUES ?x { 1 } }' ]": "VALUES",
    "sh:sparql [ sh:select 'SELECT $this { BIND (1 AS $this) }' ]": "may not give ?this a value",
    "sh:sparql [ sh:select 'SELECT $this { { SELECT ?o { ?s ?p ?o } } }' ]": "must select ?this",
    "sh:sparql [ sh:select 'SELECT $this { { SELECT (IF(?this = 1, 1, COUNT(*)) AS ?x) "
    "{ ?this ?p ?o } } }' ]": "must select ?this",
    "sh:sparql [ sh:select 'SELECT $this { { SELECT * { FILTER ($this = 1) } } }' ]": "must select",
    "sh:sparql [ sh:select 'SELECT $this { GRAPH $shapesGraph { } }' ]": "$shapesGraph",
    "sh:sparql [ sh:select 'SELECT $this { $this my:own ?x }' ]": "cannot be run",
}


@every_row("body", REFUSED)
def test_what_is_not_supported_is_named(body: str) -> None:
    shapes = read_turtle(f"ex:shape a sh:NodeShape ; sh:targetNode ex:a ; {body} .")
    with pytest.raises(BrokenShapes, match=REFUSED[body].replace("$", r"\$").replace("?", r"\?")):
        our_report(read_turtle("ex:a ex:p ex:b ."), shapes)


def test_a_list_that_never_ends_is_refused() -> None:
    text = "ex:shape sh:targetNode ex:a ; sh:in _:x . _:x rdf:first 1 ; rdf:rest _:x ."
    with pytest.raises(BrokenShapes, match="contains itself"):
        read_shapes(ShapesGraph(triples_of_graph(read_turtle(text))))


def test_a_path_within_itself_is_refused() -> None:
    text = "ex:shape sh:targetNode ex:a ; sh:path _:x . _:x sh:inversePath _:x ."
    with pytest.raises(BrokenShapes, match="part of itself"):
        read_shapes(ShapesGraph(triples_of_graph(read_turtle(text))))


def test_what_is_deactivated_is_not_asked_for() -> None:
    text = (
        "ex:shape sh:targetNode ex:a ; sh:deactivated true ; sh:js [ ] . "
        "ex:other sh:targetNode ex:a ; sh:not [ sh:deactivated true ; sh:class ex:C ] ; "
        "sh:property [ sh:deactivated true ; sh:path ex:p ; sh:maxCount 0 ] ."
    )
    (line,) = our_report(read_turtle("ex:a ex:p ex:b ."), read_turtle(text))
    assert (line.shape, line.focus) == ("<http://ex.org/other>", "<http://ex.org/a>")
    assert line.component.endswith("NotConstraintComponent>")


def test_qualified_shapes_may_be_disjoint() -> None:
    data = "ex:hand ex:digit ex:t , ex:f . ex:t a ex:Thumb , ex:Finger . ex:f a ex:Finger ."
    sides = "".join(
        f"sh:property [ sh:path ex:digit ; sh:qualifiedValueShapesDisjoint true ; "
        f"sh:qualifiedValueShape [ sh:class ex:{name} ] ; sh:qualifiedMinCount 1 ] ; "
        for name in ("Thumb", "Finger")
    )
    found = our_report(
        read_turtle(data), read_turtle(f"ex:shape sh:targetNode ex:hand ; {sides} .")
    )
    # the thumb, a finger too, counts for neither; so one is missing, and the other is the finger
    assert [line.component.rpartition("#")[2] for line in found] == [
        "QualifiedMinCountConstraintComponent>"
    ]


@every_row(("kind", "wrong"), [("xsd:integer", ["1.5", "x"]), ("xsd:decimal", ["1", "x"])])
def test_a_datatype_is_asked_for_by_its_name(kind: str, wrong: list[str]) -> None:
    shapes = f"ex:shape sh:targetNode ex:a ; sh:path ex:p ; sh:datatype {kind} ."
    found = our_report(read_turtle('ex:a ex:p 1 , 1.5 , "x" .'), read_turtle(shapes))
    assert sorted(line.value.split('"')[1] for line in found if line.value) == wrong
