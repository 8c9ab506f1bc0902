"""Where a corpus of claims stands, how firmly, on whose evidence, and what would change it."""

from kg.reasoning.agreement import agreement, items
from kg.reasoning.answer import Answer, OpenQuestion, Report
from kg.reasoning.api import (
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
from kg.reasoning.assemble import assemble
from kg.reasoning.compare import compare, load_model
from kg.reasoning.judgements import Judgement, Judgements, Label, judgements_of, load_judgements
from kg.reasoning.reading import Reading

__all__ = [
    "Answer",
    "Judgement",
    "Judgements",
    "Label",
    "OpenQuestion",
    "Reading",
    "Report",
    "agreement",
    "assemble",
    "case",
    "circles",
    "compare",
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
    "load_model",
    "positions",
    "quality",
    "robustness",
    "sources",
    "strengths",
    "tensions",
    "verdict",
    "whatif",
]
