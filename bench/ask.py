"""The same questions as selections, on networkx by hand, and as SPARQL: ratios within one run.

`python -m bench ask` asks each question of the corpus in memory and of networkx scanned by hand.
`python -m bench.ask [notes, 10000 unless said]` also asks the Oxigraph store and rdflib's own
store, gives up what takes rdflib 20 seconds, and prints all in one table.
"""

from __future__ import annotations

import argparse
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import rdflib

import kg
from bench.measure import Row, rounds_for
from bench.vault import write_vault
from kg.graphs_with_strengths.networkx_graph import as_network
from kg.queries.conditions.inherited_conditions import EVIDENCE_RELATIONS
from kg.queries.engines.compile_query import compile_query
from kg.queries.engines.engine import MemoryEngine
from kg.queries.engines.sparql_engine import SparqlEngine, engine_of_store
from kg.queries.find import find
from kg.queries.language.selection import Selection
from kg.rdf.iris import Iris
from kg.rdf.quad_store import as_store
from kg.rdf.rdflib_dataset import as_rdflib_graph

PATIENCE = 20
Ask = Callable[[Any], Iterable[str]]


def _sources(graph: Any, targets: Iterable[str], relation: str) -> set[str]:
    return {
        source
        for target in targets
        for source, _, told in graph.in_edges(target, data=True)
        if told["relation"] == relation
    }


def _where(graph: Any, test: Callable[[Any], bool]) -> set[str]:
    return {
        id
        for id, told in graph.nodes(data=True)
        if (statement := told.get("statement")) is not None and test(statement)
    }


def _claims_of(camp: str) -> Callable[[Any], bool]:
    return lambda s: s.kind != "evidence" and s.camp == camp


def _with_evidence(graph: Any, found: set[str]) -> set[str]:
    """These statements, and what is evidence for or against the claims among them."""
    return found | {
        source
        for target in found
        if graph.nodes[target]["kind"] != "evidence"
        for source, _, told in graph.in_edges(target, data=True)
        if graph.nodes[source]["kind"] == "evidence" and told["relation"] in EVIDENCE_RELATIONS
    }


def _statements_reaching(graph: Any, end: str, relation: str) -> set[str]:
    found: set[str] = set()
    waiting = [end]
    while waiting:
        for source, _, told in graph.in_edges(waiting.pop(), data=True):
            if told["relation"] == relation and source not in found:
                found.add(source)
                waiting.append(source)
    return found


QUESTIONS: tuple[tuple[str, Selection, Ask], ...] = (
    (
        "claims of a camp",
        kg.claims().camp("skeptic"),
        lambda g: _where(g, _claims_of("skeptic")),
    ),
    (
        "experiments with a large sample",
        kg.evidence().method("experiment").sample(over=4000),
        lambda g: _where(
            g,
            lambda s: s.kind == "evidence" and s.method == "experiment" and (s.sample or 0) > 4000,
        ),
    ),
    (
        "one topic, as notes say it",
        kg.statements().directly().topic("grounding"),
        lambda g: _where(g, lambda s: "grounding" in s.topics),
    ),
    (
        "one topic, of claims and their evidence",
        kg.statements().topic("grounding"),
        lambda g: _with_evidence(g, _where(g, lambda s: "grounding" in s.topics)),
    ),
    (
        "words in the text",
        kg.claims().text('"repair norm"'),
        lambda g: _where(
            g,
            lambda s: s.kind != "evidence" and "repair norm" in f"{s.title} {s.body}".lower(),
        ),
    ),
    (
        "what contradicts one claim",
        kg.statements().contradicting("note-000005"),
        lambda g: _sources(g, ["note-000005"], "contradicts"),
    ),
    (
        "one camp contradicting the other",
        kg.claims().camp("skeptic").contradicting(kg.claims().camp("optimist")),
        lambda g: (
            _where(g, _claims_of("skeptic"))
            & _sources(g, _where(g, _claims_of("optimist")), "contradicts")
        ),
    ),
    (
        "claims that no evidence supports",
        kg.claims().without(supported_by=kg.evidence()),
        lambda g: (
            _where(g, lambda s: s.kind != "evidence")
            - {
                target
                for source, target, told in g.edges(data=True)
                if told["relation"] == "supports" and g.nodes[source]["kind"] == "evidence"
            }
        ),
    ),
    (
        "all reasons beneath a claim",
        kg.statements().reaching("note-000005", "supports"),
        lambda g: _statements_reaching(g, "note-000005", "supports"),
    ),
    (
        "claims on recent sources",
        kg.claims().supported_by(kg.evidence().year("2025..")),
        None,  # type: ignore[arg-type]
    ),
)


def median(function: Callable[[], Any], times: int = 7) -> tuple[float, Any]:
    """Median milliseconds of CPU, and the result."""
    found: list[float] = []
    result: Any = None
    for _ in range(times):
        start = time.process_time()
        result = function()
        found.append((time.process_time() - start) * 1000)
    return statistics.median(found), result


