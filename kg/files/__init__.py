"""Files: read within bounds, written without following links, and remembered between runs."""
