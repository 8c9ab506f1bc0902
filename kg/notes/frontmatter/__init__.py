"""A note's front matter: found, read as YAML, and its values checked."""

__all__ = [
    "block",
    "note_fields",
    "schema",
    "value_parsers",
    "yaml",
]
