"""Find, read and parse notes and bibliographies, one file at a time."""
