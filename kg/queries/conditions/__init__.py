"""What can be asked of one record: fields, values, conditions, and indexes that answer them."""

__all__ = [
    "condition",
    "fields",
    "index",
    "inherited",
    "link_index",
    "patterns",
    "ranges",
    "related",
    "support_groups",
]
