"""What shapes say in SPARQL: of each node, of all at once, and with parameters.

Of `kg/rdf/shacl/evaluation.py` and `kg/rdf/shacl/triple_columns.py`, too.
"""

from __future__ import annotations

import pytest
import rdflib

from kg.rdf.query_bindings import TOKEN
from kg.rdf.rdflib_dataset import triples_of_graph
from kg.rdf.shacl import shape_queries
from kg.rdf.shacl.evaluation import BrokenShapes, ValidationResult
from kg.rdf.shacl.read_shapes import validate_graph
from kg.rdf.shacl.shape_queries import (
    FEWEST_FOR_ONE_QUERY,
    can_run_unbound,
    projected_variables,
)
from kg.rdf.shacl.shapes_graph import ShapesGraph
from kg.rdf.shacl.triple_columns import TripleColumns
from tests.rdf.shacl.pyshacl_report import our_report, read_turtle, their_report
from tests.support.every_row import every_row

DECLARED = """
ex: sh:declare [ sh:prefix "ex" ; sh:namespace "http://ex.org/"^^xsd:anyURI ] .
ex:shape sh:targetSubjectsOf ex:p ; {path} sh:sparql [
    sh:prefixes ex: ; sh:message "{{?this}} has {{$value}}, not {{?other}}" ;
    sh:select \"\"\"SELECT {query}\"\"\" ] .
"""
QUERIES = [
    "$this ?value WHERE { $this ex:p ?value FILTER (?value > 2) }",
    "$this WHERE { FILTER NOT EXISTS { $this ex:q ?x } }",
    "$this ?that WHERE { BIND ($this AS ?that) FILTER (?that = ex:a2) }",
    "$this WHERE { OPTIONAL { $this ex:q ?x } FILTER (!BOUND(?x)) }",
    "$this (COUNT(?v) AS ?value) { $this ex:p|ex:q ?v } GROUP BY $this HAVING (COUNT(?v) > 1)",
    "$this WHERE { { SELECT $this WHERE { $this ex:p 1 } } }",
    "$this WHERE { { SELECT DISTINCT (IF($this = ex:a1, 1, 2) AS ?x) $this { $this ex:p 1 } } }",
    "$this ?path ?value WHERE { $this ?path ?value FILTER (?path = ex:q) }",
]


def many(count: int) -> rdflib.Graph:
    return read_turtle(
        "".join(f"ex:a{n} ex:p {n % 5} {f'; ex:q ex:b{n}' * (n % 2)} .\n" for n in range(count))
    )


