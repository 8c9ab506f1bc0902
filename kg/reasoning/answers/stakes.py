"""How far the lines' answers would move if statements were certain: what is worth a look first."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from kg.model import LineId, StatementId, Value
from kg.reasoning.answers.gaps import FEWEST_CLAIMS_SETTLED
from kg.reasoning.attribution.shares import slopes
from kg.reasoning.reading import Reading, accepts_corpus
from kg.reasoning.scenarios import keep_strengths, run_held


class Stake(Value, frozen=True):
    """The line whose answer a statement would move most, and how far, true or false."""

    line: LineId
    moves: float


@accepts_corpus
def stakes(reading: Reading, names: Collection[StatementId]) -> dict[StatementId, Stake]:
    """What hangs on each of `names`; nothing for those that bear on no line's proposition.

    Where too much is asked, those are left out that should matter least.
    """
    posed = [q for line in reading.corpus.lines if (q := reading.question(line)).statement]
    host, wanted = reading.everywhere, set(names)
    weight: dict[int, float] = {}
    for question in posed:
        near = np.abs(slopes(question)).tolist()
        for node, place in enumerate(question.numbers.tolist()):
            if question.graph.ids[node] in wanted:
                weight[place] = max(weight.get(place, 0.0), near[node])
    room = max(host.affordable(2), FEWEST_CLAIMS_SETTLED)
    tried = sorted(weight, key=lambda place: -weight[place])[:room]
    if not tried:
        return {}
    asked = np.array([int(q.numbers[q.node]) for q in posed])
    ends = [1.0] * len(tried) + [0.0] * len(tried)
    after = run_held(host.graph, [*tried, *tried], ends, keep_strengths(asked))
    now = np.array([[question.strength] for question in posed])
    moved = np.abs(after - now).reshape(len(posed), 2, len(tried)).max(axis=1)
    most = moved.argmax(axis=0).tolist()
    return {
        host.graph.ids[place]: Stake(
            line=posed[most[k]].line or "", moves=round(float(moved[most[k], k]), 6)
        )
        for k, place in enumerate(tried)
    }
