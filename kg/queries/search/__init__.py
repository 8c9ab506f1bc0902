"""Search in texts."""

__all__ = [
    "documents",
    "text",
]
