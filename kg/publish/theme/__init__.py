"""The theme's pages, cut so that pages of a corpus can be spliced in."""

__all__ = [
    "renderers",
    "shell",
    "stencil",
]
