"""The build: which pages are made anew, and everything put together."""

__all__ = [
    "folder",
    "memory",
    "preview",
    "site",
]
