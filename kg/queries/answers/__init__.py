"""What was found, the edges that justify it, and every form one may want it in."""

__all__ = [
    "answer",
    "empty",
    "notebook",
    "sizes",
    "tables",
]
