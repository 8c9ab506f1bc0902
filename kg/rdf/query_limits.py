"""Limits of a query: its size, its time, and the memory that its answer may take.

A query of very many brackets overflows the stack of Oxigraph's parser, which ends the program: so
its size is looked at before. Oxigraph cannot be told to stop, but it lets other threads run
meanwhile: so the query is asked in a thread of its own, which is left behind where it takes too
much. It ends with the program.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from kg.model.errors import KgError
from kg.rdf.query_bindings import TOKEN

T = TypeVar("T")
_PAUSE = 0.1  # seconds between two looks at the memory
MAX_QUERY_CHARACTERS = 1_000_000
MAX_OPEN_BRACKETS = 50  # nested brackets: with 100, some queries take a second to parse
MAX_OPERATORS = 500  # beyond 800, some queries overflow a stack of 1 MB
_LIST_OPENINGS = {"{": "VALUES", "(": "IN"}  # the keyword before the members of a list
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")


class BadQuery(KgError, ValueError):
    """A query is not valid SPARQL; the message says where. `corpus.sparql("SELECT ?s")`"""


class QueryStopped(KgError, RuntimeError):
    """A query that took longer, or more memory, than it may; the message says how much."""


class QueryLimits(NamedTuple):
    """The limits that end a query: seconds, and bytes of memory beyond what the program had
    before.
    """

    seconds: float = 60
    bytes: int = 2 * 1024**3  # where the system tells: the answer to all triples of 10,000 notes


class _QueryThread(threading.Thread, Generic[T]):
    def __init__(self, ask: Callable[[], T]) -> None:
        super().__init__(daemon=True)  # so that a program may end before it
        self._ask = ask
        self.results: list[T] = []
        self.raised: BaseException | None = None

    def run(self) -> None:
        try:
            self.results.append(self._ask())
        except BaseException as error:
            self.raised = error


def run_within_limits(limits: QueryLimits | None, run: Callable[[], T]) -> T:
    """Call `run` and return its result; in this thread without limits. Raises `QueryStopped`."""
    if limits is None:
        return run()
    thread = _QueryThread(run)
    memory_limit = _peak_memory() + limits.bytes
    deadline = time.monotonic() + limits.seconds
    thread.start()
    while thread.is_alive():
        thread.join(min(_PAUSE, max(deadline - time.monotonic(), 0)))
        if thread.is_alive() and time.monotonic() >= deadline:
            raise QueryStopped(f"the query was stopped: it took more than {limits.seconds:g} s")
        if thread.is_alive() and _peak_memory() > memory_limit:
            size = limits.bytes / 1024**2
            raise QueryStopped(f"the query was stopped: it took more than {size:,.0f} MiB")
    if thread.raised:
        raise thread.raised
    return thread.results[0]


def _peak_memory() -> int:
    """The most bytes that this process has had; 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def require_bounded(query: str) -> None:
    """Raise `BadQuery` for a query that is too long, nested too deeply or has too many operators.

    Lists of values, in `VALUES` and after `IN`, may have any length.
    """
    if len(query) > MAX_QUERY_CHARACTERS:
        raise BadQuery(
            f"this query is too long: it has more than {MAX_QUERY_CHARACTERS:,} characters"
        )
    open_marks: list[str] = []  # an open list of values is entered as `VALUES` or `IN`
    mark_count = 0
    word = ""
    for token in TOKEN.finditer(query):
        text = token[0]
        enclosing_mark = open_marks[-1] if open_marks else ""
        if token["word"]:
            word = text.upper()
        mark_count += _is_operator_or_bracket(token, enclosing_mark)
        if text in _OPENING:
            opening = word if word == _LIST_OPENINGS.get(text) else text
            open_marks.append("VALUES" if enclosing_mark == "VALUES" else opening)
            word = word if word == "VALUES" and text == "(" else ""  # `VALUES (?a ?b) {`
        elif text in _CLOSING:
            del open_marks[-1:]
        hidden_openings = 0
        if text[0] == "<":  # `?a<(1)&&2>?b` looks like an IRI
            hidden_openings = sum(map(text.count, _OPENING))
            mark_count += hidden_openings
            open_marks += "(" * (hidden_openings - sum(map(text.count, _CLOSING)))
        is_too_deep = len(open_marks) + hidden_openings > MAX_OPEN_BRACKETS
        if is_too_deep or mark_count > MAX_OPERATORS:
            excess = (
                f"nests too deep: more than {MAX_OPEN_BRACKETS} brackets are open"
                if is_too_deep
                else f"is too large: it has more than {MAX_OPERATORS} brackets and operators"
            )
            raise BadQuery(f"this query {excess} at {_line_and_column(query, token.start())}")


def _is_operator_or_bracket(token: re.Match[str], enclosing_mark: str) -> bool:
    """Return whether a token counts as a mark; in round brackets every token does, outside of
    lists.
    """
    if enclosing_mark == "VALUES":
        return False
    is_operator = bool(token["mark"] or token["operator"])
    return (
        is_operator and token[0] != ","
        if enclosing_mark == "IN"
        else is_operator or enclosing_mark == "("
    )


def _line_and_column(query: str, start: int) -> str:
    """Line and column, in the library's form."""
    return f"{query.count(chr(10), 0, start) + 1}:{start - query.rfind(chr(10), 0, start)}"
