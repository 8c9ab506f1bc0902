"""A note's front matter: found, read as YAML, and its values checked."""
