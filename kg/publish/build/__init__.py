"""The build: which pages are made anew, and everything put together."""

__all__ = [
    "incremental",
    "site",
    "sitemaps",
]
