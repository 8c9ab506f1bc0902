"""Strengths of all statements under one or many scenarios, by the rule that the settings name.

It also certifies them: whether the equilibrium is proved to be the only one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kg.model import Value
from kg.reasoning.default_rule.strengths_by_voices import StrengthsByVoices, solve_by_voices
from kg.reasoning.default_rule.unfolded_circles import unfold_circles
from kg.reasoning.graph.arrays import Floats, Ints
from kg.reasoning.graph.graph import Graph, Scenarios
from kg.reasoning.other_rules.circle_plan import CirclePlan, plan_circles
from kg.reasoning.other_rules.counted_reasons import (
    CAUTIOUS,
    CONTRACTION,
    has_one_solution,
    uniqueness_proofs,
)
from kg.reasoning.other_rules.strengths_by_reasons import solve_by_reasons


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths, and how far they can be trusted.

    `state` holds statements, then gates, then a 1 (× scenarios if there are several);
    what did not converge, and all that depends on it, is NaN. `residuals` are |F(s) - s| per
    number: for each member of a circle the largest in that circle, and 0 outside circles and where
    nothing converged; `needed_ode` is true if some circle needed the differential equation.
    `by_voices` holds what the strengths come from under the default rule.
    """

    graph: Graph
    state: Floats
    residuals: Floats
    converged: bool
    needed_ode: bool
    by_voices: StrengthsByVoices | None = None

    @property
    def residual(self) -> float:
        """The largest |F(s) - s| over what converged."""
        return float(self.residuals.max())

    @property
    def strength(self) -> Floats:
        """Strengths of the statements: (statements,) or (statements × scenarios)."""
        return self.state[: self.graph.size]

    def strength_of(self, name: str) -> float | None:
        """The strength of the statement called `name`; `None` where it did not converge."""
        value = float(self.state[self.graph.number_of[name]])
        return None if np.isnan(value) else value


def cached_solution(graph: Graph) -> Solution | None:
    """The solution of `graph` if it has been computed, else `None`."""
    solution: Solution | None = graph.solution_cache.solution
    return solution


def part_bearing_on(whole_graph: Graph, node: int) -> tuple[Graph, Ints]:
    """The part of a graph that bears on a node, and the numbers of its statements and gates in the
    whole. What is known of the whole is known of the part, which may cause the whole to be solved.
    """
    part, numbers = whole_graph.restrict_to(whole_graph.ancestors(node))
    # over half of the work is needed anyway: solve the whole, for the next question too
    is_most = 2 * len(part.arc_source) > len(whole_graph.arc_source)
    whole_solution = solution_of(whole_graph) if is_most else cached_solution(whole_graph)
    # before the part is solved by itself: circles iterated again would differ within tolerance
    reuse_outer_strengths(whole_graph, whole_solution, part, numbers)
    return part, numbers


def reuse_outer_strengths(
    whole_graph: Graph, whole_solution: Solution | None, part: Graph, numbers: Ints
) -> None:
    """Give `part`, on which nothing outside it bears, its strengths and unfolded circles in
    `whole_graph`, if known. `numbers` are those of the part's statements and gates in the whole.
    """
    # a circle lies inside the part or outside it: what bears on one member bears on all
    if whole_graph.plans.unfolded_graph is not None:
        part.plans.unfolded_graph = whole_graph.plans.unfolded_graph.restrict_to(
            whole_graph, numbers
        )
    solution = whole_solution and solution_of_part(whole_solution, part, numbers)
    if solution:
        part.solution_cache.solution = solution


def solution_of_part(whole_solution: Solution, part: Graph, numbers: Ints) -> Solution | None:
    """The solution of a part on which nothing outside it bears, taken from that of the whole;
    `None` if the whole did not converge or needed the differential equation.

    Under the default rule the strengths are the same to the last digit; those of iterated circles
    agree within their tolerance.
    """
    if whole_solution.needed_ode or not whole_solution.converged:
        return None  # only solving the part by itself shows whether and how it settles
    rows = np.append(numbers, whole_solution.graph.open_gate)
    by_voices = (
        None if whole_solution.by_voices is None else whole_solution.by_voices.restrict_to(rows)
    )
    return Solution(
        graph=part,
        state=whole_solution.state[rows],
        residuals=whole_solution.residuals[rows],
        converged=True,
        needed_ode=False,
        by_voices=by_voices,
    )


