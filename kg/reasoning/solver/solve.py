"""Strengths of all statements under one or many scenarios, by the rule that the settings name."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from kg.reasoning.arrays import Columns, Floats, Ints
from kg.reasoning.network.graph import Graph
from kg.reasoning.solver.loops.solve import solve_loops
from kg.reasoning.solver.routes import Routes, solve_routes


@dataclass(frozen=True, slots=True)
class Solution:
    """Strengths, and how far they can be trusted.

    `state` holds statements, then gates, then a 1 (× scenarios if there are several);
    what did not converge, and all that depends on it, is NaN. `off` is |F(s) - s| per number,
    as large for each member of a loop as for its worst, and 0 outside loops and where nothing
    converged; `ode` says that some loop needed the differential equation.
    `routes` says what brought strengths about where sources were followed along their routes.
    """

    graph: Graph
    state: Floats
    off: Floats
    converged: bool
    ode: bool
    routes: Routes | None = None

    @property
    def residual(self) -> float:
        """The largest |F(s) - s| over what converged."""
        return float(self.off.max())

    @property
    def strength(self) -> Floats:
        """Strengths of the statements: (statements,) or (statements × scenarios)."""
        return self.state[: self.graph.size]

    def of(self, name: str) -> float | None:
        """The strength of the statement called `name`; `None` where it did not converge."""
        value = float(self.state[self.graph.names[name]])
        return None if np.isnan(value) else value


_SOLVED: WeakKeyDictionary[Graph, Solution] = WeakKeyDictionary()
"""Beside the graphs, as `network/` knows no solutions; each is dropped with its graph."""


def find_solution(graph: Graph) -> Solution | None:
    """The strengths of `graph`, if they have been worked out."""
    return _SOLVED.get(graph)


def reuse_outer_strengths(whole: Graph, part: Graph, numbers: Ints) -> None:
    """Give `part`, which nothing outside it bears on, the strengths and unfolded circles that it
    has in `whole`, if those are known. `numbers` are the part's statements and gates in the whole.

    Under the default rule they are the same to the last digit; loops that are brought to rest
    come out within their tolerance.
    """
    if whole.plans.unfolded is not None:
        part.plans.unfolded = whole.plans.unfolded.within(whole, numbers)
    known = find_solution(whole)
    if known is None or known.ode or not known.converged:
        return  # whether the part is settled, and how, is seen only alone
    held = np.append(numbers, whole.silent)
    routes = None if known.routes is None else known.routes.among(held)
    _SOLVED[part] = Solution(part, known.state[held], known.off[held], True, False, routes=routes)


def solution_of(graph: Graph) -> Solution:
    """The strengths of `graph` as it is, worked out once."""
    found = _SOLVED.get(graph)
    if found is None:
        found = _SOLVED[graph] = solve(graph)
    return found


def solve(
    graph: Graph,
    columns: Columns | None = None,
    near: Solution | None = None,
    plain: bool = False,
    ends: Ints | None = None,
) -> Solution:
    """The strengths that `graph`'s semantics gives its statements.

    Outside loops one pass in topological order is exact. A loop is iterated, damped, and
    at last followed as the limit of ds/dt = F(s) - s from the base scores by Runge-Kutta
    (Potyka, KR 2018); what still does not settle to 1e-10 is NaN, never a number. A loop
    that has one equilibrium starts from `near`, a solution of this graph, or of one much
    like it, where that is given.
    `plain` takes no short cuts through loops: it is there to hold them to. Where sources are
    followed along their routes there are no loops, and one pass is exact.
    With `ends` only the strengths of these statements are sure to be found.
    """
    if graph.settings.routed:
        return _follow_routes(graph, columns, near, ends)
    state = None if near is None else near.state
    same = near is not None and near.graph is graph
    return Solution(graph, *solve_loops(graph, columns, state, same, plain))


def _follow_routes(
    graph: Graph, columns: Columns | None, near: Solution | None, ends: Ints | None
) -> Solution:
    begun = None if near is None or near.graph is not graph else near.routes
    found = solve_routes(graph, columns, near=begun, ends=ends)
    state = found.state[:, 0] if columns is None else found.state
    return Solution(graph, state, np.zeros(graph.silent + 1), True, False, routes=found)
