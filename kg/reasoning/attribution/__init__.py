"""Who moved a strength, and by how much, and what losses and other rules would do."""

__all__ = [
    "bill",
    "camp_views",
    "edge_changes",
    "effects",
    "independence",
    "losses",
    "named_sources",
    "scenario_diff",
    "sensitivity",
    "shares",
    "weighed_otherwise",
]
