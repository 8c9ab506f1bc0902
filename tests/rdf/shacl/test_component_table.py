"""Which constraints the parameters of a shape ask for."""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pyshacl
import pytest
from rdflib import SH, Graph, Literal, URIRef

from kg.rdf.shacl.component_table import ON_ALL_VALUES, REPEATABLE, SINGLE_VALUED, component_iri
from kg.rdf.shacl.evaluation import BrokenShapes
from tests.rdf.shacl.pyshacl_report import our_report, read_turtle
from tests.support.every_row import every_row

NODE_SHAPE = URIRef("http://www.w3.org/ns/shacl-shacl#NodeShapeShape")
VALUES = {
    **dict.fromkeys(("class", "datatype", "disjoint", "equals", "hasValue"), "ex:x"),
    **dict.fromkeys(("lessThan", "lessThanOrEquals"), "ex:x"),
    **dict.fromkeys(("closed", "uniqueLang"), "true"),
    **dict.fromkeys(("and", "or", "xone"), "( [ ] )"),
    **dict.fromkeys(("node", "not"), "[ ]"),
    **dict.fromkeys(("qualifiedMaxCount", "qualifiedMinCount"), "1; sh:qualifiedValueShape [ ]"),
    **{"in": "( 1 )", "languageIn": '( "en" )', "nodeKind": "sh:IRI", "pattern": '"a"'},
}
"""A value of each parameter that takes no number."""


@cache
def w3c_graph(name: str) -> Graph:
    """A file of the recommendation: its vocabulary `shacl`, or `shacl-shacl`, shapes of shapes."""
    return Graph().parse(Path(pyshacl.__file__).parent / "assets" / f"{name}.ttl")


@every_row("name", sorted({*ON_ALL_VALUES, *SINGLE_VALUED, *REPEATABLE}))
def test_a_node_shape_may_have_what_the_recommendation_lets_it_have(name: str) -> None:
    assert (URIRef(component_iri(name)[1:-1]), None, None) in w3c_graph("shacl")
    shape = w3c_graph("shacl-shacl")
    forbidden_names = {
        str(shape.value(row, SH.path)).rpartition("#")[2]
        for row in shape.objects(NODE_SHAPE, SH.property)
        if shape.value(row, SH.maxCount) == Literal(0)
    }
    parameter = f"sh:{name} {VALUES.get(name, '1')}"
    is_forbidden = any(f"sh:{each} " in parameter for each in forbidden_names)
    data = read_turtle("ex:a ex:p ex:b .")
    our_report(data, read_turtle(f"ex:s sh:targetNode ex:a ; sh:path ex:p ; {parameter} ."))
    refusal = pytest.raises(BrokenShapes, match="only a shape with a path")
    with refusal if is_forbidden else nullcontext():
        our_report(data, read_turtle(f"ex:s sh:targetNode ex:a ; {parameter} ."))


def test_qualified_shapes_may_be_disjoint() -> None:
    data = "ex:hand ex:digit ex:t , ex:f . ex:t a ex:Thumb , ex:Finger . ex:f a ex:Finger ."
    sides = "".join(
        f"sh:property [ sh:path ex:digit ; sh:qualifiedValueShapesDisjoint true ; "
        f"sh:qualifiedValueShape [ sh:class ex:{name} ] ; sh:qualifiedMinCount 1 ] ; "
        for name in ("Thumb", "Finger")
    )
    result = our_report(
        read_turtle(data), read_turtle(f"ex:shape sh:targetNode ex:hand ; {sides} .")
    )
    # the thumb, a finger too, counts for neither; so one is missing, and the other is the finger
    assert [line.component.rpartition("#")[2] for line in result] == [
        "QualifiedMinCountConstraintComponent>"
    ]


@every_row(("kind", "wrong"), [("xsd:integer", ["1.5", "x"]), ("xsd:decimal", ["1", "x"])])
def test_a_datatype_is_asked_for_by_its_name(kind: str, wrong: list[str]) -> None:
    shapes = f"ex:shape sh:targetNode ex:a ; sh:path ex:p ; sh:datatype {kind} ."
    result = our_report(read_turtle('ex:a ex:p 1 , 1.5 , "x" .'), read_turtle(shapes))
    assert sorted(line.value.split('"')[1] for line in result if line.value) == wrong


def test_a_parameter_that_may_be_repeated_is_checked_for_each_value() -> None:
    graph, shape = read_turtle("ex:a ex:p ex:b ."), "ex:s sh:targetNode ex:a ; sh:path ex:p ; "
    (line,) = our_report(graph, read_turtle(f"{shape} sh:class ex:C , ex:D ."))
    assert line.component == component_iri("class")
