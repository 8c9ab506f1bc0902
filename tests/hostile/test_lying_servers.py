"""A server that cuts, repeats, turns or empties what it answers makes our own errors alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pyoxigraph as ox
import pytest

import kg
from kg.endpoints.push_and_pull import pull, push
from kg.model.errors import KgError
from kg.queries.connection import Connection, engine_of_server
from kg.rdf.sparql_result import Rows
from tests.support.corpora import corpus_of_notes
from tests.support.store_endpoints import MemoryEndpoint

_Rows = tuple[tuple[Any, ...], ...]
BLANK = ox.BlankNode("b")
LIES: Mapping[str, Callable[[_Rows], _Rows]] = {
    "no row but the first": lambda rows: rows[:1],
    "three rows": lambda rows: rows[:3],
    "ten rows": lambda rows: rows[:10],
    "all but the last": lambda rows: rows[:-1],
    "all but the first": lambda rows: rows[1:],
    "each row twice": lambda rows: rows + rows,
    "the first row again": lambda rows: rows + rows[:1],
    "nothing bound": lambda rows: tuple((None,) * len(row) for row in rows),
    "the last unbound": lambda rows: tuple((*row[:-1], None) for row in rows),
    "blank nodes": lambda rows: tuple((BLANK,) * len(row) for row in rows),
    "texts": lambda rows: tuple(
        tuple(term and ox.Literal(term.value) for term in row) for row in rows
    ),
    "capitals": lambda rows: tuple(
        tuple(term and ox.Literal(term.value.upper()) for term in row) for row in rows
    ),
    "triples": lambda rows: tuple(
        (ox.Triple(BLANK, ox.NamedNode("x:y"), BLANK),) * len(row) for row in rows
    ),
    "columns turned": lambda rows: tuple(row[::-1] for row in rows),
}
CLAIM = "---\ntype: claim\ncamp: skeptic\n---\n# {0}\n\n"
# One of each sort: what answers a few rows at a time is asked again for each few.
NOTES = {
    "a": CLAIM.format("A") + "> [!evidence] Found A ^e\n> x [@doe]\n\n",
    "b": CLAIM.format("B") + "- supports:: [[a]] — why\n- contradicts:: [[a#^e]] — why not\n",
    "doe": "---\ntype: source\n---\n# A work\n",
    "l": "---\ntype: line\n---\n# L?\n\nSo.\n\n- skeptic:: [[a]] — for\n- next:: [[l]]\n",
}
QUESTIONS: Sequence[Callable[[Connection], Any]] = [
    lambda server: repr(server.find(kg.claims())),
    lambda server: server.find(kg.claims()).to_json(),
    lambda server: str(server.find(kg.edges())),
    lambda server: str(server.find(kg.lines())),
    lambda server: str(server.find(kg.sources())),
    lambda server: str(server.find(camp="skeptic")),
    lambda server: str(server.find(kg.claims().supported_by("a"))),
    lambda server: str(server.find(kg.claims().strength(above=0.1))),
    lambda server: server.sparql("SELECT ?s { ?s kg:topic ?c }", c="a"),
]


class Liar(MemoryEndpoint):
    """Answers with other rows than it found, from one question on."""

    def __init__(self) -> None:
        super().__init__()
        self.lie: Callable[[_Rows], _Rows] | None = None
        self.truths = 0

    def select(self, query: str, values: Any = None) -> Rows:
        rows = super().select(query, values)
        self.truths -= 1
        if self.lie is None or self.truths >= 0:
            return rows
        return Rows(rows.variables, self.lie(rows.rows))


@pytest.mark.parametrize("lie", LIES)
def test_rows_that_are_not_those_of_a_corpus_make_our_own_errors_alone(lie: str) -> None:
    server = Liar()
    push(corpus_of_notes(**NOTES), server)
    connection_here = Connection(
        engine_of_server(lambda query: server.select(query).rows), server.ask, "here"
    )
    for question in (
        *(partial(each, connection_here) for each in QUESTIONS),
        partial(pull, server),
    ):
        for truths in range(4):
            server.lie, server.truths = LIES[lie], truths
            with suppress(KgError):
                question()
            if server.truths >= 0:  # all was asked before the lie
                break
