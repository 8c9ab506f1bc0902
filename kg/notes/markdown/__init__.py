"""A note's body: its blocks, and what stands inside them."""

__all__ = [
    "blocks",
    "inline",
    "near_misses",
    "parts",
]
