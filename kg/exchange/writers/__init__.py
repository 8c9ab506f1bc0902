"""A module for each kind of file that the corpus is exported to."""
