"""A note's front matter: found, read as YAML, and its values checked."""

__all__ = [
    "note_fields",
    "schema",
    "split",
    "value_parsers",
    "yaml",
]
