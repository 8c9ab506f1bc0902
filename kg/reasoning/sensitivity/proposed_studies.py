"""New studies, each tried on a question, and those that would settle it most."""

from __future__ import annotations

from itertools import product

import numpy as np

from kg.corpus.quality.evidence_quality import StudyDesign, grade_design
from kg.model import Relation, StatementId, Value
from kg.reasoning.default_rule.appended_nodes import AppendedNode, with_appended_nodes
from kg.reasoning.graph.arrays import Floats, Ints, round_off, round_off_or_none
from kg.reasoning.graph.graph import Scenarios
from kg.reasoning.reading import Question
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.scenarios import keep_outcome, run_scenarios
from kg.reasoning.strength_words import render_strength, sides_of_outcomes, strength_word
from kg.reasoning.word_and_side import side_by_strength
from kg.text.sentences import quote_title

# The study that is proposed: good, but within reach of a small team.
GOOD_STUDY = StudyDesign(method="experiment", sample=400, sample_class="people", peer_reviewed=True)
GOOD_SAMPLE = f"{GOOD_STUDY.sample} {GOOD_STUDY.sample_class}"
STUDY_RELATIONS = (Relation.SUPPORTS, Relation.CONTRADICTS)
# Claims tried whatever the budget, so that there are some to rank and one to name.
FEWEST_CLAIMS_TRIED = 4
SCENARIOS_PER_CLAIM = 4  # two for the claim; the other half of the budget is for the crux below


class ProposedStudy(Value, frozen=True, omit_defaults=False):
    """A study for or against a statement (`relation`), and the answer with it.

    `quality` is its base strength, that of `GOOD_STUDY`; `strength` and `word` are those of the
    answer with it. `gain` is how far it moves the answer towards a side or, if it has one, away
    from it; `decides` says whether the answer gains or loses its side, `turns` whether it
    changes to the other side.
    """

    statement: StatementId
    title: str
    relation: Relation
    quality: float
    strength: float | None
    word: str
    gain: float
    decides: bool
    turns: bool


def studies_for(question: Question, k: int) -> tuple[tuple[ProposedStudy, ...], bool]:
    """The `k` studies that would settle a question most, and whether all were tried.

    There are none for a piece of evidence, as it takes no side.
    """
    if not question.graph.is_claim[question.node]:
        return (), True
    claims = claims_to_try(question, direct_first=True)
    nodes = np.append(claims, question.node)
    quality = grade_design(GOOD_STUDY, question.reading.corpus.config.quality).base
    table = _outcome_with_each(question, nodes, quality)
    current_side = side_by_strength(question)
    sides_with_study = sides_of_outcomes(table, question.settings)
    gains = -current_side * (table[0] - question.strength_or_nan)
    if not current_side:  # without a side, further from ½ is nearer to one
        gains = np.abs(table[0] - 0.5) - abs(question.strength_or_nan - 0.5)
    studies = []
    for position, (relation, node) in enumerate(product(STUDY_RELATIONS, nodes.tolist())):
        gain = round_off(gains[position])
        if gain <= 0.0:
            continue
        side_then = int(sides_with_study[position])
        studies.append(
            ProposedStudy(
                statement=question.graph.ids[node],
                title=question.statement_at(node).title,
                relation=relation,
                quality=round_off(quality),
                strength=round_off_or_none(table[0, position]),
                word=strength_word(table[:, position], question.settings),
                gain=gain,
                decides=side_then != current_side,
                turns=current_side != 0 and side_then == -current_side,
            )
        )
    studies.sort(key=lambda s: (not s.decides, -s.gain, s.statement, s.relation))
    return tuple(studies[:k]), len(claims) == len(question.claim_nodes)


def claims_to_try(question: Question, direct_first: bool = False) -> Ints:
    """The nodes of the claims that bear on a question: all or, if the budget does not allow that,
    those that move it most. With `direct_first`, its direct reasons come before any others.
    """
    claims = question.claim_nodes
    graph = question.graph
    room = max(question.affordable(SCENARIOS_PER_CLAIM), FEWEST_CLAIMS_TRIED)
    if len(claims) <= room:
        return claims
    is_direct = np.isin(claims, graph.arc_premise[graph.arcs_bearing_on(question.node)])
    slope = np.abs(slopes_of(question)[claims])
    return claims[np.lexsort((-slope, direct_first & ~is_direct))[:room]]


def _outcome_with_each(question: Question, nodes: Ints, quality: float) -> Floats:
    """Return the answer's outcome with a study for each of `nodes` in turn, then against each."""
    size = question.graph.size
    placed_studies = [
        AppendedNode(node, side, quality) for side, node in product((1.0, -1.0), nodes.tolist())
    ]
    total = len(placed_studies)
    # all are in one graph, so that they share a plan, and each scenario hears one of them
    graph = with_appended_nodes(question.graph, placed_studies, one_source=True)

    def hear_one(first: int, stop: int) -> Scenarios:
        loudness = np.ones((graph.size, stop - first))
        loudness[size:] = np.arange(total)[:, None] == np.arange(first, stop)[None, :]
        return Scenarios(stop - first, loudness=loudness)

    return run_scenarios(graph, total, hear_one, keep_outcome(question.node))


def study_sentence(question: Question, studies: tuple[ProposedStudy, ...]) -> str:
    """The effect of the first of `studies`, in one sentence; empty if there is none."""
    if not studies:
        return ""
    first = studies[0]
    preposition = "for" if first.relation is Relation.SUPPORTS else "against"
    if first.strength is None:
        end = "would leave the answer without a stable strength"
    else:
        strength = render_strength(first.strength, question.settings)
        end = f"would move the answer most, to {strength}"
    if first.decides:
        has_side = side_by_strength(question)
        end = f"would {'leave the answer on neither side' if has_side else 'decide the answer'}"
    if first.turns:
        end = "would turn the answer"
    aim = f"{preposition} {quote_title(first.title)}"
    return f"An {GOOD_STUDY.method} with {GOOD_SAMPLE}, peer reviewed, {aim} {end}."
