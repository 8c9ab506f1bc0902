"""What is proved about an equilibrium: that it is the only one, or nothing."""

from __future__ import annotations

from kg.model import Value
from kg.reasoning.network.graph import Graph
from kg.reasoning.solver.loops.plan import LoopPlan, loop_plan
from kg.reasoning.solver.loops.proofs import CAUTIOUS, CONTRACTION, bracket_closes, proofs
from kg.reasoning.solver.routes_plan import unfolded
from kg.reasoning.solver.solve import Solution

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
    """The certificate that holds for all of `graph`: that of its least certain loop."""
    if graph.settings.routed:
        return _of_routes(graph)
    plan = loop_plan(graph)
    name = "none"
    if not plan.loops:
        name = "acyclic"
    elif solution.converged:
        name = _name(graph, plan, solution)
    return Certificate(name=name, residual=solution.residual, converged=solution.converged)


def _of_routes(graph: Graph) -> Certificate:
    tree = unfolded(graph)
    name = "acyclic" if not tree.circles else "unfolded" if tree.depth is None else "cut"
    return Certificate(name=name, residual=0.0, converged=True)


def _name(graph: Graph, plan: LoopPlan, solution: Solution) -> str:
    """Loops one by one: what comes before a loop is unique if every loop before it is."""
    loops = [
        (step, proof) for step, proof in zip(plan.steps, proofs(graph), strict=True) if step.loop
    ]
    unproved = [step for step, proof in loops if not proof]
    if all(bracket_closes(graph, step, solution.state) for step in unproved):
        if unproved:
            return "bracket"
        return CAUTIOUS if all(proof == CAUTIOUS for _, proof in loops) else CONTRACTION
    return "ode" if solution.ode else "none"
