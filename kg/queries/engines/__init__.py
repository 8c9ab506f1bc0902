"""What answers a selection: the corpus in memory, a store, or a server."""

__all__ = [
    "memory",
    "shown_values",
    "sparql",
]
