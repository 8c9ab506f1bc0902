"""A note's body: its blocks, and what stands inside them."""

__all__ = [
    "blocks",
    "inline",
    "items",
    "near_misses",
    "parts",
]
