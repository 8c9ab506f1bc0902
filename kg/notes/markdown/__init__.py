"""A note's body: its blocks, and what stands inside them."""

__all__ = [
    "attachments",
    "blocks",
    "comments",
    "events",
    "file_links",
    "inline",
    "line_starts",
    "maths",
    "near_misses",
    "not_shown",
    "parts",
    "relation_items",
]
