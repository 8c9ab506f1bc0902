"""What is no shape, or asks for what is not supported, is refused by name."""

from __future__ import annotations

import pytest

from kg.rdf.shacl.evaluation import BrokenShapes
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


def test_what_is_deactivated_is_not_asked_for() -> None:
    text = (
        "ex:shape sh:targetNode ex:a ; sh:deactivated true ; sh:js [ ] . "
        "ex:other sh:targetNode ex:a ; sh:not [ sh:deactivated true ; sh:class ex:C ] ; "
        "sh:property [ sh:deactivated true ; sh:path ex:p ; sh:maxCount 0 ] ."
    )
    (line,) = our_report(read_turtle("ex:a ex:p ex:b ."), read_turtle(text))
    assert (line.shape, line.focus) == ("<http://ex.org/other>", "<http://ex.org/a>")
    assert line.component.endswith("NotConstraintComponent>")
