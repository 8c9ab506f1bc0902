"""Files: what is remembered between runs, and folders that are written without following links."""
