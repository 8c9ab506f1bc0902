"""A corpus kept in files, of which only what is asked for is read."""
