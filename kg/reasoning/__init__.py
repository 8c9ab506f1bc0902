"""Find what a corpus of claims supports, how firmly, on which evidence, and what would change that.

Each builds on those above it:

graph/                         the corpus as numbers: statements are nodes, edges arcs
default_rule/                  strengths: each independent source counts once, by its best voice
other_rules/                   strengths by other semantics, reason by reason; Dung's labelling
solution, scenarios            strengths by the rule that is set, for one case or many at once
strength_words                 the word that a strength alone gives: “supported”
sureness_words                 what trials leave of that, as people read it: “perhaps”
reading                        a corpus under its settings, and the questions put to it
word_and_side                  the word and side of an answer by its strength alone
asked_question                 what is asked, under which settings, and what is proved of it
weighed_answer                 what every answer to a question carries
line_without_proposition       the answer where there is nothing to weigh
reasons/                       what each reason and each camp adds to an answer
losses/                        what is left of it without some evidence or sources
sensitivity/                   what becomes of it by other weights, settings, rules and studies
robustness_words               how easily it is undone: “fragile”
sureness                       how far it may be relied on, by all of these
line_answers                   the answers of all lines in short, as two states are compared by
partial_evidence/              an answer, and how sure it is, on part of the evidence
answers/                       a module for each question, such as `verdict`; only `contributions`
                               is in `losses/evidence_effects`, which answers are made of, too
annotation/                    how far people and models agree in their judgements

To follow one number: `reading_of` makes a `Reading` of a corpus, `Reading.question` a `Question`,
`solution_of` its strengths, and `verdict` the answer.

What would change it is asked in four ways, the first of which serves the others:

scenarios                 numbers of a graph changed, many cases at once: muted, held, re-based
losses/                   one answer without evidence or sources, and the fewest that undo it;
                          asked by `flips` and `independence`
sensitivity/              one answer with other edges, bases, settings, rules or a new study;
                          asked by `robustness` and `crux`
whatif, impact            all answers at once under a supposition, of any kind or that sources and
                          statements fall; what it moves is in `sensitivity/supposition_effects`
"""

from kg.judgements.edge_labels import Judgement as Judgement
from kg.judgements.edge_labels import Judgements as Judgements
from kg.judgements.edge_labels import judgements_of as judgements_of
from kg.judgements.edge_labels import load_judgements as load_judgements
from kg.judgements.label_table import EdgeLabel as EdgeLabel
from kg.judgements.model_labels import load_models as load_models
from kg.reasoning.annotation.agreement import agreement as agreement
from kg.reasoning.annotation.agreement import judged_edges as judged_edges
from kg.reasoning.annotation.model_comparison import compare_model as compare_model
from kg.reasoning.annotation.model_panel import compare_models as compare_models
from kg.reasoning.answers.case import case as case
from kg.reasoning.answers.circles import circles as circles
from kg.reasoning.answers.crux import crux as crux
from kg.reasoning.answers.flips import flips as flips
from kg.reasoning.answers.gaps import gaps as gaps
from kg.reasoning.answers.impact import impact as impact
from kg.reasoning.answers.independence import independence as independence
from kg.reasoning.answers.positions import labelling as labelling
from kg.reasoning.answers.positions import positions as positions
from kg.reasoning.answers.robustness import robustness as robustness
from kg.reasoning.answers.tensions import tensions as tensions
from kg.reasoning.answers.verdict import verdict as verdict
from kg.reasoning.answers.whatif import whatif as whatif
from kg.reasoning.line_without_proposition import LineWithoutProposition as LineWithoutProposition
from kg.reasoning.losses.evidence_effects import contributions as contributions
from kg.reasoning.reading import Reading as Reading
from kg.reasoning.reading import quality as quality
from kg.reasoning.reading import reading_of as reading_of
from kg.reasoning.reading import strengths as strengths
from kg.reasoning.weighed_answer import SentenceAnswer as SentenceAnswer
from kg.reasoning.weighed_answer import WeighedAnswer as WeighedAnswer
