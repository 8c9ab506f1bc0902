"""A corpus of values: statements, edges and sources, without notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import exp
from typing import Any, TypeVar

from msgspec import structs

from kg.corpus import Corpus
from kg.model import (
    CampPlacement,
    Citation,
    Edge,
    InquiryLine,
    Integrity,
    Kind,
    Relation,
    Source,
    Span,
    Statement,
)
from kg.reasoning import LineWithoutProposition, verdict
from kg.reasoning.answers.verdict import Verdict

SPAN = Span("note.md")
T = TypeVar("T")


def claim(name: str, **fields: Any) -> Statement:
    return Statement(
        id=name, kind=Kind.CLAIM, title=f"Claim {name}", span=SPAN, note=name, **fields
    )


def evidence(name: str, cites: Sequence[str] = (), **fields: Any) -> Statement:
    return Statement(
        id=name,
        kind=Kind.EVIDENCE,
        title=f"Evidence {name}",
        span=SPAN,
        note=name,
        citations=tuple(Citation(key=key, span=SPAN) for key in cites),
        **fields,
    )


def source(key: str, **fields: Any) -> Source:
    return Source(key=key, title=f"Source {key}", span=SPAN, **fields)


def edge(text: str, **fields: Any) -> Edge:
    """`a supports b`; the edge's id is the text."""
    start, relation, end = text.split(" ", 2)
    return Edge(id=text, origin=start, relation=Relation(relation), target=end, span=SPAN, **fields)


def line(
    name: str, proposition: str | None = None, camps: Mapping[str, Sequence[str]] | None = None
) -> InquiryLine:
    places = tuple(
        CampPlacement(line=name, statement=statement, camp=camp, span=SPAN)
        for camp, members in (camps or {}).items()
        for statement in members
    )
    return InquiryLine(
        id=name, title=f"Line {name}?", span=SPAN, proposition=proposition, placements=places
    )


def corpus_of_parts(*parts: Statement | Edge | Source | InquiryLine | str, **fields: Any) -> Corpus:
    """A corpus of statements, edges (as values or as text), sources and lines."""
    edges = [edge(part) if isinstance(part, str) else part for part in parts]
    return Corpus(
        statements={part.id: part for part in edges if isinstance(part, Statement)},
        edges=tuple(part for part in edges if isinstance(part, Edge)),
        sources={part.key: part for part in edges if isinstance(part, Source)},
        lines={part.id: part for part in edges if isinstance(part, InquiryLine)},
        **fields,
    )


def debate_corpus() -> Corpus:
    """Two camps on one proposition, with shared sources, an undercut and a bare claim."""
    return corpus_of_parts(
        line(
            "talk",
            "p",
            {"optimist": ["grows", "helps"], "skeptic": ["strips", "mimics"]},
        ),
        line("open", None, {"optimist": ["grows"], "skeptic": ["mimics"]}),
        *(claim(name) for name in ("p", "grows", "helps", "strips", "mimics", "bare")),
        evidence("e1", ["a2020"], quality=0.8),
        evidence("e2", ["b2021"], quality=0.6),
        evidence("e3", ["c2022"], quality=0.7),
        evidence("e4", ["c2022"], quality=0.5),
        evidence("e5", ["a2020"], quality=0.4),
        *(source(key) for key in ("a2020", "b2021", "c2022")),
        "e1 supports grows",
        "e2 supports helps",
        "e3 supports strips",
        "e4 supports mimics",
        "e5 supports strips",
        "grows supports p",
        "helps supports p",
        "strips contradicts p",
        "mimics contradicts p",
        "bare supports p",
        "strips contradicts grows",
        edge("grows undercuts mimics contradicts p", strength="weak"),
    )


def require_verdict(answer: T | LineWithoutProposition) -> T:
    """The answer to what weighs a proposition."""
    assert not isinstance(answer, LineWithoutProposition)
    return answer


def verdict_on(corpus: Corpus, name: str = "a") -> Verdict:
    """The verdict on a statement, or on a line that weighs one."""
    answer = verdict(corpus, name)
    assert isinstance(answer, Verdict)
    return answer


def strength_of_nats(x: float) -> float:
    """The strength to which reasons of `x` nats bring a claim."""
    return 1.0 / (1.0 + exp(-x))


def corpus_of_direct_evidence(**qualities: float) -> Corpus:
    """Evidence named p… for and c… against one claim, each from a source of its own."""
    names = list(qualities)
    return corpus_of_parts(
        claim("q"),
        *(evidence(name, [f"src-{name}"], quality=x) for name, x in qualities.items()),
        *(source(f"src-{name}") for name in names),
        *(f"{name} {'supports' if name[0] == 'p' else 'contradicts'} q" for name in names),
    )


def with_retracted_sources(corpus: Corpus, works: Iterable[str]) -> Corpus:
    """The corpus as it would be read if these works were retracted."""
    lost = {
        key: structs.replace(corpus.sources[key], integrity=Integrity.RETRACTED) for key in works
    }
    return replace(corpus, sources={**corpus.sources, **lost})
