"""A note's body: its blocks, and what stands inside them."""

__all__ = [
    "blocks",
    "comments",
    "inline",
    "near_misses",
    "parts",
]
