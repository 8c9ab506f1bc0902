"""Constraints on all values of a node together: their number, and who else has them."""

from __future__ import annotations

from kg.rdf.shacl.focus_components import MaxCount, MinCount
from kg.rdf.shacl.node_text import SH, iri, read_string
from tests.rdf.shacl.pyshacl_report import our_report, read_turtle
from tests.support.every_row import every_row

SHAPE = "ex:s a sh:NodeShape ; sh:targetNode ex:f ; sh:property [ sh:path {path} ; {count} ] ."
FITTING = "sh:qualifiedValueShape [ sh:nodeKind sh:IRI ] ; "
PATHS = {  # with the triple that gives ex:f one value more
    "ex:p": "ex:f ex:p ex:v{} .",
    "[ sh:inversePath ex:p ]": "ex:v{} ex:p ex:f .",
    "( ex:q ex:p )": "ex:f ex:q ex:m . ex:m ex:p ex:v{} .",
}


def broken_components(path: str, count: str, values: int) -> set[str]:
    """The components that a node with so many values breaks."""
    data = "".join(PATHS[path].format(number) for number in range(values))
    # another node with values enough, so that each property is known whatever ex:f has
    data += "ex:o ex:p ex:x , ex:y , ex:z ; ex:q ex:o ."
    report = our_report(read_turtle(data), read_turtle(SHAPE.format(path=path, count=count)))
    assert {each.focus for each in report} <= {"<http://ex.org/f>"}
    return {each.component for each in report}


@every_row("bound", [1, 2, 3])
@every_row("path", PATHS)
def test_a_bound_on_values_holds_exactly(path: str, bound: int) -> None:
    for values in (bound - 1, bound, bound + 1):
        too_few = {MinCount.component} if values < bound else set()
        too_many = {MaxCount.component} if values > bound else set()
        assert broken_components(path, f"sh:minCount {bound}", values) == too_few
        assert broken_components(path, f"sh:maxCount {bound}", values) == too_many


@every_row("bound", [1, 2, 3])
@every_row("path", PATHS)
def test_a_bound_on_values_of_a_shape_holds_exactly(path: str, bound: int) -> None:
    for values in (bound - 1, bound, bound + 1):
        too_few = {iri(SH + "QualifiedMinCountConstraintComponent")} if values < bound else set()
        too_many = {iri(SH + "QualifiedMaxCountConstraintComponent")} if values > bound else set()
        count = f"{FITTING}sh:qualifiedMinCount {bound}"
        assert broken_components(path, count, values) == too_few
        count = f"{FITTING}sh:qualifiedMaxCount {bound}"
        assert broken_components(path, count, values) == too_many


@every_row("path", PATHS)
def test_a_minimum_of_zero_always_holds_and_a_maximum_of_zero_allows_no_value(path: str) -> None:
    assert broken_components(path, "sh:minCount 0", 0) == set()
    assert broken_components(path, "sh:maxCount 0", 0) == set()
    assert broken_components(path, "sh:maxCount 0", 1) == {MaxCount.component}


def test_one_language_may_occur_once() -> None:
    shape = read_turtle(SHAPE.format(path="ex:p", count="sh:uniqueLang true"))
    apart = read_turtle('ex:f ex:p "a"@en , "b"@de , "c" , "d" .')
    assert our_report(apart, shape) == set()
    twice = read_turtle('ex:f ex:p "a"@en , "b"@EN .')
    assert len(our_report(twice, shape)) == 1


DATA = """
ex:none ex:q 1 .
ex:one ex:p 1 ; ex:q 1 .
ex:two ex:p 1 , 2 ; ex:q 2 , 3 .
ex:words ex:p "a"@en , "b"@EN ; ex:q "a"@en .
ex:self ex:p ex:self ; ex:q ex:one .
"""
NODES = "ex:none , ex:one , ex:two , ex:words , ex:self"


@every_row(
    ("constraint", "failing"),
    [
        ("sh:path ( ex:p ex:p ) ; sh:maxCount 0", "self"),
        ("sh:path ex:p ; sh:hasValue 2", "none one self words"),
        ("sh:hasValue ex:one", "none self two words"),
        ("sh:path ex:p ; sh:equals ex:q", "none=1 self=one self=self two=1 two=3 words=b"),
        ("sh:path ex:p ; sh:disjoint ex:q", "one=1 two=2 words=a"),
        ("sh:disjoint ex:p", "self=self"),
        ("sh:path [ sh:oneOrMorePath ex:p ] ; sh:disjoint ex:q", "one=1 two=2 words=a"),
        ("sh:path ex:p ; sh:lessThan ex:q", "one=1 self=self two=2 words=a words=b"),
        ("sh:path ex:p ; sh:lessThanOrEquals ex:q", "self=self words=b"),
        (
            "sh:closed true ; sh:property [ sh:path ex:p ]",
            "none=1 one=1 self=one two=2 two=3 words=a",
        ),
        (
            "sh:closed true ; sh:ignoredProperties ( ex:q )",
            "one=1 self=self two=1 two=2 words=a words=b",
        ),
    ],
)
def test_a_constraint_reports_exactly_the_nodes_that_break_it(
    constraint: str, failing: str
) -> None:
    shape = f"ex:shape sh:targetNode {NODES} ; {constraint} ."
    of_values = any(word in constraint for word in ("equals", "disjoint", "less", "closed"))
    result = set()
    for line in our_report(read_turtle(DATA), read_turtle(shape)):
        nodes = (line.focus, line.value) if of_values else (line.focus,)
        result.add("=".join(read_string(node).rpartition("/")[2] for node in nodes))
    assert sorted(result) == failing.split()
