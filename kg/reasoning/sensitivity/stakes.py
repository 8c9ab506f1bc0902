"""What is at stake in a statement: the answer that it would move most, were it true or false."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from kg.model import LineId, StatementId, Value
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.reasons.shares import slopes_of
from kg.reasoning.scenarios import keep_strengths, run_settled

# Claims tried as true and false whatever the budget, so that the main ones can be ranked.
FEWEST_CLAIMS_SETTLED = 16


class Stake(Value, frozen=True):
    """The line whose answer a statement would move most, and how far, if it were true or false."""

    line: LineId
    moves: float


@accepts_corpus
def stakes(reading: Reading, names: Collection[StatementId]) -> dict[StatementId, Stake]:
    """The stake of each of `names`, without those that bear on no line's proposition.

    If the budget does not allow all, those likely to matter least are left out.
    """
    questions = [q for id in reading.corpus.lines if (q := reading.question(id)).statement]
    host = reading.corpus_question
    named_statements = set(names)
    weight: dict[int, float] = {}
    for question in questions:
        slope_by_node = np.abs(slopes_of(question)).tolist()
        for node, node_number in enumerate(question.numbers.tolist()):
            if question.graph.ids[node] in named_statements:
                weight[node_number] = max(weight.get(node_number, 0.0), slope_by_node[node])
    room = max(host.affordable(2), FEWEST_CLAIMS_SETTLED)
    places = sorted(weight, key=lambda place: -weight[place])[:room]
    if not places:
        return {}
    asked_nodes = np.array([int(q.numbers[q.node]) for q in questions])
    strengths = run_settled(host.graph, places, keep_strengths(asked_nodes))
    current_strengths = np.array([question.strength_or_nan for question in questions])
    moves = np.abs(strengths - current_strengths[:, None, None]).max(axis=1)
    best_question = moves.argmax(axis=0).tolist()
    return {
        host.graph.ids[node_number]: Stake(
            line=questions[best].line_id or "", moves=round(float(moves[best, k]), 6)
        )
        for k, (node_number, best) in enumerate(zip(places, best_question, strict=True))
    }