@every_row("query", QUERIES)
def test_a_constraint_finds_what_pyshacl_finds(query: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Node by node, and of all at once."""
    shapes = read_turtle(DECLARED.format(query=query, path=""))
    theirs = their_report(many(4), shapes)
    assert theirs
    for minimum in (5, 4):
        monkeypatch.setattr(shape_queries, "FEWEST_FOR_ONE_QUERY", minimum)
        assert our_report(many(4), shapes) == theirs


def test_a_node_is_known_in_every_group() -> None:
    """As SHACL's own tests have it; pySHACL loses the node where a query branches."""
    query = "$this WHERE { { FILTER (false) } UNION { FILTER ($this = ex:a1) } }"
    for count in (4, FEWEST_FOR_ONE_QUERY + 5):
        (line,) = our_report(many(count), read_turtle(DECLARED.format(query=query, path="")))
        assert line.focus == "<http://ex.org/a1>"


def test_a_subquery_may_select_everything() -> None:
    """It returns what its triples name; pySHACL refuses every `SELECT *` in a subquery."""
    query = "$this WHERE {{ {{ SELECT {} WHERE {{ $this ex:p 1 }} }} }}"
    every, result = (
        our_report(many(9), read_turtle(DECLARED.format(query=query.format(names), path="")))
        for names in ("*", "$this")
    )
    assert every
    assert every == result


@every_row(
    ("names", "projected"),
    [
        ("?a (MAX(?b) AS ?c)", {"a", "c"}),
        ("(EXISTS { SELECT (?a AS ?b) { ?a ex:p ?d } } AS ?e)", {"e"}),
    ],
)
def test_a_subquery_returns_what_it_names_and_not_what_its_expressions_do(
    names: str, projected: set[str]
) -> None:
    assert projected_variables(TOKEN.finditer(f"{names} {{ ?x ex:p ?y }}")) == projected


def test_a_property_shape_names_its_path() -> None:
    query = "$this ?value WHERE { $this $PATH ?value FILTER (?value > 3) }"
    shapes = read_turtle(DECLARED.format(query=query, path="sh:path ex:p ;"))
    ours = our_report(many(9), shapes)
    assert {line.path for line in ours} == {"<http://ex.org/p>"}
    assert ours == their_report(many(9), shapes)


def results(data: str, shapes: str) -> list[ValidationResult]:
    graph = TripleColumns(triples_of_graph(read_turtle(data)))
    return validate_graph(graph, ShapesGraph(triples_of_graph(read_turtle(shapes))))


def test_a_message_is_filled_and_hostile_values_stay_text() -> None:
    hostile = '"} # \\\\u0022 {?this}"'
    data = f"ex:a ex:p {hostile} . ex:b ex:p 1 ."
    query = "$this ?value WHERE { $this ex:p ?value FILTER (isLiteral(?value)) }"
    outcome = results(data, DECLARED.format(query=query, path=""))
    assert sorted(result.messages[0] for result in outcome) == [
        "http://ex.org/a has } # \\u0022 {?this}, not {?other}",
        "http://ex.org/b has 1, not {?other}",
    ]
    of_values = DECLARED.replace("targetSubjectsOf", "targetObjectsOf")
    query = "$this WHERE { FILTER (STRLEN(STR($this)) > 3) }"
    (result,) = results(data, of_values.format(query=query, path=""))
    assert result.focus == '"} # \\\\u0022 {?this}"'


def test_a_nameless_node_is_looked_for_or_refused() -> None:
    plain = DECLARED.format(query="$this WHERE { $this ex:p 1 }", path="")
    (result,) = results("[] ex:p 1 . ex:a ex:p 2 .", plain)
    assert result.focus.startswith("_:")
    other = DECLARED.format(query="$this WHERE { FILTER isBlank($this) }", path="")
    with pytest.raises(BrokenShapes, match="blank node"):
        results("[] ex:p 1 .", other)


@every_row(
    "text",
    [
        "SELECT $this { FILTER (?this = 1) }",
        "SELECT $this { { $this ?p ?o } UNION { FILTER (?this = 1) } }",
        "SELECT $this { $this ?p ?o BIND (?this AS ?x) }",
        "SELECT $this { $this ?p ?o } LIMIT 1",
        "SELECT $this { $this <urn:p>* ?o }",
        "SELECT $this { $this <urn:p>? ?o }",
        "SELECT $this { $this ex:p? ?o }",
        "SELECT $this (COUNT(*) AS ?n) { $this ?p ?o }",
        "SELECT $this { { SELECT $this { $this ?p ?o } } }",
        "SELECT $this { FILTER EXISTS { $this ?p ?o } }",
    ],
)
def test_a_query_that_a_value_changes_is_not_plain(text: str) -> None:
    assert not can_run_unbound(text)


def test_a_query_that_finds_its_nodes_is_plain() -> None:
    assert can_run_unbound(
        'SELECT $this { $this <urn:p*> ?o FILTER (?o != "UNION") FILTER NOT EXISTS { } }'
    )


COMPONENT = """
ex: sh:declare [ sh:prefix "ex" ; sh:namespace "http://ex.org/"^^xsd:anyURI ] .
ex:Least a sh:ConstraintComponent ; sh:parameter [ sh:path ex:least ] ,
    [ sh:path ex:most ; sh:optional true ] ;
    {validator} [ sh:prefixes ex: ; sh:message "from {{$least}}" ; {query} ] .
ex:shape sh:targetSubjectsOf ex:p ; {path} ex:least 2 {most} .
"""
ASK = 'sh:ask "ASK { FILTER (?value >= $least && ?value <= COALESCE(?most, 99)) }"'
SELECT = 'sh:select "SELECT $this ?value { $this $PATH ?value FILTER (?value < $least) }"'
NODE = 'sh:select "SELECT $this { $this ex:p ?value FILTER (?value < $least) }"'


@every_row("maximum", ["", "; ex:most 3"])
@every_row(
    ("validator", "query", "path"),
    [
        ("sh:validator", ASK, "sh:path ex:p ;"),
        ("sh:propertyValidator", SELECT, "sh:path ex:p ;"),
        ("sh:nodeValidator", NODE, ""),
    ],
)
def test_components_of_ones_own_are_validated(
    validator: str, query: str, path: str, maximum: str
) -> None:
    text = COMPONENT.format(validator=validator, query=query, path=path, most=maximum)
    data = "".join(f"ex:a{n} ex:p {n} .\n" for n in range(5))
    outcome = results(data, text)
    assert {result.component for result in outcome} == {"<http://ex.org/Least>"}
    assert {result.messages for result in outcome} == {("from 2",)}
    wrong = {0, 1, 4} if maximum and "ask" in query else {0, 1}
    assert {result.focus for result in outcome} == {f"<http://ex.org/a{n}>" for n in wrong}
    integer = "<http://www.w3.org/2001/XMLSchema#integer>"
    values = {f'"{n}"^^{integer}' for n in wrong} if path else {result.focus for result in outcome}
    assert {result.value for result in outcome} == values


def test_the_validator_for_the_sort_of_a_shape_comes_before_the_one_for_all() -> None:
    every = 'sh:validator [ sh:ask "ASK { }" ] ; sh:propertyValidator'
    text = COMPONENT.format(validator=every, query=SELECT, path="sh:path ex:p ;", most="")
    assert len(results("ex:a ex:p 1 .", text)) == 1


def test_a_component_without_a_validator_is_refused() -> None:
    text = COMPONENT.format(
        validator="sh:nodeValidator", query=NODE, path="sh:path ex:p ;", most=""
    )
    with pytest.raises(BrokenShapes, match="no validator"):
        results("ex:a ex:p 1 .", text)
