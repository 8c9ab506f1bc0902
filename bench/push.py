"""A push to a server over HTTP that has all of a corpus: nothing changed, or one note.

    python -m bench push --size 10000

Oxigraph's server on loopback keeps its store on disk. Processor time of both programs counts,
whichever works; the floor is one row that the same server is asked for.
"""

from __future__ import annotations

import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.measure import Row
from bench.vault import get_vault
from kg.corpus import Corpus
from kg.endpoints.endpoint import Endpoint, open_endpoint
from kg.endpoints.push_and_pull import push
from kg.loader import load_corpus
from kg.rdf.quad_store import open_store
from tests.support.sparql_servers import Server, oxigraph

ROUNDS = 5
ONE_ROW = "SELECT ?s { GRAPH ?g { ?s ?p ?o } } LIMIT 1"


class Spent(NamedTuple):
    """What a push cost: seconds of our processor and of the server's, and on the clock."""

    ours: float
    server: float
    clock: float


def report(size: int) -> list[Row]:
    """What pushes of `size` notes cost; the server's share and the clock stand beside."""
    corpus = load_corpus(get_vault(size))
    edited = list(_edited(corpus))
    with tempfile.TemporaryDirectory() as place:
        open_store(corpus, Path(place) / "store")  # loaded in bulk, as pushing all takes minutes
        return list(_rows(corpus, edited, Path(place) / "store"))


def _rows(corpus: Corpus, edited: list[Corpus], store: Path) -> Iterator[Row]:
    with oxigraph(store) as server:
        endpoint = open_endpoint(server.url, server.update_url)
        floor = [_spent(server, lambda: endpoint.select(ONE_ROW).rows) for _ in range(ROUNDS)]
        runs = {
            "one row asked for (the floor)": floor,
            "push, nothing changed": _pushes(server, endpoint, [corpus] * ROUNDS),
            "push, one note changed": _pushes(server, endpoint, edited),
        }
    found = {
        what: Spent(*map(statistics.median, zip(*each, strict=True))) for what, each in runs.items()
    }
    least = sum(found["one row asked for (the floor)"][:2])
    for what, spent in found.items():
        said = (
            f"ours {spent.ours * 1000:,.0f} ms, the server's {spent.server * 1000:,.0f} ms, "
            f"on the clock {spent.clock * 1000:,.0f} ms"
        )
        yield Row(what, spent.ours + spent.server, least, said)


def _pushes(server: Server, endpoint: Endpoint, corpora: Iterable[Corpus]) -> list[Spent]:
    """One push after the other, each of a copy, of which nothing is derived yet."""
    return [_spent(server, partial(push, replace(each), endpoint)) for each in corpora]


def _edited(corpus: Corpus) -> Iterator[Corpus]:
    """The corpus with one statement's title changed, each time otherwise."""
    id, statement = next(iter(corpus.statements.items()))
    for number in range(ROUNDS):
        changed = msgspec.structs.replace(statement, title=f"{statement.title} {number}")
        yield replace(corpus, statements={**corpus.statements, id: changed})


def _spent(server: Server, task: Callable[[], object]) -> Spent:
    gc.collect()
    ours, theirs, clock = time.process_time(), _processor_time_of(server), time.perf_counter()
    task()
    return Spent(
        time.process_time() - ours,
        _processor_time_of(server) - theirs,
        time.perf_counter() - clock,
    )


def _processor_time_of(server: Server) -> float:
    """Seconds that a server has used so far, as Linux tells them."""
    stat = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
