"""A note's front matter: found, read as YAML, and its values checked."""

__all__ = [
    "explain_values",
    "format_guide",
    "note_fields",
    "schema",
    "split",
    "value_parsers",
    "yaml",
]
