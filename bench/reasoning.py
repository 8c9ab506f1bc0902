"""Reasoning over 100,000 statements and 500,000 edges: ratios within one run.

`python -m bench.reasoning` prints how plan and solve compare with one sparse matrix-vector
product over the same edges times the number of levels; `python -m bench.reasoning --circle 6000`
how long a circle of so many claims takes.
"""

from __future__ import annotations

import dataclasses
import gc
import resource
import sys
import time
from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_array

from bench.measure import medians
from kg.corpus import Corpus
from kg.model import (
    CampPlacement,
    Citation,
    Edge,
    EdgeStrength,
    InquiryLine,
    Kind,
    Relation,
    Source,
    Span,
    Statement,
)
from kg.reasoning import reading_of
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph.graph import Graph
from kg.reasoning.solution import solve
from kg.runtime.memoize import ResultsKeeper

LINES, LAYERS, CLAIMS, STATEMENTS, EDGES = 2_000, 4, 40_000, 100_000, 500_000
EVIDENCE, SOURCES = 400_000, 20_000
ROUNDS = 9
HERE = Span("bench.md")


def make_corpus(seed: int = 1) -> Corpus:
    """Propositions, four layers of claims under them, and evidence: 4 in 5 edges are evidence's."""
    rng = np.random.default_rng(seed)
    statements = _statements(rng)
    names = list(statements)
    layers = np.array_split(np.arange(LINES, CLAIMS), LAYERS)
    ends = [(rng.integers(CLAIMS, STATEMENTS, EVIDENCE), rng.integers(LINES, CLAIMS, EVIDENCE))]
    above = np.arange(LINES)
    for layer in layers:
        count = (EDGES - EVIDENCE) // LAYERS
        ends.append((rng.choice(layer, count), rng.choice(above, count)))
        above = layer
    relations = [Relation.SUPPORTS, Relation.CONTRADICTS]
    strengths = [None, EdgeStrength.MODERATE]
    starts, targets = (np.concatenate(each).tolist() for each in zip(*ends, strict=True))
    draws = rng.integers(0, 2, (len(starts), 2)).tolist()
    edges = tuple(
        Edge(
            id=f"e{k}",
            origin=names[a],
            relation=relations[pick],
            target=names[b],
            span=HERE,
            strength=strengths[other],
        )
        for k, (a, b, (pick, other)) in enumerate(zip(starts, targets, draws, strict=True))
        if a != b
    )
    lines = {f"line{k}": _line(k, names, starts) for k in range(LINES)}
    sources = {f"s{k}": Source(key=f"s{k}", title="", span=HERE) for k in range(SOURCES)}
    return Corpus(statements=statements, edges=edges, lines=lines, sources=sources)


def _statements(rng: np.random.Generator) -> dict[str, Statement]:
    found = {}
    cited = rng.integers(0, SOURCES, STATEMENTS).tolist()
    quality = rng.uniform(0.05, 0.95, STATEMENTS).tolist()
    camps = rng.integers(0, 2, STATEMENTS).tolist()
    for k in range(STATEMENTS):
        name = f"n{k}"
        if k < CLAIMS:
            camp = ("optimist", "skeptic")[camps[k]] if k >= LINES else None
            found[name] = Statement(id=name, kind=Kind.CLAIM, title=name, span=HERE, camp=camp)
        else:
            citation = Citation(key=f"s{cited[k]}", span=HERE)
            found[name] = Statement(
                id=name,
                kind=Kind.EVIDENCE,
                title=name,
                span=HERE,
                citations=(citation,),
                quality=quality[k],
            )
    return found


def _line(k: int, names: list[str], starts: list[int]) -> InquiryLine:
    places = tuple(
        CampPlacement(line=f"line{k}", statement=names[a], camp=camp, span=HERE)
        for a, camp in zip(starts[k : k + 2], ("optimist", "skeptic"), strict=True)
    )
    return InquiryLine(
        id=f"line{k}", title=f"Line {k}?", span=HERE, proposition=names[k], placements=places
    )


def make_circle(size: int, seed: int = 1) -> Corpus:
    """Claims that each bear on four others at random, so that nearly all bear on each other, and
    as many pieces of evidence that each bear on two.
    """
    rng = np.random.default_rng(seed)
    relations = (Relation.SUPPORTS, Relation.SUPPORTS, Relation.CONTRADICTS, Relation.QUALIFIES)
    statements: dict[str, Statement] = {}
    edges: list[Edge] = []
    for number in range(2 * size):
        is_claim, name = number < size, f"n{number}"
        statements[name] = Statement(
            id=name,
            kind=Kind.CLAIM if is_claim else Kind.EVIDENCE,
            title=name,
            span=HERE,
            citations=() if is_claim else (Citation(key=f"s{number // 2}", span=HERE),),
            quality=None if is_claim else rng.uniform(0.05, 0.95),
        )
        for relation in relations if is_claim else relations[:2]:
            target = int(rng.integers(0, size))
            if target != number:
                id = f"e{len(edges)}"
                edges.append(
                    Edge(id=id, origin=name, relation=relation, target=f"n{target}", span=HERE)
                )
    keys = {each.key for one in statements.values() for each in one.citations}
    sources = {key: Source(key=key, title="", span=HERE) for key in sorted(keys)}
    return Corpus(statements=statements, edges=tuple(edges), sources=sources)


def measure_circle(size: int) -> None:
    """Print what solving a circle of `size` claims takes."""
    reading = reading_of(make_circle(size))
    start = time.process_time()
    solve(reading.graph)
    took = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"a circle of {size:,} claims: solved in {took:.1f} s, {peak:.0f} MB at most")


def uncached_graph(graph: Graph) -> Graph:
    """The same graph, without anything worked out about it."""
    return dataclasses.replace(graph, plans=ResultsKeeper())


def measure(corpus: Corpus) -> None:
    """Print the times and the ratios."""
    start = time.process_time()
    reading = reading_of(corpus)
    assembled = time.process_time() - start
    graph = reading.graph
    matrix = csr_array(
        (graph.arc_weight, (graph.arc_target, graph.arc_premise)), shape=(graph.size, graph.size)
    )
    gc.freeze()
    tasks: dict[str, Callable[[], object]] = {
        "product": lambda: matrix @ graph.base,
        "plan": lambda: plan_voices(uncached_graph(graph)),
        "solve": lambda: solve(graph),
    }
    product, plan, once = medians(tasks, ROUNDS, time.process_time).values()
    levels = len(plan_voices(graph).levels) + 1  # of statements, those without reasons included
    print(f"{graph.size:,} statements, {len(graph.arc_premise):,} edges, {levels} levels")
    print(f"  reading_of from the corpus, once      {assembled * 1e3:9.1f} ms")
    print(f"  one sparse matrix-vector product    {product * 1e3:9.2f} ms")
    print(f"  plan, once                          {plan * 1e3:9.1f} ms")
    print(f"  solve                               {once * 1e3:9.2f} ms")
    ratio = (plan + once) / (product * levels)
    print(f"  sources that arcs carry             {plan_voices(graph).size:9,}")
    print(f"  (plan + solve) / (product × levels) {ratio:9.2f}    wanted: 6; see decision 0028")
    print(f"  solve / (product × levels)          {once / (product * levels):9.2f}")


if __name__ == "__main__":
    if "--circle" in sys.argv:
        measure_circle(int(sys.argv[-1]))
    else:
        measure(make_corpus())
