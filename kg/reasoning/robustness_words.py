"""The word for how easily an answer is undone: by losses, contrary studies, or one settled
claim.
"""

from __future__ import annotations

import enum
import math

from kg.model import StatementId
from kg.reasoning.graph.arrays import logit
from kg.reasoning.losses.smallest_losses import smallest_loss_taking_from_side
from kg.reasoning.reading import Question
from kg.reasoning.scenarios import keep_outcome, run_settled
from kg.reasoning.strength_words import WeighingOutcome, side_of, sides_of_outcomes, strength_word
from kg.reasoning.sureness_words import FRAGILE_BELOW, STURDY_FROM
from kg.reasoning.word_and_side import outcome_of, side_by_strength
from kg.runtime.memoize import memoize

# Fewest losses, and contrary studies, to undo a sturdy answer: more than one mistake.
FEWEST_STURDY_LOSSES, FEWEST_STURDY_STUDIES = 3, 2
MAX_STUDIES_COUNTED = 1000  # beyond this, the number of studies would tell a reader nothing


class RobustnessWord(enum.StrEnum):
    """The robustness of an answer in a word: how easily it is undone."""

    NO_SIDE = "no side"  # so there is nothing to undo
    FRAGILE = "fragile"
    MODERATE = "moderate"
    STURDY = "sturdy"

    __repr__ = str.__repr__


def robustness_word(
    question: Question, fraction_kept: float, *, rules_agree: bool
) -> RobustnessWord:
    """Return the word for an answer that stays on its side in `fraction_kept` of trials."""
    current_side = side_by_strength(question)
    if not current_side:
        return RobustnessWord.NO_SIDE
    size = smallest_loss_taking_from_side(question).size
    if size == 1 or fraction_kept < FRAGILE_BELOW:
        return RobustnessWord.FRAGILE
    survives_losses = size is None or size >= FEWEST_STURDY_LOSSES
    studies = fail_safe_number(question)
    survives_studies = studies is None or studies >= FEWEST_STURDY_STUDIES
    if (
        survives_losses
        and fraction_kept >= STURDY_FROM
        and rules_agree
        and survives_studies
        # `None` if untried, which is no sign of strength
        and find_claims_taking_from_side(question) == ()
    ):
        return RobustnessWord.STURDY
    return RobustnessWord.MODERATE


@memoize
def fail_safe_number(question: Question) -> int | None:
    """Count the top-quality contrary studies that would take the answer from its side; `None` if it
    has no side, or if no number up to `MAX_STUDIES_COUNTED` would.

    After Rosenthal's fail-safe number (1979); exact under the logistic semantics.
    """
    current_side = side_by_strength(question)
    strength, pro, con = outcome_of(question)
    if not current_side or strength in (0.0, 1.0):
        return None
    for studies in range(1, MAX_STUDIES_COUNTED + 1):
        # a top-quality study adds its whole gain to the log-odds
        added_nats = studies * question.settings.gain
        new_strength = 1.0 / (1.0 + math.exp(-(logit(strength) - current_side * added_nats)))
        new_outcome = (
            WeighingOutcome(new_strength, pro, con + added_nats)
            if current_side > 0
            else WeighingOutcome(new_strength, pro + added_nats, con)
        )
        if side_of(strength_word(new_outcome, question.settings)) != current_side:
            return studies
    return None


@memoize
def find_claims_taking_from_side(question: Question) -> tuple[StatementId, ...] | None:
    """The claims each of which, settled either way, would take the answer from its side; `None` if
    there are more to try than the budget allows.
    """
    nodes = question.claim_nodes
    current_side = side_by_strength(question)
    if not current_side:
        return ()
    if len(nodes) > question.affordable(2):
        return None
    outcomes = run_settled(question.graph, nodes.tolist(), keep_outcome(question.node))
    has_left_side = (sides_of_outcomes(outcomes, question.settings) != current_side).any(axis=0)
    return tuple(question.graph.ids[i] for i in nodes[has_left_side].tolist())
