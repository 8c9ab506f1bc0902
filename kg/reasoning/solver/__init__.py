"""How it is solved: strengths of all statements, under one or many scenarios."""

__all__ = [
    "certificate",
    "plan",
    "routes",
    "routes_plan",
    "routes_slopes",
    "scenarios",
    "strength",
]
