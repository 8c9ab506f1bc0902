"""One file at a time: found, read, parsed."""
