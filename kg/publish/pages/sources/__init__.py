"""A page for each source, and one with all of them."""
