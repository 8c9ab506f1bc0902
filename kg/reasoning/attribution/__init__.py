"""Who moved a strength, and by how much: reasons, camps, sources, places of filing."""

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
