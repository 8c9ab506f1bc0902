"""The entries of bibliographies, BibTeX and CSL JSON, as sources."""
