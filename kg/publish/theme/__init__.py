"""The theme's pages, cut so that pages of a corpus can be spliced in."""

__all__ = [
    "mkdocs_project",
    "shell",
    "splice",
    "stencil",
]
