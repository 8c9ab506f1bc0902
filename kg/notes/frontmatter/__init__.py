"""A note's front matter: find it, read it as YAML, and check its values."""
