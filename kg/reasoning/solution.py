"""Strengths of all statements under one or many scenarios, by the rule that the settings name.

It also certifies them: whether they are exact, or where circles came to rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.model import Value
from kg.reasoning.default_rule.strengths_by_voices import StrengthsByVoices, solve_by_voices
from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.graph.arrays import Floats, Ints
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.graph.node_circles import NO_CIRCLE, circle_of_nodes
from kg.reasoning.other_rules.strengths_by_reasons import solve_by_reasons
from kg.runtime.memoize import memoize

_ROUND = "Some reasons and objections go in circles"
CERTIFICATES = {
    "acyclic": "No reasons or objections go in a circle, so the number is exact.",
    "unfolded": f"{_ROUND}; each was followed until it came back, so the number is exact.",
    "cut": f"{_ROUND} too large to follow to the end; they were followed only some steps.",
    "settled": f"{_ROUND}; this is where they lead from their starting points.",
    "none": f"{_ROUND}, and they come to no rest.",
}


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths, and how far they can be trusted.

    `state` holds statements, then gates, then a 1 (× scenarios if there are several);
    what did not converge, and all that depends on it, is NaN. `residual` is the largest
    |F(s) - s| over what converged. `by_voices` holds what the strengths come from under the default
    rule.
    """

    graph: Graph
    state: Floats
    residual: float
    by_voices: StrengthsByVoices | None = None

    @property
    def has_converged(self) -> bool:
        """Whether each statement has a strength, in each scenario."""
        return not np.isnan(self.state).any()

    @property
    def strength(self) -> Floats:
        """Strengths of the statements: (statements,) or (statements × scenarios)."""
        return self.state[: self.graph.size]

    def strength_of(self, name: str) -> float | None:
        """The strength of the statement called `name`; `None` where it did not converge."""
        value = float(self.state[self.graph.number_of[name]])
        return None if np.isnan(value) else value


def subgraph_bearing_on(whole_graph: Graph, node: int) -> tuple[Graph, Ints]:
    """The subgraph that bears on a node, and the numbers of its statements and gates in the whole.
    What is known of the whole is known of the subgraph, which may cause the whole to be solved.
    """
    subgraph, numbers = whole_graph.restrict_to(whole_graph.ancestors(node))
    # over half of the work is needed anyway: solve the whole, for the next question too
    is_most = 2 * len(subgraph.arc_premise) > len(whole_graph.arc_premise)
    whole_solution = solution_of(whole_graph) if is_most else solution_of.recall(whole_graph)
    # before the subgraph is solved by itself: circles iterated again would differ within tolerance
    reuse_outer_strengths(whole_graph, whole_solution, subgraph, numbers)
    return subgraph, numbers


def reuse_outer_strengths(
    whole_graph: Graph, whole_solution: Solution | None, subgraph: Graph, numbers: Ints
) -> None:
    """Give `subgraph`, on which nothing outside it bears, its strengths and unfolded circles in
    `whole_graph`, if known. `numbers` are those of the subgraph's statements and gates in the
    whole.
    """
    # a circle lies inside the subgraph or outside it: what bears on one member bears on all
    if (circles := circle_of_nodes.recall(whole_graph)) is not None:
        circle_of_nodes.give(subgraph, circles[numbers])
    if unfolded := unfold_circles.recall(whole_graph):
        unfold_circles.give(subgraph, unfolded.restrict_to(whole_graph, numbers))
    solution = whole_solution and solution_of_subgraph(whole_solution, subgraph, numbers)
    if solution:
        solution_of.give(subgraph, solution)


def solution_of_subgraph(
    whole_solution: Solution, subgraph: Graph, numbers: Ints
) -> Solution | None:
    """The solution of a subgraph on which nothing outside it bears, taken from that of the whole;
    `None` if the whole did not converge.

    Under the default rule the strengths are the same to the last digit; those of iterated circles
    agree within their tolerance.
    """
    if not whole_solution.has_converged:
        return None  # only solving the subgraph by itself shows whether it settles
    rows = np.append(numbers, whole_solution.graph.open_gate)
    by_voices = (
        None if whole_solution.by_voices is None else whole_solution.by_voices.restrict_to(rows)
    )
    return Solution(subgraph, whole_solution.state[rows], whole_solution.residual, by_voices)


@memoize
def solution_of(graph: Graph) -> Solution:
    """The solution of `graph`, computed once."""
    return solve(graph)


def solve(graph: Graph, scenarios: Scenarios | None = None, ends: Ints | None = None) -> Solution:
    """Solve `graph`: the strengths of its statements under its settings.

    Under the default rule there are no circles, and one pass is exact. By the other rules all
    strengths are iterated from the base scores, by steps so small that they come to rest; those
    outside circles are exact after some rounds. What does not settle to 1e-10 is NaN, never a
    number.
    With `ends`, only the strengths of these statements are guaranteed to be computed.
    """
    if not graph.settings.follows_routes:
        return Solution(graph, *solve_by_reasons(graph, scenarios))
    result = solve_by_voices(graph, scenarios, ends=ends)
    state = result.state[:, 0] if scenarios is None else result.state
    return Solution(graph, state, 0.0, result)


class Certificate(Value, frozen=True):
    """The reason why the strengths can be trusted, from the firmest to none.

    `acyclic`: no circles, exact. Where sources are followed along their routes: `unfolded`, circles
    were taken apart to the end, exact and unique; `cut`, circles were too large for that, and were
    followed only some steps. By other rules: `settled`, the strengths came to rest from the base
    scores, perhaps not the only ones at which they would; `none`, some did not, and `converged` is
    false. `residual` is the largest |F(s) - s|.
    """

    name: str
    residual: float
    converged: bool


def certify(graph: Graph, solution: Solution) -> Certificate:
    """The certificate that holds for all of `graph`: that of its least certain circle."""
    if graph.settings.follows_routes:
        return _by_default_rule(graph)
    name = "settled" if solution.has_converged else "none"
    if (circle_of_nodes(graph) == NO_CIRCLE).all():
        name = "acyclic"
    return Certificate(name=name, residual=solution.residual, converged=solution.has_converged)


def _by_default_rule(graph: Graph) -> Certificate:
    tree = unfold_circles(graph)
    name = "acyclic"
    if tree.circles:
        name = "unfolded" if tree.depth is None else "cut"
    return Certificate(name=name, residual=0.0, converged=True)
