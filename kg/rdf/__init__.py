"""The corpus as linked data: written, read back, stored, and asked in SPARQL."""
