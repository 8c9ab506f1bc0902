"""Ask the corpus in SPARQL: values go in as terms, answers come out as values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pyoxigraph as ox

from kg.corpus import Corpus
from kg.ontology import PREFIXES
from kg.rdf.bindings import Bindable, bind_variables, names_graphs, term_of_value
from kg.rdf.query_bounds import BadQuery, need_bounded
from kg.rdf.query_limits import QueryLimits, QueryStopped, answer_within
from kg.rdf.sparql_answer import SparqlAnswer, read_answer
from kg.rdf.store import as_store, open_store, remove_store
from kg.rdf.vocabulary import Iris

DECLARED_PREFIX = re.compile(r"\bPREFIX\s+([\w.-]*):", re.I)
_USED_PREFIX = re.compile(r"(?<![\w?$:])([A-Za-z][\w-]*):")
_STRINGS_AND_COMMENTS = re.compile(r"""<[^<>\s]*>|"[^"\n]*"|'[^'\n]*'|#.*""")
MAX_MESSAGE_LETTERS = 120  # letters of an engine's message; a longer one lists its whole grammar


def sparql(
    corpus: Corpus,
    query: str,
    bindings: Mapping[str, Bindable] = {},
    store: Path | None = None,
    limits: QueryLimits | None = None,
) -> SparqlAnswer:
    """The answer to a query over all notes, from a store kept in the folder `store` if given.

    Bindings hold variables to values: with `{"topic": "y", "claim": corpus.statement("x")}`,
    `?topic` is that text and `?claim` that statement's IRI. The ontology's prefixes need no
    declaration. Raises `BadQuery`, `BadBinding` and `NotAStore`, and `QueryStopped` beyond limits.
    """
    need_bounded(query)
    iris = Iris(corpus.config.base_iri)
    values = {name: term_of_value(value, iris) for name, value in bindings.items()}
    if store is not None:
        try:
            return _answer(open_store(corpus, store), bind_variables(query, values), limits)
        except QueryStopped:
            raise
        except SyntaxError as error:
            raise _bad(error, query) from None
        except (RuntimeError, OSError):
            found = ask_store(as_store(corpus), query, values, limits)
            remove_store(store)  # the query is not at fault, so what is kept may be damaged
            return found
    return ask_store(as_store(corpus), query, values, limits)


def ask_store(
    store: ox.Store,
    query: str,
    values: Mapping[str, ox.NamedNode | ox.Literal] | None = None,
    limits: QueryLimits | None = None,
) -> SparqlAnswer:
    """The answer of a store, whose default graph is the union of all its graphs."""
    need_bounded(query)
    text = bind_variables(query, values or {})
    try:
        return _answer(store, text, limits)
    except QueryStopped:
        raise
    except (SyntaxError, RuntimeError, OSError) as error:
        raise _bad(error, text) from None


def _answer(store: ox.Store, text: str, limits: QueryLimits | None) -> SparqlAnswer:
    union = not names_graphs(text)

    def ask() -> SparqlAnswer:
        return read_answer(store.query(text, prefixes=PREFIXES, use_default_graph_as_union=union))

    return answer_within(limits, ask)


def _bad(error: Exception, text: str) -> BadQuery:
    return BadQuery(f"this query cannot be run: {_without_grammar(str(error), text)}")


def _without_grammar(error: str, query: str) -> str:
    """What Oxigraph says, without its list of all that might have stood at the place."""
    place, mark, expected = error.partition(": expected one of ")
    if not mark:
        return error
    # Oxigraph does not say which prefix, so those used and not declared are looked for
    if "Prefix not found" in expected:
        known = {*PREFIXES, *DECLARED_PREFIX.findall(query)}
        used = dict.fromkeys(_USED_PREFIX.findall(_STRINGS_AND_COMMENTS.sub("", query)))
        missing = ", ".join(f"`{name}:`" for name in used if name not in known)
        return f"{place}: no prefix {missing or 'of that name'} is declared"
    return (
        error if len(error) <= MAX_MESSAGE_LETTERS else f"{place}: something else is expected here"
    )


def with_prefixes(query: str) -> str:
    """The query with the declarations of prefixes that it lacks, for engines elsewhere."""
    declared = set(DECLARED_PREFIX.findall(query))
    missing = (name for name in PREFIXES if name not in declared and f"{name}:" in query)
    return "".join(f"PREFIX {name}: <{PREFIXES[name]}> " for name in missing) + query
