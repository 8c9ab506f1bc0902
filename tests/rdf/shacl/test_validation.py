"""Every component on any graph: our report is pySHACL's.

Of `kg/rdf/shacl/triple_columns.py`, `kg/rdf/shacl/value_components.py` and
`kg/rdf/shacl/focus_components.py`.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kg.rdf.shacl.value_components import failing_length
from tests.rdf.shacl.pyshacl_report import our_report, read_turtle, their_report
from tests.support.effort import examples
from tests.support.every_row import every_row

NODES = ["ex:a", "ex:b", "ex:c", "ex:d"]
LITERALS = ['"x"', '"xyz"', '"x"@en', '"y"@en', '"x"@de', "1", "2", "3.5", "true"]
DATES = ['"2024-05-01"^^xsd:date', '"2024-06-01"^^xsd:date']
VALUES = [*NODES, *LITERALS, *DATES]
PATHS = [
    "ex:p",
    "ex:q",
    "[ sh:inversePath ex:p ]",
    "( ex:p ex:q )",
    "( [ sh:inversePath ex:q ] ex:p )",
    "[ sh:alternativePath ( ex:p ex:q ) ]",
    "[ sh:zeroOrMorePath ex:p ]",
    "[ sh:oneOrMorePath ex:p ]",
    "( ex:q [ sh:oneOrMorePath [ sh:alternativePath ( ex:p ex:q ) ] ] )",
    "[ sh:zeroOrOnePath ex:p ]",
]
ANYWHERE = [
    *(f"sh:nodeKind sh:{kind}" for kind in ("IRI", "Literal", "BlankNodeOrIRI", "IRIOrLiteral")),
    *(f"sh:class ex:{name}" for name in "CD"),
    *(f"sh:datatype {kind}" for kind in ("xsd:integer", "xsd:string", "rdf:langString")),
    *(f"sh:{minimum}Length {count}" for minimum in ("min", "max") for count in (1, 2, 3)),
    'sh:pattern "^x"',
    'sh:pattern "^URN" ; sh:flags "i"',
    'sh:languageIn ( "en" "fr" )',
    'sh:in ( ex:a "x" 1 ex:c )',
    "sh:hasValue ex:a",
    "sh:hasValue 1",
    "sh:equals ex:q",
    "sh:disjoint ex:q",
    "sh:closed true ; sh:ignoredProperties ( ex:p )",
]
NUMBERS = [
    *(f"sh:{minimum}{kind} 2" for minimum in ("min", "max") for kind in ("Inclusive", "Exclusive")),
]
ON_PATHS = [
    *(f"sh:{minimum}Count {count}" for minimum in ("min", "max") for count in (0, 1, 2)),
    "sh:uniqueLang true",
    "sh:lessThan ex:n",
    "sh:lessThanOrEquals ex:n",
]


def triples() -> st.SearchStrategy[str]:
    """Some nodes of two classes, with values; numbers apart, which alone can be compared."""
    node = st.sampled_from(NODES)
    edge = st.tuples(node, st.sampled_from(["ex:p", "ex:q"]), st.sampled_from(VALUES))
    number = st.tuples(node, st.just("ex:n"), st.sampled_from(["1", "2", "3"]))
    kind = st.tuples(node, st.just("a"), st.sampled_from(["ex:C", "ex:D"]))
    rows = st.lists(st.one_of(edge, edge, number, kind), max_size=14)
    texts = rows.map(lambda rows: "".join(f"{' '.join(row)} .\n" for row in rows))
    return texts.map("ex:D rdfs:subClassOf ex:C . ".__add__)


@st.composite
def constraints(draw: st.DrawFn, path: str, depth: int) -> str:
    """What may stand in a shape, behind its path if it has one."""
    known = ANYWHERE + (ON_PATHS if path else []) + (NUMBERS if path == "ex:n" else [])
    if "lessThan" in "".join(known) and path != "ex:n":
        known = [one for one in known if "lessThan" not in one]
    if not depth or draw(st.booleans()):
        return draw(st.sampled_from(known))

    def shape() -> str:
        return f"[ {draw(shapes(depth - 1))} ]"

    logic = ["not", "node", "and", "or", "xone", "property"] + ["qualified"] * bool(path)
    match draw(st.sampled_from(logic)):
        case "property":
            return f"sh:property [ {draw(shapes(depth - 1, on_path=True))} ]"
        case "qualified":
            count = draw(st.sampled_from(["sh:qualifiedMinCount 1", "sh:qualifiedMaxCount 1"]))
            return f"sh:qualifiedValueShape {shape()} ; {count}"
        case "node":
            return f"sh:node [ {draw(shapes(depth - 1, on_path=False))} ]"
        case "not":
            return f"sh:not {shape()}"
        case name:
            return f"sh:{name} ( {shape()} {shape()} )"


@st.composite
def shapes(draw: st.DrawFn, depth: int = 2, on_path: bool | None = None) -> str:
    """A node shape or a property shape, as Turtle within brackets."""
    if on_path is None:
        on_path = draw(st.booleans())
    path = draw(st.sampled_from([*PATHS, "ex:n"])) if on_path else ""
    body = draw(constraints(path, depth))
    return f"sh:path {path} ; {body}" if path else body


TARGETS = st.sampled_from(
    [
        "sh:targetClass ex:C",
        "sh:targetSubjectsOf ex:p",
        "sh:targetObjectsOf ex:p",
        "sh:targetNode ex:a , ex:d , 1",
        "sh:targetClass ex:D ; sh:targetSubjectsOf ex:q ; sh:severity sh:Warning",
        "a rdfs:Class , sh:NodeShape",
    ]
)


@given(triples(), st.lists(st.tuples(TARGETS, shapes()), min_size=1, max_size=3))
@examples(15)
def test_any_shapes_find_in_any_graph_what_pyshacl_finds(
    data: str, expected: list[tuple[str, str]]
) -> None:
    text = "".join(
        f"ex:shape{place} {target} ; {body} .\n" for place, (target, body) in enumerate(expected)
    ).replace("sh:NodeShape ; sh:path", "sh:PropertyShape ; sh:path")
    assert our_report(read_turtle(data), read_turtle(text)) == their_report(
        read_turtle(data), read_turtle(text)
    )


@every_row(
    ("value", "fits"),
    [('"a"', False), ('"ab"', True), ('"abc"', True), ('"abcd"', False), ("_:ab", False)],
)
def test_a_length_on_a_bound_fits(value: str, fits: bool) -> None:
    assert failing_length(2, 3)("", {value}) == (set() if fits else {value})
    assert failing_length(0, None)("", {value}) == ({value} if value == "_:ab" else set())
