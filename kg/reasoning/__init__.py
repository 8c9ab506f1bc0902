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
from kg.reasoning.compare import compare, load_models
from kg.reasoning.judgements import Judgement, Judgements, judgements_of, load_judgements
from kg.reasoning.models import compare_models
from kg.reasoning.reading import Reading
from kg.reasoning.sheets import Label

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
