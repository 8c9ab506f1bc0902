"""Terms as SPARQL text, and safe binding of values to a query's variables."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.corpus import Corpus
from kg.model import Edge, InquiryLine, Source, Statement
from kg.model.errors import KgError
from kg.rdf.iris import CAMPS, EDGES, LINES, SOURCES, STATEMENTS, Iris
from kg.rdf.vocabulary import DATE, INTEGER, XSD_STRING, text_term, without_surrogates

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile(r"[\\\"\n\r\t]|(?<=\\)[uU]")
# `skip` comes first, so that nothing is matched inside an IRI, string, comment or name
TOKEN = re.compile(
    r"""
      (?P<skip> <[^<>"{}|\\^`\x00-\x20]*>
              | \"\"\"(?:\\.|"{0,2}[^"\\])*\"\"\" | '''(?:\\.|'{0,2}[^'\\])*'''
              | "(?:\\.|[^"\\\n\r])*" | '(?:\\.|[^'\\\n\r])*'
              | \#[^\n\r]*
              | [\w.-]{0,100}:(?:[\w.:%-]|\\.)* )  # bounded, to avoid quadratic backtracking
    | (?P<variable> [?$]\w+ )
    | (?P<word> [A-Za-z]\w* )
    | (?P<mark> [{}()] )
    | (?P<number> \d[\d.]* )
    | (?P<operator> [^\s\w] )
    """,
    re.X | re.S,
)
_EXPRESSION = re.compile(r"\(.*?\bAS\s+(\?\w+)\s*\)", re.IGNORECASE | re.DOTALL)


def render_term(term: NamedNode | Literal | BlankNode | Triple) -> str:
    """An IRI or literal in SPARQL syntax; raises `ValueError` for other terms."""
    if isinstance(term, NamedNode):
        return f"<{term.value}>"
    if not isinstance(term, Literal):
        raise ValueError("only IRIs and literals can stand in a query")
    quoted = f'"{_SPECIAL.sub(_escape_character, term.value)}"'
    if term.language:
        return f"{quoted}@{term.language}"
    kind = term.datatype.value
    return quoted if kind == XSD_STRING else f"{quoted}^^<{kind}>"


def render_literal(value: str) -> str:
    """A plain string in SPARQL syntax; half of a surrogate pair becomes U+FFFD."""
    return render_term(Literal(without_surrogates(value)))


def _escape_character(match: re.Match[str]) -> str:
    """Escape a character; some engines read `\\u0022` as a quote even after a backslash."""
    char = match[0]
    return _ESCAPES.get(char) or f"\\u{ord(char):04X}"


Bindable = (
    str
    | bool
    | int
    | float
    | dt.date
    | NamedNode
    | Literal
    | Statement
    | InquiryLine
    | Source
    | Edge
)


def names_with_prefix(query: str, prefix: str) -> tuple[str, ...]:
    """The names that a query uses with `prefix`, each once, outside strings and comments."""
    tokens = (match["skip"] or "" for match in TOKEN.finditer(query))
    names = (
        token.removeprefix(f"{prefix}:").rstrip(".")
        for token in tokens
        if token.startswith(f"{prefix}:")
    )
    return tuple(dict.fromkeys(filter(None, names)))


def variables_of(query: str) -> set[str]:
    """The names of a query's variables, outside strings and comments."""
    return {token["variable"][1:] for token in TOKEN.finditer(query) if token["variable"]}


class BadBinding(KgError, ValueError):
    """A variable cannot have the given value; the message says why.

    `corpus.sparql("SELECT ?s { ?s ?p ?o }", s=object())`
    """


