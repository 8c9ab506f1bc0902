"""Ask the corpus in SPARQL: answers come out as values, or the reason why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyoxigraph as ox
from pyoxigraph import NamedNode

from kg.corpus import Corpus
from kg.rdf.iris import Iris
from kg.rdf.ontology import KG, PREFIXES, term_names
from kg.rdf.quad_store import as_store, open_store, remove_store
from kg.rdf.query_bindings import (
    Bindable,
    bind_variables,
    has_from_clause,
    names_with_prefix,
    term_of_value,
)
from kg.rdf.query_limits import (
    BadQuery,
    QueryLimits,
    QueryStopped,
    require_bounded,
    run_within_limits,
)
from kg.rdf.sparql_result import Rows, SparqlResult, Triples, Truth, read_result, term_text
from kg.rdf.vocabulary import EDGE, LINE, SOURCE, STATEMENT
from kg.text.spelling import similar_names

DECLARED_PREFIX = re.compile(r"\bPREFIX\s+([\w.-]*):", re.I)
_USED_PREFIX = re.compile(r"(?<![\w?$:])([A-Za-z][\w-]*):")
_STRINGS_AND_COMMENTS = re.compile(r"""<[^<>\s]*>|"[^"\n]*"|'[^'\n]*'|#.*""")
MAX_MESSAGE_CHARACTERS = 120  # of an engine's message; longer ones list its whole grammar
_DECLARED_KG = re.compile(r"\bPREFIX\s+kg:\s*<([^<>\s]*)>", re.I)
_TEXT_VALUE = re.compile(r'(?<![\w:])([a-z]+:[\w-]+)\s+("[^"\n]*")(?![\^@])')
_YEAR_PROPERTY = SOURCE.properties["year"].prefixed_name
_YEAR_VARIABLE = re.compile(rf"{_YEAR_PROPERTY}\s+\?(\w+)")
_WEIGHED = ("kg:weighedStrength", "kg:verdict")


def sparql(
    corpus: Corpus,
    query: str,
    bindings: Mapping[str, Bindable] = {},
    store: Path | None = None,
    limits: QueryLimits | None = None,
) -> SparqlResult:
    """The result of a query over all notes, from a store on disk in the folder `store` if given.

    Bindings give values to variables: with `{"topic": "y", "claim": corpus.statement("x")}`,
    `?topic` is that text and `?claim` that statement's IRI. The ontology's prefixes need no
    declaration. Raises `BadQuery`, `BadBinding` and `NotAStore`, and `QueryStopped` beyond limits.
    """
    require_bounded(query)
    iris = Iris(corpus.config.base_iri)
    values = {name: term_of_value(value, iris) for name, value in bindings.items()}
    if store is not None:
        try:
            return _run_text(open_store(corpus, store), bind_variables(query, values), limits)
        except QueryStopped:
            raise
        except SyntaxError as error:
            raise _as_bad_query(error, query) from None
        except (RuntimeError, OSError):
            result = ask_store(as_store(corpus), query, values, limits)
            remove_store(store)  # the query is valid, so the store may be damaged
            return result
    return ask_store(as_store(corpus), query, values, limits)


def ask_store(
    store: ox.Store,
    query: str,
    values: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
    limits: QueryLimits | None = None,
) -> SparqlResult:
    """The result of a store; the default graph is the union of all graphs."""
    require_bounded(query)
    text = bind_variables(query, values or {})
    try:
        return _run_text(store, text, limits)
    except QueryStopped:
        raise
    except (SyntaxError, RuntimeError, OSError) as error:
        raise _as_bad_query(error, text) from None


def _run_text(store: ox.Store, text: str, limits: QueryLimits | None) -> SparqlResult:
    union = not has_from_clause(text)

    def ask() -> SparqlResult:
        return read_result(store.query(text, prefixes=PREFIXES, use_default_graph_as_union=union))

    return run_within_limits(limits, ask)


def _as_bad_query(error: Exception, text: str) -> BadQuery:
    return BadQuery(f"this query cannot be run: {_without_expected_tokens(str(error), text)}")


