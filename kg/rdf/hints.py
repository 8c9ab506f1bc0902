"""Why a query finds nothing: names that nothing bears, texts for things, years as numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from pyoxigraph import NamedNode

from kg.ontology import KG, PREFIXES, term_names
from kg.rdf.bindings import find_names
from kg.rdf.run_query import DECLARED_PREFIX
from kg.rdf.sparql_answer import Rows, SparqlAnswer, Triples, Truth, term_text
from kg.rdf.vocabulary import EDGE, LINE, SOURCE, STATEMENT
from kg.text.spelling import nearest_names

_DECLARED_KG = re.compile(r"\bPREFIX\s+kg:\s*<([^<>\s]*)>", re.I)
_TEXT_VALUE = re.compile(r'(?<![\w:])([a-z]+:[\w-]+)\s+("[^"\n]*")(?![\^@])')
_YEAR_PROPERTY = SOURCE.named["year"].prefixed
_YEAR_VARIABLE = re.compile(rf"{_YEAR_PROPERTY}\s+\?(\w+)")
_WEIGHED = ("kg:weighedStrength", "kg:verdict")


def find_unknown_terms(query: str) -> dict[str, tuple[str, ...]]:
    """Names behind `kg:` that the ontology does not define, with those that look like them.

    None where the query declares `kg:` to be something else.
    """
    if any(iri != KG for iri in _DECLARED_KG.findall(query)):
        return {}
    known = sorted(term_names())
    return {
        name: nearest_names(name, known)
        for name in find_names(query, "kg")
        if name not in term_names()
    }


def explain_nothing_found(
    query: str, found: SparqlAnswer, ask: Callable[[str], SparqlAnswer]
) -> list[str]:
    """What makes a query that found nothing find nothing; `ask` answers others of the same data."""
    if not _is_nothing(found):
        return []
    return [
        *_find_unused_names(query, ask),
        *_texts_for_things(query, ask),
        *_years_as_numbers(query),
    ]


def _is_nothing(found: SparqlAnswer) -> bool:
    """Nothing, or a count of nothing."""
    match found:
        case Truth(value):
            return not value
        case Triples(triples):
            return not triples
        case Rows(_, rows):
            cells = [term_text(cell) for row in rows for cell in row if cell is not None]
            return len(rows) < 2 and set(cells) <= {"0"}


def _find_unused_names(query: str, ask: Callable[[str], SparqlAnswer]) -> Iterator[str]:
    """Names of known vocabularies that nothing bears."""
    tables = (STATEMENT, SOURCE, LINE, EDGE)
    held = {each.prefixed for table in tables for each in table.named.values()}
    declared = {"xsd", *DECLARED_PREFIX.findall(query)}
    for prefix in (each for each in PREFIXES if each not in declared):
        for name in find_names(query, prefix):
            term = f"{prefix}:{name}"
            if prefix == "kg" and name not in term_names():
                continue  # told as unknown
            if ask(f"ASK {{ {{ ?s {term} ?o }} UNION {{ ?s ?p {term} }} }}"):
                continue
            others = sorted(each for each in held if each.startswith(f"{prefix}:"))
            instead = f"; there are {', '.join(others)}" if prefix != "kg" and others else ""
            yield f"nothing here has {term}{': ask with --strengths' * (term in _WEIGHED)}{instead}"


def _texts_for_things(query: str, ask: Callable[[str], SparqlAnswer]) -> Iterator[str]:
    for term, text in dict.fromkeys(_TEXT_VALUE.findall(query)):
        if term.partition(":")[0] not in PREFIXES:
            continue
        match ask(f"SELECT ?o {{ ?s {term} ?o }} LIMIT 1"):
            case Rows(_, ((NamedNode() as thing,),)):
                yield f"{term} leads to an IRI, such as {thing}, never to the text {text}"


def _years_as_numbers(query: str) -> Iterator[str]:
    for name in dict.fromkeys(_YEAR_VARIABLE.findall(query)):
        compared = re.search(rf"\?{name}\s*([<>]=?|!?=)\s*(\d+)", query)
        if compared:
            mark, year = compared.groups()
            yield f'{_YEAR_PROPERTY} is an xsd:gYear: write STR(?{name}) {mark} "{year}"'
