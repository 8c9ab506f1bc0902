"""Pictures: maps, the explorer, cards for shared links."""

__all__ = [
    "card",
    "explorer",
    "map",
]
