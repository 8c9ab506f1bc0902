"""RDF side by side in one run: our store in memory and on disk, beside rdflib's own store.

    python -m bench.rdf [--size 10000] [--limit 30]

rdflib gets at most `--limit` seconds a query; where it does not finish, the ratio is a lower bound.
"""

from __future__ import annotations

import argparse
import math
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pyoxigraph as ox
import rdflib

from bench.vault import write_vault
from kg.corpus import Corpus
from kg.exchange.rdf import write_corpus
from kg.load import load_corpus
from kg.ontology import PREFIXES
from kg.views.parts import parts
from kg.views.quads import as_quads, part_quads
from kg.views.rdf import as_graph, as_store
from kg.views.sparql import ask
from kg.views.store import open_store, replace_graph

ROUNDS = 5
QUERIES = {
    "claims of one camp that the other contradicts": """SELECT (COUNT(*) AS ?n) {
        ?a kg:sidesWith <https://example.org/inquiry-lines/camps/skeptic> ; kg:contradicts ?b .
        ?b kg:sidesWith <https://example.org/inquiry-lines/camps/optimist> }""",
    "all that supports one statement": """SELECT (COUNT(DISTINCT ?r) AS ?n) {
        ?r kg:supports+ <https://example.org/inquiry-lines/statements/note-000000> }""",
    "evidence for each claim": """SELECT ?c (COUNT(?e) AS ?n) {
        ?e a kg:Evidence . ?e kg:supports ?c . ?c a kg:Claim } GROUP BY ?c ORDER BY DESC(?n) ?c
        LIMIT 20""",
    "claims without support": """SELECT (COUNT(?c) AS ?n) {
        ?c a kg:Claim MINUS { ?e kg:supports ?c } }""",
    "a word in a title": """SELECT ?s { ?s dcterms:title ?t FILTER (CONTAINS(?t, "9999")) }""",
    "samples by camp": """SELECT ?camp (COUNT(?n) AS ?items) (MAX(?n) AS ?most) {
        ?e kg:sample ?n ; kg:sidesWith ?camp } GROUP BY ?camp""",
    "a graph of what contradicts what": """CONSTRUCT { ?a kg:contradicts ?b } {
        ?a kg:contradicts ?b . ?a a kg:CounterClaim . ?b a kg:Claim }""",
    "a pattern in a title": """SELECT ?s {
        ?s dcterms:title ?t FILTER (REGEX(?t, "norm.* 99$")) }""",
    "one statement": """SELECT ?p ?o {
        <https://example.org/inquiry-lines/statements/note-000001> ?p ?o }""",
    "two steps of support": """SELECT (COUNT(*) AS ?n) {
        ?a kg:supports ?b . ?b kg:supports ?c }""",
}


def seconds(run: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Median processor time of a call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return statistics.median(times)


class TooLong(BaseException):
    """A query ran out of its time; no `except Exception` on the way may keep it."""


def limited(run: Callable[[], object], limit: int) -> float | None:
    """Processor time of one call; None where it did not end in time, NaN where it failed."""

    def stop(*_: object) -> None:
        raise TooLong

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(limit)
    try:
        return seconds(run, 1)
    except TooLong:
        return None
    except RecursionError:
        return math.nan
    finally:
        signal.alarm(0)


def queries(stores: dict[str, ox.Store], peer: rdflib.Graph, limit: int) -> None:
    """Time each query on every store, and print how many times rdflib takes."""
    ratios: dict[str, list[float]] = {name: [] for name in stores}
    slowest = dict.fromkeys(stores, 0.0)
    for title, query in QUERIES.items():
        theirs = limited(lambda query=query: list(peer.query(query, initNs=PREFIXES)), limit)
        cells = []
        for name, store in stores.items():
            ours = seconds(lambda query=query, store=store: ask(store, query))
            slowest[name] = max(slowest[name], ours)
            ratio = (limit if theirs is None else theirs) / ours
            if not math.isnan(ratio):
                ratios[name].append(ratio)
            cells.append(f"{name} {ours * 1000:7.1f} ms {ratio:7.0f}x")
        shown = f"more than {limit} s" if theirs is None else f"{theirs * 1000:8.0f} ms"
        print(f"{title:46} rdflib {shown:>14} | {' | '.join(cells)}", flush=True)
    for name in stores:
        mean = statistics.geometric_mean(ratios[name])
        print(f"{name}: geometric mean {mean:.0f}x rdflib, slowest {slowest[name] * 1000:.0f} ms")


def edited(corpus: Corpus) -> Iterable[tuple[list[ox.Quad], list[ox.Quad]]]:
    """Graphs of notes before and after an edit: another title and text, all edges a line lower."""
    for part in parts(corpus)[100:300]:
        statements = [
            msgspec.structs.replace(one, title=one.title + "!", body=one.body + " More.")
            for one in part.statements
        ]
        edges = [
            msgspec.structs.replace(
                edge, span=msgspec.structs.replace(edge.span, line=edge.span.line + 1)
            )
            for edge in part.edges
        ]
        after = part._replace(statements=statements, edges=edges)
        yield part_quads(corpus, part), part_quads(corpus, after)


def replacing(stores: dict[str, ox.Store], corpus: Corpus) -> None:
    """Time the replacement of one note's graph after an edit."""
    pairs = list(edited(corpus))
    for name, store in stores.items():
        times = []
        for _, after in pairs:
            graph: Any = after[0].graph_name
            start = time.process_time()
            replace_graph(store, graph, after)
            times.append(time.process_time() - start)
        print(f"one note's graph replaced, {name}: {statistics.median(times) * 1000:.2f} ms")


def exporting(corpus: Corpus, folder: Path) -> None:
    """Time an export to N-Quads beside pyoxigraph's own writing of the same quads."""
    quads = list(as_quads(corpus))
    nquads = ox.RdfFormat.N_QUADS
    own = seconds(lambda: ox.serialize(quads, str(folder / "own.nq"), format=nquads), 3)
    store = as_store(corpus)
    dump = seconds(lambda: store.dump(str(folder / "dump.nq"), format=nquads), 3)
    ours = seconds(lambda: write_corpus(corpus, folder / "x.nq"), 3)
    notes = len({quad.graph_name for quad in quads})
    print(f"{len(quads)} quads, {len(quads) / notes:.0f} a note")
    print(
        f"export to N-Quads: {ours:.2f} s, {ours / dump:.1f}x a dump of pyoxigraph's store, "
        f"{ours / own:.1f}x its writing of ready-made quads"
    )


def main() -> None:
    """Run all of it on one generated vault."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--size", type=int, default=10_000)
    arguments.add_argument("--limit", type=int, default=30)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        corpus = load_corpus(write_vault(folder / "vault", given.size))
        exporting(corpus, folder)
        build = seconds(lambda: open_store(corpus, folder / "store"), 1)
        again = seconds(lambda: open_store(corpus, folder / "store"), 3)
        print(f"store on disk: built in {build:.1f} s, checked and reopened in {again:.2f} s")
        stores = {"memory": as_store(corpus), "disk": open_store(corpus, folder / "store")}
        queries(stores, as_graph(corpus), given.limit)
        replacing(stores, corpus)


if __name__ == "__main__":
    main()
