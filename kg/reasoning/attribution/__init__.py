"""Who moved a strength, and by how much, and what losses and other conventions would do to it."""

__all__ = [
    "bill",
    "camp_views",
    "edge_changes",
    "effects",
    "filed_directly",
    "independence",
    "losses",
    "objections",
    "other_conventions",
    "sensitivity",
    "shares",
]
