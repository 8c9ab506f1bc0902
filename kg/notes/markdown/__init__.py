"""A note's body: its blocks, and what stands inside them."""

__all__ = [
    "attachments",
    "blocks",
    "comments",
    "events",
    "file_links",
    "hidden",
    "inline",
    "line_starts",
    "maths",
    "near_misses",
    "parts",
    "relation_items",
]
