"""Who moved a strength, and by how much, and what losses and other conventions would do to it."""

__all__ = [
    "bill",
    "camp_views",
    "edge_changes",
    "effects",
    "independence",
    "losses",
    "other_conventions",
    "sensitivity",
    "shares",
]
