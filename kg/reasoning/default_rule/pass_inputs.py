"""What one pass through a plan is given: bases, weights and settings, under all scenarios."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from kg.reasoning.default_rule.voice_plan import VoicePlan
from kg.reasoning.graph.arrays import Floats, Ints, bounded_logit
from kg.reasoning.graph.graph import Graph, Scenarios

# A row for each of something, a column for each scenario; what no scenario changes has one column.
ByNode: TypeAlias = Floats
"""Nodes of the unfolded graph × scenarios, or some of these nodes."""
ByVoice: TypeAlias = Floats
"""Voices of the plan × scenarios."""
ByRow: TypeAlias = Floats
"""Rows of a level, or some of them × scenarios."""
BySlot: TypeAlias = Floats
"""Slots of a level × scenarios."""
ByArc: TypeAlias = Floats
"""Arcs of the graph, before it is unfolded × scenarios."""


@dataclass(frozen=True, slots=True)
class PassInputs:
    """What a pass reads and never changes."""

    graph: Graph
    scenarios: Scenarios | None  # the graph as it is if there are none
    width: int  # how many scenarios there are
    origin: Ints  # of each node of the unfolded graph, its statement; 0 for gates
    base: ByNode
    start: ByNode  # the log-odds of bases, of claims alone
    gain: float | Floats
    repeat: float | Floats
    repeats: bool  # whether more than the best row of a slot counts in any scenario
    weight: ByArc | None  # 0 to 1, for or against; `None` if no scenario changes a weight

    @property
    def loudness(self) -> Floats | None:
        """How far each statement is heard (× scenarios); `None` if all are in full."""
        return None if self.scenarios is None else self.scenarios.loudness


def pass_inputs(graph: Graph, scenarios: Scenarios | None, plan: VoicePlan) -> PassInputs:
    """The numbers of a graph under some scenarios, laid out for the nodes of a plan."""
    origin = np.where(plan.gates, 0, plan.unfolded_graph.origin)
    base = log_odds_base = graph.base[:, None]
    gain: float | Floats = graph.settings.gain
    repeat: float | Floats = graph.settings.repeat
    weight = None
    if scenarios is not None:
        if scenarios.base is not None:
            base = scenarios.base
            # log-odds are only read for claims, and logarithms take time
            if (base[graph.claim] != log_odds_base[graph.claim]).any():
                log_odds_base = base
        gain = gain if scenarios.gain is None else scenarios.gain
        repeat = repeat if scenarios.repeat is None else scenarios.repeat
        if scenarios.arc_weight is not None:
            # a weight that changes its sign in a scenario counts as 0 there: the side of each row
            # is fixed in the plan
            weight = np.maximum(scenarios.arc_weight * np.sign(graph.arc_weight)[:, None], 0.0)
    return PassInputs(
        graph=graph,
        scenarios=scenarios,
        width=1 if scenarios is None else scenarios.count,
        origin=origin,
        base=base[origin],
        start=bounded_logit(log_odds_base)[origin],
        gain=gain,
        repeat=repeat,
        repeats=bool(np.any(repeat)),
        weight=weight,
    )
