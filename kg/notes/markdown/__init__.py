"""A note's body: its blocks, and what stands inside them."""

__all__ = [
    "blocks",
    "comments",
    "events",
    "file_links",
    "inline",
    "near_misses",
    "parts",
]
