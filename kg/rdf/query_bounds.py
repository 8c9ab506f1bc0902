"""Refuses queries so large or nested that the library which parses them would crash."""

from __future__ import annotations

import re

from kg.model.errors import KgError
from kg.rdf.bindings import TOKEN

MAX_QUERY_LETTERS = 1_000_000  # characters
MAX_OPEN_BRACKETS = 50  # brackets within each other: with 100 some queries take a second to parse
MAX_MARKS = 500  # beyond 800 some queries run out of a stack of 1 MB
_LISTS = {"{": "VALUES", "(": "IN"}  # what is said before their members
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


class BadQuery(KgError, ValueError):
    """A query that is not SPARQL; the message says where. `corpus.sparql("SELECT ?s")`"""


def need_bounded(query: str) -> None:
    """Raise `BadQuery` for a query that is too long, nests too deep or has too many operators.

    Lists of values, in `VALUES` and behind `IN`, may be as long as the query.
    """
    if len(query) > MAX_QUERY_LETTERS:
        raise BadQuery(f"this query is too long: it has more than {MAX_QUERY_LETTERS:,} characters")
    open_marks: list[str] = []  # a list of values is open as `VALUES` or `IN`
    marks = 0
    word = ""
    for found in TOKEN.finditer(query):
        text, around = found[0], open_marks[-1] if open_marks else ""
        if found["word"]:
            word = text.upper()
        marks += _is_operator_or_bracket(found, around)
        if text in _OPENING:
            named = word if word == _LISTS.get(text) else text
            open_marks.append("VALUES" if around == "VALUES" else named)
            word = word if word == "VALUES" and text == "(" else ""  # `VALUES (?a ?b) {`
        elif text in _CLOSING:
            del open_marks[-1:]
        within = 0
        if text[0] == "<":  # `?a<(1)&&2>?b` looks like an IRI
            within = sum(map(text.count, _OPENING))
            marks += within
            open_marks += "(" * (within - sum(map(text.count, _CLOSING)))
        deep = len(open_marks) + within > MAX_OPEN_BRACKETS
        if deep or marks > MAX_MARKS:
            excess = (
                f"nests too deep: more than {MAX_OPEN_BRACKETS} brackets are open"
                if deep
                else f"is too large: it has more than {MAX_MARKS} brackets and operators"
            )
            raise BadQuery(f"this query {excess} at {_place(query, found.start())}")


def _is_operator_or_bracket(found: re.Match[str], around: str) -> bool:
    """Whether this is a mark; a term in round brackets may be a member of a list, two patterns."""
    if around == "VALUES":
        return False
    is_mark = bool(found["mark"] or found["operator"])
    return is_mark and found[0] != "," if around == "IN" else is_mark or around == "("


def _place(query: str, start: int) -> str:
    """Line and column, as the library says them."""
    return f"{query.count(chr(10), 0, start) + 1}:{start - query.rfind(chr(10), 0, start)}"