class QuestionTimeout(Exception):
    """A question that was given up."""


@contextmanager
def time_limit(seconds: int) -> Any:
    """Stop what takes longer."""

    def stop(*_: object) -> None:
        raise QuestionTimeout

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def ask_rdflib(graph: rdflib.Graph, query: str, iris: Iris) -> set[str]:
    """Ids that rdflib's own engine finds."""
    return {iris.id_of(str(row[0])) for row in graph.query(query)}


def compare(name: str, wanted: Selection, by_hand: Ask | None, held: dict[str, Any]) -> None:
    """Ask one question everywhere, and print a line."""
    memory: MemoryEngine = held["memory"]
    store: SparqlEngine = held["store"]
    start = time.perf_counter()
    first = set(find(memory, wanted).ids)
    cold = (time.perf_counter() - start) * 1000
    warm, _ = median(lambda: find(memory, wanted).ids)
    hand = "-"
    if by_hand is not None:
        spent, told = median(lambda: set(by_hand(held["network"])))
        assert told == first, name
        hand = f"{spent:9.2f} {spent / warm:7.1f}x"
    there, answer = median(lambda: find(store, wanted).ids, 3)
    assert set(answer) == first, name
    query = compile_query(store.resolve(wanted.query), store.iris)
    try:
        with time_limit(PATIENCE):
            start = time.perf_counter()
            assert ask_rdflib(held["rdflib"], query, store.iris) == first, name
            slow = (time.perf_counter() - start) * 1000
            shown = f"{slow:9.0f} {slow / there:7.0f}x {slow / warm:8.0f}x"
    except QuestionTimeout:
        most = PATIENCE * 1000
        shown = f">{most:8.0f} >{most / there:6.0f}x >{most / warm:7.0f}x"
    except RecursionError:
        shown = "fails: recursion too deep"
    print(f"{name:40} {len(first):6} {cold:9.2f} {warm:9.3f} {hand:>18} {there:9.1f} {shown:>28}")


def cpu_of(command: list[str]) -> float:
    """CPU seconds of a process, all of it: starting, loading, answering, ending."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu_of_cold_commands(notes: Path) -> tuple[float, float]:
    """CPU seconds of `kg find` on notes that it has seen before, and of `kg --help`."""
    kg_find = [sys.executable, "-m", "kg", "find", "claims", "--camp", "skeptic", "--limit", "9"]
    spent = [cpu_of([*kg_find, "--notes", str(notes)]) for _ in range(6)]
    idle = [cpu_of([sys.executable, "-m", "kg", "--help"]) for _ in range(5)]
    return statistics.median(spent[1:]), statistics.median(idle)


def report(size: int) -> list[Row]:
    """First and later answers of the corpus in memory, beside networkx scanned by hand."""
    with tempfile.TemporaryDirectory() as made:
        notes = write_vault(Path(made) / "notes", size)
        found, idle = cpu_of_cold_commands(notes)
        corpus = kg.load(notes)
    rows = [Row("kg find as a process, CPU; floor: kg --help", found, idle)]
    network = as_network(corpus, records=True)
    for name, wanted, by_hand in QUESTIONS:
        if by_hand is None:
            continue
        fresh = MemoryEngine(replace(corpus))
        ask = partial(find, fresh, wanted)
        first, answer = median(lambda ask=ask: set(ask().ids), 1)
        hand, told = median(lambda ask=by_hand: set(ask(network)), rounds_for(size))
        assert told == answer, name
        again, _ = median(lambda ask=ask: ask().ids, 50)
        rows += [
            Row(f"{name}: {when}", spent / 1000, hand / 1000)
            for when, spent in (("first", first), ("again", again))
        ]
    return rows


def main() -> None:
    """Generate notes, ask every question everywhere, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notes", nargs="?", type=int, default=10_000)
    size = parser.parse_args().notes
    with tempfile.TemporaryDirectory() as made:
        notes = write_vault(Path(made) / "notes", size)
        corpus = kg.load(notes)
        print(f"{corpus}\nkg find as a process, CPU: {cpu_of_cold_commands(notes)[0]:.2f} s\n")
    held = {
        "memory": MemoryEngine(corpus),
        "store": engine_of_store(as_store(corpus)),
        "network": as_network(corpus, records=True),
        "rdflib": as_rdflib_graph(corpus),
    }
    heads = ("question", "found", "first", "again", "networkx", "store", "rdflib to store, memory")
    print("{:40} {:>6} {:>9} {:>9} {:>18} {:>9} {:>28}".format(*heads))
    for name, wanted, by_hand in QUESTIONS:
        compare(name, wanted, by_hand, held)


if __name__ == "__main__":
    main()
