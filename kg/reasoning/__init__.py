"""What a corpus of claims supports, how firmly, on which evidence, and what would change that.

graph_of_corpus            statements and edges as nodes and arcs: `graph`
default_rule/              strengths: each independent source counts once, by its best voice
other_rules/               strengths under other semantics, reason by reason; Dung's labels
solution, scenarios        strengths under the configured rule, for one or many scenarios
reading                    a corpus under its settings, and the questions put to it
attribution/               what moved an answer, and what losing or doubting it would do
answers/                   answers to questions, one module each, such as `answers/verdict`
circles                    statements that support each other in a circle
annotation/                how far people and models agree in their judgements
"""

from kg.judgements.edge_labels import Judgement as Judgement
from kg.judgements.edge_labels import Judgements as Judgements
from kg.judgements.edge_labels import judgements_of as judgements_of
from kg.judgements.edge_labels import load_judgements as load_judgements
from kg.judgements.label_table import EdgeLabel as EdgeLabel
from kg.reasoning.annotation.agreement import agreement as agreement
from kg.reasoning.annotation.agreement import judged_edges as judged_edges
from kg.reasoning.annotation.model_comparison import compare_model as compare_model
from kg.reasoning.annotation.model_comparison import load_models as load_models
from kg.reasoning.annotation.model_panel import compare_models as compare_models
from kg.reasoning.answers.case import case as case
from kg.reasoning.answers.crux import crux as crux
from kg.reasoning.answers.flips import flips as flips
from kg.reasoning.answers.gaps import gaps as gaps
from kg.reasoning.answers.impact import impact as impact
from kg.reasoning.answers.positions import labels as labels
from kg.reasoning.answers.positions import positions as positions
from kg.reasoning.answers.robustness import robustness as robustness
from kg.reasoning.answers.tensions import tensions as tensions
from kg.reasoning.answers.verdict import verdict as verdict
from kg.reasoning.answers.whatif import whatif as whatif
from kg.reasoning.circles import circles as circles
from kg.reasoning.losses.evidence_effects import contributions as contributions
from kg.reasoning.losses.independence import independence as independence
from kg.reasoning.reading import Reading as Reading
from kg.reasoning.reading import quality as quality
from kg.reasoning.reading import reading_of as reading_of
from kg.reasoning.reading import strengths as strengths
from kg.reasoning.weighed_answer import OpenQuestion as OpenQuestion
from kg.reasoning.weighed_answer import SentenceAnswer as SentenceAnswer
from kg.reasoning.weighed_answer import WeighedAnswer as WeighedAnswer
