"""A note's front matter: found, read as YAML, and its values checked."""

__all__ = [
    "block",
    "fields",
    "schema",
    "values",
    "yaml",
]
