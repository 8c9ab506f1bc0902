"""The search index that a reader's browser asks for."""

__all__ = [
    "index",
]
