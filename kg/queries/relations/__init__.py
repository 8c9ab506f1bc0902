"""How statements hang together: reasons, paths, comparisons, years, lines."""

__all__ = [
    "compare",
    "explain",
    "timeline",
]
