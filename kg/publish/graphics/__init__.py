"""Pictures: maps, the atlas, the explorer, cards for shared links."""

__all__ = [
    "atlas",
    "card",
    "explorer",
    "map",
]