def solution_of(graph: Graph) -> Solution:
    """The solution of `graph`, computed once."""
    solution = cached_solution(graph)
    if solution is None:
        solution = graph.solution_cache.solution = solve(graph)
    return solution


def solve(
    graph: Graph,
    scenarios: Scenarios | None = None,
    near: Solution | None = None,
    ends: Ints | None = None,
) -> Solution:
    """Solve `graph`: the strengths of its statements under its settings.

    Outside circles one pass in topological order is exact. A circle is iterated with damping, or
    else followed to the limit of ds/dt = F(s) - s from the base scores by Runge-Kutta
    (Potyka, KR 2018); what still does not settle to 1e-10 is NaN, never a number. A circle
    with a single equilibrium starts from `near`, a solution of this graph or of a similar one,
    if given.
    Under the default rule there are no circles, and one pass is exact.
    With `ends`, only the strengths of these statements are guaranteed to be computed.
    """
    if graph.settings.follows_routes:
        return _solve_by_default_rule(graph, scenarios, ends)
    state = None if near is None else near.state
    return Solution(graph, *solve_by_reasons(graph, scenarios, state))


def _solve_by_default_rule(
    graph: Graph, scenarios: Scenarios | None, ends: Ints | None
) -> Solution:
    result = solve_by_voices(graph, scenarios, ends=ends)
    state = result.state[:, 0] if scenarios is None else result.state
    return Solution(graph, state, np.zeros(graph.node_count + 1), True, False, by_voices=result)


_ROUND = "Some reasons and objections go in circles"
CERTIFICATES = {
    "acyclic": "No reasons or objections go in a circle, so the number is exact.",
    "unfolded": f"{_ROUND}; each was followed until it came back, so the number is exact.",
    "cut": f"{_ROUND} too large to follow to the end; they were followed only some steps.",
    "cautious": f"{_ROUND}; it is proved that there is only one solution.",
    "contraction": f"{_ROUND}; it is proved that there is only one solution.",
    "bracket": f"{_ROUND}; it is proved that there is only one solution.",
    "ode": f"{_ROUND}; this is where they lead from their starting points.",
    "none": f"{_ROUND}, and it is not proved that this is the only solution.",
}


class Certificate(Value, frozen=True):
    """Why the strengths can be trusted, from the firmest reason to none.

    `acyclic`: no loops, exact. `cautious`: unique by theorem (logistic, cautious loops, gain
    up to 1; Edelstein 1962). `contraction`: unique by Banach's theorem. `bracket`: bounds from
    below and above met. `ode`: the limit of the differential equation from the base scores
    (Potyka, KR 2018). `none`: an equilibrium, perhaps not the only one, or none found if
    `converged` is false. `residual` is the largest |F(s) - s|. Where sources are followed along
    their routes: `unfolded`, circles were taken apart to the end, exact and unique; `cut`,
    circles were too large for that, and were followed only some steps.
    """

    name: str
    residual: float
    converged: bool


def certify(graph: Graph, solution: Solution) -> Certificate:
    """The certificate that holds for all of `graph`: that of its least certain circle."""
    if graph.settings.follows_routes:
        return _by_default_rule(graph)
    plan = plan_circles(graph)
    name = "none"
    if not plan.has_circles:
        name = "acyclic"
    elif solution.converged:
        name = _proof_of_circles(graph, plan, solution)
    return Certificate(name=name, residual=solution.residual, converged=solution.converged)


def _by_default_rule(graph: Graph) -> Certificate:
    tree = unfold_circles(graph)
    name = "acyclic"
    if tree.circles:
        name = "unfolded" if tree.depth is None else "cut"
    return Certificate(name=name, residual=0.0, converged=True)


def _proof_of_circles(graph: Graph, plan: CirclePlan, solution: Solution) -> str:
    """Circles one by one: what comes before a circle is unique if every circle before it is."""
    circles = [
        (step, proof)
        for step, proof in zip(plan.steps, uniqueness_proofs(graph), strict=True)
        if step.circle
    ]
    # bounds are dear to bring together, and wanted only where no theorem helps
    unproved = [step for step, proof in circles if not proof]
    if all(has_one_solution(graph, step, solution.state) for step in unproved):
        if unproved:
            return "bracket"
        return CAUTIOUS if all(proof == CAUTIOUS for _, proof in circles) else CONTRACTION
    return "ode" if solution.needed_ode else "none"
