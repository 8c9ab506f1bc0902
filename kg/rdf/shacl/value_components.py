"""Constraints that each value node meets or breaks by itself, and the texts of datatypes."""

from __future__ import annotations

import base64
import binascii
import re
from calendar import monthrange
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

import pyoxigraph as ox

from kg.rdf.query_bindings import render_literal
from kg.rdf.shacl.evaluation import (
    BrokenShapes,
    Constraint,
    Evaluation,
    Shape,
    Violation,
    Violations,
)
from kg.rdf.shacl.node_text import XSD, is_blank, read_literal, read_string, string_text

_RANGES = {
    "integer": (None, None),
    "long": (-(2**63), 2**63 - 1),
    "int": (-(2**31), 2**31 - 1),
    "short": (-(2**15), 2**15 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "unsignedLong": (0, 2**64 - 1),
    "unsignedInt": (0, 2**32 - 1),
    "unsignedShort": (0, 2**16 - 1),
    "unsignedByte": (0, 2**8 - 1),
    "nonNegativeInteger": (0, None),
    "positiveInteger": (1, None),
    "nonPositiveInteger": (None, 0),
    "negativeInteger": (None, -1),
}
_TIME_ZONE = r"(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)"
_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DAY = r"(?:0[1-9]|[12]\d|3[01])"
_TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_CLOCK = r"T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?"
_FLOAT = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_LEXICAL_FORMS = {
    "boolean": r"true|false|0|1",
    "decimal": r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)",
    "double": _FLOAT,
    "float": _FLOAT,
    "date": f"{_YEAR}-{_MONTH}-{_DAY}{_TIME_ZONE}?",
    "dateTime": f"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}{_TIME_ZONE}?",
    "dateTimeStamp": f"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}{_TIME_ZONE}",
    "time": f"{_TIME}{_TIME_ZONE}?",
    "gYear": f"{_YEAR}{_TIME_ZONE}?",
    "gYearMonth": f"{_YEAR}-{_MONTH}{_TIME_ZONE}?",
    "gMonth": f"--{_MONTH}{_TIME_ZONE}?",
    "gMonthDay": f"--{_MONTH}-{_DAY}{_TIME_ZONE}?",
    "gDay": f"---{_DAY}{_TIME_ZONE}?",
    "duration": rf"-?P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:{_CLOCK})?",
    "dayTimeDuration": rf"-?P(?=.)(?:\d+D)?(?:{_CLOCK})?",
    "yearMonthDuration": r"-?P(?=.)(?:\d+Y)?(?:\d+M)?",
    "hexBinary": r"(?:[0-9a-fA-F]{2})*",
    "language": r"[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*",
    "normalizedString": r"[^\t\n\r]*",
    "token": r"(?:[^\t\n\r ]+(?: [^\t\n\r ]+)*)?",
}
_INTEGER = re.compile(r"[+-]?\d+", re.A)
_LEXICAL_PATTERNS = {name: re.compile(form, re.A) for name, form in _LEXICAL_FORMS.items()}
_DATE_PARTS = re.compile(rf"({_YEAR})-({_MONTH})-({_DAY})", re.A)
NODE_KINDS = {
    "IRI": "<",
    "BlankNode": "_",
    "Literal": '"',
    "BlankNodeOrIRI": "_<",
    "BlankNodeOrLiteral": '_"',
    "IRIOrLiteral": '<"',
}


def is_well_formed(lexical: str, datatype: str) -> bool:
    """Return whether a text is a valid lexical form of a datatype; unknown datatypes accept any."""
    name = datatype.removeprefix(XSD) if datatype.startswith(XSD) else ""
    if name in _RANGES:
        return _is_integer(lexical, *_RANGES[name])
    if name == "base64Binary":
        return _is_base64(lexical)
    form = _LEXICAL_PATTERNS.get(name)
    if form is None:
        return True
    return bool(form.fullmatch(lexical)) and _is_of_calendar(lexical, name)


