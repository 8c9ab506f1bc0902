"""Which constraints the parameters of a shape ask for."""

from __future__ import annotations

from kg.rdf.shacl.component_table import (
    component_iri,
)
from tests.rdf.shacl.pyshacl_report import our_report, read_turtle
from tests.support.every_row import every_row


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


def test_a_component_is_named_after_its_parameter_which_may_be_repeated_or_not() -> None:
    assert component_iri("in") == "<http://www.w3.org/ns/shacl#InConstraintComponent>"
    graph, shape = read_turtle("ex:a ex:p ex:b ."), "ex:s sh:targetNode ex:a ; sh:path ex:p ; "
    (line,) = our_report(graph, read_turtle(f"{shape} sh:class ex:C , ex:D ."))
    assert line.component == component_iri("class")
