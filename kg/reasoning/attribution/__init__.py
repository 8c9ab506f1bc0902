"""Who moved a strength, and by how much: reasons, camps, sources, places of filing."""

__all__ = [
    "bill",
    "camp_views",
    "effects",
    "filed_directly",
    "independence",
    "loss_sets",
    "losses",
    "sensitivity",
    "shares",
]
