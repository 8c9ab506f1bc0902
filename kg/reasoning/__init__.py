"""Where a corpus of claims stands, how firmly, on whose evidence, and what would change it."""

from kg.reasoning.annotation.agreement import agreement, items
from kg.reasoning.annotation.compare import compare, load_models
from kg.reasoning.annotation.models import compare_models
from kg.reasoning.answer import OpenQuestion, Result, WeighedAnswer
from kg.reasoning.builder import assemble
from kg.reasoning.network.judgements import (
    EdgeLabel,
    Judgement,
    Judgements,
    judgements_of,
    load_judgements,
)
from kg.reasoning.questions import (
    case,
    circles,
    contributions,
    crux,
    flips,
    gaps,
    impact,
    independence,
    labels,
    positions,
    quality,
    robustness,
    sources,
    strengths,
    tensions,
    verdict,
    whatif,
)
from kg.reasoning.session import Reading

__all__ = [
    "EdgeLabel",
    "Judgement",
    "Judgements",
    "OpenQuestion",
    "Reading",
    "Result",
    "WeighedAnswer",
    "agreement",
    "assemble",
    "case",
    "circles",
    "compare",
    "compare_models",
    "contributions",
    "crux",
    "flips",
    "gaps",
    "impact",
    "independence",
    "items",
    "judgements_of",
    "labels",
    "load_judgements",
    "load_models",
    "positions",
    "quality",
    "robustness",
    "sources",
    "strengths",
    "tensions",
    "verdict",
    "whatif",
]
