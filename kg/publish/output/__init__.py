"""Files of the site: staged, then moved into place."""

__all__ = [
    "commit",
    "writer",
]
