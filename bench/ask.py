"""The same questions as selections and on networkx by hand: ratios within one run.

    python -m bench ask

Each question is asked of the corpus in memory, and of networkx scanned by hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import kg
from bench.measure import Row, medians, rounds_for
from bench.vault import get_vault
from kg.graphs_with_strengths.networkx_graph import as_network
from kg.loader import load_corpus
from kg.queries.conditions.inherited_conditions import EVIDENCE_RELATIONS
from kg.queries.engines.engine import MemoryEngine
from kg.queries.find import find_records
from kg.queries.language.selection import Selection

Ask = Callable[[Any], set[str]]


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
)


def report(size: int) -> list[Row]:
    """First and later answers of the corpus in memory, beside networkx scanned by hand."""
    corpus = load_corpus(get_vault(size))
    network = as_network(corpus, records=True)
    rows = []
    for name, wanted, by_hand in QUESTIONS:
        engine = MemoryEngine(replace(corpus))  # a copy, of which nothing was asked
        start = time.process_time()
        answer = set(find_records(engine, wanted).ids)
        first = time.process_time() - start
        assert by_hand(network) == answer, name
        tasks: dict[str, Callable[[], object]] = {
            "hand": partial(by_hand, network),
            "again": partial(_ids, engine, wanted),
        }
        found = medians(tasks, rounds_for(size), time.process_time)
        rows += [
            Row(f"{name}: first", first, found["hand"]),
            Row(f"{name}: again", found["again"], found["hand"]),
        ]
    return rows


def _ids(engine: MemoryEngine, wanted: Selection) -> tuple[str, ...]:
    return find_records(engine, wanted).ids
