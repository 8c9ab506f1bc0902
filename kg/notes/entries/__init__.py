"""Entries of bibliographies, BibTeX and CSL JSON, read as sources."""
