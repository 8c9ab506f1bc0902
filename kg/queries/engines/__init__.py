"""What answers a selection: the corpus in memory, a store, or a server."""

__all__ = [
    "engine",
    "shown_values",
    "sparql",
]
