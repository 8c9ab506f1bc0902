"""RDF in one run: our stores in memory and on disk, Oxigraph's floor, and rdflib's own store.

    python -m bench rdf --size 10000

A query's floor is the same query on an Oxigraph store that holds nothing but the triples it
needs, in one graph. rdflib is given the faster of a query's two texts, and `LIMIT` seconds for
each; where it does not finish, what is said is a lower bound.
"""

from __future__ import annotations

import gc
import math
import signal
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pyoxigraph as ox
import rdflib

from bench.measure import Name, Row, medians
from bench.vault import get_vault
from kg.corpus import Corpus
from kg.corpus.note_records import records_by_note
from kg.exchange.rdf_formats import write_corpus_nquads
from kg.loader import load_corpus
from kg.rdf.ontology import PREFIXES
from kg.rdf.quad_store import as_store, open_store, replace_graph
from kg.rdf.quads import as_quads, note_quads
from kg.rdf.run_query import ask_store
from tests.support.plain_rdflib_graph import as_rdflib_graph

ROUNDS = 5
LIMIT = 10
BASE = "https://example.org/inquiry-lines/"


class Query(NamedTuple):
    """A typical query: as Oxigraph runs it best, and in plain words where those differ."""

    title: str
    text: str
    plain: str = ""


QUERIES = (
    Query(
        "claims of one camp that the other contradicts",
        f"""SELECT (COUNT(*) AS ?n) {{
        {{ SELECT ?a {{ ?a kg:sidesWith <{BASE}camps/skeptic> }} }}
        {{ SELECT ?a ?b {{ ?a kg:contradicts ?b }} }}
        {{ SELECT ?b {{ ?b kg:sidesWith <{BASE}camps/optimist> }} }} }}""",
        f"""SELECT (COUNT(*) AS ?n) {{ ?a kg:sidesWith <{BASE}camps/skeptic> ; kg:contradicts ?b .
        ?b kg:sidesWith <{BASE}camps/optimist> }}""",
    ),
    Query(
        "all that supports one statement",
        f"SELECT (COUNT(*) AS ?n) {{ ?r kg:supports+ <{BASE}statements/note-000000> }}",
    ),
    Query(
        "evidence for each claim",
        """SELECT ?c ?n { { SELECT ?c (COUNT(*) AS ?n) {
        ?e kg:supports ?c . { SELECT ?e { ?e a kg:Evidence } } } GROUP BY ?c } ?c a kg:Claim }
        ORDER BY DESC(?n) LIMIT 20""",
        """SELECT ?c (COUNT(*) AS ?n) { ?e a kg:Evidence . ?e kg:supports ?c . ?c a kg:Claim }
        GROUP BY ?c ORDER BY DESC(?n) LIMIT 20""",
    ),
    Query(
        "claims without support",
        "SELECT (COUNT(*) AS ?n) { ?c a kg:Claim FILTER NOT EXISTS { ?e kg:supports ?c } }",
        "SELECT (COUNT(*) AS ?n) { ?c a kg:Claim MINUS { ?e kg:supports ?c } }",
    ),
    Query(
        "a word in a title",
        'SELECT ?s { ?s dcterms:title ?t FILTER (CONTAINS(?t, "9999")) }',
    ),
    Query(
        "samples by camp",
        """SELECT ?camp (COUNT(*) AS ?items) (MAX(?n) AS ?most) {
        ?e kg:sidesWith ?camp . { SELECT ?e ?n { ?e kg:sample ?n } } } GROUP BY ?camp""",
        """SELECT ?camp (COUNT(*) AS ?items) (MAX(?n) AS ?most) {
        ?e kg:sample ?n ; kg:sidesWith ?camp } GROUP BY ?camp""",
    ),
    Query(
        "a graph of what contradicts what",
        """CONSTRUCT { ?a kg:contradicts ?b } { { SELECT ?a { ?a a kg:CounterClaim } }
        ?a kg:contradicts ?b . { SELECT ?b { ?b a kg:Claim } } }""",
        """CONSTRUCT { ?a kg:contradicts ?b } {
        ?a kg:contradicts ?b . ?a a kg:CounterClaim . ?b a kg:Claim }""",
    ),
    Query(
        "a pattern in a title",
        'SELECT ?s { ?s dcterms:title ?t FILTER (REGEX(?t, "norm.* 99$")) }',
    ),
    Query("one statement", f"SELECT ?p ?o {{ <{BASE}statements/note-000001> ?p ?o }}"),
    Query(
        "two steps of support",
        """SELECT (COUNT(*) AS ?n) {
        { SELECT ?a ?b { ?a kg:supports ?b } } { SELECT ?b ?c { ?b kg:supports ?c } } }""",
        "SELECT (COUNT(*) AS ?n) { ?a kg:supports ?b . ?b kg:supports ?c }",
    ),
)
NEEDED = {"type", "title", "supports", "contradicts", "sample", "sidesWith"}


def report(size: int) -> list[Row]:
    """Export, building, queries and replacing on a generated corpus of `size` notes."""
    corpus = load_corpus(get_vault(size))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows = [*export_rows(corpus, folder), *build_rows(corpus, folder)]
        stores = {"memory": as_store(corpus), "disk": open_store(corpus, folder / "store")}
        rows += query_rows(corpus, stores, folder)
        rows += [replace_row(name, store, corpus) for name, store in stores.items()]
    return rows


def median_cpu(tasks: Mapping[Name, Callable[[], Any]], rounds: int = ROUNDS) -> dict[Name, float]:
    """Median processor time of each task; what lives already is kept from the collector."""
    gc.collect()
    gc.freeze()
    return medians(tasks, rounds, time.process_time)


