"""What a corpus of claims supports, how firmly, on which evidence, and what would change that.

judgements, arcs, graph    statements, edges and their weights, as arrays
default_rule/              strengths: each independent source counts once, by its best voice
other_rules/               strengths under other semantics, reason by reason; Dung's labels
solution, scenarios        strengths under the configured rule, for one or many scenarios
reading                    a corpus under its settings, and the questions put to it
attribution/               what moved an answer, and what losing or doubting it would do
answers/                   answers to questions, one module each, such as `answers/verdict`
annotation/                how far people and models agree in their judgements
"""

from kg.reasoning.annotation.agreement import agreement, judged_edges
from kg.reasoning.annotation.model_comparison import compare_model, load_models
from kg.reasoning.annotation.model_panel import compare_models
from kg.reasoning.answers.case import case
from kg.reasoning.answers.crux import crux
from kg.reasoning.answers.flips import flips
from kg.reasoning.answers.gaps import circles, gaps
from kg.reasoning.answers.impact import impact
from kg.reasoning.answers.positions import labels, positions
from kg.reasoning.answers.robustness import robustness
from kg.reasoning.answers.tensions import tensions
from kg.reasoning.answers.verdict import verdict
from kg.reasoning.answers.whatif import whatif
from kg.reasoning.attribution.effects import contributions
from kg.reasoning.attribution.independence import independence
from kg.reasoning.judgements import Judgement, Judgements, judgements_of, load_judgements
from kg.reasoning.label_table import EdgeLabel
from kg.reasoning.reading import Reading, quality, reading_of, strengths
from kg.reasoning.weighed_answer import OpenQuestion, Result, WeighedAnswer

__all__ = [
    "EdgeLabel",
    "Judgement",
    "Judgements",
    "OpenQuestion",
    "Reading",
    "Result",
    "WeighedAnswer",
    "agreement",
    "case",
    "circles",
    "compare_model",
    "compare_models",
    "contributions",
    "crux",
    "flips",
    "gaps",
    "impact",
    "independence",
    "judged_edges",
    "judgements_of",
    "labels",
    "load_judgements",
    "load_models",
    "positions",
    "quality",
    "reading_of",
    "robustness",
    "strengths",
    "tensions",
    "verdict",
    "whatif",
]
