"""The corpus as linked data: written, read back, stored, and queried in SPARQL."""
