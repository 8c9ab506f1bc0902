"""What each camp of each line has at hand: `python -m bench.balance NOTES`.

Prints two tables in Markdown. Evidence counts for a camp where it supports a statement that the
camp has placed in the line, or is placed there itself; it can count for both. Reasons are the edges
by which these two speak for or against anything.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import kg
from kg.corpus import Corpus
from kg.corpus.independent_sources import independent_sources
from kg.files.read_files import NotesFolder
from kg.loader import load_corpus
from kg.model import Edge, EdgeStrength, Kind, Relation, StatementId
from kg.model.settings.reasoning_settings import Reasoning

SPEAKING_RELATIONS = {
    Relation.SUPPORTS,
    Relation.CONTRADICTS,
    Relation.QUALIFIES,
    Relation.UNDERCUTS,
}


class Side(NamedTuple):
    """What one camp has in one line."""

    line: str
    camp: str
    placed: set[StatementId]
    evidence: set[StatementId]


def sides(corpus: Corpus) -> Iterator[Side]:
    """Both camps of every line, with the statements they placed and the evidence for these."""
    for line in corpus.lines.values():
        for camp in ("optimist", "skeptic"):
            placed = {place.statement for place in line.placements if place.camp == camp}
            reasons = [edge for id in placed for edge in corpus.edges_to.get(id, ())]
            behind = {e.origin for e in reasons if e.relation is Relation.SUPPORTS} | placed
            evidence = {id for id in behind if corpus.statement(id).kind is Kind.EVIDENCE}
            yield Side(line.id, camp, placed, evidence)


def weight(edge: Edge, settings: Reasoning) -> float:
    """How much of its force an edge lets through."""
    marks = {EdgeStrength.MODERATE: settings.moderate, EdgeStrength.WEAK: settings.weak}
    marked = marks.get(edge.strength, 1.0) if edge.strength else 1.0
    return marked * (settings.qualifies if edge.relation is Relation.QUALIFIES else 1.0)


def average(numbers: Iterable[float]) -> str:
    """The mean, to two places."""
    found = list(numbers)
    return f"{mean(found):.2f}" if found else "–"


def rows_by_line(corpus: Corpus) -> Iterator[str]:
    """One row for each camp of each line."""
    units, settings = independent_sources(corpus).fractions, corpus.config.reasoning
    yield "| line | camp | statements | evidence | independent sources | quality | weight |"
    yield "|---|---|---|---|---|---|---|"
    for side in sides(corpus):
        sources = {unit for id in side.evidence for unit in units[id]}
        speakers = side.placed | side.evidence
        edges = [edge for id in speakers for edge in corpus.edges_from.get(id, ())]
        cells = (
            *(side.line, side.camp, len(side.placed), len(side.evidence), len(sources)),
            average(kg.quality(corpus, id).base for id in side.evidence),
            average(
                weight(edge, settings) for edge in edges if edge.relation in SPEAKING_RELATIONS
            ),
        )
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


def rows_by_method(corpus: Corpus) -> Iterator[str]:
    """One row for each method: how often, and how good, the evidence of each camp is."""
    of: defaultdict[str, dict[str, set[StatementId]]]
    of = defaultdict(lambda: {"optimist": set(), "skeptic": set()})
    for side in sides(corpus):
        for id in side.evidence:
            of[corpus.statement(id).method or "not recorded"][side.camp].add(id)
    yield "| method | optimist | quality | skeptic | quality |"
    yield "|---|---|---|---|---|"
    for method, camps in sorted(of.items()):
        cells = [
            f"{len(ids)} | {average(kg.quality(corpus, id).base for id in ids)}"
            for ids in camps.values()
        ]
        yield f"| {method} | {' | '.join(cells)} |"


if __name__ == "__main__":
    corpus = load_corpus(NotesFolder.from_path(Path(sys.argv[1] if sys.argv[1:] else "notes")))
    print("\n".join([*rows_by_line(corpus), "", *rows_by_method(corpus)]))
