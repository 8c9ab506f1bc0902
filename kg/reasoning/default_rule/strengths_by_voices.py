"""Strengths by the default rule: an independent source counts once, by its best voice.

    y_j(u)   what j passes on of the source u, in nats
             evidence: gain · strength / (number of its sources), for each of its own sources
             claim: pro_j(u) · max(0, 1 − C_j / P_j)
    pro_i(u) the best of w · gate · y_j(u) over what supports i; con_i(u) of what is against it
    P_i, C_i their sums over u, with the log-odds of i's own base on its side
    s_i      σ(P_i − C_i) for claims; evidence starts from the log-odds of its quality

A claim hands on what its supporters bring, less the part that its objectors take. So it makes no
difference whether a reason is filed at a question or at a claim that stands for it, into how
many claims it is split, or how often it is repeated, as long as no circle lets claims that say
the same speak for each other.

Of premises that count only together, the one with the least to pass on (the sum of y over u) is
heard, the others are not: the joint reason is as weak as its weakest premise, and bare with a
bare one. It is that premise whose sources speak; of several equally weak ones each is heard in
equal parts, so that no name decides. So where the other's sources are heard at i by
better ways, a premise that outgrows the other may cost i something.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from kg.model.grade import CLAIM_BASE
from kg.reasoning.arrays import Floats, Ints
from kg.reasoning.default_rule.voice_pass import VoicePass, Voices
from kg.reasoning.default_rule.voice_planner import plan_voices
from kg.reasoning.graph import Graph, Scenarios


@dataclass(frozen=True, slots=True)
class StrengthsByVoices:
    """Strengths of a graph under scenarios (one per column), and what brought them about.

    `state` holds statements, then gates, then a 1; `pro` and `con` (statements × scenarios) are
    the sums of reasons for and against, in nats. `shares` (arcs × scenarios), where asked for, is
    what each arc adds to its target. `run` is the pass that found them, of the graph as it is.
    """

    state: Floats
    pro: Floats
    con: Floats
    shares: Floats | None
    run: VoicePass | None = None

    def among(self, numbers: Ints) -> StrengthsByVoices:
        """The same for the statements among `numbers` (statements, gates, then the last)."""
        own = numbers[numbers < len(self.pro)]
        return StrengthsByVoices(self.state[numbers], self.pro[own], self.con[own], None)


_VOICES: WeakKeyDictionary[Graph, Voices] = WeakKeyDictionary()
"""Beside the graphs, as these know no voices; dropped with their graph."""


def arc_shares_by_voices(graph: Graph) -> Floats:
    """What each arc adds to its target as things stand."""
    voices, shares = voices_of(graph), np.zeros(len(graph.src))
    np.add.at(shares, voices.arc, voices.nats)
    return shares


def voices_of(graph: Graph) -> Voices:
    """What each voice adds as things stand, worked out once."""
    known = _VOICES.get(graph)
    if known is None:
        # a pass of its own, since to credit rows costs time that strengths alone do not need
        run = VoicePass(graph, None, plan_voices(graph), shares=True)
        for level in run.plan.levels:
            run.answer(level)
        none = np.zeros(0, dtype=np.int64)
        # empty ones first: a graph without arcs has no voices, and nothing cannot be joined
        arcs, units, nats = zip((none, none, np.zeros(0)), *run.voices, strict=True)
        known = _VOICES[graph] = Voices(*map(np.concatenate, (arcs, units, nats)))
    return known


def solve_by_voices(
    graph: Graph,
    columns: Scenarios | None,
    shares: bool = False,
    near: StrengthsByVoices | None = None,
    ends: Ints | None = None,
) -> StrengthsByVoices:
    """The strengths of `graph` in every scenario, in one pass, or in the part of one that differs
    from `near`, those of the graph as it is. With `ends` only theirs are sure to be right.
    """
    plan = plan_voices(graph, _raises_claims(graph, columns), ends)
    run = VoicePass(graph, columns, plan, shares)
    # shares are credited while a level is answered, so no level may be taken over
    first = 0 if near is None or near.run is None or shares else run.go_on_from(near.run)
    for level in run.plan.levels[first:]:
        run.answer(level)
    # copies served their purpose: only the statements and gates of the graph itself are given
    pro, con = run.pro[: graph.size], run.con[: graph.size]
    state = np.concatenate([run.state[: graph.silent], np.ones((1, run.width))])
    return StrengthsByVoices(state, pro, con, run.shares, run if columns is None else None)


def _raises_claims(graph: Graph, columns: Scenarios | None) -> bool:
    """Whether some scenario gives a claim a voice of its own that it has not by its base.

    Such a claim needs a place for it in the plan, which then serves scenarios of that sort alone.
    """
    if columns is None:
        return False
    if columns.held is not None and columns.held[graph.claim].any():
        return True
    base = columns.base
    return base is not None and bool(
        (base > CLAIM_BASE)[graph.claim & (graph.base <= CLAIM_BASE)].any()
    )