def term_of_value(value: Bindable, iris: Iris) -> NamedNode | Literal:
    """A value as an RDF term: strings and numbers as literals, records as their IRIs."""
    match value:
        case NamedNode() | Literal():
            return value
        case Statement():
            return NamedNode(iris.iri_of(STATEMENTS, value.id))
        case InquiryLine():
            return NamedNode(iris.iri_of(LINES, value.id))
        case Source():
            return NamedNode(iris.iri_of(SOURCES, value.key))
        case Edge():
            return NamedNode(iris.iri_of(EDGES, value.id))
        case str():
            return text_term(value)
        case bool() | float():  # before int: True is one to Python
            return Literal(value)
        case int():
            return Literal(str(value), datatype=INTEGER)
        case dt.date():
            return Literal(value.isoformat()[:10], datatype=DATE)
    raise BadBinding(f"a {type(value).__name__} cannot be the value of a variable")


def named_node_of(corpus: Corpus, name: str) -> NamedNode:
    """The IRI of the record or camp called `name` (an id or alias); raises `UnknownId`."""
    iris = Iris(corpus.config.base_iri)
    id = corpus.look_up(name) or (name if name in corpus.edges_by_id else None)
    if id is None and (camp := corpus.config.find_camp(name)):
        return NamedNode(iris.iri_of(CAMPS, camp))
    return NamedNode(iris.thing(corpus, id or corpus.statement(name).id))


def bind_variables(query: str, values: Mapping[str, NamedNode | Literal]) -> str:
    """The query with its variables bound to the values, wherever it uses them.

    Uses `VALUES` at the start of the pattern rather than substitution, as `SELECT ?x` with a value
    in place of the variable would not be a query.

    Raises `BadBinding` for a variable that the query does not have.
    """
    if not values:
        return query
    used_names = variables_of(query)
    for name in values:
        if name not in used_names:
            variables = (
                ", ".join(sorted(f"?{used_name}" for used_name in used_names)) or "no variables"
            )
            raise BadBinding(f"the query has no variable ?{name}; it has {variables}")
    pattern_start = _pattern_start(query)
    names = " ".join(f"?{name}" for name in values)
    row = " ".join(render_term(value) for value in values.values())
    return f"{query[:pattern_start]} VALUES ({names}) {{ ({row}) }} {query[pattern_start:]}"


def _pattern_start(query: str) -> int:
    """Find where the query's own pattern begins: after the first outermost brace not of a template.

    `CONSTRUCT WHERE { … }` has one brace for both, and `VALUES` there would be in the template.
    """
    openings = list(_outermost_braces(query))
    if openings and "CONSTRUCT" in openings[0][1]:
        if "WHERE" in openings[0][1]:
            raise BadBinding("write the template out: `CONSTRUCT { … } WHERE { … }`")
        del openings[0]
    if not openings:
        raise BadBinding("the query has no pattern in which a variable could be held to a value")
    return openings[0][0]


def _outermost_braces(query: str) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the position after each outermost brace, and the keywords before it."""
    words: set[str] = set()
    depth = 0
    for token in TOKEN.finditer(query):
        if token["word"]:
            words.add(token["word"].upper())
        if token["mark"] == "{" and not depth:
            yield token.end(), frozenset(words)
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(token["mark"] or "", 0)


def has_from_clause(query: str) -> bool:
    """Return whether a query names the graphs it reads with `FROM`."""
    return "FROM" in _words_outside_strings(query)


def is_graph_query(query: str) -> bool:
    """Return whether the answer to a query is a graph rather than rows."""
    return not {"CONSTRUCT", "DESCRIBE"}.isdisjoint(_words_outside_strings(query))


def _words_outside_strings(query: str) -> frozenset[str]:
    """The words of a query outside its strings, IRIs and comments."""
    return frozenset(token["word"].upper() for token in TOKEN.finditer(query) if token["word"])


def selected_variables(query: str) -> set[str]:
    """The variables that a SELECT query asks for; empty if it asks for all."""
    selected = re.search(r"\bSELECT\b(.*?)(?:\{|\bWHERE\b)", query, re.IGNORECASE | re.DOTALL)
    head = _EXPRESSION.sub(r"\1", selected[1]) if selected else ""
    return set(re.findall(r"\?(\w+)", head))
