"""Read off the text of a SPARQL query which triples it can touch.

A query is faster on the few triples that it can touch than on a large graph. One triple too few
would make the answer wrong, so a query whose text leaves a doubt gets all of them. We look at its
form alone, rewritten to signs: V a variable, N a name (an IRI, whole or with a prefix), T the name
`rdf:type`, L a string. Comments are left out.

    PREFIX x: <urn:x:>                                      (read, then left out)
    SELECT ?s { ?s a x:Claim ; x:year "a ?y" }  # ?s ?p ?o
    SELECT V { V a N ; N L }

Here no pattern below matches, so the query can touch triples with the properties `rdf:type`,
`x:year` and `x:Claim` (any name may be a property), and of the first only those with a class among
the names. In `SELECT V { V V V }`, pattern `_VARIABLE_PROPERTY` matches: it gets the whole graph.

“test_the_answer_is_that_of_the_whole_graph” in `tests/rdf/shacl/test_query_scope.py` holds this for
generated queries.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.rdf.query_bindings import TOKEN
from kg.rdf.shacl.node_text import RDF, iri

TYPE = iri(RDF + "type")
# The properties of which `(x:a x:b)` in a query is short, without naming them.
LIST_PROPERTIES = frozenset({iri(RDF + "first"), iri(RDF + "rest")})
# private characters, which have no meaning in SPARQL
_V, _N, _T, _L = "\ue000\ue001\ue002\ue003"
_IS_TYPE = rf"(?:\ba\b|{_T})"
_NAME = rf"(?:[{_N}{_T}]|\ba\b)"

# `PREFIX x: <urn:x:>`; one with an escape in it stays unknown, and with it all that it names
_PREFIX = re.compile(r"\bPREFIX\s+([\w.-]*:)\s*<([^<>\s\\]*)>", re.IGNORECASE)
# `DESCRIBE x:a` returns all triples of a node; the template of `CONSTRUCT { ?s x:p ?o } …` looks
# like a pattern, and is none; `FROM <g> { GRAPH ?g { … } }` and `SERVICE` read other graphs; with
# `BASE <urn:x:>`, `<p>` is no whole name
_ANY_GRAPH = re.compile(r"\b(?:GRAPH|SERVICE|FROM|CONSTRUCT|DESCRIBE|BASE)\b", re.IGNORECASE)
# `FILTER(?o<5).?s?p?v.FILTER(?o>1)`: the text from `<` to `>` is no IRI, but looks like one
_NO_IRI = re.compile(r"[?$()\[\]]")
# `<< ?s x:p ?o >> x:q ?v`, `?s x:p ?o {| x:q ?v |}`, `?s x:p ?o ~ ?r`: triples about triples
_TRIPLE_TERM = re.compile(r"<<|\{\||~")
# `?s ?p ?o`, `?s x:p ?o ; ?p 5`, `[ ?p ?o ]`: any property, between a subject and an object
_VARIABLE_PROPERTY = re.compile(
    rf"[{_V}{_N}{_T}{_L}\]);\[]\s*{_V}\s*(?:[{_V}{_N}{_T}{_L}\[(+-]|\.?\d|(?i:true|false)\b)"
)
# `?s !x:p ?o`, `?s !(x:p|^a) ?o`: every property but these
_OTHER_PROPERTIES = re.compile(rf"!\s*(?:[(^]|{_NAME})")
# `?s x:p* ?o`, `?s (x:p/x:q)? ?o`: no step leads from any node of the graph to itself
_NO_STEPS = re.compile(rf"(?:\)|{_NAME})\s*[*?]")
_DOUBTS = (_ANY_GRAPH, _TRIPLE_TERM, _VARIABLE_PROPERTY, _OTHER_PROPERTIES, _NO_STEPS)
_ANY_CLASS = re.compile(
    rf"{_IS_TYPE}(?!\s*{_N})"  # not a named class: `?s a ?c`, `?s a "x"`, `?s a/x:p ?o`
    rf"|{_IS_TYPE}\s*{_N}\s*,"  # several classes: `?s a x:C, ?c`
    rf"|[/|^(]\s*{_IS_TYPE}"  # a step of a path: `?s x:p/a ?o`, `?s ^a ?o`
)


class QueryScope(NamedTuple):
    """The properties of all triples that a query can touch; of types, only those with `classes`,
    unless that is None.
    """

    properties: frozenset[str]
    classes: frozenset[str] | None


def query_scope(query: str) -> QueryScope | None:
    """Read off which triples a query can touch; None if that may be any triple."""
    emptied = TOKEN.sub(_without_text, query)
    prefixes = dict(_PREFIX.findall(emptied))
    names: set[str] = set()

    def sign(token: re.Match[str]) -> str:
        name = token["skip"]
        if name is None:
            return _V if token["variable"] else token[0]
        end = ""
        if name[0] in "\"'":
            return _L
        if name[0] == "<":
            name = "" if _NO_IRI.search(name) else name
        else:
            prefix, _, local = name.partition(":")
            end = local[len(local.rstrip(".")) :]  # a full stop that ends the triple
            local = local.removesuffix(end).replace("\\", "")
            name = f"<{prefixes[f'{prefix}:']}{local}>" if f"{prefix}:" in prefixes else ""
        names.add(name)
        return (_T if name == TYPE else _N) + end

    signs = TOKEN.sub(sign, _PREFIX.sub("", emptied))
    # the empty name is that of a blank node, or one that is not known for certain
    if "" in names or any(doubt.search(signs) for doubt in _DOUBTS):
        return None
    if re.search(_IS_TYPE, signs):
        names.add(TYPE)
    classes = None if _ANY_CLASS.search(signs) else frozenset(names)
    return QueryScope(LIST_PROPERTIES.union(names), classes)


def _without_text(token: re.Match[str]) -> str:
    """An empty string for a string, nothing for a comment, other tokens as they are: neither text
    declares a prefix.
    """
    text = token["skip"] or ""
    if text.startswith("#"):
        return " "
    return '""' if text.startswith(('"', "'")) else token[0]