def _is_integer(lexical: str, minimum: int | None, maximum: int | None) -> bool:
    if not _INTEGER.fullmatch(lexical):
        return False
    digits = lexical.lstrip("+-").lstrip("0")
    if len(digits) > 20:  # longer than any bound
        return maximum is None if lexical[0] != "-" else minimum is None
    value = int(lexical)
    return (minimum is None or value >= minimum) and (maximum is None or value <= maximum)


def _is_base64(lexical: str) -> bool:
    try:
        base64.b64decode("".join(lexical.split()), validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _is_of_calendar(lexical: str, name: str) -> bool:
    if name not in {"date", "dateTime", "dateTimeStamp"}:
        return True
    match = _DATE_PARTS.match(lexical)
    assert match
    year, month, day = (int(part) for part in match.groups())
    # the calendar repeats after 400 years, and Python's has no year below 1 or above 9999
    return day <= monthrange(2000 + year % 400, month)[1]


# Finds the values that violate a constraint.
FailingValues = Callable[[Evaluation, set[str]], set[str]]


@dataclass(frozen=True)
class ValueConstraint(Constraint):
    """A constraint on single values, each of which is checked once."""

    component: str
    words: str
    find_failing: FailingValues

    def violations(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> Violations:
        """Pairs of a focus node and a failing value that it has."""
        failing = self.find_failing(evaluation, evaluation.values(shape, focus))
        return (
            (Violation(*pair) for pair in evaluation.pairs(shape, focus, failing))
            if failing
            else ()
        )

    def failing_nodes(self, evaluation: Evaluation, shape: Shape, focus: set[str]) -> set[str]:
        """The focus nodes that have a failing value."""
        return evaluation.focus_reaching(
            shape, focus, self.find_failing(evaluation, evaluation.values(shape, focus))
        )


def failing_class(class_iri: str) -> FailingValues:
    """`sh:class`."""
    return lambda evaluation, values: values - evaluation.graph.instances(class_iri)


def failing_in(allowed: Collection[str]) -> FailingValues:
    """`sh:in`."""
    return lambda evaluation, values: values.difference(allowed)


def failing_datatype(datatype: str) -> FailingValues:
    """`sh:datatype`: of this type, and well-formed."""

    def find_failing(_: Evaluation, values: set[str]) -> set[str]:
        return {value for value in values if not _has_datatype(value, datatype)}

    return find_failing


def _has_datatype(value: str, datatype: str) -> bool:
    literal = read_literal(value)
    return (
        literal is not None
        and literal.datatype == datatype
        and is_well_formed(literal.lexical, datatype)
    )


def failing_node_kind(kind: str) -> FailingValues:
    """`sh:nodeKind`."""
    marks = NODE_KINDS[kind]
    return lambda _, values: {value for value in values if value[0] not in marks}


def failing_length(minimum: int, maximum: int | None) -> FailingValues:
    """`sh:minLength` and `sh:maxLength`; a blank node has no length."""

    def fits(value: str) -> bool:
        size = len(read_string(value))
        return not is_blank(value) and minimum <= size and (maximum is None or size <= maximum)

    return lambda _, values: {value for value in values if not fits(value)}


def failing_language(ranges: Collection[str]) -> FailingValues:
    """`sh:languageIn`, by SPARQL's “langMatches”."""

    def fits(value: str) -> bool:
        literal = read_literal(value)
        tag = literal.language.casefold() if literal else ""
        return bool(tag) and any(
            language == "*" or tag == language or tag.startswith(language + "-")
            for language in folded
        )

    folded = [language.casefold() for language in ranges]
    return lambda _, values: {value for value in values if not fits(value)}


def failing_pattern(pattern: str, flags: str, place: str) -> FailingValues:
    """`sh:pattern`, matched by Oxigraph. Raises `BrokenShapes` if it is not valid."""
    terms = f"{render_literal(pattern)}, {render_literal(flags)}"
    validity_query = f"ASK {{ BIND (REGEX('', {terms}) AS ?x) FILTER (BOUND(?x)) }}"
    if not ox.Store().query(validity_query):
        raise BrokenShapes(f"{place}: `{pattern}` with flags `{flags}` is not a regular expression")
    text = f"SELECT ?t {{ ?s <urn:t> ?t FILTER (REGEX(?t, {terms})) }}"

    def find_failing(_: Evaluation, values: set[str]) -> set[str]:
        nodes = [value for value in values if not is_blank(value)]
        texts = {value: string_text(read_string(value)) for value in nodes}
        store = ox.Store()
        lines = "".join(f"<urn:t> <urn:t> {each} .\n" for each in set(texts.values()))
        store.load(lines, format=ox.RdfFormat.N_TRIPLES)
        good = {str(row[0]) for row in _solutions_of_query(store, text)}
        return {value for value in values if texts.get(value) not in good}

    return find_failing


def failing_bound(sign: str, bound: str) -> FailingValues:
    """`sh:minInclusive` and similar; a value that cannot be compared fails."""

    def find_failing(_: Evaluation, values: set[str]) -> set[str]:
        good = pairs_that_compare(((value, bound) for value in values), sign)
        return {value for value in values if (value, bound) not in good}

    return find_failing


def pairs_that_compare(pairs: Iterable[tuple[str, str]], sign: str) -> set[tuple[str, str]]:
    """The pairs for which SPARQL's `<`, `<=`, `>` or `>=` (`sign`) holds."""
    comparable = [pair for pair in pairs if pair[0][0] == pair[1][0] == '"']
    lines = (
        f"<urn:{index}> <urn:a> {left} .\n<urn:{index}> <urn:b> {right} .\n"
        for index, (left, right) in enumerate(comparable)
    )
    store = ox.Store()
    store.load("".join(lines), format=ox.RdfFormat.N_TRIPLES)
    text = f"SELECT ?s {{ ?s <urn:a> ?a ; <urn:b> ?b FILTER (?a {sign} ?b) }}"
    return {
        comparable[int(str(row[0]).removeprefix("<urn:").rstrip(">"))]
        for row in _solutions_of_query(store, text)
    }


def _solutions_of_query(store: ox.Store, text: str) -> Iterator[ox.QuerySolution]:
    solutions = store.query(text)
    assert isinstance(solutions, ox.QuerySolutions), "SELECT has solutions"
    return solutions


def failing_shape(shape: Shape) -> FailingValues:
    """`sh:node`."""
    return lambda evaluation, values: evaluation.failing_nodes(shape, values)


def failing_not(shape: Shape) -> FailingValues:
    """`sh:not`."""
    return lambda evaluation, values: values - evaluation.failing_nodes(shape, values)


def failing_and(shapes: Collection[Shape]) -> FailingValues:
    """`sh:and`."""

    def find_failing(evaluation: Evaluation, values: set[str]) -> set[str]:
        failing: set[str] = set()
        for shape in shapes:
            failing |= evaluation.failing_nodes(shape, values - failing)
        return failing

    return find_failing


def failing_or(shapes: Collection[Shape]) -> FailingValues:
    """`sh:or`: each shape is tried only on values that those before it rejected."""

    def find_failing(evaluation: Evaluation, values: set[str]) -> set[str]:
        for shape in shapes:
            values = evaluation.failing_nodes(shape, values)
        return values

    return find_failing


def failing_xone(shapes: Collection[Shape]) -> FailingValues:
    """`sh:xone`."""

    def find_failing(evaluation: Evaluation, values: set[str]) -> set[str]:
        once: set[str] = set()
        often: set[str] = set()
        for shape in shapes:
            good = values - evaluation.failing_nodes(shape, values)
            often |= once & good
            once |= good
        return values - once | often

    return find_failing
