"""Where a corpus of claims stands, how firmly, on whose evidence, and what would change it."""
