"""Search by words and by meaning."""

__all__ = [
    "documents",
    "meaning",
    "text",
]