def _without_expected_tokens(error: str, query: str) -> str:
    """Oxigraph's message, without its list of everything expected at the place."""
    position, mark, expected = error.partition(": expected one of ")
    if not mark:
        return error
    # Oxigraph does not say which prefix, so find those used but not declared
    if "Prefix not found" in expected:
        declared = {*PREFIXES, *DECLARED_PREFIX.findall(query)}
        used = dict.fromkeys(_USED_PREFIX.findall(_STRINGS_AND_COMMENTS.sub("", query)))
        missing = ", ".join(f"`{name}:`" for name in used if name not in declared)
        return f"{position}: no prefix {missing or 'of that name'} is declared"
    return (
        error
        if len(error) <= MAX_MESSAGE_CHARACTERS
        else f"{position}: something else is expected here"
    )


def with_prefixes(query: str) -> str:
    """The query with missing prefix declarations added, for other engines."""
    declared = set(DECLARED_PREFIX.findall(query))
    missing = (name for name in PREFIXES if name not in declared and f"{name}:" in query)
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}> " for name in missing) + query


def unknown_ontology_terms(query: str) -> dict[str, tuple[str, ...]]:
    """Names after `kg:` that the ontology does not define, with similar ones that it does.

    Empty if the query declares `kg:` as another namespace.
    """
    if any(iri != KG for iri in _DECLARED_KG.findall(query)):
        return {}
    defined_names = sorted(term_names())
    return {
        name: similar_names(name, defined_names)
        for name in names_with_prefix(query, "kg")
        if name not in term_names()
    }


def explain_empty_result(
    query: str, result: SparqlResult, ask: Callable[[str], SparqlResult]
) -> list[str]:
    """Hints for a query that found nothing; `ask` runs other queries on the same data."""
    if not _is_empty(result):
        return []
    return [
        *_hints_on_unused_terms(query, ask),
        *_hints_on_texts_for_iris(query, ask),
        *_hints_on_untyped_years(query),
    ]


def _is_empty(result: SparqlResult) -> bool:
    """Return whether the result is empty, or a count of 0."""
    match result:
        case Truth(value):
            return not value
        case Triples(triples):
            return not triples
        case Rows(_, rows):
            cells = [term_text(cell) for row in rows for cell in row if cell is not None]
            return len(rows) < 2 and set(cells) <= {"0"}


def _hints_on_unused_terms(query: str, ask: Callable[[str], SparqlResult]) -> Iterator[str]:
    """Names of known vocabularies that do not occur in the data."""
    tables = (STATEMENT, SOURCE, LINE, EDGE)
    known_properties = {
        each.prefixed_name for table in tables for each in table.properties.values()
    }
    declared = {"xsd", *DECLARED_PREFIX.findall(query)}
    for prefix in (each for each in PREFIXES if each not in declared):
        for name in names_with_prefix(query, prefix):
            term = f"{prefix}:{name}"
            if prefix == "kg" and name not in term_names():
                continue  # reported as unknown
            if ask(f"ASK {{ {{ ?s {term} ?o }} UNION {{ ?s ?p {term} }} }}"):
                continue
            known_terms = sorted(each for each in known_properties if each.startswith(f"{prefix}:"))
            alternatives = (
                f"; there are {', '.join(known_terms)}" if prefix != "kg" and known_terms else ""
            )
            hint = ": ask with --strengths" if term in _WEIGHED else ""
            yield f"nothing here has {term}{hint}{alternatives}"


def _hints_on_texts_for_iris(query: str, ask: Callable[[str], SparqlResult]) -> Iterator[str]:
    for term, text in dict.fromkeys(_TEXT_VALUE.findall(query)):
        if term.partition(":")[0] not in PREFIXES:
            continue
        match ask(f"SELECT ?o {{ ?s {term} ?o }} LIMIT 1"):
            case Rows(_, ((NamedNode() as thing,),)):
                yield f"{term} leads to an IRI, such as {thing}, never to the text {text}"


def _hints_on_untyped_years(query: str) -> Iterator[str]:
    for name in dict.fromkeys(_YEAR_VARIABLE.findall(query)):
        match = re.search(rf"\?{name}\s*([<>]=?|!?=)\s*(\d+)", query)
        if match:
            mark, year = match.groups()
            yield f'{_YEAR_PROPERTY} is an xsd:gYear: write STR(?{name}) {mark} "{year}"'