# -- writing -----------------------------------------------------------------------------------


def export_rows(corpus: Corpus, folder: Path) -> list[Row]:
    """An export to N-Quads beside pyoxigraph's own writing of the same quads."""
    quads, store = list(as_quads(corpus)), as_store(corpus)
    notes = len({quad.graph_name for quad in quads})
    form = ox.RdfFormat.N_QUADS
    found = median_cpu(
        {
            "ready": lambda: ox.serialize(quads, str(folder / "ready.nq"), format=form),
            "dump": lambda: store.dump(str(folder / "dump.nq"), format=form),
            "ours": lambda: write_corpus_nquads(corpus, folder / "ours.nq"),
        }
    )
    said = f"{len(quads):,} quads, {len(quads) / notes:.0f} a note; target 3"
    return [
        Row("export to N-Quads / writing ready-made quads", found["ours"], found["ready"], said),
        Row("export to N-Quads / a store's dump", found["ours"], found["dump"]),
    ]


def build_rows(corpus: Corpus, folder: Path) -> list[Row]:
    """A store on disk built, and opened again with nothing changed, beside a bare bulk load."""
    write_corpus_nquads(corpus, folder / "built.nq")

    def bare() -> None:
        store = ox.Store(str(folder / "bare"))
        store.bulk_load(path=str(folder / "built.nq"), format=ox.RdfFormat.N_QUADS)

    floor = median_cpu({"bare": bare}, 1)["bare"]
    built = median_cpu({"built": lambda: open_store(corpus, folder / "store")}, 1)["built"]
    again = median_cpu({"again": lambda: open_store(corpus, folder / "store")})["again"]
    return [
        Row("store on disk, built / bulk load", built, floor),
        Row("store on disk, checked and opened / bulk load", again, floor),
    ]


# -- asking ------------------------------------------------------------------------------------


def query_rows(corpus: Corpus, stores: dict[str, ox.Store], folder: Path) -> Iterator[Row]:
    """Each query on each store beside its floor there, and how many times rdflib takes."""
    floors = {"memory": ox.Store(), "disk": ox.Store(str(folder / "floor"))}
    for floor in floors.values():
        floor.bulk_extend(bare_quads(corpus))
    peer = as_rdflib_graph(corpus)
    ratios: dict[str, list[float]] = {name: [] for name in stores}
    for query in QUERIES:
        bound, theirs = rdflib_time(peer, query)
        found = median_cpu(
            {
                (name, kind): partial(ask_store, store, query.text)
                for kind, held in (("ours", stores), ("floor", floors))
                for name, store in held.items()
            }
        )
        for name in stores:
            ours = found[name, "ours"]
            said = f"rdflib {bound}{theirs / ours:,.0f}x" if theirs else "rdflib fails"
            ratios[name] += [theirs / ours] * bool(theirs)
            yield Row(f"{query.title}, {name} / floor", ours, found[name, "floor"], said)
    for name, all in ratios.items():
        mean = statistics.geometric_mean(all)
        yield Row(f"geometric mean, {name}", mean / 1000, mean / 1000, "times rdflib, not ms")


def bare_quads(corpus: Corpus) -> Iterator[ox.Quad]:
    """The triples that the queries need and no others, in the default graph."""
    for quad in as_quads(corpus):
        if quad.predicate.value.replace("#", "/").rpartition("/")[2] in NEEDED:
            yield ox.Quad(quad.subject, quad.predicate, quad.object)


def _ask_rdflib(peer: rdflib.Graph, text: str) -> None:
    list(peer.query(text, initNs=PREFIXES))


def rdflib_time(peer: rdflib.Graph, query: Query) -> tuple[str, float]:
    """rdflib's time for the faster text, after a sign where it was stopped; 0 where it fails."""
    texts = filter(None, (query.plain, query.text))
    times = [cpu_within_limit(partial(_ask_rdflib, peer, text)) for text in texts]
    ended = [taken for taken in times if taken is not None and not math.isnan(taken)]
    if ended:
        return "", min(ended)
    return (">", float(LIMIT)) if None in times else ("", 0.0)


class QueryTimeout(BaseException):
    """A query ran out of its time; no `except Exception` on the way may keep it."""


def cpu_within_limit(run: Callable[[], object]) -> float | None:
    """Processor time of one call; None where it did not end in time, NaN where it failed."""

    def stop(*_: object) -> None:
        raise QueryTimeout

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT)
    try:
        start = time.process_time()
        run()
        return time.process_time() - start
    except QueryTimeout:
        return None
    except RecursionError:
        return math.nan
    finally:
        signal.alarm(0)


# -- one note's graph --------------------------------------------------------------------------


def replace_row(name: str, store: ox.Store, corpus: Corpus) -> Row:
    """One note's graph replaced after an edit, beside reading it and doing nothing."""
    ours, floor = [], []
    for after in edited_graphs(corpus):
        graph: Any = after[0].graph_name
        start = time.process_time()
        list(store.quads_for_pattern(None, None, None, graph))
        between = time.process_time()
        replace_graph(store, graph, after)
        floor.append(between - start)
        ours.append(time.process_time() - between)
    what = f"one note's graph replaced, {name} / reading it"
    return Row(what, statistics.median(ours), statistics.median(floor), "target 1 ms")


def edited_graphs(corpus: Corpus) -> Iterator[list[ox.Quad]]:
    """Graphs of notes after an edit: another title and text, all edges a line lower."""
    for part in records_by_note(corpus)[100:300]:
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
        yield note_quads(corpus, part._replace(statements=statements, edges=edges))
