"""How it is solved: strengths of all statements, under one or many scenarios.

By the default rule, where a source counts once by its best route: `unfold` takes circles apart,
`routes_plan` puts what is left in order, `routes` solves it in one pass and `routes_slopes` has its
derivatives. By any other rule, where each reason counts by itself: `loops_*`. Of those, a verdict
shows the strength under two beside its own. `solve` and `scenarios` serve both.
"""

__all__ = [
    "loops_plan",
    "loops_reasons",
    "routes",
    "routes_plan",
    "routes_slopes",
    "scenarios",
    "solve",
]
