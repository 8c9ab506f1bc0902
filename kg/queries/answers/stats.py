"""How much a corpus holds."""

from __future__ import annotations

from collections import Counter

from kg.corpus import Corpus
from kg.model import Kind, Relation, Value


class Stats(Value, frozen=True, omit_defaults=False):
    """Counts of everything in a corpus."""

    lines: int
    claims: int
    counter_claims: int
    evidence: int
    sources: int
    cited_sources: int
    edges: int
    edges_by_relation: dict[str, int]
    edges_with_reason: int
    placements: dict[str, int]
    topics: int
    about: int
    mentions: int

    def __repr__(self) -> str:
        held = ("lines", "claims", "counter_claims", "evidence", "sources", "edges")
        told = (f"{name.replace('_', '-')} {getattr(self, name)}" for name in held)
        return f"<stats: {', '.join(told)}>"


def count(corpus: Corpus) -> Stats:
    """How many of each thing the corpus holds."""
    kinds = Counter(statement.kind for statement in corpus.statements.values())
    relations = Counter(edge.relation for edge in corpus.edges)
    camps = Counter(place.camp for place in corpus.placements)
    return Stats(
        lines=len(corpus.lines),
        claims=kinds[Kind.CLAIM],
        counter_claims=kinds[Kind.COUNTER_CLAIM],
        evidence=kinds[Kind.EVIDENCE],
        sources=len(corpus.sources),
        cited_sources=sum(key in corpus.sources for key in corpus.citing),
        edges=len(corpus.edges),
        edges_by_relation={relation.value: relations[relation] for relation in Relation},
        edges_with_reason=sum(bool(edge.reason) for edge in corpus.edges),
        placements={camp: camps[camp] for camp in corpus.config.camp_ids},
        topics=len(corpus.topics),
        about=len(corpus.about),
        mentions=len(corpus.mentions),
    )
