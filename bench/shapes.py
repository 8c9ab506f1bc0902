"""SHACL in one run: a corpus held to our shapes, beside making a store of it, which is not needed.

python -m bench shapes --size 10000
"""

from __future__ import annotations

import statistics
import time

import pyoxigraph as ox

from bench.measure import Row
from bench.vault import get_vault
from kg.checks.check_shapes import check_shapes
from kg.loader import load_corpus
from kg.rdf.ontology import load_text
from kg.rdf.quad_store import as_store
from kg.rdf.shacl.read_shapes import validate_graph
from kg.rdf.shacl.shapes_graph import ShapesGraph
from kg.rdf.shacl.triple_columns import TripleColumns, triples_of

ROUNDS = 3


def report(size: int) -> list[Row]:
    """The shapes' results on a store's triples, and the whole check, which makes no store."""
    corpus = load_corpus(get_vault(size))
    floors, results, wholes = [], [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        store = as_store(corpus)
        store.bulk_load(load_text("kg.ttl"), format=ox.RdfFormat.TURTLE)
        stored = time.process_time()
        shapes = triples_of(ox.parse(load_text("shapes.ttl"), format=ox.RdfFormat.TURTLE))
        found = validate_graph(TripleColumns(triples_of(store)), ShapesGraph(shapes))
        held = time.process_time()
        del store
        check_shapes(corpus)
        floors.append(stored - start)
        results.append(held - stored)
        wholes.append(time.process_time() - held)
    floor, said = statistics.median(floors), f"{len(found):,} results, target 1.5 s"
    return [
        Row("held to the shapes / store made", statistics.median(results), floor, said),
        Row("kg check --shacl / store made", statistics.median(wholes), floor),
    ]
