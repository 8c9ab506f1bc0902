"""A graph by its columns, and the part of it that a query asks."""

from __future__ import annotations

from tests.rdf.shacl.pyshacl_report import our_report, read_turtle
from tests.support.every_row import every_row

DECLARED = """
ex: sh:declare [ sh:prefix "ex" ; sh:namespace "http://ex.org/"^^xsd:anyURI ] .
ex:shape sh:targetSubjectsOf ex:p ; {path} sh:sparql [
    sh:prefixes ex: ; sh:message "{{?this}} has {{$value}}, not {{?other}}" ;
    sh:select \"\"\"SELECT {query}\"\"\" ] .
"""


@every_row(("kind", "expected"), [("?kind", "ab"), ("ex:C", "a")])
def test_a_query_may_ask_for_one_class_or_any(kind: str, expected: str) -> None:
    data = "ex:a ex:p 1 ; a ex:C . ex:b ex:p 1 ; a ex:D . ex:c ex:p 1 ."
    query = f"$this WHERE {{ $this ex:p 1 ; a {kind} }}"
    lines = our_report(read_turtle(data), read_turtle(DECLARED.format(query=query, path="")))
    assert sorted(line.focus for line in lines) == [f"<http://ex.org/{id}>" for id in expected]
