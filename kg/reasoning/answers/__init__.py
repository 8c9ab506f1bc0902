"""Questions about a line or a statement, one module a question."""

__all__ = [
    "case",
    "crux",
    "flips",
    "gaps",
    "impact",
    "positions",
    "robustness",
    "stakes",
    "sureness",
    "tensions",
    "verdict",
    "verdict_text",
    "whatif",
]
